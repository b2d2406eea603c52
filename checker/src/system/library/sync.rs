//! Common parts of the models of synchronisation objects: the check that an object is one, error codes,
//! attributes, deadlines.
//!
//! Objects keep their state in the program's own memory, so states need nothing else for them. Each has a
//! word that tells whether it was initialised or destroyed: zero for those with a static initialiser, else a
//! number that no program has by accident. Every operation is a full fence, and one visible operation.
//!
//! The functions of C11's `threads.h` are those of POSIX with error codes of their own.

use std::fmt::Display;

use rmc_runtime::Bytes;

use super::Call;
use super::clock::{FIRST_SECOND, NEVER};
use crate::ir::instr::IntCmp;
use crate::ir::value::Value;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::access::{Target, words};
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

pub(super) const EPERM: u64 = 1;
pub(super) const EAGAIN: u64 = 11;
pub(super) const EBUSY: u64 = 16;
pub(super) const EINVAL: u64 = 22;
pub(super) const EDEADLK: u64 = 35;
pub(super) const ETIMEDOUT: u64 = 110;

/// The word of a destroyed object. No initialiser produces it.
pub(super) const DESTROYED: u64 = 0x0DEA_D0FF;
/// The upper half of the first word of an attribute object, as `libc/attributes.c` writes it.
const ATTRIBUTES: u64 = 0x52A7;
/// The exclusive upper bound of the nanoseconds of a time.
const NANOSECONDS: u64 = 1_000_000_000;

/// The kinds of behaviour of a thread that cannot have a lock now.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitMode {
    Waits,
    GivesUp,
    /// It waits until the time to which this argument points. That time may come at any moment, also if no
    /// clock comes to it.
    Until(usize),
}

/// When the time of a wait comes, as far as clocks may go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Coming {
    /// It is over when the wait begins.
    Over,
    AtAnyMoment,
    Never,
}

/// A kind of synchronisation object.
pub(super) struct SyncKind {
    /// The name of the kind in messages.
    pub name: &'static str,
    /// The size of an object in bytes.
    pub size: u64,
    /// The offset of the object's word.
    pub word: u64,
    /// The length of the word in bytes; the lower four tell whether it is initialised.
    pub len: u64,
    /// The values of those four bytes in an initialised object.
    pub initialised: &'static [u64],
    /// The violation of using something that is no initialised object of this kind.
    pub violation: ViolationKind,
}

/// The content of an object that an operation finds.
pub(super) struct SyncObject {
    /// The object's word in memory.
    pub target: Target,
    /// The value of the word.
    pub word: u64,
}

impl Machine<'_> {
    /// Fences, and reads the word of the object at an address. The result is `None` if the thread waits for
    /// its turn.
    pub(super) fn sync_word(
        &mut self,
        turn: &mut VisibleSlot,
        shape: &SyncKind,
        address: u64,
    ) -> Result<Option<(Target, Bytes)>, StepEnd> {
        self.target(address, shape.size, true)?;
        let target = self.target(address + shape.word, shape.len, true)?;
        let Some(word) = self.atomic_load(turn, &target)? else { return Ok(None) };
        let word = self.known_bytes(word, target.at.len)?;
        Ok(Some((target, word)))
    }

    /// Fences, and finds the initialised object at an address. The result is `None` if the thread waits for
    /// its turn.
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
            return self.not_initialised(call, shape, destroyed);
        }
        Ok(Some(SyncObject { target, word: word.bits as u64 }))
    }

    /// The violation of using something that is no object of this kind.
    pub(super) fn not_initialised<T>(&self, call: Call<'_>, shape: &SyncKind, destroyed: bool) -> Result<T, StepEnd> {
        let what = if destroyed { "was destroyed" } else { "was never initialised" };
        self.fault(shape.violation, format!("`{}` of a {} that {what}", call.name, shape.name))
    }

    /// Checks that no thread waits at the object at an address. Ending it would be a violation otherwise.
    pub(super) fn check_no_waiters(&mut self, address: u64) -> Result<(), StepEnd> {
        match self.parked_at(address).first() {
            None => Ok(()),
            Some(one) => self.fault(ViolationKind::DestroyWaited, format!("thread {} waits at it", one.thread)),
        }
    }

    /// Announces what a call does to the object that its first argument points to.
    pub(super) fn announce_on(&mut self, call: Call<'_>, detail: impl Display) {
        match self.argument(call, 0) {
            Ok(address) => self.announce_call_on(call.name, address, detail),
            Err(_) => self.announce_call(call.name, detail),
        }
    }

    /// Ends the object that the first argument points to. No thread may wait at it.
    pub(super) fn end_object(&mut self, turn: &mut VisibleSlot, call: Call<'_>, shape: &SyncKind) -> Performed {
        let address = self.argument(call, 0)?;
        let Some(found) = self.sync_object(turn, call, shape, address)? else { return Ok(Next::Wait) };
        self.check_no_waiters(address)?;
        self.announce_on(call, "");
        self.library_store(&found.target, Bytes::defined(DESTROYED.into()));
        self.give_status(call, 0)
    }

    /// The attributes to which argument number `at` points; 0 for a null pointer.
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

    /// True if the `struct timespec` of argument number `at` is a valid time. It may have come or not.
    pub(super) fn is_time(&mut self, call: Call<'_>, at: usize) -> Result<bool, StepEnd> {
        Ok(self.second_of_time(call, at)?.is_some())
    }

    /// When the `struct timespec` of argument number `at` comes, if it is a valid time.
    pub(super) fn coming(&mut self, call: Call<'_>, at: usize) -> Result<Option<Coming>, StepEnd> {
        let Some(second) = self.second_of_time(call, at)? else { return Ok(None) };
        let mut is_before = |time: u64| self.compares_words(IntCmp::Slt, 64, [second, Value::new(time)]);
        Ok(Some(match is_before(NEVER)? {
            false => Coming::Never,
            true if is_before(FIRST_SECOND)? => Coming::Over,
            true => Coming::AtAnyMoment,
        }))
    }

    /// The second of the `struct timespec` of argument number `at`, if it is a valid time.
    fn second_of_time(&mut self, call: Call<'_>, at: usize) -> Result<Option<Value>, StepEnd> {
        let address = self.argument(call, at)?;
        let (whole, part) = (self.target(address, 8, false)?, self.target(address + 8, 8, false)?);
        let (seconds, nanoseconds) = (self.read_open(&whole)?, self.read_open(&part)?);
        let is_uninitialised = |value: Bytes| value.undef != 0 && !self.is_symbolic(value);
        if is_uninitialised(seconds) || is_uninitialised(nanoseconds) {
            let message = format!("the time given to `{}` is uninitialised", call.name);
            return self.fault(ViolationKind::UninitialisedArgument, message);
        }
        let is_valid = self.compares_words(IntCmp::Ult, 64, [words(nanoseconds)[0], Value::new(NANOSECONDS)])?;
        Ok(is_valid.then(|| words(seconds)[0]))
    }

    /// Waits by the clock of argument number `at`, or ends the call with an error: threads may wait by
    /// `CLOCK_REALTIME` and `CLOCK_MONOTONIC`, as with glibc.
    pub(super) fn by_clock(
        &mut self,
        call: Call<'_>,
        at: usize,
        wait: impl FnOnce(&mut Self) -> Performed,
    ) -> Performed {
        match self.argument(call, at)? as u32 {
            0 | 1 => wait(self),
            _ => self.give_status(call, EINVAL),
        }
    }

    /// Ends or delays a call that cannot have its lock now. `own` is true if the thread holds the lock
    /// itself.
    pub(super) fn not_now(&mut self, call: Call<'_>, wait_mode: WaitMode, own: bool) -> Performed {
        match wait_mode {
            WaitMode::Waits if own => self.fault(ViolationKind::Relock, "the thread would wait for itself"),
            WaitMode::Waits => Ok(Next::Wait),
            WaitMode::GivesUp => {
                self.announce_on(call, "busy");
                self.give_status(call, EBUSY)
            }
            WaitMode::Until(at) => {
                let status = if self.is_time(call, at)? { ETIMEDOUT } else { EINVAL };
                if status == ETIMEDOUT {
                    self.reaches_time_of(call, at)?;
                }
                self.announce_on(call, "timed out");
                self.give_status(call, status)
            }
        }
    }

    /// Ends a call with an error code of POSIX, or with the corresponding one of C11.
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
