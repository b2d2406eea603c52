//! The loader: from instrumented bitcode to a [`Program`]. It is the only part of the checker that uses LLVM.

mod abi;
mod arithmetic;
mod calls;
mod classes;
mod constants;
mod debug_types;
mod entry;
mod exceptions;
mod function;
mod indirect;
mod intrinsics;
mod linkage;
mod memory;
mod mismatch;
mod pointees;
mod pointers;
mod promises;
mod resident;
mod stubs;
pub mod tests;
mod thread_locals;
mod types;
mod undefined;
mod variadic;
mod vectors;
mod wrappers;

use std::cell::RefCell;

use rmc_llvm::Context;

use self::constants::Symbols;
use self::function::Pool;
use self::undefined::Undefined;
use crate::hash::FxHashMap;
use crate::ir::address::{MAX_INDEX, MAX_OBJECT, ObjectId};
use crate::ir::ids::{FuncId, GlobalId};
use crate::ir::program::{Function, Global, Program};
use crate::ir::shapes::ShapeId;
use rmc_llvm::{Bitcode, Module, Type, TypeKind, Value};

use self::entry::Entry;
pub use self::entry::MAIN;
pub use self::function::{FindLibrary, Modelled};
pub use self::linkage::{Linkage, defined, linkage, linked};
pub use self::stubs::Stub;

/// The reasons for which a program cannot be loaded. Every message names the input and says what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// LLVM does not accept the file.
    #[error(
        "{file}: not bitcode that LLVM 16 can read: {message}\n  compile it with clang-16 -emit-llvm, or give the C source"
    )]
    Unreadable {
        /// The input.
        file: String,
        /// LLVM's message.
        message: String,
    },
    /// The file is for another machine.
    #[error(
        "{file}: compiled for {target}; rmc supports x86_64 Linux alone: compile it without --target, -m32 and the like"
    )]
    Target {
        /// The input.
        file: String,
        /// The target, or the data layout of the module if only that differs.
        target: String,
    },
    /// Two inputs do not fit together.
    #[error("{file}: cannot be linked with the inputs before it: {message}")]
    Link {
        /// The input.
        file: String,
        /// LLVM's message.
        message: String,
    },
    /// A call of the ABI that the pass would not make.
    #[error("{place}: `{name}` {what}; functions of this name are for instrumented code only")]
    Abi {
        /// `file:line`.
        place: String,
        /// The function.
        name: String,
        /// The mistake, as the end of a sentence about the function.
        what: String,
    },
    /// No input defines `main`.
    #[error("the program has no function `main`: give the file that defines it too")]
    NoMain,
    /// No input defines the function in which the user wants the program to begin.
    #[error(
        "--entry {name}: the program defines no such function (compilers leave out a static one that nothing uses, and rustc others, too: for its #[test] functions there is --test)"
    )]
    NoEntry {
        /// The function.
        name: String,
    },
    /// The program has no tests.
    #[error("--test: the program has no `#[test]` functions (in a package, `harness = false` leaves them out)")]
    NoTests,
    /// No test is to be checked.
    #[error("--test: no name of a test contains `{filter}`, or all such tests have #[ignore] (--include-ignored)")]
    NoSuchTest {
        /// The text that names should contain.
        filter: String,
    },
    /// Several functions have the name in the source in which the user wants the program to begin.
    #[error("--entry {name}: several functions have this name: choose between {names}")]
    SeveralEntries {
        /// The name.
        name: String,
        /// The functions' names for the linker.
        names: String,
    },
    /// The function in which the program begins has no type that C allows for `main`.
    #[error(
        "`{name}` has an unsupported shape: declare it as `int {name}(void)` or `int {name}(int argc, char **argv)`"
    )]
    MainShape {
        /// The function.
        name: String,
    },
    /// The resolver of an indirect function is an alias or an expression.
    #[error("the resolver of an indirect function (ifunc) is no function that an input defines")]
    Resolver,
    /// The program exceeds a hard limit of the address layout.
    #[error("{what}: the checker supports at most {limit}")]
    TooLarge {
        /// The thing that is too large or too numerous.
        what: String,
        /// The limit, with its unit.
        limit: String,
    },
    /// A stub for a function that needs none, or with a value that the function cannot return.
    #[error("--stub {stub}: {what}")]
    Stub {
        /// The stub.
        stub: String,
        /// The mistake.
        what: String,
    },
    /// A constant that cannot be evaluated.
    #[error("global variable `{global}`: unsupported {what} in its initialiser")]
    Initializer {
        /// The variable.
        global: String,
        /// The unsupported expression.
        what: String,
    },
}

/// One module to link: its name for messages, and its instrumented bitcode.
pub struct Input {
    /// Name for messages.
    pub file: String,
    /// Bitcode that LLVM's own tools wrote.
    pub bytes: Vec<u8>,
}

/// The data layout of clang for x86-64 Linux. It determines sizes, alignments and the order of bytes, so no
/// other one is supported.
const LAYOUT: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128";

/// LLVM's list of the functions with `__attribute__((destructor))`.
const DESTRUCTORS: &str = "llvm.global_dtors";

/// A program with several functions in which it may begin.
pub struct Loaded {
    program: Program,
    /// The entries, until the program begins in them.
    entries: Vec<Option<Result<Entry, LoadError>>>,
}

impl Loaded {
    /// The program that begins in entry number `at`. Each entry can be asked for once.
    ///
    /// # Errors
    /// [`LoadError`]: there is no such function, or the program cannot begin in it.
    ///
    /// # Panics
    /// If this entry was asked for before.
    pub fn begin(&mut self, at: usize) -> Result<&Program, LoadError> {
        self.entries[at].take().expect("an entry is asked for once")?.begin(&mut self.program);
        classify_globals(&mut self.program);
        Ok(&self.program)
    }
}

/// Links the inputs and lowers the whole program. `find_library` finds the modelled functions; `stubs` are
/// the undefined functions that return a value and do nothing else; `entries` are the functions in which the
/// program may begin.
///
/// # Errors
/// [`LoadError`]. An unsupported operation that only some executions may reach (an unmodelled function,
/// inline assembly) is no error here: it becomes an instruction that ends the exploration with an error when
/// it is reached.
pub fn load_entries(
    inputs: &[Input],
    find_library: FindLibrary<'_>,
    stubs: &[Stub],
    entries: &[String],
) -> Result<Loaded, LoadError> {
    let loaded = lower(inputs, find_library, stubs, |_| Ok(entries.to_vec()));
    resident::give_back_llvm();
    loaded
}

/// As [`load_entries`], where the entries are those of the program's tests that `choose` chooses.
///
/// # Errors
/// [`LoadError`]: also if `choose` fails.
pub fn load_tests(
    inputs: &[Input],
    find_library: FindLibrary<'_>,
    stubs: &[Stub],
    choose: impl FnOnce(Vec<tests::Test>) -> Result<Vec<String>, LoadError>,
) -> Result<Loaded, LoadError> {
    let loaded = lower(inputs, find_library, stubs, |program| choose(tests::all(program)));
    resident::give_back_llvm();
    loaded
}

/// The program that begins in `entry`, usually [`MAIN`], as [`load_entries`] has it.
///
/// # Errors
/// [`LoadError`].
pub fn load(
    inputs: &[Input],
    find_library: FindLibrary<'_>,
    stubs: &[Stub],
    entry: &str,
) -> Result<Program, LoadError> {
    let mut loaded = load_entries(inputs, find_library, stubs, &[entry.to_owned()])?;
    loaded.begin(0)?;
    Ok(loaded.program)
}

fn lower(
    inputs: &[Input],
    find_library: FindLibrary<'_>,
    stubs: &[Stub],
    entries: impl FnOnce(&Program) -> Result<Vec<String>, LoadError>,
) -> Result<Loaded, LoadError> {
    let context = Context::create();
    let bitcode = link(&context, inputs)?;
    let module = bitcode.module();
    abi::check(module)?;
    let mut pool = Pool::new();
    let undefined = Undefined::of(module, find_library, |place| pool.name_here(place));
    let symbols = Symbols { undefined, stubs, ..number(module)? };
    stubs::check(&symbols, find_library)?;
    let mut program = Program { globals: globals(&symbols)?, ..Program::default() };
    for value in module.functions() {
        let function = if let Some(stub) = symbols.stub(value) {
            stubs::lower(stub, &mut pool, value)?
        } else if value.is_declaration() || find_library(&value.name(), true).is_some() {
            function::signature(value)
        } else {
            function::lower(&symbols, &mut pool, find_library, value)
        };
        program.functions.push(function);
    }
    entry::add_destructors(&symbols, &mut program);
    let entry = |name: &String| Some(Entry::new(&symbols, &mut pool, &program, find_library, name));
    let entries = entries(&program)?.iter().map(entry).collect();
    program.functions.push(Function::default());
    for (function, value) in program.functions.iter_mut().zip(module.functions()) {
        if function.code.is_empty() {
            wrappers::add(function, &mut pool, value, find_library);
        }
    }
    let thread_end = |function: &Function| function.name == "__rmc_thread_end" && !function.code.is_empty();
    program.thread_end = program.functions.iter().position(thread_end).map(FuncId::new);
    program.constants = pool.constants;
    program.locations = pool.locations;
    program.files = pool.files;
    program.shapes = symbols.types.into_inner().shapes;
    Ok(Loaded { program, entries })
}

/// True if a module already went through the pass.
///
/// # Errors
/// [`LoadError::Unreadable`].
pub fn is_instrumented(input: &Input) -> Result<bool, LoadError> {
    let context = Context::create();
    parse(&context, input).map(|bitcode| bitcode.named_metadata_len(rmc_abi::MARK) > 0)
}

/// The bitcode of a module that is given as LLVM assembly; `None` if LLVM does not accept it.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn assemble(text: &[u8]) -> Option<Vec<u8>> {
    Bitcode::parse_assembly(&Context::create(), text, "module.ll").ok().map(|module| module.to_bytes())
}

fn parse<'c>(context: &'c Context, input: &Input) -> Result<Bitcode<'c>, LoadError> {
    let unreadable = |message: String| LoadError::Unreadable { file: input.file.clone(), message };
    let bitcode = Bitcode::parse(context, &input.bytes, &input.file).map_err(unreadable)?;
    bitcode.verify().map_err(unreadable)?;
    check_target(&bitcode, &input.file)?;
    Ok(bitcode)
}

/// Refuses a module for another machine; it would run with the wrong data layout.
fn check_target(bitcode: &Bitcode<'_>, file: &str) -> Result<(), LoadError> {
    let (triple, layout) = (bitcode.target(), bitcode.layout());
    let is_supported = triple.starts_with("x86_64-") && triple.contains("-linux");
    if is_supported && layout == LAYOUT {
        return Ok(());
    }
    let target = match triple.as_str() {
        "" => "no target that it names (target triple)".to_owned(),
        _ if is_supported => format!("`{triple}` with the data layout `{layout}`"),
        _ => format!("`{triple}`"),
    };
    Err(LoadError::Target { file: file.to_owned(), target })
}

fn link<'c>(context: &'c Context, inputs: &[Input]) -> Result<Bitcode<'c>, LoadError> {
    let mut linked: Option<Bitcode<'c>> = None;
    for input in inputs {
        let next = parse(context, input)?;
        match &linked {
            None => linked = Some(next),
            Some(whole) => whole.link(next).map_err(|message| LoadError::Link { file: input.file.clone(), message })?,
        }
    }
    linked.ok_or(LoadError::NoMain)
}

fn number(module: Module<'_>) -> Result<Symbols<'_>, LoadError> {
    let mut symbols = Symbols {
        module,
        functions: FxHashMap::default(),
        globals: FxHashMap::default(),
        types: RefCell::default(),
        undefined: Undefined::default(),
        stubs: &[],
    };
    let (functions, mut globals) = (module.functions(), module.globals());
    globals.extend(module.indirect_functions());
    // The entry function and the global for the arguments of `main` are added to these.
    if functions.len() + globals.len() + 4 > MAX_INDEX as usize {
        let what = format!("{} functions and {} global variables", functions.len(), globals.len());
        return Err(LoadError::TooLarge { what, limit: format!("{MAX_INDEX} together") });
    }
    symbols.functions.extend(functions.into_iter().enumerate().map(|(at, value)| (value, FuncId::new(at))));
    symbols.globals.extend(globals.into_iter().enumerate().map(|(at, value)| (value, GlobalId::new(at))));
    Ok(symbols)
}

fn globals<'m>(symbols: &Symbols<'m>) -> Result<Vec<Global>, LoadError> {
    let mut globals = Vec::new();
    for (at, value) in symbols.module.globals().into_iter().enumerate() {
        let name = value.name();
        let bytes = symbols.module.size(value.value_type());
        let size = u32::try_from(bytes).ok().filter(|&size| u64::from(size) <= MAX_OBJECT).ok_or_else(|| {
            LoadError::TooLarge {
                what: format!("global variable `{name}` has {bytes} bytes"),
                limit: format!("{MAX_OBJECT} bytes"),
            }
        })?;
        let initializer = value.initializer();
        // The lists of constructors and of symbols to keep are for the linker, not for the program.
        let pages = if name.starts_with("llvm.") { Ok(Vec::new()) } else { symbols.image(size, initializer) };
        globals.push(Global {
            size,
            shape: global_shape(symbols, value),
            element: number_size(symbols.module, value.value_type()),
            pages: pages.map_err(|what| LoadError::Initializer { global: name.clone(), what })?,
            constant: value.is_constant_global(),
            thread_local: value.is_thread_local(),
            defined: initializer.is_some() && !name.starts_with("llvm."),
            object: ObjectId::global(at),
            name,
        });
    }
    globals.extend(indirect::globals(symbols.module, globals.len()));
    globals.push(entry::arguments_global(globals.len()));
    Ok(globals)
}

/// The type of a global variable; `None` if it is unknown, or if several variables of different types are
/// merged into one.
fn global_shape<'m>(symbols: &Symbols<'m>, global: Value<'m>) -> Option<ShapeId> {
    let mut types = global.global_types().into_iter();
    let first = types.next()?;
    if types.any(|other| other != first) {
        return None;
    }
    symbols.types.borrow_mut().shape(first)
}

/// The size in bytes of the numbers that a type consists of; 0 if it is neither a number nor an array of
/// numbers.
fn number_size(module: Module<'_>, mut ty: Type<'_>) -> u32 {
    while ty.kind() == TypeKind::LLVMArrayTypeKind {
        ty = ty.element();
    }
    let is_int = matches!(ty.kind(), TypeKind::LLVMIntegerTypeKind | TypeKind::LLVMPointerTypeKind);
    let bytes = if is_int { module.size(ty) } else { 0 };
    if matches!(bytes, 1 | 2 | 4 | 8) { bytes as u32 } else { 0 }
}

fn classify_globals(program: &mut Program) {
    program.thread_locals.clear();
    program.shared_globals.clear();
    for (at, global) in program.globals.iter().enumerate() {
        if global.thread_local {
            program.thread_locals.push(GlobalId::new(at));
        } else if !global.constant && global.defined {
            program.shared_globals.push(GlobalId::new(at));
        }
    }
}
