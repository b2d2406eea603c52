//! POSIX mutexes, kept in the program's own `pthread_mutex_t` so that states need nothing beside memory.
//!
//! Of the 40 bytes glibc has, bytes 0 to 3 hold the owner (thread + 1, 0 free), 4 to 7 how often a recursive mutex is held, 16 to 19 the kind, where the static
//! initialisers put it. Every operation is a full fence and an atomic access to the first 8 bytes.

use rmc_runtime::Bytes;

use super::{Call, Family};
use crate::outcome::ViolationKind;
use crate::system::access::Target;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, Turn};

pub(super) const FAMILY: Family = &[
    ("pthread_mutex_init", init),
    ("pthread_mutex_destroy", destroy),
    ("pthread_mutex_lock", lock),
    ("pthread_mutex_trylock", trylock),
    ("pthread_mutex_unlock", unlock),
];

const KIND_OFFSET: u64 = 16;
const NORMAL: u128 = 0;
const RECURSIVE: u128 = 1;
const ERROR_CHECKING: u128 = 2;
/// The kind of a destroyed mutex: no initialiser makes it.
const DESTROYED: u128 = 0x0DEA_D0FF;
const SIZE: u64 = 40;

const EPERM: u64 = 1;
const EBUSY: u64 = 16;
const EDEADLK: u64 = 35;

/// A mutex as an operation finds it.
struct Mutex {
    state: Target,
    kind: u128,
    owner: u64,
    count: u64,
}

impl Mutex {
    const fn packed(owner: u64, count: u64) -> Bytes {
        Bytes::defined(owner as u128 | (count as u128) << 32)
    }
}

/// Fences and reads the mutex of the first argument; `None`: the thread waits for its turn.
fn read(machine: &mut Machine<'_>, turn: &mut Turn, call: Call<'_>) -> Result<Option<Mutex>, StepEnd> {
    let address = machine.argument(call, 0)?;
    machine.target(address, SIZE, true)?;
    let state = machine.target(address, 8, true)?;
    let kind = machine.target(address + KIND_OFFSET, 4, true)?;
    let Some(value) = machine.atomic_load(turn, &state)? else { return Ok(None) };
    let kind = machine.read_now(&kind)?;
    if kind.undef | value.undef != 0 || ![NORMAL, RECURSIVE, ERROR_CHECKING].contains(&kind.bits) {
        let what = if kind.undef == 0 && kind.bits == DESTROYED { "was destroyed" } else { "was never initialised" };
        let message = format!("`{}` of a mutex that {what}", call.name);
        return machine.fault(ViolationKind::UninitialisedMutex, message);
    }
    let bits = value.bits as u64;
    Ok(Some(Mutex { state, kind: kind.bits, owner: bits & 0xFFFF_FFFF, count: bits >> 32 }))
}

fn init<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    if machine.argument(call, 1)? != 0 {
        return Err(StepEnd::Unsupported("`pthread_mutex_init` with attributes".to_owned()));
    }
    machine.target(address, SIZE, true)?;
    let state = machine.target(address, 8, true)?;
    let kind = machine.target(address + KIND_OFFSET, 4, true)?;
    if machine.atomic_load(turn, &state)?.is_none() {
        return Ok(Next::Wait);
    }
    machine.observe_call("pthread_mutex_init", String::new());
    machine.library_store(&state, Mutex::packed(0, 0));
    machine.library_store(&kind, Bytes::defined(NORMAL));
    machine.give(call, 0)
}

fn destroy<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let Some(mutex) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    if mutex.owner != 0 {
        let message = format!("thread {} holds it", mutex.owner - 1);
        return machine.fault(ViolationKind::DestroyHeld, message);
    }
    let kind = machine.target(machine.argument(call, 0)? + KIND_OFFSET, 4, true)?;
    machine.observe_call("pthread_mutex_destroy", String::new());
    machine.library_store(&kind, Bytes::defined(DESTROYED));
    machine.give(call, 0)
}

fn lock<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let Some(mutex) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    let me = machine.current as u64 + 1;
    match (mutex.owner, mutex.kind) {
        (0, _) => acquire(machine, call, &mutex, me),
        (owner, RECURSIVE) if owner == me => acquire(machine, call, &mutex, me),
        (owner, ERROR_CHECKING) if owner == me => machine.give(call, EDEADLK),
        (owner, _) if owner == me => machine.fault(ViolationKind::Relock, "the thread would wait for itself"),
        _ => Ok(Next::Wait),
    }
}

fn trylock<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let Some(mutex) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    let me = machine.current as u64 + 1;
    match (mutex.owner, mutex.kind) {
        (0, _) => acquire(machine, call, &mutex, me),
        (owner, RECURSIVE) if owner == me => acquire(machine, call, &mutex, me),
        _ => {
            machine.observe_call(call.name, "busy".to_owned());
            machine.give(call, EBUSY)
        }
    }
}

fn acquire<'p>(machine: &mut Machine<'p>, call: Call<'p>, mutex: &Mutex, me: u64) -> Performed {
    machine.observe_call(call.name, "acquired".to_owned());
    machine.library_store(&mutex.state, Mutex::packed(me, mutex.count + 1));
    machine.give(call, 0)
}

fn unlock<'p>(machine: &mut Machine<'p>, turn: &mut Turn, call: Call<'p>) -> Performed {
    let Some(mutex) = read(machine, turn, call)? else { return Ok(Next::Wait) };
    let me = machine.current as u64 + 1;
    if mutex.owner != me {
        if mutex.kind == ERROR_CHECKING {
            return machine.give(call, EPERM);
        }
        let holder = if mutex.owner == 0 {
            "nobody holds it".to_owned()
        } else {
            format!("thread {} holds it", mutex.owner - 1)
        };
        return machine.fault(ViolationKind::UnlockNotHeld, holder);
    }
    machine.observe_call("pthread_mutex_unlock", String::new());
    let count = mutex.count.saturating_sub(1);
    machine.library_store(&mutex.state, Mutex::packed(if count == 0 { 0 } else { me }, count));
    machine.give(call, 0)
}
