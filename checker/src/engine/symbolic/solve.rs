//! The formula of given bounds: made, solved, and its solution confirmed.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::Path;

use rmc_formula::{Answer, Session, TermId, dimacs};

use super::bounds::Bounds;
use super::confirm::{Confirmed, Model, confirm, confirm_deadlock};
use super::deadlocks::Deadlock;
use super::elsewhere::Elsewhere;
use super::resolve::{Resolved, Unresolved, resolve};
use super::schedule::{self, Encoded, encode};
use super::unroll::{Claim, Cut, Place, Stop, UnrollBounds, Unrolled, unroll};
use super::values::table::Table;
use crate::draft::Draft;
use crate::ir::Program;
use crate::outcome::{Fault, Violation, ViolationKind};
use crate::property::Meaning;
use crate::system::Config;

/// The answer for given bounds.
pub enum Answered {
    /// A violation, which the machine has.
    Violated(Violation),
    /// There is none within the bounds, but for executions that were left out from a place on, if there is
    /// one: a word that is used there has bits that are not initialised, and others.
    Nothing { left_out: Option<Place> },
    /// The end of the run was asked for.
    Halted,
    /// Something is not followed.
    Refused {
        /// What it is.
        what: String,
        /// The instruction.
        place: Place,
    },
    /// The file for the formula cannot be written.
    Unwritten(io::Error),
    /// A solution of the formula is no violation of the machine, which is an error of rmc.
    Disagreement(String),
}

/// The size of a formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Events of all threads.
    pub events: usize,
    /// Variables of the solver.
    pub variables: usize,
    /// Its clauses.
    pub clauses: u64,
    /// True if no execution within the other bounds goes beyond the bound on loops, as far as was asked.
    pub loops_end: bool,
}

/// One formula, from the program to the answer.
pub struct Attempt<'a> {
    /// The program.
    pub program: &'a Program,
    /// The configuration of the machine.
    pub config: Config,
    /// The bounds.
    pub bounds: Bounds,
    /// Asked now and then: true if the run is to end.
    pub halted: std::sync::Arc<dyn Fn() -> bool + Send + Sync>,
    /// The file for the formula.
    pub dump_cnf: Option<&'a Path>,
    /// True if it is to be decided whether loops go further than the bound on them.
    pub asks_for_loops: bool,
    /// The size of the formula, when it is known.
    pub size: RefCell<Size>,
}

impl Attempt<'_> {
    /// Makes the formula and solves it, if some accesses may be anywhere.
    ///
    /// # Errors
    /// Another access that is at none of its known places.
    pub(super) fn solve_with(&self, elsewhere: &BTreeSet<Place>) -> Result<Answered, Elsewhere> {
        let (mut unrolled, resolved) = match self.unrolled(elsewhere) {
            Ok(both) => both,
            Err(answered) => return Ok(answered),
        };
        let Resolved { shared, mut claims, constraints } = resolved;
        claims.append(&mut unrolled.claims);
        claims.iter_mut().for_each(|claim| claim.is_doubtful |= unrolled.is_coarse);
        let bounds = schedule::Bounds {
            rounds: self.bounds.rounds,
            max_clock: self.bounds.max_clock,
            writes: self.bounds.writes,
        };
        let formulas = &mut unrolled.formulas;
        let encoded = encode(&mut formulas.terms, &mut formulas.variables, &shared, model(&self.config), bounds);
        let mut all = constraints;
        all.extend(&encoded.constraints);
        all.extend(&unrolled.assumptions);
        self.decide(&mut unrolled, &encoded, claims, &all)
    }

    /// Unrolls the program until each load has all values that it may find.
    fn unrolled(&self, elsewhere: &BTreeSet<Place>) -> Result<(Unrolled, Resolved), Answered> {
        let bounds = UnrollBounds { turns: self.bounds.unroll, width: self.bounds.width };
        let mut table = Table::default();
        for attempt in 0.. {
            let mut unrolled =
                unroll(self.program, &self.config, bounds, (&table, elsewhere), &*self.halted).map_err(|stop| {
                    match stop {
                        Stop::Halted => Answered::Halted,
                        Stop::Refused { what, place } => Answered::Refused { what, place },
                        Stop::Dead | Stop::Earlier(_) => unreachable!("the unrolling handles these"),
                    }
                })?;
            match resolve(self.program, &mut unrolled, self.bounds.width) {
                Ok(resolved) => {
                    log::debug!("{attempt} unrollings before had fewer values");
                    return Ok((unrolled, resolved));
                }
                Err(Unresolved::Refused(what, place)) => return Err(Answered::Refused { what, place }),
                Err(Unresolved::Other(_)) if attempt == MOST_UNROLLINGS => table = Table::any(),
                Err(Unresolved::Other(found)) => table = table.join(&found, attempt >= MOST_UNROLLINGS / 2),
            }
        }
        unreachable!("a table that has any value has those that are found")
    }

    fn decide(
        &self,
        unrolled: &mut Unrolled,
        encoded: &Encoded,
        claims: Vec<Claim>,
        constraints: &[TermId],
    ) -> Result<Answered, Elsewhere> {
        let mut session = Session::new();
        let halted = std::sync::Arc::clone(&self.halted);
        session.interrupt_when(move || halted());
        for &constraint in constraints {
            session.assert(&unrolled.formulas.terms, constraint);
        }
        let mut open: Vec<Open> = Vec::with_capacity(claims.len());
        let mut left_out = None;
        for claim in claims {
            let reached = executed_before(unrolled, encoded, claim.thread, claim.after);
            let violated = unrolled.formulas.and(reached, claim.violated);
            if !unrolled.formulas.is_false(violated) {
                open.push(Open { violated, claim, attempts: 0 });
            }
        }
        loop {
            let mut any = unrolled.formulas.terms.boolean(false);
            for open in &open {
                any = unrolled.formulas.terms.or(any, open.violated);
            }
            if let Some(path) = self.dump_cnf
                && let Err(error) = dump(unrolled, constraints, any, path)
            {
                return Ok(Answered::Unwritten(error));
            }
            match self.check(&mut session, unrolled, any) {
                Answer::Interrupted => return Ok(Answered::Halted),
                Answer::Unsat => break,
                Answer::Sat => {}
            }
            let value = |term: TermId| session.value(&unrolled.formulas.terms, term);
            let at = open.iter().position(|open| value(open.violated) == 1).expect("a claim is violated");
            let actions = encoded.actions(false, value);
            let claim = open[at].claim.clone();
            log::debug!("{} actions lead to thread {} at {:?}", actions.len(), claim.thread, claim.place);
            let found = confirm(self.program, self.config, Model { unrolled, session: &session }, &actions, &claim);
            match found {
                Confirmed::Fault(violation) if self.counts(&violation.fault) => {
                    return Ok(Answered::Violated(violation));
                }
                Confirmed::Refused { what, place } => return Ok(Answered::Refused { what, place }),
                // It is no violation of what is asked for.
                Confirmed::Fault(fault) => log::debug!("not looked for: {:?}", fault.fault),
                Confirmed::Nothing(why) if self.is_somewhere(&claim, unrolled, &session) => {
                    log::debug!("at an object: {why}");
                    return Err(Elsewhere(claim.place));
                }
                Confirmed::Nothing(why) if claim.is_doubtful && open[at].attempts < MOST_ATTEMPTS => {
                    log::debug!("doubtful: {why}");
                    left_out = left_out.or(claim.uses_open.then_some(claim.place));
                    let other = other_end(unrolled, encoded, &session);
                    let open = &mut open[at];
                    open.violated = unrolled.formulas.and(open.violated, other);
                    open.attempts += 1;
                    continue;
                }
                Confirmed::Nothing(why) if claim.is_doubtful => log::debug!("doubtful: {why}"),
                Confirmed::Nothing(why) => {
                    let place = self.program.place(self.program.location(claim.place.0, claim.place.1));
                    return Ok(Answered::Disagreement(format!("{place}: {why}")));
                }
            }
            open.swap_remove(at);
        }
        match self.deadlock(&mut session, unrolled, encoded, constraints) {
            Answered::Nothing { .. } => {
                self.size.borrow_mut().loops_end = self.loops_end(&mut session, unrolled, encoded);
                Ok(Answered::Nothing { left_out })
            }
            answered => Ok(answered),
        }
    }

    /// Solves the formula with a further condition, and sets its size.
    fn check(&self, session: &mut Session, unrolled: &Unrolled, condition: TermId) -> Answer {
        let answer = session.check(&unrolled.formulas.terms, &[condition]);
        let events = unrolled.threads.iter().map(|thread| thread.events.len()).sum();
        let (variables, clauses) = (session.variables(), session.clauses());
        *self.size.borrow_mut() = Size { events, variables, clauses, loops_end: false };
        answer
    }

    /// Looks for a deadlock, if that is a violation.
    fn deadlock(
        &self,
        session: &mut Session,
        unrolled: &mut Unrolled,
        encoded: &Encoded,
        constraints: &[TermId],
    ) -> Answered {
        if self.config.property.meaning(ViolationKind::Deadlock) != Meaning::Violates {
            return Answered::Nothing { left_out: None };
        }
        let Some(mut deadlock) = Deadlock::new(unrolled, encoded) else {
            return Answered::Nothing { left_out: None };
        };
        for attempt in 0.. {
            if let Some(path) = self.dump_cnf
                && let Err(error) = dump(unrolled, constraints, deadlock.holds, path)
            {
                return Answered::Unwritten(error);
            }
            match self.check(session, unrolled, deadlock.holds) {
                Answer::Interrupted => return Answered::Halted,
                Answer::Unsat => break,
                Answer::Sat => {}
            }
            let actions = encoded.actions(true, |term| session.value(&unrolled.formulas.terms, term));
            let waiting = deadlock.waiting(unrolled, session);
            log::debug!("{} actions lead to a deadlock of {waiting:?}", actions.len());
            let model = Model { unrolled, session };
            match confirm_deadlock(self.program, self.config, model, &actions, &waiting) {
                Confirmed::Fault(violation) if self.counts(&violation.fault) => return Answered::Violated(violation),
                Confirmed::Refused { what, place } => return Answered::Refused { what, place },
                Confirmed::Fault(fault) => log::debug!("not looked for: {:?}", fault.fault),
                Confirmed::Nothing(why) if unrolled.is_coarse => log::debug!("doubtful: {why}"),
                Confirmed::Nothing(why) => return Answered::Disagreement(format!("a deadlock: {why}")),
            }
            if attempt == MOST_ATTEMPTS {
                break;
            }
            let other = other_end(unrolled, encoded, session);
            deadlock.holds = unrolled.formulas.and(deadlock.holds, other);
        }
        Answered::Nothing { left_out: None }
    }

    /// True if no execution comes to a point beyond which it was not followed.
    fn loops_end(&self, session: &mut Session, unrolled: &mut Unrolled, encoded: &Encoded) -> bool {
        if unrolled.cuts.is_empty() || !self.asks_for_loops {
            return unrolled.cuts.is_empty();
        }
        let mut any = unrolled.formulas.terms.boolean(false);
        for Cut { thread, after, guard } in std::mem::take(&mut unrolled.cuts) {
            let reached = executed_before(unrolled, encoded, thread, after);
            let goes_on = unrolled.formulas.and(reached, guard);
            any = unrolled.formulas.terms.or(any, goes_on);
        }
        session.check(&unrolled.formulas.terms, &[any]) == Answer::Unsat
    }

    fn counts(&self, fault: &Fault) -> bool {
        self.config.property.meaning(fault.kind) == Meaning::Violates
    }
}

/// A claim that may be violated.
struct Open {
    /// Whether it is: 1 bit.
    violated: TermId,
    claim: Claim,
    /// Solutions that the machine did not confirm.
    attempts: u32,
}

/// The unrollings that look for the values of loads. In the second half of them, values that are found last
/// are any.
const MOST_UNROLLINGS: u32 = 40;

/// The solutions of a doubtful claim that are tried on the machine, less one.
const MOST_ATTEMPTS: u32 = 8;

/// Whether an execution ends with some thread elsewhere than in the solution.
fn other_end(unrolled: &mut Unrolled, encoded: &Encoded, session: &Session) -> TermId {
    let terms = &mut unrolled.formulas.terms;
    let mut other = terms.boolean(false);
    for &executed in encoded.executed.iter().flatten() {
        let is_other = if session.value(terms, executed) == 1 { terms.not(executed) } else { executed };
        other = terms.or(other, is_other);
    }
    other
}

/// Whether an execution is past the events before position `after` of a thread.
fn executed_before(unrolled: &mut Unrolled, encoded: &Encoded, thread: usize, after: usize) -> TermId {
    match after.checked_sub(1) {
        Some(event) => encoded.executed[thread][event],
        None => unrolled.formulas.terms.boolean(true),
    }
}

const fn model(config: &Config) -> schedule::Model {
    match config.model() {
        rmc_runtime::Model::Sc => schedule::Model::Sc,
        rmc_runtime::Model::Tso => schedule::Model::Tso,
        rmc_runtime::Model::Pso => schedule::Model::Pso,
    }
}

/// Writes a formula to a file.
fn dump(unrolled: &Unrolled, constraints: &[TermId], any: TermId, path: &Path) -> io::Result<()> {
    let mut draft = Draft::new(path)?;
    let formulas: Vec<_> = constraints.iter().copied().chain([any]).collect();
    let mut output = io::BufWriter::new(draft.file());
    dimacs::write(&unrolled.formulas.terms, &formulas, &mut output)?;
    output.flush()?;
    drop(output);
    draft.publish()
}
