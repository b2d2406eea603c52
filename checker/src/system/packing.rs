//! State vectors: the working state as a sequence of component ids, and back.
//!
//! ```text
//! delayed flushing: [object table, buffers,    (races with --races),  top, rest of each thread,                    pages]
//! update events:    [object table, [n] buffers,                       top, rest of each thread,  buffer of each,   pages]
//! ```
//!
//! With update events the buffer of every thread is a component of its own: there are few different ones, and
//! a step changes only that of its thread. With delayed flushing there is one component for all threads,
//! which also holds the order between their stores.

use rmc_runtime::Buffers;

use crate::store::Id;
use crate::system::buffers::StoreBuffers;
use crate::system::machine::Machine;
use crate::system::state::memory::ObjectMemory;
use crate::system::state::threads::ThreadSlots;

impl Machine<'_> {
    /// The number of pending stores in a state vector of delayed flushing.
    #[must_use]
    pub fn pending_in(&self, vector: &[Id]) -> usize {
        Buffers::encoded_len(self.memory.components.get(vector[1]))
    }

    /// The index of the first thread in a state vector, behind the components of the whole state.
    pub(in crate::system) const fn first_thread(&self) -> usize {
        if self.config.races { 3 } else { 2 }
    }

    /// Unpacks a state vector.
    pub fn unpack(&mut self, vector: &[Id]) {
        let ObjectMemory { table, components, global_pages, .. } = &mut self.memory;
        table.decode_from(vector[0], |table| table.decode(components.get(vector[0]), *global_pages));
        let (threads, first) = (self.memory.table.threads.len(), self.first_thread());
        self.threads.slots.clear();
        let (pairs, rest) = vector[first..].split_at(2 * threads);
        self.threads.slots.extend(pairs.chunks_exact(2).map(|pair| ThreadSlots { top: pair[0], rest: pair[1] }));
        let buffers = self.unpack_buffers(vector[1], rest);
        self.memory.reset(&rest[buffers..]);
        self.unpack_races(|| vector[2]);
        self.threads.live = (0..threads).filter(|&thread| self.is_live(thread)).count();
    }

    /// Unpacks the buffers. The result is the number of components behind the threads that belong to the
    /// buffers.
    fn unpack_buffers(&mut self, buffers: Id, behind: &[Id]) -> usize {
        let components = &self.memory.components;
        match &mut self.buffers {
            StoreBuffers::Delayed(delayed) => {
                delayed.decode_from(buffers, |delayed| delayed.decode(components.get(buffers)));
                0
            }
            StoreBuffers::Updated(updates) => updates.unpack(components, buffers, behind),
        }
    }

    /// Packs the working state into a state vector: with symbols, into that of its canonical form, which the
    /// working state takes on.
    pub fn pack(&mut self, out: &mut Vec<Id>) {
        self.memory.intern_dirty_pages();
        out.clear();
        let table = self.table_component();
        let buffers = self.buffers_component();
        out.extend([table, buffers]);
        out.extend(self.races_component());
        out.extend(self.threads.slots.iter().flat_map(|slots| [slots.top, slots.rest]));
        if let StoreBuffers::Updated(updates) = &self.buffers {
            updates.pack_queues(&mut self.memory.components, &mut self.encoding.scratch, out);
        }
        out.extend_from_slice(&self.memory.pages[..self.memory.global_pages]);
        for object in &self.memory.table.objects {
            let pages = crate::system::state::object_table::pages(object.size);
            out.extend_from_slice(&self.memory.pages[object.base..object.base + pages]);
        }
        if self.defers_inputs() && !self.names_answers() && self.pack_symbols(out) {
            self.unpack(out);
        }
    }

    fn table_component(&mut self) -> Id {
        let ObjectMemory { table, components, .. } = &mut self.memory;
        table.component().unwrap_or_else(|| {
            self.encoding.scratch.clear();
            table.encode(&mut self.encoding.scratch);
            components.intern(&self.encoding.scratch)
        })
    }

    fn buffers_component(&mut self) -> Id {
        let components = &mut self.memory.components;
        match &mut self.buffers {
            StoreBuffers::Delayed(buffers) => buffers.component().unwrap_or_else(|| {
                self.encoding.scratch.clear();
                buffers.encode(&mut self.encoding.scratch);
                components.intern(&self.encoding.scratch)
            }),
            StoreBuffers::Updated(updates) => updates.pack_count(components),
        }
    }

    /// Forgets all component ids, because components have other ids from now on.
    pub(in crate::system) fn forget_components(&mut self) {
        self.memory.table.forget();
        match &mut self.buffers {
            StoreBuffers::Delayed(buffers) => buffers.forget(),
            StoreBuffers::Updated(updates) => updates.forget_components(),
        }
    }
}
