//! Queries of a state vector: facts about threads and stores that are read from it without unpacking it.

use crate::ir::Instr;
use crate::store::{Id, Interner};
use crate::system::buffers::Updates;
use crate::system::library::{self, OnThreads};
use crate::system::machine::Machine;
use crate::system::state::object_table::ObjectTable;
use crate::system::state::read_set::{ENDED, LIVE, NUMBER, OTHERS, RUNS};
use crate::system::state::threads;

/// The positions of the parts of a state vector without races. With delayed flushing there are no buffers of
/// threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layout {
    /// Number of threads.
    pub threads: usize,
    /// Number of buffers.
    pub queues: usize,
}

impl Layout {
    /// The layout of a state vector.
    pub(in crate::system) fn of(components: &Interner, vector: &[Id]) -> Self {
        let words = |id| components.get(id);
        Self { threads: ObjectTable::threads_of(words(vector[0])), queues: words(vector[1])[0] as usize }
    }

    /// The position of a thread's two components.
    #[must_use]
    pub const fn thread(thread: usize) -> usize {
        2 + 2 * thread
    }

    /// The position of a thread's buffer.
    #[must_use]
    pub const fn queue(self, thread: usize) -> usize {
        2 + 2 * self.threads + thread
    }

    /// The position of the first page.
    #[must_use]
    pub const fn pages(self) -> usize {
        2 + 2 * self.threads + self.queues
    }
}

/// The kinds of next steps of a thread. They are estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextKind {
    /// The step creates a thread.
    Creates,
    /// The step does anything else.
    Works,
    /// The thread can only end, or wait for the end of others.
    Rests,
}

impl NextKind {
    /// All kinds, in the order in which they are tried.
    pub const ALL: [Self; 3] = [Self::Creates, Self::Works, Self::Rests];
}

impl Machine<'_> {
    /// The value of an item in a state.
    #[must_use]
    pub fn item_value(&self, vector: &[Id], layout: Layout, item: u32) -> u32 {
        if item < OTHERS {
            return vector[layout.pages() + item as usize];
        }
        let thread = (item & NUMBER) as usize;
        match item - thread as u32 {
            ENDED => self.ended_value(vector[Layout::thread(thread)], vector[Layout::thread(thread) + 1]),
            LIVE => (0..layout.threads).any(|other| other != thread && self.lives_in(vector, other)).into(),
            _ => {
                let has_stores = |other| self.has_stores_in(vector, layout, other);
                (0..layout.queues).any(|other| other != thread && has_stores(other)).into()
            }
        }
    }

    /// True if a thread of a state exists and has not ended.
    #[must_use]
    pub fn lives_in(&self, vector: &[Id], thread: usize) -> bool {
        ObjectTable::has_thread(self.memory.components.get(vector[0]), thread)
            && vector[Layout::thread(thread) + 1] != self.encoding.ended
    }

    /// True if a thread of a state is the only one that exists and has not ended.
    #[must_use]
    pub fn lives_alone_in(&self, vector: &[Id], layout: Layout, thread: usize) -> bool {
        // Threads with lower numbers are more likely to live, since engines try the others first.
        (0..layout.threads).all(|other| self.lives_in(vector, other) == (other == thread))
    }

    /// True if a thread is in an atomic section in a state.
    #[must_use]
    pub fn is_in_section_in(&self, vector: &[Id]) -> bool {
        ObjectTable::atomic_of(self.memory.components.get(vector[0])).is_some()
    }

    /// The threads of a state with a number below `below` that may take a step unless they are blocked, in
    /// ascending order.
    pub fn schedulable_in(&self, vector: &[Id], below: usize) -> impl DoubleEndedIterator<Item = usize> {
        let table = self.memory.components.get(vector[0]);
        let atomic = ObjectTable::atomic_of(table);
        let lives = move |thread| {
            ObjectTable::has_thread(table, thread) && vector[Layout::thread(thread) + 1] != self.encoding.ended
        };
        (0..below).filter(move |&thread| lives(thread) && atomic.is_none_or(|owner| owner == thread))
    }

    /// An estimate of what a live thread of a state does next. It is always the same for the same state.
    #[must_use]
    pub fn next_kind_in(&self, vector: &[Id], thread: usize) -> NextKind {
        let [top, rest] = [0, 1].map(|at| vector[Layout::thread(thread) + at]);
        let (function, pc) = threads::position(self.memory.components.get(top));
        let function = self.program.function(function);
        match function.code[pc.index()] {
            Instr::Return { .. } if rest == self.encoding.empty => NextKind::Rests,
            Instr::Library { site } => match library::function(function.library[site.index()].function).on_threads {
                OnThreads::Creates => NextKind::Creates,
                OnThreads::Joins | OnThreads::EndsThread => NextKind::Rests,
                OnThreads::EndsProcess if self.defers_exits() => NextKind::Rests,
                OnThreads::EndsProcess | OnThreads::TriesToJoin | OnThreads::Detaches | OnThreads::Nothing => {
                    NextKind::Works
                }
            },
            _ => NextKind::Works,
        }
    }

    /// The number of threads of a state that exist and have not ended.
    #[must_use]
    pub fn live_in(&self, vector: &[Id], layout: Layout) -> usize {
        (0..layout.threads).filter(|&thread| self.lives_in(vector, thread)).count()
    }

    /// True if a thread has delayed stores in a state.
    #[must_use]
    pub fn has_stores_in(&self, vector: &[Id], layout: Layout, thread: usize) -> bool {
        thread < layout.queues && !Updates::is_empty_in(self.memory.components.get(vector[layout.queue(thread)]))
    }

    /// The number of the first of a thread's stores that may reach memory now in a state, among those with a
    /// number above `above`.
    #[must_use]
    pub fn next_ready_in(&self, vector: &[Id], layout: Layout, thread: usize, above: Option<u32>) -> Option<u32> {
        if thread >= layout.queues {
            return None;
        }
        Updates::next_ready_in(self.memory.components.get(vector[layout.queue(thread)]), above)
    }

    /// The value of the item that says whether a thread with these components has ended.
    pub(super) fn ended_value(&self, top: Id, rest: Id) -> u32 {
        if rest == self.encoding.ended { top } else { RUNS }
    }

    /// The layout of a state vector without races.
    #[must_use]
    pub fn layout(&self, vector: &[Id]) -> Layout {
        if self.config.updates {
            return Layout::of(&self.memory.components, vector);
        }
        Layout { threads: ObjectTable::threads_of(self.memory.components.get(vector[0])), queues: 0 }
    }

    /// The components of a state vector, each with a name that identifies it in another state vector.
    #[must_use]
    pub fn named(&self, vector: &[Id]) -> Vec<(u64, Id)> {
        const KIND: u32 = 56;
        const OBJECT: u32 = 24;
        let layout = self.layout(vector);
        let kinds = [2, 2 * layout.threads, layout.queues, self.memory.global_pages].into_iter().zip(0u64..);
        let whole = kinds.flat_map(|(count, kind)| (0..count as u64).map(move |at| kind << KIND | at));
        let objects = ObjectTable::objects_of(self.memory.components.get(vector[0]));
        let pages = objects
            .flat_map(|(id, pages)| (0..pages as u64).map(move |page| 4 << KIND | u64::from(id.0) << OBJECT | page));
        whole.chain(pages).zip(vector.iter().copied()).collect()
    }
}
