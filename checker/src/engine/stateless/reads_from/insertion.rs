//! Following a branch without deciding a history: its step is inserted into the current execution, where its
//! sources are in memory.
//!
//! The steps on which it depends may come later there. They are moved before it: what they read is the same
//! then, since each of their sources is one of them or comes before, and of the others fewer come before.
//! What the remaining steps read may be something else, or the step may overwrite what they read. Then it is
//! the search for a witness that decides, unless it is clear that there is none: the step waits because of
//! these sources, or another step reads and overwrites the same.

use std::rc::Rc;

use rmc_consistency::Place;

use super::candidate::Candidate;
use super::memory::{Part, Parts};
use super::node::Child;
use super::outcomes::Outcome;
use super::removal::Removed;
use super::search::{Placed, Search};
use super::witness::{Followed, has_sources};
use crate::engine::EngineError;
use crate::engine::stateless::accesses::without;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::sources::Writer;

/// The events after an inserted step.
struct Later {
    /// The events.
    events: Vec<Rc<Event>>,
    /// True if they find their sources, unless the step overwrites them.
    find_sources: bool,
}

impl Search<'_> {
    /// Takes the other steps as they were taken before, and the node's step where its sources are in memory:
    /// in the last such place, after the steps on which it depends.
    pub(super) fn follow_inserted(&mut self, at: usize, child: &Child) -> Result<Followed, EngineError> {
        if !self.repeat_all(&child.others)? {
            return Ok(Followed::Otherwise(None));
        }
        let thread = self.nodes[at].thread;
        let number = child.kept.of(thread);
        let taken = self.trace.taken(&child.sources, (thread, number));
        let Some(later) = self.make_room(at, child)? else { return Ok(Followed::Otherwise(None)) };
        let (placed, rest) = self.place(thread, child)?;
        match placed {
            Placed::Waits(event) => {
                let is_certain = self.waits_for_sources(at, child, &event);
                let placed = Box::new(Placed::Waits(event));
                return Ok(if is_certain { Followed::Yes { placed, rest } } else { Followed::Otherwise(None) });
            }
            Placed::Forbidden => return Ok(Followed::Otherwise(None)),
            _ if !has_sources(child, &placed) => return Ok(Followed::Otherwise(None)),
            _ => {}
        }
        // The places of its stores are known when they reach memory.
        self.flush(Some(thread))?;
        if let Placed::Taken(candidate) = &placed
            && taken.iter().any(|taken| candidate.accesses.overwrites(taken.place))
        {
            let step = self.trace.step(thread, number).clone();
            self.restore(at)?;
            self.compete(at, child, candidate, (step.history, &step.past), &taken);
            if self.leave_out(at, child, candidate) {
                let event = &candidate.event;
                if event.answers().is_empty() && event.pushed().is_empty() {
                    let rest = places_beyond(&candidate.parts, &child.sources);
                    self.note_outcome(at, &child.sources, Outcome::Taken(Rc::clone(event)), rest);
                }
                return Ok(Followed::Competes(rest));
            }
            // The other sources of its later reads are looked for without the step.
            self.repeat_all(&child.others)?;
            let Placed::Taken(candidate) = placed else { unreachable!("the step was taken") };
            return Ok(Followed::Reads { candidate, rest });
        }
        if !later.find_sources || !self.repeat_all(&later.events)? {
            return Ok(Followed::Otherwise(None));
        }
        self.flush(None)?;
        let is_as_named = self.is_as_named(child, thread, &placed);
        Ok(if is_as_named { Followed::Yes { placed: Box::new(placed), rest } } else { Followed::Otherwise(None) })
    }

    /// Removes what comes after the last place at which the sources of a branch are in memory, and takes the
    /// steps on which its step depends again there. Returns the others, or `None` if there is no such place.
    fn make_room(&mut self, at: usize, child: &Child) -> Result<Option<Later>, EngineError> {
        let thread = self.nodes[at].thread;
        let number = child.kept.of(thread);
        let past = self.trace.past_before(thread, number);
        let (mut removed, mut is_before) = (Vec::new(), Vec::new());
        while !self.trace.has_in_memory(&child.sources) && self.trace.len() > 0 {
            let event = self.trace.pop();
            let (of, step) = self.trace.step_of_removed(&event.event);
            is_before.push(past.has(of, step));
            removed.push(event);
        }
        removed.reverse();
        is_before.reverse();
        let pick = |wanted: bool| {
            let chosen = removed.iter().zip(&is_before).filter(move |(_, is_before)| **is_before == wanted);
            chosen.map(|(removed, _)| removed).collect::<Vec<_>>()
        };
        let (before, later) = (pick(true), pick(false));
        let is_possible = !before.iter().any(|removed| removed.overwrites(&child.sources));
        let find_sources = is_possible && may_follow(&before, &later);
        let events = |of: &[&Removed]| of.iter().map(|removed| Rc::clone(&removed.event)).collect::<Vec<_>>();
        let (before, later) = (events(&before), events(&later));
        self.displace(at, removed);
        if !is_possible || !self.repeat_all(&before)? {
            return Ok(None);
        }
        // The history of a thread has the sources of all on which it depends.
        let history = child.histories.get(thread).copied().unwrap_or(0);
        let is_as_before = self.trace.history(thread, number) == history;
        self.stepper.leave_state();
        let there_is = is_as_before && self.trace.has_in_memory(&child.sources);
        Ok(there_is.then_some(Later { events: later, find_sources }))
    }

    /// True if a step waits because of the sources that a branch names, and not for its own stores, the end
    /// of a thread, or bytes whose source is not named.
    fn waits_for_sources(&mut self, at: usize, child: &Child, event: &Rc<Event>) -> bool {
        let thread = self.nodes[at].thread;
        if self.stepper.has_pending(self.trace.prefix.last(), thread) {
            return false;
        }
        let Ok(candidate) = self.trace.candidate(Rc::clone(event)) else { return false };
        let is_named = |part: &Part| child.sources.iter().any(|source| source.place.covers(part.place));
        if !candidate.parts.iter().filter(|part| !part.is_open).all(is_named) {
            return false;
        }
        let is_certain = self.leave_out(at, child, &candidate);
        if is_certain && event.answers().is_empty() {
            let rest = places_beyond(&candidate.parts, &child.sources);
            self.note_outcome(at, &child.sources, Outcome::Waits, rest);
        }
        is_certain
    }

    /// True if nobody needs an execution of a branch without its step, only to find other sources of the
    /// later reads of the step.
    pub(super) fn leave_out(&mut self, at: usize, child: &Child, candidate: &Candidate) -> bool {
        let rest = places_beyond(&candidate.parts, &child.sources);
        let thread = self.nodes[at].thread;
        self.leave_out_reads(&rest, thread, child.kept.of(thread))
    }
}

/// True if the events that were not moved find their sources if those that were come first, as far as the
/// writes among these events tell.
fn may_follow(moved: &[&Removed], later: &[&Removed]) -> bool {
    let mut writes: Vec<Part> = Vec::new();
    let all_of = |removed: &Removed| removed.writes.iter().rev().copied().collect::<Vec<_>>();
    writes.extend(moved.iter().flat_map(|removed| all_of(removed)));
    for removed in later {
        let thread = removed.event.action.thread;
        let is_own = |writer: Writer| matches!(writer, Writer::Store(owner, _) if owner as usize == thread);
        let mut reads = removed.step.iter().flat_map(|step| &step.parts).filter(|part| !is_own(part.writer));
        let finds = |part: &Part| {
            let last = writes.iter().rev().find(|write| write.place.overlaps(part.place));
            last.is_none_or(|last| last.writer == part.writer)
        };
        if !reads.all(finds) {
            return false;
        }
        writes.extend(all_of(removed));
    }
    true
}

/// The places of parts that may have other sources, without those of other parts.
fn places_beyond(parts: &Parts, others: &Parts) -> Vec<Place> {
    let mut rest: Vec<Place> = parts.iter().filter(|part| part.is_open).map(|part| part.place).collect();
    for other in others {
        rest = rest.into_iter().flat_map(|place| without(place, other.place)).collect();
    }
    rest
}
