//! Exceptions leave functions: the two phases of the Itanium C++ ABI, *Exception Handling*, section 1.3.
//!
//! The support libraries (libcxx/exceptions.cc, libc/rust_unwind.c) decide which clause catches an exception,
//! and call these models to look at the frames of the running thread and to leave them. In the first phase it
//! only looks, so an exception that nobody catches leaves the stack as it is. Frames have numbers; the
//! thread's first frame is number 1. The numbers and the exception are in memory and registers of the thread,
//! so a state needs nothing else.
//!
//! Tests: tests/programs/cxx/, tests/programs/rust/.

use super::Call;
use super::jumps;
use super::process::may_go_wrong_with;
use crate::interp;
use crate::interp::Frame;
use crate::ir::demangle;
use crate::ir::ids::Reg;
use crate::ir::instr::Instr;
use crate::ir::landing::{CLEANUP, Clause, Landing, selector};
use crate::ir::value::Value;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// Answers of `__rmc_clause` that are no addresses of descriptions of types; see libcxx/exceptions.cc.
const NONE_LEFT: u64 = 1;
const CLEANUP_LEFT: u64 = 2;

/// The frame with this number.
fn frame(machine: &mut Machine<'_>, number: u32) -> Frame {
    while machine.running.stack.below >= number {
        machine.fetch_caller();
    }
    let stack = &machine.running.stack;
    stack.frames()[(number - stack.below - 1) as usize]
}

/// The frame with the number that is the first argument, and the landing pad of the call at which it stands.
fn pad<'p>(machine: &mut Machine<'p>, call: Call<'p>) -> Result<(u32, &'p Landing), StepEnd> {
    let number = machine.argument(call, 0)? as u32;
    let frame = frame(machine, number);
    let landing = machine.program.function(frame.function).landing(frame.pc);
    Ok((number, landing.expect("the support library asks of frames with landing pads")))
}

/// Models `__rmc_next_pad(number)`: the number of the next frame below the numbered one that stands at a call
/// with a landing pad; 0 if there is none. Below 0 is the whole stack.
pub(super) fn next_pad<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let above = machine.argument(call, 0)? as u32;
    let depth = machine.running.stack.depth();
    for number in (1..=if above == 0 { depth } else { above }).rev() {
        let frame = frame(machine, number);
        let function = machine.program.function(frame.function);
        if number != above && function.landing(frame.pc).is_some() {
            return machine.give(call, number.into());
        }
        if function.keeps_exceptions {
            return Err(StepEnd::Unsupported(format!(
                "an exception that leaves `{}`, which is compiled without exceptions (C code: --cflags=-fexceptions)",
                function.shown_name()
            )));
        }
    }
    machine.give(call, 0)
}

/// Models `__rmc_is_caught()`: 1 if a landing pad catches every exception, and the thread's frames above it
/// let exceptions pass: none of them promises to keep them, and no landing pad stops them to end the process.
pub(super) fn is_caught<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    for number in (1..=machine.running.stack.depth()).rev() {
        let frame = frame(machine, number);
        let function = machine.program.function(frame.function);
        match function.landing(frame.pc) {
            Some(landing) if landing.clauses.contains(&Clause::Catch(0)) => return machine.give(call, 1),
            Some(landing) if landing.clauses.contains(&Clause::Filter) => break,
            None if function.keeps_exceptions => break,
            _ => {}
        }
    }
    machine.give(call, 0)
}

/// Refuses a call that leaves all frames without running what their landing pads would run.
pub(super) fn refuse_pads(machine: &mut Machine<'_>, call: Call<'_>) -> Result<(), StepEnd> {
    for number in (1..=machine.running.stack.depth()).rev() {
        let frame = frame(machine, number);
        let function = machine.program.function(frame.function);
        if function.landing(frame.pc).is_some() {
            let name = function.shown_name();
            let what = format!("`{}` where `{name}` has destructors to run or handlers (return instead)", call.name);
            return Err(StepEnd::Unsupported(what));
        }
    }
    Ok(())
}

/// Models `__rmc_clause(number, at)`: the address of the description of the type that a clause catches, or
/// one of the other answers.
pub(super) fn clause<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let ((number, landing), at) = (pad(machine, call)?, machine.argument(call, 1)?);
    let answer = match landing.clauses.get(at as usize) {
        Some(&Clause::Catch(described_at)) => described_at,
        Some(Clause::Filter) => {
            let frame = frame(machine, number);
            let name = machine.program.function(frame.function).shown_name();
            let what = format!("the exception specification of `{name}` (`noexcept` takes the place of `throw()`)");
            return Err(StepEnd::Unsupported(what));
        }
        None if landing.is_cleanup => CLEANUP_LEFT,
        None => NONE_LEFT,
    };
    machine.give(call, answer)
}

/// Models `__rmc_land(number, exception, at)`: the thread leaves the frames above the numbered one, and
/// continues at its landing pad with the clause that is given, or for cleanups behind the last.
pub(super) fn land<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (exception, at) = (machine.argument(call, 1)?, machine.argument(call, 2)?);
    let (number, landing) = pad(machine, call)?;
    let word = match landing.clauses.get(at as usize) {
        Some(&Clause::Catch(described_at)) => selector(described_at),
        Some(Clause::Filter) | None => CLEANUP,
    };
    if !jumps::may_leave_frames(machine, turn, number) {
        return Ok(Next::Wait);
    }
    let next = jumps::leave_frames(machine, number)?;
    let mut budget = 0;
    interp::follow(machine.program, &mut machine.running.stack, &mut budget, landing.edge, &machine.tally.reached);
    let frame = machine.running.stack.top();
    let Instr::LandingPad { dst } = machine.program.function(frame.function).code[frame.pc.index()] else {
        unreachable!("a landing pad begins with its instruction")
    };
    machine.running.stack.set(dst, Value::new(exception));
    machine.running.stack.set(Reg(dst.0 + 1), Value::new(word));
    Ok(next)
}

/// Models `__rmc_uncaught(type, what)`: nothing catches an exception of the type with this mangled name.
/// `what` is its text, or null.
pub(super) fn uncaught<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (name, what) = (machine.argument(call, 0)?, machine.argument(call, 1)?);
    if !may_go_wrong_with(machine, turn, (what != 0).then_some(what))? {
        return Ok(Next::Wait);
    }
    let name = demangle::shown_type(&machine.text_at(name)?);
    let text = if what == 0 { String::new() } else { format!(": {}", machine.text_at(what)?) };
    machine.fault(ViolationKind::UncaughtException, format!("`{name}` was thrown{text}"))
}
