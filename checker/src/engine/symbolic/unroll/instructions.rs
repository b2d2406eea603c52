//! Single instructions on a path.

use super::calls::BlockEnd;
use super::{Path, Stop, Unroller};
use crate::engine::symbolic::arithmetic::Computed;
use crate::engine::symbolic::memory::Initial;
use crate::engine::symbolic::points::Points;
use crate::engine::symbolic::word::Word;
use crate::interp::float;
use crate::ir::address;
use crate::ir::ids::{EdgeId, FuncId, Operand, Reg};
use crate::ir::instr::{Instr, IntUnary};
use crate::ir::value::Value;

impl Unroller<'_> {
    /// Follows an instruction. The result is the end of the block, if it is that.
    pub(super) fn instruction(&mut self, path: &mut Path, instr: &Instr) -> Result<Option<BlockEnd>, Stop> {
        match *instr {
            Instr::Jump { edge } => return Ok(Some(BlockEnd::Edges(vec![(edge, path.clone())]))),
            Instr::Branch { cond, yes, no } => return self.branch(path, cond, yes, no).map(Some),
            Instr::Switch { site } => return self.switch(path, site).map(Some),
            Instr::Return { value, words } => {
                let words = (0..words as usize).map(|at| self.word(path, value.word(at))).collect();
                return Ok(Some(BlockEnd::Return(path.clone(), words)));
            }
            Instr::Call { function, .. } => self.call_from(path, function, instr)?,
            Instr::CallIndirect { target, .. } => self.call_indirect(path, target, instr)?,
            Instr::Unreachable | Instr::Mismatch { .. } => return self.fail(path),
            Instr::Unsupported { site } => {
                let (function, _) = self.place();
                return self.refuse(self.program.function(function).unsupported[site.index()].clone());
            }
            Instr::Assume { cond } => {
                let cond = self.word(path, cond);
                self.demand_defined(path, cond)?;
                let holds = self.formulas.low(cond, 1);
                self.demand(path, holds, false)?;
            }
            Instr::Wide { site } => self.wide(path, site)?,
            _ if self.access(path, instr)? => {}
            _ => self.compute(path, instr)?,
        }
        Ok(None)
    }

    /// Follows an instruction that only computes.
    fn compute(&mut self, path: &mut Path, instr: &Instr) -> Result<(), Stop> {
        let get = |operand: Operand| self.word(path, operand);
        let (dst, result) = match *instr {
            Instr::Move { dst, a } => (dst, Ok(get(a))),
            Instr::Int { op, width, promises, dst, a, b } => {
                let (a, b) = (get(a), get(b));
                match self.formulas.int(op, width.into(), promises, a, b) {
                    Ok(Computed { word, fault }) => {
                        let holds = self.formulas.not(fault);
                        self.demand(path, holds, false)?;
                        (dst, Ok(word))
                    }
                    Err(refused) => (dst, Err(refused)),
                }
            }
            Instr::Unary { op: IntUnary::Freeze, dst, a, .. } => {
                let a = get(a);
                self.demand_defined(path, a)?;
                (dst, Ok(a))
            }
            Instr::Unary { op, width, dst, a } => {
                let a = get(a);
                (dst, self.formulas.unary(op, width.into(), a))
            }
            Instr::Overflow { op, width, dst, a, b } => {
                let (a, b) = (get(a), get(b));
                let both = self.formulas.overflow(op, width.into(), a, b);
                if let Ok([_, overflowed]) = both {
                    path.registers[dst.index() + 1] = overflowed;
                }
                (dst, both.map(|[result, _]| result))
            }
            Instr::Compare { op, width, dst, a, b } => {
                let (a, b) = (get(a), get(b));
                (dst, Ok(self.formulas.compare(op, width.into(), a, b)))
            }
            Instr::Cast { op, from, to, dst, a } => {
                let a = get(a);
                (dst, self.formulas.cast(op, from.into(), to.into(), a))
            }
            Instr::Select { dst, cond, a, b } => {
                let (cond, a, b) = (get(cond), get(a), get(b));
                (dst, Ok(self.select(cond, a, b)))
            }
            Instr::Offset { dst, base, index, width, scale, bounds } => {
                let (base, index) = (get(base), get(index));
                (dst, Ok(self.formulas.offset(base, index, width.into(), scale, bounds)))
            }
            Instr::Near { dst, base } => {
                let (base, address) = (get(base), path.registers[dst.index()]);
                (dst, Ok(self.formulas.near(base, address)))
            }
            Instr::Range { dst, low, high, width } => {
                let bounds = (get(low), get(high));
                let (Word::Known(low), Word::Known(high)) = bounds else { return self.refuse("an unknown range") };
                let number = path.registers[dst.index()];
                (dst, Ok(self.formulas.range(number, low, high, width.into())))
            }
            Instr::Float { op, width, dst, a, b } => {
                (dst, known([get(a), get(b)], |[a, b]| float::binary(op, width.into(), a, b)))
            }
            Instr::FloatCompare { accept, width, dst, a, b } => {
                (dst, known([get(a), get(b)], |[a, b]| float::compare(accept, width.into(), a, b)))
            }
            Instr::FloatMulAdd { width, dst, args } => {
                let (function, _) = self.place();
                let crate::ir::instr::Wide::Triple { a, b, c } = self.program.function(function).wides[args.index()]
                else {
                    unreachable!("a multiply-add has three operands")
                };
                (dst, known([a, b, c].map(get), |[a, b, c]| float::multiply_add(width.into(), a, b, c)))
            }
            _ => unreachable!("all other instructions are accesses or end a block"),
        };
        match result {
            Ok(word) => {
                path.registers[dst.index()] = word;
                Ok(())
            }
            Err(refused) => self.refuse(refused),
        }
    }

    fn select(&mut self, cond: Word, a: Word, b: Word) -> Word {
        match cond {
            Word::Known(Value { undef: 0, bits }) => {
                if bits & 1 == 1 {
                    a
                } else {
                    b
                }
            }
            _ => {
                let (condition, open) = (self.formulas.low(cond, 1), self.formulas.open(cond));
                let chosen = self.formulas.choose(condition, a, b);
                let points = self.formulas.points(chosen);
                let (bits, own) = (self.formulas.bits(chosen), self.formulas.open(chosen));
                let open = self.formulas.terms.or(own, open);
                self.formulas.word(bits, open, points)
            }
        }
    }

    /// Demands that a word is neither uninitialised nor poison.
    pub(super) fn demand_defined(&mut self, path: &mut Path, word: Word) -> Result<(), Stop> {
        let open = self.formulas.open(word);
        let is_exact = matches!(word, Word::Known(_));
        let holds = self.formulas.not(open);
        let before = self.claims.len();
        let demanded = self.demand(path, holds, !is_exact);
        self.claims[before..].iter_mut().for_each(|claim| claim.uses_open = !is_exact);
        demanded
    }

    fn branch(&mut self, path: &mut Path, cond: Operand, yes: EdgeId, no: EdgeId) -> Result<BlockEnd, Stop> {
        let cond = self.word(path, cond);
        self.demand_defined(path, cond)?;
        let holds = self.formulas.low(cond, 1);
        let fails = self.formulas.not(holds);
        let paths = self.split(path, &[(yes, holds), (no, fails)]);
        let mut possible = Vec::with_capacity(2);
        for (edge, along) in paths {
            if !self.is_impossible(along.guard, holds) {
                possible.push((edge, along));
            }
        }
        if let [(_, only)] = &mut possible[..] {
            only.guard = path.guard;
        }
        Ok(BlockEnd::Edges(possible))
    }

    fn switch(&mut self, path: &mut Path, site: crate::ir::ids::SiteId) -> Result<BlockEnd, Stop> {
        let (function, _) = self.place();
        let switch = self.program.function(function).switches[site.index()].clone();
        let value = self.word(path, switch.value);
        self.demand_defined(path, value)?;
        let mut edges = Vec::with_capacity(switch.cases.len() + 1);
        let mut rest = self.formulas.terms.boolean(true);
        for (case, edge) in switch.cases {
            let is_it = self.formulas.is_value(value, case);
            edges.push((edge, self.formulas.and(rest, is_it)));
            let other = self.formulas.not(is_it);
            rest = self.formulas.and(rest, other);
        }
        edges.push((switch.default, rest));
        Ok(BlockEnd::Edges(self.split(path, &edges)))
    }

    /// The path along each edge that it may take. The conditions exclude each other.
    fn split(&mut self, path: &Path, edges: &[(EdgeId, rmc_formula::TermId)]) -> Vec<(EdgeId, Path)> {
        let mut paths = Vec::with_capacity(edges.len());
        for &(edge, condition) in edges {
            let guard = self.formulas.and(path.guard, condition);
            if !self.formulas.is_false(guard) {
                paths.push((edge, Path { guard, ..path.clone() }));
            }
        }
        paths
    }

    /// The function at an address.
    pub(super) fn function_at(&mut self, path: &mut Path, address: Word) -> Result<FuncId, Stop> {
        let Word::Known(value) = address else {
            return self.refuse("a function pointer that is not known");
        };
        let object = address::split(value.bits).filter(|&(_, offset)| offset == 0);
        match object.and_then(|(object, _)| self.program.function_at(object)) {
            Some(function) => Ok(function),
            None => self.fail(path),
        }
    }

    /// Makes an object of the thread, and sets its address.
    pub(super) fn make_local(&mut self, path: &mut Path, dst: Reg, size: u64) -> Result<(), Stop> {
        let object = self.make(path, size, Initial::Undefined)?;
        path.registers[dst.index()] = Word::number(object.address(0));
        Ok(())
    }

    /// A new input of the program, of this width.
    pub(super) fn program_input(&mut self, width: u32) -> (rmc_formula::TermId, Word) {
        let input = self.formulas.narrow_variable(width, self.bounds.width);
        let open = self.formulas.terms.boolean(false);
        (input, self.formulas.word(input, open, Points::default()))
    }

    /// A new input of the path: a variable of this width.
    pub(super) fn input(&mut self, width: u32) -> (rmc_formula::TermId, Word) {
        let variable = self.formulas.variable(width);
        let open = self.formulas.terms.boolean(false);
        (variable, self.formulas.word(variable, open, Points::default()))
    }
}

/// A result of known operands; others are refused.
fn known<const N: usize>(operands: [Word; N], compute: impl FnOnce([Value; N]) -> Value) -> Result<Word, String> {
    let mut values = [Value::ZERO; N];
    for (value, operand) in values.iter_mut().zip(operands) {
        let Word::Known(operand) = operand else {
            return Err("floating point of a value that is not known".to_owned());
        };
        *value = operand;
    }
    Ok(Word::Known(compute(values)))
}
