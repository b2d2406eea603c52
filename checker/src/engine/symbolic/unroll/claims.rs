//! What a program must not do.

use rmc_formula::TermId;

use super::events::Place;
use super::{Path, Stop, Unroller};
use crate::engine::symbolic::word::Word;

/// Something that a thread must not do.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The thread.
    pub thread: usize,
    /// The number of the thread's events before it.
    pub after: usize,
    /// Whether the thread does it, if it gets there: 1 bit.
    pub violated: TermId,
    /// The instruction.
    pub place: Place,
    /// True if the condition may hold in more executions than those with the violation. For instance, an
    /// uninitialised bit makes its word open, and it may be another bit that matters. The machine decides.
    pub is_doubtful: bool,
    /// True if what it does is to wait, while it is the only thread.
    pub waits: bool,
    /// True if it uses a word of which some bit is uninitialised. The path goes on where none is, although
    /// those that it uses may all be initialised.
    pub uses_open: bool,
    /// The access that is at none of its places, if that is what it does.
    pub nowhere: Option<Nowhere>,
}

/// An access that is claimed to be somewhere.
#[derive(Clone, Copy, Debug)]
pub struct Nowhere {
    /// The address.
    pub address: Word,
    /// The length in bytes.
    pub len: u32,
    /// True if it may write.
    pub writes: bool,
}

impl Unroller<'_> {
    /// Demands a condition on the path, which goes on where it holds.
    ///
    /// # Errors
    /// [`Stop::Dead`]: it never holds.
    pub(super) fn demand(&mut self, path: &mut Path, holds: TermId, is_doubtful: bool) -> Result<(), Stop> {
        let fails = self.formulas.not(holds);
        let violated = self.formulas.and(path.guard, fails);
        if self.formulas.is_false(violated) || self.is_impossible(violated, holds) {
            return if self.formulas.is_false(path.guard) { Err(Stop::Dead) } else { Ok(()) };
        }
        self.claim(violated, is_doubtful);
        self.assume(path, holds)
    }

    /// Demands that an access is at one of its places: `anywhere`.
    ///
    /// # Errors
    /// [`Stop::Dead`]: it never is.
    pub(super) fn demand_place(&mut self, path: &mut Path, anywhere: TermId, access: Nowhere) -> Result<(), Stop> {
        let before = self.claims.len();
        let demanded = self.demand(path, anywhere, false);
        self.claims[before..].iter_mut().for_each(|claim| claim.nowhere = Some(access));
        demanded
    }

    /// True if a guard is known not to hold, by the values of the word on which a condition in it depends.
    pub(super) fn is_impossible(&mut self, guard: TermId, condition: TermId) -> bool {
        let Some(source) = self.formulas.source(condition) else { return false };
        self.formulas.values_under(guard, source).is_some_and(|values| values.is_empty())
    }

    /// Suspects the path of storing poison, which is a violation, where a word is open. It goes on all the
    /// same: the word may be uninitialised, which is none.
    pub(super) fn suspect_open(&mut self, path: &Path, word: Word) {
        let open = self.formulas.open(word);
        let is_poison = match word {
            Word::Known(value) => value.is_poison(),
            Word::Term(_) => true,
        };
        let violated = self.formulas.and(path.guard, open);
        if is_poison && !self.formulas.is_false(violated) {
            self.claim(violated, true);
        }
    }

    /// Suspects the path of waiting in the beginning, where there is nobody to wait for.
    pub(super) fn suspect_waiting(&mut self, path: &Path, blocked: TermId) {
        let violated = self.formulas.and(path.guard, blocked);
        if !self.formulas.is_false(violated) {
            self.claim(violated, false);
            self.claims.last_mut().expect("the claim").waits = true;
        }
    }

    fn claim(&mut self, violated: TermId, is_doubtful: bool) {
        let (thread, place) = (self.thread, self.place());
        let after = self.threads[thread].events.len();
        let (waits, uses_open) = (false, false);
        self.claims.push(Claim { thread, after, violated, place, is_doubtful, waits, uses_open, nowhere: None });
    }

    /// Follows the path only where a condition holds.
    ///
    /// # Errors
    /// [`Stop::Dead`]: it never holds.
    pub(super) fn assume(&mut self, path: &mut Path, holds: TermId) -> Result<(), Stop> {
        path.guard = self.formulas.and(path.guard, holds);
        if self.formulas.is_false(path.guard) { Err(Stop::Dead) } else { Ok(()) }
    }

    /// Demands that something does not happen at all.
    pub(super) fn fail<T>(&mut self, path: &mut Path) -> Result<T, Stop> {
        let never = self.formulas.terms.boolean(false);
        match self.demand(path, never, false) {
            Ok(()) => unreachable!("no path goes on"),
            Err(stop) => Err(stop),
        }
    }
}
