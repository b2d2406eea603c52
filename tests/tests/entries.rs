//! `--entry`: programs that begin in another function than `main`, and several in one run.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rmc_tests::harness::outside::{check, file, text};
use rmc_tests::harness::process::{Run, command, run, run_with_report, tool};
use serde_json::Value;

const PROGRAMS: &str = r"
#include <assert.h>
#include <pthread.h>
int x, y, r;
void missing(void);
static void *store_and_load(void *unused) { x = 1; r = y; return unused; }
static void both(void) {
  pthread_t thread;
  pthread_create(&thread, 0, store_and_load, 0);
  y = 1;
  int s = x;
  pthread_join(thread, 0);
  assert(r || s);
}
void store_buffering(void) { both(); }
int constructed;
__attribute__((constructor)) static void construct(void) { constructed = 7; }
int after_constructors(void) { assert(constructed == 7); x++; return x; }
int with_arguments(int argc, char **argv) { assert(argc == 1 && argv[1] == 0); return 0; }
void endless(void) { for (unsigned long turn = 0;; turn++) x = turn; }
void undefined(void) { missing(); }
int of_wrong_shape(double number) { return number > 0; }
";

/// Runs the checker on these programs.
fn rmc(options: &[&str]) -> (Run, Option<Value>) {
    let (_directory, path) = file("programs.c", PROGRAMS);
    run_with_report([options, &[text(&path)]].concat())
}

#[test]
fn an_entry_replaces_main() {
    let (run, report) = rmc(&["--entry", "store_buffering"]);
    check(&run, 1, &[]);
    assert!(run.stdout.starts_with("store_buffering: violated under tso"), "{}", run.describe());
    assert_eq!(report.expect("a report")["entry"], "store_buffering");
    check(&rmc(&["--entry=store_buffering", "--relaxed-memory=sc"]).0, 0, &[]);
    for entry in ["after_constructors", "with_arguments"] {
        let (run, _) = rmc(&["--entry", entry]);
        check(&run, 0, &[]);
        // The functions of other entries are no part of this program.
        assert!(!run.stdout.contains("never called"), "{}", run.describe());
    }
    check(&rmc(&[]).0, 2, &["no function `main`"]);
    check(&rmc(&["--entry=nowhere"]).0, 2, &["--entry nowhere: the program defines no such function"]);
    check(&rmc(&["--entry=of_wrong_shape"]).0, 2, &["int of_wrong_shape(void)"]);
}

#[test]
fn several_entries_are_programs_of_their_own() {
    // Each begins with x = 0, or the third result would be another.
    let several = "after_constructors,store_buffering,after_constructors";
    let (run, report) = rmc(&["--keep-going", "--entry", several, "--entry", "with_arguments"]);
    check(&run, 1, &[]);
    let report = report.expect("a report");
    assert_eq!(report["schema"], "rmc.entries.v1");
    let entries = report["entries"].as_array().expect("entries");
    let verdicts: Vec<_> = entries.iter().map(|entry| entry["report"]["verdict"].as_str()).collect();
    assert_eq!(verdicts, [Some("holds"), Some("violated"), Some("holds"), Some("holds")]);
    let finals = |at: usize| &entries[at]["report"]["final_states"];
    assert_eq!(finals(0), finals(2));
    // The same as alone.
    let (_, alone) = rmc(&["--keep-going", "--entry=store_buffering"]);
    let alone = alone.expect("a report");
    for field in ["states", "transitions"] {
        assert_eq!(alone["statistics"][field], entries[1]["report"]["statistics"][field], "{field}");
    }
    assert_eq!(alone["violations"].as_array().map(Vec::len), Some(1));
    assert_eq!(alone["violations"][0]["schedule"], entries[1]["report"]["violations"][0]["schedule"]);
}

#[test]
fn the_worst_entry_decides_the_exit_code() {
    let endless = ["--buffer-bound=1", "--max-states=100"];
    let codes = [
        ("after_constructors,with_arguments", 0),
        ("after_constructors,endless", 3),
        ("endless,undefined,after_constructors", 2),
        ("of_wrong_shape,store_buffering,endless", 1),
    ];
    for (entries, code) in codes {
        let (run, report) = rmc(&[&endless[..], &["--entry", entries]].concat());
        check(&run, code, &[]);
        let report = report.expect("a report");
        let checked = report["entries"].as_array().expect("entries");
        let names: Vec<_> = checked.iter().filter_map(|entry| entry["entry"].as_str()).collect();
        assert_eq!(names, entries.split(',').collect::<Vec<_>>());
        for entry in checked {
            assert!(entry["report"].is_object() != entry["error"].is_string(), "{entry}");
        }
    }
}

#[test]
fn each_entry_has_the_time_to_itself() {
    let (run, report) = rmc(&["--timeout=1", "--entry=endless,after_constructors"]);
    check(&run, 3, &[]);
    let report = report.expect("a report");
    assert_eq!(report["entries"][0]["report"]["reason"], "timeout");
    assert_eq!(report["entries"][1]["report"]["verdict"], "holds");
}

#[test]
fn a_limit_that_stops_the_compiler_leaves_every_entry_unknown() {
    let directory = tempfile::tempdir().expect("a directory");
    let [compiler, report] = ["clang", "report.json"].map(|name| directory.path().join(name));
    fs::write(&compiler, "#!/bin/sh\nexec sleep 60\n").expect("a compiler");
    fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).expect("an executable");
    let (_programs, path) = file("programs.c", PROGRAMS);
    let entries = "--entry=endless,after_constructors";
    let mut command = command(["--timeout=1", entries, "--report", text(&report), text(&path)]);
    let run = run(command.env("RMC_CLANG", &compiler));
    check(&run, 3, &["not checked: the time limit was reached"]);
    let report: Value = serde_json::from_slice(&fs::read(&report).expect("a report")).expect("JSON");
    for entry in report["entries"].as_array().expect("entries") {
        assert_eq!(entry["report"]["reason"], "timeout", "{entry}");
        assert_eq!(entry["report"]["statistics"]["states"], 0, "{entry}");
    }
}

#[test]
fn a_violation_of_an_entry_is_replayed() {
    let (directory, path) = file("programs.c", PROGRAMS);
    let (one, several) = (directory.path().join("one.json"), directory.path().join("several.json"));
    for (entry, report) in [("store_buffering", &one), ("store_buffering,endless", &several)] {
        let options = ["--max-states=50", "--entry", entry, "--report", text(report), text(&path)];
        check(&run(&mut command(options)), 1, &[]);
    }
    let replayed = run(&mut command(["--replay", text(&one)]));
    check(&replayed, 1, &[]);
    assert!(replayed.stdout.contains("thread 0: an assertion failed"), "{}", replayed.describe());
    check(&run(&mut command(["--replay", text(&several)])), 2, &["the reports of several entries"]);
}

#[test]
fn an_entry_is_found_in_an_archive_and_by_its_name_in_the_source() {
    let (directory, path) =
        file("tests.cpp", "namespace suite { void passes() {} void twice(int) {} void twice() {} }");
    let (object, archive) = (directory.path().join("tests.o"), directory.path().join("tests.a"));
    tool("clang-16", &["--driver-mode=g++", "-g", "-emit-llvm", "-c", text(&path), "-o", text(&object)]);
    tool("ar", &["rc", text(&archive), text(&object)]);
    let run = |entry: &str, input: &str| run(&mut command(["--entry", entry, input]));
    check(&run("_ZN5suite6passesEv", text(&archive)), 0, &[]);
    check(&run("suite::passes", text(&path)), 0, &[]);
    check(&run("suite::twice", text(&path)), 2, &["choose between _ZN5suite5twiceEi, _ZN5suite5twiceEv"]);
    check(&run("_ZN5suite5twiceEv", text(&path)), 0, &[]);
}

#[test]
fn what_is_about_one_search_is_refused_for_several() {
    let (directory, _) = file("unused", "");
    let named = |name: &str| directory.path().join(name).display().to_string();
    let both = "--entry=endless,store_buffering";
    let refused = [
        (vec!["--checkpoint".to_owned(), named("checkpoint")], "--checkpoint or --resume"),
        (vec!["--report".to_owned(), named("page.html")], "--report with a page"),
        (vec!["--engine=symbolic".to_owned(), "--dump-cnf".to_owned(), named("formula")], "--dump-cnf"),
    ];
    for (options, words) in refused {
        let options: Vec<_> = options.iter().map(String::as_str).collect();
        check(&rmc(&[&options[..], &[both]].concat()).0, 2, &[words, "name one --entry"]);
    }
}
