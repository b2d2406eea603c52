//! Sleep sets in a search that matches states: of two steps that commute only one order is taken.
//!
//! If the steps of threads t and u from a state p commute, then u followed by t leads to the same state as t
//! followed by u. So one of the two orders need not be taken: after u's step the thread t is *asleep*, if its
//! number is the lower one. It stays asleep after steps of threads with higher numbers with which its own
//! step commutes. (Godefroid, *Partial-Order Methods for the Verification of Concurrent Systems*, LNCS 1032,
//! 1996, chapter 5.) The search finds all states; only steps are saved, and the look-ups of their successors.
//!
//! In general, sleep sets and state matching do not combine without more work: the threads that were asleep
//! in an explored state must be stored, and woken when the state is reached again with fewer threads asleep.
//! That is not needed here, because of two steps it is always that of the lower thread that sleeps, and
//! because states are explored level by level.
//!
//! *Claim*: when a state s of level l has been explored, all its successors are known by the end of the
//! level, including those by steps of threads asleep. The proof is by induction on the level, and for the
//! same level on the thread t, highest first. Let t be asleep in s, because s was reached from p on level l-1
//! by the step of u > t, with which t's step commutes. Let x be the successor of p by t. By the claim for p
//! and t it is known, so its level is l at most. The successor of x by u is the successor of s by t. By the
//! claim for x and u it is known, since x has a lower level or u is the higher thread. ∎ So the levels of all
//! states and the shortest paths to them are unchanged, too.
//!
//! Commutation of steps is tested, not derived: both orders are taken, every variant after every other, and
//! have to lead to the same state. The answer is cached for the two steps, which stand for all states in
//! which both threads do the same ([`super::steps`]), unless in one order a step read something else. Steps
//! that lead to no state, or to one with other threads or objects, do not sleep. Idle steps do not sleep
//! either, because deadlocks are detected from them.

use std::rc::Rc;

use super::steps::{End, Source, Step};
use super::worker::Worker;
use crate::engine::memo;
use crate::store::{Change, Id};
use crate::system::{Item, Layout, Machine, ReadEntry, Reduction};

/// The number of threads that may sleep: those with a bit in a sleep mark of the store.
const THREADS: usize = u16::BITS as usize;
/// The binary logarithm of the number of pairs that are cached.
const PAIRS: u32 = 16;

/// The threads asleep in the state that is explored, and a cache of the steps that commute.
pub(super) struct Sleep {
    pub is_on: bool,
    asleep: u16,
    /// Steps from this state that may sleep after those of threads with higher numbers, with their threads.
    lower: Vec<(usize, Rc<Step>)>,
    pairs: Vec<u64>,
}

impl Sleep {
    /// An empty cache. If threads are exchanged, nothing sleeps, since the claim rests on the order of their
    /// numbers.
    pub fn new(machine: &Machine<'_>) -> Self {
        // A step changes what it is while its thread sleeps where another one takes away the last place of a
        // symbol.
        let is_possible = !machine.exchanges() && !machine.defers_inputs();
        let is_on = machine.config().reduces(Reduction::Sleep) && is_possible;
        Self { is_on, asleep: 0, lower: Vec::new(), pairs: vec![0; if is_on { 1 << PAIRS } else { 0 }] }
    }

    /// Begins the exploration of another state, with these threads asleep.
    pub fn enter(&mut self, asleep: u16) {
        self.asleep = asleep;
        self.lower.clear();
    }

    /// True if a thread is asleep.
    pub const fn has(&self, thread: usize) -> bool {
        thread < THREADS && self.asleep >> thread & 1 == 1
    }

    /// Adds the step of a thread that was taken, or not taken because the thread is asleep. It need not be
    /// taken after steps of the threads with higher numbers.
    pub fn add(&mut self, thread: usize, step: Rc<Step>) {
        if self.is_on && thread < THREADS && step.number > 0 && step.only_moves() {
            self.lower.push((thread, step));
        }
    }

    /// The cached answer whether two steps commute, if there is one.
    fn known(&self, pair: u64) -> Option<bool> {
        let word = self.pairs[place(pair)];
        (word & !COMMUTE == pair).then_some(word & COMMUTE != 0)
    }

    /// Caches whether two steps commute.
    fn remember(&mut self, pair: u64, commute: bool) {
        self.pairs[place(pair)] = if commute { pair | COMMUTE } else { pair };
    }
}

/// The bit of a pair that is set if the steps commute.
const COMMUTE: u64 = 2;

/// The key of two cached steps: their numbers, a free bit, and one that is set.
const fn pair(one: &Step, other: &Step) -> u64 {
    (one.number as u64) << 33 | (other.number as u64) << 2 | 1
}

const fn place(pair: u64) -> usize {
    (pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PAIRS)) as usize
}

impl Worker<'_, '_> {
    /// The threads that are asleep after a step.
    pub(super) fn asleep_behind(&mut self, source: Source<'_>, thread: usize, step: &Rc<Step>) -> u16 {
        if self.sleep.lower.is_empty() || step.number == 0 || !step.only_changes() {
            return 0;
        }
        let lower = std::mem::take(&mut self.sleep.lower);
        let asleep = lower
            .iter()
            .filter(|(other, before)| self.commute(source, (*other, before), (thread, step)))
            .fold(0, |all, (other, _)| all | 1 << other);
        self.sleep.lower = lower;
        asleep
    }

    /// True if the steps of two threads commute.
    fn commute(&mut self, source: Source<'_>, one: (usize, &Rc<Step>), other: (usize, &Rc<Step>)) -> bool {
        let pair = pair(one.1, other.1);
        self.sleep.known(pair).unwrap_or_else(|| {
            let commute = self.try_both_orders(source, one, other);
            self.sleep.remember(pair, commute);
            commute
        })
    }

    fn try_both_orders(&mut self, source: Source<'_>, one: (usize, &Rc<Step>), other: (usize, &Rc<Step>)) -> bool {
        let Some(behind_one) = self.steps_behind(source, one.1, other) else { return false };
        let Some(behind_other) = self.steps_behind(source, other.1, one) else { return false };
        let (mut there, mut here) = (Vec::new(), Vec::new());
        (0..one.1.variants.len()).all(|first| {
            (0..other.1.variants.len()).all(|second| {
                follow(source.vector, [(one.1, first), (&behind_one[first], second)], &mut there);
                follow(source.vector, [(other.1, second), (&behind_other[second], first)], &mut here);
                there == here
            })
        })
    }

    /// The step of a thread after each variant of another thread's step, if it is the same in all states from
    /// which both are taken.
    fn steps_behind(
        &mut self,
        source: Source<'_>,
        first: &Rc<Step>,
        (thread, second): (usize, &Rc<Step>),
    ) -> Option<Vec<Rc<Step>>> {
        let mut steps = Vec::with_capacity(first.variants.len());
        for variant in 0..first.variants.len() {
            let mut vector = source.vector.to_vec();
            memo::change(&mut vector, first.changes(variant));
            let live = self.machine.live_in(&vector, source.layout);
            let behind = Source { vector: &vector, live, ..source };
            let step = self.step_of(thread, behind, None);
            let is_alike = step.variants.len() == second.variants.len()
                && step.only_changes()
                && step.only_moves() == second.only_moves();
            if !is_alike || step.number == 0 || !sees_what_is_known(&step, (source, first, variant), (thread, second)) {
                return None;
            }
            steps.push(step);
        }
        Some(steps)
    }
}

impl Step {
    /// The components that a variant of a step changes. Every variant of the step must lead to
    /// [`End::Changed`].
    fn changes(&self, variant: usize) -> &[Change] {
        let End::Changed(edit) = &self.variants[variant].end else { unreachable!("the step only changes things") };
        edit.changes()
    }
}

/// Sets `to` to the state to which one variant followed by another leads.
fn follow(from: &[Id], variants: [(&Rc<Step>, usize); 2], to: &mut Vec<Id>) {
    to.clear();
    to.extend_from_slice(from);
    variants.iter().for_each(|&(step, variant)| memo::change(to, step.changes(variant)));
}

/// True if a step, after a variant of the first one, read only items that are the same in all states from
/// which these two steps are taken.
fn sees_what_is_known(
    step: &Step,
    (source, first, variant): (Source<'_>, &Step, usize),
    (thread, second): (usize, &Step),
) -> bool {
    let was_read = |item| first.read_set.iter().chain(&second.read_set).any(|one| one.item == item);
    let was_made = |place: usize| first.changes(variant).iter().any(|&(at, _)| at as usize == place);
    step.read_set.iter().all(|&ReadEntry { item, .. }| match Item::of(item) {
        Item::Page(page) => was_read(item) || was_made(source.layout.pages() + page),
        Item::Ended(other) => {
            let own = Layout::thread(other);
            was_read(item) && was_made(own) == was_made(own + 1) || was_made(own) && was_made(own + 1)
        }
        // Every step depends on the number of live threads, which includes this one.
        Item::Live(other) => other == thread,
        Item::Others => false,
    })
}
