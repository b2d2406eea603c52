//! Sleep sets with states: of two steps that commute only one order is taken.
//!
//! If two threads' steps from a state p commute, that of t behind that of u leads where that of u behind that
//! of t leads. So one of the two need not be taken: behind u's step the thread t is *asleep*, if its number
//! is the lower one, and stays asleep behind steps of threads above it with which its own step commutes.
//! (Godefroid, *Partial-Order Methods for the Verification of Concurrent Systems*, LNCS 1032, 1996, chapter
//! 5.) All states are found as before; only steps are saved, with the look-ups of where they lead.
//!
//! Sleep sets and matching of states do not go together without more: of states that were explored with some
//! threads asleep these must be remembered, and woken when the state is reached again with fewer. Here that
//! is not needed, since of two steps it is always the one of the lower thread that sleeps, and since states
//! are explored level by level.
//!
//! *Claim*: where a state s of level l has been explored, all successors are known by the end of the level,
//! also those by steps of threads asleep. By induction on the level, and for the same level on the thread t,
//! highest first. Let t be asleep in s, since s was reached from p on level l-1 by the step of u > t, with
//! which t's step commutes. Let x be where t leads from p. It is known by the claim for p and t, so it is of
//! level l at most; and u leads from there where t leads from s, which is known by the claim for x and u: x
//! is of a lower level, or u is the higher thread. ∎ So levels and the shortest ways to all states are as
//! they were, too.
//!
//! Whether steps commute is tried out, not derived: both orders are taken, every variant behind every other,
//! and have to lead to the same state. The answer is remembered for the two steps, which stand for all states
//! in which both threads do the same ([`super::steps`]), unless in one order a step looked at something else.
//! Steps that do not lead to a state, or to one with other threads or objects, do not sleep; nor do idle
//! ones, of which deadlocks are made.

use std::rc::Rc;

use super::steps::{End, Source, Step};
use super::worker::Worker;
use crate::engine::memo;
use crate::store::{Change, Id};
use crate::system::{Config, Item, Layout, ReadEntry, Reduction};

/// Threads that may sleep: those with a bit in a note of the store.
const THREADS: usize = u16::BITS as usize;
/// Pairs that are remembered, as a power of two.
const PAIRS: u32 = 16;

/// What is asleep in the state that is explored, and which steps commute.
pub(super) struct Sleep {
    pub is_on: bool,
    asleep: u16,
    /// Steps from this state that may sleep behind those of threads above, with their threads.
    lower: Vec<(usize, Rc<Step>)>,
    pairs: Vec<u64>,
}

impl Sleep {
    /// Nothing is known yet. Where threads are exchanged nothing sleeps, as the order of their numbers is
    /// what the claim rests on.
    pub fn new(config: &Config, exchanges: bool) -> Self {
        let is_on = config.reduces(Reduction::Sleep) && !exchanges;
        Self { is_on, asleep: 0, lower: Vec::new(), pairs: vec![0; if is_on { 1 << PAIRS } else { 0 }] }
    }

    /// Another state is explored, with these threads asleep.
    pub fn enter(&mut self, asleep: u16) {
        self.asleep = asleep;
        self.lower.clear();
    }

    /// Whether a thread is asleep.
    pub const fn has(&self, thread: usize) -> bool {
        thread < THREADS && self.asleep >> thread & 1 == 1
    }

    /// The step of a thread was taken, or not since it is asleep: behind steps of the threads above it need
    /// not be.
    pub fn add(&mut self, thread: usize, step: Rc<Step>) {
        if self.is_on && thread < THREADS && step.number > 0 && step.only_moves() {
            self.lower.push((thread, step));
        }
    }

    /// Whether two steps commute, if it is remembered.
    fn known(&self, pair: u64) -> Option<bool> {
        let word = self.pairs[place(pair)];
        (word & !COMMUTE == pair).then_some(word & COMMUTE != 0)
    }

    /// Remembers whether two steps commute.
    fn remember(&mut self, pair: u64, commute: bool) {
        self.pairs[place(pair)] = if commute { pair | COMMUTE } else { pair };
    }
}

/// The bit of a pair that says that the steps commute.
const COMMUTE: u64 = 2;

/// The name of two remembered steps: their numbers, a free bit, and one that is set.
const fn pair(one: &Step, other: &Step) -> u64 {
    (one.number as u64) << 33 | (other.number as u64) << 2 | 1
}

const fn place(pair: u64) -> usize {
    (pair.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PAIRS)) as usize
}

impl Worker<'_, '_> {
    /// The threads that are asleep behind a step.
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

    /// Whether steps of two threads commute.
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

    /// What becomes of a thread's step behind each variant of another one's, if it is the same in all states
    /// from which both are taken.
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
    /// The components in which a variant of a step that only changes things makes a difference.
    fn changes(&self, variant: usize) -> &[Change] {
        let End::Changed(edit) = &self.variants[variant].end else { unreachable!("the step only changes things") };
        edit.changes()
    }
}

/// Where one variant behind another leads.
fn follow(from: &[Id], variants: [(&Rc<Step>, usize); 2], to: &mut Vec<Id>) {
    to.clear();
    to.extend_from_slice(from);
    variants.iter().for_each(|&(step, variant)| memo::change(to, step.changes(variant)));
}

/// Whether a step looked, behind a variant of the first one, only at what is the same in all states from
/// which these two are taken.
fn sees_what_is_known(
    step: &Step,
    (source, first, variant): (Source<'_>, &Step, usize),
    (thread, second): (usize, &Step),
) -> bool {
    let was_seen = |item| first.seen.iter().chain(&second.seen).any(|one| one.item == item);
    let was_made = |place: usize| first.changes(variant).iter().any(|&(at, _)| at as usize == place);
    step.seen.iter().all(|&ReadEntry { item, .. }| match Item::of(item) {
        Item::Page(page) => was_seen(item) || was_made(source.layout.pages() + page),
        Item::Ended(other) => {
            let own = Layout::thread(other);
            was_seen(item) && was_made(own) == was_made(own + 1) || was_made(own) && was_made(own + 1)
        }
        // Every step depends on how many threads live, this one among them.
        Item::Live(other) => other == thread,
        Item::Others => false,
    })
}
