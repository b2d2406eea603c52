//! Programs in LLVM's form: modules that are valid for LLVM and that no compiler makes.
//!
//! The input is LLVM assembly. LLVM's reader of bitcode trusts its input and crashes on what is damaged,
//! which is why the product reads and writes it anew by `opt` in another process first, and loads it in
//! another process once (`cli/load_check.rs`; `tests/tests/untrusted.rs` damages bitcode there). In this
//! process bits that are turned over would find defects of LLVM alone. Its reader of assembly refuses what is
//! wrong with a message, so what it accepts, and its verifier after it, is what the loader has to cope with.
//! Debug information of a wrong kind passes the verifier all the same and is what the other process is for:
//! seeds have none.

use super::programs;
use crate::ir::load::{self, Input};
use crate::system::library;

/// Loads the module that bytes are the assembly of.
pub fn module(bytes: &[u8]) {
    if let Some(bytes) = load::assemble(bytes) {
        let input = Input { file: "module.ll".to_owned(), bytes };
        let _ = load::load(&[input], &library::finder(&programs::config()), &[]);
    }
}

/// The program, and what the pass makes of its tests' inputs, without debug information.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/pass");
    let entries = std::fs::read_dir(directory).expect("the pass's tests");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".expected.ll"));
    paths.sort();
    let texts = paths.iter().map(|path| std::fs::read(path).expect("a golden file"));
    let is_plain = |text: &Vec<u8>| !String::from_utf8_lossy(text).contains("!dbg");
    std::iter::once(programs::assembly()).chain(texts.filter(is_plain)).collect()
}
