//! What a complete execution teaches: its races, reversed, are beginnings of other executions.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::search::{Attempt, Search, Wait};
use super::sequence::{self, Sequence, Start};
use super::wakeup::{Answers, Branch};
use crate::engine::EngineError;
use crate::engine::stateless::bits::Bits;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::execution::{Race, Reversal};
use crate::system::EnablingRelease;

impl Search<'_> {
    /// Plans the reversal of every race of the execution. `waiting`: steps that could not be taken at its end.
    ///
    /// Also of those that an earlier execution had: what does not depend on the first event goes on to the end of this one, and may be different there
    /// (Abdulla et al., POPL 2014, algorithm 2; to look at a race only once misses executions, `tests/programs/traces/races_again.c`). But not of those that are covered: see `sequence.rs`.
    pub(super) fn reverse_races(&mut self, waiting: Vec<Rc<Event>>) {
        self.settled = self.execution.common_past(self.fresh);
        for race in 0..self.execution.races().len() {
            if self.is_halted() {
                return;
            }
            if !self.is_known_reversed(self.execution.races()[race].reversal) {
                self.reverse(race);
            }
        }
        // An attempt at the end is treated as if it were the execution's last event, of which every conflict is a race.
        for event in waiting {
            let known = self.execution.races().len();
            self.execution.push(event);
            for race in known..self.execution.races().len() {
                if !self.is_halted() {
                    self.reverse(race);
                }
            }
            self.execution.pop();
        }
        self.fresh = self.execution.len();
    }

    /// Whether nothing new would come of reversing a race again. What was planned in the execution before, up to position `reach` there, is planned the same if
    /// all that is new happens after it.
    #[inline]
    fn is_known_reversed(&self, reversal: Reversal) -> bool {
        match reversal {
            Reversal::Impossible | Reversal::Covered => true,
            Reversal::Planned { before, reach } => {
                (reach as usize) < self.fresh && self.settled.contains(before as usize)
            }
            Reversal::Open | Reversal::InSeveralPlaces => false,
        }
    }

    /// Plans executions in which an event comes before what it races with; if it would have to wait there, before something earlier.
    fn reverse(&mut self, race: usize) {
        let Race { first, second, reversal } = self.execution.races()[race];
        let second = second as usize;
        let places = match reversal {
            Reversal::Planned { before, .. } => smallvec![before as usize],
            _ => self.places_for(first as usize, second),
        };
        let reversals: SmallVec<[Reversal; 2]> = places.iter().map(|&before| self.plan(before, second)).collect();
        let reversal = match reversals[..] {
            [] => Reversal::Impossible,
            [one] => one,
            _ if reversals.iter().all(|reversal| matches!(reversal, Reversal::Covered)) => Reversal::Covered,
            _ => Reversal::InSeveralPlaces,
        };
        self.execution.set_reversal(race, reversal);
    }

    /// The last position, from that of the first event of a race back, where the second may come instead. Nothing that comes after the second event matters.
    ///
    /// If that is not where the first event is, then also the last position of those before it that it does not happen after, and so on: what made the second event
    /// wait may be earlier, and what comes in between may decide only what the event is, as a signal makes the wait it ends go on where it would have timed out
    /// (`tests/programs/sync/signal_during_section.c`).
    fn places_for(&mut self, first: usize, second: usize) -> SmallVec<[usize; 2]> {
        let event = Rc::clone(self.execution.event(second));
        let mut places = SmallVec::new();
        let mut at = first;
        let mut open = None;
        loop {
            let handover = self.execution.event(at).hands_over_to(&event);
            let is_possible =
                handover.is_none() && (!self.may_wait_before(at, &event) || self.can_come_first(at, second));
            if is_possible {
                places.push(at);
                if at == first {
                    return places;
                }
            }
            let open = open.get_or_insert_with(|| self.could_race(second));
            if is_possible || handover == Some(EnablingRelease::End) {
                open.subtract(self.execution.past(at));
            }
            open.cut(at);
            let Some(earlier) = self.last_race(open, &event) else { return places };
            at = earlier;
        }
    }

    /// The positions of events before one with which it may conflict, and which it might come before as far as its own thread is concerned.
    fn could_race(&self, second: usize) -> Bits {
        let mut open = self.execution.near(self.execution.event(second));
        open.keep(self.execution.past(second));
        // It cannot come before what it comes right after in its thread, and so not before anything that happens before that.
        let previous = self.execution.previous_of(second);
        previous.iter().for_each(|&at| open.subtract(self.execution.past(at)));
        open
    }

    /// The last of some positions where there is an event that conflicts with this one and may be put in either order with it. Takes out those it looked at.
    fn last_race(&self, open: &mut Bits, event: &Event) -> Option<usize> {
        loop {
            let at = open.take_highest()?;
            if !self.execution.event(at).is_in_order(event) && self.execution.conflict(at, event) {
                return Some(at);
            }
        }
    }

    /// Whether an event may have to wait where the one at position `first` is: at an instruction that may wait, for the end of an atomic section, or where it
    /// would not go wrong, and so gets to what it waits for.
    fn may_wait_before(&self, first: usize, event: &Event) -> bool {
        let in_section = || self.execution.event(first).in_section;
        event.label.store.is_none() && (event.ends || in_section() || self.waiting.contains(&event.place))
    }

    /// Plans the second event before the first, after what does not depend on the first.
    fn plan(&mut self, first: usize, second: usize) -> Reversal {
        self.statistics.races_reversed += 1;
        let ending = self.foretell(first, second);
        let sleep = &self.sleep[self.sleep_range(first)];
        let is_as_it_was = Rc::ptr_eq(&ending, self.execution.event(second));
        if !self.source && is_as_it_was && sequence::is_covered(&self.execution, first, second, sleep) {
            return Reversal::Covered;
        }
        let mut sequence = Sequence::reversing(&self.execution, first, second, ending);
        let reach = sequence.reach();
        let next = &mut self.nodes[first].next;
        let start = if self.source {
            sequence.insert_initial(next, sleep);
            Start::Other
        } else {
            sequence.asleep(sleep).unwrap_or_else(|| sequence.insert(next, sleep))
        };
        let Event { label, place, ends, .. } = **self.execution.event(second);
        if sequence.differs() && label.store.is_none() && !ends {
            self.varies(place);
        }
        match start {
            Start::Necessary => Reversal::Covered,
            Start::Other => Reversal::Planned { before: first as u32, reach: reach as u32 },
        }
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
        let mut tried = None;
        while let Some(label) = self.label_after(tried) {
            tried = Some(label);
            let node = self.nodes.last().expect("a state");
            let asleep = &self.sleep[self.sleep_range(self.nodes.len() - 1)];
            let known = asleep.iter().chain(node.next.iter().map(|branch| &branch.first().event));
            let ends =
                known.chain([&event]).find(|known| known.label == label && !known.partly).map(|known| known.ends);
            if let Some(ends) = ends {
                goes_on |= !ends;
                continue;
            }
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
                Attempt::Waits(_, Wait::Blocked) if self.has_pending(label.thread) => {}
                Attempt::Waits(_, Wait::Exit) => {}
                Attempt::Waits(other, _) => waiting.push(other),
                Attempt::Cut => {}
            }
        }
        // Where nothing else can happen, there is no other execution in which what waits would be found to be waiting.
        if !goes_on && !waiting.is_empty() {
            self.reverse_races(waiting);
        }
        self.in_place = false;
        self.sleep(event);
        Ok(())
    }

    /// Whether all that begins with an event from the last state is found where something else comes first that was or will be explored from there.
    fn is_covered(&self, event: &Event) -> bool {
        let asleep = &self.sleep[self.sleep_range(self.nodes.len() - 1)];
        let planned = self.nodes[self.nodes.len() - 1].next.iter().map(|branch| &branch.first().event);
        let known = asleep.iter().chain(planned);
        !self.source && known.into_iter().any(|first| !first.partly && !self.wakes(first, event))
    }
}
