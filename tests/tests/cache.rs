//! Compiled inputs are kept in the directory that `RMC_CACHE` names, and used only where the compilation
//! would give them again. A compiler that counts its runs tells which it was.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use rmc_tests::harness::outside::{check, text};
use rmc_tests::harness::process::{Run, command, run};
use tempfile::TempDir;

const PROGRAM: &str = "#include <assert.h>\n#include \"value.h\"\nint main(void) { assert(VALUE == 1); }\n";

/// A directory with a program, a header, a compiler and the cache.
struct Place {
    directory: TempDir,
}

impl Place {
    fn new() -> Self {
        let place = Self { directory: tempfile::tempdir().expect("a temporary directory") };
        place.write("program.c", PROGRAM);
        place.write("value.h", "#define VALUE 1\n");
        place.write("runs", "");
        let counting = format!("#!/bin/sh\necho run >> {}\nexec clang-16 \"$@\"\n", text(&place.path("runs")));
        place.write("clang", &counting);
        fs::set_permissions(place.path("clang"), fs::Permissions::from_mode(0o755)).expect("an executable");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn write(&self, name: &str, content: &str) {
        fs::write(self.path(name), content).expect("a file");
    }

    /// Runs the checker on the program. Returns how often that ran the compiler, too.
    fn run(&self, options: &[&str]) -> (Run, usize) {
        let runs = || fs::read_to_string(self.path("runs")).expect("the runs").lines().count();
        let (before, program) = (runs(), self.path("program.c"));
        let mut command = command([options, &[text(&program)]].concat());
        let run = run(command.env("RMC_CACHE", self.path("cache")).env("RMC_CLANG", self.path("clang")));
        (run, runs() - before)
    }

    #[track_caller]
    fn expect(&self, options: &[&str], code: i32, compilations: usize) -> Run {
        let (run, compiled) = self.run(options);
        check(&run, code, &[]);
        assert_eq!(compiled, compilations, "{}", run.describe());
        run
    }

    fn entries(&self) -> Vec<PathBuf> {
        fs::read_dir(self.path("cache")).expect("the cache").map(|entry| entry.expect("an entry").path()).collect()
    }
}

#[test]
fn an_input_is_compiled_once_for_all_models_and_engines() {
    let place = Place::new();
    place.expect(&[], 0, 1);
    place.expect(&[], 0, 0);
    place.expect(&["--relaxed-memory", "pso"], 0, 0);
    place.expect(&["--engine=dpor"], 0, 0);
}

#[test]
fn a_change_of_source_header_or_option_compiles_again() {
    let place = Place::new();
    place.expect(&[], 0, 1);
    place.write("value.h", "#define VALUE 2\n");
    place.expect(&[], 1, 1);
    place.expect(&[], 1, 0);
    place.write("value.h", "#ifndef VALUE\n#define VALUE 2\n#endif\n");
    place.expect(&["-DVALUE=1"], 0, 1);
    place.expect(&["-DVALUE=3"], 1, 1);
    place.expect(&["-DVALUE=1"], 0, 0);
    place.write("program.c", "int main(void) { return 0; }");
    place.expect(&[], 0, 1);
}

#[test]
fn a_header_that_is_gone_is_missed() {
    let place = Place::new();
    place.expect(&[], 0, 1);
    fs::remove_file(place.path("value.h")).expect("the header");
    let run = place.expect(&[], 2, 1);
    check(&run, 2, &["value.h"]);
}

#[test]
fn a_program_that_does_not_compile_is_not_kept() {
    let place = Place::new();
    place.write("program.c", "int main(void) { return nothing; }");
    place.expect(&[], 2, 1);
    let run = place.expect(&[], 2, 1);
    check(&run, 2, &["nothing"]);
}

#[test]
fn the_compilers_messages_are_printed_each_time() {
    let place = Place::new();
    place.expect(&["-v"], 0, 1);
    place.expect(&["-v"], 0, 1);
}

#[test]
fn a_damaged_entry_is_compiled_again() {
    let place = Place::new();
    place.expect(&[], 0, 1);
    let entries = place.entries();
    assert!(!entries.is_empty());
    for entry in &entries {
        let content = fs::read(entry).expect("an entry");
        let half = content.len() / 2;
        for damaged in [&content[..0], &content[..half], &content[half..]] {
            fs::write(entry, damaged).expect("a damaged entry");
            let (run, compiled) = place.run(&[]);
            check(&run, 0, &[]);
            assert!(compiled <= 1, "{}", run.describe());
        }
    }
    place.expect(&[], 0, 0);
}

#[test]
fn a_rust_program_that_depends_on_the_environment_is_not_kept() {
    let place = Place::new();
    place.write("program.rs", "fn main() { assert!(option_env!(\"RMC_TRIED\").is_none()); }");
    let program = place.path("program.rs");
    let checked = || {
        let mut command = command([text(&program)]);
        command.env("RMC_CACHE", place.path("cache"));
        command
    };
    check(&run(&mut checked()), 0, &[]);
    check(&run(checked().env("RMC_TRIED", "1")), 1, &[]);
}

#[test]
fn the_standard_library_of_rust_is_made_once() {
    let place = Place::new();
    let counting = format!("#!/bin/sh\necho \"$@\" >> {}\nexec /usr/bin/rustc \"$@\"\n", text(&place.path("runs")));
    place.write("rustc", &counting);
    fs::set_permissions(place.path("rustc"), fs::Permissions::from_mode(0o755)).expect("an executable");
    for (at, assertion) in ["0 == 0", "[1].contains(&1)"].into_iter().enumerate() {
        place.write("program.rs", &format!("fn main() {{ assert!({assertion}); }}"));
        let mut command = command([text(&place.path("program.rs"))]);
        command.env_remove("RMC_CACHE").env("XDG_CACHE_HOME", place.path("cache"));
        // Another directory changes nothing.
        command.current_dir(if at == 0 { place.path(".") } else { place.path("cache") });
        check(&run(command.env("RMC_RUSTC", place.path("rustc"))), 0, &[]);
    }
    let runs = fs::read_to_string(place.path("runs")).expect("the runs");
    assert_eq!(runs.lines().filter(|line| line.contains("-Clto=fat")).count(), 1, "{runs}");
    assert_eq!(runs.lines().filter(|line| line.contains("program.rs")).count(), 2, "{runs}");
    assert_eq!(runs.lines().filter(|line| line.contains("--crate-name rmc")).count(), 1, "{runs}");
    // The standard library, and the crate `rmc` as a library and as a module.
    assert_eq!(fs::read_dir(place.path("cache/rmc")).expect("the cache").count(), 3);
}

#[test]
fn without_a_directory_each_run_compiles() {
    let place = Place::new();
    place.write("cache", "a file where the directory should be");
    place.expect(&[], 0, 1);
    place.expect(&[], 0, 1);
}
