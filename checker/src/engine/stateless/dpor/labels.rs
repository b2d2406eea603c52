//! What may be tried in a state: updates of delayed stores, and steps of threads, one after the other.

use super::search::Search;
use super::states::State;
use crate::engine::stateless::event::Label;
use crate::system::NextKind;

impl Search<'_> {
    /// The updates and steps that may be possible in the last state: updates, then threads. Those that create others are first: what comes early is explored less often.
    /// Those that seem to have nothing left to do but to end are last: what comes at the end of an execution need not be an event of it (`tail.rs`). Of others those that began last
    /// are first. Answers the one after another one, or the first.
    pub(super) fn label_after(&mut self, tried: Option<Label>) -> Option<Label> {
        if tried.is_some() {
            return self.find_label(tried);
        }
        if let Some(first) = self.last_state().first {
            return first;
        }
        let first = self.find_label(None);
        let last = self.last();
        self.states[last].first = Some(first);
        first
    }

    fn find_label(&self, tried: Option<Label>) -> Option<Label> {
        let (vector, layout) = (self.states.vector(self.last()), self.last_state().layout);
        let next_update = || match tried {
            None => self.update_in(0, None),
            Some(Label { thread, store: Some(store) }) => self.update_in(thread, Some(store)),
            Some(_) => None,
        };
        next_update().or_else(|| {
            let tried = tried.filter(|label| label.store.is_none()).map(|label| label.thread);
            let done = tried.map_or(0, |thread| self.machine.next_kind_in(vector, thread) as usize);
            let mut below = tried.unwrap_or(layout.threads);
            let mut threads = NextKind::ALL[done..].iter().map(|&errand| {
                let below = std::mem::replace(&mut below, layout.threads);
                let mut threads = self.machine.schedulable_in(vector, below).rev();
                threads.find(|&thread| self.machine.next_kind_in(vector, thread) == errand)
            });
            let thread = threads.find_map(|thread| thread);
            thread.map(|thread| Label { thread, store: None })
        })
    }

    /// The first update that may be possible in the last state of the thread `first`, of its stores after number `above`, or of a thread after it.
    fn update_in(&self, first: usize, above: Option<u32>) -> Option<Label> {
        let (vector, State { layout, pending, .. }) = (self.states.vector(self.last()), self.last_state());
        let mut rest = pending >> first << first;
        while rest != 0 {
            let thread = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let above = above.filter(|_| thread == first);
            let next = self.machine.next_ready_in(vector, *layout, thread, above);
            if next.is_some() {
                return Some(Label { thread, store: next });
            }
        }
        None
    }

    /// Whether a thread has delayed stores in the last state.
    pub(super) fn has_pending(&self, thread: usize) -> bool {
        self.last_state().pending >> thread & 1 == 1
    }
}
