//! Memory that dies with its function: every exit reports the stack objects that may be shared.
//!
//! Two cases are not covered: an exception that leaves a function without landing pad, and earlier instances
//! of an alloca that runs several times (its last one is reported). The checker needs neither, because it
//! knows frames.

use super::Rewriter;
use crate::select::StackObject;
use rmc_abi::Entry;
use rmc_llvm::edit::Value;

impl Rewriter<'_> {
    /// Stores the address of each shared alloca outside the entry block in a slot, since the alloca does not
    /// dominate the exits.
    pub fn remember_places(&mut self) {
        let entry = self.function.blocks()[0];
        let shared = self.frame.shared.iter().filter_map(|object| object.alloca);
        let scattered: Vec<Value> = shared.filter(|alloca| alloca.block() != entry).collect();
        for alloca in scattered {
            let ptr = self.module.ptr();
            let builder = self.at_entry();
            let place = builder.alloca(ptr);
            builder.store(ptr.null(), place);
            place.set_name("rmc.place");
            let next = alloca.next().expect("an alloca does not end its block");
            self.builder.before(next);
            self.builder.locate(Some(alloca));
            self.builder.store(alloca, place);
            self.places.insert(alloca, place);
        }
    }

    /// Emits the end of the frame's objects before a `ret` or `resume`.
    pub fn end_frame(&self, exit: Value) {
        // Only a return may follow a `musttail` call, and the callee takes over the frame.
        let tail = exit.previous().filter(|&previous| is_musttail(previous));
        self.builder.before(tail.unwrap_or(exit));
        for object in &self.frame.shared {
            let pointer = match self.places.get(&object.pointer) {
                Some(&place) => self.builder.load(self.module.ptr(), place),
                None => object.pointer,
            };
            self.emit(Entry::LifetimeEnd, &[pointer, self.object_size(object)]);
        }
    }

    /// Emits the end of a variable at a `llvm.lifetime.end`. The intrinsic stays: it ends the variable's
    /// scope for its own thread.
    pub fn end_scope(&self, intrinsic: Value) {
        if let Some(object) = self.frame.shared_object(intrinsic.operand(1)) {
            self.builder.before(intrinsic);
            let size = self.object_size(&object);
            self.emit(Entry::LifetimeEnd, &[object.pointer, size]);
        }
    }

    fn object_size(&self, object: &StackObject) -> Value {
        let bytes = self.module.size(object.ty);
        let count = match object.alloca {
            Some(alloca) => alloca.operand(0).as_int(),
            None => Some(1),
        };
        match count.and_then(|count| bytes.checked_mul(count)) {
            Some(bytes) => self.size(bytes),
            None => self.int64(rmc_abi::DYNAMIC_SIZE),
        }
    }
}

/// True if `instruction` is a call marked `musttail`.
pub fn is_musttail(instruction: Value) -> bool {
    instruction.is_tail_call() && {
        let printed = instruction.print_alone();
        let call = printed.split("call").next();
        call.is_some_and(|before| before.trim_end().ends_with("musttail"))
    }
}
