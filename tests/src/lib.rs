//! The code that the tests of the whole project share.

pub mod alike;
pub mod asking;
pub mod crossed;
pub mod delayed_flushing;
pub mod generated;
pub mod harness;
pub mod litmus;
pub mod mutations;
pub mod native;
pub mod nondet;
pub mod oracle;
pub mod racing;
pub mod robust;
pub mod sizes;
pub mod sources;
pub mod timed;
pub mod trace;
pub mod waiting;
pub mod witness;
