//! Tests of the search on abstract programs, without a machine: every trace is explored once.
//!
//! A thread loads and stores words. The explorer here is `search.rs` without the parts that only a machine
//! needs: waiting, questions, limits, caches. Executions, sleep sets, wakeup trees, races and sequences are
//! the real ones. The traces of a program are found independently, as the pairs of reads-from and coherence
//! order over all interleavings.

use std::collections::BTreeSet;
use std::rc::Rc;

use rmc_runtime::Model;
use smallvec::smallvec;

use super::exploration::Exploration;
use super::wakeup::Branch;
use crate::engine::stateless::event::{Action, Event, EventFootprint, EventKind, StepEvent, UpdateEvent};
use crate::engine::stateless::execution::{Race, Reversal};
use crate::engine::stateless::state_cache::{StateCache, StateId};
use crate::engine::stateless::test_events::{PLACE, touch};
use crate::hash::FxHashSet;
use crate::system::{FootprintEntry, Layout};

const OBJECTS: usize = 4;
const X: usize = 0;
const Y: usize = 1;
const Z: usize = 2;
const W: usize = 3;

/// An operation of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Op {
    Load(usize),
    Store(usize),
    /// Skips the next `count` operations, unless `initial` says correctly whether the load of this number
    /// read the initial value. This is no event.
    Unless {
        load: usize,
        initial: bool,
        count: usize,
    },
}

use Op::{Load, Store, Unless};

type Program = Vec<Vec<Op>>;

/// A buffered store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Buffered {
    number: u32,
    object: usize,
}

/// A state with its history. Values are ids of stores; the initial value is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct State {
    pcs: Vec<usize>,
    buffers: Vec<Vec<Buffered>>,
    pushed: Vec<u32>,
    reads: Vec<Vec<u32>>,
    /// The stores to each object in coherence order.
    coherence: [Vec<u32>; OBJECTS],
}

/// Reads-from and coherence order of an execution.
type Trace = (Vec<Vec<u32>>, [Vec<u32>; OBJECTS]);

fn store_id(thread: usize, number: u32) -> u32 {
    thread as u32 * 100 + number + 1
}

impl State {
    fn first(program: &Program) -> Self {
        let threads = program.len();
        Self {
            pcs: vec![0; threads],
            buffers: vec![Vec::new(); threads],
            pushed: vec![0; threads],
            reads: vec![Vec::new(); threads],
            ..Self::default()
        }
    }

    /// The next operation of a thread that is an event.
    fn next(&self, program: &Program, thread: usize) -> Option<(usize, Op)> {
        let mut at = self.pcs[thread];
        loop {
            match *program[thread].get(at)? {
                Unless { load, initial, count } => {
                    at += if (self.reads[thread][load] == 0) == initial { 1 } else { 1 + count };
                }
                op => return Some((at, op)),
            }
        }
    }

    fn actions(&self, program: &Program, model: Model) -> Vec<Action> {
        let mut actions = Vec::new();
        for (thread, buffer) in self.buffers.iter().enumerate() {
            let is_ready = |at: usize| match model {
                Model::Pso => buffer[..at].iter().all(|older| older.object != buffer[at].object),
                _ => at == 0,
            };
            let ready = (0..buffer.len()).filter(|&at| is_ready(at));
            actions.extend(ready.map(|at| Action::update(thread, buffer[at].number)));
        }
        let threads = (0..program.len()).filter(|&thread| self.next(program, thread).is_some());
        actions.extend(threads.map(Action::step));
        actions
    }

    fn take(&mut self, program: &Program, model: Model, action: Action) -> Event {
        let Action { thread, store } = action;
        if let Some(number) = store {
            return self.update(thread, number, model);
        }
        let (at, op) = self.next(program, thread).expect("a step that is possible");
        self.pcs[thread] = at + 1;
        match op {
            Load(object) => self.load(thread, object),
            _ if model == Model::Sc => {
                let Store(object) = op else { unreachable!("a store") };
                self.pushed[thread] += 1;
                self.coherence[object].push(store_id(thread, self.pushed[thread] - 1));
                Event::step(thread, smallvec![touch(object as u32, true)], StepEvent::at(PLACE))
            }
            Store(object) => {
                let number = self.pushed[thread];
                self.pushed[thread] += 1;
                self.buffers[thread].push(Buffered { number, object });
                let step = StepEvent { pushed: number..number + 1, ..StepEvent::at(PLACE) };
                Event::step(thread, EventFootprint::new(), step)
            }
            Unless { .. } => unreachable!("no event"),
        }
    }

    fn load(&mut self, thread: usize, object: usize) -> Event {
        let own = self.buffers[thread].iter().rev().find(|store| store.object == object).map(|store| store.number);
        let memory = self.coherence[object].last().copied().unwrap_or(0);
        self.reads[thread].push(own.map_or(memory, |number| store_id(thread, number)));
        let touch = FootprintEntry { own, ..touch(object as u32, false) };
        Event::step(thread, smallvec![touch], StepEvent::at(PLACE))
    }

    fn update(&mut self, thread: usize, number: u32, model: Model) -> Event {
        let at = self.buffers[thread].iter().position(|store| store.number == number).expect("a buffered store");
        let Buffered { object, .. } = self.buffers[thread].remove(at);
        self.coherence[object].push(store_id(thread, number));
        let mut event = Event::step(thread, smallvec![touch(object as u32, true)], StepEvent::at(PLACE));
        let barrier_epoch = if model == Model::Pso { 0 } else { number };
        event.action = Action::update(thread, number);
        event.kind = EventKind::Update(UpdateEvent { barrier_epoch, copy: 0, lost: false });
        event
    }

    fn trace(&self) -> Trace {
        (self.reads.clone(), self.coherence.clone())
    }
}

/// The traces of all interleavings.
fn traces(program: &Program, model: Model) -> BTreeSet<Trace> {
    let mut found = BTreeSet::new();
    let mut known = FxHashSet::default();
    let mut open = vec![State::first(program)];
    while let Some(state) = open.pop() {
        let actions = state.actions(program, model);
        if actions.is_empty() {
            found.insert(state.trace());
        }
        for action in actions {
            let mut next = state.clone();
            next.take(program, model, action);
            if known.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    found
}

struct Explorer<'p> {
    program: &'p Program,
    model: Model,
    exploration: Exploration,
    states: Vec<State>,
    /// The id that stands for all states, whose vectors are not needed.
    id: StateId,
    found: Vec<Trace>,
    sleep_blocked: usize,
}

impl<'p> Explorer<'p> {
    fn explore(program: &'p Program, model: Model, is_source: bool) -> Self {
        let id = StateCache::default().add(&[], 0, Layout::default(), 0);
        let exploration = Exploration::new(model, is_source);
        let states = vec![State::first(program)];
        let mut explorer = Self { program, model, exploration, states, id, found: Vec::new(), sleep_blocked: 0 };
        explorer.exploration.enter(id, Vec::new(), 0);
        while !explorer.exploration.stack.is_empty() {
            explorer.go_on();
        }
        explorer
    }

    fn go_on(&mut self) {
        let node = self.exploration.stack.last_mut();
        if let Some((planned, _, tree)) = Branch::begin(&mut node.tree) {
            node.taken = true;
            let (depth, is_last) = (self.exploration.stack.len(), tree.is_empty());
            self.take(planned.action, tree);
            let event = self.exploration.prefix.execution.event(depth - 1);
            assert!(event.has_same_conflicts(&planned), "a blind store or a load is the same everywhere");
            if is_last && !self.exploration.is_source {
                assert!(self.exploration.stack.sleep_set(depth).is_empty(), "a plan wakes all that sleeps");
            }
        } else if node.taken {
            self.exploration.leave();
            self.states.pop();
        } else {
            node.taken = true;
            self.extend();
        }
    }

    fn extend(&mut self) {
        let actions = self.states[self.states.len() - 1].actions(self.program, self.model);
        match actions.iter().find(|&&action| !self.exploration.stack.is_asleep(action)) {
            Some(&action) => self.take(action, Vec::new()),
            None if actions.is_empty() => {
                self.found.push(self.states[self.states.len() - 1].trace());
                self.reverse_races();
            }
            None => {
                self.sleep_blocked += 1;
                self.reverse_races();
            }
        }
    }

    fn take(&mut self, action: Action, tree: Vec<Branch>) {
        let mut state = self.states[self.states.len() - 1].clone();
        let event = state.take(self.program, self.model, action);
        self.exploration.prefix.execution.push(Rc::new(event));
        self.exploration.enter(self.id, tree, 0);
        self.states.push(state);
    }

    fn reverse_races(&mut self) {
        self.exploration.note_new_events();
        for race in 0..self.exploration.prefix.execution.races().len() {
            let Race { first, second, reversal } = self.exploration.prefix.execution.races()[race];
            if self.exploration.is_known_reversed(reversal) {
                continue;
            }
            let ending = Rc::clone(self.exploration.prefix.execution.event(second as usize));
            let (reversal, _) = self.exploration.plan_ending(first as usize, second as usize, ending);
            assert!(!matches!(reversal, Reversal::Open));
            self.exploration.prefix.execution.set_reversal(race, reversal);
        }
        self.exploration.note_reversed();
    }
}

#[track_caller]
fn check(program: &Program, model: Model) -> usize {
    let expected = traces(program, model);
    let optimal = Explorer::explore(program, model, false);
    let found: BTreeSet<_> = optimal.found.iter().cloned().collect();
    assert_eq!(found, expected, "{program:?} under {model:?}");
    assert_eq!((optimal.found.len(), optimal.sleep_blocked), (expected.len(), 0), "{program:?} under {model:?}");
    let source = Explorer::explore(program, model, true);
    let found: BTreeSet<_> = source.found.iter().cloned().collect();
    assert_eq!(found, expected, "{program:?} under {model:?}, Source-DPOR");
    assert_eq!(source.found.len(), expected.len(), "{program:?} under {model:?}, Source-DPOR");
    expected.len()
}

/// All programs with so many operations of each thread on two objects. Of programs that differ only in the
/// names of threads or of objects, at least one is there.
fn programs(lengths: &[usize]) -> impl Iterator<Item = Program> {
    let operations = [Load(X), Store(X), Load(Y), Store(Y)];
    let total: usize = lengths.iter().sum();
    let all = (0..4_usize.pow(total as u32)).map(move |number| {
        let mut digits = (0..total).map(move |at| operations[number / 4_usize.pow(at as u32) % 4]);
        lengths.iter().map(|&length| digits.by_ref().take(length).collect()).collect::<Program>()
    });
    let is_canonical = |program: &Program| {
        let begins_with_x = matches!(program[0][0], Load(X) | Store(X));
        begins_with_x && program.windows(2).all(|pair| pair[0].len() != pair[1].len() || pair[0] <= pair[1])
    };
    all.filter(is_canonical)
}

#[test]
fn every_trace_of_small_programs_is_explored_once() {
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let programs: Vec<_> = programs(&[2, 2]).chain(programs(&[3, 2])).chain(programs(&[2, 1, 1])).collect();
        assert!(programs.len() > 500);
        programs.iter().for_each(|program| {
            check(program, model);
        });
    }
}

#[test]
fn every_trace_of_three_threads_is_explored_once() {
    programs(&[2, 2, 2]).for_each(|program| {
        check(&program, Model::Sc);
    });
    programs(&[2, 2, 1]).for_each(|program| {
        check(&program, Model::Tso);
    });
}

/// The program of section 2 of Abdulla, Aronis, Jonsson and Sagonas, POPL 2014: a writer and two readers.
#[test]
fn a_writer_and_readers_have_four_traces() {
    let program = vec![vec![Store(X)], vec![Load(Y), Load(X)], vec![Load(Z), Load(X)]];
    assert_eq!(check(&program, Model::Sc), 4);
}

/// Store buffering has one trace more under TSO than under SC: both loads see the initial values.
#[test]
fn store_buffering_has_four_traces_under_tso() {
    let program = vec![vec![Store(X), Load(Y)], vec![Store(Y), Load(X)]];
    assert_eq!([Model::Sc, Model::Tso, Model::Pso].map(|model| check(&program, model)), [3, 4, 4]);
}

/// `tests/programs/traces/races_again.c`: an execution is lost if a race is reversed only where it was seen
/// first.
#[test]
fn a_race_is_reversed_again_where_later_events_differ() {
    let program = vec![
        vec![Load(Y), Store(X), Load(Z)],
        vec![Store(Y), Store(Z), Load(W)],
        vec![Store(W), Store(W), Load(X), Load(Z)],
    ];
    assert_eq!([Model::Sc, Model::Tso, Model::Pso].map(|model| check(&program, model)), [28, 48, 48]);
}

/// The program of section 4.3 of the same paper, for which sleep sets alone block an execution: steps of a
/// thread depend on values that it read.
#[test]
fn a_plan_is_a_sequence_where_source_sets_would_block() {
    let program = vec![
        vec![Store(X)],
        vec![Store(Y)],
        vec![Load(Y), Unless { load: 0, initial: true, count: 1 }, Store(Z)],
        vec![
            Load(Z),
            Load(Y),
            Unless { load: 0, initial: false, count: 2 },
            Unless { load: 1, initial: true, count: 1 },
            Store(X),
        ],
    ];
    let expected = traces(&program, Model::Sc);
    let optimal = Explorer::explore(&program, Model::Sc, false);
    assert_eq!((optimal.found.len(), optimal.sleep_blocked), (expected.len(), 0));
}
