//! The execution of a model of the constraints, as steps and updates in global order.

use rmc_formula::TermId;

use super::access::Access;
use super::events::{Action, Barrier, Model};
use super::memory::EventTimes;
use super::rounds::Rounds;
use super::waiting::Waiting;

/// The constraints, and the terms by which an execution is read from a model of them.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// Terms of 1 bit that are 1 in the executions.
    pub constraints: Vec<TermId>,
    /// For each thread and position: the execution is past the position at its end.
    pub executed: Vec<Vec<TermId>>,
    /// Who waits then.
    pub waiting: Waiting,
    /// The times of the events, under TSO and PSO, unless these are SC within the bounds.
    pub(super) times: Option<Vec<Vec<EventTimes>>>,
    pub(super) accesses: Vec<Vec<Access>>,
    pub(super) rounds: Rounds,
    pub(super) model: Model,
}

impl Encoded {
    /// The execution of a model, which gives values to terms: its events whose guards are 1, and the
    /// moments at which their stores leave the buffers. A store may still be in a buffer at the end, unless
    /// `settles`.
    ///
    /// A fence whose thread has stores in its buffer waits until they have left it, and the thread's
    /// invisible events after it wait, too: until the thread's next visible event, or until the end
    /// (`memory/times.rs`).
    pub fn actions(&self, settles: bool, value: impl FnMut(TermId) -> u128) -> Vec<Action> {
        let threads = self.accesses.len();
        let waiting = vec![Vec::new(); threads];
        let execution = Execution { actions: Vec::new(), now: 0, buffered: Vec::new(), waiting };
        let mut replay = Replay { encoded: self, value, execution };
        replay.run();
        if settles {
            replay.execution.advance(u128::MAX);
        }
        replay.execution.actions
    }
}

/// A store in a buffer.
#[derive(Clone, Copy, Debug)]
struct Buffered {
    stamp: u128,
    thread: usize,
    event: usize,
}

/// An execution up to some moment.
struct Execution {
    actions: Vec<Action>,
    /// The clock.
    now: u128,
    /// The stores in buffers, in the order in which they were issued.
    buffered: Vec<Buffered>,
    /// For each thread: the events that wait behind a fence, or are one.
    waiting: Vec<Vec<usize>>,
}

impl Execution {
    /// The clock becomes `time`: stores that are due reach memory, by their timestamps.
    fn advance(&mut self, time: u128) {
        self.now = self.now.max(time);
        let now = self.now;
        let mut due: Vec<Buffered> = self.buffered.extract_if(.., |store| store.stamp <= now).collect();
        due.sort_by_key(|store| store.stamp);
        self.actions.extend(due.iter().map(|&Buffered { thread, event, .. }| Action::Update { thread, event }));
    }
}

struct Replay<'a, F> {
    encoded: &'a Encoded,
    value: F,
    execution: Execution,
}

impl<F: FnMut(TermId) -> u128> Replay<'_, F> {
    fn run(&mut self) {
        for thread in 0..self.encoded.accesses.len() {
            self.steps(0, thread, false);
        }
        for round in 0..self.encoded.rounds.count() {
            for thread in 0..self.encoded.accesses.len() {
                self.steps(round, thread, true);
            }
        }
        if self.execution.waiting.iter().any(|events| !events.is_empty()) {
            self.execution.advance(u128::MAX);
        }
        for thread in 0..self.encoded.accesses.len() {
            self.resume(thread);
        }
    }

    /// The events of a thread that are executed in a round, or before the first.
    fn steps(&mut self, round: usize, thread: usize, is_in_round: bool) {
        for event in 0..self.encoded.accesses[thread].len() {
            let is_now = match self.encoded.rounds.within(round, thread, event) {
                Some(within) => is_in_round && (self.value)(within) == 1,
                None => !is_in_round,
            };
            if is_now && (self.value)(self.encoded.accesses[thread][event].guard) == 1 {
                self.step(thread, event);
            }
        }
    }

    fn step(&mut self, thread: usize, event: usize) {
        if let Some(clock) = self.time(thread, event, |times| times.clock) {
            self.execution.advance(clock);
            self.resume(thread);
            return self.issue(thread, event);
        }
        let is_fence = self.encoded.accesses[thread][event].barrier == Some(Barrier::Full);
        let execution = &self.execution;
        let is_buffering = execution.buffered.iter().any(|store| store.thread == thread);
        if is_fence && is_buffering || !execution.waiting[thread].is_empty() {
            self.execution.waiting[thread].push(event);
        } else {
            self.issue(thread, event);
        }
    }

    /// The events that wait happen.
    fn resume(&mut self, thread: usize) {
        for event in std::mem::take(&mut self.execution.waiting[thread]) {
            self.issue(thread, event);
        }
    }

    /// An event happens.
    fn issue(&mut self, thread: usize, event: usize) {
        self.execution.actions.push(Action::Step { thread, event });
        if self.encoded.accesses[thread][event].is_buffered && self.encoded.model != Model::Sc {
            let stamp = self.time(thread, event, |times| times.stamp).unwrap_or(self.execution.now);
            self.execution.buffered.push(Buffered { stamp, thread, event });
            self.execution.advance(self.execution.now);
        }
    }

    /// A time of an event, if it has it.
    fn time(&mut self, thread: usize, event: usize, of: impl Fn(&EventTimes) -> Option<TermId>) -> Option<u128> {
        let times = &self.encoded.times.as_ref()?[thread][event];
        of(times).map(&mut self.value)
    }
}
