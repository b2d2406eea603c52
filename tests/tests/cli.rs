//! The command line: every exit code, every kind of bad input, seen from outside.
//!
//! Whatever goes wrong, the checker names it and the way out, and never panics.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rmc_tests::harness::outside::{check, file, rmc, text};
use rmc_tests::harness::process::{Run, command, run, run_with_report};
use rmc_tests::harness::repository;
use serde_json::Value;

const HOLDS: &str = "examples/message_passing.c";
const VIOLATED: &str = "examples/store_buffering.c";
const NOT_ROBUST: &str = "tests/programs/robustness/store_buffering.c";
const ENDLESS: &str = "tests/programs/termination/endless_counter.c";

/// The input `name` with `content` is refused with `words`.
#[track_caller]
fn check_input(name: &str, content: impl AsRef<[u8]>, words: &[&str]) {
    let (_directory, path) = file(name, content);
    let refused = run(&mut command([&path]));
    check(&refused, 2, words);
}

/// Runs a tool of the tests, which must succeed.
#[track_caller]
fn tool(program: &str, arguments: &[&str]) {
    let done = run(Command::new(program).args(arguments));
    assert_eq!(done.code, Some(0), "{}", done.describe());
}

/// `HOLDS` as bitcode.
fn bitcode(directory: &Path) -> PathBuf {
    let path = directory.join("program.bc");
    let source = repository().join(HOLDS);
    tool("clang-16", &["-g", "-emit-llvm", "-c", text(&source), "-o", text(&path)]);
    path
}

/// With `-vv` the stateless engine says what it does, and does the same.
#[test]
fn the_search_is_explained_if_asked_for() {
    let search = |option| rmc(["--engine", "dpor", "--no-progress", "--color=never", option, VIOLATED]);
    let [silent, once, twice] = ["--jobs=1", "-v", "-vv"].map(search);
    let of_engine = |run: &Run| run.stderr.lines().filter(|line| line.starts_with("rmc-check: dpor: ")).count();
    for words in
        ["execution of 14 events", "race of 4 and 7", "planned at 4: thread 1", "asleep at 5: thread 2", "writes x"]
    {
        assert!(twice.stderr.contains(words), "no {words}: {}", twice.stderr);
    }
    assert_eq!([of_engine(&silent), of_engine(&once)], [0, 0]);
    // The second line ends with seconds and memory.
    let counts = |run: &Run| run.stdout.lines().nth(1).and_then(|line| Some(line.split_once(", depth")?.0.to_owned()));
    let rest = |run: &Run| run.stdout.lines().skip(2).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((twice.code, counts(&twice), rest(&twice)), (silent.code, counts(&silent), rest(&silent)));
}

// Exit codes.

#[test]
fn holds_is_zero() {
    check(&rmc([HOLDS]), 0, &[]);
}

#[test]
fn violated_is_one() {
    check(&rmc([VIOLATED]), 1, &[]);
    check(&rmc(["--relaxed-memory", "sc", VIOLATED]), 0, &[]);
}

#[test]
fn limits_are_three() {
    check(&rmc(["--max-states", "1000", ENDLESS]), 3, &[]);
    check(&rmc(["--timeout", "1", ENDLESS]), 3, &[]);
    check(&rmc(["--max-memory", "4M", ENDLESS]), 3, &[]);
}

/// The stateless engine remembers what there is room for, which is less than it would otherwise here, and
/// gets to the end.
#[test]
fn what_is_only_remembered_is_no_reason_to_stop() {
    let options = ["--engine", "dpor", "--relaxed-memory", "tso", "--max-memory", "512K", "-DN=2", "-DITEMS=2"];
    let explored = run(&mut command(options.iter().chain(&["benches/programs/queue.c"])));
    check(&explored, 0, &[]);
    assert!(explored.stdout.contains("5,568 executions"), "{}", explored.describe());
}

#[test]
fn recursion_without_end_is_three() {
    check(&rmc(["tests/programs/termination/endless_recursion.c"]), 3, &[]);
}

#[test]
fn help_and_version_are_zero() {
    let help = rmc(["--help"]);
    check(&help, 0, &[]);
    for option in ["--relaxed-memory", "--buffer-bound", "--max-states", "--report", "--replay", "--keep-going"] {
        assert!(help.stdout.contains(option), "{option} is missing\n{}", help.describe());
    }
    check(&rmc(["--version"]), 0, &[]);
}

// Bad input.

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
fn unknown_option_and_model() {
    check(&rmc(["--frobnicate", HOLDS]), 2, &["--frobnicate"]);
    check(&rmc(["--relaxed-memory", "arm", HOLDS]), 2, &["arm", "pso"]);
    check(&rmc(["--engine", "steam", HOLDS]), 2, &["steam", "explicit"]);
}

#[test]
fn an_option_that_is_given_again_overrides_the_earlier_one() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (first, second) = (directory.path().join("1.json"), directory.path().join("2.json"));
    let twice = ["--relaxed-memory", "sc", "--relaxed-memory", "pso", "--timeout", "50", "--timeout", "90", "-q", "-q"];
    let lists = ["-DA", "-DB", "--cflags=-DC", "--cflags=-DD", "--report", text(&first), "--report", text(&second)];
    let program =
        "#if !defined A || !defined B || !defined C || !defined D\n#error\n#endif\nint main(void) { return 0; }\n";
    let (_directory, path) = file("program.c", program);
    let done = run(command(twice).args(lists).arg(&path));
    assert_eq!((done.code, done.stdout.as_str()), (Some(0), "holds under pso\n"), "{}", done.describe());
    for report in [first, second] {
        let report: Value = serde_json::from_str(&fs::read_to_string(report).expect("a report")).expect("JSON");
        assert_eq!(report.pointer("/bounds/timeout_seconds").and_then(Value::as_f64), Some(90.0), "{report}");
    }
}

#[test]
fn a_run_checks_one_property() {
    check(
        &rmc(["--property", "unreach-call", "--property", "no-data-race", HOLDS]),
        2,
        &["--property", "more than once"],
    );
    let again = rmc(["--property", "unreach-call", "--property", "unreach-call", HOLDS]);
    assert_eq!(again.code, Some(0), "{}", again.describe());
}

#[test]
fn bounds_of_the_wrong_kind() {
    for (option, value) in [
        ("--buffer-bound", "many"),
        ("--buffer-bound", "1.5"),
        ("--max-states", "few"),
        ("--max-memory", "lots"),
        ("--timeout", "soon"),
    ] {
        check(&rmc([option, value, HOLDS]), 2, &[option, value]);
    }
    check(&rmc(["--buffer-bound=-1", HOLDS]), 2, &["--buffer-bound", "-1"]);
}

#[test]
fn report_that_cannot_be_written() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let nowhere = directory.path().join("no/such/report.json");
    check(&rmc(["--report", text(&nowhere), HOLDS]), 2, &["no/such/report.json"]);
    check(&rmc(["--report", text(directory.path()), HOLDS]), 2, &[text(directory.path())]);
}

#[test]
fn clang_is_not_installed() {
    let missing = run(command([HOLDS]).env("RMC_CLANG", "/nonexistent/clang"));
    check(&missing, 2, &["/nonexistent/clang", "clang-16"]);
}

#[test]
fn no_report_of_what_was_refused() {
    let (refused, report) = run_with_report(["no/such/file.c"]);
    check(&refused, 2, &[]);
    assert_eq!(report, None);
}

#[test]
fn replay_of_what_is_no_report() {
    let (_directory, path) = file("report.json", "{}");
    check(&rmc(["--replay", text(&path), VIOLATED]), 2, &["report.json"]);
    check(&rmc(["--replay", "no/such/report.json", VIOLATED]), 2, &["no/such/report.json"]);
}

#[test]
fn a_report_replays_and_a_file_is_named_from_any_directory() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let inside = |name: &str| directory.path().join(name);
    ["here", "there"].iter().for_each(|name| fs::create_dir(inside(name)).expect("a directory"));
    fs::copy(repository().join(VIOLATED), inside("here/program.c")).expect("a copy");
    let relative = run(command(["--report", "report.json", "program.c"]).current_dir(inside("here")));
    check(&relative, 1, &[]);
    assert!(relative.stdout.contains("\nprogram.c:"), "{}", relative.describe());
    let again = run(command(["--replay", "../here/report.json"]).current_dir(inside("there")));
    check(&again, 1, &[]);
    // The compiler takes what the name has in common with its directory from the name.
    let program = inside("here/program.c");
    let absolute = run(command([&program]).current_dir(inside("there")));
    check(&absolute, 1, &[]);
    assert!(absolute.stdout.contains(&format!("\n{}:", text(&program))), "{}", absolute.describe());
    fs::remove_dir_all(inside("here")).expect("it is there");
}

#[test]
fn replay_takes_its_options_from_the_report() {
    for option in ["--races", "--svcomp", "--relaxed-memory=sc", "--leaks", "--property=no-data-race", "--timeout=5"] {
        let name = option.split('=').next().unwrap_or(option);
        check(&rmc(["--replay", "report.json", option]), 2, &["--replay", name]);
    }
}

#[test]
fn replay_of_a_deadlock_that_is_none() {
    let deadlock = "tests/programs/sync/lock_order.c";
    let (_directory, path) = file("report.json", "");
    assert_eq!(rmc(["-q", "--report", text(&path), deadlock]).code, Some(1));
    let mut report: Value = serde_json::from_slice(&fs::read(&path).expect("the report")).expect("JSON");
    report["violations"][0]["schedule"].as_array_mut().expect("a schedule").pop();
    fs::write(&path, report.to_string()).expect("the report is written");
    check(&rmc(["--replay", text(&path)]), 2, &["another program"]);
}

#[test]
fn replay_of_a_cycle_that_is_none() {
    let (_directory, path) = file("report.json", "");
    assert_eq!(rmc(["-q", "--robustness", "--report", text(&path), NOT_ROBUST]).code, Some(1));
    let mut report: Value = serde_json::from_slice(&fs::read(&path).expect("the report")).expect("JSON");
    report["violations"][0]["schedule"].as_array_mut().expect("a schedule").truncate(3);
    fs::write(&path, report.to_string()).expect("the report is written");
    check(&rmc(["--replay", text(&path)]), 2, &["another program"]);
}

#[test]
fn robustness_is_refused_where_it_means_nothing() {
    let (_directory, task) = file("task.yml", "format_version: '2.0'\ninput_files: x.c\nproperties: []\n");
    check(&rmc(["--robustness", "--property", "unreach-call", HOLDS]), 2, &["--robustness", "--property"]);
    check(&rmc(["--robustness", "--cross-check", HOLDS]), 2, &["--robustness", "--cross-check"]);
    check(&rmc(["--robustness", "--engine", "explicit", HOLDS]), 2, &["--robustness", "dpor"]);
    check(&rmc(["--robustness", "--spurious-wakeups", HOLDS]), 2, &["--spurious-wakeups"]);
    check(&rmc(["--replay", "report.json", "--robustness"]), 2, &["--replay", "--robustness"]);
    assert_eq!(rmc(["--robustness", text(&task)]).code, Some(2));
}

/// Each in the same words, and before anything is compiled.
#[test]
fn options_that_an_engine_cannot_do_are_refused() {
    let stateless = ["--races", "--spurious-wakeups", "--jobs=2", "--reduce=all", "--store=compact", "--checkpoint=c"];
    for option in stateless {
        for engine in ["--engine=dpor", "--engine=dpor-source"] {
            let name = option.split('=').next().expect("a name");
            check(&rmc([option, engine, "not/there.c"]), 2, &[name, "works with --engine explicit only"]);
        }
    }
    for option in ["--robustness", "--unroll=3"] {
        let words = [option.trim_end_matches("=3"), "works with --engine dpor or dpor-source only"];
        check(&rmc([option, "--engine=explicit", "not/there.c"]), 2, &words);
    }
    check(&rmc(["--races", "--cross-check", "not/there.c"]), 2, &["--races", "explicit only"]);
    check(&rmc(["--jobs=2", "--cross-check", HOLDS]), 0, &[]);
    check(&rmc(["--replay", "report.json", "--cross-check"]), 2, &["--replay", "--cross-check"]);
}

#[test]
fn workers_belong_to_the_explicit_engine() {
    check(&rmc(["--jobs", "2", "--engine", "dpor", HOLDS]), 2, &["--jobs", "--engine explicit"]);
    check(&rmc(["--jobs", "0", HOLDS]), 2, &["--jobs", "between 1 and"]);
    check(&rmc(["--jobs", "many", HOLDS]), 2, &["--jobs", "between 1 and"]);
    check(&rmc(["--jobs", "3", HOLDS]), 0, &[]);
}

#[test]
fn two_files_in_one() {
    for path in ["no/such/file", "-"] {
        let refused = rmc(["--property", "no-data-race", "--report", path, "--witness", path, HOLDS]);
        check(&refused, 2, &["--report", "--witness", path]);
    }
}

// Interruption.

#[test]
fn interrupted_run_reports_what_it_did() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("report.json");
    let mut command = command(["--report", text(&path), ENDLESS]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let started = Instant::now();
    let child = command.spawn().expect("the checker starts");
    sleep(Duration::from_secs(3));
    tool("kill", &["-INT", &child.id().to_string()]);
    let output = child.wait_with_output().expect("the checker ends");
    check(&Run::new(&command, &output), 3, &[]);
    assert!(started.elapsed() < Duration::from_secs(20), "it takes {:?} to stop", started.elapsed());
    let report: Value = serde_json::from_slice(&fs::read(&path).expect("a report")).expect("the whole report");
    assert_eq!(report["verdict"], "unknown");
    assert!(report["reason"].as_str().is_some_and(|reason| reason.contains("interrupt")), "{}", report["reason"]);
    assert!(report["statistics"]["states"].as_u64().is_some_and(|states| states > 0));
}

// Input.

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

// Options and inputs of compilers.

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
    // What is defined last counts.
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
