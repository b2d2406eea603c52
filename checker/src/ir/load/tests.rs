//! The `#[test]` functions of a Rust program.
//!
//! rustc's `--test` makes a table of pointers to descriptions of tests, whose layout is that of the types in
//! `rust/crates/test.rs`: the crate that stands in for the standard library's harness. The pass names the
//! table. `main` runs the test whose number the crate's variable has.
//!
//! Tests: `tests/tests/rust_tests.rs`.

use crate::ir::program::{Global, Program};

/// The table, as the pass names it.
pub const TABLE: &str = rmc_abi::TEST_TABLE;
/// The variable with the number of the test to run.
pub const CHOSEN: &str = "__rmc_test";

/// The offset of the name's address in a description; its length follows.
const NAME: u32 = 8;
/// The offset of the byte that says whether the test has `#[ignore]`.
const IGNORED: u32 = 24;

/// A test.
pub struct Test {
    /// Its path in the crate.
    pub name: String,
    /// True if it has `#[ignore]`.
    pub is_ignored: bool,
}

/// All tests of a program, in the order of their numbers.
pub fn all(program: &Program) -> Vec<Test> {
    let Some(table) = variable(program, TABLE) else { return Vec::new() };
    let addresses = (0..table.size / 8).filter_map(|at| word(table, 8 * at));
    addresses.filter_map(|address| test(program, address)).collect()
}

/// The address of the variable for the number of the test to run, and the number of the test of this name.
pub fn find(program: &Program, name: &str) -> Option<(u64, u64)> {
    let number = all(program).iter().position(|test| test.name == name)?;
    Some((variable(program, CHOSEN)?.object.address(0), number as u64))
}

fn test(program: &Program, address: u64) -> Option<Test> {
    let description = global(program, address)?;
    let (text, length) = (global(program, word(description, NAME)?)?, word(description, NAME + 8)?);
    let bytes = (0..u32::try_from(length).ok()?).map(|at| byte(text, at));
    let name = String::from_utf8(bytes.collect::<Option<_>>()?).ok()?;
    Some(Test { name, is_ignored: byte(description, IGNORED)? != 0 })
}

fn variable<'p>(program: &'p Program, name: &str) -> Option<&'p Global> {
    program.globals.iter().find(|global| global.name == name && global.defined)
}

/// The variable that begins at an address.
fn global(program: &Program, address: u64) -> Option<&Global> {
    program.globals.iter().find(|global| global.object.address(0) == address)
}

fn word(global: &Global, offset: u32) -> Option<u64> {
    let words = global.pages.iter().flatten();
    words.copied().nth(offset as usize / 8).filter(|_| offset < global.size)
}

fn byte(global: &Global, offset: u32) -> Option<u8> {
    Some(word(global, offset)?.to_le_bytes()[offset as usize % 8])
}
