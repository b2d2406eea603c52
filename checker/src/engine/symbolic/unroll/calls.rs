//! Functions: their blocks in order, paths that meet, loops and recursion up to the bound.

use std::collections::BTreeMap;
use std::rc::Rc;

use rmc_formula::{Term, TermId};

use super::events::Place;
use super::{Cut, MOST_KNOWN_TURNS, Path, Stop, Unroller};
use crate::engine::symbolic::order::{Instance, Order};
use crate::engine::symbolic::word::{Formulas, Word};
use crate::ir::ids::{EdgeId, FuncId, Operand, Pc};
use crate::ir::instr::Instr;

/// The return from a function.
pub(super) struct Returned {
    /// The path after it, without registers.
    pub path: Path,
    /// The result.
    pub words: Vec<Word>,
    /// A `return` instruction.
    pub place: Place,
}

/// A block that is to be unrolled: the paths that lead to it, merged.
struct Waiting {
    path: Path,
    block: Pc,
    /// For each loop around it the turns that count, and the condition on which its turn began.
    turns: Vec<Turn>,
}

#[derive(Clone, Copy)]
struct Turn {
    counted: u32,
    began: TermId,
}

/// The end of a block.
pub(super) enum BlockEnd {
    /// The path splits, or goes on in one way.
    Edges(Vec<(EdgeId, Path)>),
    /// The function returns.
    Return(Path, Vec<Word>),
}

/// The blocks of a call that wait.
struct Frame {
    function: FuncId,
    order: Rc<Order>,
    waiting: BTreeMap<Instance, Waiting>,
    returned: Option<Returned>,
}

impl Unroller<'_> {
    /// Unrolls a call. `None`: it never returns.
    pub(super) fn call(&mut self, function: FuncId, args: &[Word], mut path: Path) -> Result<Option<Returned>, Stop> {
        let depth = self.frames.iter().filter(|&&(caller, _)| caller == function).count();
        if depth > self.bounds.turns as usize + 1 {
            self.cut(&path);
            return Err(Stop::Dead);
        }
        let code = self.program.function(function);
        path.registers = vec![Word::UNDEFINED; code.registers as usize];
        path.registers[..args.len()].copy_from_slice(args);
        let order = self.orders.entry(function).or_insert_with(|| Rc::new(Order::of(code)));
        let mut frame = Frame { function, order: Rc::clone(order), waiting: BTreeMap::new(), returned: None };
        self.arrive(&mut frame, &Instance::default(), &[], None, (Pc(0), path));
        self.frames.push((function, Pc(0)));
        while let Some((instance, mut waiting)) = frame.waiting.pop_first() {
            self.beginning.waiting -= usize::from(self.thread == 0);
            if let Some(turn) = waiting.turns.last_mut().filter(|_| instance.is_head()) {
                turn.began = waiting.path.guard;
            }
            self.frames.last_mut().expect("the function").1 = waiting.block;
            match self.block(waiting.path) {
                Ok(BlockEnd::Return(path, words)) => self.returns(&mut frame, path, words),
                Ok(BlockEnd::Edges(edges)) => {
                    for (edge, path) in edges {
                        let edge = self.program.function(function).edge(edge);
                        let path = self.moved(path, &edge.moves);
                        let source = Some(waiting.block);
                        self.arrive(&mut frame, &instance, &waiting.turns, source, (edge.target, path));
                    }
                }
                Err(Stop::Dead) => {}
                Err(stop) => return Err(stop),
            }
        }
        self.frames.pop();
        Ok(frame.returned)
    }

    /// Adds a path that comes to a block.
    fn arrive(
        &mut self,
        frame: &mut Frame,
        from: &Instance,
        turns: &[Turn],
        source: Option<Pc>,
        (block, path): (Pc, Path),
    ) {
        let instance = match source {
            Some(source) => frame.order.next(from, source, block),
            None => frame.order.start(),
        };
        let mut turns = turns[..turns.len().min(instance.depth())].to_vec();
        if let Some(source) = source
            && frame.order.is_back(source, block)
        {
            let turn = turns.last_mut().expect("the head is in its loop");
            turn.counted += u32::from(turn.began != path.guard);
            if turn.counted > self.bounds.turns || instance.turn() > MOST_KNOWN_TURNS {
                self.cut(&path);
                return;
            }
        }
        turns.resize(instance.depth(), Turn { counted: 0, began: path.guard });
        match frame.waiting.remove(&instance) {
            Some(other) => {
                let path = self.merge(other.path, &path);
                turns.iter_mut().zip(&other.turns).for_each(|(turn, other)| {
                    turn.counted = turn.counted.max(other.counted);
                });
                frame.waiting.insert(instance, Waiting { path, block, turns });
            }
            None => {
                self.beginning.waiting += usize::from(self.thread == 0);
                frame.waiting.insert(instance, Waiting { path, block, turns });
            }
        }
    }

    /// Records that a path goes further than it is followed.
    pub(super) fn cut(&mut self, path: &Path) {
        let after = self.threads[self.thread].events.len();
        self.cuts.push(Cut { thread: self.thread, after, guard: path.guard });
    }

    fn returns(&mut self, frame: &mut Frame, path: Path, words: Vec<Word>) {
        let place = (frame.function, self.place().1);
        let path = Path { registers: Vec::new(), ..path };
        frame.returned = Some(match frame.returned.take() {
            None => {
                self.beginning.waiting += usize::from(self.thread == 0);
                Returned { path, words, place }
            }
            Some(other) => {
                let condition = other.path.guard;
                let words =
                    other.words.iter().zip(&words).map(|(&a, &b)| self.formulas.choose(condition, a, b)).collect();
                Returned { path: self.merge(other.path, &path), words, place }
            }
        });
    }

    /// The path after the moves of an edge, which are simultaneous.
    fn moved(&mut self, mut path: Path, moves: &[(crate::ir::ids::Reg, Operand)]) -> Path {
        let values: Vec<_> = moves.iter().map(|&(_, source)| self.word(&path, source)).collect();
        for (&(dst, _), value) in moves.iter().zip(values) {
            path.registers[dst.index()] = value;
        }
        path
    }

    /// Two paths that meet. At most one of them is where the thread is.
    pub(super) fn merge(&mut self, a: Path, b: &Path) -> Path {
        let formulas = &mut self.formulas;
        let condition = a.guard;
        let registers = a.registers.iter().zip(&b.registers).map(|(&a, &b)| formulas.choose(condition, a, b)).collect();
        let memory = a.memory.merge(formulas, condition, &b.memory);
        let mut added = a.added;
        for (&range, &sums) in &b.added {
            let own = added.entry(range).or_default();
            *own = own.join(sums);
        }
        Path { guard: either(formulas, a.guard, b.guard), registers, memory, sections: a.sections, added }
    }

    /// Unrolls a block from its first instruction.
    fn block(&mut self, mut path: Path) -> Result<BlockEnd, Stop> {
        loop {
            self.count_instruction(&path)?;
            let (function, pc) = self.place();
            let instr = &self.program.function(function).code[pc.index()];
            if let Some(end) = self.instruction(&mut path, instr)? {
                return Ok(end);
            }
            self.frames.last_mut().expect("the function").1 = Pc(pc.0 + 1);
        }
    }

    /// Counts an instruction of the beginning, and ends it where an attempt before says so.
    fn count_instruction(&mut self, path: &Path) -> Result<(), Stop> {
        if (self.halted)() {
            return Err(Stop::Halted);
        }
        if !self.beginning.is_going_on {
            return Ok(());
        }
        if self.beginning.waiting == 0 {
            self.beginning.last_single = self.beginning.instructions;
        }
        if self.beginning.ends_before == Some(self.beginning.instructions) {
            self.end_beginning(path)?;
        }
        self.beginning.instructions += 1;
        Ok(())
    }

    /// Ends the beginning here, with this path's memory.
    ///
    /// # Errors
    /// [`Stop::Earlier`]: other paths wait, so it has to end before they split.
    pub(super) fn end_beginning(&mut self, path: &Path) -> Result<(), Stop> {
        if !self.beginning.is_going_on {
            return Ok(());
        }
        if self.beginning.waiting > 0 {
            return Err(Stop::Earlier(self.beginning.last_single));
        }
        self.beginning.is_going_on = false;
        self.beginning.memory = path.memory.clone();
        Ok(())
    }

    /// The word of an operand.
    pub(super) fn word(&self, path: &Path, operand: Operand) -> Word {
        match operand.resolve() {
            Ok(register) => path.registers[register],
            Err(constant) => Word::Known(self.program.constants[constant]),
        }
    }

    /// Unrolls a call of the path, and sets its result.
    pub(super) fn call_from(&mut self, path: &mut Path, callee: FuncId, instr: &Instr) -> Result<(), Stop> {
        let (Instr::Call { site, .. } | Instr::CallIndirect { site, .. }) = *instr else {
            unreachable!("a call is one of these")
        };
        let (function, _) = self.place();
        let call = self.program.function(function).call(site).clone();
        let target = self.program.function(callee);
        let passed = call.args.len() - usize::from(call.varargs && !target.varargs);
        if passed != target.params as usize + usize::from(target.varargs)
            || target.varargs && !call.varargs
            || call.words > 0 && call.words != target.results
        {
            return self.fail(path);
        }
        if target.code.is_empty() {
            return self.refuse(format!("a call of `{}`", target.name));
        }
        let args: Vec<_> = call.args[..passed].iter().map(|&operand| self.word(path, operand)).collect();
        let registers = std::mem::take(&mut path.registers);
        let guard = self.formulas.terms.boolean(false);
        let own = std::mem::replace(
            path,
            Path { guard, registers: Vec::new(), memory: Default::default(), sections: 0, added: BTreeMap::new() },
        );
        let Some(returned) = self.call(callee, &args, own)? else { return Err(Stop::Dead) };
        self.beginning.waiting -= usize::from(self.thread == 0);
        *path = Path { registers, ..returned.path };
        for (at, &word) in returned.words.iter().take(call.words as usize).enumerate() {
            path.registers[call.dst.index() + at] = word;
        }
        Ok(())
    }
}

/// The disjunction of two conditions that exclude each other; of `c and d`, `c and not d` it is `c`.
fn either(formulas: &mut Formulas, a: TermId, b: TermId) -> TermId {
    if let (Term::And(a0, a1), Term::And(b0, b1)) = (formulas.terms.get(a), formulas.terms.get(b)) {
        for (common, own) in [(a0, a1), (a1, a0)] {
            let complement = formulas.not(own);
            if (common, complement) == (b0, b1) || (common, complement) == (b1, b0) {
                return common;
            }
        }
    }
    formulas.terms.or(a, b)
}
