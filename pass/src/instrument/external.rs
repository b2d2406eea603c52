//! Calls of functions that the module only declares: the code before and after them.

use super::{Rewriter, frame, replace};
use rmc_abi::{Entry, library};
use rmc_llvm::edit::{Block, Value};
use rmc_llvm::{FUNCTION_INDEX, Opcode};

impl Rewriter<'_> {
    /// Rewrites a call of `name`, which has no translation of its own: `__rmc_sync` on both sides if it may
    /// access memory.
    pub fn external(&self, call: Value, name: &str) {
        if library::is_fence(name) || !is_unobserving(call, name) {
            self.builder.before(call);
            self.emit(Entry::Sync, &[]);
            if self.after(call) {
                self.emit(Entry::Sync, &[]);
            }
        }
    }

    /// Positions the builder behind the return of `call`; false for a `musttail` call, which nothing may
    /// follow.
    pub fn after(&self, call: Value) -> bool {
        if call.opcode() == Some(Opcode::LLVMInvoke) {
            self.split_normal_edge(call);
        } else if frame::is_musttail(call) {
            return false;
        } else {
            let next = call.next().expect("a call does not end its block");
            self.builder.before(next);
            self.builder.locate(Some(call));
        }
        true
    }

    /// Inserts a block between an invoke and its normal destination; the builder is then in it.
    fn split_normal_edge(&self, invoke: Value) {
        let (normal, _) = invoke.invoke_destinations();
        let middle = self.module.append_block(self.function, "rmc.returned");
        self.builder.at_end(middle);
        self.builder.locate(Some(invoke));
        self.builder.branch(normal);
        for phi in normal.instructions() {
            if phi.opcode() == Some(Opcode::LLVMPHI) {
                self.redirect(phi, invoke, middle);
            }
        }
        invoke.set_normal_destination(middle);
        self.builder.before(middle.first());
    }

    /// Replaces `phi` by one in which the values from the block of `invoke` come from `middle`.
    fn redirect(&self, phi: Value, invoke: Value, middle: Block) {
        let from = invoke.block();
        let incoming = phi.incoming().into_iter();
        let redirected: Vec<_> =
            incoming.map(|(value, block)| (value, if block == from { middle } else { block })).collect();
        self.builder.before(phi);
        replace(phi, self.builder.phi(phi.ty(), &redirected));
    }
}

/// True if `call`, of the declared function `name`, accesses no memory, hidden memory included: a function
/// may synchronise through that.
fn is_unobserving(call: Value, name: &str) -> bool {
    let of_call = call.call_attribute_value(FUNCTION_INDEX, "memory");
    let of_function = call.callee().attribute_value(FUNCTION_INDEX, "memory");
    let promises = of_call.into_iter().chain(of_function);
    library::accesses_no_memory(name) || { promises }.any(|effects| effects == 0)
}
