//! Private memory for values in transit: accesses of types that no register has, structures passed by value.
//!
//! It is alive only around its use (`llvm.lifetime.start`, `llvm.lifetime.end`), since leftover content would
//! make equal states of the program differ. After a call that ends in an exception it stays alive until its
//! next use or the frame's end.

use super::{Rewriter, frame};
use crate::error::Error;
use crate::select::Target;
use rmc_abi::Entry;
use rmc_llvm::edit::{Type, Value};

impl Rewriter<'_> {
    /// Private memory for a value of `ty`, alive from here; shared by all accesses of this type.
    pub fn begin_slot(&mut self, ty: Type) -> Value {
        let known = self.slots.iter().find(|slot| slot.0 == ty).map(|slot| slot.1);
        let slot = known.unwrap_or_else(|| self.new_slot(ty));
        self.lifetime("start", ty, slot);
        slot
    }

    /// Ends the lifetime of `slot` after its use.
    pub fn end_slot(&self, ty: Type, slot: Value) {
        self.lifetime("end", ty, slot);
    }

    fn new_slot(&mut self, ty: Type) -> Value {
        let slot = self.at_entry().alloca(ty);
        slot.set_name("rmc.slot");
        self.slots.push((ty, slot));
        slot
    }

    /// Copies the structures that a call passes by value. The call itself would copy them, uninstrumented; so
    /// the copy is made here, and the call gets a private one.
    pub fn copy_structures(&self, call: Value) -> Result<(), Error> {
        if frame::is_musttail(call) {
            return Ok(());
        }
        let mut copies = Vec::new();
        for (argument, index) in call.arguments().into_iter().zip(0..) {
            let Some(ty) = call.call_attribute_type(index + 1, "byval") else {
                continue;
            };
            if self.frame.target(argument) == Target::Shared {
                self.check_pointer(argument, call)?;
                copies.push((ty, self.copy_structure(call, argument, index, ty)));
            }
        }
        if !copies.is_empty() && self.after(call) {
            copies.into_iter().for_each(|(ty, copy)| self.lifetime("end", ty, copy));
        }
        Ok(())
    }

    /// Copies the structure of type `ty` at `argument`, the operand `index` of `call`, and returns the copy,
    /// which the call then uses.
    fn copy_structure(&self, call: Value, argument: Value, index: u32, ty: Type) -> Value {
        let align = call.call_attribute_value(index + 1, "align").unwrap_or(16);
        let align = u32::try_from(align).expect("LLVM's alignments fit in 32 bits");
        let copy = self.at_entry().alloca_aligned(ty, align);
        copy.set_name("rmc.byval");
        self.builder.before(call);
        self.lifetime("start", ty, copy);
        let size = self.size(self.module.store_size(ty));
        self.emit(Entry::Memcpy, &[copy, argument, size, self.int32(1)]);
        call.set_operand(index, copy);
        copy
    }

    /// Emits `llvm.lifetime.start` or `llvm.lifetime.end` for an alloca of `ty`.
    fn lifetime(&self, edge: &str, ty: Type, alloca: Value) {
        let signature = self.module.void().function(&[self.module.int(64), self.module.ptr()]);
        let intrinsic = self.module.function(&format!("llvm.lifetime.{edge}.p0"), signature);
        let size = self.size(self.module.size(ty));
        self.builder.call(signature, intrinsic, &[size, alloca]);
    }
}
