//! Repeated loads: without the locks of their words, while their readers are kept.

use super::{Own, Slot};
use crate::monitor::ByteRange;
use crate::monitor::steps::repeats_after;

/// The number of accesses after which a thread that only loads what it has loaded yields. It may wait for
/// another one, which needs the processor, or a word that this one keeps taking.
const PATIENCE: u32 = 128;
/// The number of loads in a row, of any words, after which a thread that has loaded all of them before yields.
const LONG_PATIENCE: u32 = 1 << 10;

impl Slot {
    /// Makes the load if the thread, which calls this and has its state, keeps its reader. Else, gives it
    /// back.
    pub(super) fn load_again<R, A: FnOnce() -> R>(
        &self,
        own: &mut Own,
        bytes: ByteRange,
        site: u64,
        access: A,
    ) -> Result<R, A> {
        let Some((at, mask)) = bytes.only_word() else { return Err(access) };
        if !self.kept.may_have(at, mask) {
            return Err(access);
        }
        let readers = &mut *self.kept.own();
        let table = &mut readers.table;
        let Some(place) = table.find(at, mask).filter(|_| table.has_room_for(site)) else { return Err(access) };
        let result = access();
        let Own { thread, rounds, nothing_new, .. } = own;
        table.load_again(place, thread, site);
        thread.repeats = repeats_after(thread.repeats, rounds.since(at, thread.accesses));
        thread.accesses += 1;
        *nothing_new += 1;
        Ok(result)
    }
}

impl Own {
    /// True if the thread seems to wait for another one, so that it should yield.
    pub(super) fn seems_to_wait(&mut self) -> bool {
        let seems = self.thread.repeats >= PATIENCE || self.nothing_new >= LONG_PATIENCE;
        if seems {
            (self.thread.repeats, self.nothing_new) = (0, 0);
        }
        seems
    }
}
