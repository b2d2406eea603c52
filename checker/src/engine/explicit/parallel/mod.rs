//! Mailboxes and a barrier for the workers of a search. Model-checked by loom in `tests/tests/models.rs`.

mod barrier;
mod mailbox;
mod sync;

pub use barrier::Barrier;
pub use mailbox::Mailbox;
pub use sync::lock;
