//! Announcements of the pieces of a copy, beside their loads and stores.

use rmc_runtime::{Bytes, StoreTag};

use crate::system::machine::Machine;
use crate::system::observe::footprint::PieceLoad;
use crate::system::step::access::Target;

impl Machine<'_> {
    /// Announces a load that the step would make with another answer to its question.
    #[inline]
    pub(in crate::system) fn announce_possible_load(&mut self, target: &Target) {
        self.touch_hypothetical_load(target);
    }

    /// Announces that what the step touched since its footprint had this many entries belongs to the load of
    /// a piece, or to its store on its way into the buffer.
    #[inline]
    pub(in crate::system) fn announce_piece(&mut self, footprint: usize, load: PieceLoad) {
        self.report.footprint[footprint..].iter_mut().for_each(|touch| touch.piece = Some(load));
    }

    /// Announces that a piece was loaded again. `takes` is true if the copy takes the new value.
    #[inline]
    pub(in crate::system) fn piece_reloaded(&mut self, from: &Target, takes: bool) {
        self.observe_reload(from.at, takes);
    }

    /// Announces that a waiting store, of a piece of a copy, is made now, with another value.
    #[inline]
    pub(in crate::system) fn announce_replacement(&mut self, target: &Target, value: Bytes) -> StoreTag {
        if target.region.shared {
            self.report.acted = true;
            self.publish_bytes(value);
        }
        self.observe_replaced(target, value)
    }

    /// Announces that stores were made as a group that waits in the buffer.
    #[inline]
    pub(in crate::system) fn group_stored(&mut self, tags: impl Iterator<Item = StoreTag>) {
        tags.for_each(|tag| self.observe_buffered(tag));
    }
}
