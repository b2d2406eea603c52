//! Robustness under TSO from sequentially consistent executions: the monitor of store buffers
//! ([`rmc_runtime::monitor`]; Burckhardt and Musuvathi, *Effective Program Verification for Relaxed Memory
//! Models*, CAV 2008, figures 2 and 3) watches each execution that the engine explores.
//!
//! The engine explores executions of the TSO machine in which every step waits until the stores of its thread
//! are in memory. A step loads at most once, at its beginning, and its stores reach memory one by one. So these
//! are the sequentially consistent executions. If a program is not robust, one of them has a borderline load,
//! whatever happens after it. Of loops that wait, two idle rounds of each thread are explored
//! (`robustness/mod.rs`). That is enough here, too: the cycle of a borderline load has at most two operations of
//! each thread. Idle rounds without one of them can be removed, and the load stays borderline, since then
//! fewer accesses come before the load in the relaxed sense, and the path around it is still there.
//!
//! A borderline load is reported only after an execution in which it overtakes the store was run on the TSO
//! machine, and a cycle was found in its conflict graph (`overtaking.rs`). So no report is false.
//!
//! # Accesses
//!
//! * A step that needs an empty buffer under TSO is a full fence that reads and writes all its ranges at one
//!   moment. So is one that writes memory at once while no store of its thread since the last fence can be
//!   in the buffer.
//! * Any other step loads its ranges at one moment.
//! * Things without an address (threads, the existence of objects, queues) are ranges of their own, as in the
//!   conflict graph. The step that creates a thread precedes the thread.
//!
//! # Where executions under TSO are explored instead
//!
//! This file decides it ([`Reason`]). Before the search:
//!
//! * the model is not TSO (there is nothing to do under SC; the monitor knows no PSO);
//! * all cycles are wanted (`--keep-going`): the monitor says that there is one;
//! * leaks are looked for, since then processes end at every moment, and stores are in buffers there;
//! * the program has assumptions. An execution in which one fails does not count. The load may be borderline
//!   in an execution that does not count and be in one that does under TSO, or the other way round.
//!
//! At the end of an execution, which is mostly the first:
//!
//! * a copy in pieces: its loads and stores are in no order, and the paper's program order is total;
//! * an atomic section of several steps, as where it waits for a lock. One of a single step is a fence that
//!   reads and writes all its ranges;
//! * memory that is changed at once behind buffered stores, as by the end of a local variable that other
//!   threads know. The stores can be delayed past it, and it is not a load;
//! * operations that commute, as arrivals at a barrier: the monitor would put them in order;
//! * names of heap objects, or numbers of threads, that several threads take and free: two who take one are in
//!   no order;
//! * a store to memory that is gone, or a load of what the same step stored;
//! * a borderline load for which no execution under TSO was found.
//!
//! Tests: `tests/tests/sequential.rs`.

use rmc_runtime::Model;
use rmc_runtime::monitor::{ByteRange, Monitor};

use crate::engine::Limits;
use crate::engine::stateless::event::{Event, EventKind, StepEvent};
use crate::engine::stateless::execution::Execution;
use crate::hash::FxHashMap;
use crate::ir::Program;
use crate::system::{Config, FootprintEntry, Leaks, library};

/// A reason for which executions under TSO are explored. The header of the file has their explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Nobody asked for it (`--no-monitor`).
    NotAsked,
    /// The model is not TSO.
    Model,
    /// All cycles are wanted.
    AllCycles,
    /// Leaks are looked for.
    Leaks,
    /// The program has assumptions.
    Assumptions,
    /// A copy was made in pieces.
    Copy,
    /// There was an atomic section of several steps.
    Section,
    /// Memory was changed at once while older stores of the thread may be in its buffer.
    AtOnce,
    /// There were operations that commute.
    Commuting,
    /// Several threads took or freed names of one kind.
    Names,
    /// A store reached no memory.
    LostStore,
    /// A step loaded what it had stored.
    OwnStore,
    /// A load is borderline, and no execution under TSO was found in which it overtakes the store.
    Unconfirmed,
}

impl Reason {
    /// The reason in words.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::NotAsked => "not asked for",
            Self::Model => "the model is not tso",
            Self::AllCycles => "all cycles are wanted",
            Self::Leaks => "leaks are looked for",
            Self::Assumptions => "the program has assumptions",
            Self::Copy => "a copy is made in pieces",
            Self::Section => "there is an atomic section of several steps",
            Self::AtOnce => "memory is changed at once behind delayed stores",
            Self::Commuting => "operations commute",
            Self::Names => "several threads take or free names of one kind",
            Self::LostStore => "a store reaches no memory",
            Self::OwnStore => "a step loads what it stored",
            Self::Unconfirmed => "a borderline load was not confirmed",
        }
    }
}

/// The reason to explore executions under TSO that is known before the search, if there is one.
#[must_use]
pub fn reason_before(program: &Program, config: &Config, limits: &Limits) -> Option<Reason> {
    match () {
        () if config.model() != Model::Tso => Some(Reason::Model),
        () if limits.keep_going => Some(Reason::AllCycles),
        () if config.leaks != Leaks::Ignored => Some(Reason::Leaks),
        () if library::may_assume(program) => Some(Reason::Assumptions),
        () => None,
    }
}

/// A load that may overtake a store under TSO: the positions of the load's step and of the store's update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overtaking {
    /// The position of the step that loads.
    pub load: usize,
    /// The position of the event by which the store that it would miss reached memory.
    pub missed: usize,
}

/// The borderline loads of a sequentially consistent execution, in its order.
///
/// # Errors
/// The reason for which the monitor cannot say.
pub fn borderline_loads(execution: &Execution) -> Result<Vec<Overtaking>, Reason> {
    let mut watched = Watched::default();
    for at in 0..execution.len() {
        let event = execution.event(at);
        match &event.kind {
            EventKind::Update(update) if update.copy != 0 => return Err(Reason::Copy),
            EventKind::Update(update) if update.lost => return Err(Reason::LostStore),
            EventKind::Update(_) => watched.monitor.store(event.action.thread, bytes(&event.footprint[0]), at as u64),
            EventKind::Step(step) => watched.step(event, step, at)?,
        }
    }
    Ok(watched.found)
}

#[derive(Default)]
struct Watched {
    monitor: Monitor,
    found: Vec<Overtaking>,
    /// For each thread, true if it stored since it last had an empty buffer.
    has_stored: Vec<bool>,
    /// For each kind of names, the thread that takes and frees them.
    namers: FxHashMap<u32, usize>,
}

impl Watched {
    fn step(&mut self, event: &Event, step: &StepEvent, at: usize) -> Result<(), Reason> {
        let thread = event.action.thread;
        if step.in_section {
            return Err(Reason::Section);
        }
        let touches: Vec<_> = event.footprint.iter().filter(|touch| !touch.hypothetical).collect();
        self.check(step, thread, &touches)?;
        let ranges: Vec<_> = touches.iter().filter(|touch| !touch.is_names() && touch.created().is_none()).collect();
        if self.has_stored.len() <= thread {
            self.has_stored.resize(thread + 1, false);
        }
        let writes = ranges.iter().any(|touch| touch.write);
        // What is done at one moment is told range by range. After the first round the thread knows all that
        // comes before some range, and in the second all ranges come after that.
        let rounds = ranges.len().min(2);
        if step.is_fence || writes {
            if ranges.is_empty() {
                self.monitor.fence(thread, at as u64);
            }
            for touch in (0..rounds).flat_map(|_| &ranges) {
                if touch.write {
                    self.monitor.update(thread, bytes(touch), at as u64);
                } else {
                    self.monitor.failed_update(thread, bytes(touch), at as u64);
                }
            }
            self.has_stored[thread] = false;
        } else {
            for (number, touch) in (0..rounds).flat_map(|_| &ranges).enumerate() {
                let missed = self.monitor.load(thread, bytes(touch), at as u64);
                if number < ranges.len() {
                    let missed = missed.into_iter().map(|it| Overtaking { load: at, missed: position(it.missed.site) });
                    self.found.extend(missed);
                }
            }
        }
        for created in touches.iter().filter_map(|touch| touch.created()) {
            self.monitor.create(thread, created, at as u64);
        }
        self.has_stored[thread] |= !step.pushed.is_empty();
        Ok(())
    }

    fn check(&mut self, step: &StepEvent, thread: usize, touches: &[&FootprintEntry]) -> Result<(), Reason> {
        let stored = self.has_stored.get(thread).copied().unwrap_or(false) && !step.is_fence;
        for touch in touches {
            if touch.piece.is_some() {
                return Err(Reason::Copy);
            }
            if touch.is_names() {
                if *self.namers.entry(touch.object).or_insert(thread) != thread {
                    return Err(Reason::Names);
                }
                continue;
            }
            if touch.commuting.is_some() {
                return Err(Reason::Commuting);
            }
            let is_behind = touch.own.is_some_and(|own| own > step.pushed.start);
            if touch.write && (stored || is_behind) {
                return Err(Reason::AtOnce);
            }
            if !touch.write && touch.own.is_some_and(|own| own >= step.pushed.start) {
                return Err(Reason::OwnStore);
            }
        }
        Ok(())
    }
}

fn bytes(touch: &FootprintEntry) -> ByteRange {
    ByteRange { address: u64::from(touch.object) << 32 | u64::from(touch.offset), len: touch.len.into() }
}

fn position(site: u64) -> usize {
    usize::try_from(site).expect("a site is a position in an execution")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::stateless::test_events::{fence, push, read, update, write};
    use std::rc::Rc;

    const X: u32 = 1;
    const Y: u32 = 2;

    fn borderline(events: Vec<Event>) -> Result<Vec<(usize, usize)>, Reason> {
        let mut execution = Execution::new(true);
        events.into_iter().for_each(|event| execution.push(Rc::new(event)));
        let found = borderline_loads(&execution)?;
        Ok(found.into_iter().map(|it| (it.load, it.missed)).collect())
    }

    fn full_fence(thread: usize) -> Event {
        let mut event = fence(thread);
        if let EventKind::Step(step) = &mut event.kind {
            step.is_fence = true;
        }
        event
    }

    /// A thread that stores to one object and loads another one, with a fence between or without.
    fn half(thread: usize, [stored, loaded]: [u32; 2], is_fenced: bool) -> Vec<Event> {
        let between = is_fenced.then(|| full_fence(thread));
        let begin = [push(thread, 0..1), update(thread, 0, stored)].into_iter().chain(between);
        begin.chain([read(thread, loaded)]).collect()
    }

    #[test]
    fn a_load_may_miss_a_store_unless_both_threads_have_fences() {
        for (fences, expected) in
            [([false, false], vec![(5, 1)]), ([false, true], vec![(6, 1)]), ([true, true], vec![])]
        {
            let events = [half(0, [X, Y], fences[0]), half(1, [Y, X], fences[1])].concat();
            assert_eq!(borderline(events), Ok(expected), "{fences:?}");
        }
        assert_eq!(borderline([half(0, [X, Y], true), half(1, [Y, X], false)].concat()), Ok(vec![(6, 1)]));
    }

    #[test]
    fn memory_is_changed_at_once_only_before_the_stores_of_its_thread() {
        assert_eq!(borderline(vec![write(0, X), push(0, 0..1), update(0, 0, Y)]), Ok(vec![]));
        assert_eq!(borderline(vec![push(0, 0..1), update(0, 0, Y), write(0, X)]), Err(Reason::AtOnce));
        assert_eq!(borderline(vec![push(0, 0..1), update(0, 0, Y), full_fence(0), write(0, X)]), Ok(vec![]));
        assert_eq!(borderline(vec![push(0, 0..1), update(0, 0, Y), write(1, X)]), Ok(vec![]));
    }

    #[test]
    fn a_step_that_loads_two_objects_loads_them_at_one_moment() {
        // Thread 1 reads the new Y and the old X. So thread 0's store to Y comes before thread 2's store to X,
        // which the load of thread 2 may overtake.
        let stores = |thread, object| [push(thread, 0..1), update(thread, 0, object)];
        for [first, second] in [[X, Y], [Y, X]] {
            let mut both = read(1, first);
            both.footprint.push(FootprintEntry::range(second, 0, 8, false));
            let events = [&stores(0, Y)[..], &[both], &stores(2, X), &[read(2, Y)]].concat();
            assert_eq!(borderline(events), Ok(vec![(5, 1)]), "{first} is told first");
        }
    }
}
