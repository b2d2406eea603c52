//! How Rust is compiled so that it can be checked, whether a file is given to `rmc-check` or a package to
//! `cargo rmc`: the version of the compiler, its options, and the crates that replace others.
//!
//! rustc makes a module of each crate, and one of the standard library, by link-time optimisation without any
//! optimisation. The program is compiled as it is written, with checks of overflow and debug assertions.
//!
//! Tests: `tests/programs/rust/`, `tests/tests/rust_tests.rs` and `tests/tests/cargo.rs` of this workspace.

pub mod assembly;
pub mod crates;
pub mod options;
pub mod toolchain;
