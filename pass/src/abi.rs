//! The ABI between instrumented code and the runtime, `rmc.abi.v1`: names, signatures and codes.
//!
//! | function | meaning |
//! |---|---|
//! | `iN __rmc_load_N(ptr p, i32 order)` | load of N bytes, N in 1, 2, 4, 8, 16 |
//! | `void __rmc_store_N(ptr p, iN v, i32 order)` | store of N bytes |
//! | `void __rmc_load_n(ptr p, ptr slot, i64 n)` | plain load that is not done at once: n bytes of p to the private slot |
//! | `void __rmc_store_n(ptr p, ptr slot, i64 n)` | plain store that is not done at once: n bytes of the private slot to p |
//! | `void __rmc_gather_N(ptr addresses, ptr slot, i64 mask, i64 lanes)` | plain load of N bytes for each lane whose bit of the mask is set: from the address that the private table has for it, to its place in the private slot; in no order |
//! | `void __rmc_scatter_N(ptr addresses, ptr slot, i64 mask, i64 lanes)` | plain stores of the lanes likewise; those that overlap are in the order of the lanes |
//! | `iN __rmc_rmw_N(ptr p, iN operand, i32 op, i32 order)` | `atomicrmw`, gives the old value |
//! | `iN __rmc_cmpxchg_N(ptr p, iN expected, iN new, i32 success, i32 failure)` | `cmpxchg`, gives the old value |
//! | `void __rmc_fence(i32 order)` | fence |
//! | `void __rmc_sync()` | on both sides of a call that leaves instrumented code, see below |
//! | `void __rmc_memcpy(ptr d, ptr s, i64 n, i32 local)` and `__rmc_memmove` | copy; local bit 0: d, bit 1: s stays in its thread |
//! | `void __rmc_memset(ptr d, i8 v, i64 n)` | fill |
//! | `void __rmc_lifetime_end(ptr p, i64 n)` | n bytes at p die; -1: a size known only at run time; p null: nothing dies |
//! | `void __rmc_free(ptr p)`, `ptr __rmc_realloc(ptr p, i64 n)` | the functions of the C library |
//!
//! `__rmc_sync` stands beside calls of functions the module only declares. Those of the thread library, and those that end
//! the process, are full fences by the memory model. All others, unless they touch no memory of the program, have it for
//! the sake of native runs only: they access memory directly (`strcmp`, `puts`, `sscanf`), past the thread's pending stores,
//! which must reach memory first. So a native run drains the thread's buffer at each, and loses some executions but admits no
//! wrong one; a checker that has models of these functions ignores `__rmc_sync`.

use crate::llvm::{Block, Builder, Module, Ordering, Type, Value};

/// Every function of the ABI begins so. Others may too: those of the checker's support library.
const PREFIX: &str = "__rmc_";
/// The named metadata that marks an instrumented module.
pub const MARK: &str = "rmc.instrumented";
/// What the mark says.
pub const VERSION: &str = "rmc.abi.v1";
/// Access widths in bytes that have functions of their own.
pub const WIDTHS: [u64; 5] = [1, 2, 4, 8, 16];
/// Those of accesses that are not atomic: the machine does wider ones in parts.
pub const PLAIN_WIDTHS: [u64; 4] = [1, 2, 4, 8];
/// Lanes of a gather or scatter: the bits of its mask.
pub const MAX_LANES: u32 = 64;
/// The widest access, in bytes, that can be atomic.
pub const MAX_ATOMIC: u64 = 16;
/// `n` of `__rmc_lifetime_end` for a size known only at run time.
pub const DYNAMIC_SIZE: i64 = -1;

/// A memory order, by its code in the ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    Plain = 0,
    Relaxed = 1,
    Acquire = 2,
    Release = 3,
    AcqRel = 4,
    SeqCst = 5,
}

impl From<Ordering> for Order {
    fn from(ordering: Ordering) -> Order {
        match ordering {
            Ordering::LLVMAtomicOrderingNotAtomic => Order::Plain,
            Ordering::LLVMAtomicOrderingUnordered | Ordering::LLVMAtomicOrderingMonotonic => Order::Relaxed,
            Ordering::LLVMAtomicOrderingAcquire => Order::Acquire,
            Ordering::LLVMAtomicOrderingRelease => Order::Release,
            Ordering::LLVMAtomicOrderingAcquireRelease => Order::AcqRel,
            Ordering::LLVMAtomicOrderingSequentiallyConsistent => Order::SeqCst,
        }
    }
}

/// The names LLVM gives the operations of `atomicrmw`; the position is the code in the ABI.
pub const RMW_OPERATIONS: [&str; 17] = [
    "xchg",
    "add",
    "sub",
    "and",
    "nand",
    "or",
    "xor",
    "max",
    "min",
    "umax",
    "umin",
    "fadd",
    "fsub",
    "fmax",
    "fmin",
    "uinc_wrap",
    "udec_wrap",
];

/// The code of an `atomicrmw` operation by its name.
pub fn rmw_code(name: &str) -> Option<i64> {
    let found = RMW_OPERATIONS.iter().position(|&one| one == name)?;
    i64::try_from(found).ok()
}

/// A function of the ABI. `u64` fields are widths in bytes, out of [`WIDTHS`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    Load(u64),
    Store(u64),
    LoadPieces,
    StorePieces,
    Gather(u64),
    Scatter(u64),
    Rmw(u64),
    CmpXchg(u64),
    Fence,
    Sync,
    Memcpy,
    Memmove,
    Memset,
    LifetimeEnd,
    Free,
    Realloc,
}

/// Whether a function of this name is one of the ABI, and so is neither instrumented nor changed in its meaning by instrumentation.
pub fn is_entry(name: &str) -> bool {
    const OTHERS: [Entry; 10] = [
        Entry::LoadPieces,
        Entry::StorePieces,
        Entry::Fence,
        Entry::Sync,
        Entry::Memcpy,
        Entry::Memmove,
        Entry::Memset,
        Entry::LifetimeEnd,
        Entry::Free,
        Entry::Realloc,
    ];
    let of_width = |width| {
        use Entry::{CmpXchg, Gather, Load, Rmw, Scatter, Store};
        [Load(width), Store(width), Gather(width), Scatter(width), Rmw(width), CmpXchg(width)]
    };
    let mut all = WIDTHS.into_iter().flat_map(of_width).chain(OTHERS);
    name.starts_with(PREFIX) && all.any(|entry| entry.name() == name)
}

impl Entry {
    fn name(self) -> String {
        let rest = match self {
            Entry::Load(width) => format!("load_{width}"),
            Entry::Store(width) => format!("store_{width}"),
            Entry::LoadPieces => "load_n".to_owned(),
            Entry::StorePieces => "store_n".to_owned(),
            Entry::Gather(width) => format!("gather_{width}"),
            Entry::Scatter(width) => format!("scatter_{width}"),
            Entry::Rmw(width) => format!("rmw_{width}"),
            Entry::CmpXchg(width) => format!("cmpxchg_{width}"),
            Entry::Fence => "fence".to_owned(),
            Entry::Sync => "sync".to_owned(),
            Entry::Memcpy => "memcpy".to_owned(),
            Entry::Memmove => "memmove".to_owned(),
            Entry::Memset => "memset".to_owned(),
            Entry::LifetimeEnd => "lifetime_end".to_owned(),
            Entry::Free => "free".to_owned(),
            Entry::Realloc => "realloc".to_owned(),
        };
        format!("{PREFIX}{rest}")
    }

    fn signature(self, module: Module) -> Type {
        let (void, ptr) = (module.void(), module.ptr());
        let (i32, i64) = (module.int(32), module.int(64));
        match self {
            Entry::Load(width) => bits(module, width).function(&[ptr, i32]),
            Entry::Store(width) => void.function(&[ptr, bits(module, width), i32]),
            Entry::LoadPieces | Entry::StorePieces => void.function(&[ptr, ptr, i64]),
            Entry::Gather(_) | Entry::Scatter(_) => void.function(&[ptr, ptr, i64, i64]),
            Entry::Rmw(width) => {
                let value = bits(module, width);
                value.function(&[ptr, value, i32, i32])
            }
            Entry::CmpXchg(width) => {
                let value = bits(module, width);
                value.function(&[ptr, value, value, i32, i32])
            }
            Entry::Fence => void.function(&[i32]),
            Entry::Sync => void.function(&[]),
            Entry::Memcpy | Entry::Memmove => void.function(&[ptr, ptr, i64, i32]),
            Entry::Memset => void.function(&[ptr, module.int(8), i64]),
            Entry::LifetimeEnd => void.function(&[ptr, i64]),
            Entry::Free => void.function(&[ptr]),
            Entry::Realloc => ptr.function(&[ptr, i64]),
        }
    }

    /// Calls the function where `builder` stands, declaring it if it is new to the module.
    pub fn call(self, module: Module, builder: &Builder, args: &[Value]) -> Value {
        let (ty, callee) = self.declare(module);
        builder.call(ty, callee, args)
    }

    /// The same as an invoke that continues in `destinations`.
    pub fn invoke(self, module: Module, builder: &Builder, args: &[Value], destinations: (Block, Block)) -> Value {
        let (ty, callee) = self.declare(module);
        builder.invoke(ty, callee, args, destinations)
    }

    fn declare(self, module: Module) -> (Type, Value) {
        let ty = self.signature(module);
        (ty, module.function(&self.name(), ty))
    }
}

/// The integer type of `width` bytes.
pub fn bits(module: Module, width: u64) -> Type {
    let bits = u32::try_from(8 * width).expect("accesses are at most 16 bytes wide");
    module.int(bits)
}
