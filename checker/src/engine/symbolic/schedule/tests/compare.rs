//! The executions of the constraints against those of the textbook machine.

use std::collections::BTreeSet;

use rmc_formula::{Answer, Session, TermId};

use super::super::{Bounds, Encoded, Model, encode};
use super::builder::Builder;
use super::describe::describe;
use super::machine::{Machine, Reachable, Results};

/// The models, and whether TSO is that with a queue for each thread.
pub const ALL: [(Model, bool); 4] = [(Model::Sc, false), (Model::Tso, false), (Model::Pso, false), (Model::Tso, true)];

/// Bounds that no small program needs; what is not needed is not made.
pub const LARGE: Bounds = Bounds { rounds: 100, max_clock: 100, writes: 100 };

/// The sets of reachable results are equal, and each model of the constraints replays.
#[track_caller]
pub fn check(builder: &mut Builder) {
    let mut events = builder.program.threads.iter().flat_map(|thread| &thread.events);
    let is_glued = events.any(|event| event.is_glued);
    for (model, is_plain) in ALL.into_iter().filter(|(_, is_plain)| !(is_glued && *is_plain)) {
        let expected = explore(builder, model);
        let found = solve(builder, model, is_plain, LARGE);
        let missing: Vec<_> = expected.ends.difference(&found.ends).collect();
        let extra: Vec<_> = found.ends.difference(&expected.ends).collect();
        assert!(
            missing.is_empty() && extra.is_empty(),
            "{model:?}, plain: {is_plain}: missing {missing:?}, extra {extra:?} in\n{}",
            describe(&builder.terms, &builder.program)
        );
        let missing: Vec<_> = expected.prefixes.difference(&found.prefixes).collect();
        let extra: Vec<_> = found.prefixes.difference(&expected.prefixes).collect();
        assert!(
            missing.is_empty() && extra.is_empty(),
            "{model:?}, plain: {is_plain}, past a position: missing {missing:?}, extra {extra:?} in\n{}",
            describe(&builder.terms, &builder.program)
        );
        if !is_plain && !is_glued {
            assert_eq!(
                found.deadlocks,
                expected.deadlocks,
                "{model:?}, deadlocks in\n{}",
                describe(&builder.terms, &builder.program)
            );
        }
    }
}

/// Within these bounds there is nothing that the machine does not reach. The number of ends.
#[track_caller]
pub fn check_within(builder: &mut Builder, model: Model, bounds: Bounds) -> usize {
    let expected = explore(builder, model);
    let found = solve(builder, model, false, bounds);
    assert!(
        found.ends.is_subset(&expected.ends),
        "{model:?} {bounds:?}\n{}",
        describe(&builder.terms, &builder.program)
    );
    assert!(
        found.prefixes.is_subset(&expected.prefixes),
        "{model:?} {bounds:?}\n{}",
        describe(&builder.terms, &builder.program)
    );
    found.ends.len()
}

/// True if an execution within large bounds is past some positions of threads and has a property.
pub fn is_possible(builder: &mut Builder, model: Model, passed: &[(usize, usize)], property: TermId) -> bool {
    let encoded = encode(&mut builder.terms, &mut builder.variables, &builder.program, model, LARGE);
    let mut assumptions: Vec<TermId> = passed.iter().map(|&(thread, event)| encoded.executed[thread][event]).collect();
    assumptions.push(property);
    let mut solver = Enumeration::new(builder, encoded, None);
    solver.session.check(&solver.builder.terms, &assumptions) == Answer::Sat
}

pub fn explore(builder: &Builder, model: Model) -> Reachable {
    Machine { terms: &builder.terms, program: &builder.program, model }.explore()
}

/// The reachable results by the solver.
#[track_caller]
pub fn solve(builder: &mut Builder, model: Model, is_plain: bool, bounds: Bounds) -> Reachable {
    let Builder { terms, variables, program } = builder;
    let encoded = match is_plain {
        false => encode(terms, variables, program, model, bounds),
        true => super::super::encode_plain_tso(terms, variables, program, bounds),
    };
    let mut solver = Enumeration::new(builder, encoded, (!is_plain).then_some(model));
    let mut reachable = Reachable::default();
    let all: Vec<TermId> = solver.encoded.executed.iter().filter_map(|thread| thread.last().copied()).collect();
    let every = solver.events(|_, _| true);
    for values in solver.enumerate(&all, &every) {
        reachable.ends.insert(solver.results(&values));
    }
    for thread in 0..solver.encoded.executed.len() {
        for position in 0..solver.encoded.executed[thread].len() {
            let passed = solver.encoded.executed[thread][position];
            let events = solver.events(|t, event| t == thread && event <= position);
            for values in solver.enumerate(&[passed], &events) {
                reachable.prefixes.insert((thread, position, values));
            }
        }
    }
    if !is_plain {
        reachable.deadlocks = solver.deadlocks();
    }
    reachable
}

struct Enumeration<'a> {
    builder: &'a mut Builder,
    encoded: Encoded,
    session: Session,
    /// The model whose machine the executions replay on.
    replays: Option<Model>,
}

impl<'a> Enumeration<'a> {
    fn new(builder: &'a mut Builder, encoded: Encoded, replays: Option<Model>) -> Self {
        let mut session = Session::new();
        for &constraint in &encoded.constraints {
            session.assert(&builder.terms, constraint);
        }
        Self { builder, encoded, session, replays }
    }

    /// Positions of events, in order.
    fn events(&self, is_included: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
        let threads = self.builder.program.threads.iter().enumerate();
        let all = threads.flat_map(|(thread, events)| (0..events.events.len()).map(move |event| (thread, event)));
        all.filter(|&(thread, event)| is_included(thread, event)).collect()
    }

    /// All results of the events in executions in which some terms are 1.
    #[track_caller]
    fn enumerate(&mut self, assumptions: &[TermId], events: &[(usize, usize)]) -> Vec<Vec<Option<u128>>> {
        let mut found = Vec::new();
        let begin = self.builder.fresh(1);
        let mut assumptions = assumptions.to_vec();
        assumptions.push(begin);
        while self.session.check(&self.builder.terms, &assumptions) == Answer::Sat {
            let values: Vec<Option<u128>> = events.iter().map(|&event| self.result(event)).collect();
            self.check_replay();
            let mut differs = self.builder.terms.not(begin);
            for (&event, &value) in events.iter().zip(&values) {
                let same = self.is_result(event, value);
                let other = self.builder.terms.not(same);
                differs = self.builder.terms.or(differs, other);
            }
            self.session.assert(&self.builder.terms, differs);
            found.push(values);
        }
        found
    }

    /// Where the threads wait in executions after which none goes on.
    fn deadlocks(&mut self) -> BTreeSet<Vec<Option<usize>>> {
        let waiting = self.encoded.waiting.clone();
        let terms = &mut self.builder.terms;
        let mut assumptions = waiting.presupposed;
        let (no, mut some) = (terms.boolean(false), terms.boolean(false));
        for (executed, waits) in self.encoded.executed.iter().zip(&waiting.events) {
            let waits = waits.iter().fold(no, |any, &(_, waits)| terms.or(any, waits));
            some = terms.or(some, waits);
            let ended = executed.last().copied().unwrap_or_else(|| terms.boolean(true));
            assumptions.push(terms.or(ended, waits));
        }
        let begin = self.builder.fresh(1);
        assumptions.extend([some, begin]);
        let mut found = BTreeSet::new();
        while self.session.check(&self.builder.terms, &assumptions) == Answer::Sat {
            let terms = &mut self.builder.terms;
            let (mut ends, mut differs) = (Vec::new(), terms.not(begin));
            for waits in &waiting.events {
                let at = waits.iter().find(|&&(_, waits)| self.session.value(terms, waits) == 1);
                ends.push(at.map(|&(event, _)| event));
                for &(_, waits) in waits {
                    let is_it = self.session.value(terms, waits) == 1;
                    let other = if is_it { terms.not(waits) } else { waits };
                    differs = terms.or(differs, other);
                }
            }
            self.session.assert(terms, differs);
            found.insert(ends);
        }
        found
    }

    /// The result of an event in the solver's model.
    fn result(&self, (thread, event): (usize, usize)) -> Option<u128> {
        let event = &self.builder.program.threads[thread].events[event];
        let value = |term| self.session.value(&self.builder.terms, term);
        event.operation.result().filter(|_| value(event.guard) == 1).map(value)
    }

    fn is_result(&mut self, (thread, event): (usize, usize), value: Option<u128>) -> TermId {
        let terms = &mut self.builder.terms;
        let event = &self.builder.program.threads[thread].events[event];
        let Some(result) = event.operation.result() else { return terms.boolean(true) };
        let Some(value) = value else { return terms.not(event.guard) };
        let value = terms.constant(value, terms.width(result));
        let same = terms.eq(result, value);
        terms.and(event.guard, same)
    }

    /// The execution of the solver's model has the same results on the machine.
    #[track_caller]
    fn check_replay(&self) {
        let Some(model) = self.replays else { return };
        let value = |term| self.session.value(&self.builder.terms, term);
        let machine = Machine { terms: &self.builder.terms, program: &self.builder.program, model };
        let actions = self.encoded.actions(false, value);
        let replayed = machine.replay(&actions).results;
        for (thread, event) in self.events(|_, _| true) {
            let is_executed = value(self.encoded.executed[thread][event]) == 1;
            let expected = if is_executed { self.result((thread, event)) } else { None };
            assert_eq!(replayed[thread][event], expected, "{model:?} {thread} {event} {actions:?}");
        }
    }

    /// Results of all events, by thread.
    fn results(&self, values: &[Option<u128>]) -> Results {
        let mut values = values.iter().copied();
        let threads = self.builder.program.threads.iter();
        threads.map(|thread| values.by_ref().take(thread.events.len()).collect()).collect()
    }
}
