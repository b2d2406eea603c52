//! Nodes and their branches: the other sources that the reads of a step may have.

use std::rc::Rc;

use rmc_consistency::{EventId, Place, Read};
use smallvec::SmallVec;

use super::alternatives::Taken;
use super::candidate::Candidate;
use super::clock::Clock;
use super::histories::{DelayedStore, HistoryId, Origin, Reads, source};
use super::memory::{Part, Parts, merged};
use super::node::{Child, LastStep, Node, Route};
use super::occurrences::Repeated;
use super::outcomes::{Competing, Settled};
use super::search::Search;
use super::trace::without_empty;
use super::written::Writers;
use crate::engine::EngineError;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::sources::Writer;
use crate::engine::stateless::stepper::Answers;

/// A step that is not in the execution.
#[derive(Clone, Copy)]
pub(super) struct Outside<'a> {
    /// The branch that it is in.
    pub child: &'a Child,
    pub event: &'a Rc<Event>,
    /// The sources of its reads.
    pub parts: &'a Parts,
    /// The history of its thread with it.
    pub history: HistoryId,
    /// The places of its writes.
    pub places: &'a [Place],
    /// Steps that cannot be in a graph with it.
    pub rivals: &'a [Taken],
}

impl Outside<'_> {
    /// The step as the origin of one of its writes.
    fn origin(&self, writer: Writer) -> Origin {
        let thread = self.event.action.thread;
        let store = match writer {
            Writer::Store(_, store) => Some(store - self.event.pushed().start),
            Writer::Initial | Writer::Step(..) => None,
        };
        let step = EventId::new(thread as u32, self.child.kept.of(thread));
        Origin { step, history: self.history, store }
    }
}

impl Search<'_> {
    /// Records that a node's step ends the execution. The other threads go on: the step may read what they
    /// write.
    pub(super) fn halt(&mut self, at: usize, candidate: &Candidate, last: LastStep) -> Result<(), EngineError> {
        self.note_event(&candidate.event);
        let number = self.trace.count(candidate.event.action.thread);
        let history = self.trace.history_with(&mut self.histories, candidate, number);
        self.nodes.add_halt(at, history, last);
        self.nodes.set_current(at, &candidate.parts);
        if last == LastStep::Exit {
            self.revisit_from_end(at, candidate, history);
        }
        self.find_losses_at_end(candidate)?;
        self.stepper.leave_state();
        Ok(())
    }

    /// Adds the branches of earlier nodes that read from the end of the last thread. There, it is not the
    /// last.
    fn revisit_from_end(&mut self, at: usize, candidate: &Candidate, history: HistoryId) {
        let Candidate { event, accesses, parts } = candidate;
        let thread = event.action.thread;
        if !event.footprint.iter().any(|touch| touch.is_end_of(thread)) {
            return;
        }
        let kept = self.trace.clock();
        let number = self.trace.count(thread);
        let past = self.trace.past(thread, number, parts);
        let child = Child {
            histories: self.trace.histories(&kept),
            kept,
            others: Vec::new(),
            order: None,
            sources: parts.clone(),
            reads: Reads::new(),
            route: Route::AtEnd,
            answers: Answers::All,
        };
        let outside = Outside { child: &child, event, parts, history, places: &accesses.writes, rivals: &[] };
        for write in self.writes_of(candidate, thread as u32, number, history) {
            self.revisit(at, write, &past, Some(outside));
        }
    }

    /// Records that a node's step is never taken. `sources` are those with which it waited: it may read what
    /// the other threads write.
    pub(super) fn wait(&mut self, at: usize, sources: &Parts) {
        let thread = self.nodes[at].thread;
        let history = self.trace.history(thread, self.nodes[at].base.of(thread));
        self.nodes.add_halt(at, history, LastStep::Waits);
        self.nodes.set_current(at, sources);
    }

    /// Adds a node for a step at the end of the execution, with the branches for the sources that are there.
    pub(super) fn add_node(&mut self, candidate: &Candidate) -> Result<(), EngineError> {
        let base = self.trace.clock();
        let histories = self.trace.histories(&base);
        let first = Parts::from_slice(&candidate.parts);
        let mut node = Node::new(&candidate.event, self.trace.len(), base, histories, first);
        node.executions_before = self.results.explored();
        self.nodes.push(node);
        self.add_alternatives(self.nodes.len() - 1, candidate, None, &Parts::new());
        Ok(())
    }

    /// Adds the branches of a node in which its step has another one of the sources that are in the
    /// execution. That one is of a branch, if one was followed. The bytes in `fixed` keep their sources.
    pub(super) fn add_alternatives(&mut self, at: usize, candidate: &Candidate, of: Option<&Child>, fixed: &Parts) {
        let number = self.nodes[at].base.of(self.nodes[at].thread);
        let vectors = self.trace.alternatives(&self.histories, candidate, number, fixed);
        if vectors.is_empty() {
            return;
        }
        self.contested.extend(candidate.event.piece_of());
        let mut kept = self.trace.clock();
        kept.cut(self.nodes[at].thread, number);
        let histories = self.trace.histories(&kept);
        for sources in vectors {
            let settled = self.settled(at, number, &sources);
            if let Some(Settled::Nothing) = settled {
                continue;
            }
            let child = Child {
                kept: kept.clone(),
                histories: histories.clone(),
                others: of.map_or(Vec::new(), |child| child.others.clone()),
                order: of.and_then(|child| child.order.clone()),
                reads: self.trace.reads(&sources),
                sources,
                route: Route::Witness,
                answers: Answers::All,
            };
            if let Some(Settled::Competes(competing)) = settled {
                let Competing { candidate, history, past, rivals } = *competing;
                self.compete(at, &child, &candidate, (history, &past), &rivals);
            } else {
                self.add_branch(at, child);
            }
        }
    }

    /// Adds a branch of a node, unless there was one of its name.
    fn add_branch(&mut self, at: usize, child: Child) {
        if self.nodes[at].note(&child) && self.is_new_to_all(at, &child) {
            self.nodes[at].pending.push(child);
        }
    }

    /// Adds the branch of a node in which its step is never taken, unless there was one. The step waited with
    /// these sources.
    pub(super) fn add_wait(&mut self, at: usize, sources: &Parts) {
        if !std::mem::replace(&mut self.nodes[at].may_wait, true) && self.is_first_to_wait(at) {
            let child = self.nodes[at].never(sources);
            self.nodes[at].pending.push(child);
        }
    }

    /// Opens the reads of a node's step, which was taken, and adds the branches of earlier nodes that read
    /// from it.
    pub(super) fn settle(&mut self, at: usize, candidate: &Candidate) {
        self.nodes.set_current(at, &candidate.parts);
        let number = self.nodes[at].base.of(self.nodes[at].thread);
        self.revisit_from(at, candidate, number);
    }

    /// Adds the branches of the nodes before `below` that read from a step that was taken.
    pub(super) fn revisit_from(&mut self, below: usize, candidate: &Candidate, number: u32) {
        if candidate.accesses.writes.is_empty() && candidate.event.pushed().is_empty() {
            return;
        }
        let thread = candidate.event.action.thread;
        let facts = Rc::clone(&self.trace.step(thread, number).known.facts);
        let history = self.trace.history(thread, number + 1);
        for write in self.writes_of(candidate, thread as u32, number, history) {
            self.revisit(below, write, &facts.past, None);
        }
    }

    /// The writes of a step.
    pub(super) fn writes_of(
        &self,
        candidate: &Candidate,
        thread: u32,
        number: u32,
        history: HistoryId,
    ) -> SmallVec<[Part; 2]> {
        let mut writes = SmallVec::new();
        for &place in &candidate.accesses.writes {
            writes.push(Part { place, writer: Writer::Step(thread, number), is_open: true });
        }
        for (store, &DelayedStore { place, .. }) in candidate.event.pushed().zip(self.histories.stores(history)) {
            writes.push(Part { place, writer: Writer::Store(thread, store), is_open: true });
        }
        writes
    }

    /// Adds the branches in which the steps of nodes before `below` read from a write. `past` is what the
    /// write depends on. `branch` has the step of the write, if it is not in the execution.
    pub(super) fn revisit(&mut self, below: usize, write: Part, past: &Clock, branch: Option<Outside<'_>>) {
        let history = match branch {
            Some(outside) => Some(outside.history),
            None => self.trace.writer(write.writer).map(|origin| origin.history),
        };
        let writers = match (write.writer, history) {
            (Writer::Step(..), Some(history)) => Writers::One(history),
            _ => Writers::Any,
        };
        self.note_written(write.place, writers);
        let mut next = 0;
        while let Some(at) = self.nodes.first_reader(write.place, past, next..below) {
            next = at + 1;
            let rivals = branch.map_or(&[] as &[Taken], |outside| outside.rivals);
            if !self.may_revisit(at, write.place, past, rivals) {
                continue;
            }
            let places = branch.map_or(&[] as &[Place], |outside| outside.places);
            if self.nodes.waits(at) {
                self.revisit_waiting(at, write, past, branch);
                continue;
            }
            // A read is decided cell by cell: those before keep their sources, and those after may have
            // others.
            let mut before = Parts::new();
            for part in Parts::from_slice(&self.nodes[at].current) {
                for cell in self.trace.cells(part.place, places) {
                    if part.is_open && cell.overlaps(write.place) {
                        self.revisit_cell(at, &before, Part { place: cell, ..write }, past, branch);
                    }
                    before.push(Part { place: cell, ..part });
                }
            }
        }
    }

    /// Adds the branches in which the step of a node that waits reads cells from a write. Where it waits with
    /// some sources, no execution goes on with these, in which the other cells would be read from later
    /// writes. So they have any sources here.
    fn revisit_waiting(&mut self, at: usize, write: Part, past: &Clock, branch: Option<Outside<'_>>) {
        let places = branch.map_or(&[] as &[Place], |outside| outside.places);
        let open = self.nodes[at].current.iter().filter(|part| part.is_open);
        let cells: Vec<Place> = open.flat_map(|part| self.trace.cells(part.place, places)).collect();
        for (first, &cell) in cells.iter().enumerate().filter(|(_, cell)| cell.overlaps(write.place)) {
            let mut vectors = vec![Parts::new()];
            for (number, &other) in cells.iter().enumerate().filter(|&(number, _)| number != first) {
                let named = self.writers_to(other, write.writer).into_iter().map(Some);
                // Without a source it is read from the same write, which comes right before.
                let same = (number > first && other.overlaps(write.place)).then_some(None);
                let sources: SmallVec<[Option<Writer>; 8]> = named.chain(same).collect();
                let with = |vector: &Parts, source: Option<Writer>| {
                    let part = source.map(|writer| Part { place: other, writer, is_open: true });
                    vector.iter().copied().chain(part).collect()
                };
                vectors =
                    vectors.iter().flat_map(|vector| sources.iter().map(|&source| with(vector, source))).collect();
            }
            for others in vectors {
                self.revisit_cell(at, &others, Part { place: cell, ..write }, past, branch);
            }
        }
    }

    /// The writers of a cell, without one.
    fn writers_to(&self, cell: Place, without: Writer) -> SmallVec<[Writer; 8]> {
        let mut writers = SmallVec::from_slice(&[Writer::Initial]);
        for write in self.trace.writes_to(cell) {
            if write.writer != without && !writers.contains(&write.writer) {
                writers.push(write.writer);
            }
        }
        writers
    }

    /// True if the step of a node may read a write to a place. `past` is what the write depends on; none of
    /// the rivals can be in a graph with the write.
    pub(super) fn may_revisit(&self, at: usize, place: Place, past: &Clock, rivals: &[Taken]) -> bool {
        let node = &self.nodes[at];
        let is_kept = |&Taken { by: (thread, step), .. }: &Taken| node.base.has(thread, step) || past.has(thread, step);
        node.current.iter().any(|part| part.is_open && part.place.overlaps(place)) && !rivals.iter().any(is_kept)
    }

    /// Adds the branch in which a cell is read from a write, as [`Self::revisit`] does, and the cells before
    /// as they are.
    pub(super) fn revisit_cell(
        &mut self,
        at: usize,
        before: &Parts,
        write: Part,
        past: &Clock,
        branch: Option<Outside<'_>>,
    ) {
        let node = &self.nodes[at];
        let mut kept = node.base.clone();
        kept.unite(past);
        for part in before {
            if let Some((thread, step)) = self.trace.step_of(part.writer) {
                kept.unite(&self.trace.step(thread, step).known.facts.past);
            }
        }
        let histories = match branch {
            None => self.trace.histories(&kept),
            Some(Outside { child, event, history, .. }) => {
                let known = |thread: usize| child.histories.get(thread).copied().unwrap_or(0);
                let first = |thread| self.histories.first(known(thread), kept.of(thread));
                let of = |thread| if thread == event.action.thread { history } else { first(thread) };
                without_empty((0..kept.threads()).map(of).collect())
            }
        };
        let sources = merged(before.iter().copied().chain([write]).collect());
        if node.has_seen(&histories, &sources) {
            return;
        }
        let more = branch.map_or(Vec::new(), |outside| {
            let step = Repeated { event: Rc::clone(outside.event), known: None };
            outside.child.others.iter().cloned().chain([step]).collect()
        });
        let mut reads = self.trace.reads(&Parts::from_slice(&sources[..sources.len() - 1]));
        let last = sources.last().expect("there is the write");
        reads.push(Read {
            place: last.place,
            source: source(match branch {
                Some(outside) => Some(outside.origin(write.writer)),
                None => self.trace.writer(write.writer),
            }),
        });
        let order = match &branch {
            None => self.merged(at, &kept, past, &sources),
            Some(outside) => self.merged_with(at, outside, &kept, past),
        };
        // Another worker may have met the node in another order of the events.
        let from = if at < self.nodes.shared() { 0 } else { self.nodes.undisturbed(at) };
        let child = Child {
            others: self.trace.between(from, &node.base, &kept, &more),
            order: order.map(Rc::new),
            kept,
            histories,
            reads,
            sources,
            route: Route::AfterSource,
            answers: Answers::All,
        };
        self.contested.extend(self.nodes[at].event.piece_of());
        self.add_branch(at, child);
    }
}
