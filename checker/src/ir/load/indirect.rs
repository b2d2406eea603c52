//! Functions that a resolver chooses when the program starts (`__attribute__((ifunc))`).
//!
//! Each becomes a variable that the program cannot name: it holds the address of the chosen function, and
//! every use of the name reads it. The dynamic linker runs the resolvers before anything else of the program.
//! A program may not depend on their order. Test: `tests/programs/language/chosen_functions.c`.

use super::constants::Symbols;
use super::function::Lowering;
use crate::ir::address::ObjectId;
use crate::ir::ids::{FuncId, GlobalId, Operand};
use crate::ir::instr::Instr;
use crate::ir::program::Global;
use crate::ir::value::Value;
use rmc_llvm::{Module, Value as LlvmValue, ValueKind};

/// Bytes of an address.
const SIZE: u8 = 8;

/// The variables of indirect functions, which come after `before` others.
pub fn globals(module: Module<'_>, before: usize) -> Vec<Global> {
    let functions = module.indirect_functions().into_iter().zip(before..);
    let global = |(function, at): (LlvmValue<'_>, usize)| Global {
        name: format!("__rmc_{}", function.name()),
        size: SIZE.into(),
        element: SIZE.into(),
        pages: vec![vec![0; crate::ir::address::PAGE_WORDS]],
        constant: false,
        thread_local: false,
        defined: true,
        object: ObjectId::global(at),
        shape: None,
    };
    functions.map(global).collect()
}

/// The resolvers, each with the variable for its result; `None` for one that is not a function of the
/// program.
pub fn resolvers(symbols: &Symbols<'_>) -> Vec<(Option<FuncId>, GlobalId)> {
    let functions = symbols.module.indirect_functions().into_iter();
    functions
        .map(|function| (symbols.functions.get(&function.resolver()).copied(), symbols.globals[&function]))
        .collect()
}

impl<'m> Lowering<'_, 'm> {
    /// The address of the chosen function, if `value` is an indirect function.
    pub(super) fn chosen_function(&mut self, value: LlvmValue<'m>) -> Option<Operand> {
        if value.kind() != ValueKind::LLVMGlobalIFuncValueKind {
            return None;
        }
        let variable = ObjectId::global(self.symbols.globals[&value].index()).address(0);
        let (dst, addr) = (self.fresh(1), self.pool.word(Value::new(variable)));
        self.emit(Instr::RawLoad { dst, addr, at: 0, len: SIZE, width: 64 });
        Some(Operand::reg(dst))
    }
}
