//! A thread that cannot have what it asks for: it waits, or its attempt fails.

use rmc_formula::TermId;

use super::{Call, Path, Stop, Unroller, Update};
use crate::engine::symbolic::word::Word;
use crate::system::library::NEVER;

/// Error codes of POSIX.
pub(super) const EBUSY: u64 = 16;
pub(super) const EINVAL: u64 = 22;
pub(super) const EDEADLK: u64 = 35;
pub(super) const ETIMEDOUT: u64 = 110;

/// The bytes of a word with the owner of a lock, plus one, or 0.
pub(super) const OWNER: u32 = 4;

/// The exclusive upper bound of the nanoseconds of a time.
const NANOSECONDS: u128 = 1_000_000_000;
/// The bytes before the nanoseconds in a `struct timespec`, and those of either part.
const NANOSECONDS_AT: u32 = 8;
const PART_LEN: u32 = 8;

/// The kinds of behaviour of such a thread.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitMode {
    Waits,
    GivesUp,
    /// It waits until the time to which this argument points, which may come at any moment.
    Until(usize),
}

impl Call<'_> {
    /// The result of the call for an error code of POSIX: that, or the corresponding one of C11.
    pub(super) fn status(self, posix: u64) -> Word {
        Word::number(match posix {
            posix if !self.function.is_c11 => posix,
            0 => 0,
            EBUSY => 1,
            ETIMEDOUT => 4,
            _ => 2,
        })
    }
}

impl WaitMode {
    /// A bit: an operation is possible. It is if its object is free, and always if the thread does not wait.
    pub(super) fn enabled(self, unroller: &mut Unroller<'_>, is_free: TermId) -> TermId {
        if self == Self::Waits { is_free } else { unroller.formulas.terms.boolean(true) }
    }
}

impl Unroller<'_> {
    /// Takes a lock that is a word with its owner, unless a thread has it. A thread that has it itself does not
    /// wait, which is an error or a violation. The result is a bit, it was free, and the word before.
    pub(super) fn take_owned(
        &mut self,
        path: &mut Path,
        lock: Word,
        wait_mode: WaitMode,
    ) -> Result<(TermId, Word), Stop> {
        let owner = self.owner();
        let old = self.update(path, &[(lock, OWNER)], |unroller, old| {
            let is_free = unroller.is_number(old[0], 32, 0);
            let own = unroller.is_number(old[0], 32, owner);
            let goes_on = unroller.formulas.terms.or(is_free, own);
            let enabled = wait_mode.enabled(unroller, goes_on);
            Ok(Update::waiting(&mut unroller.formulas, enabled, is_free, vec![Word::number(owner)]))
        })?;
        Ok((self.is_number(old[0], 32, 0), old[0]))
    }

    /// The result of a call that does not get what it asks for, where it does not wait.
    pub(super) fn failure(&mut self, path: &mut Path, call: Call<'_>, wait_mode: WaitMode) -> Result<Word, Stop> {
        match wait_mode {
            // It has no result: the thread waits.
            WaitMode::Waits => Ok(Word::ZERO),
            WaitMode::GivesUp => Ok(call.status(EBUSY)),
            WaitMode::Until(at) => {
                let is_time = self.is_time(path, call, at)?;
                Ok(self.formulas.choose(is_time, call.status(ETIMEDOUT), call.status(EINVAL)))
            }
        }
    }

    /// A bit: the `struct timespec` of an argument is a valid time. Here it is read by an event of its
    /// own, which is not logged. On the machine it is a part of the call.
    pub(super) fn is_time(&mut self, path: &mut Path, call: Call<'_>, at: usize) -> Result<TermId, Stop> {
        let time = self.argument(path, call, at)?;
        if call.function.name.contains("_clock") {
            self.expect_clock(path, call, at - 1)?;
        }
        let own = u32::try_from(self.thread).expect("few threads") + 1;
        let points = self.formulas.points(time);
        self.is_coarse |= points.is_loaded() || points.objects().any(|(object, _)| object.owner() != own);
        let place = self.behind(time, NANOSECONDS_AT);
        let nanoseconds = self.load_unlogged(path, place, PART_LEN)?;
        self.demand_defined(path, nanoseconds)?;
        let (bits, most) = (self.formulas.bits(nanoseconds), self.formulas.terms.constant(NANOSECONDS, 64));
        Ok(self.formulas.terms.ult(bits, most))
    }

    /// A bit: a clock comes to the `struct timespec` of an argument, which is a valid time.
    pub(super) fn comes(&mut self, path: &mut Path, call: Call<'_>, at: usize) -> Result<TermId, Stop> {
        let time = self.argument(path, call, at)?;
        let seconds = self.load_unlogged(path, time, PART_LEN)?;
        self.demand_defined(path, seconds)?;
        let (bits, never) = (self.formulas.bits(seconds), self.formulas.terms.constant(NEVER.into(), 64));
        Ok(self.formulas.terms.slt(bits, never))
    }

    /// Refuses a clock that the machine refuses with an error code.
    fn expect_clock(&mut self, path: &mut Path, call: Call<'_>, at: usize) -> Result<(), Stop> {
        match self.argument(path, call, at)? {
            Word::Known(clock) if clock.is_defined() && matches!(clock.bits as u32, 0 | 1) => Ok(()),
            _ => self.refuse("a wait by another clock than CLOCK_REALTIME or CLOCK_MONOTONIC"),
        }
    }
}
