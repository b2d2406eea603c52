//! Stateless exploration: what engines that explore executions rather than states share, and these engines.
//!
//! * `event`: what a step or an update does, and which two of them conflict.
//! * `execution`: a sequence of events and what happens before what.
//! * `bits`, `variants`, `estimate`: sets of positions in executions, names of steps that may do different
//!   things, how many executions there will be.
//! * `dpor`: Source-DPOR and Optimal-DPOR.
//! * `robustness`: whether an execution is sequentially consistent.

pub mod dpor;
pub mod robustness;

mod bits;
mod estimate;
mod event;
mod execution;
mod variants;
