//! The effects of signals on a run.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::halt::Halt;
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

/// The run that Ctrl-C stops.
static RUNNING: Mutex<Option<Halt>> = Mutex::new(None);

/// Makes Ctrl-C ask the engine of this run, and of no earlier one, to stop; its results until then are
/// reported. A second Ctrl-C ends the process.
pub fn stop_on_signal(halt: &Halt) {
    let is_first = RUNNING.lock().unwrap_or_else(PoisonError::into_inner).replace(halt.clone()).is_none();
    if !is_first {
        return;
    }
    let mut first = None;
    let handler = move || {
        let first = *first.get_or_insert_with(Instant::now);
        if let Some(halt) = &*RUNNING.lock().unwrap_or_else(PoisonError::into_inner) {
            halt.request(Unknown::Interrupted);
        }
        if first.elapsed() > SAME_REQUEST {
            std::process::exit(130);
        }
    };
    // Without a handler the run still works, but Ctrl-C ends the process at once.
    drop(ctrlc::set_handler(handler));
}
