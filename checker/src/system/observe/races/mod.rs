//! Data races, with `--races`: two accesses of different threads to a common byte, at least one a write, at
//! least one not atomic, and neither before the other in happens-before (C11 5.1.2.4).
//!
//! Every execution of the chosen memory model is checked; a load reads what that model lets it read.
//! Happens-before is program order, and *synchronises-with*:
//! * a release store or a store after a release fence, and an acquire load of its value or a load of it
//!   before an acquire fence; or a load of a later value of its release sequence, which read-modify-writes of
//!   any thread and stores of the releasing thread continue (C11 5.1.2.4, paragraph 10; C++20 lets the latter
//!   end it);
//! * the functions of the thread library, each according to its [`Role`]; creation and join of threads;
//! * reader-writer locks: what a writer releases happens-before the next acquisitions, and what a reader
//!   releases happens-before the next acquisition by a writer. Where POSIX and C++ differ, each decides for
//!   its own: for POSIX it happens-before those by readers, too; for `std::shared_mutex` it does not (C++20,
//!   thread.sharedmutex.requirements);
//! * atomic sections, which exclude each other like the holders of one lock.
//!
//! Plain and volatile accesses are not atomic, read-modify-writes of assembly and the `__sync` built-ins are.
//! Pieces of `memcpy` and accesses of a library function on behalf of the program are plain accesses; the
//! memory of a synchronisation object is accessed atomically by its functions. `free` writes the whole
//! object. The end of a local variable does not write it: a later use of the variable is a violation of its
//! own.
//!
//! Memory known to one thread only is recorded like all other memory, since it may be published without order
//! later. Memory that the pass leaves alone never leaves its thread; constants never change.
//!
//! The records are part of the state ([`records`]), as one component. Without the option there is none.
//!
//! Two cases are not supported, and are refused where they are reached: an atomic load that meets atomic
//! stores of another size or place among its bytes, and library functions that write to memory without a
//! role.

pub(super) mod records;

use rmc_runtime::{Access, MemoryOrder, Source, StoreTag};

use self::records::{Carrier, Kind, Range, Record, Records};
use crate::ir::address::ObjectId;
use crate::outcome::{Fault, ViolationKind};
use crate::store::Id;
use crate::system::library::{LibraryFunction, Role};
use crate::system::machine::Machine;
use crate::system::state::memory::{Content, Fate};
use crate::system::step::StepEnd;
use crate::system::step::access::Target;

/// The data for race detection in the working state.
#[derive(Debug, Default)]
pub(super) struct Races {
    records: Records,
    /// The tag of the next store without a name.
    next_tag: u32,
    /// An end of the step that was found where no result could return it.
    ended: Option<StepEnd>,
}

const fn acquires(order: MemoryOrder) -> bool {
    matches!(order, MemoryOrder::Acquire | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
}

const fn releases(order: MemoryOrder) -> bool {
    matches!(order, MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
}

impl Machine<'_> {
    /// Restores the records from their component.
    pub(in crate::system) fn unpack_races(&mut self, component: impl FnOnce() -> Id) {
        if let Some(races) = &mut self.observers.races {
            races.records.decode(self.memory.components.get(component()));
            races.ended = None;
        }
    }

    /// The component of the records, if races are looked for.
    pub(in crate::system) fn races_component(&mut self) -> Option<Id> {
        self.observers.races.as_ref()?;
        let mut words = std::mem::take(&mut self.encoding.scratch);
        words.clear();
        self.encode_races(&mut words);
        let id = self.memory.components.intern(&words);
        self.encoding.scratch = words;
        Some(id)
    }

    /// Appends the canonical form of the records.
    fn encode_races(&mut self, out: &mut Vec<u64>) {
        self.settle_races();
        let live: Vec<_> = self.live_threads().collect();
        let tags = self.buffers.tags();
        let Some(races) = &mut self.observers.races else { return };
        races.records.forget_all(|one| matches!(one, Carrier::Pending(tag, _) if !tags.contains(&tag)));
        races.records.rename(|one| match one {
            Carrier::Pending(tag, head) => {
                let at = tags.iter().position(|&other| other == tag).expect("the others were forgotten");
                Carrier::Pending(number(at), head)
            }
            other => other,
        });
        races.records.tidy(&live);
        races.records.encode(out);
    }

    /// Begins a step: the pending stores get names, unless a recorder has named them.
    pub(super) fn begin_races(&mut self) {
        if self.observers.races.is_none() {
            return;
        }
        if self.observers.recorder.is_none() {
            let tags: Vec<_> = (0..self.buffers.len()).map(number).collect();
            self.buffers.set_tags(&tags);
        }
        let tags = self.buffers.tags();
        let Some(races) = &mut self.observers.races else { return };
        races.next_tag = u32::try_from(tags.len()).expect("few stores") + 1;
        races.records.rename(|one| match one {
            Carrier::Pending(tag, head) => Carrier::Pending(tags[tag.0 as usize - 1], head),
            other => other,
        });
    }

    /// The name of a store that no recorder names.
    pub(super) fn unrecorded_tag(&mut self) -> StoreTag {
        let Some(races) = &mut self.observers.races else { return StoreTag(0) };
        races.next_tag += 1;
        StoreTag(races.next_tag - 1)
    }

    /// Begins an operation: the values that the operation before it read are forgotten.
    pub(super) fn begin_race_operation(&mut self) {
        if let Some(races) = &mut self.observers.races {
            races.records.forget_all(is_read);
        }
    }

    /// The end of the step, if race detection found one that could not be returned at once.
    pub(super) fn race_verdict(&mut self) -> Result<(), StepEnd> {
        self.observers.races.as_mut().and_then(|races| races.ended.take()).map_or(Ok(()), Err)
    }

    /// Handles stores that reached memory since the last call: memory has now what they carried.
    pub(super) fn settle_races(&mut self) {
        let Some(races) = &mut self.observers.races else { return };
        for arrival in self.memory.take_arrivals() {
            let at = arrival.at;
            let inside = |one| matches!(one, Carrier::Place(old, _) if old.overlaps(at) && !at.covers(old));
            if matches!(arrival.fate, Fate::Written) && races.records.any(inside) {
                races.ended = Some(mixed_sizes());
            }
            races.records.arrive(arrival);
        }
    }

    /// Records an access of the running thread. It is an error if the access races.
    pub(super) fn race_access(&mut self, target: &Target, write: bool, order: MemoryOrder) -> Result<(), StepEnd> {
        if matches!(target.region.content, Content::Constant(_)) {
            return Ok(());
        }
        self.race_range(target.at.into(), Kind { write, atomic: order != MemoryOrder::Plain })
    }

    /// Records that the running thread frees an object.
    pub(super) fn race_free(&mut self, id: ObjectId, size: u32) -> Result<(), StepEnd> {
        self.race_range(Range { object: id.0, offset: 0, len: size }, Kind { write: true, atomic: false })
    }

    fn race_range(&mut self, at: Range, kind: Kind) -> Result<(), StepEnd> {
        let (thread, alone) = (self.running.thread, self.threads.live == 1);
        let Some(races) = &mut self.observers.races else { return Ok(()) };
        if let Some(other) = races.records.race(at, kind, thread).cloned() {
            self.note_race(&other);
            return Err(StepEnd::Fault(self.race_fault(at, kind, &other)));
        }
        if !alone {
            races.records.note(at, kind, thread);
        }
        self.note_access(at, kind);
        Ok(())
    }

    fn race_fault(&self, at: Range, kind: Kind, other: &Record) -> Fault {
        let by = other.owner.map_or("a thread that is gone".to_owned(), |thread| format!("thread {thread}"));
        let name = self.range_name(at);
        let (thread, len, before) = (self.running.thread, at.len, other.kind);
        // The size is given for a part that has no name of its own.
        let size = if name.ends_with(" bytes)") { String::new() } else { format!(" ({len} bytes)") };
        let message =
            format!("{kind} of `{name}`{size} by thread {thread}, and {before} by {by}, with nothing that orders them");
        Fault::new(ViolationKind::DataRace, message)
    }

    /// Gives to the running operation, an atomic load or the load of a read-modify-write, what the store that
    /// it read carried.
    pub(super) fn race_read(&mut self, at: Access, source: Source) {
        // A store of another thread reached memory if the load saw it.
        self.settle_races();
        let Some(races) = &mut self.observers.races else { return };
        races.records.forget_all(is_read);
        let is_pending = |tag| self.buffers.pending().any(|store| store.tag == tag);
        if let Source::OwnBuffer(tag) | Source::Pending { tag, .. } = source
            && is_pending(tag)
        {
            return races.records.spread(|one| match one {
                Carrier::Pending(store, head) if store == tag => Some(Carrier::Read(head)),
                _ => None,
            });
        }
        let exact = source != Source::Mixed;
        let partly = |one| match one {
            Carrier::Place(old, _) => old.overlaps(at) && (old != at || !exact),
            Carrier::Pending(tag, _) => {
                let store = self.buffers.pending().find(|store| store.tag == tag);
                !exact && store.is_none_or(|store| store.at.overlaps(at))
            }
            _ => false,
        };
        if races.records.any(partly) {
            races.ended = Some(mixed_sizes());
        }
        races.records.spread(|one| match one {
            Carrier::Place(old, head) if old == at => Some(Carrier::Read(head)),
            _ => None,
        });
    }

    /// Handles a load of the program: the store that it read, and what the thread acquires from it.
    pub(super) fn race_load(&mut self, at: Access, source: Source, order: MemoryOrder) {
        if order != MemoryOrder::Plain {
            self.race_read(at, source);
            self.race_acquire(order);
        }
    }

    /// Records a read by a modelled function of memory that its arguments point to, unless that is a
    /// synchronisation object.
    pub(super) fn race_library_read(&mut self, target: &Target) -> Result<(), StepEnd> {
        if self.observers.races.is_none() {
            return Ok(());
        }
        match self.called_function().and_then(|function| function.role) {
            None | Some(Role::Plain) => self.race_access(target, false, MemoryOrder::Plain),
            Some(_) => Ok(()),
        }
    }

    /// Makes the thread acquire what it read, according to the order of the load: at once, or at its next
    /// acquire fence.
    pub(super) fn race_acquire(&mut self, order: MemoryOrder) {
        let me = self.running.thread;
        let Some(races) = &mut self.observers.races else { return };
        let to = if acquires(order) { Carrier::Thread(me) } else { Carrier::Seen(me) };
        races.records.spread(|one| is_read(one).then_some(to));
    }

    /// Gives to a store, before it is made, what it carries. A read-modify-write also carries what it read.
    pub(super) fn race_release(&mut self, tag: StoreTag, order: MemoryOrder, also_read: bool) {
        let me = self.running.thread;
        let Some(races) = &mut self.observers.races else { return };
        let to = Carrier::Pending(tag, Some(me));
        match order {
            MemoryOrder::Plain => {}
            _ if releases(order) => races.records.hand_on(Carrier::Thread(me), to),
            _ => races.records.hand_on(Carrier::Released(me), to),
        }
        if also_read {
            races.records.spread(|one| match one {
                Carrier::Read(head) => Some(Carrier::Pending(tag, head)),
                _ => None,
            });
        }
    }

    /// Handles a fence of the running thread.
    pub(super) fn race_fence(&mut self, order: MemoryOrder) {
        let me = self.running.thread;
        let Some(Races { records, .. }) = self.observers.races.as_deref_mut() else { return };
        if acquires(order) {
            records.hand_on(Carrier::Seen(me), Carrier::Thread(me));
            records.forget(Carrier::Seen(me));
        }
        if releases(order) {
            records.forget(Carrier::Released(me));
            records.hand_on(Carrier::Thread(me), Carrier::Released(me));
        }
    }

    /// Makes everything that one carrier knows known to another one.
    pub(super) fn race_order(&mut self, from: Carrier, to: Carrier) {
        if let Some(races) = &mut self.observers.races {
            races.records.hand_on(from, to);
        }
    }

    /// Forgets what was released to a reader-writer lock.
    pub(super) fn race_forget_lock(&mut self, at: Access) {
        if let Some(races) = &mut self.observers.races {
            races.records.forget_all(|one| matches!(one, Carrier::ReaderWriter(lock, _) if lock == at));
        }
    }

    /// Handles a write by a modelled function, before it is made, according to the function's role.
    pub(super) fn race_library_store(&mut self, target: &Target, tag: StoreTag) {
        if self.observers.races.is_none() {
            return;
        }
        let called = self.called_function();
        let Some(role) = called.and_then(|function| function.role) else {
            let name = called.map_or("the program", LibraryFunction::public_name);
            let what = format!("function `{name}` with --races: what it orders is not known");
            return self.end_races(StepEnd::Unsupported(what));
        };
        let order = if role == Role::Plain { MemoryOrder::Plain } else { MemoryOrder::Relaxed };
        if let Err(race) = self.race_access(target, true, order) {
            return self.end_races(race);
        }
        let (me, store) = (Carrier::Thread(self.running.thread), Carrier::Pending(tag, None));
        let Some(Races { records, .. }) = self.observers.races.as_deref_mut() else { return };
        let learn = |records: &mut Records| records.spread(|one| is_read(one).then_some(me));
        match role {
            Role::Plain | Role::Beginning => return,
            Role::Silent => {}
            Role::Acquire => learn(records),
            Role::Release => records.hand_on(me, store),
            Role::Both => {
                learn(records);
                records.hand_on(me, store);
            }
        }
        records.spread(|one| is_read(one).then_some(store));
    }

    fn end_races(&mut self, end: StepEnd) {
        if let Some(races) = &mut self.observers.races {
            races.ended = races.ended.take().or(Some(end));
        }
    }

    /// Forgets the memory of an object that is gone.
    pub(super) fn race_object_ends(&mut self, id: ObjectId) {
        if let Some(races) = &mut self.observers.races {
            races.records.end_object(id.0);
        }
    }

    /// Handles that the number of a thread becomes free.
    pub(super) fn race_thread_ends(&mut self, thread: usize) {
        if let Some(races) = &mut self.observers.races {
            races.records.end_thread(thread);
            self.note_thread_gone(thread);
        }
    }
}

const fn is_read(carrier: Carrier) -> bool {
    matches!(carrier, Carrier::Read(_))
}

/// The name of the store with this number in canonical order.
fn number(at: usize) -> StoreTag {
    StoreTag(u32::try_from(at).expect("few stores") + 1)
}

fn mixed_sizes() -> StepEnd {
    StepEnd::Unsupported("atomic accesses of different sizes to the same bytes, with --races".to_owned())
}
