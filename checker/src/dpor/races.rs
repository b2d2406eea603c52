//! What a complete execution teaches: its races, reversed, are beginnings of other executions.

use std::rc::Rc;

use super::event::Event;
use super::execution::{Race, Reversal};
use super::search::{Attempt, Search, Wait};
use super::wakeup::{Answers, Branch, Sequence};
use crate::explore::EngineError;
use crate::system::{Handover, Script, StepEnd};

impl Search<'_> {
    /// Plans the reversal of every race of the execution. `waiting`: steps that could not be taken at its end.
    ///
    /// Also of those that an earlier execution had: what does not depend on the first event goes on to the end of this one, and may be different there
    /// (Abdulla et al., POPL 2014, algorithm 2; to look at a race only once misses executions, `tests/programs/traces/races_again.c`).
    pub(super) fn reverse_races(&mut self, waiting: Vec<Rc<Event>>) {
        for second in 0..self.execution.len() {
            self.reverse_races_of(second);
        }
        // An attempt at the end is treated as if it were the execution's last event, of which every conflict is a race.
        for event in waiting {
            self.execution.push(event);
            self.reverse_races_of(self.execution.len() - 1);
            self.execution.pop();
        }
        self.fresh = self.execution.len();
    }

    fn reverse_races_of(&mut self, second: usize) {
        for race in 0..self.execution.races(second).len() {
            self.reverse(second, race);
        }
    }

    /// Plans an execution in which an event comes before what it races with; if it would have to wait there, before something earlier.
    fn reverse(&mut self, second: usize, race: usize) {
        let Race { first, reversal } = self.execution.races(second)[race];
        let before = match reversal {
            Reversal::Impossible => return,
            Reversal::Planned { before, reach } if self.would_plan_the_same(before as usize, reach as usize) => return,
            Reversal::Planned { before, .. } => Some(before as usize),
            Reversal::Open => self.place_for(first as usize, second),
        };
        let reversal = before.map_or(Reversal::Impossible, |at| Reversal::Planned {
            before: at as u32,
            reach: self.plan(at, second) as u32,
        });
        self.execution.set_reversal(second, race, reversal);
    }

    /// Whether reversing a race to come before position `before` plans what was planned in the execution before, there up to position `reach`.
    fn would_plan_the_same(&self, before: usize, reach: usize) -> bool {
        reach < self.fresh && (self.fresh..self.execution.len()).all(|at| self.execution.happens_before(before, at))
    }

    /// The last position, from that of the first event of a race back, where the second may come instead. Nothing that comes after the second event matters.
    fn place_for(&mut self, first: usize, second: usize) -> Option<usize> {
        let event = Rc::clone(self.execution.event(second));
        // What the second event cannot come before, and so not before anything that happens before that.
        let mut needed = self.execution.previous_of(second);
        let mut first = Some(first);
        while let Some(at) = first {
            match self.execution.event(at).hands_over_to(&event) {
                Some(Handover::End) => needed.push(at),
                Some(Handover::Mutex) => {}
                None if self.may_wait_before(at, &event) && !self.can_come_first(at, second) => {}
                None => return Some(at),
            }
            first = (0..at).rev().find(|&at| self.would_race(at, second, &needed));
        }
        None
    }

    /// Whether an event may have to wait where the one at position `first` is: at an instruction that may wait, for the end of an atomic section, or where it
    /// would not go wrong, and so gets to what it waits for.
    fn may_wait_before(&self, first: usize, event: &Event) -> bool {
        let in_section = || self.execution.event(first).in_section;
        event.label.store.is_none() && (event.ends || in_section() || self.waiting.contains(&event.place))
    }

    /// Whether two events of the execution conflict and may be put in either order.
    fn would_race(&self, at: usize, second: usize, needed: &[usize]) -> bool {
        let event = self.execution.event(second);
        !self.execution.event(at).is_in_order(event)
            && self.execution.happens_before(at, second)
            && !needed.iter().any(|&later| self.execution.happens_before(at, later))
            && self.execution.conflict(at, event)
    }

    /// Whether the second event's step can be taken before the first, after what does not depend on the first: tried out.
    fn can_come_first(&mut self, first: usize, second: usize) -> bool {
        self.restore(first);
        self.in_place = false;
        // What does not happen before the second event does not matter to it.
        let matters =
            |at: usize| self.execution.happens_before(at, second) && !self.execution.happens_before(first, at);
        let between: Vec<_> = (first + 1..second).filter(|&at| matters(at)).collect();
        for &at in &between {
            if !self.run_again(&Rc::clone(self.execution.event(at))) {
                return false;
            }
        }
        let thread = self.execution.event(second).label.thread;
        self.could_step(thread, |at| at < first || between.binary_search(&at).is_ok())
    }

    /// Takes a step or an update again, from the state the machine is in. False: it has to wait.
    fn run_again(&mut self, event: &Event) -> bool {
        match event.label.store {
            Some(store) => self.machine.update(event.label.thread, store).is_some(),
            None => {
                self.machine.script = Script::prescribed(&event.answers);
                self.machine.step(event.label.thread) == StepEnd::Done
            }
        }
    }

    /// Plans the second event before the first, after all that does not depend on the first. Answers the last position of that.
    fn plan(&mut self, first: usize, second: usize) -> usize {
        self.statistics.races_reversed += 1;
        let node = &mut self.nodes[first];
        let sequence = Sequence::reversing(&self.execution, first, second);
        let reach = sequence.reach();
        if self.source {
            sequence.insert_initial(&mut node.next, &node.sleep);
        } else if !sequence.is_asleep(&node.sleep) {
            sequence.insert(&mut node.next);
        }
        reach
    }

    /// An event after which nothing can follow: whatever else was possible is to be explored before it.
    pub(super) fn ended(&mut self, event: Rc<Event>) -> Result<(), EngineError> {
        if self.is_pruned {
            self.statistics.blocked_executions += 1;
            self.statistics.assumption_blocked_executions += 1;
        } else {
            self.statistics.executions += 1;
            self.check_robustness();
        }
        self.reverse_races(Vec::new());
        self.execution.pop();
        self.fresh = self.fresh.min(self.execution.len());
        self.in_place = false;
        let (mut waiting, mut goes_on) = (Vec::new(), false);
        for label in self.labels() {
            let node = self.nodes.last().expect("a state");
            let known = node.sleep.iter().chain(node.next.iter().map(Branch::first));
            let ends =
                known.chain([&event]).find(|known| known.label == label && !known.partly).map(|known| known.ends);
            if let Some(ends) = ends {
                goes_on |= !ends;
                continue;
            }
            let has_pending = self.has_pending(label.thread);
            let attempt = self.attempt(label, &Answers::All)?;
            self.in_place = false;
            match attempt {
                Attempt::Taken(other) => {
                    goes_on = true;
                    if !self.is_covered(&other) {
                        let branch = Branch::new(other, Answers::All);
                        self.nodes.last_mut().expect("a state").next.push(branch);
                    }
                }
                Attempt::Waits(_, Wait::Blocked) if has_pending => {}
                Attempt::Waits(other, _) => waiting.push(other),
                Attempt::Cut => {}
            }
        }
        // Where nothing else can happen, there is no other execution in which what waits would be found to be waiting.
        if !goes_on {
            self.reverse_races(waiting);
        }
        self.in_place = false;
        self.sleep(event);
        Ok(())
    }

    /// Whether all that begins with an event from the last state is found where something else comes first that was or will be explored from there.
    fn is_covered(&self, event: &Event) -> bool {
        let node = self.nodes.last().expect("a state");
        let known = node.sleep.iter().chain(node.next.iter().map(Branch::first));
        !self.source && known.into_iter().any(|first| !first.partly && !self.wakes(first, event))
    }
}
