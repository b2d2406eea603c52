//! The updates and steps that may be tried in a state, one after the other.

use super::{StateId, Stepper};
use crate::engine::stateless::event::Action;
use crate::engine::stateless::state_cache::State;
use crate::system::NextKind;

impl Stepper<'_> {
    /// The next action to try in a state after `tried`, or the first one.
    ///
    /// Updates come first, then steps of threads. Among these, threads that create others come first, because
    /// early events are explored less often. Threads that seem only to end come last, because the end of an
    /// execution need not be events of it (`join_suffix.rs`). Of the other threads, those that began last
    /// come first.
    #[inline]
    pub fn action_after(&mut self, state: StateId, tried: Option<Action>) -> Option<Action> {
        if tried.is_some() {
            return self.find_action(state, tried);
        }
        if let Some(first) = self.states[state].first_action {
            return first;
        }
        let first = self.find_action(state, None);
        self.states[state].first_action = Some(first);
        first
    }

    /// True if there is such an action in a state: the thread lives, or the update is possible.
    pub fn can_be_tried(&self, state: StateId, action: Action) -> bool {
        let (vector, layout) = (self.vector(state), self.states[state].layout);
        let thread = action.thread;
        match action.store {
            None => {
                let mut threads = self.machine.schedulable_in(vector, layout.threads);
                threads.any(|other| other == thread)
            }
            Some(store) => {
                let has_any = self.states[state].pending >> thread & 1 == 1;
                has_any
                    && !self.is_in_section(state)
                    && self.machine.next_ready_in(vector, layout, thread, store.checked_sub(1)) == Some(store)
            }
        }
    }

    /// True if a thread is in an atomic section in a state. It alone takes steps, and no update happens.
    pub fn is_in_section(&self, state: StateId) -> bool {
        self.machine.is_in_section_in(self.vector(state))
    }

    fn find_action(&self, state: StateId, tried: Option<Action>) -> Option<Action> {
        let next_update = match tried {
            None => self.next_update(state, 0, None),
            Some(Action { thread, store: Some(store) }) => self.next_update(state, thread, Some(store)),
            Some(_) => None,
        };
        next_update.or_else(|| {
            let tried = tried.filter(|action| !action.is_update()).map(|action| action.thread);
            self.next_thread(state, tried).map(Action::step)
        })
    }

    /// The next thread to try after `tried`, or the first one.
    fn next_thread(&self, state: StateId, tried: Option<usize>) -> Option<usize> {
        let (vector, layout) = (self.vector(state), self.states[state].layout);
        let done = tried.map_or(0, |thread| self.machine.next_kind_in(vector, thread) as usize);
        let mut below = tried.unwrap_or(layout.threads);
        NextKind::ALL[done..].iter().find_map(|&kind| {
            let below = std::mem::replace(&mut below, layout.threads);
            let mut threads = self.machine.schedulable_in(vector, below).rev();
            threads.find(|&thread| self.machine.next_kind_in(vector, thread) == kind)
        })
    }

    /// The first update that may be enabled in a state, of a store of thread `first` with a number above
    /// `above`, or of a store of a later thread.
    fn next_update(&self, state: StateId, first: usize, above: Option<u32>) -> Option<Action> {
        let (vector, State { layout, pending, .. }) = (self.vector(state), &self.states[state]);
        let mut rest = pending >> first << first;
        if rest != 0 && self.is_in_section(state) {
            return None;
        }
        while rest != 0 {
            let thread = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let above = above.filter(|_| thread == first);
            if let Some(store) = self.machine.next_ready_in(vector, *layout, thread, above) {
                return Some(Action::update(thread, store));
            }
        }
        None
    }
}
