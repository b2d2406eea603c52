//! The progress line on a terminal.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanBytes, HumanCount, ProgressBar, ProgressStyle};

use crate::explore::Progress;

/// A line that shows an engine's counters until it is dropped.
pub struct ProgressLine {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Shows `progress` on standard error if that is a terminal and `wanted`.
    #[must_use]
    pub fn start(progress: &Arc<Progress>, wanted: bool) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let show = wanted && std::io::stderr().is_terminal();
        let thread = show.then(|| {
            let (progress, done) = (Arc::clone(progress), Arc::clone(&done));
            thread::spawn(move || draw(&progress, &done))
        });
        Self { done, thread }
    }
}

fn draw(progress: &Progress, done: &AtomicBool) {
    let line = ProgressBar::new_spinner();
    line.set_style(
        ProgressStyle::with_template("{spinner} {elapsed} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    while !done.load(Ordering::Relaxed) {
        let (states, expanded) = (progress.states.load(Ordering::Relaxed), progress.expanded.load(Ordering::Relaxed));
        let bytes = HumanBytes(progress.bytes.load(Ordering::Relaxed));
        let waiting = HumanCount(states.saturating_sub(expanded));
        line.set_message(format!("{} states, {waiting} to explore, {bytes}", HumanCount(states)));
        line.tick();
        thread::park_timeout(Duration::from_millis(200));
    }
    line.finish_and_clear();
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // A panic while drawing a progress line must not hide the result.
            drop(thread.join());
        }
    }
}
