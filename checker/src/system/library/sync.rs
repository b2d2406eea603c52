//! What the models of synchronisation objects share: whether an object is one, error codes, attributes,
//! deadlines.
//!
//! Objects keep their state in the program's own memory, so states need nothing beside it. Each has a word
//! that tells whether it was initialised or destroyed: zero for those with a static initialiser, else a
//! number that no program has by accident. Every operation is a full fence, and one visible operation.
//!
//! The functions of C11's `threads.h` are those of POSIX with codes of their own.

use rmc_runtime::Bytes;

use super::Call;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::access::Target;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

pub(super) const EPERM: u64 = 1;
pub(super) const EAGAIN: u64 = 11;
pub(super) const EBUSY: u64 = 16;
pub(super) const EINVAL: u64 = 22;
pub(super) const EDEADLK: u64 = 35;
pub(super) const ETIMEDOUT: u64 = 110;

/// The word of a destroyed object: no initialiser makes it.
pub(super) const DESTROYED: u64 = 0x0DEA_D0FF;
/// The upper half of the first word of an attribute object, as `libc/attributes.c` writes it.
const ATTRIBUTES: u64 = 0x52A7;
/// What the nanoseconds of a time are below.
const NANOSECONDS: u64 = 1_000_000_000;

/// What a thread does that cannot have a lock now.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    Waits,
    GivesUp,
    /// Waits until the time that this argument points to, which may come at any moment.
    Until(usize),
}

/// A kind of synchronisation object.
pub(super) struct SyncKind {
    /// What messages call it.
    pub name: &'static str,
    /// Its size in bytes.
    pub size: u64,
    /// Where its word is.
    pub word: u64,
    /// The length of the word in bytes; the lower four tell whether it is initialised.
    pub len: u64,
    /// What those four are in an initialised object.
    pub initialised: &'static [u64],
}

/// An object as an operation finds it.
pub(super) struct SyncObject {
    /// Its word in memory.
    pub target: Target,
    /// The word's value.
    pub word: u64,
}

impl Machine<'_> {
    /// Fences, and reads the word of the object at an address. `None`: the thread waits for its turn.
    pub(super) fn sync_word(
        &mut self,
        turn: &mut VisibleSlot,
        shape: &SyncKind,
        address: u64,
    ) -> Result<Option<(Target, Bytes)>, StepEnd> {
        self.target(address, shape.size, true)?;
        let target = self.target(address + shape.word, shape.len, true)?;
        let word = self.atomic_load(turn, &target)?;
        Ok(word.map(|word| (target, word)))
    }

    /// Fences, and finds the initialised object at an address. `None`: the thread waits for its turn.
    pub(super) fn sync_object(
        &mut self,
        turn: &mut VisibleSlot,
        call: Call<'_>,
        shape: &SyncKind,
        address: u64,
    ) -> Result<Option<SyncObject>, StepEnd> {
        let Some((target, word)) = self.sync_word(turn, shape, address)? else { return Ok(None) };
        let marker = word.bits as u64 & 0xFFFF_FFFF;
        if word.undef != 0 || !shape.initialised.contains(&marker) {
            let destroyed = word.undef == 0 && marker == DESTROYED;
            return self.not_initialised(call, shape.name, destroyed);
        }
        Ok(Some(SyncObject { target, word: word.bits as u64 }))
    }

    /// The violation of using something that is no such object.
    pub(super) fn not_initialised<T>(&self, call: Call<'_>, name: &str, destroyed: bool) -> Result<T, StepEnd> {
        let what = if destroyed { "was destroyed" } else { "was never initialised" };
        let kind = if name == "mutex" { ViolationKind::UninitialisedMutex } else { ViolationKind::UninitialisedSync };
        self.fault(kind, format!("`{}` of a {name} that {what}", call.name))
    }

    /// The violation of ending an object while threads wait at it.
    pub(super) fn nobody_waits(&mut self, address: u64) -> Result<(), StepEnd> {
        match self.parked_at(address).first() {
            None => Ok(()),
            Some(one) => self.fault(ViolationKind::DestroyWaited, format!("thread {} waits at it", one.thread)),
        }
    }

    /// Ends the object that the first argument points to, at which nobody may wait.
    pub(super) fn end_object(&mut self, turn: &mut VisibleSlot, call: Call<'_>, shape: &SyncKind) -> Performed {
        let address = self.argument(call, 0)?;
        let Some(found) = self.sync_object(turn, call, shape, address)? else { return Ok(Next::Wait) };
        self.nobody_waits(address)?;
        self.observe_call(call.name, "");
        self.library_store(&found.target, Bytes::defined(DESTROYED.into()));
        self.give_status(call, 0)
    }

    /// The attributes that argument number `at` points to; 0 without.
    pub(super) fn attributes(&mut self, call: Call<'_>, at: usize) -> Result<u64, StepEnd> {
        let address = self.argument(call, at)?;
        if address == 0 {
            return Ok(0);
        }
        let target = self.target(address, 4, false)?;
        let word = self.read_now(&target)?;
        if word.undef != 0 || word.bits as u64 >> 16 != ATTRIBUTES {
            let message = format!("`{}` is given attributes that were never initialised", call.name);
            return self.fault(ViolationKind::UninitialisedSync, message);
        }
        Ok(word.bits as u64 & 0xFFFF)
    }

    /// Whether the `struct timespec` of argument number `at` is a time. Which time does not matter: it may
    /// have come or not.
    pub(super) fn is_time(&mut self, call: Call<'_>, at: usize) -> Result<bool, StepEnd> {
        let address = self.argument(call, at)?;
        let (whole, part) = (self.target(address, 8, false)?, self.target(address + 8, 8, false)?);
        let (seconds, nanoseconds) = (self.read_now(&whole)?, self.read_now(&part)?);
        if seconds.undef | nanoseconds.undef != 0 {
            let message = format!("the time given to `{}` is uninitialised", call.name);
            return self.fault(ViolationKind::UninitialisedArgument, message);
        }
        Ok((nanoseconds.bits as u64) < NANOSECONDS)
    }

    /// What a call does that cannot have its lock now; `own`: because the thread holds it itself.
    pub(super) fn not_now(&mut self, call: Call<'_>, patience: Patience, own: bool) -> Performed {
        match patience {
            Patience::Waits if own => self.fault(ViolationKind::Relock, "the thread would wait for itself"),
            Patience::Waits => Ok(Next::Wait),
            Patience::GivesUp => {
                self.observe_call(call.name, "busy");
                self.give_status(call, EBUSY)
            }
            Patience::Until(at) => {
                let status = if self.is_time(call, at)? { ETIMEDOUT } else { EINVAL };
                self.observe_call(call.name, "timed out");
                self.give_status(call, status)
            }
        }
    }

    /// Ends a call with an error code of POSIX, or with what C11 has for it.
    pub(super) fn give_status(&mut self, call: Call<'_>, status: u64) -> Performed {
        let status = match status {
            posix if !call.function.is_c11 => posix,
            0 => 0,
            EBUSY => 1,
            ETIMEDOUT => 4,
            _ => 2,
        };
        self.give(call, status)
    }
}
