//! `cargo rmc`: packages with dependencies, programs and tests.

use std::fs;
use std::path::Path;
use std::process::Command;

use rmc_tests::harness::outside::{check, text};
use rmc_tests::harness::process::{Run, rmc_check, run, tool};
use rmc_tests::harness::{later_rustc, repository};
use tempfile::TempDir;

/// A package whose library, program, example and tests use a library of another package; that one has a
/// build script, and is also a library for C.
const FILES: [(&str, &str); 10] = [
    (
        "Cargo.toml",
        r#"[package]
name = "handover"
version = "0.1.0"
edition = "2021"
[dependencies]
cell = { path = "cell" }
rmc = { path = "REPOSITORY/include/rmc" }
[features]
fence = ["cell/fence"]
"#,
    ),
    (
        "src/lib.rs",
        r#"/// True if one of two threads that give each other something gets it.
pub fn one_is_given() -> bool {
    let cells: &'static [cell::Cell; 2] = Box::leak(Box::new([cell::Cell::new(), cell::Cell::new()]));
    let thread = std::thread::spawn(move || cells[0].give_and_take(&cells[1]));
    let taken = cells[1].give_and_take(&cells[0]);
    thread.join().unwrap() || taken
}
#[test]
fn a_cell_is_empty() {
    assert!(!cell::Cell::new().give_and_take(&cell::Cell::new()));
}
"#,
    ),
    ("src/main.rs", "fn main() { assert!(handover::one_is_given() || cfg!(EMPTY), \"both got nothing\"); }\n"),
    ("examples/choice.rs", "fn main() { assert!(rmc::choose(3) < 2 && cfg!(rmc)); }\n"),
    ("examples/caught.rs", "fn main() { assert!(std::panic::catch_unwind(|| panic!(\"one\")).is_err()); }\n"),
    (
        "examples/counts.rs",
        r#"use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
struct Counts(AtomicUsize);
unsafe impl GlobalAlloc for Counts {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.0.fetch_add(1, Relaxed);
        System.alloc(layout)
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        System.dealloc(place, layout)
    }
}
#[global_allocator]
static COUNTS: Counts = Counts(AtomicUsize::new(0));
fn main() {
    let before = COUNTS.0.load(Relaxed);
    let _empty = Box::new(cell::Cell::new());
    assert_eq!(COUNTS.0.load(Relaxed), before + 1);
}
"#,
    ),
    (
        "tests/pairs.rs",
        "#[test]\nfn one_gets_it() { assert!(handover::one_is_given()); }\n\
         #[test]\nfn the_other_is_there() { assert!(cell::BUILT); }\n",
    ),
    (
        "cell/Cargo.toml",
        "[package]\nname = \"cell\"\nversion = \"0.1.0\"\nedition = \"2018\"\n\
         [lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n[features]\nfence = []\n",
    ),
    ("cell/build.rs", "fn main() { println!(\"cargo:rustc-cfg=built\"); }\n"),
    (
        "cell/src/lib.rs",
        r#"use std::sync::atomic::{fence, AtomicBool, Ordering::*};
pub const BUILT: bool = cfg!(built);
pub struct Cell(AtomicBool);
impl Cell {
    pub fn new() -> Self {
        Self(AtomicBool::new(false))
    }
    pub fn give_and_take(&self, other: &Self) -> bool {
        self.0.store(true, Relaxed);
        if cfg!(feature = "fence") {
            fence(SeqCst);
        }
        other.0.load(Relaxed)
    }
}
"#,
    ),
];

fn package(files: &[(&str, &str)]) -> TempDir {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for (name, content) in files {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        fs::write(path, content.replace("REPOSITORY", text(&repository()))).expect("a file");
    }
    directory
}

/// Runs `cargo rmc` in a directory as Cargo does, without the network.
fn cargo_rmc(directory: &Path, arguments: &[&str]) -> Run {
    run(&mut command(directory, arguments))
}

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(rmc_check().with_file_name("cargo-rmc"));
    // Its own target directory, not that of this test.
    command
        .arg("rmc")
        .args(arguments)
        .current_dir(directory)
        .env("CARGO", env!("CARGO"))
        .env_remove("CARGO_TARGET_DIR");
    command.env("CARGO_NET_OFFLINE", "true");
    command
}

#[track_caller]
fn says(run: &Run, words: &str) {
    assert!(run.stdout.contains(words), "standard output does not say `{words}`\n{}", run.describe());
}

#[test]
fn a_package_is_checked_with_its_dependencies() {
    let directory = package(&FILES);
    let rmc = |arguments: &[&str]| cargo_rmc(directory.path(), arguments);
    let program = rmc(&[]);
    check(&program, 1, &[]);
    says(&program, "violated under tso");
    says(&program, "src/main.rs:1: a panic: panicked at `both got nothing`");
    says(&program, "src/lib.rs:4 in handover::one_is_given");
    says(&program, "cell/src/lib.rs:9 in cell::Cell::give_and_take");
    // What std allocates in code that is inlined is allocated by the program.
    says(&program, "lib.rs:3)");
    assert!(!program.stdout.contains("boxed.rs"), "{}", program.describe());
    // The same target with other features is another program.
    check(&rmc(&["--features", "fence", "--", "-q"]), 0, &[]);
    check(&rmc(&["--bin", "handover", "--", "-q", "-DEMPTY"]), 0, &[]);

    let tests = rmc(&["--test", "pairs", "--", "-q"]);
    check(&tests, 1, &[]);
    says(&tests, "the_other_is_there: holds under tso\n");
    says(&tests, "tests: 1 hold, 1 violated, 0 unknown, 0 refused, 0 ignored\n");
    let library = rmc(&["--lib", "empty"]);
    check(&library, 0, &[]);
    says(&library, "a_cell_is_empty: holds under tso\n");

    check(&rmc(&["--example", "caught", "--", "-q", "--panic", "unwind"]), 0, &[]);
    check(&rmc(&["--example", "caught", "--", "-q"]), 1, &[]);
    check(&rmc(&["--example", "counts", "--", "-q"]), 0, &[]);

    // A report names the module, which stays, so it can be replayed.
    check(&rmc(&["--example", "choice", "--", "-q", "--report=r.json"]), 1, &[]);
    let mut replay = Command::new(rmc_check());
    let again = run(replay.args(["--replay", "r.json"]).current_dir(directory.path()));
    check(&again, 1, &[]);
}

#[test]
fn the_crate_of_choices_runs_natively() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let [library, tests, given] = ["librmc.rlib", "native", "given"].map(|name| directory.path().join(name));
    let compile = |options: &[&str], source: &str, out: &Path| {
        let (source, external) = (repository().join(source), format!("--extern=rmc={}", text(&library)));
        tool("/usr/bin/rustc", &[options, &["--edition=2021", text(&source), "-o", text(out), &external]].concat());
    };
    compile(&["--crate-type=rlib", "--crate-name=rmc", "-Dwarnings"], "include/rmc/src/lib.rs", &library);
    compile(&["--test"], "include/rmc/tests/native.rs", &tests);
    tool(text(&tests), &[]);
    let program = directory.path().join("given.rs");
    let source = "fn main() { println!(\"{} {} {}\", rmc::choose(3), rmc::int(-5, 5), rmc::int(0, 9)); }";
    fs::write(&program, source).expect("a program");
    compile(&[], text(&program), &given);
    let native = run(Command::new(&given).env("RMC_CHOICES", "5,0,12"));
    assert_eq!(native.stdout, "2 -5 2\n", "{}", native.describe());
}

#[test]
fn what_is_not_clear_is_asked() {
    let directory = package(&FILES);
    let rmc = |arguments: &[&str]| cargo_rmc(directory.path(), arguments);
    let targets = "--lib, --bin handover, --example caught, --example choice, --example counts, --test pairs";
    check(&rmc(&["--bin", "nothing"]), 2, &["the package handover has no bin `nothing`", targets]);
    check(&rmc(&["word"]), 2, &["`word` is a filter for #[test] functions"]);
    check(&rmc(&["--package", "nothing"]), 2, &["name the package with --package; there are handover"]);
    check(&rmc(&["--manifest-path", "none/Cargo.toml"]), 2, &["there is no package to check"]);
    check(&rmc(&["--bin", "a", "--lib"]), 2, &["cannot be used with"]);
    let missing = run(command(directory.path(), &[]).env("RMC_RUSTC", "/nonexistent/rustc"));
    check(&missing, 2, &["/nonexistent/rustc", "libstd-rust-dev"]);
    let missing = run(command(directory.path(), &[]).env("RMC_CARGO", "/nonexistent/cargo"));
    check(&missing, 2, &["/nonexistent/cargo", "RMC_CARGO"]);
}

#[test]
fn a_package_for_a_newer_compiler_is_refused_with_the_way_out() {
    let manifest = "[package]\nname = \"new\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let directory = package(&[
        ("Cargo.toml", manifest),
        ("src/main.rs", "fn main() { let Some(_) = std::env::args().next() else { return }; }\n"),
    ]);
    let refused = cargo_rmc(directory.path(), &[]);
    check(&refused, 2, &["`let...else` statements are unstable", "rustc 1.63", "cargo update", "RMC_RUSTC"]);
    fs::write(directory.path().join("Cargo.toml"), manifest.replace("2021", "2024")).expect("a manifest");
    check(&cargo_rmc(directory.path(), &[]), 2, &["edition", "rustc 1.63"]);
    check(&run(command(directory.path(), &[]).env("RMC_RUSTC", later_rustc())), 0, &[]);
}

#[test]
fn a_package_is_checked_as_a_later_compiler_compiles_it() {
    let directory = package(&FILES);
    let rmc = |arguments: &[&str]| run(command(directory.path(), arguments).env("RMC_RUSTC", later_rustc()));
    let program = rmc(&[]);
    check(&program, 1, &[]);
    says(&program, "src/main.rs:1: a panic: panicked at `both got nothing`");
    says(&program, "cell/src/lib.rs:9 in cell::Cell::give_and_take");
    check(&rmc(&["--features", "fence", "--", "-q"]), 0, &[]);
    let tests = rmc(&["--test", "pairs", "--", "-q"]);
    check(&tests, 1, &[]);
    says(&tests, "the_other_is_there: holds under tso\n");
    check(&rmc(&["--example", "caught", "--", "-q", "--panic", "unwind"]), 0, &[]);
    check(&rmc(&["--example", "counts", "--", "-q"]), 0, &[]);

    // Its module is of that compiler.
    let mut other = Command::new(rmc_check());
    let module = "target/rmc/assembly/example/caught.rs.ll";
    let other = run(other.args([module]).current_dir(directory.path()).env("RMC_RUSTC", "/usr/bin/rustc"));
    check(&other, 2, &[module, "another compiler than /usr/bin/rustc", "RMC_RUSTC"]);
}
