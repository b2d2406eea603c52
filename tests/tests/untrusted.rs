//! Bitcode and assembly may come from anywhere. Whatever their content is, a run ends with one of its exit
//! codes and a message that names the file.
//!
//! Damaged files come from a generator of random numbers with a fixed seed. `RMC_DAMAGED=N` tries N of each
//! kind instead of a few.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rmc_tests::generated::random::Random;
use rmc_tests::harness::outside::{check, file, text};
use rmc_tests::harness::process::{command, rmc_check, run};
use rmc_tests::harness::repository;

/// Runs a tool of LLVM, which must succeed.
#[track_caller]
fn tool(program: &str, arguments: &[&str]) {
    let done = run(Command::new(program).args(arguments));
    assert_eq!(done.code, Some(0), "{}", done.describe());
}

/// A program as bitcode, and instrumented.
fn compiled(directory: &Path) -> [PathBuf; 2] {
    let source = repository().join("examples/message_passing.c");
    let (plain, instrumented) = (directory.join("plain.bc"), directory.join("instrumented.bc"));
    tool("clang-16", &["-g", "-O1", "-emit-llvm", "-c", text(&source), "-o", text(&plain)]);
    let plugin = format!("-load-pass-plugin={}", text(&rmc_check().with_file_name("librmc_pass.so")));
    tool("opt-16", &[&plugin, "-passes=rmc-instrument", text(&plain), "-o", text(&instrumented)]);
    [plain, instrumented]
}

/// A damaged copy of a file: some bits are flipped, or its end is cut off.
fn damage(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    if random.below(8) == 0 {
        bytes.truncate(8 + random.below(bytes.len() - 8));
    }
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    }
    bytes
}

#[test]
fn damaged_bitcode_ends_no_run_with_a_signal() {
    let directory = tempfile::tempdir().expect("a directory");
    let number = std::env::var("RMC_DAMAGED").map_or(24, |number| number.parse().expect("a number"));
    for (seed, path) in compiled(directory.path()).into_iter().enumerate() {
        let (whole, mut random) = (fs::read(path).expect("bitcode"), Random::new(seed as u64 + 1));
        for _ in 0..number {
            let damaged = directory.path().join("damaged.bc");
            fs::write(&damaged, damage(whole.clone(), &mut random)).expect("a file");
            let ended = run(&mut command(["--timeout", "5", text(&damaged)]));
            assert!(matches!(ended.code, Some(0..=3)), "{}", ended.describe());
            assert!(ended.code != Some(2) || ended.stderr.starts_with("rmc-check: "), "{}", ended.describe());
        }
    }
}

/// LLVM's verifier accepts such a module, and its functions take the unit for a file.
#[test]
fn debug_information_of_a_wrong_kind_is_refused() {
    let (directory, source) = file("nested.c", "int main(void) { { int x = 1; return x - 1; } }\n");
    let assembly = directory.path().join("nested.ll");
    tool("clang-16", &["-g", "-S", "-emit-llvm", text(&source), "-o", text(&assembly)]);
    let whole = fs::read_to_string(&assembly).expect("assembly");
    let after = |text: &str, ends: char| {
        let rest = whole.split(text).nth(1).expect("debug information of a block");
        rest.split(ends).next().expect("a text").to_owned()
    };
    let unit = after("!llvm.dbg.cu = !{", '}');
    let block = format!("!DILexicalBlock({}", after("!DILexicalBlock(", ','));
    let file = after(&format!("{block}, file: "), ',');
    let damaged = whole.replace(&format!("{block}, file: {file}"), &format!("{block}, file: {unit}"));
    assert_ne!(damaged, whole);
    fs::write(&assembly, damaged).expect("assembly");
    check(&run(&mut command([&assembly])), 2, &["nested.ll", "debug information"]);
}

/// LLVM's reader takes the character after `@` for a length, and throws an exception if that is negative.
#[test]
fn assembly_that_crashes_the_reader_is_refused() {
    let module = "define i32 @main() {\n  call void asm \"\", \"@ \"()\n  ret i32 0\n}\n";
    let (_directory, path) = file("constraint.ll", module);
    check(&run(&mut command([&path])), 2, &["constraint.ll", "opt failed", "damaged"]);
}

#[test]
fn calls_that_no_pass_makes_are_refused_with_their_place() {
    let refused = [
        ("int f(int n) { return __rmc_load_4(&g, n); }", "memory order"),
        ("int f(int n) { return __rmc_load_4(&g, 6); }", "memory order"),
        ("int f(int n) { return __rmc_load_4(&g); }", "1 arguments instead of 2"),
        ("void f(int n) { __rmc_lifetime_end(); }", "0 arguments instead of 2"),
        ("void f(int n) { __rmc_lifetime_end(&g, n); }", "integer of 64 bits"),
        ("void f(int n) { __rmc_memcpy(&g, &h, 4L, 4); }", "constant from 0 to 3"),
        ("void f(int n) { __rmc_rmw_4(&g, 1, 99, 5); }", "operation"),
        ("void f(int n) { __rmc_store_8(&g, 1L, n); }", "memory order"),
        ("void f(int n) { __rmc_gather_4(&g, &h, 1L, (long)n); }", "constant from 0 to 64"),
        ("void f(int n) { __rmc_scatter_8(&g, &h, n, 1L); }", "integer of 64 bits"),
        ("void f(int n) { __rmc_fence(n); }", "memory order"),
        ("void f(int n) { __rmc_store_4(&g, 1, 0); }", "result of another type"),
        ("int __rmc_load_4(int *p, int order) { return *p; }\nvoid f(int n) {}", "reserved"),
    ];
    for (function, words) in refused {
        let program = format!("int g, h;\n{function}\nint main(int n, char **v) {{ f(n); return 0; }}\n");
        let (_directory, path) = file("program.c", program);
        let done = run(&mut command(["--cflags=-Wno-everything", text(&path)]));
        check(&done, 2, &["program.c:2", "__rmc_", words]);
    }
    let unknown =
        "void __rmc_store_0(int *, int, int);\nint g;\nint main(void) { __rmc_store_0(&g, 1, 1); return 0; }\n";
    let (_directory, path) = file("program.c", unknown);
    check(&run(&mut command([&path])), 2, &["program.c:3", "__rmc_store_0"]);
}

#[test]
fn a_name_that_looks_like_an_option_is_a_name() {
    let (directory, path) = file("-dash.c", "int main(void) { return 0; }\n");
    check(&run(command(["--", "-dash.c"]).current_dir(directory.path())), 0, &[]);
    let bitcode = directory.path().join("-dash.bc");
    tool("clang-16", &["-g", "-emit-llvm", "-c", text(&path), "-o", text(&bitcode)]);
    check(&run(command(["--", "-dash.bc"]).current_dir(directory.path())), 0, &[]);
}

/// A report names its inputs exactly, even if their names are not UTF-8.
#[test]
fn names_that_are_no_text_are_found_again() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(OsStr::from_bytes(b"na\xFFme.c"));
    fs::write(&path, "#include <assert.h>\nint main(void) { assert(0); }\n").expect("a file");
    let report = directory.path().join("report.json");
    let found = run(command(["--report", text(&report)]).arg(&path));
    check(&found, 1, &[]);
    check(&run(&mut command(["--replay", text(&report)])), 1, &[]);
}
