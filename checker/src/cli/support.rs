//! The support libraries, C and C++ that is interpreted (libc/, libcxx/), and the selection of the functions
//! that a program needs.

use std::collections::BTreeSet;

use crate::ir::load::{self, Input, Linkage, LoadError};
use crate::system::library::{self, InSupport};

/// The whole library as bitcode, not instrumented.
pub const BITCODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libc.bc"));
/// Its name for messages.
pub const NAME: &str = "the support library";
/// The C++ support library as bitcode, not instrumented.
pub const CXX_BITCODE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libcxx.bc"));
/// Its name for messages.
pub const CXX_NAME: &str = "the C++ support library";
/// The passes that extract a part of it: only the named functions and their dependencies stay. Then the part
/// is instrumented as the program was.
pub const PASSES: &str = "-passes=internalize,globaldce,rmc-instrument";

/// The prefixes of the functions that a program may define in place of the C++ library, `operator new` and
/// `operator delete`. The library's other functions then call the program's.
const REPLACEABLE: [&str; 4] = ["_Znw", "_Zna", "_Zdl", "_Zda"];

/// The C++ library's functions and variables for a program with these symbols: those that it leaves
/// undefined, and those that it replaces, which the library defines weakly. A program in C leaves none
/// undefined: their names are mangled or reserved.
///
/// # Errors
/// The library is damaged.
pub fn needed_of_cxx(program: &Linkage) -> Result<Vec<String>, LoadError> {
    let undefined = program.undefined();
    let begins_with = |name: &str, prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if !undefined.iter().any(|name| begins_with(name, &["_Z", "__cxa_", "__gxx_", "__once_"])) {
        return Ok(Vec::new());
    }
    let library = Input { file: CXX_NAME.to_owned(), bytes: CXX_BITCODE.to_vec() };
    let is_needed = |name: &String| {
        undefined.contains(name) || (program.defined().contains(name) && begins_with(name, &REPLACEABLE))
    };
    Ok(load::defined(&library)?.into_iter().filter(is_needed).collect())
}

/// The library's functions and variables for a program that leaves these symbols undefined.
///
/// # Errors
/// The library is damaged.
pub fn needed(undefined: &BTreeSet<String>) -> Result<Vec<String>, LoadError> {
    if undefined.is_empty() {
        return Ok(Vec::new());
    }
    let library = Input { file: NAME.to_owned(), bytes: BITCODE.to_vec() };
    let defined = load::defined(&library)?;
    let facts = || undefined.iter().filter_map(|name| library::support_function(name));
    let companions = facts().flat_map(|function| function.companions).copied();
    let opens_files = facts().any(|function| function.opens_files);
    let reads_clocks = facts().any(|function| function.reads_clocks);
    let is_modelled = |name: &&str| match library::named(name).map(|function| function.in_support) {
        Some(InSupport::AsCompanion) => true,
        Some(InSupport::WithFiles) => !opens_files,
        Some(InSupport::WithClocks) => !reads_clocks,
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
        assert_eq!(of_kind(InSupport::WithClocks).count(), 5, "functions that sleep");
    }

    #[test]
    fn support_functions_are_defined_and_not_modelled() {
        let library = Input { file: NAME.to_owned(), bytes: BITCODE.to_vec() };
        let defined = load::defined(&library).expect("the library is bitcode");
        for function in library::SUPPORT_FUNCTIONS {
            assert!(defined.contains(function.name), "the library does not define `{}`", function.name);
            assert!(library::named(function.name).is_none(), "`{}` is modelled", function.name);
            assert!(function.companions.iter().all(|&companion| defined.contains(companion)), "{}", function.name);
        }
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
