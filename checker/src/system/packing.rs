//! State vectors: the working state as a sequence of component ids, and back.
//!
//! ```text
//! delayed flushing: [directory, buffers,    (races with --races),  top, rest of each thread,                    pages]
//! update events:    [directory, [n] buffers,                       top, rest of each thread,  buffer of each,   pages]
//! ```
//!
//! With update events every thread's buffer is a component of its own: few different ones come up, and a step changes only that of its thread. With
//! delayed flushing there is one for all, which holds the order between them.

use rmc_runtime::Buffers;

use super::buffers::StoreBuffers;
use super::machine::Machine;
use super::threads::ThreadSlots;
use crate::store::Id;

/// Components that the decoded parts of the working state are equal to, if they have not changed since.
#[derive(Default)]
pub(super) struct Known {
    directory: Option<Id>,
    /// Of all buffers, or with update events the number of those.
    buffers: Option<Id>,
    /// With update events, of each thread's buffer.
    queues: Vec<Option<Id>>,
}

impl Machine<'_> {
    /// How many stores are pending in a state of delayed flushing.
    #[must_use]
    pub fn pending_in(&self, vector: &[Id]) -> usize {
        Buffers::encoded_len(self.memory.components.get(vector[1]))
    }

    /// Where a state vector has its first thread: behind the components of the whole.
    pub(super) const fn first_thread(&self) -> usize {
        if self.races.is_some() { 3 } else { 2 }
    }

    /// Unpacks a state vector.
    pub fn unpack(&mut self, vector: &[Id]) {
        if self.known.directory != Some(vector[0]) {
            let words = self.memory.components.get(vector[0]);
            self.memory.directory.decode(words, self.memory.global_pages);
            self.known.directory = Some(vector[0]);
        }
        let (threads, first) = (self.memory.directory.threads.len(), self.first_thread());
        self.threads.clear();
        let (pairs, rest) = vector[first..].split_at(2 * threads);
        self.threads.extend(pairs.chunks_exact(2).map(|pair| ThreadSlots { top: pair[0], rest: pair[1] }));
        let buffers = self.unpack_buffers(vector[1], rest);
        self.memory.reset(&rest[buffers..]);
        self.unpack_races(vector);
        self.live = (0..threads).filter(|&thread| self.is_live(thread)).count();
    }

    /// Unpacks the buffers; answers how many components behind the threads are theirs.
    fn unpack_buffers(&mut self, buffers: Id, behind: &[Id]) -> usize {
        let Self { buffers: store_buffers, memory, known, .. } = self;
        let is_known = known.buffers.replace(buffers) == Some(buffers);
        let words = memory.components.get(buffers);
        let updates = match store_buffers {
            StoreBuffers::Delayed(_) if is_known => return 0,
            StoreBuffers::Delayed(delayed) => {
                delayed.decode(words);
                return 0;
            }
            StoreBuffers::Updated(updates) => updates,
        };
        let threads = words[0] as usize;
        updates.set_threads(threads);
        known.queues.resize(threads, None);
        for (thread, (known, &id)) in known.queues.iter_mut().zip(behind).enumerate() {
            if known.replace(id) != Some(id) {
                updates.decode(thread, memory.components.get(id));
            }
        }
        threads
    }

    /// Packs the working state into a state vector.
    pub fn pack(&mut self, out: &mut Vec<Id>) {
        self.memory.flush();
        out.clear();
        let directory = self.directory_component();
        let buffers = self.buffers_component();
        out.extend([directory, buffers]);
        out.extend(self.races_component());
        out.extend(self.threads.iter().flat_map(|slots| [slots.top, slots.rest]));
        self.pack_queues(out);
        out.extend_from_slice(&self.memory.pages[..self.memory.global_pages]);
        for object in &self.memory.directory.objects {
            let pages = super::directory::pages(object.size);
            out.extend_from_slice(&self.memory.pages[object.base..object.base + pages]);
        }
    }

    fn unpack_races(&mut self, vector: &[Id]) {
        if let Some(races) = &mut self.races {
            races.decode(self.memory.components.get(vector[2]));
        }
    }

    fn races_component(&mut self) -> Option<Id> {
        self.races.as_ref()?;
        let mut words = std::mem::take(&mut self.scratch);
        words.clear();
        self.encode_races(&mut words);
        let id = self.memory.components.intern(&words);
        self.scratch = words;
        Some(id)
    }

    fn directory_component(&mut self) -> Id {
        if let Some(id) = self.known.directory {
            return id;
        }
        self.scratch.clear();
        self.memory.directory.encode(&mut self.scratch);
        self.memory.components.intern(&self.scratch)
    }

    fn buffers_component(&mut self) -> Id {
        if let Some(id) = self.known.buffers {
            return id;
        }
        self.scratch.clear();
        match &self.buffers {
            StoreBuffers::Delayed(buffers) => buffers.encode(&mut self.scratch),
            StoreBuffers::Updated(updates) => self.scratch.push(updates.threads() as u64),
        }
        self.memory.components.intern(&self.scratch)
    }

    /// With update events, appends every thread's buffer.
    fn pack_queues(&mut self, out: &mut Vec<Id>) {
        let Self { buffers, memory, known, scratch, .. } = self;
        let StoreBuffers::Updated(updates) = buffers else { return };
        known.queues.resize(updates.threads(), None);
        out.extend(known.queues.iter().enumerate().map(|(thread, known)| {
            known.unwrap_or_else(|| {
                scratch.clear();
                updates.encode(thread, scratch);
                memory.components.intern(scratch)
            })
        }));
    }

    /// Says that the directory was changed: the next state's is another one, and the next load decodes it anew.
    pub(super) fn touch_directory(&mut self) {
        self.known.directory = None;
    }

    /// Says that the running thread's pending stores were changed.
    pub(super) fn touch_buffers(&mut self) {
        self.touch_buffers_of(self.current);
    }

    /// Says that a thread's pending stores were changed.
    pub(super) fn touch_buffers_of(&mut self, thread: usize) {
        self.known.buffers = None;
        if let Some(known) = self.known.queues.get_mut(thread) {
            *known = None;
        }
    }
}
