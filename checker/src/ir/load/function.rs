//! Lowers one function: registers for its SSA values, blocks in order, edges with the moves of their `phi`s.

use std::path::{Path, PathBuf};

use super::calls::assembly_text;
use super::constants::Symbols;
use super::pointees::Described;
use super::types;
use crate::hash::FxHashMap;
use crate::ir::ids::{EdgeId, LocId, Operand, Pc, Reg, SiteId};
use crate::ir::instr::{Instr, LibrarySite, SwitchSite};
use crate::ir::liveness;
use crate::ir::program::{Edge, Function, Location};
use crate::ir::value::Value;
use rmc_llvm::{Block, Opcode, TypeKind, Value as LlvmValue, ValueKind};
use rmc_runtime::without_detours;

/// A modelled library function, as code refers to it.
#[derive(Clone, Copy, Debug)]
pub struct Modelled {
    /// The function's number, for [`LibrarySite::function`].
    pub number: usize,
    /// True if a call may return more than once.
    pub returns_twice: bool,
}

/// The lookup of a modelled library function by its name. The second argument is true if the program defines
/// the function; a model may take precedence over the definition.
pub type FindLibrary<'a> = &'a dyn Fn(&str, bool) -> Option<Modelled>;

/// Program-wide tables that functions add to.
#[derive(Default)]
pub struct Pool {
    /// Constant words.
    pub constants: Vec<Value>,
    single: FxHashMap<Value, usize>,
    /// Source locations.
    pub locations: Vec<Location>,
    known_locations: FxHashMap<Location, LocId>,
    /// Source files, by their paths from the working directory.
    pub files: Vec<String>,
    /// The numbers of source files, by their paths as the module has them.
    known_files: FxHashMap<String, u32>,
    working_directory: PathBuf,
}

impl Pool {
    /// A pool whose location 0 is "unknown".
    pub fn new() -> Self {
        let working_directory = std::env::current_dir().unwrap_or_default();
        Self { locations: vec![Location::default()], working_directory, ..Self::default() }
    }

    /// The operand of a constant of several words.
    pub fn words(&mut self, words: &[Value]) -> Operand {
        if let [word] = words {
            return self.word(*word);
        }
        let at = self.constants.len();
        self.constants.extend_from_slice(words);
        Operand::constant(at)
    }

    /// The operand of a constant word.
    pub fn word(&mut self, word: Value) -> Operand {
        let constants = &mut self.constants;
        let at = *self.single.entry(word).or_insert_with(|| {
            constants.push(word);
            constants.len() - 1
        });
        Operand::constant(at)
    }

    /// The path of a source file from the working directory.
    pub(super) fn name_here(&self, place: &rmc_llvm::Place) -> String {
        if place.directory.is_empty() || self.working_directory == Path::new(&place.directory) {
            return place.file.clone();
        }
        Path::new(&place.directory).join(&place.file).display().to_string()
    }

    fn location(&mut self, place: Option<rmc_llvm::Place>) -> LocId {
        let Some(place) = place else { return LocId(0) };
        let name = self.name_here(&place);
        let files = &mut self.files;
        let number = |name: &String| {
            let shown = without_detours(name);
            let known = files.iter().position(|file| *file == shown);
            let at = known.unwrap_or_else(|| {
                files.push(shown);
                files.len() - 1
            });
            u32::try_from(at).expect("few files")
        };
        let file = *self.known_files.entry(name).or_insert_with_key(number);
        let location = Location { file, line: place.line, column: place.column };
        let locations = &mut self.locations;
        *self.known_locations.entry(location).or_insert_with(|| {
            locations.push(location);
            LocId::new(locations.len() - 1)
        })
    }
}

/// The state of lowering one function.
pub struct Lowering<'a, 'm> {
    pub(super) symbols: &'a Symbols<'m>,
    pub(super) pool: &'a mut Pool,
    pub(super) find_library: FindLibrary<'a>,
    pub(super) out: Function,
    registers: FxHashMap<LlvmValue<'m>, Reg>,
    block_numbers: FxHashMap<Block<'m>, usize>,
    pub(super) location: LocId,
    pub(super) described: Described<'m>,
    /// True if the function is compiled for processors with fused multiply-add.
    pub(super) fuses: bool,
}

/// Lowers a defined function.
pub fn lower<'m>(
    symbols: &Symbols<'m>,
    pool: &mut Pool,
    find_library: FindLibrary<'_>,
    function: LlvmValue<'m>,
) -> Function {
    let mut lowering = Lowering {
        symbols,
        pool,
        find_library,
        out: signature(function),
        registers: FxHashMap::default(),
        block_numbers: FxHashMap::default(),
        location: LocId(0),
        described: Described::default(),
        fuses: function.string_attribute("target-features").is_some_and(|features| features.contains("+fma")),
    };
    lowering.out.location = lowering.pool.location(function.function_place());
    lowering.assign_registers(function);
    let starts = lowering.blocks(function);
    lowering.out.pointees = lowering.described.pointees(symbols, &symbols.types, function);
    lowering.finish(&starts)
}

/// The name and the parameters of a function, without code.
pub fn signature(function: LlvmValue<'_>) -> Function {
    let ty = function.value_type();
    let params: usize = function.params().iter().map(|param| types::words(param.ty())).sum();
    Function {
        name: function.name(),
        params: u32::try_from(params).expect("few parameters"),
        results: u32::try_from(types::words(ty.result())).expect("few results"),
        varargs: ty.is_varargs(),
        // Variable arguments and by-value arguments lie in objects that belong to the callee's frame.
        has_objects: ty.is_varargs() || function.takes_by_value(),
        keeps_exceptions: function.has_attribute(rmc_llvm::FUNCTION_INDEX, "nounwind"),
        ..Function::default()
    }
}

impl<'m> Lowering<'_, 'm> {
    fn assign_registers(&mut self, function: LlvmValue<'m>) {
        for param in function.params() {
            let reg = self.fresh(types::words(param.ty()));
            self.registers.insert(param, reg);
        }
        if self.out.varargs {
            self.fresh(1);
        }
        for (number, block) in function.blocks().into_iter().enumerate() {
            self.block_numbers.insert(block, number);
            for instruction in block.instructions() {
                let words = types::words(instruction.ty());
                if words > 0 {
                    let reg = self.fresh(words);
                    self.registers.insert(instruction, reg);
                }
            }
        }
    }

    fn blocks(&mut self, function: LlvmValue<'m>) -> Vec<usize> {
        let mut starts = Vec::new();
        for block in function.blocks() {
            starts.push(self.out.code.len());
            if starts.len() == 1 && self.is_atomic_function() {
                self.atomic_section("__VERIFIER_atomic_begin");
            }
            for instruction in block.instructions() {
                self.location = self.pool.location(instruction.place());
                self.instruction(instruction);
            }
            // An unsupported terminator must not fall through into the next block.
            if self.out.code.len() == *starts.last().unwrap_or(&0) || !is_terminator(self.out.code.last()) {
                self.emit(Instr::Unreachable);
            }
        }
        let nowhere = Pc::new(starts.len());
        if self.out.edges.iter().any(|edge| edge.target == nowhere) {
            // clang merges all computed gotos of a function into one, without a line.
            self.location = self.out.location;
            starts.push(self.out.code.len());
            self.emit(Instr::Unreachable);
        }
        starts
    }

    fn finish(mut self, starts: &[usize]) -> Function {
        for edge in &mut self.out.edges {
            edge.target = Pc::new(starts[edge.target.index()]);
        }
        let ends = starts.iter().skip(1).copied().chain([self.out.code.len()]);
        let blocks: Vec<_> = starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect();
        self.out.liveness = liveness::analyse(&self.out, &blocks);
        self.out
    }

    /// New consecutive registers.
    pub(super) fn fresh(&mut self, words: usize) -> Reg {
        let reg = Reg(self.out.registers);
        self.out.registers += u32::try_from(words).expect("few words");
        reg
    }

    /// The register of an instruction's result.
    pub(super) fn result(&self, instruction: LlvmValue<'m>) -> Reg {
        self.registers.get(&instruction).copied().unwrap_or(Reg(0))
    }

    /// The operand that reads a value. A constant that cannot be evaluated makes the instruction unsupported.
    pub(super) fn operand(&mut self, value: LlvmValue<'m>) -> Operand {
        if let Some(&reg) = self.registers.get(&value) {
            return Operand::reg(reg);
        }
        if value.ty().kind() == TypeKind::LLVMMetadataTypeKind {
            return self.pool.word(Value::ZERO);
        }
        if let Some(chosen) = self.chosen_function(value) {
            return chosen;
        }
        if let Some(address) = self.thread_local_address(value) {
            return address;
        }
        match self.symbols.words(value) {
            Ok(words) => self.pool.words(&words),
            Err(what) => {
                self.unsupported(what);
                self.pool.words(&vec![Value::ZERO; types::words(value.ty()).max(1)])
            }
        }
    }

    pub(super) fn emit(&mut self, instr: Instr) {
        self.out.code.push(instr);
        self.out.locations.push(self.location);
    }

    pub(super) fn unsupported(&mut self, what: String) {
        let site = SiteId::new(self.out.unsupported.len());
        self.out.unsupported.push(what);
        self.emit(Instr::Unsupported { site });
    }

    pub(super) fn moves(&mut self, dst: Reg, source: Operand, words: usize) {
        (0..words).for_each(|k| self.emit(Instr::Move { dst: Reg::new(dst.index() + k), a: source.word(k) }));
    }

    fn instruction(&mut self, instruction: LlvmValue<'m>) {
        match instruction.opcode().expect("an instruction") {
            Opcode::LLVMPHI => {}
            Opcode::LLVMRet => self.ret(instruction),
            Opcode::LLVMBr => self.branch(instruction),
            Opcode::LLVMSwitch => self.switch(instruction),
            Opcode::LLVMIndirectBr => self.computed_goto(instruction),
            Opcode::LLVMUnreachable => self.emit(Instr::Unreachable),
            Opcode::LLVMCall => self.call(instruction),
            Opcode::LLVMInvoke => self.invoke(instruction),
            Opcode::LLVMLandingPad => self.emit(Instr::LandingPad { dst: self.result(instruction) }),
            Opcode::LLVMResume => self.resume(instruction),
            Opcode::LLVMCallBr => {
                self.unsupported(format!(
                    "assembly that may jump, `asm goto`: `{}`",
                    assembly_text(&instruction.print())
                ));
            }
            Opcode::LLVMAlloca => self.alloca(instruction),
            Opcode::LLVMLoad => self.raw_load(instruction),
            Opcode::LLVMStore => self.raw_store(instruction),
            Opcode::LLVMGetElementPtr => self.pointer_offset(instruction),
            Opcode::LLVMExtractValue | Opcode::LLVMInsertValue => self.aggregate(instruction),
            Opcode::LLVMExtractElement | Opcode::LLVMInsertElement | Opcode::LLVMShuffleVector => {
                self.vector(instruction);
            }
            _ => self.arithmetic(instruction),
        }
    }

    fn ret(&mut self, instruction: LlvmValue<'m>) {
        let words = self.out.results;
        let value = if words == 0 { self.pool.word(Value::ZERO) } else { self.operand(instruction.operand(0)) };
        if self.is_atomic_function() {
            self.atomic_section("__VERIFIER_atomic_end");
        }
        self.emit(Instr::Return { value, words });
    }

    /// By SV-COMP's conventions, a function of this name is an atomic section.
    fn is_atomic_function(&self) -> bool {
        self.out.name.starts_with("__VERIFIER_atomic_")
    }

    fn atomic_section(&mut self, name: &str) {
        let Some(Modelled { number: function, .. }) = (self.find_library)(name, false) else { return };
        let phase = self.zeroed();
        self.out.library.push(LibrarySite {
            function,
            args: Vec::new(),
            widths: Vec::new(),
            dst: phase,
            width: 0,
            phase,
        });
        let site = SiteId::new(self.out.library.len() - 1);
        self.emit(Instr::Library { site });
    }

    fn branch(&mut self, instruction: LlvmValue<'m>) {
        let (from, to) = (instruction.block(), instruction.successors());
        if to.len() == 1 {
            let edge = self.edge(from, to[0]);
            self.emit(Instr::Jump { edge });
        } else {
            let cond = self.operand(instruction.operand(0));
            let (yes, no) = (self.edge(from, to[0]), self.edge(from, to[1]));
            self.emit(Instr::Branch { cond, yes, no });
        }
    }

    fn switch(&mut self, instruction: LlvmValue<'m>) {
        let operands = instruction.operands();
        if types::words(operands[0].ty()) != 1 {
            return self.unsupported("a switch on an integer wider than 64 bits".to_owned());
        }
        let from = instruction.block();
        let value = self.operand(operands[0]);
        let default = self.edge(from, operands[1].as_block());
        let cases = operands[2..].chunks(2).map(|case| (case[0].int(), self.edge(from, case[1].as_block()))).collect();
        self.out.switches.push(SwitchSite { value, cases, default });
        let site = SiteId::new(self.out.switches.len() - 1);
        self.emit(Instr::Switch { site });
    }

    /// Lowers a computed goto to a switch on the addresses of its labels. Any other address leads behind the
    /// last block, to an `Unreachable`.
    fn computed_goto(&mut self, instruction: LlvmValue<'m>) {
        let from = instruction.block();
        let value = self.operand(instruction.operand(0));
        let mut cases = Vec::new();
        for to in instruction.successors() {
            cases.push((self.symbols.label_address(from.function(), self.block_numbers[&to]), self.edge(from, to)));
        }
        let nowhere = Pc::new(self.block_numbers.len());
        self.out.edges.push(Edge { target: nowhere, moves: Vec::new(), parallel: false });
        let default = EdgeId::new(self.out.edges.len() - 1);
        self.out.switches.push(SwitchSite { value, cases, default });
        let site = SiteId::new(self.out.switches.len() - 1);
        self.emit(Instr::Switch { site });
    }

    /// The edge to a block. Its target holds the number of the block until [`Self::finish`] replaces it by
    /// the first instruction.
    pub(super) fn edge(&mut self, from: Block<'m>, to: Block<'m>) -> EdgeId {
        let mut moves = Vec::new();
        for phi in to.instructions().into_iter().take_while(|i| i.opcode() == Some(Opcode::LLVMPHI)) {
            let incoming = phi.incoming().into_iter().find(|(_, block)| *block == from);
            if let Some((value, _)) = incoming {
                let source = self.operand(value);
                let dst = self.result(phi);
                let words = 0..types::words(phi.ty());
                moves.extend(words.map(|k| (Reg::new(dst.index() + k), source.word(k))));
            }
        }
        let parallel = (1..moves.len()).any(|at| moves[..at].iter().any(|(dst, _)| moves[at].1.as_reg() == Some(*dst)));
        self.out.edges.push(Edge { target: Pc::new(self.block_numbers[&to]), moves, parallel });
        EdgeId::new(self.out.edges.len() - 1)
    }

    /// The function that is called directly, aliases resolved; `None` for a call through a pointer.
    pub(super) fn direct_callee(&self, instruction: LlvmValue<'m>) -> Option<LlvmValue<'m>> {
        let mut callee = instruction.callee();
        while callee.kind() == ValueKind::LLVMGlobalAliasValueKind {
            callee = callee.aliasee();
        }
        (callee.kind() == ValueKind::LLVMFunctionValueKind).then_some(callee)
    }
}

const fn is_terminator(instr: Option<&Instr>) -> bool {
    matches!(
        instr,
        Some(
            Instr::Jump { .. }
                | Instr::Branch { .. }
                | Instr::Switch { .. }
                | Instr::Return { .. }
                | Instr::Unreachable
                | Instr::Mismatch { .. }
                | Instr::Unsupported { .. }
        )
    )
}
