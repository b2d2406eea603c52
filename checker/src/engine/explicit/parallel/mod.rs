//! How workers of a search share their work: mailboxes and meetings. Model-checked by loom in `tests/tests/models.rs`.

mod mailbox;
mod meeting;
mod sync;

pub use mailbox::Mailbox;
pub use meeting::Meeting;
pub use sync::lock;
