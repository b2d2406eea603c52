//! What signals do to a run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::Progress;
use crate::outcome::Unknown;

/// A file that may not grow any more (`ulimit -f`) is an error of whoever writes to it, and does not end the
/// process.
pub fn fail_to_write_too_much() {
    // Without a handler such an error ends the process, as it would have.
    drop(signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()));
}

/// Two signals within this time are one request: `timeout` sends its signal to the process and to its group.
const SAME_REQUEST: Duration = Duration::from_millis(100);

/// Ctrl-C asks the engine to stop; what it found until then is reported. A second one ends the process.
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
    // Without a handler the run still works; it only cannot be interrupted gently.
    drop(ctrlc::set_handler(handler));
}
