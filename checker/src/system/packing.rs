//! State vectors: the working state as a sequence of component ids, and back.
//!
//! ```text
//! delayed flushing: [object table, buffers,    (races with --races),  top, rest of each thread,                    pages]
//! update events:    [object table, [n] buffers,                       top, rest of each thread,  buffer of each,   pages]
//! ```
//!
//! With update events every thread's buffer is a component of its own: few different ones come up, and a step
//! changes only that of its thread. With delayed flushing there is one for all, which holds the order between
//! them.

use rmc_runtime::Buffers;

use crate::store::Id;
use crate::system::buffers::StoreBuffers;
use crate::system::machine::Machine;
use crate::system::state::memory::ObjectMemory;
use crate::system::state::threads::ThreadSlots;

impl Machine<'_> {
    /// How many stores are pending in a state of delayed flushing.
    #[must_use]
    pub fn pending_in(&self, vector: &[Id]) -> usize {
        Buffers::encoded_len(self.memory.components.get(vector[1]))
    }

    /// Where a state vector has its first thread: behind the components of the whole.
    pub(in crate::system) const fn first_thread(&self) -> usize {
        if self.observers.races.is_some() { 3 } else { 2 }
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
        self.unpack_races(vector);
        self.threads.live = (0..threads).filter(|&thread| self.is_live(thread)).count();
    }

    /// Unpacks the buffers; answers how many components behind the threads are theirs.
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

    /// Packs the working state into a state vector.
    pub fn pack(&mut self, out: &mut Vec<Id>) {
        self.memory.flush();
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
    }

    fn unpack_races(&mut self, vector: &[Id]) {
        if let Some(races) = &mut self.observers.races {
            races.decode(self.memory.components.get(vector[2]));
        }
    }

    fn races_component(&mut self) -> Option<Id> {
        self.observers.races.as_ref()?;
        let mut words = std::mem::take(&mut self.encoding.scratch);
        words.clear();
        self.encode_races(&mut words);
        let id = self.memory.components.intern(&words);
        self.encoding.scratch = words;
        Some(id)
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

    /// Components have other ids from now on.
    pub(in crate::system) fn forget_components(&mut self) {
        self.memory.table.forget();
        match &mut self.buffers {
            StoreBuffers::Delayed(buffers) => buffers.forget(),
            StoreBuffers::Updated(updates) => updates.forget_components(),
        }
    }
}
