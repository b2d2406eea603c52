//! The functions the checker models instead of interpreting: C and POSIX, one table entry each.
//!
//! To add a function, write a `Model` in the file of its family and add it to the family's table. A model
//! reads its arguments with `Machine::argument`, acts through the same accesses as the program, and ends with
//! `Machine::give`. It must look before it leaps: where it answers `Next::Wait` it must not have changed
//! anything but what a fence or a load may change.

mod allocation;
mod barrier;
mod barrier_rounds;
mod choice;
mod condition;
pub(in crate::system) mod creators;
mod decimal;
mod delivery;
mod format;
mod frames;
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
pub(super) mod threads;
mod waiting;

use rmc_runtime::{Bytes, MemoryOrder};

use crate::ir::Program;
use crate::ir::ids::{FuncId, GlobalId, Pc, SiteId};
use crate::ir::instr::{FLOAT, Instr, LibrarySite};
use crate::ir::program::ERRNO;
use crate::ir::value::{Value, mask, signed};
use crate::outcome::ViolationKind;
use crate::property::Formula;
use crate::system::config::Config;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// What a modelled function does.
type Model = for<'p> fn(&mut Machine<'p>, &mut VisibleSlot, Call<'p>) -> Performed;

/// A table of names and models.
type Family = &'static [(&'static str, Model)];

const FAMILIES: &[Family] = &[
    allocation::FAMILY,
    barrier::FAMILY,
    choice::FAMILY,
    condition::FAMILY,
    frames::FAMILY,
    futex::FAMILY,
    idle::FAMILY,
    jumps::FAMILY,
    math::FAMILY,
    membarrier::FAMILY,
    mutex::FAMILY,
    nondet::FAMILY,
    once::FAMILY,
    overflow::FAMILY,
    printf::FAMILY,
    process::FAMILY,
    rwlock::FAMILY,
    semaphore::FAMILY,
    spinlock::FAMILY,
    stdio::FAMILY,
    strings::FAMILY,
    support::FAMILY,
    svcomp::FAMILY,
    thread_data::FAMILY,
    threads::FAMILY,
];

/// A call under way: which instruction, with which operands.
#[derive(Clone, Copy)]
struct Call<'p> {
    site: &'p LibrarySite,
    name: &'static str,
}

/// Finds models by name. What the program defines itself is its own, but for the names that tell the checker
/// something: those of include/rmc.h, whose definitions are for other uses of the program, and with `svcomp`
/// those that the competition reserves. `reach_error` is an ordinary function where the property to check is
/// another.
pub fn finder(config: &Config) -> impl Fn(&str, bool) -> Option<usize> {
    let svcomp = config.svcomp;
    let errors = !config.property.is_some() || config.property.has(Formula::UnreachCall);
    move |name, is_defined| {
        let is_error = matches!(name, "reach_error" | "__VERIFIER_error");
        let reserved = svcomp && if is_error { errors } else { name.starts_with("__VERIFIER_") };
        let is_ours = !is_defined || reserved || choice::FAMILY.iter().any(|(known, _)| *known == name);
        table().position(|(known, _)| known == name).filter(|_| is_ours)
    }
}

/// The name of a modelled function.
#[must_use]
pub fn name(number: usize) -> &'static str {
    lookup(number).0
}

/// What messages call a function: those that the support library calls have the name of the program's call,
/// after a prefix.
fn public_name(name: &'static str) -> &'static str {
    name.strip_prefix("__rmc_").unwrap_or(name)
}

fn table() -> impl Iterator<Item = (&'static str, Model)> {
    FAMILIES.iter().flat_map(|family| family.iter().copied())
}

/// Performs the call of a modelled function.
pub(super) fn call(machine: &mut Machine<'_>, turn: &mut VisibleSlot, site: SiteId) -> Performed {
    let program = machine.program;
    let site = &program.function(machine.running.stack.top().function).library[site.index()];
    let (name, model) = lookup(site.function);
    // Names of heap objects depend on what others freed, so who takes one does so at the begin of a step.
    let names = allocation::FAMILY.iter().any(|&(other, _)| other == name);
    let name = public_name(name);
    if names && machine.config.updates && !machine.is_alone() && turn.has_moved() {
        if matches!(name, "free" | "realloc") {
            allocation::check(machine, Call { site, name })?;
        }
        return Ok(Next::Wait);
    }
    machine.watch_call(name, site);
    machine.note_call_begins();
    let performed = model(machine, turn, Call { site, name })?;
    if machine.observers.recorder.is_some() && matches!(performed, Next::Advance | Next::Cut) {
        let args = site.args.iter().map(|&arg| machine.running.stack.get(program, arg).bits).collect();
        machine.note_call(name, args);
    }
    Ok(performed)
}

/// The name of the function in which a thread waits that stands at this instruction.
fn waiting(program: &Program, (function, pc): (FuncId, Pc)) -> &'static str {
    let code = program.function(function);
    match code.code[pc.index()] {
        Instr::Library { site } => public_name(name(code.library[site.index()].function)),
        _ => "the program",
    }
}

fn lookup(mut number: usize) -> (&'static str, Model) {
    for &family in FAMILIES {
        match family.get(number) {
            Some(&entry) => return entry,
            None => number -= family.len(),
        }
    }
    unreachable!("the loader asks `find` for numbers")
}

impl<'p> Machine<'p> {
    /// The name of the modelled function that the running thread calls, or what it does instead.
    pub(super) fn library_name(&self) -> &'static str {
        let frame = self.running.stack.top();
        waiting(self.program, (frame.function, frame.pc))
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
