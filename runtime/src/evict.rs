//! Memory that dies: `free`, the end of a stack frame, the end of a thread.
//!
//! Source: Štill and Barnat (cited in `load.rs`), "Stores to Freed Memory": the thread's own pending stores
//! and committed ones of other threads to the dying memory are dropped, since no load can see them; a delayed
//! store of another thread may reach memory after its death, which is a use after free. Such a store can
//! always be placed after now, because nothing that happened follows a delayed store. It may as well have
//! reached memory before; the source does not follow that execution further, but [`arrive`](Buffers::arrive)
//! does.

use crate::buffer::{Entry, pending_store};
use crate::{Access, Buffers, Memory, PendingStore};

impl Buffers {
    /// Ends the life of memory by a step of `thread`: that of `object`, or `len` bytes at `offset` of it if
    /// `range` is `Some((offset, len))`.
    ///
    /// A store with some bytes inside the range and some outside stays pending.
    ///
    /// # Errors
    /// A delayed store of another thread that overlaps the dying memory: the first one in canonical order.
    /// Nothing is changed then.
    pub fn evict<M: Memory>(
        &mut self,
        memory: &mut M,
        thread: usize,
        object: u32,
        range: Option<(u32, u32)>,
    ) -> Result<(), PendingStore> {
        let foreign = |e: &&Entry| touches(e, object, range) && !e.of(Some(thread)) && !e.committed;
        if let Some(late) = self.entries.iter().find(foreign) {
            return Err(pending_store(late));
        }
        let before = self.len();
        for i in (0..before).rev() {
            if inside(self.entries[i].at, object, range) {
                self.remove(i);
            }
        }
        if self.len() != before {
            self.settle(memory);
        }
        Ok(())
    }

    /// Commits every delayed store to the memory of `object`, so that none of them is late when it dies now.
    /// None of them is [held](Buffers::holds).
    pub fn arrive<M: Memory>(&mut self, memory: &mut M, object: u32) {
        for i in 0..self.len() {
            if self.entries[i].at.object == object {
                self.commit(i);
            }
        }
        self.order_before_section();
        self.settle(memory);
    }
}

fn touches(entry: &Entry, object: u32, range: Option<(u32, u32)>) -> bool {
    entry.at.object == object
        && range.is_none_or(|(offset, len)| {
            u64::from(entry.at.offset) < u64::from(offset) + u64::from(len) && u64::from(offset) < entry.at.end()
        })
}

fn inside(at: Access, object: u32, range: Option<(u32, u32)>) -> bool {
    at.object == object
        && range.is_none_or(|(offset, len)| offset <= at.offset && at.end() <= u64::from(offset) + u64::from(len))
}
