//! Mutexes of POSIX and C11, kept in the program's own `pthread_mutex_t` or `mtx_t`.
//!
//! Of the 40 bytes in glibc, bytes 0 to 3 hold the owner (thread + 1, 0 for free), bytes 4 to 7 the number of
//! times it is held, and bytes 16 to 19 the kind, where the static initialisers put it. The 8 bytes before
//! the kind and the 4 after it are zero in every mutex, which tells it from other memory. Every operation is
//! a full fence and an atomic access to the first 8 bytes. A waiting thread has no state of its own: it can
//! take its step when the mutex is free. A timed lock of a mutex that is not free may time out at any moment.

use rmc_runtime::{Access, Bytes};

use super::Call;
use super::sync::{DESTROYED, EDEADLK, EINVAL, EPERM, SyncKind, WaitMode};
use crate::ir::Program;
use crate::ir::address::MAX_THREADS;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::access::Target;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

const KIND: SyncKind = SyncKind {
    name: "mutex",
    size: 40,
    word: 0,
    len: 8,
    initialised: &[],
    violation: ViolationKind::UninitialisedMutex,
};
/// The bytes of the kind and of the zeros around it, and the number of zero bits before the kind.
const KIND_OFFSET: u64 = 8;
const KIND_LEN: u64 = 16;
const KIND_SHIFT: u32 = 64;

const NORMAL: u128 = 0;
const RECURSIVE: u128 = 1;
const ERROR_CHECKING: u128 = 2;
/// glibc's mutex that spins for a while before it sleeps.
const ADAPTIVE: u128 = 3;
/// The bits of the kind in a `pthread_mutexattr_t`.
pub const KIND_BITS: u64 = 3;
/// The bit for recursive mutexes in the argument of `mtx_init`.
pub const C11_RECURSIVE: u64 = 1;
/// The bit for mutexes with timed locks there.
const C11_TIMED: u64 = 2;
/// All bits that may be set there.
const C11_KNOWN: u64 = C11_RECURSIVE | C11_TIMED;
/// The bit of the kind in a mutex of C11 that has timed locks.
const TIMED: u128 = 1 << 8;

/// The offset and the length of the kind in a mutex, in bytes.
pub const KIND_AT: u32 = 16;
/// See [`KIND_AT`].
pub const KIND_BYTES: u32 = 4;

/// The behaviour of a mutex towards the thread that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The thread waits for itself.
    Normal,
    /// The thread gets the mutex once more.
    Recursive,
    /// The thread gets an error code.
    ErrorChecking,
}

impl Kind {
    /// The behaviour of a mutex with this number of its kind.
    #[must_use]
    pub const fn of(number: u128) -> Option<Self> {
        match number {
            NORMAL | ADAPTIVE => Some(Self::Normal),
            RECURSIVE => Some(Self::Recursive),
            ERROR_CHECKING => Some(Self::ErrorChecking),
            _ => None,
        }
    }
}

/// The content of a mutex that an operation finds.
pub(super) struct Mutex {
    state: Target,
    kind: u128,
    /// True if `mtx_init` made it for timed locks.
    is_timed: bool,
    /// The thread that holds it, plus one.
    owner: u64,
    count: u64,
}

impl Mutex {
    fn packed(machine: &mut Machine<'_>, owner: u64, count: u64) -> Bytes {
        Bytes::defined(machine.word_of_owner(owner | count << 32).into())
    }

    /// True if an initialised mutex can have this content.
    fn is_sane(&self) -> bool {
        let held = self.owner <= MAX_THREADS as u64 && (self.owner == 0) == (self.count == 0);
        Kind::of(self.kind).is_some() && held && (self.count <= 1 || self.kind == RECURSIVE)
    }

    /// True if a thread can take the mutex, or take it once more.
    pub(super) const fn is_free_for(&self, thread: usize) -> bool {
        self.owner == 0 || (self.kind == RECURSIVE && self.is_held_by(thread))
    }

    pub(super) const fn is_held_by(&self, thread: usize) -> bool {
        self.owner == thread as u64 + 1
    }

    /// The memory of the owner.
    pub(super) const fn place(&self) -> Access {
        self.state.at
    }

    pub(super) const fn checks_errors(&self) -> bool {
        self.kind == ERROR_CHECKING
    }

    /// A description of the holder, for messages.
    pub(super) fn holder(&self) -> String {
        match self.owner.checked_sub(1) {
            Some(thread) => format!("thread {thread} holds it"),
            None => "nobody holds it".to_owned(),
        }
    }
}

/// Fences and reads the mutex at an address. The result is `None` if the thread waits for its turn.
pub(super) fn read(
    machine: &mut Machine<'_>,
    turn: &mut VisibleSlot,
    call: Call<'_>,
    address: u64,
) -> Result<Option<Mutex>, StepEnd> {
    read_with(machine, turn, call, address, true)
}

/// Like [`read`]. `waits` is true if the caller does nothing else while the mutex is not free.
fn read_with(
    machine: &mut Machine<'_>,
    turn: &mut VisibleSlot,
    call: Call<'_>,
    address: u64,
    waits: bool,
) -> Result<Option<Mutex>, StepEnd> {
    machine.announce_mutex_read(address, waits);
    let found = find(machine, turn, address);
    machine.mutex_read();
    let Some((state, value, kind)) = found? else { return Ok(None) };
    let bits = machine.owner_of_word(value.bits as u64);
    let padded = kind.bits.rotate_right(KIND_SHIFT);
    let is_timed = padded & TIMED != 0;
    let mutex = Mutex { state, kind: padded & !TIMED, is_timed, owner: bits & 0xFFFF_FFFF, count: bits >> 32 };
    if kind.undef | value.undef != 0 || !mutex.is_sane() {
        let destroyed = kind.undef == 0 && mutex.kind == DESTROYED.into();
        return machine.not_initialised(call, &KIND, destroyed);
    }
    Ok(Some(mutex))
}

/// Fences and reads the words of the mutex at an address.
fn find(
    machine: &mut Machine<'_>,
    turn: &mut VisibleSlot,
    address: u64,
) -> Result<Option<(Target, Bytes, Bytes)>, StepEnd> {
    let Some((state, value)) = machine.sync_word(turn, &KIND, address)? else { return Ok(None) };
    let kind = machine.target(address + KIND_OFFSET, KIND_LEN, true)?;
    let kind = machine.read_now(&kind)?;
    Ok(Some((state, value, kind)))
}

/// The thread that holds the mutex at an address, for messages. Pending stores are ignored.
pub(super) fn holder(machine: &Machine<'_>, address: u64) -> Option<usize> {
    let target = machine.target(address, KIND.len, false).ok()?;
    let word = machine.memory.read(&target.region, target.at.offset, target.at.len);
    let owner = machine.plain_owner(word.bits as u64) & 0xFFFF_FFFF;
    usize::try_from(owner).ok()?.checked_sub(1)
}

/// Gives the mutex to the running thread, which has announced that. It must be free for it.
pub(super) fn take(machine: &mut Machine<'_>, mutex: &Mutex) {
    let value = Mutex::packed(machine, machine.running.thread as u64 + 1, mutex.count + 1);
    machine.library_store(&mutex.state, value);
}

/// Releases the mutex once for the running thread, which holds it and has announced that.
pub(super) fn release(machine: &mut Machine<'_>, mutex: &Mutex) {
    let count = mutex.count - 1;
    let value = Mutex::packed(machine, if count == 0 { 0 } else { mutex.owner }, count);
    machine.library_store(&mutex.state, value);
}

pub(super) fn init<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    initialise(machine, turn, call, |machine| Ok((machine.attributes(call, 1)? & KIND_BITS).into()))
}

pub(super) fn init_c11<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let kind = machine.argument(call, 1)?;
    if kind & !C11_KNOWN != 0 {
        return machine.give_status(call, EINVAL);
    }
    let timed = if kind & C11_TIMED == 0 { 0 } else { TIMED };
    let recursive = if kind & C11_RECURSIVE == 0 { NORMAL } else { RECURSIVE };
    initialise(machine, turn, call, |_| Ok(recursive | timed))
}

fn initialise<'p>(
    machine: &mut Machine<'p>,
    turn: &mut VisibleSlot,
    call: Call<'p>,
    kind: impl FnOnce(&mut Machine<'p>) -> Result<u128, StepEnd>,
) -> Performed {
    let address = machine.argument(call, 0)?;
    let Some((state, _)) = machine.sync_word(turn, &KIND, address)? else { return Ok(Next::Wait) };
    let kind = kind(machine)?;
    let place = machine.target(address + KIND_OFFSET, KIND_LEN, true)?;
    machine.announce_on(call, "");
    machine.library_store(&state, Bytes::defined(0));
    machine.library_store(&place, Bytes::defined(kind << KIND_SHIFT));
    machine.give_status(call, 0)
}

pub(super) fn destroy<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    machine.target(address, KIND.size, true)?;
    let Some(mutex) = read(machine, turn, call, address)? else { return Ok(Next::Wait) };
    if mutex.owner != 0 {
        return machine.fault(ViolationKind::DestroyHeld, mutex.holder());
    }
    let kind = machine.target(address + KIND_OFFSET, KIND_LEN, true)?;
    machine.announce_on(call, "");
    machine.library_store(&kind, Bytes::defined(u128::from(DESTROYED) << KIND_SHIFT));
    machine.give_status(call, 0)
}

pub(super) fn lock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    acquire(machine, turn, call, WaitMode::Waits)
}

pub(super) fn trylock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    acquire(machine, turn, call, WaitMode::GivesUp)
}

pub(super) fn timedlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    acquire(machine, turn, call, WaitMode::Until(1))
}

pub(super) fn clocklock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.by_clock(call, 1, |machine| acquire(machine, turn, call, WaitMode::Until(2)))
}

fn acquire<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>, wait_mode: WaitMode) -> Performed {
    let address = machine.argument(call, 0)?;
    let waits = wait_mode == WaitMode::Waits;
    let Some(mutex) = read_with(machine, turn, call, address, waits)? else { return Ok(Next::Wait) };
    if call.name == "mtx_timedlock" && !mutex.is_timed {
        let message = "`mtx_timedlock` of a mutex that was made without `mtx_timed`";
        return machine.fault(ViolationKind::InvalidArgument, message);
    }
    if mutex.is_free_for(machine.running.thread) {
        machine.announce_mutex_taken(call.name, "acquired", mutex.place(), waits);
        take(machine, &mutex);
        return machine.give_status(call, 0);
    }
    let own = mutex.is_held_by(machine.running.thread);
    if own && mutex.checks_errors() && wait_mode != WaitMode::GivesUp {
        return machine.give_status(call, EDEADLK);
    }
    machine.not_now(call, wait_mode, own)
}

impl Machine<'_> {
    /// True if the running thread calls a function of POSIX itself. `mtx_unlock` and `std::recursive_mutex`,
    /// whose header calls POSIX's function, leave undefined what that function defines.
    fn is_call_to_posix(&self, call: Call<'_>) -> bool {
        let frame = self.running.stack.top();
        call.name.starts_with("pthread_") && !is_of_thread_header(self.program, (frame.function, frame.pc))
    }
}

/// True if an instruction is one of the header by which libstdc++ calls the functions of POSIX.
pub fn is_of_thread_header(program: &Program, (function, pc): (FuncId, Pc)) -> bool {
    program.is_of_header((function, pc), "gthr-default.h")
}

pub(super) fn unlock<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    let mut unseen = VisibleSlot::open();
    let turn = if machine.unlocks_unseen(address) { &mut unseen } else { turn };
    let Some(mutex) = read(machine, turn, call, address)? else { return Ok(Next::Wait) };
    if !mutex.is_held_by(machine.running.thread) {
        let is_defined = mutex.checks_errors() || mutex.kind == RECURSIVE && machine.is_call_to_posix(call);
        if is_defined {
            return machine.give_status(call, EPERM);
        }
        return machine.fault(ViolationKind::UnlockNotHeld, mutex.holder());
    }
    machine.announce_mutex_release(call.name, "", mutex.place());
    release(machine, &mutex);
    machine.give_status(call, 0)
}
