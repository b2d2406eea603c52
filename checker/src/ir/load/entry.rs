//! The synthetic function in which the main thread begins: it calls constructors, `main` or another function
//! that the user named, and `exit` with its result.

use super::LoadError;
use super::constants::Symbols;
use super::function::{FindLibrary, Pool};
use super::indirect;
use super::tests;
use crate::ir::address::ObjectId;
use crate::ir::demangle;
use crate::ir::ids::{FuncId, LocId, Operand, Pc, Reg, SiteId};
use crate::ir::instr::{CallSite, Instr, LibrarySite};
use crate::ir::liveness;
use crate::ir::program::{Function, Global, Program};
use crate::ir::value::Value;
use rmc_llvm::{TypeKind, Value as LlvmValue};

/// The function in which a program begins if the user names no other.
pub const MAIN: &str = "main";

/// A function in which the program may begin.
pub struct Entry {
    /// The synthetic function that calls it.
    function: Function,
    /// See [`Program::epilogue`].
    epilogue: Option<Pc>,
    is_named: bool,
    takes_arguments: bool,
}

impl Entry {
    /// The entry that calls the function of this name.
    pub fn new<'m>(
        symbols: &Symbols<'m>,
        pool: &mut Pool,
        program: &Program,
        find_library: FindLibrary<'_>,
        name: &str,
    ) -> Result<Self, LoadError> {
        let test = tests::find(program, name);
        let main = find(program, if test.is_some() { MAIN } else { name })?;
        let value = symbols.module.functions()[main.index()];
        let ty = value.value_type();
        let returns_int = ty.result().kind() == TypeKind::LLVMIntegerTypeKind && ty.result().bits() == 32;
        let is_void = ty.result().kind() == TypeKind::LLVMVoidTypeKind;
        if !(returns_int || is_void) || !takes_arguments_of_main(value) || ty.is_varargs() {
            return Err(LoadError::MainShape { name: name.to_owned() });
        }
        let mut entry = Builder::default();
        for (resolver, variable) in indirect::resolvers(symbols) {
            let resolver = resolver.ok_or(LoadError::Resolver)?;
            entry.call(resolver, Vec::new(), Reg(2), 1);
            let addr = pool.word(Value::new(ObjectId::global(variable.index()).address(0)));
            entry.function.code.push(Instr::RawStore { addr, value: Operand::reg(Reg(2)), at: 0, len: 8 });
        }
        if let Some((chosen, number)) = test {
            let (addr, value) = (pool.word(Value::new(chosen)), pool.word(Value::new(number)));
            entry.function.code.push(Instr::RawStore { addr, value, at: 0, len: 8 });
        }
        for constructor in listed(symbols, "llvm.global_ctors") {
            entry.call(constructor, Vec::new(), Reg(0), 0);
        }
        let args = main_arguments(program, pool, program.function(main).params);
        let takes_arguments = !args.is_empty();
        let location = program.function(main).location;
        entry.call(main, args, Reg(0), program.function(main).results);
        if is_void {
            let a = pool.word(Value::ZERO);
            entry.function.code.push(Instr::Move { dst: Reg(0), a });
        }
        let mut epilogue = None;
        match program.functions.iter().position(|f| f.name == "exit" && !f.code.is_empty()) {
            Some(exit) => {
                epilogue = Some(Pc::new(entry.function.code.len()));
                entry.call_exit(FuncId::new(exit));
            }
            None => entry.exit(find_library("exit", false).expect("`exit` is modelled").number, pool),
        }
        Ok(Self { function: entry.finish(location), epilogue, is_named: name != MAIN, takes_arguments })
    }

    /// Makes the program begin here. Its last function, which is replaced, is that of an entry, or a
    /// placeholder; its last global variable is that of `main`'s arguments.
    pub fn begin(self, program: &mut Program) {
        *program.functions.last_mut().expect("a function for the entry") = self.function;
        program.entry = Some(FuncId::new(program.functions.len() - 1));
        program.has_named_entry = self.is_named;
        program.epilogue = self.epilogue;
        program.globals.last_mut().expect("a variable for the arguments").constant = !self.takes_arguments;
    }
}

/// The function of this name, as the source or the linker has it.
fn find(program: &Program, name: &str) -> Result<FuncId, LoadError> {
    let defined = || program.functions.iter().enumerate().filter(|(_, function)| !function.code.is_empty());
    if let Some((exact, _)) = defined().find(|(_, function)| function.name == name) {
        return Ok(FuncId::new(exact));
    }
    let found: Vec<_> = defined().filter(|(_, function)| demangle::shown(&function.name) == name).collect();
    match found.as_slice() {
        [(one, _)] => Ok(FuncId::new(*one)),
        [] if name == MAIN => Err(LoadError::NoMain),
        [] => Err(LoadError::NoEntry { name: name.to_owned() }),
        several => {
            let names: Vec<_> = several.iter().map(|(_, function)| function.name.as_str()).collect();
            Err(LoadError::SeveralEntries { name: name.to_owned(), names: names.join(", ") })
        }
    }
}

/// True if a function takes `argc`, `argv` and the environment, or only the first of them.
fn takes_arguments_of_main(main: LlvmValue<'_>) -> bool {
    let params = main.params();
    let fits = |(at, param): (usize, &LlvmValue<'_>)| match param.ty().kind() {
        TypeKind::LLVMIntegerTypeKind => at == 0 && param.ty().bits() == 32,
        kind => at > 0 && kind == TypeKind::LLVMPointerTypeKind,
    };
    params.len() <= 3 && params.iter().enumerate().all(fits)
}

/// The arguments of `main`: `argc` is 1, `argv` holds the program's name, and the environment is empty.
fn main_arguments(program: &Program, pool: &mut Pool, words: u32) -> Vec<Operand> {
    let Some(argv) = program.globals.last().filter(|_| words > 0) else { return Vec::new() };
    let args = [1, argv.object.address(8), argv.object.address(16)];
    args.iter().take(words as usize).map(|&bits| pool.word(Value::new(bits))).collect()
}

/// The function that the support library calls at the end of the process; its code is made here.
pub const RUN_DESTRUCTORS: &str = "__rmc_run_destructors";

/// Gives the function that runs destructors its code.
pub fn add_destructors(symbols: &Symbols<'_>, program: &mut Program) {
    let Some(at) = program.functions.iter().position(|f| f.name == RUN_DESTRUCTORS) else { return };
    let mut run = Builder::default();
    // The functions of the lowest priority construct first, so they destroy last.
    for destructor in listed(symbols, super::DESTRUCTORS).into_iter().rev() {
        run.call(destructor, Vec::new(), Reg(0), 0);
    }
    run.function.code.push(Instr::Return { value: Operand::reg(Reg(0)), words: 0 });
    let name = std::mem::take(&mut program.functions[at].name);
    program.functions[at] = Function { name, ..run.finish(LocId(0)) };
}

/// The functions in one of LLVM's lists, constructors or destructors, by ascending priority.
fn listed(symbols: &Symbols<'_>, list: &str) -> Vec<FuncId> {
    let list = symbols.module.globals().into_iter().find(|global| global.name() == list);
    let Some(list) = list.and_then(LlvmValue::initializer) else { return Vec::new() };
    let mut found: Vec<_> = (0..list.ty().count())
        .filter_map(|at| {
            let entry = list.aggregate_element(at)?;
            let function = symbols.functions.get(&entry.aggregate_element(1)?)?;
            Some((entry.aggregate_element(0)?.int(), *function))
        })
        .collect();
    found.sort_by_key(|&(priority, _)| priority);
    found.into_iter().map(|(_, function)| function).collect()
}

#[derive(Default)]
struct Builder {
    function: Function,
}

impl Builder {
    fn call(&mut self, function: FuncId, args: Vec<Operand>, dst: Reg, words: u32) {
        self.function.calls.push(CallSite { args, dst, words, varargs: false });
        let site = SiteId::new(self.function.calls.len() - 1);
        self.function.code.push(Instr::Call { function, site });
    }

    /// Adds the call of the program's own `exit`, or of that of the support library, which runs handlers.
    fn call_exit(&mut self, exit: FuncId) {
        self.call(exit, vec![Operand::reg(Reg(0))], Reg(2), 0);
        self.function.code.push(Instr::Unreachable);
    }

    fn exit(&mut self, function: usize, pool: &mut Pool) {
        let (status, phase) = (Reg(0), Reg(1));
        let a = pool.word(Value::ZERO);
        self.function.code.push(Instr::Move { dst: phase, a });
        let args = vec![Operand::reg(status)];
        self.function.library.push(LibrarySite { function, args, widths: vec![32], dst: Reg(2), width: 0, phase });
        self.function.code.push(Instr::Library { site: SiteId(0) });
        self.function.code.push(Instr::Unreachable);
    }

    fn finish(mut self, location: LocId) -> Function {
        let code = self.function.code.len();
        self.function.name = "program start".to_owned();
        self.function.registers = 3;
        self.function.locations = vec![location; code];
        self.function.location = location;
        let whole = 0..code;
        self.function.liveness = liveness::analyse(&self.function, std::slice::from_ref(&whole));
        self.function
    }
}

/// The memory of `main`'s arguments: the program's name, then `argv`, whose end is also the end of the empty
/// environment. It is the last global of every program, and part of the state only if `main` takes arguments.
pub fn arguments_global(at: usize) -> Global {
    let object = ObjectId::global(at);
    let name = u64::from_le_bytes(*b"program\0");
    Global {
        shape: None,
        name: "argv".to_owned(),
        size: 32,
        element: 0,
        pages: vec![vec![name, object.address(0), 0, 0]],
        constant: true,
        thread_local: false,
        defined: true,
        object,
    }
}
