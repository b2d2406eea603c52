//! The monitor in instrumented programs that run natively.
//!
//! A program that is not robust must be reported within some runs, and a robust one never. The reports are
//! compared in all their forms: text, JSON, SARIF, exit code.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use rmc_tests::harness::repository;
use rmc_tests::native::build;
use serde_json::Value;

/// The number of runs in which a robust program is not reported.
const RUNS: usize = 5;

/// The number of runs within which a program that is not robust is reported. Most need one or two; on a
/// machine with other work, threads may meet in fewer of them.
const RUNS_TO_REPORT: usize = 20;

/// Runs a program under the monitor, with more variables.
fn watch(program: &Path, variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(program);
    command.env_remove("RMC_MODEL").env("RMC_MONITOR", "tso").envs(variables.iter().copied());
    command.output().expect("the program starts")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The first run with a report.
#[track_caller]
fn reported(program: &Path, variables: &[(&str, &str)]) -> Output {
    let mut runs = (0..RUNS_TO_REPORT).map(|_| watch(program, variables));
    runs.find(|output| errors(output).contains("rmc monitor: ")).expect("a report within some runs")
}

#[track_caller]
fn check_robust(source: &str, flags: &[&str]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), source, flags);
    for _ in 0..RUNS {
        let output = watch(&program, &[]);
        assert_eq!((output.status.code(), errors(&output)), (Some(0), String::new()), "{source} {flags:?}");
    }
}

#[track_caller]
fn check_not_robust(source: &str, flags: &[&str]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), source, flags);
    let output = reported(&program, &[]);
    assert_eq!(output.status.code(), Some(66), "{output:?}");
    assert!(errors(&output).contains(&format!("{source}:")), "{output:?}");
}

#[test]
fn programs_that_are_not_robust_are_reported() {
    check_not_robust("store_buffering.c", &["-O0"]);
    check_not_robust("store_buffering.c", &["-O2"]);
    check_not_robust("monitor/flags.cpp", &["-O1"]);
    check_not_robust("monitor/idle.c", &["-O1"]);
    check_not_robust("monitor/sizes.c", &["-O1"]);
}

#[test]
fn robust_programs_are_not_reported() {
    check_robust("store_buffering.c", &["-O1", "-DFENCE"]);
    check_robust("message_passing.c", &["-O1"]);
    check_robust("monitor/flags.cpp", &["-O1", "-DFENCE"]);
    check_robust("monitor/idle.c", &["-O1", "-DFENCE"]);
    check_robust("monitor/sizes.c", &["-O1", "-DFENCE"]);
    check_robust("everything.c", &["-O1"]);
}

#[test]
fn hundreds_of_threads_come_and_go() {
    check_robust("monitor/threads.c", &["-O1"]);
}

/// A report without the calls by which functions were inlined, as those of `rounds.h`.
fn without_callers(text: &str) -> String {
    let mut parts = text.split(", inlined at ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let (_, rest) = part.split_once(" in ").expect("a place has a function");
        text + rest.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_')
    })
}

#[test]
fn a_report_names_places_cycle_and_fences_once() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), "store_buffering.c", &["-O1"]);
    let source = repository().join("tests/native/store_buffering.c");
    let output = reported(&program, &[]);
    let text = errors(&output);
    let text = without_callers(&text);
    let place = |line, function: &str| format!("{}:{line} in {function}", source.display());
    // One of the two loads misses the store of the other thread.
    let loads_first = text.contains(&format!("load:   {}", place(17, "first")));
    let [load, missed] = if loads_first { [(17, "first"), (21, "second")] } else { [(25, "second"), (13, "first")] };
    assert!(text.contains(&format!("  load:   {} (thread ", place(load.0, load.1))), "{text}");
    assert!(text.contains(&format!("  missed: {} (thread ", place(missed.0, missed.1))), "{text}");
    for (first, second, function) in [(13, 17, "first"), (21, 25, "second")] {
        let [store, load] = [first, second].map(|line| place(line, function));
        assert!(text.contains(&format!("    between the store at {store} and the load at {load}\n")), "{text}");
    }
    assert!(text.matches("rmc monitor: ").count() <= 2, "each pair of places once: {text}");
}

#[test]
fn a_place_has_the_call_by_which_its_function_was_inlined() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), "monitor/wrappers.c", &["-O1"]);
    let source = repository().join("tests/native/monitor/wrappers.c").display().to_string();
    let file = directory.path().join("report.json");
    let file = file.to_str().expect("a path that is text");
    let text = errors(&reported(&program, &[("RMC_MONITOR_REPORT", file)]));
    for (store, load, function) in [(21, 22, "first"), (26, 27, "second")] {
        let store = format!("{source}:8 in set, inlined at {source}:{store} in {function}");
        let load = format!("{source}:12 in get, inlined at {source}:{load} in {function}");
        assert!(text.contains(&format!("between the store at {store}")), "{text}");
        assert!(text.contains(&format!("and the load at {load}")), "{text}");
    }
    let json: Value = serde_json::from_str(&fs::read_to_string(file).expect("a report")).expect("JSON");
    let load = &json["reports"][0]["load"];
    assert_eq!((&load["function"], &load["line"]), (&"get".into(), &12.into()));
    let caller = load["inlined_at"]["function"].as_str().expect("a caller");
    assert!(["first", "second"].contains(&caller), "{load}");
    let list = directory.path().join("ignore.txt");
    fs::write(&list, "function first\n").expect("a writable directory");
    for _ in 0..RUNS {
        let output = watch(&program, &[("RMC_MONITOR_IGNORE", list.to_str().expect("a path that is text"))]);
        assert_eq!((output.status.code(), errors(&output)), (Some(0), String::new()));
    }
}

#[test]
fn reports_are_files() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), "store_buffering.c", &["-O1"]);
    let run = |name: &str| -> Value {
        let file = directory.path().join(name);
        let file = file.to_str().expect("a path that is text");
        let output = reported(&program, &[("RMC_MONITOR_REPORT", file), ("RMC_MONITOR_EXIT", "3")]);
        assert_eq!(output.status.code(), Some(3));
        // What the program printed is not lost.
        assert_eq!(String::from_utf8_lossy(&output.stdout), "0\n");
        serde_json::from_str(&fs::read_to_string(file).expect("a report")).expect("JSON")
    };
    let json = run("report.json");
    let report = &json["reports"][0];
    assert_eq!(
        (&json["model"], &report["load"]["kind"], &report["missed"]["kind"]),
        (&"tso".into(), &"load".into(), &"store".into())
    );
    let relations: Vec<_> = report["cycle"].as_array().expect("a cycle").iter().map(|at| &at["before_next"]).collect();
    assert_eq!(relations, ["fr", "po", "fr", "po"]);
    assert_eq!(report["fences"].as_array().expect("fences").len(), 2);
    let sarif = run("report.sarif");
    assert_eq!(sarif["version"], "2.1.0");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "store-buffer");
    let line = &result["locations"][0]["physicalLocation"]["region"]["startLine"];
    assert!([17, 25].contains(&line.as_u64().expect("a line")), "{result}");
}

#[test]
fn known_reports_are_ignored() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let list = directory.path().join("ignore.txt");
    let list = list.to_str().expect("a path that is text");
    let program = build(directory.path(), "store_buffering.c", &["-O1"]);
    for patterns in ["# both\nfunction first\n", "file */store_buffering.c\n", "function sec*\n"] {
        fs::write(list, patterns).expect("a writable directory");
        for _ in 0..RUNS {
            let output = watch(&program, &[("RMC_MONITOR_IGNORE", list)]);
            assert_eq!((output.status.code(), errors(&output)), (Some(0), String::new()), "{patterns}");
        }
    }
    fs::write(list, "function other\nfile */other.c\n").expect("a writable directory");
    reported(&program, &[("RMC_MONITOR_IGNORE", list)]);
    check_robust("monitor/ignored.c", &["-O1"]);
}

#[test]
fn signal_handlers_may_interrupt_accesses() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), "signals.c", &["-O1"]);
    for _ in 0..RUNS {
        let output = watch(&program, &[]);
        assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"none is lost\n"[..]), "{output:?}");
    }
}

#[test]
fn processes_are_made_while_threads_run() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), "forks.c", &["-O1"]);
    for _ in 0..RUNS {
        let output = watch(&program, &[("RMC_MONITOR_EXIT", "0")]);
        assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"all ended\n"[..]), "{output:?}");
    }
}

#[test]
fn a_forked_process_has_a_report_of_its_own() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), "monitor/forked.c", &["-O1"]);
    let file = directory.path().join("report.json");
    let output = reported(&program, &[("RMC_MONITOR_REPORT", file.to_str().expect("a path that is text"))]);
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("exit code 66\n"), "{output:?}");
    assert_eq!(output.status.code(), Some(0), "the first process has no report");
    let entries = fs::read_dir(directory.path()).expect("a directory").map(|entry| entry.expect("an entry").path());
    let reports = entries.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let mut numbers: Vec<usize> = reports
        .map(|path| {
            let json: Value = serde_json::from_str(&fs::read_to_string(path).expect("a report")).expect("JSON");
            json["reports"].as_array().expect("reports").len()
        })
        .collect();
    numbers.sort_unstable();
    assert!(numbers.len() == 2 && numbers[0] == 0 && numbers[1] > 0, "{numbers:?}");
}

#[test]
fn bad_settings_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), "everything.c", &["-O1"]);
    for (variables, expected) in [
        ([("RMC_MONITOR", "pso")], "RMC_MONITOR: 'pso' is not watched (expected tso)"),
        ([("RMC_MODEL", "sc")], "RMC_MONITOR and RMC_MODEL exclude each other: the monitor delays no stores"),
        ([("RMC_MONITOR_EXIT", "-1")], "RMC_MONITOR_EXIT: '-1' is no number from 0 to 255"),
        ([("RMC_MONITOR_REPORT", "x.txt")], "RMC_MONITOR_REPORT: 'x.txt' ends neither in .json nor in .sarif"),
        (
            [("RMC_MONITOR_REPORT", "/nowhere/x.json")],
            "RMC_MONITOR_REPORT: /nowhere/x.json: No such file or directory (os error 2)",
        ),
        ([("RMC_MONITOR_IGNORE", "/nowhere")], "RMC_MONITOR_IGNORE: /nowhere: No such file or directory (os error 2)"),
    ] {
        let output = watch(&program, &variables);
        assert_eq!((output.status.code(), errors(&output)), (Some(2), format!("rmc runtime: {expected}\n")));
    }
}
