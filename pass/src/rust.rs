//! Prepares a module that rustc made of a whole program, its standard library included: the pass `rmc-rust`,
//! which runs before all others. The pass `rmc-rust-std` makes the standard library alone a module to link
//! with ([`publish`]).
//!
//! * Functions of std that begin a panic, look at the machine or ask it for random numbers become calls of
//!   the support library ([`names::REPLACED`], `checker/libc/rust.c`, `rust/crates/panics.rs`).
//! * A wait with a duration needs a point of time, which does not count as read ([`names::READS_CLOCK`]).
//! * Where panics unwind, std's own function that begins a panic stays, for panics that something catches
//!   ([`unwind`], `checker/libc/rust_unwind.c`).
//! * A new thread takes over the closure that it is given, and the thread that drops the last `Arc` its
//!   content ([`names::TAKE_OVER`]).
//! * `main` hands its arguments to std, as the C library does before `main` ([`keep_arguments`]).
//! * Locks of std spin before they sleep: they load a word up to a hundred times while it has one value. Here
//!   they load it once ([`shorten_spins`]).
//! * The table of a program's `#[test]` functions gets a name, by which the checker finds it
//!   ([`name_tests`]).
//! * Where a program sees in which order a `HashMap` has its elements, or what a hash is, it says so
//!   ([`tell_of_hashes`]): one of many random orders is explored.
//! * Code of std has no places ([`forget_places`]), and that which is inlined has those of the calls
//!   ([`move_inlined`]). What goes wrong in it is reported at the program's call,
//!   as it is for the support library.
//!
//! * `names`: the functions of std that are known, of two versions of rustc,
//! * `places`: the places of std's code.
//!
//! Tests: `tests/programs/rust/`.

mod names;
mod places;

use rmc_llvm::edit::{Block, Module, Value};
use rmc_llvm::{IntPredicate, Opcode, ValueKind};

use names::path;
use places::{forget_places, is_of_std, move_inlined};

/// Modelled: says that the program depends on random hashes.
const DEPENDS_ON_HASHES: &str = "__rmc_use_hashes";
/// The number of times that a lock of std looks at its word before it sleeps.
const SPINS: u64 = 100;

/// The end of a panic.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Panics {
    /// It is a violation where it begins.
    Abort,
    /// It leaves functions until something catches it.
    Unwind,
}

/// Prepares a module.
///
/// # Errors
/// A function of std takes other parameters than the one of the support library that replaces it.
pub fn prepare(module: Module, panics: Panics) -> Result<(), String> {
    if panics == Panics::Unwind {
        unwind(module);
    }
    let functions: Vec<_> = module.functions().into_iter().map(|function| (path(function), function)).collect();
    let has_random_hashes = functions.iter().any(|(path, _)| names::draws_keys(path));
    for (path, function) in functions.iter().filter(|(_, function)| !function.is_declaration()) {
        let function = *function;
        if has_random_hashes {
            tell_of_hashes(module, path, function);
        }
        if let Some(name) = listed(&names::CALLED, path) {
            publish_as(module, function, name);
        } else if let Some(name) = listed(&names::REPLACED, path) {
            replace(module, path, function, name)?;
            function.delete_function();
            continue;
        } else if names::is_of_lock(path) {
            shorten_spins(function);
        } else if names::KEEP_ARGUMENTS.contains(&path.as_str()) {
            keep_arguments(module, function);
        } else if let Some(name) = listed(&names::TAKE_OVER, path) {
            take_first(module, function, name);
        }
        if names::waits(path) {
            redirect(module, function, names::READS_CLOCK);
        } else if path == names::CALLS_MAIN {
            redirect(module, function, names::FINDS_STACK);
        }
        replace_instructions(module, function);
        if is_of_std(function) {
            forget_places(function);
        } else {
            move_inlined(function);
        }
    }
    Ok(())
}

/// Has a function of the support library called in place of one of std. Of those that are compiled with the
/// program, the type is known.
fn replace(module: Module, path: &str, function: Value, name: &str) -> Result<(), String> {
    let other = module.function_like(name, function);
    if other.value_type() != function.value_type() {
        return Err(format!("`{path}` of this standard library takes other parameters than rmc knows"));
    }
    function.replace_uses(other);
    Ok(())
}

/// Gives a function a body that must not run.
fn empty(module: Module, function: Value) {
    let name = function.name();
    function.set_name("");
    let other = module.function_like(&name, function);
    function.replace_uses(other);
    function.delete_function();
    let builder = module.builder();
    builder.at_end(module.append_block(other, ""));
    builder.unreachable();
}

/// Makes a function visible in other files under a name, with which the module may declare it, too.
fn publish_as(module: Module, function: Value, name: &str) {
    let declared = module.function_like(name, function);
    declared.replace_uses(function);
    declared.delete_function();
    function.set_name(name);
    function.make_external();
}

/// Has panics unwind: std's function that begins a panic is called by the support library alone, for those
/// that something catches, and landing pads are those of the support library's routine. The function that
/// calls `main` has none.
fn unwind(module: Module) {
    let functions = module.functions().into_iter().filter(|function| !function.is_declaration());
    let mut calls_main = None;
    for function in functions.collect::<Vec<_>>() {
        let path = path(function);
        if listed(&names::REPLACED, &path) == Some(names::BEGINS_PANIC) {
            function.replace_uses(module.function_like(names::BEGINS_PANIC, function));
            publish_as(module, function, names::STD_BEGINS_PANIC);
        } else if path == names::PERSONALITY {
            function.replace_uses(module.function_like(rmc_abi::RUST_PERSONALITY, function));
        } else if path == names::CALLS_MAIN {
            calls_main = Some(function);
        }
    }
    if let Some(function) = calls_main {
        function.set_personality(module.function(rmc_abi::CATCHES_NOTHING, module.void().function(&[])));
    }
}

/// Makes functions and variables of the standard library visible in other files: rustc hides them when it
/// makes one module of all. Constants without a name in the source are only used by functions of the module.
/// Functions that are replaced in every program lose their bodies, so that no program is linked with what
/// only these need: the default hook of panics, which prints a backtrace, needs more than most programs do.
/// One stays as it is if a function within it is one that the support library calls.
pub fn publish(module: Module) {
    for function in module.functions().into_iter().filter(|function| !function.is_declaration()) {
        let path = path(function);
        let is_needed = names::CALLED.iter().any(|(called, _)| called.starts_with(&path));
        if listed(&names::REPLACED, &path).is_some_and(|name| name != names::BEGINS_PANIC) && !is_needed {
            empty(module, function);
        }
    }
    let variables = module.globals().into_iter().filter(|variable| is_mangled(&variable.name()));
    let functions = module.functions().into_iter().chain(module.aliases());
    let published = functions.chain(variables).filter(|value| !value.is_declaration());
    published.for_each(Value::make_external);
}

fn is_mangled(name: &str) -> bool {
    rustc_demangle::try_demangle(name).is_ok()
}

/// Gives the arguments of `main` to the function that would get them before `main`.
fn keep_arguments(module: Module, function: Value) {
    let main = module.functions().into_iter().find(|function| function.name() == "main");
    let Some(main) = main.filter(|main| main.params().len() == 2) else { return };
    let builder = module.builder();
    builder.before(main.blocks()[0].first());
    builder.locate(None);
    let [count, arguments] = [0, 1].map(|at| main.params()[at]);
    builder.call(function.value_type(), function, &[count, arguments, module.ptr().null()]);
}

/// Has a function call another one first, with the same argument.
fn take_first(module: Module, function: Value, name: &str) {
    let [given] = function.params()[..] else { return };
    let builder = module.builder();
    builder.before(function.blocks()[0].first());
    builder.locate(None);
    let ty = module.void().function(&[module.ptr()]);
    builder.call(ty, module.function(name, ty), &[given]);
}

/// Calls [`DEPENDS_ON_HASHES`] where the elements of a `HashMap` begin to be gone through, and where the
/// program itself gets a hasher. That a map is dropped or cloned in an order is not seen by most programs.
fn tell_of_hashes(module: Module, path: &str, function: Value) {
    let builder = module.builder();
    let tell = || {
        let ty = module.void().function(&[]);
        builder.call(ty, module.function(DEPENDS_ON_HASHES, ty), &[]);
    };
    if names::shows_order(path) {
        builder.before(function.blocks()[0].first());
        builder.locate(None);
        tell();
    }
    if is_of_std(function) {
        return;
    }
    for call in function.blocks().into_iter().flat_map(Block::instructions).filter(|one| one.is_call()) {
        let callee = call.callee();
        if callee.name().contains("RandomState") && names::MAKE_HASHERS.contains(&self::path(callee).as_str()) {
            builder.before(call);
            builder.locate(Some(call));
            tell();
        }
    }
}

/// The name that goes with a path in a list.
fn listed(list: &[(&str, &'static str)], path: &str) -> Option<&'static str> {
    list.iter().find(|(known, _)| *known == path).map(|&(_, name)| name)
}

/// Has calls of one function by another call one of the support library.
fn redirect(module: Module, function: Value, (from, to): (&str, &str)) {
    let calls = function.blocks().into_iter().flat_map(Block::instructions).filter(|one| one.is_call());
    for call in calls.filter(|call| path(call.callee()) == from) {
        call.replace_callee(module.function_like(to, call.callee()));
    }
}

/// Makes loops that count down from [`SPINS`] end after their first round. Such a loop only loads the lock's
/// word, again as long as it has one value. Whatever it ends with, a loop of one round can end with at the
/// same time, as the earlier loads have no effect. And a hundred loads may follow each other immediately, so
/// that the long loop can end with whatever the short one ends with.
fn shorten_spins(function: Value) {
    let instructions = function.blocks().into_iter().flat_map(Block::instructions);
    for phi in instructions.filter(|one| one.opcode() == Some(Opcode::LLVMPHI)) {
        for at in 0..phi.operand_count() {
            if phi.operand(at).as_int() == Some(SPINS) {
                phi.set_operand(at, phi.ty().constant(1));
            }
        }
    }
}

/// Names the tests, and replaces what clang does not make of C: a `memset` with undefined bytes, which does
/// nothing (in std, variables begin so that are uninitialised anyway), and the top bits of 16 bytes at once,
/// with which a `HashMap` searches.
fn replace_instructions(module: Module, function: Value) {
    let builder = module.builder();
    for call in function.blocks().into_iter().flat_map(Block::instructions).filter(|one| one.is_call()) {
        let name = call.callee().name();
        if name.contains("test_main_static") && path(call.callee()) == names::RUNS_TESTS {
            name_tests(call.arguments()[0]);
        } else if name.starts_with("llvm.memset.") && call.arguments()[1].kind() == ValueKind::LLVMUndefValueValueKind {
            call.erase();
        } else if name == "llvm.x86.sse2.pmovmskb.128" {
            let bytes = call.arguments()[0];
            builder.before(call);
            let tops = builder.compare(IntPredicate::LLVMIntSLT, bytes, bytes.ty().null());
            let bits = builder.cast(Opcode::LLVMBitCast, tops, module.int(16));
            call.replace_uses(builder.cast(Opcode::LLVMZExt, bits, module.int(32)));
            call.erase();
        }
    }
}

/// Names the table of tests. A program without tests has none.
fn name_tests(table: Value) {
    if table.kind() == ValueKind::LLVMGlobalVariableValueKind {
        table.set_name(rmc_abi::TEST_TABLE);
        table.make_external();
    }
}
