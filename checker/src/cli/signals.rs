//! The effects of signals on a run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::Progress;
use crate::outcome::Unknown;

/// Makes a write beyond the limit on file sizes (`ulimit -f`) an error of that write, instead of the end of
/// the process.
pub fn fail_to_write_too_much() {
    // Without a handler such a write ends the process, as by default.
    drop(signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()));
}

/// The time within which two signals are one request: `timeout` sends its signal to the process and to its
/// group.
const SAME_REQUEST: Duration = Duration::from_millis(100);

/// Makes Ctrl-C ask the engine to stop; its results until then are reported. A second Ctrl-C ends the
/// process.
pub fn stop_on_signal(progress: &Arc<Progress>) {
    let progress = Arc::clone(progress);
    let mut first = None;
    let handler = move || {
        let first = *first.get_or_insert_with(Instant::now);
        progress.halt.request(Unknown::Interrupted);
        if first.elapsed() > SAME_REQUEST {
            std::process::exit(130);
        }
    };
    // Without a handler the run still works, but Ctrl-C ends the process at once.
    drop(ctrlc::set_handler(handler));
}
