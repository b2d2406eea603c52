//! Counts that are kept while a search runs, at next to no cost. More expensive counts are kept only on
//! request ([`Lines`]).

use serde::{Deserialize, Serialize};

use super::sampling::StepSampler;
use crate::hash::FxHashMap;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::measures::{Choices, HotLine, Levels, ProgressSample, Share, Table};
use crate::store::{IndexMeasure, Interner, StateStore, States, TableMeasure};
use crate::system::ChoiceKind;

/// The maximal number of samples that are kept.
const SAMPLES: usize = 200;
/// Seconds between the first samples.
const FIRST_INTERVAL: f64 = 0.005;
/// The maximal number of levels, or groups of them, that are kept.
const LEVELS: usize = 256;
/// The maximal number of lines that are reported.
const LINES: usize = 20;

/// The counts of a worker of the explicit engine.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Meter {
    /// The choices: see [`crate::outcome::measures::Measures::choices`].
    pub choices: Choices,
    /// The number of steps that lead to a state.
    pub successors: u64,
    /// The number of steps that were not taken because they were asleep; `successors` includes them.
    pub asleep: u64,
    /// The number of states for each number of delayed stores.
    pub pending_stores: Vec<u64>,
    /// New states by the line of the step that reached them, if that is asked for.
    pub lines: Option<Lines>,
    /// A sample of the places of steps, for this run alone.
    #[serde(skip)]
    pub sampler: StepSampler,
}

impl Meter {
    /// Counts a state with so many delayed stores that is explored.
    #[inline]
    pub fn expands(&mut self, pending: usize) {
        if pending >= self.pending_stores.len() {
            self.pending_stores.resize(pending + 1, 0);
        }
        self.pending_stores[pending] += 1;
    }

    /// The sum of the counts of two workers.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        self.choices.add(other.choices);
        self.successors += other.successors;
        self.asleep += other.asleep;
        let len = self.pending_stores.len().max(other.pending_stores.len());
        self.pending_stores.resize(len, 0);
        self.sampler.add(other.sampler);
        self.pending_stores.iter_mut().zip(other.pending_stores).for_each(|(count, more)| *count += more);
        if let Some(lines) = other.lines {
            self.lines.get_or_insert_default().add(lines);
        }
        self
    }

    /// The number of states that were explored.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.pending_stores.iter().sum()
    }

    /// The number of steps that lead to a known state, if there are so many states.
    #[must_use]
    pub fn known_successors(&self, states: u64) -> u64 {
        self.successors.saturating_sub(states.saturating_sub(1))
    }

    /// The fraction of the steps to a state that lead to a known one, if there are so many states.
    #[must_use]
    pub fn matching_rate(&self, states: u64) -> f64 {
        if self.successors > 0 { self.known_successors(states) as f64 / self.successors as f64 } else { 0.0 }
    }
}

/// The memory of a search by purpose, and the load of its tables.
#[must_use]
pub fn memory<'s>(
    store: &StateStore,
    parts: impl Iterator<Item = &'s States> + Clone,
    components: &Interner,
) -> (Vec<Share>, Vec<Table>) {
    let all: Vec<_> = store.measure(parts.clone()).into_iter().chain([components.measure()]).collect();
    let bytes = parts.map(|part| part.parent_bytes() as u64).sum();
    let parents = Share { what: "parents".to_owned(), bytes };
    let shares = all.iter().flat_map(|table| {
        let index = Share { what: format!("index of {}", table.what), bytes: table.index.bytes as u64 };
        [Share { what: table.what.to_owned(), bytes: table.bytes as u64 }, index]
    });
    (shares.chain([parents]).collect(), all.iter().map(table).collect())
}

/// A table in the form for reports.
#[must_use]
pub fn table(measure: &TableMeasure) -> Table {
    let TableMeasure { what, index: IndexMeasure { entries, slots, mean_probes, longest_probe, .. }, .. } = *measure;
    Table {
        what: what.to_owned(),
        entries: entries as u64,
        slots: slots as u64,
        load: entries as f64 / slots as f64,
        mean_probes,
        longest_probe: longest_probe as u64,
    }
}

impl Choices {
    /// Counts a question that gets another answer.
    #[inline]
    pub fn count(&mut self, question: ChoiceKind) {
        *match question {
            ChoiceKind::Schedule => &mut self.schedule,
            ChoiceKind::Flush => &mut self.flush,
            ChoiceKind::Data | ChoiceKind::Input | ChoiceKind::Equality => &mut self.data,
        } += 1;
    }
}

impl Levels {
    /// The level of the initial state.
    #[must_use]
    pub fn initial() -> Self {
        let mut levels = Self::default();
        levels.push(0, 1);
        levels
    }

    /// Adds the next level with its number of states. If there are too many levels, neighbours are merged.
    pub fn push(&mut self, level: u64, states: u64) {
        if level / self.per_entry >= LEVELS as u64 {
            self.states = self.states.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.per_entry *= 2;
        }
        let at = usize::try_from(level / self.per_entry).expect("few entries");
        self.states.resize(self.states.len().max(at + 1), 0);
        self.states[at] += states;
    }
}

/// Samples over time. If there are too many, every second one is removed, and the interval of later ones
/// doubles.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Timeline {
    samples: Vec<ProgressSample>,
    interval: f64,
    due: f64,
}

impl Default for Timeline {
    fn default() -> Self {
        Self { samples: Vec::new(), interval: FIRST_INTERVAL, due: 0.0 }
    }
}

impl Timeline {
    /// Keeps a sample, if one is due.
    #[inline]
    pub fn notes(&mut self, sample: ProgressSample) {
        if sample.seconds >= self.due {
            self.keep(sample);
        }
    }

    fn keep(&mut self, sample: ProgressSample) {
        self.samples.push(sample);
        if self.samples.len() == SAMPLES {
            let mut at = 0;
            self.samples.retain(|_| {
                at += 1;
                at % 2 == 0
            });
            self.interval *= 2.0;
        }
        self.due = sample.seconds + self.interval;
    }

    /// All samples, with the last one.
    #[must_use]
    pub fn finish(mut self, last: ProgressSample) -> Vec<ProgressSample> {
        self.samples.push(last);
        self.samples
    }
}

/// Counts by place in the program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Counts", into = "Counts")]
pub struct Lines {
    counts: FxHashMap<(FuncId, Pc), u64>,
}

/// The list form of [`Lines`].
type Counts = Vec<((FuncId, Pc), u64)>;

impl From<Counts> for Lines {
    fn from(counts: Counts) -> Self {
        Self { counts: counts.into_iter().collect() }
    }
}

impl From<Lines> for Counts {
    fn from(lines: Lines) -> Self {
        lines.counts.into_iter().collect()
    }
}

impl Lines {
    /// Counts one for a place.
    pub fn count(&mut self, place: (FuncId, Pc)) {
        *self.counts.entry(place).or_default() += 1;
    }

    /// Adds the counts of another worker.
    pub fn add(&mut self, other: Self) {
        for (place, count) in other.counts {
            *self.counts.entry(place).or_default() += count;
        }
    }

    /// The lines with the highest counts, highest first.
    #[must_use]
    pub fn hottest(&self, program: &Program) -> Vec<HotLine> {
        let mut lines = FxHashMap::default();
        for (&(function, pc), &count) in &self.counts {
            let place = program.first_place(&[(function, pc)]);
            *lines.entry((place.file, place.line)).or_default() += count;
        }
        let mut lines: Vec<((String, u32), u64)> = lines.into_iter().collect();
        lines.sort_by(|(place, count), (other_place, other)| other.cmp(count).then_with(|| place.cmp(other_place)));
        lines.truncate(LINES);
        let line = |((file, line), count)| HotLine { place: crate::outcome::Place { file, line }, count };
        lines.into_iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_taken_together_and_none_is_lost() {
        let mut levels = Levels::default();
        (0..1000).for_each(|level| levels.push(level, level));
        assert_eq!((levels.per_entry, levels.states.len()), (4, 250));
        assert_eq!(levels.states[1], 4 + 5 + 6 + 7);
        assert_eq!(levels.states.iter().sum::<u64>(), (0..1000).sum::<u64>());
    }

    #[test]
    fn samples_are_bounded_and_at_equal_distances() {
        let mut timeline = Timeline::default();
        for tick in 0..100_000 {
            let seconds = f64::from(tick) * 0.001;
            timeline.notes(ProgressSample { seconds, ..ProgressSample::default() });
        }
        let samples = timeline.finish(ProgressSample { seconds: 100.0, ..ProgressSample::default() });
        assert!((SAMPLES / 2..=SAMPLES).contains(&samples.len()), "{}", samples.len());
        let distances: Vec<_> = samples.windows(2).map(|pair| pair[1].seconds - pair[0].seconds).collect();
        let (last, others) = distances.split_last().expect("many");
        assert!(others.iter().all(|distance| (distance / others[1] - 1.0).abs() < 0.1), "{others:?}");
        assert!(*last > 0.0);
    }
}
