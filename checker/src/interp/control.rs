//! Control flow: jumps, switches, calls and returns.

use super::poison::undefined;
use super::{Effect, Flow, Interpreter, MAX_DEPTH, fault, stop};
use crate::ir::address::{self, ObjectId};
use crate::ir::ids::{EdgeId, FuncId, Operand, SiteId};
use crate::ir::value::Value;
use crate::outcome::{Unknown, ViolationKind};

impl Interpreter<'_> {
    pub(super) fn jump(&mut self, edge: EdgeId) -> Flow {
        let edge = self.function.edge(edge);
        if edge.parallel {
            let values: Vec<_> = edge.moves.iter().map(|&(_, source)| self.get(source)).collect();
            edge.moves.iter().zip(values).for_each(|(&(dst, _), value)| self.stack.set(dst, value));
        } else {
            edge.moves.iter().for_each(|&(dst, source)| self.stack.set(dst, self.get(source)));
        }
        self.stack.jump(edge.target);
        Flow::Jumped
    }

    pub(super) fn switch(&mut self, site: SiteId) -> Flow {
        let switch = &self.function.switches[site.index()];
        let value = self.get(switch.value);
        let Value { undef: 0, bits } = value else {
            return undefined(value, ViolationKind::UninitialisedBranch, "the operand of a switch");
        };
        let case = switch.cases.iter().find(|(value, _)| *value == bits);
        self.jump(case.map_or(switch.default, |&(_, edge)| edge))
    }

    pub(super) fn call(&mut self, callee: FuncId, site: SiteId) -> Flow {
        if self.stack.depth() >= MAX_DEPTH {
            return stop(Effect::Limit(Unknown::StackDepth));
        }
        let target = self.program.function(callee);
        self.stack.push(self.program, callee, target.registers, &self.function.call(site).args);
        Flow::Jumped
    }

    pub(super) fn call_indirect(&mut self, target: Operand, site: SiteId) -> Flow {
        let value = self.get(target);
        let Value { undef: 0, bits } = value else {
            return undefined(value, ViolationKind::UninitialisedDereference, "the called function pointer");
        };
        let object = address::split(bits).filter(|&(_, offset)| offset == 0);
        let Some(callee) = object.and_then(|(object, _): (ObjectId, u32)| self.program.function_at(object)) else {
            let kind = if bits == 0 { ViolationKind::NullDereference } else { ViolationKind::InvalidCall };
            return fault(kind, &format!("the called pointer {bits:#x} is no function"));
        };
        let (function, call) = (self.program.function(callee), self.function.call(site));
        if function.code.is_empty() {
            return stop(Effect::Unsupported(format!("call of `{}` through a pointer", function.name)));
        }
        // A call through a pointer declared without a prototype has the form of a variadic call; its callee
        // need not be variadic.
        let passed = call.args.len() - usize::from(call.varargs && !function.varargs);
        let expected = function.params as usize + usize::from(function.varargs);
        if passed != expected
            || (function.varargs && !call.varargs)
            || (call.words > 0 && call.words != function.results)
        {
            let message = format!("`{}` is called through a pointer of another function type", function.name);
            return fault(ViolationKind::InvalidCall, &message);
        }
        self.call(callee, site)
    }

    pub(super) fn ret(&mut self, value: Operand, words: u32) -> Flow {
        if self.function.has_objects || !self.stack.has_caller() {
            return stop(Effect::Return);
        }
        self.stack.pop(self.program, value, words);
        Flow::Returned
    }
}
