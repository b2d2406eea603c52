//! Search in order of preemptions: Musuvathi and Qadeer, *Iterative Context Bounding for Systematic Testing
//! of Multithreaded Programs*, PLDI 2007, Algorithm 1.
//!
//! A *preemption* is a switch from a thread that could go on. A thread can go on in a state if one of its
//! steps from there is neither blocked nor a spurious wakeup. Stores reach memory within steps, so that is no
//! switch. A thread that goes round in a loop that waits can go on; one that waits for a lock cannot.
//!
//! A stored state is a state of the program and the thread that took the last step, the *running* thread
//! (the last word of its vector). Its steps cost no preemption if the running thread takes them, or if that
//! thread cannot go on. All others cost one. The paper tells no states apart; here a state is stored once, at
//! its least cost.
//!
//! Layer p has the stored states that are first reached with p preemptions, and level d of a layer those at
//! d steps. Levels are explored in lexicographic order of p and d. From level (p, d) steps without cost are
//! taken. From level (p - 1, d), which was explored before, those that cost a preemption are taken now. Both
//! lead to states of level (p, d + 1). All steps to that level are taken at this moment, and all smaller
//! levels are complete. So each state is found at the least pair of preemptions and steps, and the parents of
//! a state are an execution with so many.
//!
//! # Reductions
//!
//! * `dead` only makes states equal.
//! * `paths`, `stores` and `private` let operations that no other thread can notice follow their predecessor
//!   at once. Take an execution, and move such an operation to the left, over steps of other threads, behind
//!   its predecessor. It neither enables nor disables steps of others, so they can go on where they could.
//!   Blocks of steps of one thread do not become more: a block can only become shorter, or empty, and its
//!   neighbours meet where there were two switches. The first of these was a preemption if the one that is
//!   left is. So each execution has one with no more preemptions in the reduced search, which itself is an
//!   execution of the program.
//! * `guarded` moves unlocks, which enable steps of others. `sleep` takes one of two orders, which may be the
//!   one with more preemptions. `symmetry` exchanges threads, and `main` joins late. With `inputs` and
//!   `subsumption` a step may be blocked for some values only. These are switched off ([`UNSOUND`]).
//!
//! Deadlocks are looked for in a state when its layer is explored, with the steps of all threads. Every state
//! from which only idle steps lead is looked at closely, since its successors may belong to another layer.
//!
//! Tests: below; `tests/tests/preemptions.rs` compares with an enumeration on the textbook machine.

use std::ops::Range;

use super::expand::SuccessorSummary;
use super::shared::SharedFindings;
use super::steps::{End, Source};
use super::worker::Worker;
use crate::engine::explicit::parallel::lock;
use crate::engine::{Limits, SearchOrder, memo};
use crate::store::{Id, Name};
use crate::system::{Reduction, Reductions};

/// The reductions that are not sound in this order.
pub const UNSOUND: Reductions = Reductions::NONE
    .with(Reduction::Guarded)
    .with(Reduction::Sleep)
    .with(Reduction::Symmetry)
    .with(Reduction::Inputs)
    .with(Reduction::Subsumption);

/// The layers of a search, as all workers know them.
#[derive(Debug)]
pub(super) struct Layers {
    /// The number of states of each layer; the last one is being explored.
    pub states: Vec<u64>,
    /// The number of the last level of the layer before this one, and of this one.
    last_levels: [u64; 2],
    /// The number of the last level of all layers.
    pub deepest: u64,
    bound: Option<u32>,
    /// True if the bound kept a step from being taken.
    pub is_cut: bool,
}

impl Layers {
    /// The first layer, with the initial state; `None` if the search is in order of steps.
    pub fn new(limits: &Limits) -> Option<Self> {
        (limits.order == SearchOrder::Preemptions).then(|| Self {
            states: vec![1],
            last_levels: [0; 2],
            deepest: 0,
            bound: limits.context_bound,
            is_cut: false,
        })
    }

    /// The number of preemptions of the layer that is being explored.
    pub fn number(&self) -> u32 {
        self.states.len() as u32 - 1
    }

    /// True if no layer follows this one.
    pub fn is_last(&self) -> bool {
        self.bound == Some(self.number())
    }

    /// The level that follows level `depth` of this layer, from which steps led to so many new states. It is
    /// of this layer, or of the next one. `None` if the search is over.
    pub fn next(&mut self, depth: u64, new: u64) -> Option<u64> {
        let of_layer = self.states.last_mut().expect("there is a layer");
        *of_layer += new;
        if new > 0 {
            self.last_levels[1] = depth + 1;
            self.deepest = self.deepest.max(depth + 1);
        }
        let is_empty = *of_layer == 0;
        if depth < self.last_levels[0].max(self.last_levels[1]) {
            return Some(depth + 1);
        }
        if is_empty || self.is_last() {
            return None;
        }
        self.states.push(0);
        self.last_levels = [self.last_levels[1], 0];
        Some(0)
    }
}

/// The states of one worker in the layer that is being explored and in the one before, level by level.
#[derive(Debug, Default)]
pub(super) struct OwnLayers {
    number: u32,
    depth: usize,
    before: Vec<Range<usize>>,
    current: Vec<Range<usize>>,
    /// True if the layer is the last one.
    is_last: bool,
}

impl OwnLayers {
    /// Enters a level, which has these states of the worker.
    pub fn enter(&mut self, layers: &Layers, depth: u64, states: Range<usize>) {
        if layers.number() != self.number {
            self.number = layers.number();
            self.before = std::mem::take(&mut self.current);
        }
        self.is_last = layers.is_last();
        self.depth = usize::try_from(depth).expect("fewer levels than states");
        self.current.push(states);
    }

    /// The states of this level in the layer before, from which preemptions lead.
    pub fn preempted(&self) -> Range<usize> {
        self.before.get(self.depth).cloned().unwrap_or(0..0)
    }

    /// The first state that is still needed.
    pub fn first_needed(&self) -> usize {
        self.before.get(self.depth).map_or(self.current[0].start, |states| states.start)
    }
}

impl Worker<'_, '_> {
    /// Enters the level of this worker's layers that all workers explore next, with the states of
    /// [`Worker::level`].
    pub(super) fn enter_layer(&mut self) {
        if let Some(own) = &mut self.layers {
            let found = lock(&self.shared.found);
            let layers = found.layers.as_ref().expect("the search has layers");
            own.enter(layers, found.search_progress.depth, self.level.clone());
        }
    }

    /// Explores the steps from a state that cost no preemption.
    pub(super) fn continue_from(&mut self, state: Id) {
        let (vector, running) = self.stored(state);
        let source = self.enter(&vector);
        let (mut summary, before) = (SuccessorSummary::default(), self.statistics.transitions);
        self.count_state(source);
        let goes_on = self.threads.contains(&running) && self.take_step(running, source, state, &mut summary);
        let others: Vec<_> = self.threads.iter().copied().filter(|&thread| thread != running).collect();
        let mut stepped = 0_u64;
        for &thread in &others {
            if self.shared.is_stopped() {
                return;
            }
            if !goes_on {
                stepped += u64::from(self.take_step(thread, source, state, &mut summary));
                self.make_room();
            } else if !summary.has_moving_thread {
                summary.add(&self.step_of(thread, source, None));
            }
        }
        if goes_on && self.layers.as_ref().is_some_and(|own| own.is_last) {
            self.note_cut(source, &others);
        }
        self.meter.choices.schedule += stepped.saturating_sub(1);
        self.branched |= self.statistics.transitions > before + 1;
        self.settle(&summary, state, &vector);
    }

    /// Explores the steps from a state that cost a preemption.
    pub(super) fn preempt_from(&mut self, state: Id) {
        let (vector, running) = self.stored(state);
        let source = self.enter(&vector);
        let goes_on = self.threads.contains(&running) && self.step_of(running, source, None).goes_on();
        let others: Vec<_> = self.threads.iter().copied().filter(|&thread| thread != running && goes_on).collect();
        for thread in others {
            if self.shared.is_stopped() {
                return;
            }
            let is_taken = self.take_step(thread, source, state, &mut SuccessorSummary::default());
            self.branched |= is_taken;
            self.meter.choices.schedule += u64::from(is_taken);
            self.make_room();
        }
    }

    /// Notes that the bound keeps other threads from a step, if one of them has one.
    fn note_cut(&mut self, source: Source<'_>, others: &[usize]) {
        let is_cut = |found: &SharedFindings| found.layers.as_ref().is_some_and(|layers| layers.is_cut);
        if is_cut(&lock(&self.shared.found)) {
            return;
        }
        let leaves_out = others.iter().any(|&thread| self.step_of(thread, source, None).goes_on());
        lock(&self.shared.found).layers.iter_mut().for_each(|layers| layers.is_cut |= leaves_out);
    }

    /// The vector of a stored state, and its running thread. Without layers the first thread stands there.
    pub(super) fn stored(&mut self, state: Id) -> (Vec<Id>, usize) {
        self.states.take(state);
        let mut vector = self.states.vector().to_vec();
        let running = if self.layers.is_some() { vector.pop() } else { None };
        (vector, running.unwrap_or_default() as usize)
    }

    /// The name of the stored state to which a step of a thread led.
    pub(super) fn name_with_running(&mut self, end: &End, before: &[Id], running: usize) -> Name {
        let mut after = std::mem::take(&mut self.after);
        match end {
            End::Changed(edit) => memo::apply_changes(edit.changes(), before, &mut after),
            End::Made(parts) => memo::apply(parts, before, &mut after),
            _ => unreachable!("a step that led to no other state"),
        }
        after.push(running as Id);
        let name = self.states.fold(&after);
        self.after = after;
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_reaches_as_far_as_the_one_before() {
        let limits = Limits { order: SearchOrder::Preemptions, context_bound: Some(2), ..Limits::default() };
        let mut layers = Layers::new(&limits).expect("the search is in order of preemptions");
        assert_eq!((layers.next(0, 2), layers.next(1, 0)), (Some(1), Some(0)));
        assert_eq!((layers.number(), layers.is_last()), (1, false));
        // No state of this layer is new at first, but the one before has further levels.
        assert_eq!((layers.next(0, 0), layers.next(1, 1), layers.next(2, 0)), (Some(1), Some(2), Some(0)));
        assert!(layers.is_last());
        assert_eq!((layers.next(0, 0), layers.next(1, 0), layers.next(2, 0)), (Some(1), Some(2), None));
        assert_eq!((layers.states, layers.deepest), (vec![3, 1, 0], 2));
    }

    #[test]
    fn a_search_without_the_order_has_no_layers() {
        assert!(Layers::new(&Limits::default()).is_none());
    }
}
