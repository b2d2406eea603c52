//! POSIX reader-writer locks, kept in the program's own `pthread_rwlock_t`.
//!
//! Of its 56 bytes, bytes 0 to 47 hold the number of read locks of each thread: three groups of 16 bytes with
//! three bits for each of 42 threads. Bytes 48 to 51 are the kind, where the static initialisers put it, and
//! bytes 52 to 55 the writer (thread + 1, 0 for none). As in glibc by default, a reader gets in while other
//! readers are in, whether a writer waits or not. The kind that lets writers pass first is refused by name.

use rmc_runtime::Bytes;

use super::Call;
use super::sync::{DESTROYED, SyncKind, WaitMode};
use crate::ir::address::MAX_THREADS;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::observe::Side::{Readers, Writer};
use crate::system::step::access::Target;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// The kinds in which readers go first. glibc treats them alike.
const READERS_FIRST: [u64; 2] = [0, 1];
/// The kind in which a reader waits while a writer waits.
pub const WRITERS_FIRST: u64 = 2;
/// The offset and the length of the kind in a lock, in bytes.
pub const KIND_AT: u32 = 48;
/// See [`KIND_AT`].
pub const KIND_BYTES: u32 = 4;

const KIND: SyncKind = SyncKind {
    name: "reader-writer lock",
    size: 56,
    word: 48,
    len: 8,
    initialised: &[READERS_FIRST[0], READERS_FIRST[1], WRITERS_FIRST],
    violation: ViolationKind::UninitialisedSync,
};

/// The number of bits that count the read locks of one thread, and the number of threads in a group of 16
/// bytes.
const BITS: usize = 3;
const GROUP: usize = 42;
const GROUPS: usize = 3;
const _: () = assert!(GROUP * GROUPS >= MAX_THREADS && GROUP * BITS <= 128);
/// The maximal number of read locks of one thread that can be counted.
pub const MOST_READ_LOCKS: u64 = (1 << BITS) - 1;

/// The content of a lock that an operation finds.
struct Lock {
    word: Target,
    kind: u64,
    /// The thread that holds it for writing, plus one.
    writer: u64,
    readers: [u128; GROUPS],
}

impl Machine<'_> {
    /// True if the running thread calls a function for `std::shared_mutex`, whose header calls those of
    /// POSIX.
    fn is_call_of_shared_mutex(&self) -> bool {
        let frame = self.running.stack.top();
        self.program.is_of_header((frame.function, frame.pc), "shared_mutex")
    }
}

impl Lock {
    fn is_written_by(&self, thread: usize) -> bool {
        self.writer == thread as u64 + 1
    }

    /// The number of times that a thread holds the lock for reading.
    fn reads_of(&self, thread: usize) -> u64 {
        (self.readers[thread / GROUP] >> (thread % GROUP * BITS)) as u64 & MOST_READ_LOCKS
    }

    fn is_read(&self) -> bool {
        self.readers != [0; GROUPS]
    }

    fn holders(&self) -> String {
        if let Some(thread) = self.writer.checked_sub(1) {
            return format!("thread {thread} holds it for writing");
        }
        let readers = (0..MAX_THREADS).filter(|&thread| self.reads_of(thread) > 0).map(|thread| thread.to_string());
        match readers.collect::<Vec<_>>() {
            none if none.is_empty() => "nobody holds it".to_owned(),
            readers => format!("held for reading by thread {}", readers.join(", ")),
        }
    }
}

/// The memory of a group of readers.
fn group(machine: &Machine<'_>, address: u64, group: usize) -> Result<Target, StepEnd> {
    machine.target(address + group as u64 * 16, 16, true)
}

fn read(machine: &mut Machine<'_>, turn: &mut VisibleSlot, call: Call<'_>) -> Result<Option<Lock>, StepEnd> {
    let address = machine.argument(call, 0)?;
    let Some(found) = machine.sync_object(turn, call, &KIND, address)? else { return Ok(None) };
    machine.announce_identity();
    let mut lock =
        Lock { word: found.target, kind: found.word & 0xFFFF_FFFF, writer: found.word >> 32, readers: [0; GROUPS] };
    let mut defined = lock.writer <= MAX_THREADS as u64;
    for at in 0..GROUPS {
        let target = group(machine, address, at)?;
        let value = machine.read_now(&target)?;
        defined &= value.undef == 0;
        lock.readers[at] = value.bits;
    }
    if !defined || (lock.writer != 0 && lock.is_read()) {
        return machine.not_initialised(call, &KIND, false);
    }
    if lock.kind == WRITERS_FIRST {
        return Err(StepEnd::Unsupported("a reader-writer lock that prefers writers".to_owned()));
    }
    Ok(Some(lock))
}

fn set_writer(machine: &mut Machine<'_>, lock: &Lock, writer: u64) {
    machine.library_store(&lock.word, Bytes::defined((lock.kind | writer << 32).into()));
}

/// Counts the running thread's read locks up or down by one.
fn count(machine: &mut Machine<'_>, call: Call<'_>, lock: &Lock, up: bool) -> Result<(), StepEnd> {
    let (at, one) = (machine.running.thread / GROUP, 1_u128 << (machine.running.thread % GROUP * BITS));
    let target = group(machine, machine.argument(call, 0)?, at)?;
    let readers = lock.readers[at];
    // No reader looks at the counts of others, so readers commute. Writers look at them.
    machine.library_count(&target, Bytes::defined(if up { readers + one } else { readers - one }));
    Ok(())
}

pub(super) fn init<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    let Some((word, _)) = machine.sync_word(turn, &KIND, address)? else { return Ok(Next::Wait) };
    machine.attributes(call, 1)?;
    machine.announce_on(call, "");
    machine.announce_reader_writer_begun(word.at);
    machine.library_store(&word, Bytes::defined(READERS_FIRST[0].into()));
    for at in 0..GROUPS {
        let target = group(machine, address, at)?;
        machine.library_store(&target, Bytes::defined(0));
    }
    machine.give(call, 0)
}

pub(super) fn destroy<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let Some(lock) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    if lock.writer != 0 || lock.is_read() {
        return machine.fault(ViolationKind::DestroyHeld, lock.holders());
    }
    machine.announce_on(call, "");
    machine.announce_reader_writer_begun(lock.word.at);
    machine.library_store(&lock.word, Bytes::defined(DESTROYED.into()));
    machine.give(call, 0)
}

pub(super) fn rdlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    read_lock(machine, turn, call, WaitMode::Waits)
}

pub(super) fn tryrdlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    read_lock(machine, turn, call, WaitMode::GivesUp)
}

pub(super) fn timedrdlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    read_lock(machine, turn, call, WaitMode::Until(1))
}

pub(super) fn clockrdlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.by_clock(call, 1, |machine| read_lock(machine, turn, call, WaitMode::Until(2)))
}

pub(super) fn wrlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    write_lock(machine, turn, call, WaitMode::Waits)
}

pub(super) fn trywrlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    write_lock(machine, turn, call, WaitMode::GivesUp)
}

pub(super) fn timedwrlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    write_lock(machine, turn, call, WaitMode::Until(1))
}

pub(super) fn clockwrlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.by_clock(call, 1, |machine| write_lock(machine, turn, call, WaitMode::Until(2)))
}

fn read_lock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, wait_mode: WaitMode) -> Performed {
    let Some(lock) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    if lock.writer != 0 {
        let own = lock.is_written_by(machine.running.thread);
        return machine.not_now(call, wait_mode, own);
    }
    if lock.reads_of(machine.running.thread) == MOST_READ_LOCKS {
        return Err(StepEnd::Unsupported(format!("more than {MOST_READ_LOCKS} read locks of one thread at a time")));
    }
    machine.announce_on(call, "acquired");
    let from = if machine.is_call_of_shared_mutex() { &[Writer][..] } else { &[Writer, Readers] };
    machine.announce_reader_writer_acquired(lock.word.at, from);
    count(machine, call, &lock, true)?;
    machine.give(call, 0)
}

fn write_lock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, wait_mode: WaitMode) -> Performed {
    let Some(lock) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    if lock.writer != 0 || lock.is_read() {
        let own = lock.is_written_by(machine.running.thread) || lock.reads_of(machine.running.thread) > 0;
        return machine.not_now(call, wait_mode, own);
    }
    machine.announce_on(call, "acquired");
    machine.announce_reader_writer_acquired(lock.word.at, &[Writer, Readers]);
    set_writer(machine, &lock, machine.running.thread as u64 + 1);
    machine.give(call, 0)
}

pub(super) fn unlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let Some(lock) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    if !lock.is_written_by(machine.running.thread) && lock.reads_of(machine.running.thread) == 0 {
        return machine.fault(ViolationKind::UnlockNotHeld, lock.holders());
    }
    machine.announce_on(call, "");
    machine.announce_reader_writer_released(lock.word.at, if lock.writer == 0 { Readers } else { Writer });
    if lock.writer == 0 {
        count(machine, call, &lock, false)?;
    } else {
        set_writer(machine, &lock, 0);
    }
    machine.give(call, 0)
}
