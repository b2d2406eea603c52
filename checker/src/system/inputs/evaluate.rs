//! Instructions with operands that are symbols: the result is a symbol, or the step asks what it needs to
//! know. Whatever is not said here asks for the values of its operands.

use super::arithmetic::Arithmetic;
use super::sizes::Size;
use crate::interp::{self, Effect};
use crate::ir::ids::{self, EdgeId, Reg, SiteId};
use crate::ir::instr::{Cast, Instr, IntCmp};
use crate::ir::liveness;
use crate::ir::symbol::Symbol;
use crate::ir::value::{Poison, Value, mask};
use crate::outcome::Unknown;
use crate::system::library::{self, OnThreads};
use crate::system::machine::Machine;
use crate::system::state::object_table::ObjectKind;
use crate::system::step::StepEnd;
use crate::system::symbols::combination::Operand;
use crate::system::symbols::conditions::{comparing_sums, is_kept, meeting};
use crate::system::symbols::operation::{Operation, OperationKind};
use crate::system::symbols::ranges::{Ranges, two_complement};
use crate::system::symbols::table::Condition;

/// The outcome of an instruction, or `None` if its operands need values first.
type Evaluated = Result<Option<Outcome>, StepEnd>;

/// The effect of an instruction on its thread.
enum Outcome {
    /// Wrote registers.
    Results(Reg, Vec<Value>),
    /// Nothing but to let the thread go on.
    Advances,
    /// The thread goes on along an edge.
    Jumps(EdgeId),
    /// Some operands have values now: it is run once more.
    Again,
    /// It can be performed with its symbols.
    Performs(Effect),
}

impl Machine<'_> {
    /// Runs the instruction where the running thread stands, some of whose operands are symbols, or gives
    /// these values so that it can be run. The result is its effect, if it has one that can be performed.
    #[cold]
    pub(in crate::system) fn evaluate(&mut self, budget: &mut u32) -> Result<Option<Effect>, StepEnd> {
        let operands = self.symbolic_operands();
        if self.give_known(&operands) {
            return Ok(None);
        }
        let (_, instr) = self.instruction();
        let moved = self.moved_bytes(instr);
        if let Some((dst, value)) = moved {
            self.running.stack.set(dst, value);
            self.running.stack.advance();
            return Ok(None);
        }
        match self.evaluate_instruction()? {
            Some(Outcome::Results(dst, values)) => {
                (dst.0..).zip(values).for_each(|(reg, value)| self.running.stack.set(Reg(reg), value));
                self.running.stack.advance();
            }
            Some(Outcome::Advances) => self.running.stack.advance(),
            Some(Outcome::Jumps(edge)) => {
                interp::follow(self.program, &mut self.running.stack, budget, edge, &self.tally.reached);
            }
            Some(Outcome::Again) => {}
            Some(Outcome::Performs(effect)) => return Ok(Some(effect)),
            None => self.choose_operand(&operands)?,
        }
        Ok(None)
    }

    /// The registers with symbols that the instruction reads.
    fn symbolic_operands(&self) -> Vec<Reg> {
        let (function, instr) = self.instruction();
        let mut found = Vec::new();
        liveness::uses(function, instr, |operand| {
            let is_symbolic = self.running.stack.get(self.program, operand).is_symbolic();
            found.extend(operand.as_reg().filter(|_| is_symbolic));
        });
        found
    }

    fn instruction(&self) -> (&crate::ir::Function, &Instr) {
        let frame = self.running.stack.top();
        let function = self.program.function(frame.function);
        (function, &function.code[frame.pc.index()])
    }

    /// Writes the values of symbols that have only one. Whether there are any.
    fn give_known(&mut self, operands: &[Reg]) -> bool {
        let mut gives = false;
        if self.names_answers() {
            return gives;
        }
        for &reg in operands {
            let mut word = self.running.stack.get(self.program, ids::Operand::reg(reg));
            for (_, symbol, _) in Symbol::of_word(word) {
                if let Some(value) = self.memory.table.symbols.value(symbol) {
                    word = super::passing::substituted(word, symbol, value);
                    gives = true;
                }
            }
            self.running.stack.set(reg, word);
        }
        gives
    }

    /// Gives a symbol in the first of these registers a value, or bytes of it: each that they may have.
    fn choose_operand(&mut self, operands: &[Reg]) -> Result<(), StepEnd> {
        let word = |reg| self.running.stack.get(self.program, ids::Operand::reg(reg));
        // Joined bytes may have turned out to have one value.
        if let Some(&reg) = operands.iter().find(|&&reg| word(reg).is_symbolic()) {
            let word = self.with_one_known(word(reg))?;
            self.running.stack.set(reg, word);
        }
        Ok(())
    }

    fn evaluate_instruction(&mut self) -> Evaluated {
        let frame = self.running.stack.top();
        let function = self.program.function(frame.function);
        match function.code[frame.pc.index()] {
            Instr::Int { op, width, promises, dst, a, b } => {
                let (a, b) = (self.of(a, width)?, self.of(b, width)?);
                let instr = Arithmetic { op, width: width.into(), promises };
                Ok(self.integer(instr, a, b)?.map(|value| one(dst, value)))
            }
            Instr::Unary { op, width, dst, a } => {
                let Term::Symbol(symbol) = self.of(a, width)? else { return Ok(None) };
                Ok(self.unary(op, symbol)?.map(|value| one(dst, value)))
            }
            Instr::Overflow { op, width, dst, a, b } => {
                let (a, b) = (self.of(a, width)?, self.of(b, width)?);
                let results = self.overflowing(op, width.into(), a, b)?;
                Ok(results.map(|results| Outcome::Results(dst, results.to_vec())))
            }
            Instr::Compare { op, width, dst, a, b } => {
                let (a, b) = (self.of(a, width)?, self.of(b, width)?);
                let result = self.compare(op, width.into(), a, b)?;
                Ok(result.map(|result| one(dst, Value::new(result.into()))))
            }
            Instr::Cast { op, from, to, dst, a } => {
                let Term::Symbol(symbol) = self.of(a, from)? else { return Ok(None) };
                Ok(self.cast(op, from.into(), to.into(), symbol)?.map(|value| one(dst, value)))
            }
            Instr::Offset { base, index, width, scale, .. } => self.index(base, index, width, scale),
            Instr::Range { dst, low, high, width } => self.range_of(dst, low, high, width),
            Instr::Switch { site } => {
                let switch = &function.switches[site.index()];
                let (value, default) = (switch.value, switch.default);
                let cases = switch.cases.clone();
                self.switch(value, &cases, default)
            }
            Instr::Library { site } => self.call(site),
            Instr::Alloca { dst, count, size, site } => self.variable_array(dst, count, size, site),
            _ => Ok(None),
        }
    }

    /// An operand of so many bits. Bytes of symbols are joined to one.
    fn of(&mut self, operand: ids::Operand, width: impl Into<u32>) -> Result<Term, StepEnd> {
        let (word, width) = (self.running.stack.get(self.program, operand), width.into());
        let is_within = (word.bits | word.undef) & !mask(width) == 0;
        let mut term = self.term(word, width);
        if let (Term::Other, Some(reg), true) = (term, operand.as_reg(), is_within && word.is_symbolic())
            && let Some(symbol) = self.joined_symbol(word, width)?
        {
            self.running.stack.set(reg, self.word_of(symbol));
            term = self.term(self.word_of(symbol), width);
        }
        Ok(term)
    }

    /// What a word of so many bits is.
    pub(super) fn term(&self, value: Value, width: u32) -> Term {
        let symbols = &self.memory.table.symbols;
        match Symbol::of_whole(value, width).filter(|&symbol| symbols.width(symbol) == width) {
            Some(symbol) => Term::Symbol(symbol),
            None if value.is_defined() => Term::Constant(value.bits),
            None => Term::Other,
        }
    }

    /// True if two numbers compare so. `None`: their values are needed.
    pub(super) fn compare(&mut self, op: IntCmp, width: u32, a: Term, b: Term) -> Result<Option<bool>, StepEnd> {
        match (a, b) {
            (Term::Symbol(a), Term::Constant(b)) => self.is_in(a, &meeting(op, width, b)).map(Some),
            (Term::Constant(a), Term::Symbol(b)) => self.is_in(b, &meeting(op.swapped(), width, a)).map(Some),
            (Term::Symbol(a), Term::Symbol(b)) if a == b => {
                Ok(Some(matches!(op, IntCmp::Eq | IntCmp::Ule | IntCmp::Uge | IntCmp::Sle | IntCmp::Sge)))
            }
            (Term::Symbol(a), Term::Symbol(b)) => {
                let [(first, a_constant), (second, b_constant)] = [a, b].map(|symbol| self.summand(symbol));
                if first == second {
                    return self.is_in(first, &comparing_sums(op, width, a_constant, b_constant)).map(Some);
                }
                match self.decided(op, width, a, b) {
                    None => self.compares(op, width, [a, b].map(Operand::Symbol)).map(Some),
                    decided => Ok(decided),
                }
            }
            _ => Ok(None),
        }
    }

    /// The result of a comparison of two symbols that is the same for all their values.
    fn decided(&self, op: IntCmp, width: u32, a: Symbol, b: Symbol) -> Option<bool> {
        if self.names_answers() {
            return None;
        }
        let [a, b] = [a, b].map(|symbol| self.memory.table.symbols.values(symbol));
        let mut results = a.ranges().iter().map(|&(low, high)| {
            // A range of the left that meets the condition with every value of the right, or with none.
            let meets =
                |numbers: &Ranges| numbers.and(&Ranges::from_to(low, high)).count() == u128::from(high - low) + 1;
            let ends = b.ranges().iter().flat_map(|&(low, high)| [low, high]).collect::<Vec<_>>();
            let all = |op: IntCmp| ends.iter().all(|&end| meets(&meeting(op, width, end)));
            let order =
                |less: IntCmp, greater: IntCmp| if all(less) { Some(true) } else { all(greater).then_some(false) };
            match op {
                IntCmp::Eq | IntCmp::Ne => {
                    let is_apart = b.and(&Ranges::from_to(low, high)).is_empty();
                    is_apart.then_some(op == IntCmp::Ne)
                }
                IntCmp::Ult => order(IntCmp::Ult, IntCmp::Uge),
                IntCmp::Ule => order(IntCmp::Ule, IntCmp::Ugt),
                IntCmp::Ugt => order(IntCmp::Ugt, IntCmp::Ule),
                IntCmp::Uge => order(IntCmp::Uge, IntCmp::Ult),
                // A range may have negative numbers and others.
                IntCmp::Slt | IntCmp::Sle | IntCmp::Sgt | IntCmp::Sge => None,
            }
        });
        let first = results.next()??;
        results.all(|result| result == Some(first)).then_some(first)
    }

    fn cast(&mut self, op: Cast, from: u32, to: u32, symbol: Symbol) -> Result<Option<Value>, StepEnd> {
        let kind = match op {
            Cast::ZeroExtend if from == to => return Ok(Some(self.word_of(symbol))),
            Cast::ZeroExtend => OperationKind::ZeroExtend,
            Cast::SignExtend => OperationKind::SignExtend,
            Cast::Truncate => OperationKind::Truncate,
            _ => return Ok(None),
        };
        let symbols = &self.memory.table.symbols;
        if let Some((of, Operation { kind: OperationKind::Truncate, .. })) = symbols.origin(symbol)
            && symbols.width(of) == to
            && !self.names_answers()
            && symbols.values(of).ranges().iter().all(|&(low, high)| is_kept(op, from, to, low, high))
        {
            return Ok(Some(self.word_of(of)));
        }
        if matches!(to, 8 | 16 | 32 | 64) {
            let result = self.result(symbol, Operation { kind, from, to })?;
            return Ok(Some(self.word_of(result)));
        }
        if kind != OperationKind::Truncate {
            return Ok(None);
        }
        let low = self.with(symbol, OperationKind::Remainder(1 << to))?;
        self.value_of(low).map(|value| Some(Value::new(value)))
    }

    /// An element of an array: the index has a value, each within the object. Of those outside one is tried.
    fn index(&mut self, base: ids::Operand, index: ids::Operand, width: u8, scale: u32) -> Evaluated {
        let (Term::Constant(base), Term::Symbol(symbol)) = (self.of(base, 64_u32)?, self.of(index, width)?) else {
            return Ok(None);
        };
        let is_short = |machine: &Self| machine.has_few_values(symbol, super::split::MOST_VALUES);
        if is_short(self) || scale == 0 {
            return Ok(None);
        }
        let Some((object, offset)) = crate::ir::address::split(base) else { return Ok(None) };
        let Some(region) = self.memory.region(object) else { return Ok(None) };
        let (offset, size, scale) = (i128::from(offset), i128::from(self.most_bytes(&region)), i128::from(scale));
        let (first, last) = (-(offset / scale), (size - offset).div_euclid(scale));
        if !self.is_in(symbol, &two_complement(first, last, width.into()))? {
            self.note_left_out(Unknown::Nondet);
            if self.names_answers() {
                self.named_example(symbol)?;
            } else {
                self.narrow_to_example(symbol)?;
            }
        }
        Ok(is_short(self).then_some(Outcome::Again))
    }

    /// Narrows the input behind a symbol to one of its values; the others are left out, and the caller has
    /// said so.
    fn narrow_to_example(&mut self, symbol: Symbol) -> Result<(), StepEnd> {
        let symbols = &mut self.memory.table.symbols;
        let root = symbols.root_of(symbol);
        let value = match symbols.group(root) {
            None => symbols.example(root),
            Some(group) => self.relations.simplest(symbols, &group, root, &self.halt),
        };
        let values = Ranges::from_to(value, value);
        symbols.narrow(Condition { symbol: root, values });
        Ok(())
    }

    fn range_of(&mut self, dst: Reg, low: ids::Operand, high: ids::Operand, width: u8) -> Evaluated {
        let terms = [self.of(ids::Operand::reg(dst), width)?, self.of(low, width)?, self.of(high, width)?];
        let [Term::Symbol(symbol), Term::Constant(low), Term::Constant(high)] = terms else { return Ok(None) };
        let last = high.wrapping_sub(1) & mask(width.into());
        let numbers = if low <= last { vec![(low, last)] } else { vec![(0, last), (low, mask(width.into()))] };
        if self.is_in(symbol, &Ranges::union_of(numbers))? {
            return Ok(Some(Outcome::Advances));
        }
        Ok(Some(one(dst, Value::poison(Poison::Range))))
    }

    fn switch(&mut self, value: ids::Operand, cases: &[(u64, EdgeId)], default: EdgeId) -> Evaluated {
        // The bytes that the word has beyond the value's width are zeros.
        let mut widths = [8, 16, 32, 64_u32].into_iter();
        let symbol = loop {
            let Some(width) = widths.next() else { return Ok(None) };
            if let Term::Symbol(symbol) = self.of(value, width)? {
                break symbol;
            }
        };
        for &(case, edge) in cases {
            if self.is_between(symbol, case, case)? {
                return Ok(Some(Outcome::Jumps(edge)));
            }
        }
        Ok(Some(Outcome::Jumps(default)))
    }

    /// An array of as many elements as a symbol says.
    fn variable_array(&mut self, dst: Reg, count: ids::Operand, size: u32, site: SiteId) -> Evaluated {
        let Some(symbol) = self.open_size_in(count) else { return Ok(None) };
        let address = match self.open_size(symbol, size.into())? {
            Size::Open(bytes) => self.allocate_open(bytes, ObjectKind::Stack, self.running.stack.depth(), false)?,
            Size::Known(bytes) => self.allocate(bytes, ObjectKind::Stack, self.running.stack.depth(), false)?,
            Size::Fails => return Err(StepEnd::Limit(Unknown::AllocationLimit)),
        };
        self.variable_born(address, site);
        Ok(Some(one(dst, Value::new(address))))
    }

    /// A call that assumes something of its argument needs to know only whether it is 0, one that ends the
    /// process nothing: no other execution differs but by the status. Others need values.
    fn call(&mut self, site: SiteId) -> Evaluated {
        let (function, _) = self.instruction();
        let call = &function.library[site.index()];
        let row = library::function(call.function);
        if !row.sizes.is_empty() {
            let mut symbolic =
                (0..).zip(&call.args).filter(|(_, arg)| self.running.stack.get(self.program, **arg).is_symbolic());
            let keeps_open = symbolic.all(|(at, &arg)| row.sizes.contains(&at) && self.open_size_in(arg).is_some());
            return Ok(keeps_open.then_some(Outcome::Performs(Effect::Library { site })));
        }
        let ends_process = row.on_threads == OnThreads::EndsProcess;
        let (true, Some(&argument)) = (row.assumes || ends_process, call.args.first()) else { return Ok(None) };
        let width = call.widths[0];
        let Term::Symbol(symbol) = self.of(argument, width)? else { return Ok(None) };
        if ends_process && !self.names_answers() {
            self.narrow_to_example(symbol)?;
            return Ok(Some(Outcome::Again));
        }
        if ends_process || self.is_between(symbol, 0, 0)? {
            // Of a status, no value may be chosen where other threads go on before the process ends.
            let known = argument.as_reg().filter(|_| self.names_answers());
            known.into_iter().for_each(|reg| self.running.stack.set(reg, Value::ZERO));
            return Ok(Some(Outcome::Again));
        }
        // The call was made, and does nothing more.
        self.report.operations += 1;
        Ok(Some(Outcome::Advances))
    }
}

/// An operand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    Symbol(Symbol),
    Constant(u64),
    /// It is uninitialised or poison, wholly or in part, or consists of several symbols.
    Other,
}

fn one(dst: Reg, value: Value) -> Outcome {
    Outcome::Results(dst, vec![value])
}
