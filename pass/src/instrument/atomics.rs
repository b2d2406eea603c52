//! `atomicrmw`, `cmpxchg` and `fence`.
//!
//! LLVM 16's C interface knows neither the order of a fence nor the newest operations of `atomicrmw` (it
//! aborts on them), so both are read from the printed instruction.

use super::{Rewriter, replace};
use crate::abi;
use crate::error::Error;
use rmc_abi::{Entry, MemoryOrder, RmwOp};
use rmc_llvm::IntPredicate;
use rmc_llvm::edit::Value;

impl Rewriter<'_> {
    pub fn atomic_rmw(&self, instruction: Value) -> Result<(), Error> {
        let (pointer, operand) = (instruction.operand(0), instruction.operand(1));
        self.check_pointer(pointer, instruction)?;
        let width = self.atomic_width(operand.ty(), instruction)?;
        self.builder.before(instruction);
        let arguments = [
            pointer,
            self.bits_of_value(operand, width),
            self.operation(operation(&instruction.print_alone())),
            self.order(abi::order(instruction.ordering())),
        ];
        let old = self.emit(Entry::Rmw(width), &arguments);
        replace(instruction, self.value_of_bits(old, operand.ty()));
        Ok(())
    }

    /// Rewrites a `cmpxchg`. A weak exchange is treated as strong: it fails only if the values differ.
    pub fn cmpxchg(&self, instruction: Value) -> Result<(), Error> {
        let (pointer, ty) = (instruction.operand(0), instruction.operand(1).ty());
        self.check_pointer(pointer, instruction)?;
        let width = self.atomic_width(ty, instruction)?;
        let (success, failure) = instruction.cmpxchg_orderings();
        self.builder.before(instruction);
        let expected = self.bits_of_value(instruction.operand(1), width);
        let arguments = [
            pointer,
            expected,
            self.bits_of_value(instruction.operand(2), width),
            self.order(abi::order(success)),
            self.order(abi::order(failure)),
        ];
        let old = self.emit(Entry::CmpXchg(width), &arguments);
        let succeeded = self.builder.compare(IntPredicate::LLVMIntEQ, old, expected);
        let pair = instruction.ty().poison();
        let pair = self.builder.insert(pair, self.value_of_bits(old, ty), 0);
        replace(instruction, self.builder.insert(pair, succeeded, 1));
        Ok(())
    }

    pub fn fence(&self, instruction: Value) {
        let printed = instruction.print_alone();
        // A fence of scope `singlethread`, against signal handlers of the same thread, only constrains the
        // compiler.
        if !printed.contains("syncscope(\"singlethread\")") {
            self.builder.before(instruction);
            self.emit(Entry::Fence, &[self.order(fence_order(&printed))]);
        }
        instruction.erase();
    }
}

/// The operation in `%old = atomicrmw [volatile] add ptr ...`.
fn operation(printed: &str) -> RmwOp {
    let rest = printed.split_once("atomicrmw ").map_or("", |(_, rest)| rest);
    let mut words = rest.split(' ').skip_while(|&word| word == "volatile");
    words.next().and_then(RmwOp::from_name).unwrap_or_else(|| panic!("unknown operation in `{printed}`"))
}

/// The order in `fence [syncscope("...")] seq_cst`.
fn fence_order(printed: &str) -> MemoryOrder {
    let named = |word: &str| match word.trim_end_matches(',') {
        "acquire" => Some(MemoryOrder::Acquire),
        "release" => Some(MemoryOrder::Release),
        "acq_rel" => Some(MemoryOrder::AcqRel),
        "seq_cst" => Some(MemoryOrder::SeqCst),
        _ => None,
    };
    let order = printed.split_whitespace().find_map(named);
    order.unwrap_or_else(|| panic!("unknown order in `{printed}`"))
}
