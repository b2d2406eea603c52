//! The support library, C that is interpreted (libc/), and which of its functions a program needs.

use std::collections::BTreeSet;

use crate::ir::load::{self, Input, LoadError};

/// The whole library as bitcode, not instrumented.
pub const BITCODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libc.bc"));
/// Its name for messages.
pub const NAME: &str = "the support library";
/// What makes a part of it: only what is named, and what that needs, stays; then it is instrumented as the program was.
pub const PASSES: &str = "-passes=internalize,globaldce,rmc-instrument";

/// Who needs the first also needs the second, though it does not mention it.
const COMPANIONS: [(&str, &str); 4] = [
    ("atexit", "exit"),
    ("pthread_key_create", "__rmc_thread_end"),
    ("tss_create", "__rmc_thread_end"),
    ("__pthread_register_cancel", "pthread_exit"),
];
/// Functions that are also modelled, and come from the library only as a companion.
const MODELLED: [&str; 1] = ["pthread_exit"];
/// Functions that open files.
const OPENING: [&str; 4] = ["fopen", "fopen64", "tmpfile", "tmpfile64"];
/// Functions on streams that are modelled for the standard ones, and come from the library where there are
/// others.
const ON_STREAMS: [&str; 20] = [
    "__fprintf_chk",
    "__vfprintf_chk",
    "clearerr",
    "feof",
    "ferror",
    "fflush",
    "fileno",
    "fprintf",
    "fputc",
    "fputc_unlocked",
    "fputs",
    "fputs_unlocked",
    "fwrite",
    "fwrite_unlocked",
    "putc",
    "putc_unlocked",
    "setbuf",
    "setlinebuf",
    "setvbuf",
    "vfprintf",
];

/// The library's functions and variables that a program needs which leaves these symbols undefined.
///
/// # Errors
/// None but for a damaged library.
pub fn needed(undefined: &BTreeSet<String>) -> Result<Vec<String>, LoadError> {
    if undefined.is_empty() {
        return Ok(Vec::new());
    }
    let library = Input { file: NAME.to_owned(), bytes: BITCODE.to_vec() };
    let defined = load::defined(&library)?;
    let companions = COMPANIONS.iter().filter(|(first, _)| undefined.contains(*first)).map(|&(_, second)| second);
    let files = OPENING.iter().any(|name| undefined.contains(*name));
    let is_modelled = |name: &&str| MODELLED.contains(name) || (!files && ON_STREAMS.contains(name));
    let named = undefined.iter().map(String::as_str).filter(|name| !is_modelled(name));
    let wanted = named.chain(companions);
    let wanted: BTreeSet<_> = wanted.filter(|&name| defined.contains(name)).collect();
    Ok(wanted.into_iter().map(str::to_owned).collect())
}
