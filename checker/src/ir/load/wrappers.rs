//! Code for modelled functions whose address the program takes (`qsort(.., strcmp)`, `atexit(abort)`). A call
//! through a pointer then reaches a function whose only instruction is the model.

use super::calls::operand_width;
use super::function::{FindLibrary, Modelled, Pool};
use super::{types, variadic};
use crate::ir::ids::{LocId, Operand, Reg, SiteId};
use crate::ir::instr::{Format, Instr, LibrarySite};
use crate::ir::liveness;
use crate::ir::program::{Function, Local};
use crate::ir::value::Value;
use rmc_abi::va_list;
use rmc_llvm::Value as LlvmValue;

/// Gives a declared function that is modelled its code, unless it returns a structure or may return twice. A
/// function with variable arguments becomes the one that takes a list of them (`vsprintf` for `sprintf`), if
/// that one is modelled.
pub fn add(function: &mut Function, pool: &mut Pool, declaration: LlvmValue<'_>, find_library: FindLibrary<'_>) {
    let name = if function.varargs { format!("v{}", function.name) } else { function.name.clone() };
    let known = find_library(&function.name, false).and_then(|_| find_library(&name, false));
    let Some(Modelled { number, returns_twice }) = known else { return };
    if function.results > 1 || returns_twice {
        return;
    }
    let (mut args, mut widths) = (Vec::new(), Vec::new());
    for param in declaration.params() {
        let format = types::scalar(param.ty()).unwrap_or(Format::Int(64));
        for _ in 0..types::words(param.ty()) {
            args.push(Operand::reg(Reg::new(args.len())));
            widths.push(operand_width(format));
        }
    }
    if function.varargs {
        let (area, list) = (Operand::reg(Reg(function.params)), Reg(function.params + 3));
        function.allocas.push(Local::new("a list of arguments"));
        let count = pool.word(Value::new(1));
        function.code.push(Instr::Alloca { dst: list, count, size: va_list::BYTES, site: SiteId(0) });
        let first = variadic::first_places(declaration);
        function.code.push(Instr::VaStart { list: Operand::reg(list), area, first });
        args.push(Operand::reg(list));
        widths.push(operand_width(Format::Int(64)));
    }
    // The registers of a new frame are 0, so the phase needs no initialisation.
    let (dst, phase) = (Reg(function.params + 1), Reg(function.params + 2));
    let width = types::scalar(declaration.value_type().result()).map_or(0, Format::bits);
    let width = u8::try_from(width.min(64)).expect("at most 64");
    function.registers = function.params + 4;
    function.library.push(LibrarySite { function: number, args, widths, dst, width, phase });
    function.code.push(Instr::Library { site: SiteId(0) });
    function.code.push(Instr::Return { value: Operand::reg(dst), words: function.results });
    function.locations = vec![LocId(0); function.code.len()];
    let whole = 0..function.code.len();
    function.liveness = liveness::analyse(function, std::slice::from_ref(&whole));
}
