//! Store buffers under SC, TSO and PSO: pending stores, the values that a load may see, and the effects of
//! fences.
//!
//! [`Buffers`] is the whole memory model. It knows neither programs nor schedules nor LLVM: a caller pushes
//! stores, asks for loads, and answers questions through [`Choose`]; the bytes that have reached memory live
//! behind [`Memory`]. The semantics is *exact delayed flushing*: a pending store is placed in the order of
//! memory only when a load, an atomic or a fence needs to know its place, and the decisions are kept as a
//! strict partial order. The contract, its source and the deviations from it are in [`load`](Buffers::load)
//! (file `load.rs`) and in the header of `settle.rs`.
//!
//! [`monitor`] watches a sequentially consistent execution for what store buffers could have done to it.
//!
//! The same crate builds `librmc_runtime.a` (directory `native`): the C ABI an instrumented program links
//! with to run natively with randomly delayed stores.
//!
//! Tests: `tests/tests/runtime_differential.rs` compares every outcome set with a textbook machine that
//! shares no code with this crate.

mod access;
mod alternatives;
mod buffer;
mod encode;
mod evict;
mod load;
mod lock;
mod mixed;
mod model;
pub mod monitor;
#[cfg(target_arch = "x86_64")]
mod native;
mod order;
mod order_log;
mod places;
mod section;
mod settle;
mod source_path;

pub use rmc_abi::MemoryOrder;

pub use access::{Access, Bytes, MAX_ACCESS};
pub use buffer::{Buffers, Choose, Memory, PendingStore, StoreTag};
pub use load::{Loaded, Source};
pub use model::{Barrier, Model, OrderRules, UnknownModel};
pub use source_path::without_detours;
