//! Messages of the engines on standard error, with `-v` and `-vv`.
//!
//! Engines write them with the macros of the crate `log` and do not know where they go.

use log::{LevelFilter, Log, Metadata, Record};

/// Writes messages as lines on standard error.
struct StandardError;

impl Log for StandardError {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= log::max_level()
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            eprintln!("rmc-check: {}: {}", record.target(), record.args());
        }
    }

    fn flush(&self) {}
}

/// Enables messages according to the number of `-v`: none, important ones, or all.
pub fn show(verbose: u8) {
    let level = match verbose {
        0 => return,
        1 => LevelFilter::Info,
        _ => LevelFilter::Debug,
    };
    if log::set_logger(&StandardError).is_ok() {
        log::set_max_level(level);
    }
}
