//! Each kind of input file, good and bad, seen from outside: what cannot be taken is refused by name, with
//! the way out. Options are tried in `cli.rs`, programs of several files in `inputs.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rmc_tests::harness::outside::{check, file, rmc, text};
use rmc_tests::harness::process::{Run, command, run, tool};
use rmc_tests::harness::repository;

const HOLDS: &str = "examples/message_passing.c";

/// The input `name` with `content` is refused with `words`.
#[track_caller]
fn check_input(name: &str, content: impl AsRef<[u8]>, words: &[&str]) {
    let (_directory, path) = file(name, content);
    let refused = run(&mut command([&path]));
    check(&refused, 2, words);
}

/// `HOLDS` as bitcode.
fn bitcode(directory: &Path) -> PathBuf {
    let path = directory.join("program.bc");
    let source = repository().join(HOLDS);
    tool("clang-16", &["-g", "-emit-llvm", "-c", text(&source), "-o", text(&path)]);
    path
}

#[test]
fn missing_file() {
    check(&rmc(["no/such/file.c"]), 2, &["no/such/file.c"]);
    check(&rmc(["no/such/file.bc"]), 2, &["no/such/file.bc"]);
}

#[test]
fn no_input_at_all() {
    check(&rmc([]), 2, &["INPUT"]);
}

#[test]
fn directory() {
    check(&rmc(["examples"]), 2, &["examples", "directory"]);
}

#[test]
fn empty_file() {
    check_input("empty.c", "", &["main"]);
    check_input("empty.bc", "", &["empty.bc"]);
    check_input("empty.ll", "", &["empty.ll", "target triple"]);
}

#[test]
fn unknown_kind_of_file() {
    check_input("program.txt", "int main(void) { return 0; }", &["program.txt", ".c"]);
}

#[test]
fn c_that_does_not_compile_shows_the_message_of_clang() {
    check_input("wrong.c", "int main(void) {\n  return x;\n}\n", &["wrong.c:2:", "use of undeclared identifier 'x'"]);
}

#[test]
fn truncated_bitcode() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let whole = fs::read(bitcode(directory.path())).expect("bitcode");
    check_input("half.bc", &whole[..whole.len() / 2], &["half.bc"]);
    check_input("head.bc", &whole[..6], &["head.bc"]);
}

#[test]
fn foreign_file_named_bitcode() {
    check_input("foreign.bc", "This is a letter to my grandmother.\n", &["foreign.bc"]);
    check_input("foreign.ll", "Dear grandmother,\n", &["foreign.ll"]);
}

/// The Rust compiler that builds these tests has a much newer LLVM than the checker.
#[test]
fn bitcode_of_a_newer_llvm() {
    // A pointer parameter gets an attribute that LLVM 16 does not know.
    let program = "#![no_main]\n#[unsafe(no_mangle)]\npub unsafe extern \"C\" fn main(_: i32, v: *const i32) -> i32 { unsafe { *v } }\n";
    let (directory, source) = file("newer.rs", program);
    let path = directory.path().join("newer.bc");
    tool("rustc", &["-O", "--emit=llvm-bc", "-Cpanic=abort", "--crate-type=bin", text(&source), "-o", text(&path)]);
    check(&run(&mut command([&path])), 2, &["newer.bc", "LLVM"]);
}

#[test]
fn no_main() {
    check_input("library.c", "int f(void) { return 1; }\n", &["main"]);
}

#[test]
fn main_of_another_shape() {
    let target = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n";
    check_input("shape.ll", format!("{target}define double @main(double %x) {{\n  ret double %x\n}}\n"), &["main"]);
    check_input("real.ll", format!("{target}define i32 @main(double %x) {{\n  ret i32 0\n}}\n"), &["main"]);
    check_input("data.ll", format!("{target}@main = global i32 0\n"), &["main"]);
}

#[test]
fn unsupported_function_and_instruction_are_named_with_their_line() {
    check_input("calls.c", "int mystery(int);\nint main(void) {\n  return mystery(1);\n}\n", &["mystery", "calls.c:3"]);
    check_input(
        "assembly.c",
        "int main(void) {\n  int a;\n  __asm__ volatile(\"cpuid\" : \"=a\"(a) : : \"ebx\", \"ecx\", \"edx\");\n  return a;\n}\n",
        &["cpuid", "assembly.c:3"],
    );
}

#[test]
fn assembly_that_may_jump_is_named() {
    let jumps = "int x;\nint main(void) {\n  asm goto(\"js %l0\" : : : : far);\n  return 0;\nfar:\n  return 1;\n}\n";
    check_input("jumps.c", jumps, &["jumps.c:3", "`asm goto`", "js"]);
    check_input("tables.c", jumps.replace("js %l0", ".long %l0"), &["tables.c:3", "`asm goto`", ".long"]);
}

#[test]
fn bitcode_and_assembly_are_inputs() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let bitcode = bitcode(directory.path());
    check(&rmc(["--relaxed-memory", "pso", text(&bitcode)]), 1, &[]);
    let assembly = directory.path().join("program.ll");
    tool("llvm-dis-16", &[text(&bitcode), "-o", text(&assembly)]);
    check(&rmc(["--relaxed-memory", "pso", text(&assembly)]), 1, &[]);
    check(&rmc(["--relaxed-memory", "tso", text(&assembly)]), 0, &[]);
}

#[test]
fn several_inputs_are_linked() {
    let (directory, main) = file(
        "main.c",
        "#include <assert.h>\n#include \"part.h\"\nint main(void) { assert(part() == VALUE); return 0; }\n",
    );
    let (include, _header) = file("part.h", "int part(void);\n");
    let part = directory.path().join("part.c");
    fs::write(&part, "int part(void) { return VALUE; }\n").expect("a file");
    let include = format!("-I{}", text(include.path()));
    check(&rmc(["-DVALUE=3", &include, text(&main), text(&part)]), 0, &[]);
    check(&rmc(["-DVALUE=3", &include, text(&main)]), 2, &["part"]);
}

#[test]
fn options_of_the_compiler_are_taken_as_they_are_typed() {
    let (directory, path) = file("program.c", "int main(void) { return A + B == 3 && sizeof(TEXT) == 4 ? 0 : 1; }\n");
    std::fs::write(directory.path().join("first.h"), "#define A 1\n").expect("a header");
    fs::create_dir(directory.path().join("more")).expect("a directory");
    fs::write(directory.path().join("more/second.h"), "#include_next <second.h>\n").expect("a header");
    fs::write(directory.path().join("second.h"), "#define B 2\n").expect("a header");
    let typed = [
        "-O2",
        "-Wall",
        "-g",
        "-pthread",
        "-lpthread",
        "-include",
        "first.h",
        "-include",
        "second.h",
        "-isystem",
        "more",
        "-isystem.",
        "-UA",
        "-DA=1",
        "-DTEXT=wrong",
        "-U",
        "TEXT",
        "-D",
        "TEXT=\"abc\"",
        "program.c",
    ];
    check(&run(command(typed).current_dir(directory.path())), 0, &[]);
    check(&run(command(["-DA=1", "-DB=2", "--cflags=-DTEXT='\"abc\"' -O1"]).arg(&path)), 0, &[]);
    check(&run(command(["--cflags=-DA='1"]).arg(&path)), 2, &["quotation mark"]);
    // The last definition counts.
    check(&run(command(["-DA=1", "-UA"]).arg(&path)), 2, &["undeclared identifier 'A'"]);
}

#[test]
fn inputs_are_known_by_their_names_or_what_is_in_them() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let object = directory.path().join("program.o");
    fs::copy(bitcode(directory.path()), &object).expect("a copy");
    check(&rmc(["--relaxed-memory", "pso", text(&object)]), 1, &[]);
    let (_other, upper) = file("program.C", "int main() { auto lambda = [] { return 0; }; return lambda(); }\n");
    check(&rmc([text(&upper)]), 0, &[]);
    check_input("machine.o", b"\x7FELF\x02\x01\x01", &["machine.o", "machine code", "-emit-llvm"]);
    check(&rmc(["--report", "no/such/place.json", HOLDS]), 2, &["no/such/place.json", "no directory no/such"]);
}

#[test]
fn a_program_may_come_on_standard_input() {
    for (program, code, words) in
        [("#include <assert.h>\nint main(void) { assert(0); }\n", 1, ""), ("int main(void) { x; }\n", 2, "<stdin>:1")]
    {
        let mut command = command(["-"]);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the checker starts");
        let mut input = child.stdin.take().expect("a pipe");
        std::io::Write::write_all(&mut input, program.as_bytes()).expect("it reads");
        drop(input);
        let ended = Run::new(&command, &child.wait_with_output().expect("it ends"));
        check(&ended, code, &[words]);
        assert!(code == 2 || ended.stdout.contains("<stdin>:2"), "{}", ended.describe());
    }
}
