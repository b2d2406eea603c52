//! Charts of the measurements of a run.

use indicatif::HumanBytes;
use maud::{Markup, html};

use super::Sources;
use super::graph::{Bar, line, listed, lying, standing};
use crate::engine::capabilities::Unit;
use crate::outcome::Statistics;
use crate::outcome::measures::{HotLine, Measures, ProgressSample};

/// The number of characters of a source line that are shown.
const SOURCE: usize = 100;

/// All charts for which there is data.
pub fn charts(statistics: &Statistics, unit: Unit, sources: &Sources) -> Markup {
    let measures = &statistics.measures;
    let is_stateless = unit == Unit::Executions;
    html! {
        div.charts {
            @if is_stateless { (executions(statistics)) } @else { (states(measures)) }
            (choices(measures))
            (bytes(statistics))
            (lines(&measures.lines, is_stateless, sources))
        }
    }
}

/// The speed per second between consecutive samples.
fn rates(samples: &[ProgressSample], done: impl Fn(&ProgressSample) -> u64) -> Vec<(f64, f64)> {
    let start = ProgressSample::default();
    let before = std::iter::once(&start).chain(samples);
    let rate = |(before, now): (&ProgressSample, &ProgressSample)| {
        let (seconds, count) = (now.seconds - before.seconds, done(now).saturating_sub(done(before)));
        (now.seconds, count as f64 / seconds.max(1e-9))
    };
    let mut rates: Vec<_> = before.zip(samples).map(rate).collect();
    // The last sample is taken when the run ends. It may be too close to the one before for a meaningful
    // speed.
    if let [.., first, second, last] = samples
        && last.seconds - second.seconds < (second.seconds - first.seconds) / 2.0
    {
        rates.pop();
    }
    rates
}

fn states(measures: &Measures) -> Markup {
    let samples = &measures.samples;
    let levels = &measures.levels;
    let level = |at: usize| match (at as u64 * levels.per_entry, levels.per_entry) {
        (first, 1) => first.to_string(),
        (first, each) => format!("{first}..{}", first + each - 1),
    };
    let frontier: Vec<_> = samples.iter().map(|sample| (sample.seconds, sample.frontier as f64)).collect();
    html! {
        @if samples.len() > 2 {
            (line("New states per second", &rates(samples, |sample| sample.states), "seconds since the start"))
            (line("States waiting to be explored", &frontier, "seconds since the start"))
        }
        (standing("States by distance from the start", &levels.states, level, "steps from the start"))
        @if !measures.preemptions.is_empty() {
            (standing("States by preemptions", &measures.preemptions, |at| at.to_string(), "preemptions, at least"))
        }
        (standing("States by delayed stores", &measures.pending_stores, |at| at.to_string(), "delayed stores in the state"))
    }
}

fn executions(statistics: &Statistics) -> Markup {
    let samples = &statistics.measures.samples;
    let estimates: Vec<_> = samples.iter().map(|sample| (sample.seconds, sample.estimated_executions)).collect();
    let kinds = [
        ("to the end of the process", statistics.executions),
        ("deadlocks", statistics.deadlocked_executions),
        ("blocked in waiting loops", statistics.await_blocked_executions),
        ("endless loops", statistics.endless_executions),
        ("cut off by --unroll", statistics.bound_blocked_executions),
        ("ended by assumptions", statistics.assumption_blocked_executions),
        ("redundant", statistics.sleep_blocked_executions),
    ];
    let kinds: Vec<_> = kinds.into_iter().filter(|(_, count)| *count > 0).collect();
    let kinds: Vec<_> = kinds.into_iter().map(|(name, count)| Bar::count(name, count)).collect();
    html! {
        @if samples.len() > 2 {
            (line("Executions per second", &rates(samples, |sample| sample.executions), "seconds since the start"))
            (line("How many executions were expected", &estimates, "seconds since the start; an estimate"))
        }
        (lying("How executions ended", &kinds))
    }
}

fn choices(measures: &Measures) -> Markup {
    let choices = measures.choices;
    lying(
        "What there was to decide: alternatives beyond the first",
        &[
            Bar::count("which thread goes on", choices.schedule),
            Bar::count("when stores reach memory", choices.flush),
            Bar::count("which value an input has", choices.data),
        ],
    )
}

fn bytes(statistics: &Statistics) -> Markup {
    let states = statistics.states;
    let bar = |what: &str, bytes: u64| Bar {
        name: what.to_owned(),
        value: bytes as f64,
        shown: match states {
            0 => HumanBytes(bytes).to_string(),
            _ => format!("{} ({:.1} a state)", HumanBytes(bytes), bytes as f64 / states as f64),
        },
    };
    let bars: Vec<_> = statistics.measures.bytes.iter().map(|share| bar(&share.what, share.bytes)).collect();
    lying("What memory went to", &bars)
}

fn lines(lines: &[HotLine], is_stateless: bool, sources: &Sources) -> Markup {
    let title = if is_stateless { "Lines with most events" } else { "Lines that lead to most new states" };
    let rows: Vec<_> = lines.iter().map(|line| row(line, sources)).collect();
    html! { @if !rows.is_empty() { (listed(title, &rows)) } }
}

fn row(line: &HotLine, sources: &Sources) -> (String, u64, String) {
    let HotLine { place, count } = line;
    if place.line == 0 {
        return ("no line is known".to_owned(), *count, String::new());
    }
    let text = sources.get(&place.file).and_then(|text| text.lines().nth((place.line as usize).checked_sub(1)?));
    let name = format!("{}:{}", place.file.rsplit('/').next().unwrap_or_default(), place.line);
    (name, *count, text.map_or("", str::trim).chars().take(SOURCE).collect())
}
