//! Tasks of the software verification competition: task files and property files as input, the violations
//! that count for each property, and bad input.

use std::fs;
use std::path::PathBuf;

use rmc_tests::harness::process::{Run, command, run, run_with_report};
use serde_json::Value;
use tempfile::TempDir;

/// The program has a different violation in each part, and the property decides whether it counts: a division
/// of `INT_MIN` by -1 in PART 1, a lost allocation in 2, an access out of bounds in 3, `abort` in 4, a call
/// of the error function in 5, a data race in 6.
const PROGRAM: &str = r"
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
void reach_error(void) { abort(); }
int divisor = -1, dividend = INT_MIN, elements[2], last = 2;
void *kept;
void *writer(void *unused) {
  divisor = 1;
  return unused;
}
int main(void) {
#if PART == 1
  return dividend / divisor ? 0 : 1;
#elif PART == 2
  kept = malloc(1);
  kept = 0;
#elif PART == 3
  elements[last] = 1;
#elif PART == 4
  abort();
#elif PART == 5
  reach_error();
#elif PART == 6
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  divisor = 2;
  pthread_join(thread, 0);
#endif
  return 0;
}
";

const UNREACH: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
const SAFETY: &str = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n\n";

/// A directory with the program, two property files and a task with this text after its format version.
fn task(text: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("task.yml");
    fs::create_dir(directory.path().join("properties")).expect("a directory");
    let files = [
        ("program.c", PROGRAM),
        ("properties/unreach-call.prp", UNREACH),
        ("properties/valid-memsafety.prp", SAFETY),
        ("properties/termination.prp", "CHECK( init(main()), LTL(F end) )\n"),
    ];
    files.iter().for_each(|(name, content)| fs::write(directory.path().join(name), content).expect("a file"));
    fs::write(&file, format!("format_version: '2.0'\n{text}")).expect("a task");
    (directory, file)
}

fn one_property(property: &str, verdict: &str) -> String {
    format!(
        "input_files: 'program.c'\nproperties:\n  - property_file: properties/{property}.prp\n    expected_verdict: {verdict}\noptions:\n  language: C\n  data_model: LP64\n"
    )
}

#[track_caller]
fn check(text: &str, options: &[&str], code: i32, words: &[&str]) -> Option<Value> {
    let (_directory, file) = task(text);
    let arguments = options.iter().copied().chain([file.to_str().expect("temporary paths are text")]);
    let (run, report) = run_with_report(arguments);
    says(&run, code, words);
    report
}

#[track_caller]
fn says(run: &Run, code: i32, words: &[&str]) {
    assert_eq!(run.code, Some(code), "{}", run.describe());
    for word in words {
        assert!(run.stdout.contains(word) || run.stderr.contains(word), "nothing says `{word}`\n{}", run.describe());
    }
}

/// Checks the program's PART under a property: exit code and first violation.
#[track_caller]
fn part(number: u32, property: &str, code: i32, kind: Option<&str>) {
    let define = format!("-DPART={number}");
    let report = check(&one_property("unreach-call", "true"), &[&define, "--property", property], code, &[]);
    let found = report.expect("a report")["violations"][0]["kind"].as_str().map(str::to_owned);
    assert_eq!(found.as_deref(), kind, "PART {number} under {property}");
}

#[test]
fn the_verdict_is_compared_with_the_expected_one() {
    let report = check(
        &one_property("unreach-call", "true"),
        &[],
        0,
        &["unreach-call: true under tso; as expected under sc: true"],
    );
    assert_eq!(report.expect("a report")["task"]["agrees"], true);
    let report = check(&one_property("unreach-call", "false"), &[], 0, &["DIFFERS"]);
    assert_eq!(report.expect("a report")["task"]["agrees"], false);
    check(&one_property("unreach-call", "false"), &["-DPART=5"], 1, &["unreach-call: false", "as expected"]);
}

#[test]
fn a_subproperty_must_be_the_expected_one() {
    let text = one_property("valid-memsafety", "false").replace("options", "    subproperty: valid-deref\noptions");
    check(&text, &["-DPART=3"], 1, &["valid-memsafety: false(valid-deref)", "as expected"]);
    check(&text, &["-DPART=2"], 1, &["valid-memsafety: false(valid-memtrack)", "DIFFERS"]);
}

#[test]
fn only_what_the_property_is_about_violates_it() {
    part(1, "no-overflow", 1, Some("division-overflow"));
    part(2, "unreach-call", 0, None);
    part(2, "valid-memsafety", 1, Some("memory-leak"));
    part(2, "valid-memcleanup", 1, Some("memory-leak"));
    part(3, "valid-memsafety", 1, Some("out-of-bounds"));
    part(4, "unreach-call", 0, None);
    part(4, "valid-memsafety", 0, None);
    part(5, "unreach-call", 1, Some("reach-error"));
    part(6, "no-data-race", 1, Some("data-race"));
    part(6, "unreach-call", 0, None);
    // The program's own `reach_error` is a function like any other here; it aborts.
    part(5, "no-overflow", 0, None);
}

#[test]
fn undefined_behaviour_is_shown_and_spoils_the_proof() {
    part(1, "unreach-call", 3, Some("division-overflow"));
    part(3, "unreach-call", 3, Some("out-of-bounds"));
    part(3, "valid-free", 3, Some("out-of-bounds"));
}

#[test]
fn property_files_work_without_a_task() {
    let (directory, _) = task("");
    let property = directory.path().join("properties/unreach-call.prp");
    let program = directory.path().join("program.c");
    let arguments = ["-DPART=5".into(), "--property".into(), property.into_os_string(), program.into_os_string()];
    says(&run(&mut command(arguments)), 1, &["the error function was called"]);
}

#[test]
fn preprocessed_programs_are_inputs() {
    let (directory, file) = task(&one_property("unreach-call", "true").replace("program.c", "program.i"));
    fs::write(directory.path().join("program.i"), "int main(void) { return 0; }\n").expect("a file");
    says(&run(&mut command([&file])), 0, &["as expected"]);
}

#[test]
fn overflow_of_bitcode_is_refused() {
    let (directory, _) = task("");
    let program = directory.path().join("program.bc");
    fs::write(&program, "no bitcode").expect("a file");
    let arguments = ["--overflow".into(), program.into_os_string()];
    says(&run(&mut command(arguments)), 2, &["program.bc", "give the C source"]);
}

#[test]
fn a_violation_of_a_property_replays() {
    let (directory, file) = task(&one_property("unreach-call", "false"));
    let report = directory.path().join("report.json");
    let text = |path: &PathBuf| path.to_str().expect("temporary paths are text").to_owned();
    says(&run(&mut command(["-DPART=5", "--report", &text(&report), &text(&file)])), 1, &[]);
    says(&run(&mut command(["--replay", &text(&report)])), 1, &["`reach_error` was called", "as expected"]);
}

#[test]
fn other_data_models_are_said_to_be_checked_as_lp64() {
    let text = one_property("unreach-call", "true").replace("LP64", "ILP32");
    let report = check(&text, &[], 0, &["the task is for ILP32; it was checked as LP64"]);
    assert_eq!(report.expect("a report")["task"]["checked_data_model"], "LP64");
}

#[test]
fn bad_tasks_are_refused_by_name() {
    let good = one_property("unreach-call", "true");
    let refused = |text: &str, words: &[&str]| drop(check(text, &[], 2, words));
    refused("input_files: [\n", &["task.yml", "line"]);
    refused("properties: []\n", &["task.yml", "input_files"]);
    refused(&good.replace("language: C", "language: Java"), &["unsupported language `Java`"]);
    refused(&good.replace("LP64", "ILP64"), &["unsupported data_model `ILP64`"]);
    refused(&good.replace("unreach-call", "termination"), &["termination.prp", "unsupported formula"]);
    refused(&good.replace("unreach-call", "no-such"), &["no-such.prp"]);
    refused(&good.replace("program.c", "no-such.c"), &["no-such.c"]);
    let two = good.replace("options", "  - property_file: properties/valid-memsafety.prp\noptions");
    refused(&two, &["2 properties", "--property"]);
    check(&two, &["--property", "valid-memsafety"], 0, &["the task expects no verdict"]);
    let (directory, file) = task(&good);
    fs::write(&file, good).expect("a task");
    says(&run(&mut command([&file])), 2, &["format_version"]);
    says(&run(&mut command([&file, &directory.path().join("program.c")])), 2, &["no other input"]);
}

#[test]
fn bad_properties_are_refused_by_name() {
    let good = one_property("unreach-call", "true");
    check(&good, &["--property", "termination"], 2, &["unsupported property `termination`"]);
    check(&good, &["--property", "fine"], 2, &["unknown property `fine`"]);
    check(&good, &["--property", "no/such.prp"], 2, &["no/such.prp"]);
}
