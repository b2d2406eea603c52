//! The communication of the workers of a search: mailboxes, and a barrier.
//!
//! Both take their atomic words and locks from `sync.rs`. `tests/tests/models.rs` compiles their files with
//! loom's types of the same names in its place, and runs them in all executions that the memory model of Rust
//! allows. So these two files may use nothing else of the checker.

mod barrier;
mod mailbox;
mod sync;

pub use barrier::Barrier;
pub use mailbox::Mailbox;
pub use sync::lock;
