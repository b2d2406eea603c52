//! Following a branch without deciding a history: its step is taken where its sources are in memory, in the
//! current execution or in a rearrangement of it ([`Rearrangement`]).
//!
//! The steps on which it depends are moved before it: what they read is the same then, since each of their
//! sources is one of them or comes before, and of the others fewer come before. What the remaining steps read
//! may be something else, or the step may overwrite what they read. Then it is the search for a witness that
//! decides, unless it is clear that there is none: the step waits because of these sources, or another step
//! reads and overwrites the same.

use std::rc::Rc;

use rmc_consistency::Place;

use super::candidate::Candidate;
use super::memory::{Part, Parts};
use super::node::Child;
use super::outcomes::Outcome;
use super::rearrangement::Rearrangement;
use super::search::{Placed, Search};
use super::trace::Known;
use super::witness::{Followed, has_sources};
use crate::engine::EngineError;
use crate::engine::stateless::accesses::without;
use crate::engine::stateless::event::Event;

impl Search<'_> {
    /// Takes the other steps as they were taken before, and the node's step where its sources are in memory:
    /// in the last such place, after the steps on which it depends.
    pub(super) fn follow_inserted(&mut self, at: usize, child: &Child) -> Result<Followed, EngineError> {
        if !self.take_others(at, child)? {
            return Ok(Followed::Otherwise(None));
        }
        if let Some(followed) = self.insert_in_place(at, child)? {
            return Ok(followed);
        }
        let thread = self.nodes[at].thread;
        let number = child.kept.of(thread);
        let taken = self.trace.taken(&child.sources, (thread, number));
        let Some(order) = self.make_room(at, child)? else { return Ok(Followed::Otherwise(None)) };
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
            let Known { history, facts } = self.trace.step(thread, number).known.clone();
            self.restore(at)?;
            self.compete(at, child, candidate, (history, &facts.past), &taken);
            let is_certain = self.leave_out(at, child, candidate);
            if !self.take_others(at, child)? {
                // The search was told to end.
                return Ok(Followed::Otherwise(rest));
            }
            if is_certain {
                let event = &candidate.event;
                // An idle step may complete a round of a loop that waits where its thread did other things
                // before, and the name of a branch does not tell that.
                if !event.is_idle() && event.answers().is_empty() && event.pushed().is_empty() {
                    let rest = places_beyond(&candidate.parts, &child.sources);
                    self.note_outcome(at, &child.sources, Outcome::Taken(Rc::clone(event)), rest);
                }
                return Ok(Followed::Competes(rest));
            }
            // The other sources of its later reads are looked for without the step.
            let Placed::Taken(candidate) = placed else { unreachable!("the step was taken") };
            return Ok(Followed::Reads { candidate, rest });
        }
        if !order.find_sources || !self.repeat_all(order.later)? {
            return Ok(Followed::Otherwise(None));
        }
        self.flush(None)?;
        Ok(self.followed(child, thread, (placed, rest)))
    }

    /// Takes the events of the execution again, in an order in which the sources of a branch are in memory,
    /// up to where its step is to come. Returns the order, whose first events were taken, or `None` if there
    /// is none, as far as is known.
    fn make_room(&mut self, at: usize, child: &Child) -> Result<Option<Rearrangement>, EngineError> {
        let thread = self.nodes[at].thread;
        let number = child.kept.of(thread);
        let Some((mut order, from)) = self.rearranged(thread, number, &child.sources) else { return Ok(None) };
        let removed = self.trace.truncate(from, &mut self.stepper);
        self.displace(at, removed);
        if !self.repeat_all(std::mem::take(&mut order.first))? {
            return Ok(None);
        }
        // The history of a thread has the sources of all on which it depends.
        let history = child.histories.get(thread).copied().unwrap_or(0);
        let is_as_before = self.trace.history(thread, number) == history;
        self.stepper.leave_state();
        let there_is = is_as_before && self.trace.has_in_memory(&child.sources);
        Ok(there_is.then_some(order))
    }

    /// An order of the events from a position on in which the sources of a step, which is the step of its
    /// thread with this number, are in memory. Returns it with the position.
    fn rearranged(&self, thread: usize, number: u32, sources: &Parts) -> Option<(Rearrangement, usize)> {
        let past = self.trace.past(thread, number, sources);
        let all = self.trace.clock();
        let there = self.trace.last_with_in_memory(sources);
        let inserted = there.and_then(|from| {
            let order = Rearrangement::by_insertion(&self.trace.occurrences(from, &all), &past, sources)?;
            Some((order, from))
        });
        if inserted.as_ref().is_some_and(|(order, _)| order.find_sources) {
            return inserted;
        }
        let overwritten = sources.iter().filter(|part| !self.trace.has_last(part));
        let written = overwritten.filter_map(|part| self.trace.position_of(part.writer));
        let from = written.chain(there).min().unwrap_or(0);
        let occurrences = self.trace.occurrences(from, &all);
        let Some(mut delayed) = Rearrangement::by_delay(&occurrences, &past, sources) else { return inserted };
        let kept = delayed.kept(&occurrences);
        delayed.first.drain(..kept);
        Some((delayed, from + kept))
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

/// The places of parts that may have other sources, without those of other parts.
fn places_beyond(parts: &Parts, others: &Parts) -> Vec<Place> {
    let mut rest: Vec<Place> = parts.iter().filter(|part| part.is_open).map(|part| part.place).collect();
    for other in others {
        rest = rest.into_iter().flat_map(|place| without(place, other.place)).collect();
    }
    rest
}
