//! Pending stores of different threads to the same bytes, with delayed flushing: the order in which they
//! reach memory is not decided yet, so the state stands for several.
//!
//! A thread that reads its own store does not decide between them. So it may wait for ever in one order and
//! go on in another, and both are the same state. Whether a state stands for a deadlock is therefore asked of
//! the states in which all pending stores have reached memory, too.
//!
//! Test: `tests/programs/awaits/own_store_last.c`; random programs in `tests/src/waiting.rs`.

use rmc_runtime::{Buffers, PendingStore};
use smallvec::SmallVec;

use super::awaits::BUFFERS;
use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::step::choices::ChoiceSequence;

impl Machine<'_> {
    /// True if stores of different threads to the same bytes are pending in a state, with delayed flushing.
    #[must_use]
    pub fn has_disputed_stores(&self, vector: &[Id]) -> bool {
        if self.config.updates || self.pending_in(vector) < 2 {
            return false;
        }
        let mut buffers = Buffers::new(self.config.model());
        buffers.decode(self.memory.components.get(vector[BUFFERS]));
        has_disputes(buffers.pending())
    }

    /// [`Self::has_disputed_stores`] of the working state.
    #[must_use]
    pub fn has_disputes(&self) -> bool {
        !self.config.updates && has_disputes(self.buffers.pending())
    }

    /// The states in which all pending stores of a state have reached memory, in every order that the model
    /// allows. Each is a state of the program: every store reaches memory at some time.
    pub(super) fn settled(&mut self, vector: &[Id]) -> Vec<Vec<Id>> {
        let arrivals = self.memory.arrivals.take();
        let (mut states, mut order) = (Vec::new(), ChoiceSequence::default());
        loop {
            order.rewind();
            self.unpack(vector);
            self.flush_all(&mut order);
            let mut settled = Vec::new();
            self.pack(&mut settled);
            states.push(settled);
            if !order.advance() || self.halt.reason().is_some() {
                break;
            }
        }
        self.memory.arrivals = arrivals;
        states.sort_unstable();
        states.dedup();
        states
    }
}

/// True if stores of different threads to the same bytes are pending.
fn has_disputes(pending: impl Iterator<Item = PendingStore>) -> bool {
    let pending: SmallVec<[PendingStore; 8]> = pending.collect();
    let is_disputed = |(at, store): (usize, &PendingStore)| {
        pending[..at].iter().any(|other| other.thread != store.thread && other.at.overlaps(store.at))
    };
    pending.iter().enumerate().any(is_disputed)
}
