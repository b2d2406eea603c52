//! What `cargo rmc` does.

mod args;
mod build;
mod error;
mod package;

pub use args::Args;
pub use build::check;
