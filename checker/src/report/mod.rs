//! Reports of an outcome: JSON for tools and for replay, text for people. A report needs only an outcome and
//! its counterexamples.

mod coverage;
mod cycle;
pub mod entries;
pub mod events;
mod fold;
pub mod html;
pub mod json;
mod names;
pub mod repair;
pub mod statistics;
pub mod task;
pub mod text;
pub mod witness;
