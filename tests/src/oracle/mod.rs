//! The textbook machine: the operational definition of SC, TSO and PSO, explored exhaustively.
//!
//! It is the judge of everything else, so it is written to be read against the definition, and shares no code
//! with what it judges. Source: Abdulla, Aronis, Atig, Jonsson, Leonardsson, Sagonas, *Stateless model
//! checking for TSO and PSO*, Acta Informatica 54, 2017, sections 3 and 5.1; byte granularity and mixed sizes
//! are ours: a load takes each byte from its own thread's newest pending store that covers it, else from
//! memory; a store reaches memory with all its bytes at once.
//!
//! * [`program`]: what a program is.
//! * [`machine`]: its states and steps.
//! * [`traces`]: what an execution is made of, and whether a model has more of them than sequential
//!   consistency.

pub mod machine;
pub mod program;
pub mod traces;

pub use machine::{Explored, Outcome, outcomes};
pub use program::{Model, Op, Program, Thread};
