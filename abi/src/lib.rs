//! The ABI between instrumented code and the runtime, `rmc.abi.v1`: names, signatures and codes, in one
//! place.
//!
//! The pass makes the calls, the checker checks and lowers them, the native runtime defines the functions.
//! `tests/tests/native.rs` tests that the runtime defines them all, `tests/tests/untrusted.rs` that the
//! checker refuses other calls.
//!
//! | function | meaning |
//! |---|---|
//! | `iN __rmc_load_N(ptr p, i32 order)` | load of N bytes, N in 1, 2, 4, 8, 16 |
//! | `void __rmc_store_N(ptr p, iN v, i32 order)` | store of N bytes |
//! | `void __rmc_load_n(ptr p, ptr slot, i64 n)` | plain load that is not a single access: n bytes of p to the private slot |
//! | `void __rmc_store_n(ptr p, ptr slot, i64 n)` | plain store that is not a single access: n bytes of the private slot to p |
//! | `void __rmc_gather_N(ptr addresses, ptr slot, i64 mask, i64 lanes)` | plain load of N bytes for each lane whose bit of the mask is set: from the address that the private table has for it, to its place in the private slot; in no order |
//! | `void __rmc_scatter_N(ptr addresses, ptr slot, i64 mask, i64 lanes)` | plain store of N bytes for each such lane, with the same arguments; stores that overlap are in the order of the lanes |
//! | `iN __rmc_rmw_N(ptr p, iN operand, i32 op, i32 order)` | `atomicrmw`, returns the old value |
//! | `iN __rmc_cmpxchg_N(ptr p, iN expected, iN new, i32 success, i32 failure)` | `cmpxchg`, returns the old value |
//! | `void __rmc_fence(i32 order)` | fence |
//! | `void __rmc_sync()` | on both sides of a call that leaves instrumented code, see below |
//! | `void __rmc_memcpy(ptr d, ptr s, i64 n, i32 local)` and `__rmc_memmove` | copy; local bit 0: only one thread uses d, bit 1: only one thread uses s |
//! | `void __rmc_memset(ptr d, i8 v, i64 n)` | fill |
//! | `void __rmc_lifetime_end(ptr p, i64 n)` | n bytes at p die; -1: a size known only at run time; p null: nothing dies |
//! | `void __rmc_free(ptr p)`, `ptr __rmc_realloc(ptr p, i64 n)` | the functions of the C library |
//!
//! `__rmc_sync` is on both sides of calls of functions that the module only declares. The functions of the
//! thread library, and those that end the process, are full fences by the memory model ([`library`]). All
//! others, unless they touch no memory, have it only for native runs: they access memory directly (`strcmp`,
//! `puts`, `sscanf`) and bypass the thread's pending stores, which must reach memory first, or synchronise
//! with each other (`malloc`). So a native run drains the thread's buffer at each of them. It loses some
//! executions but admits no wrong one. A checker that has models of these functions ignores `__rmc_sync`.

mod entry;
pub mod library;
mod order;
mod rmw;
pub mod va_list;

pub use entry::{Argument, Entry, Signature};
pub use order::MemoryOrder;
pub use rmw::RmwOp;

/// The name of the table of the `#[test]` functions of a Rust program, which the pass gives it.
pub const TEST_TABLE: &str = "__rmc_tests";

/// The personality routine of functions in Rust where panics unwind, as the pass names it: the support
/// library's function that continues the unwinding.
pub const RUST_PERSONALITY: &str = "__rmc_rust_personality";

/// The personality routine that the pass gives a function whose landing pads do not count.
pub const CATCHES_NOTHING: &str = "__rmc_catches_nothing";

/// The named metadata that marks an instrumented module.
pub const MARK: &str = "rmc.instrumented";
/// The operand of the mark.
pub const VERSION: &str = "rmc.abi.v1";
/// The widths in bytes of accesses that have functions of their own.
pub const WIDTHS: [u64; 5] = [1, 2, 4, 8, 16];
/// The widths in bytes of such accesses that are not atomic; the machine splits wider ones.
pub const PLAIN_WIDTHS: [u64; 4] = [1, 2, 4, 8];
/// The largest number of lanes of a gather or scatter, which is the number of bits of its mask.
pub const MAX_LANES: u32 = 64;
/// The widest access, in bytes, that can be atomic.
pub const MAX_ATOMIC: u64 = 16;
/// `n` of `__rmc_lifetime_end` for a size known only at run time.
pub const DYNAMIC_SIZE: i64 = -1;
