//! Lowers calls that exceptions may leave, landing pads, and the way on from a landing pad.
//!
//! The tables that a compiler makes of landing pads are not in bitcode, so the personality routine has none
//! to read. Its name serves for another routine: the support library of the language defines it
//! (libcxx/exceptions.cc, libc/rust_unwind.c), and a `resume` is a call of it with the exception. Exceptions
//! of other languages are refused.

use super::function::Lowering;
use crate::ir::ids::{Pc, SiteId};
use crate::ir::instr::{CallSite, Instr};
use crate::ir::landing::{self, Clause, Landing};
use crate::ir::value::Value;
use rmc_llvm::{Block, Clause as LlvmClause, Value as LlvmValue};

/// The routine that continues the unwinding of an exception of C++.
const OF_CXX: &str = "__gxx_personality_v0";
/// The personality routines that are known, and for each the routine that continues the unwinding.
const PERSONALITIES: [(&str, &str); 3] =
    [(OF_CXX, OF_CXX), ("__gcc_personality_v0", OF_CXX), (rmc_abi::RUST_PERSONALITY, rmc_abi::RUST_PERSONALITY)];

impl<'m> Lowering<'_, 'm> {
    /// Lowers a call with a landing pad. What the edge to the pad needs is computed before the call.
    pub(super) fn invoke(&mut self, invoke: LlvmValue<'m>) {
        let (normal, pad) = invoke.invoke_destinations();
        let personality = invoke.block().function().personality().map(rmc_llvm::Value::name).unwrap_or_default();
        let landing = if personality == rmc_abi::CATCHES_NOTHING {
            None
        } else {
            Some(self.landing(invoke.block(), pad, &personality))
        };
        self.call(invoke);
        let call = Pc::new(self.out.code.len() - 1);
        if matches!(
            self.out.code[call.index()],
            Instr::Call { .. } | Instr::CallIndirect { .. } | Instr::Library { .. }
        ) {
            match landing {
                Some(Ok(landing)) => self.out.landings.push((call, landing)),
                Some(Err(what)) => self.unsupported(what),
                None => {}
            }
        }
        let edge = self.edge(invoke.block(), normal);
        self.emit(Instr::Jump { edge });
    }

    fn landing(&mut self, from: Block<'m>, pad: Block<'m>, personality: &str) -> Result<Landing, String> {
        if continues(personality).is_none() {
            return Err(format!("exceptions with the personality routine `{personality}`"));
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
        let personality = resume.block().function().personality().map(rmc_llvm::Value::name);
        let name = personality.and_then(|name| continues(&name)).unwrap_or(OF_CXX);
        let routine = self.symbols.functions.iter().find(|(value, _)| value.name() == name);
        match routine {
            Some((value, &function)) if !value.is_declaration() => {
                let dst = self.fresh(0);
                self.out.calls.push(CallSite { args: vec![exception], dst, words: 0, varargs: false });
                self.emit(Instr::Call { function, site: SiteId::new(self.out.calls.len() - 1) });
                self.emit(Instr::Unreachable);
            }
            _ => self.unsupported(format!("exceptions in a program that is not C++: there is no `{name}`")),
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

/// The routine that continues the unwinding in functions with a personality routine.
fn continues(personality: &str) -> Option<&'static str> {
    PERSONALITIES.iter().find(|(name, _)| *name == personality).map(|&(_, continues)| continues)
}
