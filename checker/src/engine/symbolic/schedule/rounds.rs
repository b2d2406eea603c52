//! Rounds: which thread executes which of its events when.
//!
//! Source of the idea: O. Inverso, E. Tomasco, B. Fischer, S. La Torre, G. Parlato, "Bounded Model Checking
//! of Multi-threaded C Programs via Lazy Sequentialization", CAV 2014. In each round every thread, in a
//! fixed order, executes a possibly empty piece of its events.
//!
//! The paper transforms the program, which is then unwound once per round. Here the events exist once: the
//! variable `done` of a round and a unit of a thread says that the unit was executed before the end of the
//! round. It is monotone in both.
//!
//! A unit is a visible event with the invisible ones after it. Invisible events neither read what others
//! write nor write what others read, and never wait, so they may come right after the visible event before
//! them; a thread that can execute that one can execute them too. For the same reason those before the
//! first visible event come before everything else. (A full fence waits for its thread's buffer. It counts
//! as invisible because the clock of the next visible event accounts for it: `memory/times.rs`.)
//!
//! A glued event keeps the other threads from running until the next event of its thread that is not passed
//! over, for ever if there is none. Both are visible, so that they have units. A piece may end between the
//! two, but then no piece follows: an execution may end anywhere.
//!
//! Two reductions:
//!
//! * An interleaving needs a round more only where a step of a thread is followed by a step of a thread
//!   with a lower number. The former is not of the first thread and the latter is not of the last one, so
//!   the rounds are at most 1 more than the units without the first thread's, or without the last one's.
//! * An interleaving can be cut into rounds in many ways. Only those are kept in which the piece of a
//!   thread in a round is not directly after its piece in the round before, as when nobody executes
//!   anything between: the two pieces could be one. Cutting only where a lower number follows gives such
//!   rounds.

use rmc_formula::TermId;

use super::access::Access;
use super::events::Bounds;
use super::formula::Formula;

/// The rounds of all threads.
#[derive(Clone, Debug)]
pub struct Rounds {
    /// The unit of each event; `None` of those before the first visible event of the thread.
    units: Vec<Vec<Option<usize>>>,
    /// For each round, thread and unit: it was executed before the end of the round.
    done: Vec<Vec<Vec<TermId>>>,
    /// For each round, thread and unit: it is executed in the round.
    within: Vec<Vec<Vec<TermId>>>,
}

impl Rounds {
    /// The rounds of threads with these accesses.
    pub fn new(f: &mut Formula, accesses: &[Vec<Access>], bounds: Bounds) -> Self {
        let units: Vec<Vec<Option<usize>>> = accesses.iter().map(|thread| units(thread)).collect();
        let lengths: Vec<usize> = accesses.iter().map(|thread| visible(thread)).collect();
        let count = useful_rounds(&lengths).min(bounds.rounds.max(1) as usize);
        let mut rounds = Self { units, done: Vec::new(), within: Vec::new() };
        for round in 0..count {
            let done: Vec<Vec<TermId>> =
                lengths.iter().map(|&length| (0..length).map(|_| f.fresh(1)).collect()).collect();
            rounds.done.push(done);
            rounds.assert_monotone(f, round);
            let within = (0..lengths.len()).map(|thread| rounds.executed_within(f, round, thread)).collect();
            rounds.within.push(within);
        }
        let active = rounds.active(f);
        rounds.assert_canonical(f, &active);
        rounds.assert_glued(f, accesses, &active);
        rounds
    }

    /// The number of rounds.
    pub fn count(&self) -> usize {
        self.done.len()
    }

    /// The condition under which an event is executed in a round; `None` if it is executed before the first.
    pub fn within(&self, round: usize, thread: usize, event: usize) -> Option<TermId> {
        self.units[thread][event].map(|unit| self.within[round][thread][unit])
    }

    /// For each event of each thread: the execution is past it at its end.
    pub fn executed(&self, f: &mut Formula) -> Vec<Vec<TermId>> {
        let last = self.done.last().expect("a round");
        let yes = f.terms.boolean(true);
        let of = |(units, done): (&Vec<Option<usize>>, &Vec<TermId>)| {
            units.iter().map(|unit| unit.map_or(yes, |unit| done[unit])).collect()
        };
        self.units.iter().zip(last).map(of).collect()
    }

    fn assert_monotone(&self, f: &mut Formula, round: usize) {
        for (thread, done) in self.done[round].iter().enumerate() {
            for (unit, &one) in done.iter().enumerate() {
                if let Some(&later) = done.get(unit + 1) {
                    f.assert_implied(&[later], one);
                }
                if round > 0 {
                    f.assert_implied(&[self.done[round - 1][thread][unit]], one);
                }
            }
        }
    }

    fn executed_within(&self, f: &mut Formula, round: usize, thread: usize) -> Vec<TermId> {
        let done = &self.done[round][thread];
        let Some(before) = round.checked_sub(1).map(|before| &self.done[before][thread]) else { return done.clone() };
        let mut within = Vec::new();
        for (&done, &before) in done.iter().zip(before) {
            let is_new = f.terms.not(before);
            within.push(f.terms.and(done, is_new));
        }
        within
    }

    /// For each round and thread: the piece is not empty.
    fn active(&self, f: &mut Formula) -> Vec<Vec<TermId>> {
        let mut active: Vec<Vec<TermId>> = Vec::new();
        for threads in &self.within {
            active.push(threads.iter().map(|within| f.any(within)).collect());
        }
        active
    }

    /// Demands that nothing follows a piece that ends after a glued event.
    fn assert_glued(&self, f: &mut Formula, accesses: &[Vec<Access>], active: &[Vec<TermId>]) {
        let visible = |thread: &Vec<Access>| {
            let visible = thread.iter().filter(|access| access.is_visible);
            visible.map(|access| access.follows_glue).collect()
        };
        let glued: Vec<Vec<TermId>> = accesses.iter().map(visible).collect();
        let ends_glued: Vec<TermId> = accesses.iter().map(|thread| ends_glued(f, thread)).collect();
        let mut is_over = f.terms.boolean(false);
        for (round, threads) in self.done.iter().enumerate() {
            for (thread, done) in threads.iter().enumerate() {
                let is_free = f.terms.not(is_over);
                f.assert_implied(&[active[round][thread]], is_free);
                for (unit, &is_glued) in glued[thread].iter().enumerate().skip(1) {
                    let is_next = f.terms.not(done[unit]);
                    let is_within = f.all(&[is_glued, done[unit - 1], is_next]);
                    is_over = f.terms.or(is_over, is_within);
                }
                if let Some(&last) = done.last() {
                    let is_at_end = f.terms.and(ends_glued[thread], last);
                    is_over = f.terms.or(is_over, is_at_end);
                }
            }
        }
    }

    /// Demands that a piece is not directly after the thread's piece in the round before.
    fn assert_canonical(&self, f: &mut Formula, active: &[Vec<TermId>]) {
        for round in 1..self.count() {
            for thread in 0..self.units.len() {
                let between = [&active[round - 1][thread + 1..], &active[round][..thread]].concat();
                let between = f.any(&between);
                f.assert_implied(&[active[round][thread]], between);
            }
        }
    }
}

/// The condition under which the last event that is not passed over is glued.
fn ends_glued(f: &mut Formula, thread: &[Access]) -> TermId {
    let Some(last) = thread.last() else { return f.terms.boolean(false) };
    let is_glued = f.terms.boolean(last.is_glued);
    f.terms.ite(last.guard, is_glued, last.follows_glue)
}

/// The number of visible events.
fn visible(thread: &[Access]) -> usize {
    thread.iter().filter(|access| access.is_visible).count()
}

/// The unit of each event.
fn units(thread: &[Access]) -> Vec<Option<usize>> {
    (0..thread.len()).map(|event| visible(&thread[..=event]).checked_sub(1)).collect()
}

/// The number of rounds that threads of these lengths need at most.
fn useful_rounds(lengths: &[usize]) -> usize {
    let (Some((_, but_first)), Some((_, but_last))) = (lengths.split_first(), lengths.split_last()) else { return 1 };
    1 + but_first.iter().sum::<usize>().min(but_last.iter().sum())
}
