//! Sessions: formulas that hold, and queries under assumptions.
//!
//! A session translates each term once and hands the clauses to one incremental solver. What the solver has
//! learned in a query follows from the clauses alone and not from the assumptions, so it holds in later
//! queries.
//!
//! A query gives a value to all variables that the solver has, also to those that do not matter to it: with
//! many small queries about different terms the time of each would grow with their number. So a session
//! begins with a new solver when most of the old one is left over from earlier queries. Nothing of this is
//! seen from outside but the time.
//!
//! Measured with 10,000 queries, `x + y < c` and `x < c` for different `c`, 32 bits, on 2 busy cores: a new
//! solver for each query took 290 µs a query, one for all more than 9 ms, one for about 10 queries, which is
//! what the rule below gives, 180 µs. `benches/benches/formula.rs` measures it.
//!
//! Tests: `formula/tests/solver.rs`, `formula/tests/random.rs`.

use std::sync::Arc;

use cadical::{Callbacks, Solver};

use crate::blast::Blaster;
use crate::evaluate::Evaluator;
use crate::gates::Literal;
use crate::term::{TermId, Terms};

/// The answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model: [`Session::value`] reads it.
    Sat,
    /// There is no model: [`Session::failed`] says which assumptions are to blame.
    Unsat,
    /// The limit on conflicts was reached, or the caller asked for the end. Nothing is known.
    Interrupted,
}

/// The least value of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Least {
    /// The least value; [`Session::value`] reads a model that has it.
    Value(u128),
    /// There is no model.
    Unsat,
    /// The limit on conflicts was reached, or the caller asked for the end. Nothing is known.
    Interrupted,
}

/// The number of variables that may be left over from earlier queries in any case.
const LEFT_OVER: usize = 500;

/// The request to end a query early.
#[derive(Clone)]
struct Interrupt(Arc<dyn Fn() -> bool + Send + Sync>);

impl Callbacks for Interrupt {
    fn terminate(&mut self) -> bool {
        (self.0)()
    }
}

/// Formulas that hold, and the solver. All calls must be with one arena of terms.
pub struct Session {
    blaster: Blaster,
    solver: Solver<Interrupt>,
    conflict_limit: Option<u32>,
    interrupt: Option<Interrupt>,
    asserted: Vec<TermId>,
    /// The number of variables for the asserted formulas and the first query of the solver.
    needed: usize,
    /// True if the solver had no query yet.
    is_fresh: bool,
    /// The answer of the last query, unless clauses were added after it.
    answer: Option<Answer>,
    /// The assumptions of the last query.
    assumptions: Vec<(TermId, Literal)>,
    /// The number of clauses of the solver.
    clauses: u64,
    /// The stamp of the arena of the first call.
    arena: Option<u64>,
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}

impl Session {
    /// A session in which no formula is asserted.
    #[must_use]
    pub fn new() -> Self {
        Self {
            blaster: Blaster::new(),
            solver: Solver::new(),
            conflict_limit: None,
            interrupt: None,
            asserted: Vec::new(),
            needed: 0,
            is_fresh: true,
            answer: None,
            assumptions: Vec::new(),
            clauses: 0,
            arena: None,
        }
    }

    /// Limits each later query of the solver to a number of conflicts; `None`, the default, is no limit.
    pub fn set_conflict_limit(&mut self, limit: Option<u32>) {
        self.conflict_limit = limit;
    }

    /// Ends later queries when `is_over` returns true. The solver calls it often, in the thread of the query.
    /// It must not panic: that would end the process.
    pub fn interrupt_when(&mut self, is_over: impl Fn() -> bool + Send + Sync + 'static) {
        self.interrupt = Some(Interrupt(Arc::new(is_over)));
        self.solver.set_callbacks(self.interrupt.clone());
    }

    /// Asserts that `formula` is 1, in all later queries.
    ///
    /// # Panics
    /// If the formula has more than 1 bit, or another call was with another arena.
    pub fn assert(&mut self, terms: &Terms, formula: TermId) {
        self.enter(terms);
        let before = self.variables();
        self.asserted.push(formula);
        self.add_asserted(terms, formula);
        self.needed += self.variables() - before;
    }

    /// Decides whether all asserted formulas and all assumptions can be 1 together.
    ///
    /// # Panics
    /// If an assumption has more than 1 bit, or another call was with another arena.
    pub fn check(&mut self, terms: &Terms, assumptions: &[TermId]) -> Answer {
        self.enter(terms);
        if self.variables() > 2 * self.needed + LEFT_OVER {
            self.begin_anew(terms);
        }
        let literal = |&formula| (formula, self.blaster.literal(terms, formula));
        self.assumptions = assumptions.iter().map(literal).collect();
        self.add_new_clauses();
        if self.is_fresh {
            (self.needed, self.is_fresh) = (self.variables(), false);
        }
        if let Some(limit) = self.conflict_limit {
            let limit = i32::try_from(limit).unwrap_or(i32::MAX);
            self.solver.set_limit("conflicts", limit).expect("a limit that the solver knows");
        }
        let answer = match self.solver.solve_with(self.assumptions.iter().map(|(_, literal)| literal.number())) {
            Some(true) => Answer::Sat,
            Some(false) => Answer::Unsat,
            None => Answer::Interrupted,
        };
        self.answer = Some(answer);
        answer
    }

    /// The value of a term in the model of the last query. Variables that the session never saw are 0.
    ///
    /// # Panics
    /// If the last call of [`Self::check`] or [`Self::least`] found no model, or [`Self::assert`] was called
    /// after it, or another call was with another arena.
    #[must_use]
    pub fn value(&self, terms: &Terms, term: TermId) -> u128 {
        assert!(self.answer == Some(Answer::Sat), "the last query found no model");
        assert!(self.arena == Some(terms.stamp()), "a term of another arena");
        Evaluator::new(terms, |number| self.variable(number)).value(term)
    }

    /// Assumptions of the last query that cannot be 1 together with the asserted formulas. They are not
    /// always the fewest.
    ///
    /// # Panics
    /// If the last call of [`Self::check`] or [`Self::least`] did not end with [`Answer::Unsat`], or
    /// [`Self::assert`] was called after it.
    #[must_use]
    pub fn failed(&self) -> Vec<TermId> {
        assert!(self.answer == Some(Answer::Unsat), "the last query was not unsatisfiable");
        let failed = self.assumptions.iter().filter(|(_, literal)| self.solver.failed(literal.number()));
        failed.map(|&(formula, _)| formula).collect()
    }

    /// The least value of `term`, as an unsigned number, that the asserted formulas and the assumptions
    /// allow.
    ///
    /// Binary search: each bit, from the highest, is 0 if the bits above it allow that. Bits that are 0 in a
    /// model already need no query, so there are at most `width + 2` queries. The limit on conflicts is for
    /// each of them.
    ///
    /// # Panics
    /// If an assumption has more than 1 bit, or another call was with another arena.
    pub fn least(&mut self, terms: &mut Terms, term: TermId, assumptions: &[TermId]) -> Least {
        match self.check(terms, assumptions) {
            Answer::Sat => {}
            Answer::Unsat => return Least::Unsat,
            Answer::Interrupted => return Least::Interrupted,
        }
        let mut assumptions = assumptions.to_vec();
        let mut least = self.value(terms, term);
        for bit in (0..terms.width(term)).rev() {
            let one = terms.extract(term, bit, 1);
            let zero = terms.not(one);
            if least >> bit & 1 == 0 {
                assumptions.push(zero);
                continue;
            }
            assumptions.push(zero);
            match self.check(terms, &assumptions) {
                Answer::Sat => least = self.value(terms, term),
                Answer::Unsat => *assumptions.last_mut().expect("the bit") = one,
                Answer::Interrupted => return Least::Interrupted,
            }
        }
        // The last query may have had no model.
        match self.check(terms, &assumptions) {
            Answer::Interrupted => Least::Interrupted,
            answer => {
                debug_assert_eq!(answer, Answer::Sat);
                Least::Value(least)
            }
        }
    }

    /// The number of variables of the solver.
    #[must_use]
    pub fn variables(&self) -> usize {
        self.blaster.variable_count()
    }

    /// The number of clauses of the solver, as they were given to it.
    #[must_use]
    pub fn clauses(&self) -> u64 {
        self.clauses
    }

    /// The value of the variable with a number in the solver's model.
    fn variable(&self, number: u32) -> u128 {
        let bits = self.blaster.variable(number).unwrap_or_default();
        let is_set = |literal: &Literal| self.solver.value(literal.number()) == Some(true);
        bits.iter().rev().fold(0, |value, literal| value << 1 | u128::from(is_set(literal)))
    }

    /// Checks that all calls are with one arena, since ids of another one would be other terms.
    fn enter(&mut self, terms: &Terms) {
        let arena = *self.arena.get_or_insert(terms.stamp());
        assert!(arena == terms.stamp(), "a term of another arena");
    }

    /// Replaces the solver by a new one with the asserted formulas.
    fn begin_anew(&mut self, terms: &Terms) {
        self.blaster = Blaster::new();
        self.solver = Solver::new();
        self.solver.set_callbacks(self.interrupt.clone());
        self.clauses = 0;
        self.is_fresh = true;
        for at in 0..self.asserted.len() {
            self.add_asserted(terms, self.asserted[at]);
        }
    }

    /// Adds the clauses of a formula that holds.
    fn add_asserted(&mut self, terms: &Terms, formula: TermId) {
        let literal = self.blaster.literal(terms, formula);
        self.blaster.gates().add_clause(&[literal]);
        self.add_new_clauses();
    }

    /// Hands the clauses that are new to the solver.
    fn add_new_clauses(&mut self) {
        self.answer = None;
        let clauses = self.blaster.gates().take_clauses();
        for clause in clauses.split(|&number| number == 0).filter(|clause| !clause.is_empty()) {
            self.solver.add_clause(clause.iter().copied());
            self.clauses += 1;
        }
    }
}
