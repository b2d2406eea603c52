//! The JSON report, seen from outside, and the replay from it.

use std::collections::BTreeSet;

use std::fs;

use rmc_tests::harness::outside::{check, file, rmc, text};
use rmc_tests::harness::process::{Run, command, run, run_with_report};
use rmc_tests::harness::repository;
use serde_json::Value;

const HOLDS: &str = "examples/message_passing.c";
const VIOLATED: &str = "examples/store_buffering.c";
const NOT_ROBUST: &str = "tests/programs/robustness/store_buffering.c";

const REPORT_FIELDS: [&str; 9] =
    ["schema", "verdict", "reason", "model", "engine", "bounds", "inputs", "violations", "statistics"];
const STATISTICS_FIELDS: [&str; 16] = [
    "states",
    "transitions",
    "executions",
    "blocked_executions",
    "deadlocked_executions",
    "await_blocked_executions",
    "endless_executions",
    "bound_blocked_executions",
    "assumption_blocked_executions",
    "max_depth",
    "bytes_per_state",
    "peak_rss_bytes",
    "seconds",
    "states_per_second",
    "flush_choices",
    "pending_stores_max",
];
const VIOLATION_FIELDS: [&str; 6] = ["kind", "message", "file", "line", "thread", "trace"];

#[track_caller]
fn has_fields(value: &Value, fields: &[&str]) {
    let missing: Vec<_> = fields.iter().filter(|field| value.get(**field).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?} missing in {value:#}");
}

const MEASURES_FIELDS: [&str; 11] = [
    "samples",
    "levels",
    "pending_stores",
    "choices",
    "known_successors",
    "matching_rate",
    "asleep",
    "bytes",
    "tables",
    "lines",
    "workers",
];

#[test]
fn measures_add_up() {
    let (run, report) = run_with_report(["--stats", "-DFENCE", VIOLATED]);
    check(&run, 0, &[]);
    for text in ["speed over time", "lines that lead to most new states", "store_buffering.c:", "hash tables"] {
        assert!(run.stdout.contains(text), "{text} is missing\n{}", run.describe());
    }
    let statistics = &report.expect("a report")["statistics"];
    let (measures, states) = (&statistics["measures"], statistics["states"].as_u64().expect("states"));
    has_fields(measures, &MEASURES_FIELDS);
    let sum = |list: &Value| list.as_array().expect("a list").iter().filter_map(Value::as_u64).sum::<u64>();
    assert_eq!(sum(&measures["levels"]["states"]), states);
    let levels = measures["levels"]["states"].as_array().expect("levels");
    assert_eq!((&levels[0], levels.len() as u64 - 1), (&1.into(), statistics["max_depth"].as_u64().expect("a depth")));
    assert_eq!(sum(&measures["pending_stores"]), states);
    assert_eq!(measures["tables"][0]["entries"], states);
    assert_eq!(measures["workers"][0]["expanded"], states);
    let lines = measures["lines"].as_array().expect("lines").iter().filter_map(|line| line["count"].as_u64());
    assert_eq!(lines.sum::<u64>(), states - 1, "every state but the first one was reached by a step");
    let last = measures["samples"].as_array().and_then(|samples| samples.last()).expect("a sample");
    assert_eq!((&last["states"], &last["frontier"]), (&statistics["states"], &0.into()));
}

#[test]
fn measures_of_executions_add_up() {
    let (run, report) = run_with_report(["--stats", "--engine", "dpor", "-DFENCE", VIOLATED]);
    check(&run, 0, &[]);
    for text in ["races reversed", "lines with most events"] {
        assert!(run.stdout.contains(text), "{text} is missing\n{}", run.describe());
    }
    let statistics = &report.expect("a report")["statistics"];
    let measures = &statistics["measures"];
    has_fields(measures, &MEASURES_FIELDS);
    let last = measures["samples"].as_array().and_then(|samples| samples.last()).expect("a sample");
    assert_eq!(last["executions"], statistics["executions"]);
    assert_eq!(last["estimated_executions"].as_f64(), statistics["executions"].as_f64());
    let lines = measures["lines"].as_array().expect("lines").iter().filter_map(|line| line["count"].as_u64());
    assert_eq!(Some(lines.sum::<u64>()), statistics["events"].as_u64());
}

#[test]
fn report_has_its_fields() {
    let (violated, report) = run_with_report([VIOLATED]);
    check(&violated, 1, &[]);
    let report = report.expect("a report");
    has_fields(&report, &REPORT_FIELDS);
    assert_eq!(report["schema"], "rmc.report.v1");
    assert_eq!(report["verdict"], "violated");
    assert_eq!(report["model"], "tso");
    assert_eq!(report["engine"], "explicit");
    has_fields(&report["statistics"], &STATISTICS_FIELDS);
    let violation = &report["violations"][0];
    has_fields(violation, &VIOLATION_FIELDS);
    assert_eq!(violation["kind"], "assertion");
    let source = fs::read_to_string(repository().join(VIOLATED)).expect("the example");
    let line = source.lines().position(|line| line.contains("  assert(")).expect("its assertion") + 1;
    assert_eq!(violation["line"], line);
    let trace = violation["trace"].as_array().expect("a trace");
    assert!(trace.len() > 4, "{violation:#}");
    for event in trace {
        has_fields(event, &["thread", "file", "line", "function", "operation"]);
    }
}

#[test]
fn addresses_and_files_can_be_told_apart() {
    let (directory, main) = file(
        "list.c",
        "#include <assert.h>\n#include <stdlib.h>\nchar **head;\nvoid push(char ***);\nvoid (*function)(char ***);\n\
         int main(void) { function = push; function(&head); function(&head); assert(!*head); return 0; }\n",
    );
    let inner = directory.path().join("inner");
    fs::create_dir(&inner).expect("a directory");
    let part = inner.join("list.c");
    let push =
        "#include <stdlib.h>\nvoid push(char ***at) { char **new = malloc(16); *new = (char *)*at; *at = new + 1; }\n";
    fs::write(&part, push).expect("a file");
    let run = rmc([text(&main), text(&part)]);
    check(&run, 1, &[]);
    let shown = |words: &str| assert!(run.stdout.contains(words), "no `{words}`\n{}", run.describe());
    shown("inner/list.c:2 ");
    shown("(push)");
    shown("store heap(list.c:2 #2)[0] = ");
    shown("(heap(list.c:2)[1])");
    shown("(heap(list.c:2 #2)[1])");
}

#[test]
fn final_states_come_with_keep_going() {
    let (_, without) = run_with_report([HOLDS]);
    assert!(without.expect("a report").get("final_states").is_none_or(Value::is_null));
    let (holds, report) = run_with_report(["--keep-going", "tests/programs/termination/exit_code.c"]);
    check(&holds, 0, &[]);
    assert_eq!(report.expect("a report")["final_states"][0]["exit"], 3);
}

#[test]
fn a_search_for_every_violation_says_that_it_did_not_end() {
    let unfinished = |options: &[&str]| {
        let (run, report) = run_with_report([options, &["--keep-going", "examples/dekker.c"]].concat());
        check(&run, 1, &[]);
        let report = report.expect("a report");
        assert_eq!(run.stdout.contains("there may be more violations"), report["unfinished"].is_string());
        report["unfinished"].clone()
    };
    assert_eq!(unfinished(&["--max-states", "100"]), "state-limit");
    assert_eq!(unfinished(&["--engine=dpor", "--max-states", "160"]), "state-limit");
    assert_eq!(unfinished(&[]), Value::Null);
    assert_eq!(unfinished(&["--engine=dpor"]), Value::Null);
}

#[test]
fn a_deadlock_is_reported_once_and_where_the_threads_wait() {
    let (run, report) = run_with_report(["--keep-going", "tests/programs/sync/on_the_way_to_join.c"]);
    check(&run, 1, &[]);
    assert!(run.stdout.contains("thread 0 waits in pthread_join of thread 1"), "{}", run.describe());
    let violations = report.expect("a report")["violations"].clone();
    assert_eq!(violations.as_array().map(Vec::len), Some(1), "{violations}");
}

#[test]
fn two_lines_with_the_same_fault_in_a_library_are_two_violations() {
    let options = ["--races", "--keep-going", "--relaxed-memory=sc", "-DSHARED"];
    let (run, report) = run_with_report([&options[..], &["tests/programs/cxx/stream_threads.cpp"]].concat());
    check(&run, 1, &[]);
    let report = report.expect("a report");
    let violations = report["violations"].as_array().expect("violations");
    let positions: Vec<_> = violations.iter().map(|found| (&found["stack"][0], found["line"].as_u64())).collect();
    let is_on_both_lines =
        positions.iter().any(|&(innermost, line)| line == Some(23) && positions.contains(&(innermost, Some(24))));
    assert!(is_on_both_lines, "{positions:#?}");
}

#[test]
fn final_states_are_left_out_where_inputs_are_open() {
    for engine in ["explicit", "dpor"] {
        let options = ["--svcomp", "--keep-going", "--engine", engine, "tests/programs/inputs/carried.c"];
        let (run, report) = run_with_report(options);
        check(&run, 0, &[]);
        assert!(run.stdout.contains("final states are left out"), "{}", run.describe());
        let report = report.expect("a report");
        assert!(report.get("final_states").is_none() && report["no_final_states"].is_string());
    }
    let (run, report) = run_with_report(["--svcomp", "--cross-check", "tests/programs/inputs/carried.c"]);
    check(&run, 0, &[]);
    let compared = &report.expect("a report")["cross_check"];
    assert!(compared.as_str().is_some_and(|text| text.contains("the kinds of violations")), "{compared}");
}

#[test]
fn every_violation_is_found_with_open_inputs() {
    let kinds = |engine: &str| {
        let options = ["--svcomp", "--keep-going", "--engine", engine, "tests/programs/inputs/several.c"];
        let (run, report) = run_with_report(options);
        check(&run, 1, &[]);
        let violations = report.expect("a report")["violations"].clone();
        let place = |violation: &Value| (violation["kind"].to_string(), violation["line"].to_string());
        violations.as_array().expect("violations").iter().map(place).collect::<BTreeSet<_>>()
    };
    assert_eq!(kinds("explicit").len(), 3);
    assert_eq!(kinds("explicit"), kinds("dpor"));
}

#[test]
fn report_goes_to_standard_output() {
    let shown = rmc(["-q", "--report", "-", VIOLATED]);
    check(&shown, 1, &[]);
    let report: Value =
        serde_json::from_str(&shown.stdout).unwrap_or_else(|error| panic!("{error}\n{}", shown.describe()));
    assert_eq!(report["verdict"], "violated");
}

#[test]
fn equal_runs_have_equal_reports() {
    let report = || {
        let (_, report) = run_with_report(["--relaxed-memory", "pso", "--keep-going", "examples/dekker.c"]);
        let mut report = report.expect("a report");
        let statistics = report["statistics"].as_object_mut().expect("statistics");
        let measured = |name: &str| name.contains("second") || name.contains("bytes") || name == "samples";
        statistics.retain(|name, _| !measured(name));
        let measures = statistics["measures"].as_object_mut().expect("measures");
        measures.retain(|name, _| !measured(name));
        measures["workers"][0].as_object_mut().expect("a worker").retain(|name, _| !measured(name));
        report.to_string()
    };
    assert_eq!(report(), report());
}

#[test]
fn replay_prints_the_same_text() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("report.json");
    let common = ["--no-progress", "--color=never", "--report", text(&path)];
    let options: [&[&str]; 3] =
        [&[VIOLATED], &["--robustness", "--keep-going", VIOLATED], &["--robustness", NOT_ROBUST]];
    for options in options {
        let found = run(&mut command(common.iter().chain(options)));
        check(&found, 1, &[]);
        let replayed = rmc(["--replay", text(&path), "--no-progress", "--color=never"]);
        check(&replayed, 1, &[]);
        assert_eq!(execution(&found), execution(&replayed), "{}{}", found.describe(), replayed.describe());
    }
}

/// The printed text, without the lines that measure the search.
fn execution(run: &Run) -> Vec<&str> {
    let measures = ["states", "seconds", "memory:"];
    run.stdout.lines().filter(|line| !measures.iter().any(|word| line.contains(word))).collect()
}
