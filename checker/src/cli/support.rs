//! The support library, C that is interpreted (libc/), and which of its functions a program needs.

use std::collections::BTreeSet;

use crate::ir::load::{self, Input, LoadError};
use crate::system::library::{self, InSupport};

/// The whole library as bitcode, not instrumented.
pub const BITCODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libc.bc"));
/// Its name for messages.
pub const NAME: &str = "the support library";
/// What makes a part of it: only what is named, and what that needs, stays; then it is instrumented as the
/// program was.
pub const PASSES: &str = "-passes=internalize,globaldce,rmc-instrument";

/// Who needs the first also needs the second, though it does not mention it.
const COMPANIONS: [(&str, &str); 4] = [
    ("atexit", "exit"),
    ("pthread_key_create", "__rmc_thread_end"),
    ("tss_create", "__rmc_thread_end"),
    ("__pthread_register_cancel", "pthread_exit"),
];
/// Functions that open files.
const OPENING: [&str; 4] = ["fopen", "fopen64", "tmpfile", "tmpfile64"];

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
    let is_modelled = |name: &&str| match library::named(name).map(|function| function.in_support) {
        Some(InSupport::AsCompanion) => true,
        Some(InSupport::WithFiles) => !files,
        Some(InSupport::Always | InSupport::No) | None => false,
    };
    let named = undefined.iter().map(String::as_str).filter(|name| !is_modelled(name));
    let wanted = named.chain(companions);
    let wanted: BTreeSet<_> = wanted.filter(|&name| defined.contains(name)).collect();
    Ok(wanted.into_iter().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_which_functions_the_library_also_defines() {
        let library = Input { file: NAME.to_owned(), bytes: BITCODE.to_vec() };
        let defined = load::defined(&library).expect("the library is bitcode");
        let in_both: Vec<_> = defined.iter().filter_map(|name| library::named(name)).collect();
        let of_kind = |which| in_both.iter().filter(move |row| row.in_support == which).map(|row| row.name);
        assert_eq!(of_kind(InSupport::No).collect::<Vec<_>>(), [""; 0], "these rows do not say it");
        assert_eq!(of_kind(InSupport::Always).collect::<Vec<_>>(), ["exit"]);
        assert_eq!(of_kind(InSupport::AsCompanion).collect::<Vec<_>>(), ["pthread_exit"]);
        assert_eq!(of_kind(InSupport::WithFiles).count(), 20, "functions on streams");
    }

    #[test]
    fn models_of_the_standard_streams_give_way_to_files() {
        let needs = |names: &[&str]| {
            let undefined = names.iter().map(|&name| name.to_owned()).collect();
            needed(&undefined).expect("the library is bitcode")
        };
        assert_eq!(needs(&["fputs", "pthread_exit"]), [""; 0]);
        assert_eq!(needs(&["fputs", "fopen"]), ["fopen", "fputs"]);
        assert_eq!(needs(&["pthread_key_create", "pthread_exit"]), ["__rmc_thread_end", "pthread_key_create"]);
    }
}
