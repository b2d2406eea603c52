//! Clocks. They stand still but for sleeps and waits with a time ([`Clocks::Stand`]): then what the program
//! does when time passes otherwise is left out, and each reading says so. Or they pass ([`Clocks::Pass`]): a
//! reading is any time that is not before the one before, of whatever thread, within ten years.
//!
//! The last reading is a `struct timespec` of the support library (`libc/time.c`), which only these models
//! access. A reading is one visible operation on it, and orders no store: a processor may read its clock
//! while stores wait. Its seconds and nanoseconds are inputs (`system/inputs/`), which is exact: what the
//! program tells apart about times is explored, and nothing else. Whether the second is that of the reading
//! before is asked at once, so that all conditions relate two seconds, or two nanoseconds, and not both: such
//! conditions can be given up when the reading is forgotten (`system/symbols/projection.rs`).
//!
//! A sleep begins and ends with readings that the program does not see, the second one later by the duration
//! at least. A wait whose time is over ends with a reading that is not before that time. Nothing else is said
//! of when threads go on: they may do so late.
//!
//! These clocks know nothing of others, such as those of the processor, nor those of C of those of C++; nor
//! when waits of C++ end, whose times are quotients of readings. Where clocks pass, and the program reads
//! them, an execution that gets there is not followed ([`Unknown::Time`]).

use rmc_runtime::MemoryOrder;

use super::{Call, function};
use crate::ir::Program;
use crate::ir::instr::{IntCmp, LibrarySite};
use crate::ir::program::Global;
use crate::ir::value::Value;
use crate::outcome::Unknown;
use crate::system::config::Clocks;
use crate::system::machine::Machine;
use crate::system::step::access::{Target, bytes, words};
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};
use crate::system::symbols::ranges::Ranges;

/// The functions that give the program readings of clocks that may pass: those of the C library, and of C++.
pub(super) const READINGS: [&str; 2] = ["__rmc_read_time", "__rmc_read_count"];

/// The functions that have clocks go on, beside those of POSIX and C11 that wait until a time.
const MOVE_CLOCKS: [&str; 4] = ["__rmc_reach_time", "__rmc_reach_count", "__rmc_futex_wait", "__rmc_sem_clockwait"];

/// The kinds of clocks that a program reads, a bit for each of [`READINGS`].
pub(in crate::system) type Kinds = u64;
/// The clocks of the C library alone.
const SECONDS: Kinds = 1;

/// The global of the support library that has the last reading of the clocks of the C library.
const LAST_READING: &str = "__rmc_last_reading";

/// The first second of 2024, where clocks begin (`libc/time.c`).
pub(super) const FIRST_SECOND: u64 = 1_704_067_200;

/// The seconds in ten years, for which clocks may go on.
const TEN_YEARS: u64 = 10 * 366 * 86_400;
/// A second to which no clock comes, nor a clock that goes on for as long as a program may wait.
pub const NEVER: u64 = FIRST_SECOND + 20 * TEN_YEARS;

/// The nanoseconds of the last reading before there is one (`libc/time.c`).
const NO_READING: Value = Value::new(u64::MAX);

/// The greatest number of nanoseconds of a time.
const MOST_NANOSECONDS: u64 = 999_999_999;

/// The headers of the C++ library whose waits with a time the support library ends in each possible way, and
/// has the clocks go on: they read clocks only to tell whether the time of such a wait is over. Other headers
/// wait for the clock itself, or give what they read to the program.
const TIMED_HEADERS: [&str; 4] = ["condition_variable", "mutex", "shared_mutex", "bits/atomic_futex.h"];

/// Models `__rmc_read_clock()`, which the clocks of the support library call that always stand still.
pub(super) fn read_standing<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.lets_time_pass()?;
    machine.note_standing();
    machine.give(call, 0)
}

/// The kinds of clocks that may pass and that a program reads.
pub(in crate::system) fn clocks_read(program: &Program) -> Kinds {
    let calls = program.functions.iter().flat_map(|function| &function.library);
    let kind = |call: &LibrarySite| READINGS.iter().position(|&name| name == function(call.function).name);
    calls.filter_map(kind).fold(0, |kinds, kind| kinds | 1 << kind)
}

/// True if the program has clocks go on by itself: it sleeps, or waits until a time.
pub(in crate::system) fn moves_clocks(program: &Program) -> bool {
    let mut calls = program.functions.iter().flat_map(|function| &function.library);
    calls.any(|call| {
        let name = function(call.function).name;
        MOVE_CLOCKS.contains(&name) || name.contains("timed") || name.starts_with("pthread_") && name.contains("_clock")
    })
}

/// True if a file is one of [`TIMED_HEADERS`], of whatever version of the library.
fn is_timed_header(file: &str) -> bool {
    let header = file.split_once("/include/c++/").and_then(|(_, rest)| rest.split_once('/'));
    header.is_some_and(|(_, name)| TIMED_HEADERS.contains(&name))
}

/// Models `void __rmc_read_time(struct timespec *last, struct timespec *now)`: a reading, after the last one.
pub(super) fn read<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.reading(turn, call, Machine::later_time)
}

/// Models `void __rmc_read_count(long *last, long *now)`: the same, in nanoseconds
/// since the program began.
pub(super) fn read_count<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.reading(turn, call, Machine::later_count)
}

/// Models `void __rmc_let_time_pass(void)`, which functions of the support library call that sleep.
pub(super) fn let_pass<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.lets_time_pass()?;
    machine.give(call, 0)
}

/// Models `void __rmc_reach_time(struct timespec *last, const struct timespec *until)`: a reading, after the
/// last one, that is not before a time.
pub(super) fn reach<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.reaching(turn, call, Machine::time_not_before)
}

/// Models `void __rmc_reach_count(long *last, const long *until)`: the same, in nanoseconds since the program
/// began.
pub(super) fn reach_count<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.reaching(turn, call, |machine, last, until| {
        let [reading] = machine.later_count(last)?;
        machine.assume_compares(IntCmp::Ule, 64, [until[0], reading])?;
        Ok([reading])
    })
}

/// Models `int __rmc_clocks_read(void)`: the kinds of clocks that the program reads.
pub(super) fn kinds<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.give(call, machine.facts.clocks_read)
}

impl Machine<'_> {
    /// True if clocks pass in this run, and the program's inputs are open or given.
    fn clocks_pass(&self) -> bool {
        self.config.clocks == Clocks::Pass && self.keeps_inputs()
    }

    /// Notes that the program reads a clock that stands still. What the program does when time passes is left
    /// out, unless [`TIMED_HEADERS`] read the clock. A loop that waits for time to pass must not be taken for
    /// one that waits for ever.
    fn note_standing(&mut self) {
        self.fetch_place();
        if !is_timed_header(self.file_of_operation()) {
            self.note_left_out(Unknown::Clock);
            self.announce_reading_of_clock();
        }
    }

    /// The kinds of clocks that pass and that the program reads.
    fn passing_clocks(&self) -> Kinds {
        if self.clocks_pass() { self.facts.clocks_read } else { 0 }
    }

    /// Reads a clock: `after` gives any time that is not before one.
    fn reading<const WORDS: usize>(
        &mut self,
        turn: &mut VisibleSlot,
        call: Call<'_>,
        after: impl FnOnce(&mut Self, [Value; WORDS]) -> Result<[Value; WORDS], StepEnd>,
    ) -> Performed {
        let [last, now] = [0, 1].map(|at| self.argument(call, at));
        let [last, now] = [self.time_at::<WORDS>(last?)?, self.time_at(now?)?];
        if !self.clocks_pass() {
            if self.facts.clocks_move && !self.begins_reading(turn, &last)? {
                return Ok(Next::Wait);
            }
            if READINGS.contains(&call.function.name) {
                self.note_standing();
            }
            self.write_time(&now, self.standing_time(&last));
            return self.give(call, 0);
        }
        if !self.begins_reading(turn, &last)? {
            return Ok(Next::Wait);
        }
        let reading = after(self, self.time_in(&last))?;
        self.note_reading(&last, reading);
        self.write_time(&now, reading);
        self.announce_call(call.name, "");
        self.give(call, 0)
    }

    /// Lets clocks go on: `after` gives any time that is neither before one nor before another.
    fn reaching<const WORDS: usize>(
        &mut self,
        turn: &mut VisibleSlot,
        call: Call<'_>,
        after: impl FnOnce(&mut Self, [Value; WORDS], [Value; WORDS]) -> Result<[Value; WORDS], StepEnd>,
    ) -> Performed {
        let [last, until] = [0, 1].map(|at| self.argument(call, at));
        let [last, until] = [self.time_at::<WORDS>(last?)?, self.time_at(until?)?];
        if !self.begins_reading(turn, &last)? {
            return Ok(Next::Wait);
        }
        self.reach_any(&last, &until, after)?;
        self.announce_reading_of_clock();
        self.announce_call(call.name, "");
        self.give(call, 0)
    }

    /// Ends a wait because its time is over, the time at the address in an argument. It is a part of the
    /// operation that ends the wait.
    ///
    /// # Errors
    /// [`Unknown::Time`] if the program reads clocks for which such a time is not known.
    pub(super) fn reaches_time_of(&mut self, call: Call<'_>, at: usize) -> Result<(), StepEnd> {
        let kinds = self.facts.clocks_read;
        if kinds != SECONDS {
            self.lets_time_pass()?;
        }
        if kinds & SECONDS == 0 {
            return Ok(());
        }
        let is_last = |global: &&Global| global.name == LAST_READING;
        let last = self.program.globals.iter().find(is_last).expect("the program reads clocks").object;
        let until = self.argument(call, at)?;
        let [last, until] = [self.time_at::<2>(last.address(0))?, self.time_at(until)?];
        self.announce_look_at(&last, true)?;
        self.reach_any(&last, &until, Self::time_not_before)
    }

    /// Makes the last reading any that `after` gives, of those that are neither before it nor before a time;
    /// where clocks stand, the later one of the two.
    fn reach_any<const WORDS: usize>(
        &mut self,
        last: &[Target; WORDS],
        until: &[Target; WORDS],
        after: impl FnOnce(&mut Self, [Value; WORDS], [Value; WORDS]) -> Result<[Value; WORDS], StepEnd>,
    ) -> Result<(), StepEnd> {
        // The thread wrote it, so it may still be in its buffer.
        let until = until.map(|word| words(self.peek(&word))[0]);
        let reading = if self.clocks_pass() {
            after(self, self.time_in(last), until)?
        } else {
            self.later_of(self.standing_time(last), until)?
        };
        self.note_reading(last, reading);
        Ok(())
    }

    /// The time at which clocks stand.
    fn standing_time<const WORDS: usize>(&self, last: &[Target; WORDS]) -> [Value; WORDS] {
        self.time_in(last).map(|word| if word == NO_READING { Value::ZERO } else { word })
    }

    /// The later one of two times, of which the second one may depend on inputs.
    fn later_of<const WORDS: usize>(
        &mut self,
        one: [Value; WORDS],
        other: [Value; WORDS],
    ) -> Result<[Value; WORDS], StepEnd> {
        for (one_word, other_word) in one.into_iter().zip(other) {
            if self.compares_words(IntCmp::Slt, 64, [one_word, other_word])? {
                return Ok(other);
            }
            if !self.compares_words(IntCmp::Eq, 64, [one_word, other_word])? {
                break;
            }
        }
        Ok(one)
    }

    /// Makes a time the last reading.
    fn note_reading<const WORDS: usize>(&mut self, last: &[Target; WORDS], reading: [Value; WORDS]) {
        for (word, value) in last.iter().zip(reading) {
            self.announce_write(word, bytes([value, Value::ZERO], 8));
        }
        self.write_time(last, reading);
    }

    /// Any time that is neither before one nor before another.
    fn time_not_before(&mut self, last: [Value; 2], other: [Value; 2]) -> Result<[Value; 2], StepEnd> {
        let time = self.later_time(last)?;
        let (compared, words) = match self.compares_words(IntCmp::Eq, 64, [other[0], time[0]])? {
            true => (IntCmp::Ule, [other[1], time[1]]),
            false => (IntCmp::Slt, [other[0], time[0]]),
        };
        self.assume_compares(compared, 64, words)?;
        Ok(time)
    }

    /// The words of a time in memory: seconds and nanoseconds, or nanoseconds alone.
    fn time_at<const WORDS: usize>(&self, address: u64) -> Result<[Target; WORDS], StepEnd> {
        let mut words = [self.target(address, 8, true)?; WORDS];
        for (word, place) in words.iter_mut().zip((address..).step_by(8)).skip(1) {
            *word = self.target(place, 8, true)?;
        }
        Ok(words)
    }

    fn time_in<const WORDS: usize>(&self, time: &[Target; WORDS]) -> [Value; WORDS] {
        time.map(|word| words(self.memory.read(&word.region, word.at.offset, 8))[0])
    }

    fn write_time<const WORDS: usize>(&mut self, time: &[Target; WORDS], values: [Value; WORDS]) {
        for (word, value) in time.iter().zip(values) {
            self.write_unshared(word, 8, bytes([value, Value::ZERO], 8));
        }
    }

    /// Begins the operation on the last reading. The result is false if the thread waits for its turn.
    ///
    /// # Errors
    /// [`Unknown::Time`] if the program reads the clocks of the C library and those of C++, which do not know
    /// each other.
    fn begins_reading(&mut self, turn: &mut VisibleSlot, last: &[Target]) -> Result<bool, StepEnd> {
        // As with other inputs: what was asked before must not multiply.
        if self.asks_later(turn) {
            return Ok(false);
        }
        if self.clocks_pass() && self.facts.clocks_read.count_ones() > 1 {
            return Err(StepEnd::Limit(Unknown::Time));
        }
        let is_shared = self.is_shared(&last[0].region)?;
        if is_shared && !self.may_proceed(turn) {
            return Ok(false);
        }
        self.announce_look_at(last, is_shared)?;
        Ok(true)
    }

    fn announce_look_at(&mut self, last: &[Target], is_shared: bool) -> Result<(), StepEnd> {
        for word in last {
            self.announce_load(word, is_shared, MemoryOrder::Relaxed)?;
        }
        self.announce_decision();
        Ok(())
    }

    /// Any time that is not before this one.
    fn later_time(&mut self, [second, nanosecond]: [Value; 2]) -> Result<[Value; 2], StepEnd> {
        let any = Ranges::from_to(0, MOST_NANOSECONDS);
        let seconds = Ranges::from_to(0, FIRST_SECOND + TEN_YEARS);
        // The second of the first reading is open, too: a sleep that ends as early as it can must not lead
        // from one known second to the next.
        if nanosecond == NO_READING {
            let seconds = [second, self.part_of_time(64, seconds)?];
            self.assume_compares(IntCmp::Ule, 64, seconds)?;
            return Ok([seconds[1], self.part_of_time(64, any)?]);
        }
        let same = self.part_of_time(8, Ranges::from_to(0, 1))?;
        if self.compares_words(IntCmp::Eq, 8, [same, Value::new(1)])? {
            let nanosecond = [nanosecond, self.part_of_time(64, any)?];
            self.assume_compares(IntCmp::Ule, 64, nanosecond)?;
            return Ok([second, nanosecond[1]]);
        }
        let seconds = [second, self.part_of_time(64, seconds)?];
        self.assume_compares(IntCmp::Ult, 64, seconds)?;
        Ok([seconds[1], self.part_of_time(64, any)?])
    }

    /// Any count of nanoseconds that is not below this one.
    fn later_count(&mut self, [count]: [Value; 1]) -> Result<[Value; 1], StepEnd> {
        let later = self.part_of_time(64, Ranges::from_to(0, TEN_YEARS * 1_000_000_000))?;
        self.assume_compares(IntCmp::Ule, 64, [count, later])?;
        Ok([later])
    }

    fn part_of_time(&mut self, width: u32, values: Ranges) -> Result<Value, StepEnd> {
        match self.given_input(&values)? {
            Some(value) => Ok(Value::new(value)),
            None => self.input(width, values),
        }
    }

    /// Ends an execution in which time passes by an amount that is not known to clocks, if the program reads
    /// some.
    ///
    /// # Errors
    /// [`Unknown::Time`].
    pub(super) fn lets_time_pass(&self) -> Result<(), StepEnd> {
        let is_told = self.passing_clocks() != 0;
        if is_told { Err(StepEnd::Limit(Unknown::Time)) } else { Ok(()) }
    }
}
