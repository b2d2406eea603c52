//! The program as it is called: exit codes, outputs, and the examples.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rmc_history::{json, text};
use rmc_runtime::Model;

fn examples() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/histories");
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory).expect("examples").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn run(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmc-history"));
    let mut child = command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    // It may end before it has read all.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

/// Checks the exit code and both outputs.
#[track_caller]
fn check(arguments: &[&str], input: &str, code: i32, output: &str, messages: &str) {
    let got = run(arguments, input);
    assert_eq!(String::from_utf8_lossy(&got.stderr), messages);
    assert_eq!(String::from_utf8_lossy(&got.stdout), output);
    assert_eq!(got.status.code(), Some(code));
}

const SB: &str = "history SB\n  T1: w x 1; r y 0\n  T2: w y 1; r x 0\n  expect sc no, tso yes, pso yes\n";

#[test]
fn the_examples_are_as_expected() {
    let files = examples();
    assert!(files.len() >= 6);
    for file in &files {
        let contents = fs::read_to_string(file).expect("a text");
        let is_json = file.extension().is_some_and(|extension| extension == "json");
        let read = if is_json { json::parse(&contents, "file") } else { text::parse(&contents, "file") };
        for located in read.expect("it can be read") {
            let expect = located.recorded.expect;
            assert!(Model::ALL.iter().all(|&model| expect.of(model).is_some()), "{:?}", located.recorded.name);
        }
    }
    let paths: Vec<&str> = files.iter().map(|file| file.to_str().expect("a path")).collect();
    let got = run(&paths, "");
    let printed = String::from_utf8_lossy(&got.stdout);
    assert_eq!(got.status.code(), Some(0), "{printed}");
    assert!(printed.lines().count() > 100 && printed.lines().all(|line| line.ends_with(", as expected")), "{printed}");
}

#[test]
fn the_short_answer() {
    let output = "SB: sc forbidden, as expected\nSB: tso allowed, as expected\nSB: pso allowed, as expected\n";
    check(&["-"], SB, 0, output, "");
    check(
        &["--model", "pso,sc", "--model", "sc", "-"],
        "T1: w x 1",
        0,
        "history 1: sc allowed\nhistory 1: pso allowed\n",
        "",
    );
}

#[test]
fn an_unmet_expectation_is_exit_code_1() {
    let wrong = "T1: w x 1; r x 1; expect sc no; history; T1: r x 0; expect sc yes";
    let output = "history 1: sc allowed, but expected to be forbidden\nhistory 2: sc allowed, as expected\n";
    check(&["--model", "sc", "-"], wrong, 1, output, "");
    // A model that is not asked is not compared.
    check(&["--model", "tso", "-"], wrong, 0, "history 1: tso allowed\nhistory 2: tso allowed\n", "");
}

#[test]
fn bad_input_is_exit_code_2() {
    let message =
        "rmc-history: standard input:1:6: expected a variable, found the end of the statement\n  as in `w x 1`\n";
    check(&["-"], "T1: w", 2, "", message);
    // A history that means nothing does not keep others from being decided, and its code prevails.
    let some = "T1: r x 0 from T2:1\nhistory; T1: w x 1; expect sc no";
    let message = "rmc-history: standard input:1:5: there is no thread T2\n  the threads are T1\n";
    check(&["--model", "sc", "-"], some, 2, "history 2: sc allowed, but expected to be forbidden\n", message);
    let got = run(&["no_such_file.hist"], "");
    assert_eq!(got.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&got.stderr).starts_with("rmc-history: no_such_file.hist: No such file"));
    assert_eq!(run(&["--model", "arm", "-"], SB).status.code(), Some(2));
    assert_eq!(run(&[], "").status.code(), Some(2));
}

#[test]
fn explanations_have_the_texts_of_events() {
    let cycle = "\
SB: sc forbidden, as expected
  T1:1 (`w x 1`) is executed before T1:2 (`r y 0`): they are in program order.
  T1:2 (`r y 0`) is executed before T2:1 (`w y 1`): the first reads the initial value, which the second overwrites.
  T2:1 (`w y 1`) is executed before T2:2 (`r x 0`): they are in program order.
  T2:2 (`r x 0`) is executed before T1:1 (`w x 1`): the first reads the initial value, which the second overwrites.
";
    check(&["--explain", "--model", "sc", "-"], SB, 0, cycle, "");
    let witness = "\
SB: tso allowed, as expected
    1  T1:1      w x 1   (waits in the store buffer)
    2  T1:2      r y 0
    3  T2:1      w y 1   (waits in the store buffer)
    4  T2:2      r x 0
    5  T1:1      w x 1   reaches memory
    6  T2:1      w y 1   reaches memory
";
    check(&["--explain", "--model", "tso", "-"], SB, 0, witness, "");
    let barrier = "T1: w data 1; stbar; w flag 1; T2: r flag 1; r data 0";
    let cycle = "\
history 1: pso forbidden
  T1:1 (`w data 1`) reaches memory before T1:3 (`w flag 1`): a store-store barrier is between these stores of one thread.
  T1:3 (`w flag 1`) reaches memory before T2:1 (`r flag 1`) is executed: the second reads from the first.
  T2:1 (`r flag 1`) is executed before T2:2 (`r data 0`): they are in program order.
  T2:2 (`r data 0`) is executed before T1:1 (`w data 1`) reaches memory: the first reads the initial value, which the second overwrites.
";
    check(&["--explain", "--model", "pso", "-"], barrier, 0, cycle, "");
}

#[test]
fn answers_in_json() {
    let output = "{\"schema\":\"rmc.history.v1\",\"histories\":[\n{\"file\":\"standard input\",\"number\":1,\"name\":\"history 1\",\"line\":1,\"answers\":[{\"model\":\"sc\",\"allowed\":true,\"witness\":[{\"step\":\"event\",\"event\":\"T1:1\",\"text\":\"r x 0\"}]}]},\n{\"file\":\"standard input\",\"number\":2,\"name\":\"CoWR\",\"line\":1,\"answers\":[{\"model\":\"sc\",\"allowed\":false,\"expected\":false,\"cycle\":[\"T1:2 (`r x 0`) reads the initial value, although T1:1 (`w x 1`) is an earlier store of its thread to the same bytes.\"]}]}\n]}\n";
    let input = "T1: r x 0; history CoWR; T1: w x 1; r x 0; expect sc no";
    check(&["--json", "--explain", "--model", "sc", "-"], input, 0, output, "");
    serde_json::from_str::<serde_json::Value>(output).expect("it is JSON");
}

#[test]
fn other_formats() {
    let converted = run(&["--convert", "json", "-"], SB);
    let converted = String::from_utf8(converted.stdout).expect("a text");
    check(&["--format", "json", "--convert", "text", "-"], &converted, 0, SB, "");
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("sb.json");
    fs::write(&path, &converted).expect("it can be written");
    let path = path.to_str().expect("a path");
    check(&["--model", "sc", path], "", 0, "SB: sc forbidden, as expected\n", "");
}

#[test]
fn answers_are_in_the_order_of_the_input() {
    let mut input = String::new();
    let mut output = String::new();
    for number in 0..500 {
        // The first ones take longest.
        let long = if number < 5 { "w x 1; w y 1; ".repeat(500) } else { String::new() };
        input += &format!("history h{number}; T1: {long} w z 1; T2: r z 1\n");
        output += &format!("h{number}: tso allowed\n");
    }
    for jobs in ["1", "2", "5"] {
        check(&["--model", "tso", "--jobs", jobs, "-"], &input, 0, &output, "");
    }
}
