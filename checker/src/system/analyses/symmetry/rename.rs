//! Permutes the numbers of threads in a state, wherever they occur: see the header of `mod.rs`. Handles are
//! left as they are.

use rmc_runtime::Buffers;

use super::{FIRST, Symmetry, ThreadPermutation, Threads};
use crate::interp::watch::owner_of;
use crate::ir::address::{INDEX_BITS, OFFSET_BITS, ObjectId};
use crate::ir::thread_name;
use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::state::kept_names::KeptName;
use crate::system::state::object_table::{ObjectTable, pages, words_of_pages};
use crate::system::state::threads;

/// A component, and the way in which it is renamed.
pub(super) type Renaming = (ThreadPermutation, Kind, Id);

/// The kinds of components.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    ObjectTable,
    Stores,
    Frame,
    List,
    /// The end of a thread.
    End,
    /// A page with so many words of data.
    Page(usize),
}

/// The threads that words mention.
pub(super) fn mentions(words: &[u64]) -> Threads {
    words.iter().fold(0, |set, &word| set | mentioned(word))
}

const fn mentioned(word: u64) -> Threads {
    match (thread_name::thread_of(word), owner_of(word)) {
        (Some(thread), _) => 1 << thread,
        (None, 0) => 0,
        (None, owner) => 1 << (owner - 1),
    }
}

impl ThreadPermutation {
    fn word(self, word: u64) -> u64 {
        match (thread_name::thread_of(word), owner_of(word)) {
            (Some(thread), _) => thread_name::name(self.of(thread), thread_name::note_of(word)),
            (None, 0) => word,
            (None, owner) => {
                let within = word & ((1 << (OFFSET_BITS + INDEX_BITS)) - 1);
                u64::from(self.owner(owner)) << (OFFSET_BITS + INDEX_BITS) | within
            }
        }
    }

    /// The new owner of the things of a thread.
    fn owner(self, owner: u32) -> u32 {
        if owner == 0 { 0 } else { self.of(owner as usize - 1) as u32 + 1 }
    }

    fn object(self, id: ObjectId) -> ObjectId {
        ObjectId::new(self.owner(id.owner()), id.index())
    }
}

impl Machine<'_> {
    /// Exchanges threads in a state with this object table.
    pub(super) fn rename(
        &mut self,
        known: &mut Symmetry,
        table: &ObjectTable,
        to: ThreadPermutation,
        vector: &mut Vec<Id>,
    ) {
        let old = std::mem::take(vector);
        let threads = table.threads.len();
        let mut one = |machine: &mut Self, kind, id| machine.renamed(known, to, kind, id);
        vector.extend([one(self, Kind::ObjectTable, old[0]), one(self, Kind::Stores, old[1])]);
        vector.resize(FIRST + 2 * threads, 0);
        for (thread, slots) in old[FIRST..FIRST + 2 * threads].chunks_exact(2).enumerate() {
            let new = if slots[1] == self.encoding.ended {
                [one(self, Kind::End, slots[0]), self.encoding.ended]
            } else {
                [one(self, Kind::Frame, slots[0]), one(self, Kind::List, slots[1])]
            };
            vector[FIRST + 2 * to.of(thread)..][..2].copy_from_slice(&new);
        }
        let content = &old[FIRST + 2 * threads..];
        let program = self.program;
        let sizes = program.shared_globals.iter().map(|global| program.globals[global.index()].size);
        let words = sizes.flat_map(words_of_pages);
        vector.extend(words.zip(content).map(|(words, &page)| one(self, Kind::Page(words), page)));
        let mut objects: Vec<_> = table.objects.iter().collect();
        objects.sort_by_key(|object| to.object(object.id));
        for object in objects {
            let content = &content[object.base..object.base + pages(object.size)];
            vector.extend(
                words_of_pages(object.size).zip(content).map(|(words, &page)| one(self, Kind::Page(words), page)),
            );
        }
    }

    fn renamed(&mut self, known: &mut Symmetry, to: ThreadPermutation, kind: Kind, id: Id) -> Id {
        let is_plain = matches!(kind, Kind::Frame | Kind::End | Kind::Page(_));
        if is_plain && self.mentioned(&mut known.keys, id) & to.moved() == 0 {
            return id;
        }
        if let Some(&new) = known.renamed.get(&(to, kind, id)) {
            return new;
        }
        let mut words = self.memory.components.get(id).to_vec();
        match kind {
            Kind::ObjectTable => rename_object_table(to, &mut words),
            Kind::Stores => rename_stores(to, &mut Buffers::new(self.config.model()), &mut words),
            Kind::Frame => threads::registers(&mut words).iter_mut().for_each(|word| *word = to.word(*word)),
            Kind::List => {
                if let Some((frame, below)) = threads::split_list(&self.memory.components, id) {
                    let frame = self.renamed(known, to, Kind::Frame, frame);
                    let below = self.renamed(known, to, Kind::List, below);
                    words = threads::joined_list(frame, below).to_vec();
                }
            }
            Kind::End => words[0] = to.word(words[0]),
            Kind::Page(data) => words[..data].iter_mut().for_each(|word| *word = to.word(*word)),
        }
        let new = self.memory.components.intern(&words);
        known.renamed.insert((to, kind, id), new);
        new
    }
}

fn rename_object_table(to: ThreadPermutation, words: &mut Vec<u64>) {
    let mut table = ObjectTable::default();
    table.decode(words, 0);
    table.atomic = table.atomic.map(|thread| to.of(thread));
    for parked in &mut table.parked {
        (parked.thread, parked.at, parked.with) = (to.of(parked.thread), to.word(parked.at), to.word(parked.with));
    }
    table.parked.sort_by_key(|parked| parked.thread);
    for object in &mut table.objects {
        (object.id, object.taker) = (to.object(object.id), to.owner(object.taker.into()) as u8);
    }
    table.objects.sort_by_key(|object| object.id);
    table.dangling.iter_mut().for_each(|id| *id = to.object(*id));
    table.dangling.sort_unstable();
    table.kept.rename(|kept| KeptName { thread: to.of(kept.thread), id: to.object(kept.id), ..kept });
    words.clear();
    table.encode(words);
}

fn rename_stores(to: ThreadPermutation, buffers: &mut Buffers, words: &mut Vec<u64>) {
    buffers.decode(words);
    buffers.rename(|thread| to.of(thread), |object| to.object(ObjectId(object)).0, |word| to.word(word));
    words.clear();
    buffers.encode(words);
}
