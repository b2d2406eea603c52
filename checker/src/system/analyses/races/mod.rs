//! Data races, with `--races`: two accesses of different threads to a common byte, at least one a write, at
//! least one not atomic, and neither before the other in happens-before (C11 5.1.2.4).
//!
//! Every execution of the chosen memory model is looked at; what a load reads from is what that model lets it
//! read from. Happens-before is program order, and *synchronises-with*:
//! * a release store or a store after a release fence, and an acquire load of its value or a load of it
//!   before an acquire fence; or a load of a later value of its release sequence, which read-modify-writes of
//!   any thread and stores of the releasing thread continue (C11 5.1.2.4, paragraph 10; C++20 lets the latter
//!   end it);
//! * the functions of the thread library, each as its [`Role`] says; creation and join of threads. Where
//!   POSIX and C differ, POSIX: whoever gives back a reader-writer lock is before whoever takes it next, two
//!   readers included;
//! * atomic sections, which exclude each other like the holders of one lock.
//!
//! Plain and volatile accesses are not atomic, read-modify-writes of assembly and the `__sync` built-ins are.
//! Pieces of `memcpy` and what a library function reads or writes on behalf of the program are plain
//! accesses; the memory of a synchronisation object is accessed atomically by its functions. `free` writes
//! the whole object. The end of a local variable does not: whoever uses it later is found by the use.
//!
//! Memory known to one thread only is recorded like all other, since it may be published without order later.
//! Memory that the pass leaves alone never leaves its thread; constants never change.
//!
//! What is recorded is part of the state ([`records`]), one component. Without the option there is none.
//!
//! Not supported, and refused where it is reached: an atomic load that meets atomic stores of another size or
//! place among its bytes; library functions that write to memory without a role.

pub mod records;

use rmc_runtime::{Access, MemoryOrder, Source, StoreTag};

use self::records::{Carrier, Kind, Range, Record, Records};
use crate::ir::address::ObjectId;
use crate::outcome::{Fault, ViolationKind};
use crate::system::library::{LibraryFunction, Role};
use crate::system::machine::Machine;
use crate::system::state::memory::{Content, Fate};
use crate::system::step::StepEnd;
use crate::system::step::access::Target;

/// What the working state knows of races.
#[derive(Debug, Default)]
pub struct Races {
    records: Records,
    /// The tag of the next store without a name.
    next_tag: u32,
    /// What ends the step, noticed where no result could say so.
    ended: Option<StepEnd>,
}

const fn acquires(order: MemoryOrder) -> bool {
    matches!(order, MemoryOrder::Acquire | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
}

const fn releases(order: MemoryOrder) -> bool {
    matches!(order, MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::SeqCst)
}

impl Races {
    /// Starts over from the words that [`Machine::encode_races`] gave.
    pub(in crate::system) fn decode(&mut self, words: &[u64]) {
        self.records.decode(words);
        self.ended = None;
    }
}

impl Machine<'_> {
    /// Appends the canonical form of what is known of races.
    pub(in crate::system) fn encode_races(&mut self, out: &mut Vec<u64>) {
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

    /// A step begins: the pending stores get names, unless a recorder has named them.
    pub(in crate::system) fn begin_races(&mut self) {
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
    pub(in crate::system) fn unrecorded_tag(&mut self) -> StoreTag {
        let Some(races) = &mut self.observers.races else { return StoreTag(0) };
        races.next_tag += 1;
        StoreTag(races.next_tag - 1)
    }

    /// An operation begins: what the one before read is forgotten.
    pub(in crate::system) fn begin_race_operation(&mut self) {
        if let Some(races) = &mut self.observers.races {
            races.records.forget_all(is_read);
        }
    }

    /// How the step ends, if races found a reason that could not be told at once.
    pub(in crate::system) fn race_verdict(&mut self) -> Result<(), StepEnd> {
        self.observers.races.as_mut().and_then(|races| races.ended.take()).map_or(Ok(()), Err)
    }

    /// Stores that reached memory since the last time: what they carried, memory has now.
    pub(in crate::system) fn settle_races(&mut self) {
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

    /// The running thread accesses memory: an error if that races.
    pub(in crate::system) fn race_access(
        &mut self,
        target: &Target,
        write: bool,
        order: MemoryOrder,
    ) -> Result<(), StepEnd> {
        if matches!(target.region.content, Content::Constant(_)) {
            return Ok(());
        }
        self.race_range(target.at.into(), Kind { write, atomic: order != MemoryOrder::Plain })
    }

    /// The running thread frees an object.
    pub(in crate::system) fn race_free(&mut self, id: ObjectId, size: u32) -> Result<(), StepEnd> {
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
        // A part that has no name of its own says its size.
        let size = if name.ends_with(" bytes)") { String::new() } else { format!(" ({len} bytes)") };
        let message =
            format!("{kind} of `{name}`{size} by thread {thread}, and {before} by {by}, with nothing that orders them");
        Fault::new(ViolationKind::DataRace, message)
    }

    /// What the thread read comes with what the store to it carried. An atomic load, or the load of a
    /// read-modify-write.
    pub(in crate::system) fn race_read(&mut self, at: Access, source: Source) {
        // A store of another thread that the load saw has reached memory by that.
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

    /// A load of the program: what it saw, and what it learns from that.
    pub(in crate::system) fn race_load(&mut self, at: Access, source: Source, order: MemoryOrder) {
        if order != MemoryOrder::Plain {
            self.race_read(at, source);
            self.race_acquire(order);
        }
    }

    /// A modelled function reads memory: what its arguments point to, unless that is a synchronisation
    /// object.
    pub(in crate::system) fn race_library_read(&mut self, target: &Target) -> Result<(), StepEnd> {
        if self.observers.races.is_none() {
            return Ok(());
        }
        match self.called_function().and_then(|function| function.role) {
            None | Some(Role::Plain) => self.race_access(target, false, MemoryOrder::Plain),
            Some(_) => Ok(()),
        }
    }

    /// The thread's order of the load: it learns at once, or at its next acquire fence.
    pub(in crate::system) fn race_acquire(&mut self, order: MemoryOrder) {
        let me = self.running.thread;
        let Some(races) = &mut self.observers.races else { return };
        let to = if acquires(order) { Carrier::Thread(me) } else { Carrier::Seen(me) };
        races.records.spread(|one| is_read(one).then_some(to));
    }

    /// What a store carries, before it is made. A read-modify-write also hands on what it read.
    pub(in crate::system) fn race_release(&mut self, tag: StoreTag, order: MemoryOrder, also_read: bool) {
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

    /// A fence of the running thread.
    pub(in crate::system) fn race_fence(&mut self, order: MemoryOrder) {
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

    /// What one carrier knows, the other learns.
    pub(in crate::system) fn race_order(&mut self, from: Carrier, to: Carrier) {
        if let Some(races) = &mut self.observers.races {
            races.records.hand_on(from, to);
        }
    }

    /// A write by a modelled function, before it is made: by the function's role.
    pub(in crate::system) fn race_library_store(&mut self, target: &Target, tag: StoreTag) {
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

    /// The memory of an object is gone.
    pub(in crate::system) fn race_object_ends(&mut self, id: ObjectId) {
        if let Some(races) = &mut self.observers.races {
            races.records.end_object(id.0);
        }
    }

    /// The number of a thread is free.
    pub(in crate::system) fn race_thread_ends(&mut self, thread: usize) {
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
