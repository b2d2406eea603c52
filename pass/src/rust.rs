//! Prepares a module that rustc made of a whole program, its standard library included: the pass `rmc-rust`,
//! which runs before all others. The pass `rmc-rust-std` makes the standard library alone a module to link
//! with ([`publish`]).
//!
//! * Functions of std that begin a panic, look at the machine or ask it for random numbers become calls of
//!   the support library ([`REPLACED`], `checker/libc/rust.c`).
//! * Where panics unwind, std's own function that begins a panic stays, for panics that something catches
//!   ([`unwind`], `checker/libc/rust_unwind.c`).
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
//! Names are those of rustc 1.63, the only version that the checker runs.
//!
//! Tests: `tests/programs/rust/`.

use rmc_llvm::edit::{Block, Module, Value};
use rmc_llvm::{IntPredicate, Opcode, Place, ValueKind};

/// The beginnings of the names of functions that have another body here, up to the hash, and the functions of
/// the support library that have that body. They take and return the same.
const REPLACED: [(&str, &str); 8] = [
    ("_ZN3std3sys4unix14stack_overflow3imp4init", "__rmc_rust_nothing"),
    ("_ZN3std3sys4unix6thread5guard4init", "__rmc_rust_no_guard"),
    ("_ZN3std3sys4unix6thread5guard7current", "__rmc_rust_no_guard"),
    ("_ZN3std3sys4unix5futex10futex_wait", "__rmc_rust_futex_wait"),
    ("_ZN3std2io5stdio18set_output_capture", "__rmc_rust_set_output_capture"),
    ("_ZN3std3sys4unix4rand19hashmap_random_keys", "__rmc_rust_hash_keys"),
    ("_ZN3std6thread22available_parallelism", "__rmc_rust_processors"),
    ("_ZN3std9backtrace9Backtrace6create", "__rmc_rust_backtrace"),
];

/// The beginning of the name of the function that begins a panic, and the support library's for it.
const BEGINS_PANIC: (&str, &str) = ("_ZN3std9panicking20rust_panic_with_hook", "__rmc_rust_panic");
/// The support library's name for std's own function that begins a panic.
const STD_BEGINS_PANIC: &str = "__rmc_rust_unwind";
/// The beginning of the name of the function that prints a panic's message where the program has no hook of its
/// own.
const DEFAULT_HOOK: (&str, &str) = ("_ZN3std9panicking12default_hook", "__rmc_rust_hook");
/// The routine that reads tables of landing pads, and the one of the support library that continues unwinding.
const PERSONALITY: (&str, &str) = ("rust_eh_personality", rmc_abi::RUST_PERSONALITY);
/// The beginning of the name of the function that calls `main`. What it catches only ends the process.
const CALLS_MAIN: &str = "_ZN3std2rt19lang_start_internal17h";

/// The beginnings of the names of functions that the support library calls, and its names for them.
const CALLED: [(&str, &str); 1] = [("_ZN4core3fmt5write", "__rmc_rust_write")];

/// The beginning of the name of the function that draws random keys for a `HashMap`.
const DRAWS_KEYS: &str = "_ZN3std11collections4hash3map11RandomState3new17h";
/// The beginning of the name of the function that gives a program a hasher with random keys.
const MAKES_HASHER: &str =
    "_ZN84_$LT$std..collections..hash..map..RandomState$u20$as$u20$core..hash..BuildHasher$GT$12build_hasher17h";
/// The beginnings of the names of functions of a `HashMap` that go through its elements in their order. Those
/// of a `HashSet`, and the others of a `HashMap`, call them.
const SHOW_ORDER: [&str; 6] = [
    "_ZN9hashbrown3map28HashMap$LT$K$C$V$C$S$C$A$GT$4iter17h",
    "_ZN9hashbrown3map28HashMap$LT$K$C$V$C$S$C$A$GT$8iter_mut17h",
    "_ZN9hashbrown3map28HashMap$LT$K$C$V$C$S$C$A$GT$5drain17h",
    "_ZN9hashbrown3map28HashMap$LT$K$C$V$C$S$C$A$GT$6retain17h",
    "_ZN9hashbrown3map28HashMap$LT$K$C$V$C$S$C$A$GT$12drain_filter17h",
    "_ZN106_$LT$hashbrown..map..HashMap$LT$K$C$V$C$S$C$A$GT$$u20$as$u20$core..iter..traits..collect..IntoIterator$GT$9into_iter17h",
];
/// Modelled: says that the program depends on random hashes.
const DEPENDS_ON_HASHES: &str = "__rmc_use_hashes";

/// The beginning of the name of the function of `.init_array` that keeps the arguments of the program.
const KEEPS_ARGUMENTS: &str = "_ZN3std3sys4unix4args3imp15ARGV_INIT_ARRAY12init_wrapper";
/// The beginning of the name of the function that `main` gives the table of tests.
const RUNS_TESTS: &str = "_ZN4test16test_main_static17h";
/// The beginning of the names of std's locks.
const LOCKS: &str = "_ZN3std3sys4unix5locks";
/// The number of times that a lock of std looks at its word before it sleeps.
const SPINS: u64 = 100;
/// Directories of the sources of std: Debian's, and the one that builds of the Rust project name.
const STD: [&str; 2] = ["/usr/src/rustc-", "/rustc/"];

/// The end of a panic.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Panics {
    /// It is a violation where it begins.
    Abort,
    /// It leaves functions until something catches it.
    Unwind,
}

/// Prepares a module.
pub fn prepare(module: Module, panics: Panics) {
    if panics == Panics::Unwind {
        unwind(module);
    }
    let has_random_hashes = module.functions().into_iter().any(|function| function.name().starts_with(DRAWS_KEYS));
    for function in module.functions().into_iter().filter(|function| !function.is_declaration()) {
        if has_random_hashes {
            tell_of_hashes(module, function);
        }
        if let Some(name) = listed(&CALLED, function) {
            function.set_name(name);
            function.make_external();
        } else if let Some(name) = listed(&REPLACED, function).or_else(|| listed(&[BEGINS_PANIC], function)) {
            function.replace_uses(module.function(name, function.value_type()));
            function.delete_function();
            continue;
        } else if function.name().starts_with(LOCKS) {
            shorten_spins(function);
        } else if function.name().starts_with(KEEPS_ARGUMENTS) {
            keep_arguments(module, function);
        }
        replace_instructions(module, function);
        if is_of_std(function) {
            forget_places(function);
        } else {
            move_inlined(function);
        }
    }
}

/// Has panics unwind: std's function that begins a panic is called by the support library alone, for those that
/// something catches, and landing pads are those of the support library's routine. The function that calls
/// `main` has none.
fn unwind(module: Module) {
    for function in module.functions().into_iter().filter(|function| !function.is_declaration()) {
        if let Some(name) = listed(&[BEGINS_PANIC], function) {
            function.replace_uses(module.function(name, function.value_type()));
            function.set_name(STD_BEGINS_PANIC);
            function.make_external();
        } else if let Some(name) = listed(&[DEFAULT_HOOK], function) {
            function.replace_uses(module.function(name, function.value_type()));
        } else if function.name() == PERSONALITY.0 {
            function.replace_uses(module.function(PERSONALITY.1, function.value_type()));
        }
    }
    let calls_main = module.functions().into_iter().find(|function| function.name().starts_with(CALLS_MAIN));
    if let Some(function) = calls_main {
        function.set_personality(module.function(rmc_abi::CATCHES_NOTHING, module.void().function(&[])));
    }
}

/// Makes functions and variables of the standard library visible in other files: rustc hides them when it
/// makes one module of all. Constants without a name in the source are only used by functions of the module.
pub fn publish(module: Module) {
    let variables = module.globals().into_iter().filter(|variable| variable.name().starts_with("_ZN"));
    let functions = module.functions().into_iter().chain(module.aliases());
    let published = functions.chain(variables).filter(|value| !value.is_declaration());
    published.for_each(Value::make_external);
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

/// Calls [`DEPENDS_ON_HASHES`] where the elements of a `HashMap` begin to be gone through, and where the
/// program itself gets a hasher. That a map is dropped or cloned in an order is not seen by most programs.
fn tell_of_hashes(module: Module, function: Value) {
    let builder = module.builder();
    let tell = || {
        let ty = module.void().function(&[]);
        builder.call(ty, module.function(DEPENDS_ON_HASHES, ty), &[]);
    };
    if SHOW_ORDER.iter().any(|start| function.name().starts_with(start)) {
        builder.before(function.blocks()[0].first());
        builder.locate(None);
        tell();
    }
    if is_of_std(function) {
        return;
    }
    for call in function.blocks().into_iter().flat_map(Block::instructions).filter(|one| one.is_call()) {
        if call.callee().name().starts_with(MAKES_HASHER) {
            builder.before(call);
            builder.locate(Some(call));
            tell();
        }
    }
}

/// The name that goes with a function in a list.
fn listed(list: &[(&str, &'static str)], function: Value) -> Option<&'static str> {
    let name = function.name();
    let is_meant = |start: &str| name.strip_prefix(start).is_some_and(|rest| rest.starts_with("17h"));
    list.iter().find(|(start, _)| is_meant(start)).map(|&(_, name)| name)
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
        if name.starts_with(RUNS_TESTS) {
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

fn is_of_std(function: Value) -> bool {
    function.function_place().is_none_or(|place| is_in_std(&place))
}

fn is_in_std(place: &Place) -> bool {
    let is_in = |path: &str| STD.iter().any(|directory| path.starts_with(directory));
    is_in(&place.file) || is_in(&place.directory)
}

/// Moves code of std that rustc has inlined in a function of the program (`Box::new`) to the line of the
/// call. Its variables are forgotten.
fn move_inlined(function: Value) {
    for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
        if is_debug(instruction) {
            if instruction.place().is_some_and(|place| is_in_std(&place)) {
                instruction.erase();
            }
            continue;
        }
        while instruction.place().is_some_and(|place| is_in_std(&place)) && instruction.move_to_call() {}
    }
}

fn forget_places(function: Value) {
    function.forget_subprogram();
    for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
        if is_debug(instruction) {
            instruction.erase();
        } else {
            instruction.forget_place();
        }
    }
}

/// True if an instruction only describes a variable.
fn is_debug(instruction: Value) -> bool {
    instruction.is_call() && instruction.callee().name().starts_with("llvm.dbg.")
}
