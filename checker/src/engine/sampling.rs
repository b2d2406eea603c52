//! The places of most of the work of a search, from a sample of its steps by their place in the program.
//!
//! The first steps are all counted, later ones at intervals with more weight, so the cost is next to nothing.
//! Reports name the hottest place of a search that was stopped or bounded, since there the program can be
//! made smaller.

use super::coverage::loop_around;
use crate::hash::FxHashMap;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::instr::{Instr, IntOp};
use crate::ir::program::Function;
use crate::outcome::hottest::{Hottest, Work};
use crate::outcome::{Outcome, Place, Unknown, Verdict};

/// The number of steps that are all counted.
const ALL: u64 = 1 << 10;
/// The interval at which later steps are counted.
const EVERY: u64 = 1 << 8;

/// A loop with at least one in so many of all steps ranks before lines in no loop.
const LOOP_SHARE: u64 = 5;

/// A sample so far.
#[derive(Clone, Debug, Default)]
pub struct StepSampler {
    seen: u64,
    counts: FxHashMap<(FuncId, Pc), u64>,
}

impl StepSampler {
    /// Counts a step and returns its weight: the number of steps for which it stands in the sample, or 0 if
    /// it is not sampled.
    #[inline]
    pub fn weight(&mut self) -> u64 {
        self.seen += 1;
        match self.seen {
            seen if seen <= ALL => 1,
            seen if seen.is_multiple_of(EVERY) => EVERY,
            _ => 0,
        }
    }

    /// Counts steps from a place.
    pub fn count(&mut self, place: (FuncId, Pc), steps: u64) {
        *self.counts.entry(place).or_default() += steps;
    }

    /// Adds the sample of another worker.
    pub fn add(&mut self, other: Self) {
        self.seen += other.seen;
        other.counts.into_iter().for_each(|(place, steps)| self.count(place, steps));
    }

    /// The loop or line in which most steps were taken, and advice for a search that ends for this `reason`.
    /// The result is `None` if no counted step has a line.
    #[must_use]
    pub fn hottest(&self, program: &Program, reason: Unknown) -> Option<Hottest> {
        let mut sums: FxHashMap<(FuncId, Option<Pc>, Place), u64> = FxHashMap::default();
        for (&(function, pc), &steps) in &self.counts {
            let begin = loop_around(program.function(function), pc);
            let place =
                begin.map_or_else(|| program.first_place(&[(function, pc)]), |at| line_of(program, function, at));
            if place.line > 0 && steps > 0 {
                *sums.entry((function, begin, place)).or_default() += steps;
            }
        }
        let all: u64 = self.counts.values().sum();
        // A thread that only waits for its turn has as many steps as a loop that makes ever new states.
        let is_heavy_loop = |begin: Option<Pc>, steps: u64| begin.is_some() && steps >= all / LOOP_SHARE;
        let most = sums.into_iter().max_by(|((f, at, place), steps), ((other_f, other_at, other_place), other)| {
            let (one, two) = ((other_f, other_at, &other_place.file), (f, at, &place.file));
            let loops = is_heavy_loop(*at, *steps).cmp(&is_heavy_loop(*other_at, *other));
            loops.then(steps.cmp(other)).then_with(|| one.cmp(&two))
        });
        let ((id, begin, place), count) = most?;
        let function = program.function(id);
        let work = begin.map_or(Work::Line, |begin| kind_of_loop(function, begin));
        Some(Hottest { place, function: function.shown_name(), work, count, of: all, advice: work.advice(reason) })
    }
}

impl Outcome {
    /// The outcome with the place of most of the work, if nothing is claimed.
    #[must_use]
    pub fn with_work(self, program: &Program, sampler: &StepSampler) -> Self {
        let hottest = match self.verdict {
            Verdict::Unknown(reason) => sampler.hottest(program, reason),
            Verdict::Holds | Verdict::Violated => None,
        };
        Self { hottest, ..self }
    }
}

/// The first line of the code from an instruction on.
fn line_of(program: &Program, function: FuncId, begin: Pc) -> Place {
    let end = program.function(function).code.len();
    let places = (begin.index()..end).map(|at| program.first_place(&[(function, Pc::new(at))]));
    places.into_iter().find(|place| place.line > 0).unwrap_or_default()
}

/// The kind of a loop, from its instructions.
fn kind_of_loop(function: &Function, begin: Pc) -> Work {
    let goes_to = |instr: &Instr| function.edges_of(instr).into_iter().map(|edge| function.edge(edge).target.index());
    let jumps_back = |at: &usize| goes_to(&function.code[*at]).any(|target| target == begin.index());
    let end = (begin.index()..function.code.len()).rev().find(jumps_back).unwrap_or(begin.index());
    let body = &function.code[begin.index()..=end];
    let leaves = |instr: &Instr| {
        matches!(instr, Instr::Return { .. } | Instr::Unreachable | Instr::Call { .. } | Instr::CallIndirect { .. })
            || goes_to(instr).any(|target| target < begin.index() || target > end)
    };
    let counts = |instr: &Instr| matches!(instr, Instr::Int { op: IntOp::Add | IntOp::Sub, .. });
    let looks =
        |instr: &Instr| matches!(instr, Instr::Load { .. } | Instr::CompareExchange { .. } | Instr::Library { .. });
    let stores = |instr: &Instr| {
        matches!(instr, Instr::Store { .. } | Instr::ReadModifyWrite { .. } | Instr::Call { .. } | Instr::Copy { .. })
    };
    match () {
        () if !body.iter().any(leaves) => Work::EndlessLoop,
        () if body.iter().any(looks) && body.iter().any(counts) && !body.iter().any(stores) => Work::CountingWait,
        () => Work::Loop,
    }
}
