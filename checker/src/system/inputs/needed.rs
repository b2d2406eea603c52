//! The uses for which a step needs the value of an input, in words: for messages about values that are too
//! many to try.
//!
//! Tests: `tests/tests/given_inputs.rs`.

use crate::ir::instr::{Cast, Instr};
use crate::ir::liveness;
use crate::ir::symbol::Symbol;
use crate::outcome::Unknown;
use crate::system::library;
use crate::system::machine::Machine;
use crate::system::step::StepEnd;

impl Machine<'_> {
    /// Notes what the instruction where the running thread stands needs to know, if the step ends because of
    /// that.
    pub(in crate::system) fn note_needed(&mut self, end: &StepEnd) {
        if *end == StepEnd::Limit(Unknown::Nondet) && self.defers_inputs() {
            self.named.needed = Some(self.needed_here());
        }
    }

    /// The use of the value that the last step had to know, if it ended with [`Unknown::Nondet`].
    #[must_use]
    pub fn needed_value(&self) -> Option<&str> {
        self.named.needed.as_deref()
    }

    fn needed_here(&self) -> String {
        let frame = self.running.stack.top();
        let function = self.program.function(frame.function);
        let instr = &function.code[frame.pc.index()];
        let mut counts = Vec::new();
        liveness::uses(function, instr, |operand| {
            let word = self.running.stack.get(self.program, operand);
            let symbols = &self.memory.table.symbols;
            counts.extend(Symbol::of_word(word).next().map(|(_, symbol, _)| symbols.values(symbol).count()));
        });
        let what = match *instr {
            Instr::Alloca { .. } => "the size of a local array".to_owned(),
            Instr::Library { site } => {
                let row = library::function(function.library[site.index()].function);
                match (row.sizes, counts.is_empty()) {
                    ([], true) => format!("the size of memory that `{}` works on, or its content", row.public_name()),
                    ([], false) => format!("an argument of `{}`", row.public_name()),
                    _ => format!("the size of an allocation by `{}`", row.public_name()),
                }
            }
            Instr::Copy { .. } => "the length of a copy of memory".to_owned(),
            Instr::Fill { .. } => "the number of bytes that `memset` writes, or their value".to_owned(),
            Instr::Offset { .. } => "an index".to_owned(),
            Instr::Near { .. } => "a difference of addresses".to_owned(),
            Instr::Load { .. } | Instr::RawLoad { .. } | Instr::Store { .. } | Instr::RawStore { .. } => {
                "the address of an access".to_owned()
            }
            Instr::ReadModifyWrite { .. } | Instr::CompareExchange { .. } => {
                "an operand of an atomic access".to_owned()
            }
            Instr::Cast { op: Cast::SignedToFloat | Cast::UnsignedToFloat, .. } => {
                "a number that is converted to floating point".to_owned()
            }
            Instr::Float { .. } | Instr::FloatMulAdd { .. } | Instr::FloatCompare { .. } => {
                "an operand of floating-point arithmetic".to_owned()
            }
            Instr::CallIndirect { .. } => "the function that is called".to_owned(),
            Instr::Int { .. } | Instr::Unary { .. } | Instr::Overflow { .. } | Instr::Cast { .. } => {
                "an operand of arithmetic".to_owned()
            }
            _ => "an operand".to_owned(),
        };
        match counts.into_iter().max() {
            Some(count) if count > 1 => format!("{what}, which has up to {count} values"),
            _ => what,
        }
    }
}
