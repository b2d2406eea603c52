//! Reports of an outcome: JSON for tools and for replay, text for people. They take an outcome and its
//! counterexamples, nothing else.

mod coverage;
mod cycle;
pub mod events;
mod fold;
pub mod html;
pub mod json;
pub mod statistics;
pub mod task;
pub mod text;
pub mod witness;
