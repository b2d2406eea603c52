//! Lowers memory operations: stack variables, ordinary accesses to memory of one thread, and the calls of the
//! runtime's ABI that the pass put in place of all other accesses.

use rmc_abi::{Entry, MemoryOrder};

use super::function::Lowering;
use super::types::{self, Leaf};
use crate::ir::ids::{Operand, Reg, SiteId};
use crate::ir::instr::{CompareExchange, CopySite, Elements, FillSite, Format, Instr, Lanes, RmwOp, Wide};
use crate::ir::program::Local;
use crate::ir::value::Value;
use rmc_llvm::{Opcode, Type, Value as LlvmValue, ValueKind};

impl<'m> Lowering<'_, 'm> {
    pub(super) fn alloca(&mut self, instruction: LlvmValue<'m>) {
        let bytes = self.symbols.module.size(instruction.allocated_type());
        let Ok(size) = u32::try_from(bytes) else {
            return self.unsupported(format!("a local variable of {bytes} bytes"));
        };
        let (dst, count) = (self.result(instruction), self.operand(instruction.operand(0)));
        let name = instruction.name();
        let name = name.strip_suffix(".addr").unwrap_or(&name);
        self.out.allocas.push(Local::new(if is_named(name) { name } else { Local::UNNAMED }));
        self.out.has_objects = true;
        let site = SiteId::new(self.out.allocas.len() - 1);
        self.emit(Instr::Alloca { dst, count, size, site });
    }

    /// Takes the name and place of a local variable from its `llvm.dbg.declare`; the `alloca` itself has no
    /// place.
    pub(super) fn declare(&mut self, call: LlvmValue<'m>) {
        let ty = self.described.describe("dbg.declare", call);
        let variable = call.operand(0).described().filter(|value| value.kind() == ValueKind::LLVMInstructionValueKind);
        let Some(variable) = variable.filter(|value| value.opcode() == Some(Opcode::LLVMAlloca)) else { return };
        let variable = self.result(variable);
        let made = |instr: &Instr| matches!(instr, Instr::Alloca { dst, .. } if *dst == variable);
        if let Some(at) = self.out.code.iter().position(made) {
            self.out.locations[at] = self.location;
            if let (Instr::Alloca { site, .. }, true) = (&self.out.code[at], call.is_whole_variable()) {
                self.out.allocas[site.index()].shape = ty.and_then(|ty| self.symbols.types.borrow_mut().shape(ty));
            }
        }
    }

    /// A vector whose elements are not whole bytes, and the integer of all its bits as which it lies in
    /// memory.
    fn packed(ty: Type<'m>) -> Option<(Elements, Elements)> {
        types::vector(ty).filter(|(elements, _)| !elements.width.is_multiple_of(8))
    }

    fn packed_leaf(&self, ty: Type<'m>, whole: Elements) -> Leaf {
        let bytes = u32::try_from(self.symbols.module.store_size(ty)).expect("vectors are small");
        Leaf { offset: 0, word: 0, format: Format::Int(whole.width), bytes }
    }

    pub(super) fn leaves(&mut self, value: LlvmValue<'m>, instruction: LlvmValue<'m>) -> Option<Vec<Leaf>> {
        let leaves = types::leaves(self.symbols.module, value.ty());
        if leaves.is_none() {
            self.unsupported(format!("access `{}`", instruction.print()));
        }
        leaves
    }

    pub(super) fn raw_load(&mut self, instruction: LlvmValue<'m>) {
        let (dst, addr) = (self.result(instruction), self.operand(instruction.operand(0)));
        if let Some((elements, whole)) = Self::packed(instruction.ty()) {
            let packed = self.fresh(whole.words());
            self.load_leaf(self.packed_leaf(instruction.ty(), whole), packed, addr);
            let site = self.wide(Wide::Repack { dst, a: Operand::reg(packed), from: whole, to: elements });
            return self.emit(Instr::Wide { site });
        }
        let Some(leaves) = self.leaves(instruction, instruction) else { return };
        leaves.into_iter().for_each(|leaf| self.load_leaf(leaf, dst, addr));
        self.check_range(instruction);
    }

    fn load_leaf(&mut self, leaf: Leaf, dst: Reg, addr: Operand) {
        for (word, at, len, width) in pieces(leaf) {
            self.emit(Instr::RawLoad { dst: Reg::new(dst.index() + word), addr, at, len, width });
        }
    }

    pub(super) fn raw_store(&mut self, instruction: LlvmValue<'m>) {
        let source = instruction.operand(0);
        let (value, addr) = (self.operand(source), self.operand(instruction.operand(1)));
        self.store_leaves(source, value, addr, 0, instruction);
    }

    /// Ordinary stores of a value's leaves to `addr + at`.
    pub(super) fn store_leaves(
        &mut self,
        source: LlvmValue<'m>,
        value: Operand,
        addr: Operand,
        base: u32,
        instruction: LlvmValue<'m>,
    ) {
        if let Some((elements, whole)) = Self::packed(source.ty()) {
            let packed = self.fresh(whole.words());
            let site = self.wide(Wide::Repack { dst: packed, a: value, from: elements, to: whole });
            self.emit(Instr::Wide { site });
            return self.store_leaf(self.packed_leaf(source.ty(), whole), Operand::reg(packed), addr, base);
        }
        let Some(leaves) = self.leaves(source, instruction) else { return };
        leaves.into_iter().for_each(|leaf| self.store_leaf(leaf, value, addr, base));
    }

    pub(super) fn store_leaf(&mut self, leaf: Leaf, value: Operand, addr: Operand, base: u32) {
        for (word, at, len, _) in pieces(leaf) {
            self.emit(Instr::RawStore { addr, value: value.word(word), at: base + at, len });
        }
    }

    /// Lowers a call of the pass's ABI, if `name` is one. [`super::abi::check`] has checked the call.
    pub(super) fn abi_call(&mut self, name: &str, call: LlvmValue<'m>) -> bool {
        let Some(entry) = Entry::of(name) else { return false };
        let args = call.arguments();
        match entry {
            Entry::Load(width) => {
                let (dst, addr, order) = (self.result(call), self.operand(args[0]), order(args[1]));
                self.emit(Instr::Load { dst, addr, len: bytes(width), order });
                self.check_range(call);
            }
            Entry::Store(width) => {
                let (addr, value, order) = (self.operand(args[0]), self.operand(args[1]), order(args[2]));
                self.emit(Instr::Store { addr, value, len: bytes(width), order });
            }
            Entry::Gather(width) => self.lanes(&args, bytes(width), false),
            Entry::Scatter(width) => self.lanes(&args, bytes(width), true),
            Entry::Rmw(width) => {
                let (dst, addr, value) = (self.result(call), self.operand(args[0]), self.operand(args[1]));
                let op = RmwOp::from_code(args[2].int()).expect("checked");
                self.emit(Instr::ReadModifyWrite { op, dst, addr, value, len: bytes(width), order: order(args[3]) });
            }
            Entry::CmpXchg(width) => {
                let [addr, expected, new] = [0, 1, 2].map(|at| self.operand(args[at]));
                let (success, failure) = (order(args[3]), order(args[4]));
                self.out.exchanges.push(CompareExchange { addr, expected, new, success, failure });
                let site = SiteId::new(self.out.exchanges.len() - 1);
                self.emit(Instr::CompareExchange { dst: self.result(call), site, len: bytes(width) });
            }
            Entry::LoadPieces => self.copy([args[1], args[0], args[2]], [true, false], false),
            Entry::StorePieces => self.copy([args[0], args[1], args[2]], [false, true], false),
            Entry::Memcpy | Entry::Memmove => {
                let sides = args[3].int();
                let is_local = [sides & 1 == 1, sides & 2 == 2];
                self.copy([args[0], args[1], args[2]], is_local, entry == Entry::Memmove);
            }
            Entry::Memset => self.fill([args[0], args[1], args[2]], false),
            Entry::Fence => self.emit(Instr::Fence { order: order(args[0]) }),
            Entry::Sync => {}
            Entry::LifetimeEnd => {
                let (addr, len) = (self.operand(args[0]), self.operand(args[1]));
                self.emit(Instr::LifetimeEnd { addr, len });
            }
            Entry::Free => self.library_function("free", call),
            Entry::Realloc => self.library_function("realloc", call),
        }
        true
    }

    fn library_function(&mut self, name: &str, call: LlvmValue<'m>) {
        self.library_call(name, call);
        self.described.call(self.out.code.len() - 1, name, call);
    }

    pub(super) fn copy(
        &mut self,
        [to, from, len]: [LlvmValue<'m>; 3],
        [to_local, from_local]: [bool; 2],
        overlap: bool,
    ) {
        let [to, from, len] = [to, from, len].map(|value| self.operand(value));
        self.copy_operands(to, from, len, [to_local, from_local], overlap);
    }

    pub(super) fn copy_operands(
        &mut self,
        to: Operand,
        from: Operand,
        len: Operand,
        [to_local, from_local]: [bool; 2],
        overlap: bool,
    ) {
        let (progress, piece) = (self.zeroed(), self.zeroed());
        self.copy_site(CopySite { to, from, len, to_local, from_local, overlap, lanes: None, progress, piece });
    }

    /// Lowers a gather or scatter: a copy between the slot and the addresses in the table.
    fn lanes(&mut self, args: &[LlvmValue<'m>], width: u8, stores: bool) {
        let [table, slot, mask] = [0, 1, 2].map(|at| self.operand(args[at]));
        let len = self.pool.word(Value::new(args[3].int() * u64::from(width)));
        let (progress, piece) = (self.zeroed(), self.zeroed());
        let (to, from) = if stores { (table, slot) } else { (slot, table) };
        let (to_local, from_local) = (!stores, stores);
        let lanes = Some(Lanes { mask, width });
        self.copy_site(CopySite { to, from, len, to_local, from_local, overlap: false, lanes, progress, piece });
    }

    fn copy_site(&mut self, copy: CopySite) {
        self.out.copies.push(copy);
        let site = SiteId::new(self.out.copies.len() - 1);
        self.emit(Instr::Copy { site });
    }

    pub(super) fn fill(&mut self, [to, byte, len]: [LlvmValue<'m>; 3], to_local: bool) {
        let [to, byte, len] = [to, byte, len].map(|value| self.operand(value));
        let progress = self.zeroed();
        self.out.fills.push(FillSite { to, byte, len, to_local, progress });
        let site = SiteId::new(self.out.fills.len() - 1);
        self.emit(Instr::Fill { site });
    }

    /// A new register, set to 0 right here.
    pub(super) fn zeroed(&mut self) -> Reg {
        let dst = self.fresh(1);
        let a = self.pool.word(Value::ZERO);
        self.emit(Instr::Move { dst, a });
        dst
    }
}

/// The words of a leaf: (word, byte offset, bytes, bits).
fn pieces(leaf: Leaf) -> impl Iterator<Item = (usize, u32, u8, u8)> {
    let bits = leaf.format.bits();
    (0..types::format_words(leaf.format)).map(move |k| {
        let done = u32::try_from(k).expect("few words") * 8;
        let narrow = |n: u32| u8::try_from(n).expect("at most 64");
        (leaf.word + k, leaf.offset + done, narrow((leaf.bytes - done).min(8)), narrow((bits - done * 8).min(64)))
    })
}

/// The memory order of an ABI call: a constant, by the ABI's contract.
fn order(argument: LlvmValue<'_>) -> MemoryOrder {
    MemoryOrder::from_code(argument.int()).expect("checked")
}

/// The width of an ABI function.
fn bytes(width: u64) -> u8 {
    u8::try_from(width).expect("at most 16")
}

/// True for the name of a variable in the source. rustc's own variables are numbered: `_12`.
fn is_named(name: &str) -> bool {
    let number = name.strip_prefix('_').unwrap_or(name);
    name == "_" || !number.bytes().all(|digit| digit.is_ascii_digit())
}
