//! Masked accesses of vectors: `llvm.masked.*`.
//!
//! | intrinsic | place of lane i |
//! |---|---|
//! | `masked.load`, `masked.store` | i elements behind the pointer |
//! | `masked.gather`, `masked.scatter` | its own address |
//! | `masked.expandload`, `masked.compressstore` | as many elements behind the pointer as lanes before it are on |
//!
//! A lane whose bit of the mask is off accesses nothing, and its address may be poison. Each of the others is
//! an access of its own, and they are unordered. So the call becomes a gather or scatter of the ABI, with the
//! addresses and the lanes in private slots. If all lanes are on, a masked load or store is an ordinary one.
//!
//! Tests: `tests/pass/masked.ll`, `tests/programs/masked`, `tests/tests/masked.rs`.

use super::{Rewriter, replace};
use crate::error::{Error, Problem};
use rmc_abi::Entry;
use rmc_llvm::edit::{Type, Value};
use rmc_llvm::{Opcode, TypeKind};

/// The operands of a masked access.
struct Masked {
    /// The pointer for all lanes, or the vector with one pointer for each lane.
    pointer: Value,
    mask: Value,
    /// The alignment of the whole access, in bytes.
    alignment: u32,
    packed: bool,
    data: Data,
}

enum Data {
    /// A load, with the values of the lanes that are off.
    Load {
        otherwise: Value,
    },
    Store {
        value: Value,
    },
}

/// The private memory of a gather or scatter: the types and addresses of two slots.
struct Slots {
    /// The table of the lanes' addresses.
    table: (Type, Value),
    lanes: (Type, Value),
}

impl Masked {
    /// Reads a call of `llvm.masked.OPERATION`. `None` for an operation that LLVM 16 does not have.
    fn of(call: Value, operation: &str) -> Option<Masked> {
        let argument = |index| call.operand(index);
        let alignment = |index| u32::try_from(argument(index).as_int()?).ok();
        let load = |mask, otherwise| (mask, Data::Load { otherwise: argument(otherwise) });
        let store = |mask| (mask, Data::Store { value: argument(0) });
        let (pointer, alignment, (mask, data)) = match operation.split('.').next()? {
            "load" | "gather" => (0, alignment(1)?, load(2, 3)),
            "store" | "scatter" => (1, alignment(2)?, store(3)),
            "expandload" => (0, 1, load(1, 2)),
            "compressstore" => (1, 1, store(2)),
            _ => return None,
        };
        let packed = operation.starts_with("expandload") || operation.starts_with("compressstore");
        Some(Masked { pointer: argument(pointer), mask: argument(mask), alignment, packed, data })
    }

    /// The type of the vector.
    fn ty(&self) -> Type {
        match self.data {
            Data::Load { otherwise } => otherwise.ty(),
            Data::Store { value } => value.ty(),
        }
    }

    /// True if this is an ordinary access of the whole vector.
    fn is_whole(&self) -> bool {
        let is_on = |lane| self.mask.aggregate_element(lane).and_then(Value::as_int) == Some(1);
        self.pointer.ty().kind() == TypeKind::LLVMPointerTypeKind && (0..self.ty().count()).all(is_on)
    }
}

impl Rewriter<'_> {
    /// Rewrites a call of `llvm.masked.OPERATION`.
    pub fn masked(&mut self, call: Value, operation: &str) -> Result<(), Error> {
        let Some(masked) = Masked::of(call, operation) else {
            return Err(self.problem(Problem::Lanes { ty: format!("the kind `{operation}`") }, call));
        };
        if call.has_metadata("nontemporal") {
            return Err(self.problem(Problem::NonTemporal, call));
        }
        let width = self.lane_width(masked.ty(), call)?;
        self.builder.before(call);
        if masked.is_whole() {
            return self.whole(call, &masked);
        }
        let addresses = self.addresses(&masked, width, call)?;
        let ty = masked.ty();
        match masked.data {
            Data::Load { otherwise } => {
                let loaded = self.gather(masked.mask, addresses, ty, width);
                replace(call, self.builder.select(masked.mask, loaded, otherwise));
            }
            Data::Store { value } => {
                let lanes = self.builder.select(masked.mask, value, ty.null());
                self.scatter(masked.mask, addresses, lanes, width);
                call.erase();
            }
        }
        Ok(())
    }

    /// The number of bytes of a lane.
    fn lane_width(&self, ty: Type, call: Value) -> Result<u64, Error> {
        if ty.kind() == TypeKind::LLVMScalableVectorTypeKind {
            return Err(self.problem(Problem::Unsized, call));
        }
        let element = ty.element();
        let width = self.module.store_size(element);
        let is_padded = element.kind() == TypeKind::LLVMIntegerTypeKind && u64::from(element.bits()) != 8 * width;
        if is_padded || !rmc_abi::WIDTHS.contains(&width) || ty.count() > rmc_abi::MAX_LANES {
            return Err(self.problem(Problem::Lanes { ty: format!("the type `{}`", ty.print()) }, call));
        }
        Ok(width)
    }

    /// Rewrites an access in which all lanes are on.
    fn whole(&mut self, call: Value, masked: &Masked) -> Result<(), Error> {
        match masked.data {
            Data::Load { .. } => {
                let load = self.builder.load(masked.ty(), masked.pointer);
                load.set_alignment(masked.alignment);
                replace(call, load);
                self.load(load)
            }
            Data::Store { value } => {
                let store = self.builder.store(value, masked.pointer);
                store.set_alignment(masked.alignment);
                call.erase();
                self.store(store)
            }
        }
    }

    /// The addresses of the lanes, a vector; null for a lane that is off.
    fn addresses(&self, masked: &Masked, width: u64, call: Value) -> Result<Value, Error> {
        let ty = self.module.ptr().vector(masked.ty().count());
        let addresses = if masked.pointer.ty().kind() == TypeKind::LLVMPointerTypeKind {
            self.check_space(masked.pointer.ty(), call)?;
            self.consecutive(masked, width, ty)
        } else {
            self.check_space(masked.pointer.ty().element(), call)?;
            masked.pointer
        };
        Ok(self.builder.select(masked.mask, addresses, ty.null()))
    }

    /// The addresses of consecutive elements of `width` bytes. In a packed access, lanes that are off take no
    /// place.
    fn consecutive(&self, masked: &Masked, width: u64, ty: Type) -> Value {
        let mut distance = self.int64(0);
        let mut addresses = ty.poison();
        for lane in 0..ty.count() {
            let index = self.int32(lane.into());
            let address = self.builder.offset(self.module, masked.pointer, distance);
            addresses = self.builder.insert_element(addresses, address, index);
            let mut step = self.size(width);
            if masked.packed {
                let is_on = self.builder.extract_element(masked.mask, index);
                step = self.builder.select(is_on, step, self.int64(0));
            }
            distance = self.builder.binary(Opcode::LLVMAdd, distance, step);
        }
        addresses
    }

    fn gather(&mut self, mask: Value, addresses: Value, ty: Type, width: u64) -> Value {
        let slots = self.begin_slots(addresses, ty);
        self.emit(Entry::Gather(width), &self.lane_arguments(&slots, mask));
        let lanes = self.builder.load(ty, slots.lanes.1);
        self.end_slots(&slots);
        lanes
    }

    fn scatter(&mut self, mask: Value, addresses: Value, lanes: Value, width: u64) {
        let slots = self.begin_slots(addresses, lanes.ty());
        self.builder.store(lanes, slots.lanes.1);
        self.emit(Entry::Scatter(width), &self.lane_arguments(&slots, mask));
        self.end_slots(&slots);
    }

    fn begin_slots(&mut self, addresses: Value, ty: Type) -> Slots {
        // The table is an array, so that its slot is never that of the lanes, which may be pointers, too.
        let table = self.module.ptr().array(ty.count());
        let slots = Slots { table: (table, self.begin_slot(table)), lanes: (ty, self.begin_slot(ty)) };
        // An array has a smaller alignment than a vector.
        self.builder.store(addresses, slots.table.1).set_alignment(8);
        slots
    }

    fn end_slots(&self, slots: &Slots) {
        [slots.lanes, slots.table].into_iter().for_each(|(ty, slot)| self.end_slot(ty, slot));
    }

    fn lane_arguments(&self, slots: &Slots, mask: Value) -> [Value; 4] {
        let count = mask.ty().count();
        let bits = self.builder.cast(Opcode::LLVMBitCast, mask, self.module.int(count));
        [slots.table.1, slots.lanes.1, self.resize(bits, 64), self.int64(count.into())]
    }
}
