//! What may be tried in a state: updates of delayed stores, and steps of threads, one after the other.

use super::event::Label;
use super::search::Search;
use super::states::State;

impl Search<'_> {
    /// The updates and steps that may be possible in the last state: updates, then threads, those that began last first. Answers the one after another one,
    /// or the first.
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
            let below = tried.filter(|label| label.store.is_none()).map_or(layout.threads, |label| label.thread);
            let thread = self.machine.schedulable_in(vector, below).next_back()?;
            Some(Label { thread, store: None })
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
            let mut next = None;
            self.machine.ready_in(vector, *layout, thread, |store| {
                if next.is_none() && above.is_none_or(|above| store > above) {
                    next = Some(store);
                }
            });
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
