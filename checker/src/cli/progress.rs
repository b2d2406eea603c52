//! What is shown while a run goes on: a line that changes on a terminal, or with `-v` a line a minute elsewhere.

use std::collections::VecDeque;
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use super::args::Args;
use crate::explore::{Limits, Progress};
use crate::outcome::measures::Sample;

/// Time between two looks at a run on a terminal.
const TICK: Duration = Duration::from_millis(200);
/// Time between two lines elsewhere.
const MINUTE: Duration = Duration::from_secs(60);
/// An estimate that became larger by this factor says nothing about the time that is left: branches are still being found.
const GROWS: f64 = 1.2;
/// Looks from which the speed is taken.
const WINDOW: usize = 10;

/// Shows an engine's progress on standard error until it is dropped.
pub struct ProgressLine {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Shows `progress` if the options want it.
    #[must_use]
    pub fn start(progress: &Arc<Progress>, args: &Args) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let wanted = !args.no_progress && !args.quiet;
        let is_terminal = std::io::stderr().is_terminal();
        let thread = (wanted && (is_terminal || args.verbose)).then(|| {
            let (progress, done, limits) = (Arc::clone(progress), Arc::clone(&done), args.limits());
            let show = if is_terminal { draw } else { log };
            thread::spawn(move || show(&progress, &limits, &done))
        });
        Self { done, thread }
    }
}

fn draw(progress: &Progress, limits: &Limits, done: &AtomicBool) {
    let line = ProgressBar::new_spinner();
    line.set_style(
        ProgressStyle::with_template("{spinner} {elapsed} {msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    let mut seen = VecDeque::new();
    while !done.load(Ordering::Relaxed) {
        let now = progress.latest();
        line.set_message(describe(&now, seen.front().unwrap_or(&Sample::default()), limits));
        line.tick();
        seen.push_back(now);
        if seen.len() > WINDOW {
            seen.pop_front();
        }
        thread::park_timeout(TICK);
    }
    line.finish_and_clear();
}

fn log(progress: &Progress, limits: &Limits, done: &AtomicBool) {
    let (mut before, mut due) = (Sample::default(), Instant::now() + MINUTE);
    while !done.load(Ordering::Relaxed) {
        thread::park_timeout(due.saturating_duration_since(Instant::now()));
        if Instant::now() >= due {
            let now = progress.latest();
            let time = HumanDuration(Duration::from_secs_f64(now.seconds.round()));
            eprintln!("rmc-check: {time}: {}", describe(&now, &before, limits));
            before = now;
            due += MINUTE;
        }
    }
}

/// How far a run is, and how fast since it was as far as `before`.
fn describe(now: &Sample, before: &Sample, limits: &Limits) -> String {
    let mut text = if now.executions > 0 || now.estimated_executions > 0.0 {
        executions(now, before)
    } else {
        let rate = rate(now, before, |sample| sample.states);
        let fill = fill(now.states as f64, limits.max_states.map(|max| max as f64));
        let frontier = HumanCount(now.frontier);
        format!("{} states{fill}, {} per second, {frontier} to explore", HumanCount(now.states), count(rate))
    };
    let memory = fill(now.bytes as f64, limits.max_memory.map(|max| max as f64));
    let _ = write!(text, ", {}{memory}", HumanBytes(now.bytes));
    if let Some(timeout) = limits.timeout {
        let _ = write!(text, ", {:.0}% of the time", 100.0 * now.seconds / timeout.as_secs_f64());
    }
    text
}

fn executions(now: &Sample, before: &Sample) -> String {
    let rate = rate(now, before, |sample| sample.executions);
    let estimate = count(now.estimated_executions);
    let estimate = if now.estimated_executions > GROWS * before.estimated_executions {
        format!("{estimate} in all, and growing")
    } else {
        let left = (now.estimated_executions - now.executions as f64).max(0.0) / rate.max(1e-9);
        let time = Duration::try_from_secs_f64(left.round()).ok().filter(|_| rate > 0.0);
        let time = time.map_or_else(String::new, |time| format!(", {} left", HumanDuration(time)));
        format!("{estimate} in all{time}")
    };
    format!("{} executions, {} per second (estimate: {estimate})", HumanCount(now.executions), count(rate))
}

fn rate(now: &Sample, before: &Sample, what: impl Fn(&Sample) -> u64) -> f64 {
    let seconds = now.seconds - before.seconds;
    // The engine starts anew when it has learned something, and then there is less than before.
    if seconds > 0.0 { what(now).saturating_sub(what(before)) as f64 / seconds } else { 0.0 }
}

fn count(number: f64) -> String {
    if number < 1e15 { HumanCount(number.round() as u64).to_string() } else { format!("{number:.0e}") }
}

fn fill(used: f64, limit: Option<f64>) -> String {
    limit.map_or_else(String::new, |limit| format!(" ({:.0}% of the limit)", 100.0 * used / limit))
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

    #[test]
    fn states_are_shown_with_speed_and_limits() {
        let before = Sample { seconds: 1.0, states: 500, ..Sample::default() };
        let now = Sample { seconds: 3.0, states: 2500, frontier: 40, bytes: 2 << 20, ..Sample::default() };
        assert_eq!(
            describe(&now, &before, &Limits::default()),
            "2,500 states, 1,000 per second, 40 to explore, 2.00 MiB"
        );
        let limits = Limits {
            max_states: Some(10_000),
            max_memory: Some(8 << 20),
            timeout: Some(Duration::from_secs(12)),
            ..Limits::default()
        };
        assert_eq!(
            describe(&now, &before, &limits),
            "2,500 states (25% of the limit), 1,000 per second, 40 to explore, 2.00 MiB (25% of the limit), 25% of the time"
        );
    }

    #[test]
    fn what_is_left_of_the_executions_is_called_an_estimate() {
        let before = Sample { estimated_executions: 1100.0, ..Sample::default() };
        let now = Sample { seconds: 2.0, executions: 200, estimated_executions: 1200.4, ..Sample::default() };
        assert_eq!(
            describe(&now, &before, &Limits::default()),
            "200 executions, 100 per second (estimate: 1,200 in all, 10 seconds left), 0 B"
        );
        assert!(
            describe(&now, &Sample::default(), &Limits::default()).contains("(estimate: 1,200 in all, and growing)")
        );
        let vast = Sample { estimated_executions: 1e30, ..now };
        assert!(describe(&vast, &before, &Limits::default()).contains("1e30 in all"));
    }
}
