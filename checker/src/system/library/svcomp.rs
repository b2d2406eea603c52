//! The functions of the software verification competition, with `--svcomp`: <https://sv-comp.sosy-lab.org>,
//! "Rules".
//!
//! An atomic section is a full fence at both ends, and nothing of another thread happens within it: none
//! runs, and no delayed store of one reaches memory. Nondeterministic values are in `nondet.rs`.
//!
//! Tests: `tests/programs/svcomp/`, `tests/programs/symbolic/sections.c`, `sections` of
//! `tests/tests/pipeline_differential.rs`.

use super::Call;
use crate::outcome::{Unknown, ViolationKind};
use crate::system::machine::Machine;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// Refuses the function without `--svcomp`. Its name then has no special meaning, so it has no model.
pub(super) fn require(machine: &Machine<'_>, call: Call<'_>) -> Result<(), StepEnd> {
    if machine.config.svcomp {
        return Ok(());
    }
    Err(StepEnd::Unsupported(format!("function `{}`, which only --svcomp gives a meaning", call.name)))
}

/// Models the error function. It needs no option, since its name has no other use.
pub(super) fn reach_error<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if !super::process::may_go_wrong(machine, turn) {
        return Ok(Next::Wait);
    }
    machine.fault(ViolationKind::ReachError, format!("`{}` was called", call.name))
}

/// Models an assumption. If it fails, its thread "loops forever": other threads go on, and may have
/// violations. If no other thread can run, the execution is over.
pub(super) fn assume<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    require(machine, call)?;
    if machine.argument(call, 0)? != 0 {
        return machine.give(call, 0);
    }
    if machine.is_alone() || machine.memory.table.atomic == Some(machine.running.thread) {
        return Err(StepEnd::Pruned);
    }
    machine.report.loops_forever = true;
    Ok(Next::Wait)
}

pub(super) fn atomic_begin<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    require(machine, call)?;
    if machine.memory.table.atomic.is_some() {
        // Only the thread inside takes steps. The inner section adds nothing, but its end must not end the
        // outer one.
        let nested = machine.memory.table.nested.checked_add(1);
        machine.memory.table.nested = nested.ok_or(StepEnd::Limit(Unknown::StackDepth))?;
        return machine.give(call, 0);
    }
    if !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    machine.drain()?;
    machine.buffers.begin_section(&mut machine.memory, machine.running.thread);
    machine.announce_section_begin();
    machine.report.begins_section = true;
    machine.memory.table.atomic = Some(machine.running.thread);
    machine.give(call, 0)
}

pub(super) fn atomic_end<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    require(machine, call)?;
    if machine.memory.table.atomic != Some(machine.running.thread) {
        return machine.fault(ViolationKind::InvalidArgument, "the end of an atomic section that did not begin");
    }
    if machine.memory.table.nested > 0 {
        machine.memory.table.nested -= 1;
        return machine.give(call, 0);
    }
    machine.drain()?;
    machine.buffers.end_section(&mut machine.memory);
    machine.announce_section_end();
    machine.memory.table.atomic = None;
    machine.give(call, 0)
}
