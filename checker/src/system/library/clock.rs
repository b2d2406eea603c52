//! Clocks. They stand still ([`Clocks::Stand`]): then what the program does when time passes is left out,
//! and each reading says so. Or they pass ([`Clocks::Pass`]): a reading is any time that is not before the
//! one before, of whatever thread, within ten years.
//!
//! The last reading is a `struct timespec` of the support library (`libc/time.c`), which only these models
//! access. A reading is one visible operation on it, and orders no store: a processor may read its clock
//! while stores wait. Its seconds and nanoseconds are inputs (`system/inputs/`), which is exact: what the
//! program tells apart about times is explored, and nothing else. Whether the second is that of the reading
//! before is asked at once, so that all conditions relate two seconds, or two nanoseconds, and not both: such
//! conditions can be given up when the reading is forgotten (`system/symbols/projection.rs`).
//!
//! The time at which a wait with a time ends, or a sleep, is not known to these clocks yet; nor is what other
//! clocks say at a time, such as those of the processor, or those of C++ to those of C. Where clocks pass,
//! and the program reads them, an execution that gets there is not followed ([`Unknown::Time`]).

use rmc_runtime::MemoryOrder;

use super::Call;
use crate::ir::Program;
use crate::ir::instr::IntCmp;
use crate::ir::value::Value;
use crate::outcome::Unknown;
use crate::system::config::Clocks;
use crate::system::machine::Machine;
use crate::system::step::access::{Target, bytes, words};
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};
use crate::system::symbols::ranges::Ranges;

/// The functions that read clocks that may pass.
pub(super) const READINGS: [&str; 2] = ["__rmc_read_time", "__rmc_read_count"];

/// The globals of the support libraries that have the last reading, in programs that read clocks.
const LAST_READINGS: [&str; 2] = ["__rmc_last_reading", "__rmc_last_count"];

/// The first second of 2024, where clocks begin (`libc/time.c`).
const FIRST_SECOND: u64 = 1_704_067_200;

/// The seconds in ten years, for which clocks may go on.
const SECONDS: u64 = 10 * 366 * 86_400;

/// The greatest number of nanoseconds of a time.
const MOST_NANOSECONDS: u64 = 999_999_999;

/// The headers of the C++ library whose waits with a time the support library ends in each possible way, and
/// has the clocks go on: they read clocks only to tell whether the time of such a wait is over. Other headers
/// wait for the clock itself, or give what they read to the program.
const TIMED_HEADERS: [&str; 4] = ["condition_variable", "mutex", "shared_mutex", "bits/atomic_futex.h"];

/// Models `__rmc_read_clock()`, which the clocks of the support library call that always stand still. What
/// the program does when time passes is left out, unless [`TIMED_HEADERS`] read the clock. A loop that waits
/// for time to pass must not be taken for one that waits for ever.
pub(super) fn read_standing<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.lets_time_pass()?;
    machine.fetch_place();
    if !is_timed_header(machine.file_of_operation()) {
        machine.note_standing();
    }
    machine.give(call, 0)
}

/// The number of kinds of clocks that may pass and that a program reads: those of the C library, and of C++.
pub(in crate::system) fn clocks_read(program: &Program) -> usize {
    program.globals.iter().filter(|global| LAST_READINGS.contains(&global.name.as_str())).count()
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

/// Models `int __rmc_clocks_pass(void)`: 1 if clocks pass.
pub(super) fn pass<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.give(call, machine.clocks_pass().into())
}

impl Machine<'_> {
    /// True if clocks pass in this run, and the program's inputs are open or given.
    fn clocks_pass(&self) -> bool {
        self.config.clocks == Clocks::Pass && self.keeps_inputs()
    }

    /// Notes that the program reads a clock that stands still.
    fn note_standing(&mut self) {
        self.note_left_out(Unknown::Clock);
        self.announce_reading_of_clock();
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
            self.note_standing();
            self.write_time(&now, self.time_in(&last));
            return self.give(call, 0);
        }
        // As with other inputs: what was asked before must not multiply.
        if self.asks_later(turn) || !self.begins_reading(turn, &last)? {
            return Ok(Next::Wait);
        }
        // The clocks of the C library and those of C++ do not know each other.
        if self.facts.clocks_read > 1 {
            return Err(StepEnd::Limit(Unknown::Time));
        }
        let reading = after(self, self.time_in(&last))?;
        for (word, value) in last.iter().zip(reading) {
            self.announce_write(word, bytes([value, Value::ZERO], 8));
        }
        self.write_time(&last, reading);
        self.write_time(&now, reading);
        self.announce_call(call.name, "");
        self.give(call, 0)
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
    fn begins_reading(&mut self, turn: &mut VisibleSlot, last: &[Target]) -> Result<bool, StepEnd> {
        let is_shared = self.is_shared(&last[0].region)?;
        if is_shared && !self.may_proceed(turn) {
            return Ok(false);
        }
        for word in last {
            self.announce_load(word, is_shared, MemoryOrder::Relaxed)?;
        }
        self.announce_decision();
        Ok(true)
    }

    /// Any time that is not before this one.
    fn later_time(&mut self, [second, nanosecond]: [Value; 2]) -> Result<[Value; 2], StepEnd> {
        let any = Ranges::from_to(0, MOST_NANOSECONDS);
        let same = self.part_of_time(8, Ranges::from_to(0, 1))?;
        if self.compares_words(IntCmp::Eq, 8, [same, Value::new(1)])? {
            let nanosecond = [nanosecond, self.part_of_time(64, any)?];
            self.assume_compares(IntCmp::Ule, 64, nanosecond)?;
            return Ok([second, nanosecond[1]]);
        }
        let seconds = [second, self.part_of_time(64, Ranges::from_to(0, FIRST_SECOND + SECONDS))?];
        self.assume_compares(IntCmp::Ult, 64, seconds)?;
        Ok([seconds[1], self.part_of_time(64, any)?])
    }

    /// Any count of nanoseconds that is not below this one.
    fn later_count(&mut self, [count]: [Value; 1]) -> Result<[Value; 1], StepEnd> {
        let later = self.part_of_time(64, Ranges::from_to(0, SECONDS * 1_000_000_000))?;
        self.assume_compares(IntCmp::Ule, 64, [count, later])?;
        Ok([later])
    }

    fn part_of_time(&mut self, width: u32, values: Ranges) -> Result<Value, StepEnd> {
        match self.given_input(&values)? {
            Some(value) => Ok(Value::new(value)),
            None => self.input(width, values),
        }
    }

    /// Ends an execution in which time passes by an amount that the program chose, if it may tell that by a
    /// clock.
    ///
    /// # Errors
    /// [`Unknown::Time`].
    pub(super) fn lets_time_pass(&self) -> Result<(), StepEnd> {
        let is_told = self.facts.clocks_read > 0 && self.clocks_pass();
        if is_told { Err(StepEnd::Limit(Unknown::Time)) } else { Ok(()) }
    }
}
