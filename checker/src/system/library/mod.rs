//! Models of functions of C and POSIX, which the checker performs instead of interpreting code.
//!
//! A new function takes three places:
//!
//! * its *row* in `functions.rs`, the one place with facts about it: its name, its model, its kind, and for
//!   instance whether it is a fence. All code reads such facts from the row (facts about functions in C are
//!   in `support_functions.rs`);
//! * its *model*, a `pub(super) fn` in the file of its family. A model reads its arguments with
//!   `Machine::argument`, acts through the same accesses as the program, announces once what it does
//!   (`observe/`), and ends with `Machine::give`. Before it returns `Next::Wait` it must not have changed
//!   anything but what a fence or a load may change;
//! * its *test*, a program in `tests/programs`.
//!
//! The compiler finds a model without a row. A row can have the model of another function, if they do the
//! same.

mod allocation;
mod barrier;
mod barrier_rounds;
mod choice;
mod clock;
mod condition;
pub(in crate::system) mod creators;
mod decimal;
mod delivery;
mod facts;
mod format;
mod forms;
mod frames;
mod functions;
mod futex;
pub mod idle;
mod jumps;
pub(in crate::system) mod later_allocations;
mod math;
mod membarrier;
pub mod mutex;
mod nondet;
mod numbered;
mod once;
pub mod overflow;
mod printf;
mod process;
pub mod rwlock;
mod semaphore;
mod spinlock;
mod stdio;
mod strings;
mod support;
mod support_functions;
mod svcomp;
mod sync;
mod telling;
mod thread_data;
mod threads;
mod unwinding;
mod variable_arguments;
mod waiting;

pub use self::choice::MOST_RESULTS;
pub use self::clock::NEVER;
pub(super) use self::clock::{Kinds, clocks_read, moves_clocks};
pub use self::facts::{InAssertions, InSupport, Kind, LibraryFunction, OnThreads, Reserved, Role};
pub use self::forms::is_replaced;
pub(super) use self::forms::replaces_new;
pub use self::functions::{function, named};
pub use self::nondet::input_type;
#[cfg(test)]
pub use self::support_functions::SUPPORT_FUNCTIONS;
pub use self::support_functions::support_function;

use rmc_runtime::{Bytes, MemoryOrder};

use crate::ir::Program;
use crate::ir::ids::{FuncId, GlobalId, Pc, SiteId};
use crate::ir::instr::{FLOAT, Instr, LibrarySite};
use crate::ir::load::Modelled;
use crate::ir::program::ERRNO;
use crate::ir::reachable::reachable_functions;
use crate::ir::value::{Value, mask, signed};
use crate::outcome::ViolationKind;
use crate::property::Formula;
use crate::system::config::{Clocks, Config};
use crate::system::inputs::Size;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// The model of a function.
type Model = for<'p> fn(&mut Machine<'p>, &mut VisibleSlot, Call<'p>) -> Performed;

/// A call under way: its instruction with the operands, and the function.
#[derive(Clone, Copy)]
struct Call<'p> {
    site: &'p LibrarySite,
    function: &'static LibraryFunction,
    /// The name of the function in messages.
    name: &'static str,
}

/// A function that finds models by name, also those that replace the program's own definitions
/// ([`Reserved`]).
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

/// True if the function of this name depends on whether a thread has ended, and continues in either case.
pub(super) fn asks_for_end(name: &str) -> bool {
    on_threads(name).is_some_and(OnThreads::asks_for_end)
}

/// True if the function of this name ends its thread.
pub(super) fn ends_thread(name: &str) -> bool {
    on_threads(name) == Some(OnThreads::EndsThread)
}

/// What the function of this name does to threads, if it is one of the libraries'.
fn on_threads(name: &str) -> Option<OnThreads> {
    let of_support = support_function(name).map(|function| function.on_threads);
    of_support.or_else(|| Some(named(name)?.on_threads))
}

/// Whether a program may ask for inputs whose values can be chosen late.
pub(super) fn asks_for_inputs(program: &Program, clocks: Clocks) -> bool {
    let functions = reachable_functions(program);
    let mut calls = functions.iter().flat_map(|&function| &program.function(function).library);
    calls.any(|call| {
        let row = function(call.function);
        let is_wide = || row.public_name() != "rmc_choose" || choice::is_wide(program, call);
        let gives_time = clocks == Clocks::Pass && clock::READINGS.contains(&row.name);
        gives_time || row.gives_input && nondet::may_be_deferred(row.public_name()) && is_wide()
    })
}

/// True if the program calls a function that discards executions in which something is false.
#[must_use]
pub fn may_assume(program: &Program) -> bool {
    let mut sites = program.functions.iter().flat_map(|code| &code.library);
    sites.any(|site| function(site.function).assumes)
}

/// The modelled function that is called at a place in the program, if there is one.
#[must_use]
pub fn called_at(program: &Program, (caller, pc): (FuncId, Pc)) -> Option<&'static LibraryFunction> {
    let code = program.function(caller);
    match code.code[pc.index()] {
        Instr::Library { site } => Some(function(code.library[site.index()].function)),
        _ => None,
    }
}

/// True if a call may take a free name for an object on the heap.
pub(super) fn takes_memory(machine: &Machine<'_>, site: SiteId) -> bool {
    let site = &machine.program.function(machine.running.stack.top().function).library[site.index()];
    later_allocations::takes_names(function(site.function))
}

/// Performs the call of a modelled function.
pub(super) fn call(machine: &mut Machine<'_>, turn: &mut VisibleSlot, site: SiteId) -> Performed {
    let program = machine.program;
    let site = &program.function(machine.running.stack.top().function).library[site.index()];
    let function = function(site.function);
    let call = Call { site, function, name: function.public_name() };
    // Names of heap objects depend on what others freed, so a call that takes a name does so at the begin of
    // a step.
    let is_own_step = function.kind == Kind::Heap && machine.config.updates && !machine.is_whole_section();
    if is_own_step && !machine.is_alone() && turn.has_moved() {
        return Ok(Next::Wait);
    }
    machine.announce_model(function, site);
    let performed = (function.model)(machine, turn, call)?;
    debug_assert!(
        !function.is_fence
            || !matches!(performed, Next::Advance)
            || !machine.buffers.has_delayed(machine.running.thread),
        "`{}` is a fence, but the thread has delayed stores after it",
        function.name
    );
    if matches!(performed, Next::Advance | Next::Cut) {
        machine.model_finished(function, site);
    }
    Ok(performed)
}

impl<'p> Machine<'p> {
    /// The modelled function that the running thread calls, if it calls one.
    pub(super) fn called_function(&self) -> Option<&'static LibraryFunction> {
        let frame = self.running.stack.top();
        called_at(self.program, (frame.function, frame.pc))
    }

    /// The argument with index `at`, which must be initialised.
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

    /// The argument with index `at`, one of [`LibraryFunction::sizes`].
    fn size_argument(&self, call: Call<'_>, at: usize) -> Result<Size, StepEnd> {
        let open = call.site.args.get(at).and_then(|&operand| self.open_size_in(operand));
        open.map_or_else(|| self.argument(call, at).map(Size::Known), |symbol| Ok(Size::Open(symbol)))
    }

    /// The fault of a library function whose argument `value` is uninitialised or poison. `argument`
    /// describes it.
    pub(super) fn undefined_argument<T>(&self, value: Value, argument: String) -> Result<T, StepEnd> {
        match value.why_poison() {
            Some(why) => {
                self.fault(ViolationKind::UndefinedResult, format!("{argument} is the result of {}", why.describe()))
            }
            None => self.fault(ViolationKind::UninitialisedArgument, argument),
        }
    }

    /// The argument with index `at` as a signed number of its own width.
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

    /// Sets the running thread's `errno`, if the program has one. The result is false if the thread waits.
    fn set_errno(&mut self, turn: &mut VisibleSlot, number: u32) -> Result<bool, StepEnd> {
        let is_errno = |global: &&GlobalId| self.program.globals[global.index()].name == ERRNO;
        let Some(&global) = self.program.thread_locals.iter().find(is_errno) else { return Ok(true) };
        let target = self.target(self.own_thread_local(global).address(0), 4, true)?;
        self.store(turn, &target, Bytes::defined(number.into()), MemoryOrder::Plain)
    }

    /// The phase of a call that takes several steps.
    fn phase(&self, call: Call<'_>) -> u64 {
        self.running.stack.register(self.running.stack.top(), call.site.phase).bits
    }

    fn set_phase(&mut self, turn: &mut VisibleSlot, call: Call<'_>, phase: u64) {
        self.running.stack.set(call.site.phase, Value::new(phase));
        turn.moved();
    }
}
