//! The textbook machine: the operational definition of SC, TSO and PSO, explored exhaustively.
//!
//! It is the oracle for everything else, so it is written to be compared with the definition, and shares no
//! code with the code under test. Source: Abdulla, Aronis, Atig, Jonsson, Leonardsson, Sagonas, *Stateless
//! model checking for TSO and PSO*, Acta Informatica 54, 2017, sections 3 and 5.1. Byte granularity and mixed
//! sizes are ours: a load takes each byte from its own thread's newest pending store that covers it, else
//! from memory; a store reaches memory with all its bytes at once.
//!
//! * [`program`]: the data type of programs.
//! * [`machine`]: its states and steps.
//! * [`preemptions`]: the least number of preemptions of executions with an outcome.
//! * [`traces`]: the traces of executions, and the comparison of a model's traces with those of sequential
//!   consistency.

pub mod machine;
pub mod preemptions;
pub mod program;
pub mod traces;

pub use machine::{Explored, Outcome, outcomes};
pub use program::{Model, Op, Program, Thread};
