//! The search for a witness: an order of the events, and of the arrivals of their stores in memory, in which
//! each read reads its source.
//!
//! A state is a prefix of a witness. A cell is *held* while an event is still to read the store that wrote
//! it last (Bui et al., section 4, "Held variables"); no other store may then reach it. Events that write
//! nothing at once, and whose reads find their sources, are taken as soon as they can: they change no
//! memory, so whatever can be done without them can be done after them (Algorithm 1, line 4).
//!
//! The decision that is left is the order in which stores reach memory, delayed ones and those that reach it
//! with their event. Three rules keep it from being tried:
//!
//! * *A store that holds nothing is no decision.* If a store reaches memory, and after the events that can
//!   be taken then no cell of it is held, then it may as well happen now. Let a completion of the state be
//!   given, and let the store and those events come first in it: nothing that is still to be read was
//!   overwritten, since the cells were not held; and all that read this store have done so. Algorithm 2
//!   has this rule for stores that nothing reads from memory ("spurious" ones, line 4); here it also
//!   settles those whose readers are ready, which leaves few decisions.
//! * *A store that is the next one to its cells is no decision.* If a store holds cells, but all other stores
//!   to these that have not reached memory are later ones of its own thread, or later in the order that all
//!   witnesses respect, no completion has one of them before it, and holding the cells keeps none from what
//!   it would do. So it may happen now, too.
//! * *A store is not early* (`wanted.rs`, under PSO). Of a completion consider the first event taken
//!   in it, and the stores that reach memory before. Those that are wanted are the ones that the event needs,
//!   their predecessors in the order of their threads, and all pending ones that share a cell with a wanted
//!   one or with what the event writes. The others share no cell with these, are no predecessors of these,
//!   and the event needs none of them: they may come after the event. So there is a completion that begins
//!   with a wanted store or with an event. This is the strategy of Algorithm 2, line 11.
//!
//! A store that may be lost ([`Store::life`](crate::problem::Store::life)) keeps what its effect depends on
//! from being overwritten as long as it is pending and still to be read; if it were lost, nothing could read
//! it. That place is held, then. But a thread may have to lose a store, to read what is in memory. So a store
//! to a place on which the effect of one that is still to be made depends is a decision, whatever it holds:
//! it may have to come later. And stores to places on which wanted stores depend are wanted.
//!
//! States from which there is no completion are remembered by what decides that ([`Prefix::key`]). Under SC
//! and TSO these are at most `n^k` for `k` threads with `n` stores each (Theorem 3.1): the stores of each
//! thread that have reached memory are a prefix, and they decide which events are taken. Under PSO they are
//! the events taken and the stores of which it matters whether they have reached memory
//! (Theorem 3.2 and Lemma 4.4: at most `n^k * 2^(k * d)` for `d` cells).
//!
//! The source is T. L. Bui, K. Chatterjee, T. Gautam, A. Pavlogiannis, V. Toman, "The Reads-From Equivalence
//! for the TSO and PSO Memory Models", OOPSLA 2021; the case of SC is there a special case of TSO.

mod prefix;
mod steps;
mod wanted;

use rustc_hash::FxHashSet;

use self::prefix::Prefix;
use crate::closure::Closure;
use crate::history::EventId;
use crate::problem::{EventNumber, Problem};

/// A step of a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WitnessStep {
    /// An event happens. Stores of it that are not delayed reach memory.
    Event(EventId),
    /// A delayed store reaches memory: that of an event's write of this number.
    Arrival {
        /// The event.
        event: EventId,
        /// The number of the write in it.
        write: u32,
    },
}

/// The result of a search.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// A witness.
    Witness(Vec<WitnessStep>),
    /// There is none. So many states without completion were met.
    Nothing { dead_ends: u64 },
    /// The search had met as many states without completion as it was allowed.
    GaveUp,
}

/// A step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Event(u32),
    Arrival(u32),
    /// The arrival of a store that has no effect any more ([`Store::life`](crate::problem::Store)).
    Loss(u32),
}

/// A state from which several steps are tried.
struct Decision {
    /// The number of steps before it.
    len: usize,
    steps: Vec<Step>,
    next: usize,
    key: Box<[u64]>,
}

/// A search in a problem.
pub struct Search<'a> {
    prefix: Prefix<'a>,
    /// The keys of prefixes without completion.
    failed: FxHashSet<Box<[u64]>>,
    dead_ends: u64,
}

impl<'a> Search<'a> {
    /// A search for witnesses that respect an order, if one is given: one that all witnesses respect.
    pub fn new(problem: &'a Problem, order: Option<&'a Closure>) -> Self {
        Self { prefix: Prefix::new(problem, order), failed: FxHashSet::default(), dead_ends: 0 }
    }

    /// Searches until a witness is found, there is none, or `most` states without completion were met.
    pub fn run(mut self, most: u64) -> Found {
        if self.prefix.problem.is_absurd || most == 0 {
            return if most == 0 { Found::GaveUp } else { Found::Nothing { dead_ends: 0 } };
        }
        let mut decisions: Vec<Decision> = Vec::new();
        self.prefix.take_events();
        loop {
            let steps = self.decide();
            if steps.is_empty() && self.prefix.is_complete() {
                return Found::Witness(self.witness());
            }
            let key = if steps.len() > 1 { self.prefix.key() } else { Box::default() };
            if steps.len() == 1 {
                self.prefix.take(steps[0]);
                self.prefix.take_events();
                continue;
            }
            if steps.len() > 1 && !self.failed.contains(&key) {
                decisions.push(Decision { len: self.prefix.trail.len(), steps, next: 0, key });
            } else {
                self.dead_ends += 1;
                if self.dead_ends >= most {
                    return Found::GaveUp;
                }
            }
            let step = loop {
                let Some(last) = decisions.last_mut() else { return Found::Nothing { dead_ends: self.dead_ends } };
                match last.steps.get(last.next) {
                    Some(&step) => {
                        last.next += 1;
                        let len = last.len;
                        self.prefix.undo(len);
                        break step;
                    }
                    None => {
                        let last = decisions.pop().expect("it was there");
                        self.failed.insert(last.key);
                    }
                }
            };
            self.prefix.take(step);
            self.prefix.take_events();
        }
    }

    /// Takes stores that are no decision. Returns the steps that are, if there are several: all that can be
    /// the next one.
    fn decide(&mut self) -> Vec<Step> {
        loop {
            let mut steps = self.prefix.steps();
            let before = self.prefix.trail.len();
            let settled = steps.iter().any(|&step| {
                self.prefix.take(step);
                self.prefix.take_events();
                let is_decision = self.prefix.holds(step) || self.prefix.may_come_too_early(step);
                if is_decision {
                    self.prefix.undo(before);
                }
                !is_decision
            });
            if settled {
                continue;
            }
            if !self.prefix.problem.is_fifo && steps.len() > 1 {
                let wanted = self.prefix.wanted();
                steps.retain(|step| match step {
                    Step::Event(_) => true,
                    Step::Arrival(store) => wanted.contains(store),
                    Step::Loss(_) => true,
                });
            }
            if steps.len() > 1 {
                steps.sort_by_cached_key(|&step| self.prefix.distance(step));
            }
            return steps;
        }
    }

    fn witness(&self) -> Vec<WitnessStep> {
        let step = |&step: &Step| match step {
            Step::Event(event) => WitnessStep::Event(self.prefix.problem.id(event as EventNumber)),
            Step::Arrival(store) | Step::Loss(store) => {
                let store = &self.prefix.problem.stores[store as usize];
                WitnessStep::Arrival { event: self.prefix.problem.id(store.event as EventNumber), write: store.write }
            }
        };
        self.prefix.trail.iter().map(step).collect()
    }
}
