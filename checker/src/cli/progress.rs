//! The progress of a run: a line that changes on a terminal, or with `-v` a line a minute elsewhere.
//!
//! The line on a terminal is one row; less important parts are left out if the terminal is narrow. It is
//! cleared when the run ends, also if a supervisor ends it ([`clear`]).

use std::collections::VecDeque;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use super::args::Args;
use crate::engine::capabilities::Unit;
use crate::engine::{Limits, Progress};
use crate::memory;
use crate::outcome::measures::ProgressSample;
use crate::report::statistics::rounded;

/// The interval of updates on a terminal.
const TICK: Duration = Duration::from_millis(200);
/// The interval of lines elsewhere.
const MINUTE: Duration = Duration::from_secs(60);
/// The growth factor of an estimate above which no remaining time is shown: branches are still being found.
const GROWS: f64 = 1.2;
/// The number of samples from which the speed is computed.
const WINDOW: usize = 10;

/// The number of columns of a terminal that does not report it.
const COLUMNS: usize = 80;
/// The number of columns before the message, for the spinner and the time.
const BEFORE_MESSAGE: usize = 8;

/// The line on the terminal, while there is one.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Removes the line from the terminal permanently.
pub fn clear() {
    if let Some(line) = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).take() {
        line.finish_and_clear();
    }
}

/// A thread that shows an engine's progress on standard error until this is dropped.
pub struct ProgressLine {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Shows `progress` if the options want it.
    #[must_use]
    pub fn start(progress: &Arc<Progress>, args: &Args, unit: Unit) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let wanted = !args.no_progress && !args.quiet;
        let is_terminal = std::io::stderr().is_terminal();
        let thread = (wanted && (is_terminal || args.verbose > 0)).then(|| {
            let (progress, done, limits) = (Arc::clone(progress), Arc::clone(&done), args.limits());
            let show = if is_terminal { draw } else { log };
            thread::spawn(move || show(&progress, &limits, unit, &done))
        });
        Self { done, thread }
    }
}

fn draw(progress: &Progress, limits: &Limits, unit: Unit, done: &AtomicBool) {
    let line = ProgressBar::new_spinner();
    line.set_style(
        ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(line.clone());
    let mut seen = VecDeque::new();
    while !done.load(Ordering::Relaxed) {
        let now = progress.latest();
        let parts = describe(&now, seen.front().unwrap_or(&ProgressSample::default()), memory::now(), limits, unit);
        line.set_message(fitting(&parts, columns().saturating_sub(BEFORE_MESSAGE)));
        line.tick();
        seen.push_back(now);
        if seen.len() > WINDOW {
            seen.pop_front();
        }
        thread::park_timeout(TICK);
    }
    clear();
}

/// The number of columns of the terminal.
fn columns() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stderr()).ok();
    size.map(|size| usize::from(size.ws_col)).filter(|&columns| columns > 0).unwrap_or(COLUMNS)
}

/// The longest prefix of the parts that fits into a line of so many columns.
fn fitting(parts: &[String], columns: usize) -> String {
    let counts = (1..=parts.len()).rev();
    let mut texts = counts.map(|count| parts[..count].join(", "));
    let fits = texts.find(|text| text.chars().count() <= columns);
    fits.unwrap_or_else(|| parts.first().cloned().unwrap_or_default())
}

fn log(progress: &Progress, limits: &Limits, unit: Unit, done: &AtomicBool) {
    let (mut before, mut due) = (ProgressSample::default(), Instant::now() + MINUTE);
    while !done.load(Ordering::Relaxed) {
        thread::park_timeout(due.saturating_duration_since(Instant::now()));
        if Instant::now() >= due {
            let now = progress.latest();
            let time = HumanDuration(Duration::from_secs_f64(now.seconds.round()));
            let parts = describe(&now, &before, memory::now(), limits, unit);
            eprintln!("rmc-check: {time}: {}", parts.join(", "));
            before = now;
            due += MINUTE;
        }
    }
}

/// The progress of a run and its speed since the sample `before`, most important parts first. `resident` is
/// the memory of the process in bytes, as in the result; the limit counts other bytes, those of the search.
fn describe(now: &ProgressSample, before: &ProgressSample, resident: u64, limits: &Limits, unit: Unit) -> Vec<String> {
    let mut parts = Vec::new();
    let limit = |limit: Option<f64>, used: f64, what: &str| {
        limit.map(|limit| format!("{:.0}% of the {what}", 100.0 * used / limit))
    };
    let of_states = limit(limits.max_states.map(|max| max as f64), now.states as f64, "states");
    let of_memory = limit(limits.max_memory.map(|max| max as f64), now.bytes as f64, "memory");
    let of_time = limit(limits.timeout.map(|timeout| timeout.as_secs_f64()), now.seconds, "time");
    match unit {
        Unit::Executions => parts.extend(executions(now, before)),
        Unit::Formulas => {}
        Unit::States => {
            parts.push(format!("{} states", HumanCount(now.states)));
            parts.push(format!("{} per second", rounded(rate(now, before, |sample| sample.states))));
            parts.push(format!("{} to explore", HumanCount(now.frontier)));
        }
    }
    parts.push(HumanBytes(resident).to_string());
    parts.extend(of_states.into_iter().chain(of_memory).chain(of_time));
    parts
}

fn executions(now: &ProgressSample, before: &ProgressSample) -> [String; 3] {
    let rate = rate(now, before, |sample| sample.executions);
    let estimate = rounded(now.estimated_executions);
    let estimate = if now.estimated_executions > GROWS * before.estimated_executions {
        format!("about {estimate} in all, and growing")
    } else {
        let left = (now.estimated_executions - now.executions as f64).max(0.0) / rate.max(1e-9);
        let time = Duration::try_from_secs_f64(left.round()).ok().filter(|_| rate > 0.0);
        let time = time.map_or_else(String::new, |time| format!(", {} left", HumanDuration(time)));
        format!("about {estimate} in all{time}")
    };
    [format!("{} executions", HumanCount(now.executions)), format!("{} per second", rounded(rate)), estimate]
}

fn rate(now: &ProgressSample, before: &ProgressSample, what: impl Fn(&ProgressSample) -> u64) -> f64 {
    let seconds = now.seconds - before.seconds;
    // The engine restarts when it has learned something, and then the count is lower than before.
    if seconds > 0.0 { what(now).saturating_sub(what(before)) as f64 / seconds } else { 0.0 }
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

#[cfg(test)]
mod tests {
    use super::*;

    const RESIDENT: u64 = 2 << 20;

    #[test]
    fn states_are_shown_with_speed_and_limits() {
        let before = ProgressSample { seconds: 1.0, states: 500, ..ProgressSample::default() };
        let now =
            ProgressSample { seconds: 3.0, states: 2500, frontier: 40, bytes: 1 << 20, ..ProgressSample::default() };
        let text = |limits: &Limits| describe(&now, &before, RESIDENT, limits, Unit::States).join(", ");
        assert_eq!(text(&Limits::default()), "2,500 states, 1,000 per second, 40 to explore, 2.00 MiB");
        let limits = Limits {
            max_states: Some(10_000),
            max_memory: Some(8 << 20),
            timeout: Some(Duration::from_secs(12)),
            ..Limits::default()
        };
        assert_eq!(
            text(&limits),
            "2,500 states, 1,000 per second, 40 to explore, 2.00 MiB, 25% of the states, 12% of the memory, 25% of the time"
        );
    }

    #[test]
    fn what_is_left_of_the_executions_is_called_an_estimate() {
        let before = ProgressSample { estimated_executions: 1100.0, ..ProgressSample::default() };
        let now =
            ProgressSample { seconds: 2.0, executions: 200, estimated_executions: 1200.4, ..ProgressSample::default() };
        let limits = Limits::default();
        let text = |now: &ProgressSample, before: &ProgressSample| {
            describe(now, before, RESIDENT, &limits, Unit::Executions).join(", ")
        };
        assert_eq!(
            text(&now, &before),
            "200 executions, 100 per second, about 1,200 in all, 10 seconds left, 2.00 MiB"
        );
        assert!(text(&now, &ProgressSample::default()).contains("about 1,200 in all, and growing"));
        let vast = ProgressSample { estimated_executions: 1e30, ..now };
        assert!(text(&vast, &before).contains("1e30 in all"));
    }

    #[test]
    fn a_line_is_as_long_as_the_terminal_at_most() {
        let parts: Vec<String> = ["2,500 states", "40 to explore", "2.00 MiB"].map(str::to_owned).into();
        assert_eq!(fitting(&parts, 80), "2,500 states, 40 to explore, 2.00 MiB");
        assert_eq!(fitting(&parts, 30), "2,500 states, 40 to explore");
        assert_eq!(fitting(&parts, 5), "2,500 states");
    }
}
