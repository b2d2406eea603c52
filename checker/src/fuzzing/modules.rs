//! Fuzz target: programs as LLVM assembly, including modules that are valid for LLVM and that no compiler
//! makes.
//!
//! The input is LLVM assembly. LLVM's reader of bitcode trusts its input and crashes if it is damaged.
//! Therefore the product first lets `opt` read and rewrite bitcode in another process, and loads it in
//! another process once (`cli/load_check.rs`; `tests/tests/untrusted.rs` damages bitcode there). In this
//! process, damaged bits would find defects of LLVM alone. LLVM's reader of assembly refuses errors with a
//! message, except the one that [`crashes_reader`] detects. The loader has to cope with everything that this
//! reader and LLVM's verifier accept. The verifier also accepts debug information of a wrong kind, for which
//! the product has the other process; seeds have none.

use super::programs;
use crate::ir::load::{self, Input};
use crate::system::library;

/// Loads the module whose assembly the bytes are.
pub fn module(bytes: &[u8]) {
    if crashes_reader(bytes) {
        return;
    }
    if let Some(bytes) = load::assemble(bytes) {
        let input = Input { file: "module.ll".to_owned(), bytes };
        let _ = load::load(&[input], &library::finder(&programs::config()), &[], load::MAIN);
    }
}

/// True if a quoted string contains `@`, literally or escaped, and the text contains `asm`.
///
/// In a constraint of inline assembly, `@` precedes the length of a name as a digit. LLVM 16 does not check
/// the digit, and throws a C++ exception if the length is negative. The product is safe: the exception ends
/// `opt`, and the file is refused. Other strings with `@` are skipped too.
fn crashes_reader(text: &[u8]) -> bool {
    // LLVM's reader gets the text without zero bytes.
    let text: Vec<u8> = text.iter().copied().filter(|&byte| byte != 0).collect();
    let (mut quoted, mut comment, mut found) = (false, false, false);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'"' if !comment => quoted = !quoted,
            b';' if !quoted => comment = true,
            b'\n' | b'\r' => comment = false,
            b'@' => found |= quoted,
            b'\\' => found |= quoted && text[at..].starts_with(b"\\40"),
            _ => {}
        }
    }
    found && text.windows(3).any(|word| word == b"asm")
}

/// The program, and the outputs of the pass for its test inputs, without debug information.
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
