//! The allocation family. Allocation succeeds, or also fails with `--malloc-may-fail`. The memory is
//! uninitialised, except that of `calloc`.
//!
//! A thread's new object takes the lowest of its names that is free. Other threads may free those of its
//! objects that they know, or have taken over. As long as there are any, the moment of the allocation
//! matters, so the call is visible; and so is a `free` that makes a name free for another thread. All
//! allocations and every `free` are also visible if no memory may be left when another thread ends the
//! process.
//!
//! Memory that a thread frees and another one allocated goes back to that one, or stays with the thread,
//! which then gets it for its next object of the same size, as real allocators do. Both are tried, if the
//! thread may allocate memory later, and others may know the address.
//!
//! Memory of one form of allocation that a function of another form ends is a violation (`forms.rs`).

use super::sync::EINVAL;
use super::{Call, forms};
use crate::ir::address::{self, MAX_OBJECT, ObjectId};
use crate::outcome::{Unknown, ViolationKind};
use crate::system::config::Leaks;
use crate::system::inputs::Size;
use crate::system::machine::Machine;
use crate::system::state::form::Form;
use crate::system::state::object_table::{Extent, Object, ObjectKind};
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

const ENOMEM: u32 = 12;
/// The size of a page in bytes.
const PAGE: u64 = 4096;

pub(super) fn malloc<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let size = machine.size_argument(call, 0)?;
    give_memory(machine, turn, call, (size, 1), false)
}

/// Models `__rmc_allocate(size)`: memory that there always is, as for exceptions.
pub(super) fn allocate<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if is_noticed(machine) && !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    let size = machine.argument(call, 0)?;
    let address = allocated(machine, Size::Known(size), false)?;
    machine.object_allocated(Some(call.name), address);
    machine.give(call, address)
}

pub(super) fn calloc<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    match (machine.size_argument(call, 0)?, machine.size_argument(call, 1)?) {
        (size, Size::Known(unit)) | (Size::Known(unit), size) => give_memory(machine, turn, call, (size, unit), true),
        _ => Err(StepEnd::Limit(Unknown::Nondet)),
    }
}

pub(super) fn aligned_alloc<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (align, size) = (machine.argument(call, 0)?, machine.size_argument(call, 1)?);
    if !align.is_power_of_two() {
        return machine.fault(ViolationKind::InvalidArgument, format!("an alignment of {align}"));
    }
    check_alignment(align)?;
    give_memory(machine, turn, call, (size, 1), false)
}

/// Allocates whole pages.
pub(super) fn pvalloc<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    match machine.argument(call, 0)?.checked_next_multiple_of(PAGE) {
        Some(bytes) => give_memory(machine, turn, call, (Size::Known(bytes), 1), false),
        None => give_nothing(machine, turn, call),
    }
}

pub(super) fn posix_memalign<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let [place, align, size] = [0, 1, 2].map(|at| machine.argument(call, at));
    let (place, align, size) = (place?, align?, size?);
    if !align.is_power_of_two() || align < 8 {
        return machine.give(call, EINVAL);
    }
    check_alignment(align)?;
    let target = machine.target(place, 8, true)?;
    let is_visible = is_noticed(machine);
    if is_visible && !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    let mut begun = VisibleSlot::open();
    let turn = if is_visible { &mut begun } else { turn };
    match fails(machine, turn, Size::Known(size)) {
        None => return Ok(Next::Wait),
        Some(true) => {
            machine.announce_call(call.name, "fails");
            return machine.give(call, ENOMEM.into());
        }
        Some(false) => {}
    }
    // The address is fixed before the store of it may have to wait. A second attempt finds the same address.
    let memory = machine.allocate(size, ObjectKind::Heap, 0, false)?;
    let value = rmc_runtime::Bytes::defined(memory.into());
    if !machine.store(turn, &target, value, rmc_runtime::MemoryOrder::Plain)? {
        machine.forget_allocation(object_of(memory))?;
        return Ok(Next::Wait);
    }
    machine.object_allocated(None, memory);
    machine.give(call, 0)
}

/// Checks an alignment. Objects are aligned to their address space of 64 MiB, so every alignment up to that
/// holds.
fn check_alignment(align: u64) -> Result<(), StepEnd> {
    if align <= MAX_OBJECT {
        return Ok(());
    }
    Err(StepEnd::Unsupported(format!("memory with an alignment of {align} bytes (at most {MAX_OBJECT})")))
}

/// Allocates `unit` times as many bytes as a size says.
fn give_memory<'p>(
    machine: &mut Machine<'p>,
    turn: &mut VisibleSlot,
    call: Call<'p>,
    (size, unit): (Size, u64),
    zeroed: bool,
) -> Performed {
    if is_noticed(machine) && !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    let size = machine.bounded_size(size, unit)?;
    match fails(machine, turn, size) {
        None => return Ok(Next::Wait),
        Some(true) => return give_nothing(machine, turn, call),
        Some(false) => {}
    }
    let form = call.function.form;
    let address = allocated(machine, size, zeroed)?;
    machine.memory.object_mut(object_of(address)).expect("the object is new").form = form;
    machine.object_allocated(Some(maker(call)), address);
    machine.give(call, address)
}

/// The name of the object with this address.
fn object_of(address: u64) -> ObjectId {
    address::split(address).map(|(id, _)| id).expect("a new object has an address")
}

/// The name of an allocating function in reports.
fn maker(call: Call<'_>) -> &'static str {
    if call.function.form == Form::C { call.name } else { call.function.form.maker() }
}

/// The name of a freeing function in reports.
fn ender(call: Call<'_>) -> &'static str {
    if call.function.form == Form::C { call.name } else { call.function.form.ender() }
}

/// The address of a new object on the heap.
fn allocated(machine: &mut Machine<'_>, size: Size, zeroed: bool) -> Result<u64, StepEnd> {
    match size {
        Size::Known(bytes) => machine.allocate(bytes, ObjectKind::Heap, 0, zeroed),
        Size::Open(bytes) => machine.allocate_open(bytes, ObjectKind::Heap, 0, zeroed),
        Size::Fails => unreachable!("such an allocation fails"),
    }
}

/// True if the moment of an allocation by the running thread matters to other threads. With update events
/// every allocation is an event anyway.
fn is_noticed(machine: &Machine<'_>) -> bool {
    let others_may_free = || machine.are_known(|object| object.kind == ObjectKind::Heap);
    !machine.config.updates && (machine.config.leaks == Leaks::All || others_may_free())
}

/// True if an allocation fails: always if no pointer difference could span it, else in one of two answers if
/// the options say so. The result is `None` if the thread waits.
fn fails(machine: &mut Machine<'_>, turn: &VisibleSlot, size: Size) -> Option<bool> {
    let is_too_large = match size {
        Size::Known(size) => i64::try_from(size).is_err(),
        Size::Open(_) => false,
        Size::Fails => true,
    };
    if is_too_large {
        return Some(true);
    }
    if !machine.config.malloc_may_fail {
        return Some(false);
    }
    machine.choose(turn, 2).map(|answer| answer == 1)
}

/// Ends an allocation that failed.
fn give_nothing<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    if !machine.set_errno(turn, ENOMEM)? {
        return Ok(Next::Wait);
    }
    machine.announce_call(maker(call), "fails");
    machine.give(call, 0)
}

/// The heap object with which `free` or `realloc` may be called at an address.
fn heap_object(machine: &Machine<'_>, call: Call<'_>, address: u64) -> Result<Object, StepEnd> {
    let split = address::split(address);
    let found = split.and_then(|(id, offset)| {
        let at = machine.memory.table.find(id)?;
        Some((machine.memory.table.objects[at], offset))
    });
    match found {
        Some((object, 0)) if object.kind == ObjectKind::Heap => {
            let region = machine.memory.region(object.id).expect("the object exists");
            machine.is_shared(&region)?;
            if !forms::may_end(machine, call.function.form, object.form) {
                let (made, described) = (object.form.maker(), machine.describe(&region));
                let message = format!("`{}` of {described}, which is memory from `{made}`", ender(call));
                return machine.fault_at(ViolationKind::InvalidFree, address, message);
            }
            Ok(object)
        }
        Some((object, offset)) => {
            let region = machine.memory.region(object.id).expect("the object exists");
            let message = format!("`{}` of offset {offset} of {}", ender(call), machine.describe(&region));
            machine.fault_at(ViolationKind::InvalidFree, address, message)
        }
        None if split.is_some_and(|(id, offset)| was_heap(id) && offset == 0) => {
            let message = format!("`{}` of memory at {address:#x} that is already gone", ender(call));
            machine.fault_at(ViolationKind::DoubleFree, address, message)
        }
        None => machine.fault(ViolationKind::InvalidFree, format!("`{}` of {address:#x}", ender(call))),
    }
}

fn was_heap(id: ObjectId) -> bool {
    id.owner() != 0 && ObjectKind::is_heap_name(id)
}

pub(super) fn free<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let address = machine.argument(call, 0)?;
    if address == 0 {
        return machine.give(call, 0);
    }
    let object = heap_object(machine, call, address)?;
    let may_be_left = !machine.config.updates && machine.config.leaks == Leaks::All;
    if (is_noticed_if_ended(machine, &object) || may_be_left) && !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    let Some(keeps_name) = keeps_name(machine, turn, &object) else { return Ok(Next::Wait) };
    machine.announce_free(Some(ender(call)), &object)?;
    end(machine, call, &object, keeps_name)?;
    machine.give(call, 0)?;
    Ok(after_death(machine, &object))
}

/// True if the running thread keeps the name of an object that it frees. The result is `None` if the thread
/// waits. An object that the thread took over is known to no other one.
fn keeps_name(machine: &mut Machine<'_>, turn: &VisibleSlot, object: &Object) -> Option<bool> {
    let may_keep = machine.is_of_another(object.id)
        && object.shared
        && object.taker == 0
        && object.extent == Extent::Stored
        && machine.may_allocate_later();
    if !may_keep {
        return Some(false);
    }
    let keeps = machine.choose(turn, 2)? == 1;
    machine.announce_keeping(object.id, keeps);
    Some(keeps)
}

/// Ends an object.
fn end(machine: &mut Machine<'_>, call: Call<'_>, object: &Object, keeps_name: bool) -> Result<(), StepEnd> {
    if keeps_name {
        machine.keep_name(object);
        let size = object.size;
        machine.announce_call(ender(call), format!("keeps the address for the thread's next {size} bytes"));
    }
    machine.remove_object(object.id)
}

/// True if others may notice the end of an object: if they know it, or may get its name. A name is free for
/// the thread that made the object, from which the running one may have taken it over.
fn is_noticed_if_ended(machine: &Machine<'_>, object: &Object) -> bool {
    object.shared || machine.is_of_another(object.id)
}

/// The continuation after the death of an object. The name of an object that others knew is given to a new
/// object in a later step at the earliest, so that others can meet its absence.
fn after_death(machine: &Machine<'_>, object: &Object) -> Next {
    if object.shared { machine.cut() } else { Next::Advance }
}

/// Models `realloc`: makes a new object with the old content, then ends the old one. It always moves the
/// object, and is a full fence and one visible operation.
pub(super) fn realloc<'p>(machine: &mut Machine<'p>, turn: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let (address, size) = (machine.argument(call, 0)?, machine.size_argument(call, 1)?);
    if address == 0 {
        return give_memory(machine, turn, call, (size, 1), false);
    }
    let object = heap_object(machine, call, address)?;
    let size = machine.bounded_size(size, 1)?;
    match fails(machine, turn, size) {
        None => return Ok(Next::Wait),
        Some(true) => return give_nothing(machine, turn, call),
        Some(false) => {}
    }
    if (is_noticed_if_ended(machine, &object) || is_noticed(machine)) && !machine.may_proceed(turn) {
        return Ok(Next::Wait);
    }
    let Some(keeps_name) = keeps_name(machine, turn, &object) else { return Ok(Next::Wait) };
    let (size, kept) = machine.kept_bytes(object.id, size)?;
    let object = heap_object(machine, call, address)?;
    machine.announce_free(None, &object)?;
    if object.shared {
        machine.drain()?;
        // No store comes between the reading of the old content and the end of the object.
        machine.announce_death(object.id);
        machine.await_stores(object.id)?;
    }
    let new = allocated(machine, size, false)?;
    machine.store_bytes(new, kept);
    let mut offset = 0;
    while offset < u64::from(kept) {
        let len = if u64::from(kept) - offset >= 8 { 8 } else { 1 };
        let from = machine.target(address + offset, len, false)?;
        let value = machine.read_now(&from)?;
        let to = machine.target(new + offset, len, true)?;
        machine.memory.write(&to.region, to.at.offset, to.at.len, value);
        offset += len;
    }
    machine.object_allocated(Some("realloc"), new);
    end(machine, call, &object, keeps_name)?;
    machine.give(call, new)?;
    Ok(after_death(machine, &object))
}
