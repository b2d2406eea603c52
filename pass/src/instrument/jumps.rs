//! Inline assembly that may jump (`asm goto`, the instruction `callbr`). It becomes a branch if it always
//! goes the same way; any other is left unchanged.

use super::{Rewriter, replace};
use rmc_asm::Destination;
use rmc_llvm::edit::{Block, Value};
use rmc_llvm::{Opcode, TypeKind};

impl Rewriter<'_> {
    pub fn jumping_assembly(&self, callbr: Value) {
        let blocks = callbr.successors();
        let target = match rmc_asm::destination(&callbr.callee().print()) {
            Some(Destination::Next) => blocks.first(),
            Some(Destination::Label(number)) => blocks.get(1 + number),
            None => None,
        };
        let Some(&target) = target.filter(|_| callbr.ty().kind() == TypeKind::LLVMVoidTypeKind) else {
            return;
        };
        for (at, &block) in blocks.iter().enumerate() {
            if !blocks[..at].contains(&block) {
                self.leave_one_edge(block, callbr.block(), block == target);
            }
        }
        self.builder.before(callbr);
        self.builder.branch(target);
        callbr.erase();
    }

    /// Reduces the edges from `from` to `block` in the phis to one, or to none.
    fn leave_one_edge(&self, block: Block, from: Block, keeps: bool) {
        let instructions = block.instructions().into_iter();
        for phi in instructions.take_while(|one| one.opcode() == Some(Opcode::LLVMPHI)).collect::<Vec<_>>() {
            let (edges, mut others): (Vec<_>, Vec<_>) = phi.incoming().into_iter().partition(|edge| edge.1 == from);
            // All edges from one block have the same value.
            others.extend(edges.first().filter(|_| keeps));
            if others.is_empty() {
                phi.replace_uses(phi.ty().poison());
                phi.erase();
            } else {
                self.builder.before(phi);
                replace(phi, self.builder.phi(phi.ty(), &others));
            }
        }
    }
}
