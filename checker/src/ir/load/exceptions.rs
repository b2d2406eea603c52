//! Lowers calls that exceptions may leave, landing pads, and the way on from a landing pad.
//!
//! The tables that a compiler makes of landing pads are not in bitcode, so the personality routine has none to
//! read. Its name serves for another routine: the C++ support library defines it (libcxx/exceptions.cc), and a
//! `resume` is a call of it with the exception. Exceptions of other languages are refused.

use super::function::Lowering;
use crate::ir::ids::{Pc, SiteId};
use crate::ir::instr::{CallSite, Instr};
use crate::ir::landing::{self, Clause, Landing};
use crate::ir::value::Value;
use rmc_llvm::{Block, Clause as LlvmClause, Value as LlvmValue};

/// The routine that continues the unwinding.
const CONTINUES: &str = "__gxx_personality_v0";
/// The personality routines whose exceptions are those of C++.
const PERSONALITIES: [&str; 2] = [CONTINUES, "__gcc_personality_v0"];

impl<'m> Lowering<'_, 'm> {
    /// Lowers a call with a landing pad. What the edge to the pad needs is computed before the call.
    pub(super) fn invoke(&mut self, invoke: LlvmValue<'m>) {
        let (normal, pad) = invoke.invoke_destinations();
        let landing = self.landing(invoke.block(), pad);
        self.call(invoke);
        let call = Pc::new(self.out.code.len() - 1);
        if matches!(
            self.out.code[call.index()],
            Instr::Call { .. } | Instr::CallIndirect { .. } | Instr::Library { .. }
        ) {
            match landing {
                Ok(landing) => self.out.landings.push((call, landing)),
                Err(what) => self.unsupported(what),
            }
        }
        let edge = self.edge(invoke.block(), normal);
        self.emit(Instr::Jump { edge });
    }

    fn landing(&mut self, from: Block<'m>, pad: Block<'m>) -> Result<Landing, String> {
        let is_known = |name: &String| PERSONALITIES.contains(&name.as_str());
        let personality = from.function().personality().map(rmc_llvm::Value::name);
        if !personality.as_ref().is_some_and(is_known) {
            return Err(format!("exceptions with the personality routine `{}`", personality.unwrap_or_default()));
        }
        let begins_pad = |value: &LlvmValue<'m>| value.opcode() == Some(rmc_llvm::Opcode::LLVMLandingPad);
        let Some(landing_pad) = pad.instructions().into_iter().find(begins_pad) else {
            return Err("exceptions of another system than Linux".to_owned());
        };
        let mut clauses = Vec::new();
        for clause in landing_pad.clauses() {
            clauses.push(match clause {
                LlvmClause::Catch(described) => Clause::Catch(self.symbols.words(described)?[0].bits),
                LlvmClause::Filter(_) => Clause::Filter,
            });
        }
        Ok(Landing { edge: self.edge(from, pad), clauses, is_cleanup: landing_pad.is_cleanup() })
    }

    /// Continues the unwinding with the exception that arrived at a landing pad.
    pub(super) fn resume(&mut self, resume: LlvmValue<'m>) {
        let exception = self.operand(resume.operand(0));
        let routine = self.symbols.functions.iter().find(|(value, _)| value.name() == CONTINUES);
        match routine {
            Some((value, &function)) if !value.is_declaration() => {
                let dst = self.fresh(0);
                self.out.calls.push(CallSite { args: vec![exception], dst, words: 0, varargs: false });
                self.emit(Instr::Call { function, site: SiteId::new(self.out.calls.len() - 1) });
                self.emit(Instr::Unreachable);
            }
            _ => self.unsupported(format!("exceptions in a program that is not C++: there is no `{CONTINUES}`")),
        }
    }

    /// The selector of a type, which code compares with that of an exception.
    pub(super) fn type_selector(&mut self, call: LlvmValue<'m>) {
        match self.symbols.words(call.arguments()[0]) {
            Ok(words) => {
                let a = self.pool.word(Value::new(landing::selector(words[0].bits)));
                self.moves(self.result(call), a, 1);
            }
            Err(what) => self.unsupported(what),
        }
    }
}
