//! Witnesses are valid by the rules of the format (`rmc_tests::witness`), are about the right events, and are
//! the same in every run.

use std::fs;
use std::path::Path;
use std::process::Command;

use rmc_tests::harness::process::{Run, command, run};
use rmc_tests::witness::validate;
use serde_norway::Value;
use tempfile::TempDir;

/// A program whose violation needs two threads in the right order and the value 3; lines are counted below.
const PROGRAM: &str = "#include <pthread.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int x, y;
void *writer(void *unused) {
  x = __VERIFIER_nondet_uchar();
  y = 1;
  return unused;
}
int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, writer, 0);
  pthread_join(first, 0);
  y = 0;
  pthread_create(&second, 0, writer, 0);
  int seen = y;
  if (seen == 1 && x == ERROR)
    reach_error();
  return 0;
}
";

/// Checks the program in a directory of its own, with these options and a witness.
fn check(options: &[&str]) -> (TempDir, Run, Option<String>) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::write(directory.path().join("program.c"), PROGRAM).expect("a file");
    let fixed = ["--relaxed-memory", "sc", "--witness", "witness.yml", "program.c"];
    let run = run(command(options.iter().chain(&fixed)).current_dir(directory.path()));
    let witness = fs::read_to_string(directory.path().join("witness.yml")).ok();
    (directory, run, witness)
}

#[track_caller]
fn valid(directory: &Path, run: &Run, witness: Option<String>) -> (String, Value) {
    let witness = witness.unwrap_or_else(|| panic!("no witness\n{}", run.describe()));
    validate(&witness, directory).unwrap_or_else(|rule| panic!("{rule}\n{witness}{}", run.describe()));
    let value: Value = serde_norway::from_str(&witness).expect("it was read before");
    (witness, value[0].clone())
}

/// The type, thread and line of each waypoint.
fn waypoints(entry: &Value) -> Vec<(String, u64, u64)> {
    let segments = entry["content"].as_sequence().expect("a list");
    let waypoints = segments.iter().flat_map(|segment| segment["segment"].as_sequence().expect("a list"));
    let summary = waypoints.map(|step| {
        let waypoint = &step["waypoint"];
        let kind = waypoint["type"].as_str().expect("a type").to_owned();
        let line = waypoint["location"]["line"].as_u64().expect("a line");
        (kind, waypoint["thread_id"].as_u64().expect("a thread"), line)
    });
    summary.collect()
}

#[test]
fn a_violation_is_told_as_creations_values_switches_and_the_target() {
    let (directory, run, witness) = check(&["--property", "unreach-call", "-DERROR=3"]);
    assert_eq!(run.code, Some(1), "{}", run.describe());
    let (text, entry) = valid(directory.path(), &run, witness);
    let expected = [
        ("function_enter", 0, 12),
        ("function_return", 1, 6),
        ("assumption", 0, 13),
        ("function_enter", 0, 15),
        ("function_return", 2, 6),
        ("assumption", 0, 16),
        ("target", 0, 18),
    ];
    let expected = expected.map(|(kind, thread, line)| (kind.to_owned(), thread, line));
    assert_eq!(waypoints(&entry), expected, "{text}");
    assert!(text.contains("\\result == 3"), "{text}");
}

#[test]
fn a_data_race_has_two_targets() {
    let (directory, run, witness) = check(&["--property", "no-data-race", "-DERROR=3"]);
    assert_eq!(run.code, Some(1), "{}", run.describe());
    let (text, entry) = valid(directory.path(), &run, witness);
    let targets: Vec<_> = waypoints(&entry).into_iter().filter(|(kind, ..)| kind == "target").collect();
    assert_eq!(targets.len(), 2, "{text}");
    assert_ne!(targets[0].1, targets[1].1, "{text}");
}

#[test]
fn a_proof_is_an_invariant_set() {
    let (directory, run, witness) = check(&["--property", "unreach-call", "-DERROR=300"]);
    assert_eq!(run.code, Some(0), "{}", run.describe());
    let (text, entry) = valid(directory.path(), &run, witness);
    assert_eq!(entry["entry_type"], "invariant_set", "{text}");
    let sum = Command::new("sha256sum").arg(directory.path().join("program.c")).output().expect("sha256sum runs");
    let sum = String::from_utf8_lossy(&sum.stdout)[..64].to_owned();
    assert_eq!(entry["metadata"]["task"]["input_file_hashes"]["program.c"], sum.as_str(), "{text}");
}

#[test]
fn unknown_has_no_witness() {
    let (_directory, run, witness) =
        check(&["--property", "unreach-call", "-DERROR=300", "--no-reduce=inputs", "--max-states", "10"]);
    assert_eq!(run.code, Some(3), "{}", run.describe());
    assert!(witness.is_none() && run.stderr.contains("no witness"), "{}", run.describe());
}

#[test]
fn all_but_the_time_is_determined() {
    let stable = || {
        let (_directory, _, witness) = check(&["--property", "unreach-call", "-DERROR=3"]);
        let witness = witness.expect("a witness");
        witness.lines().filter(|line| !line.contains("creation_time")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(stable(), stable());
}

#[test]
fn bad_options_are_named() {
    let (_directory, run, _) = check(&["-DERROR=3"]);
    assert!(run.code == Some(2) && run.stderr.contains("--property"), "{}", run.describe());
    let arguments =
        ["--property", "unreach-call", "--witness", "no/such/directory/w.yml", "examples/message_passing.c"];
    let run = rmc_tests::harness::process::run(&mut command(arguments));
    assert!(run.code == Some(2) && run.stderr.contains("no/such/directory/w.yml"), "{}", run.describe());
}

/// The validator rejects witnesses that break a rule.
#[test]
fn the_rules_have_teeth() {
    let (directory, run, witness) = check(&["--property", "unreach-call", "-DERROR=3"]);
    let (text, _) = valid(directory.path(), &run, witness);
    let breaks = [
        ("format_version: '2.2'", "format_version: '2.0'", "thread_id before"),
        ("type: target", "type: function_enter", "must"),
        ("\\result == 3", "x == 3", "constraint of function_return"),
        ("thread_id: 2", "thread_id: 3", "does not exist"),
        ("line: 18", "line: 1800", "line 1800"),
        ("data_model: LP64", "data_model: LP32", "data_model"),
        ("creation_time: '2", "creation_time: '", "creation_time"),
        ("language: C", "language: C\n      dialect: GNU", "has a key"),
        ("action: follow", "action: avoid", "must end with `follow`"),
    ];
    for (right, wrong, rule) in breaks {
        assert!(text.contains(right), "{right}\n{text}");
        let error = validate(&text.replace(right, wrong), directory.path()).expect_err(wrong);
        assert!(error.contains(rule), "{wrong}: {error}");
    }
}
