//! The order of the events of a revisit: those that are not in the base of its node come after it, as long as
//! they find their sources there. They do, unless events of the base have moved since the node was met. The
//! step of the write that is read may be none of the execution; then it comes where its own sources are.

use std::rc::Rc;

use super::branches::Outside;
use super::clock::Clock;
use super::memory::{Part, Parts};
use super::node::Merged;
use super::occurrences::Repeated;
use super::rearrangement::Rearrangement;
use super::search::Search;
use super::trace::Trace;
use crate::engine::stateless::sources::Writer;

impl Search<'_> {
    /// The order of the steps of a revisit of a node, if those that are not in its base cannot come after it.
    /// `None`, too, if none is known. `past` is what the write depends on that is read.
    pub(super) fn merged(&self, at: usize, kept: &Clock, past: &Clock, sources: &Parts) -> Option<Merged> {
        let node = &self.nodes[at];
        let from = self.nodes.undisturbed(at);
        if from == node.position || from == 0 || self.trace.can_follow(&node.base, kept) {
            return None;
        }
        let mut needed = self.trace.past(node.thread, node.base.of(node.thread), sources);
        needed.unite(past);
        let events = Rearrangement::by_delay(&self.trace.occurrences(from, kept), &needed, sources)?;
        Some(Merged { from, events })
    }

    /// The order of the steps of a revisit of a node by a write of a step that is not in the execution, if
    /// those that are not in its base cannot come after it. `None`, too, if none is known, or other steps of
    /// the branch are not in the execution. `past` is what the write depends on, with its step.
    pub(super) fn merged_with(&self, at: usize, outside: &Outside<'_>, kept: &Clock, past: &Clock) -> Option<Merged> {
        let node = &self.nodes[at];
        let Outside { event, parts, child, .. } = outside;
        let thread = event.action.thread;
        let mut inside = kept.clone();
        inside.cut(thread, child.kept.of(thread));
        if (0..inside.threads()).any(|thread| inside.of(thread) > self.trace.count(thread)) {
            return None;
        }
        let from = self.nodes.undisturbed(at);
        let follows = from == node.position || self.trace.can_follow(&node.base, &inside);
        let finds_sources = || parts.iter().all(|part| self.trace.is_found(part, &node.base, &inside));
        if from == 0 || follows && finds_sources() {
            return None;
        }
        let mut needed = self.trace.past_before(node.thread, node.base.of(node.thread));
        needed.unite(past);
        let mut events = Rearrangement::by_delay(&self.trace.occurrences(from, &inside), &needed, parts)?;
        events.first.push(Repeated { event: Rc::clone(event), known: None });
        Some(Merged { from, events })
    }
}

impl Trace {
    /// True if the steps that are in `kept` and not in `base` find their sources after all of `base`, as far
    /// as the order of the writes in the current execution tells.
    fn can_follow(&self, base: &Clock, kept: &Clock) -> bool {
        let others = |thread: usize| base.of(thread)..kept.of(thread);
        let steps = (0..kept.threads()).flat_map(|thread| others(thread).map(move |number| (thread, number)));
        // A thread reads its own store in its buffer only until it is in memory, so such reads count, too.
        let mut reads = steps.flat_map(|(thread, number)| &self.step(thread, number).known.facts.parts);
        reads.all(|part| self.is_found(part, base, kept))
    }

    /// True if a read of a step that is not in the base finds its source after it.
    fn is_found(&self, part: &Part, base: &Clock, kept: &Clock) -> bool {
        let has =
            |clock: &Clock, writer: Writer| self.step_of(writer).is_none_or(|(thread, step)| clock.has(thread, step));
        if !has(base, part.writer) {
            return true;
        }
        // Writes after the source are not before the read, now. Those before it are not before the read, if
        // they come after the base.
        let mut is_later = part.writer == Writer::Initial;
        self.writes_to(part.place).all(|write| {
            let is_in_base = has(base, write.writer);
            let is_source = write.writer == part.writer;
            let is_found = is_source || is_later != is_in_base || !has(kept, write.writer);
            is_later |= is_source;
            is_found
        })
    }
}
