//! The functions the checker models instead of interpreting, of C and POSIX.
//!
//! Adding a function takes three places:
//!
//! * its *row* in `functions.rs`, the one place where anything is known of it: its name, its model, its kind,
//!   and facts such as whether it is a fence. Whoever wants to know something of a function asks the row;
//! * its *model*, a `pub(super) fn` in the file of its family. A model reads its arguments with
//!   `Machine::argument`, acts through the same accesses as the program, and ends with `Machine::give`. It
//!   must look before it leaps: where it answers `Next::Wait` it must not have changed anything but what a
//!   fence or a load may change;
//! * its *test*, a program in `tests/programs`.
//!
//! The compiler finds a model without a row. A row can have the model of another one, if they do the same.

mod allocation;
mod barrier;
mod barrier_rounds;
mod choice;
mod condition;
pub(in crate::system) mod creators;
mod decimal;
mod delivery;
mod facts;
mod format;
mod frames;
mod functions;
mod futex;
mod idle;
mod jumps;
mod math;
mod membarrier;
mod mutex;
mod nondet;
mod numbered;
mod once;
pub mod overflow;
mod printf;
mod process;
mod rwlock;
mod semaphore;
mod spinlock;
mod stdio;
mod strings;
mod support;
mod svcomp;
mod sync;
mod thread_data;
mod threads;
mod waiting;

pub use self::facts::{InAssertions, InSupport, Kind, LibraryFunction, OnThreads, Reserved, Role};
pub use self::functions::{function, named};

use rmc_runtime::{Bytes, MemoryOrder};

use crate::ir::Program;
use crate::ir::ids::{FuncId, GlobalId, Pc, SiteId};
use crate::ir::instr::{FLOAT, Instr, LibrarySite};
use crate::ir::load::Modelled;
use crate::ir::program::ERRNO;
use crate::ir::value::{Value, mask, signed};
use crate::outcome::ViolationKind;
use crate::property::Formula;
use crate::system::config::Config;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// What a modelled function does.
type Model = for<'p> fn(&mut Machine<'p>, &mut VisibleSlot, Call<'p>) -> Performed;

/// A call under way: its instruction with the operands, and the function.
#[derive(Clone, Copy)]
struct Call<'p> {
    site: &'p LibrarySite,
    function: &'static LibraryFunction,
    /// The function's name in messages.
    name: &'static str,
}

/// Finds models by name, also those that take the place of the program's own definitions ([`Reserved`]).
pub fn finder(config: &Config) -> impl Fn(&str, bool) -> Option<Modelled> {
    let svcomp = config.svcomp;
    let searches_errors = !config.property.is_some() || config.property.has(Formula::UnreachCall);
    move |name, is_defined| {
        let number = functions::number(name)?;
        let row = function(number);
        let is_reserved = match row.reserved {
            Reserved::No => false,
            Reserved::Always => true,
            Reserved::InCompetition => svcomp,
            Reserved::AsError => svcomp && searches_errors,
        };
        let known = Modelled { number, returns_twice: row.returns_twice };
        (!is_defined || is_reserved).then_some(known)
    }
}

/// Whether a function of this name asks whether a thread has ended, and goes on all the same. Attributes are
/// the support library's; of its functions, the one that has threads begin detached is one of these.
pub(super) fn asks_for_end(name: &str) -> bool {
    name == "pthread_attr_setdetachstate" || named(name).is_some_and(|function| function.on_threads.asks_for_end())
}

/// The modelled function that is called at a place in the program, if one is.
#[must_use]
pub fn called_at(program: &Program, (caller, pc): (FuncId, Pc)) -> Option<&'static LibraryFunction> {
    let code = program.function(caller);
    match code.code[pc.index()] {
        Instr::Library { site } => Some(function(code.library[site.index()].function)),
        _ => None,
    }
}

/// Performs the call of a modelled function.
pub(super) fn call(machine: &mut Machine<'_>, turn: &mut VisibleSlot, site: SiteId) -> Performed {
    let program = machine.program;
    let site = &program.function(machine.running.stack.top().function).library[site.index()];
    let function = function(site.function);
    let call = Call { site, function, name: function.public_name() };
    // Names of heap objects depend on what others freed, so who takes one does so at the begin of a step.
    if function.kind == Kind::Heap && machine.config.updates && !machine.is_alone() && turn.has_moved() {
        if function.frees {
            allocation::check(machine, call)?;
        }
        return Ok(Next::Wait);
    }
    machine.watch_call(function, site);
    machine.note_call_begins();
    let performed = (function.model)(machine, turn, call)?;
    debug_assert!(
        !function.is_fence
            || !matches!(performed, Next::Advance)
            || !machine.buffers.has_delayed(machine.running.thread),
        "`{}` is a fence, but the thread has delayed stores after it",
        function.name
    );
    if machine.observers.recorder.is_some() && matches!(performed, Next::Advance | Next::Cut) {
        let args = site.args.iter().map(|&arg| machine.running.stack.get(program, arg).bits).collect();
        machine.note_call(call.name, args);
    }
    Ok(performed)
}

impl<'p> Machine<'p> {
    /// The modelled function that the running thread calls, if it calls one.
    pub(super) fn called_function(&self) -> Option<&'static LibraryFunction> {
        let frame = self.running.stack.top();
        called_at(self.program, (frame.function, frame.pc))
    }

    /// Argument number `at`, which must be initialised.
    fn argument(&self, call: Call<'_>, at: usize) -> Result<u64, StepEnd> {
        let Some(&operand) = call.site.args.get(at) else {
            let message = format!("`{}` is called with {} arguments", call.name, call.site.args.len());
            return self.fault(ViolationKind::InvalidArgument, message);
        };
        match self.running.stack.get(self.program, operand) {
            Value { undef: 0, bits } => Ok(bits),
            value => self.undefined_argument(value, format!("argument {} of `{}`", at + 1, call.name)),
        }
    }

    /// The fault of a library function that is given `value`, uninitialised or poison, as `argument`.
    pub(super) fn undefined_argument<T>(&self, value: Value, argument: String) -> Result<T, StepEnd> {
        match value.why_poison() {
            Some(why) => {
                self.fault(ViolationKind::UndefinedResult, format!("{argument} is the result of {}", why.describe()))
            }
            None => self.fault(ViolationKind::UninitialisedArgument, argument),
        }
    }

    /// Argument number `at` as a signed number of its own width.
    fn signed_argument(&self, call: Call<'_>, at: usize) -> Result<i64, StepEnd> {
        let bits = self.argument(call, at)?;
        Ok(signed(bits, u32::from(call.site.widths[at] & !FLOAT)))
    }

    /// Ends a call with its result.
    fn give(&mut self, call: Call<'_>, result: u64) -> Performed {
        if call.site.width > 0 {
            self.running.stack.set(call.site.dst, Value::new(result & mask(call.site.width.into())));
        }
        Ok(Next::Advance)
    }

    /// Sets the running thread's `errno`, if the program has one. False: the thread waits.
    fn set_errno(&mut self, turn: &mut VisibleSlot, number: u32) -> Result<bool, StepEnd> {
        let is_errno = |global: &&GlobalId| self.program.globals[global.index()].name == ERRNO;
        let Some(&global) = self.program.thread_locals.iter().find(is_errno) else { return Ok(true) };
        let target = self.target(self.own_thread_local(global).address(0), 4, true)?;
        self.store(turn, &target, Bytes::defined(number.into()), MemoryOrder::Plain)
    }

    /// How far a call of several steps is.
    fn phase(&self, call: Call<'_>) -> u64 {
        self.running.stack.register(self.running.stack.top(), call.site.phase).bits
    }

    fn set_phase(&mut self, turn: &mut VisibleSlot, call: Call<'_>, phase: u64) {
        self.running.stack.set(call.site.phase, Value::new(phase));
        turn.moved();
    }
}
