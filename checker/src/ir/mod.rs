//! The program in the form that the checker runs: register code lowered once from instrumented bitcode.
//!
//! Only [`load`] uses LLVM. Everything else works on [`Program`].

pub mod address;
pub mod demangle;
pub mod ids;
pub mod instr;
pub mod int;
pub mod int_term;
pub mod landing;
pub mod liveness;
pub mod load;
pub mod program;
pub mod promises;
pub mod reachable;
pub mod shapes;
pub mod sites;
pub mod symbol;
pub mod thread_name;
pub mod value;
pub mod wide;

pub use ids::Reg;
pub use instr::Instr;
pub use program::{Function, Program};
