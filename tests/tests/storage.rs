//! The storage of states does not change the results: in a file, in a search that was interrupted and
//! resumed, and, within its limits, with hash compaction.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rmc_tests::harness::outside::{check, file, rmc, text};
use rmc_tests::harness::process::{Run, command, run_with_report};
use serde_json::Value;
use tempfile::TempDir;

/// A program that holds, and one that has a violation.
const HOLDS: [&str; 4] = ["--relaxed-memory", "tso", "-DN=5", "benches/programs/philosophers.c"];
const VIOLATED: [&str; 3] = ["--relaxed-memory", "tso", "benches/programs/index_stack.c"];
const SMALL: &str = "examples/message_passing.c";

/// The fields of the report that must be the same.
const COUNTS: [&str; 7] = [
    "/statistics/states",
    "/statistics/transitions",
    "/statistics/flush_choices",
    "/statistics/max_depth",
    "/statistics/measures/levels",
    "/statistics/measures/known_successors",
    "/final_states",
];

fn report(options: &[&str], input: &[&str]) -> (Run, Value) {
    let (run, report) = run_with_report(options.iter().chain(input));
    let report = report.unwrap_or_else(|| panic!("no report\n{}", run.describe()));
    (run, report)
}

#[track_caller]
fn same_counts(one: &Value, other: &Value) {
    for what in COUNTS {
        assert_eq!(one.pointer(what), other.pointer(what), "{what}");
    }
}

/// The kind and place of the violation, and the number of its steps.
fn violation(report: &Value) -> (String, usize) {
    let first = &report["violations"][0];
    let place = format!("{} {} {}", first["kind"], first["file"], first["line"]);
    (place, first["schedule"].as_array().map_or(0, Vec::len))
}

fn new_file(name: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    (directory, path)
}

#[test]
fn a_space_larger_than_memory_fits_into_a_file() {
    let (_, whole) = report(&["--keep-going"], &HOLDS);
    let tables = whole["statistics"]["store_bytes"].as_u64().expect("bytes");
    let limit = (tables / 4).to_string();
    let limited = ["--keep-going", "--max-memory", &limit];
    let (_, cut) = report(&limited, &HOLDS);
    assert_eq!((&cut["verdict"], &cut["reason"]), (&"unknown".into(), &"memory-limit".into()));
    for jobs in ["1", "2"] {
        let (_directory, path) = new_file("store");
        let (run, in_file) = report(&[&limited[..], &["--jobs", jobs, "--store-file", text(&path)]].concat(), &HOLDS);
        assert_eq!(in_file["verdict"], "holds", "{}", run.describe());
        same_counts(&whole, &in_file);
        assert!(!path.exists(), "nothing is left of the file");
    }
}

#[test]
fn a_search_that_was_stopped_is_gone_on_with() {
    let compact = ["--store", "compact", "--jobs", "3"];
    for options in [&["--jobs", "1"][..], &["--jobs", "2", "--stats"], &compact, &["--reduce", "all"]] {
        let options = [&["--keep-going"], options].concat();
        let (_, whole) = report(&options, &HOLDS);
        let (_directory, path) = new_file("checkpoint");
        let states = whole["statistics"]["states"].as_u64().expect("states");
        let (run, stopped) = report(
            &[&options[..], &["--checkpoint", text(&path), "--max-states", &(states / 3).to_string()]].concat(),
            &HOLDS,
        );
        assert_eq!(stopped["reason"], "state-limit");
        check(&run, 3, &["--resume"]);
        let two_thirds = (states * 2 / 3).to_string();
        let (_, again) =
            report(&[&options[..], &["--resume", text(&path), "--max-states", &two_thirds]].concat(), &HOLDS);
        assert_eq!(again["reason"], "state-limit");
        let (run, resumed) = report(&[&options[..], &["--resume", text(&path)]].concat(), &HOLDS);
        assert_eq!(whole["verdict"], resumed["verdict"], "{}", run.describe());
        same_counts(&whole, &resumed);
    }
}

#[test]
fn a_search_in_which_a_section_waits_for_a_thread_is_gone_on_with() {
    let input = ["--svcomp", "--property", "unreach-call", "-DIN=JOIN", "tests/programs/sync/section_waits.c"];
    let (_, whole) = report(&[], &input);
    let (_directory, path) = new_file("checkpoint");
    let (_, stopped) = report(&["--checkpoint", text(&path), "--max-states", "7"], &input);
    assert_eq!(stopped["reason"], "state-limit");
    let (run, resumed) = report(&["--resume", text(&path)], &input);
    assert_eq!((&resumed["verdict"], &whole["verdict"]), (&"holds".into(), &"holds".into()), "{}", run.describe());
    same_counts(&whole, &resumed);
}

#[test]
fn states_of_exchanged_threads_are_kept_like_others() {
    let reduced = "--reduce=dead,paths,stores,private,symmetry";
    let input = [reduced, "--keep-going", "--relaxed-memory", "tso", "tests/programs/symmetry/joined.c"];
    let (_, whole) = report(&[], &input);
    let (_directory, path) = new_file("kept");
    let kept = text(&path);
    for options in [&["--store-file", kept][..], &["--store-file", kept, "--jobs", "2"], &["--store", "compact"]] {
        same_counts(&whole, &report(options, &input).1);
    }
    let (_, stopped) = report(&["--checkpoint", kept, "--max-states", "200"], &input);
    assert_eq!(stopped["reason"], "state-limit");
    let (run, resumed) = report(&["--resume", kept], &input);
    assert_eq!(resumed["verdict"], "holds", "{}", run.describe());
    same_counts(&whole, &resumed);
}

#[test]
fn states_with_inputs_are_kept_like_others() {
    let input = ["--svcomp", "--relaxed-memory", "sc", "tests/programs/inputs/subsumed.c"];
    let (_, whole) = report(&[], &input);
    let (_directory, path) = new_file("kept");
    let kept = text(&path);
    for options in [&["--store-file", kept][..], &["--store-file", kept, "--jobs", "2"], &["--store", "compact"]] {
        same_counts(&whole, &report(options, &input).1);
    }
    for options in [&["--jobs", "1"][..], &["--jobs", "3"], &["--store", "compact"]] {
        for most in ["40", "150", "300"] {
            let (_, stopped) = report(&[options, &["--checkpoint", kept, "--max-states", most]].concat(), &input);
            assert_eq!(stopped["reason"], "state-limit");
            let (_, resumed) = report(&[options, &["--resume", kept]].concat(), &input);
            same_counts(&whole, &resumed);
        }
    }
}

/// Starts a search that saves a checkpoint after every level, and sends it a signal after the first one.
fn interrupted(signal: &str, input: &[&str], path: &Path) -> Option<i32> {
    let saved = ["--checkpoint", text(path), "--checkpoint-interval", "0"];
    let mut search = command(saved.iter().chain(input));
    let mut search = search.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a run");
    let deadline = Instant::now() + Duration::from_secs(60);
    while !path.exists() {
        assert!(Instant::now() < deadline, "no checkpoint");
        std::thread::sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill").args([signal, &search.id().to_string()]).status().expect("a signal");
    assert!(sent.success());
    search.wait().expect("it ended").code()
}

#[test]
fn a_search_that_was_killed_or_interrupted_is_gone_on_with() {
    let input = ["--relaxed-memory", "tso", "-DN=6", "benches/programs/philosophers.c"];
    let (_, whole) = report(&[], &input);
    for (signal, code) in [("-KILL", None), ("-INT", Some(3))] {
        let (directory, path) = new_file("checkpoint");
        assert_eq!(interrupted(signal, &input, &path), code, "{signal}");
        let left = directory.path().read_dir().expect("a directory").map(|entry| entry.expect("a file").path());
        let (checkpoint, others): (Vec<_>, Vec<_>) = left.partition(|file| *file == path);
        assert_eq!(checkpoint.len(), 1, "{signal}");
        // A search that is killed while it replaces its checkpoint leaves the complete new one beside it.
        assert!(others.len() <= usize::from(signal == "-KILL"), "only the checkpoint is left: {others:?}");
        for file in checkpoint.iter().chain(&others) {
            let (run, resumed) = report(&["--resume", text(file)], &input);
            assert_eq!(resumed["verdict"], "holds", "{}", run.describe());
            same_counts(&whole, &resumed);
        }
    }
}

#[test]
fn the_same_violation_is_found_the_shortest_way() {
    let (_, whole) = report(&[], &VIOLATED);
    let (_directory, path) = new_file("checkpoint");
    let (_, stopped) = report(&["--checkpoint", text(&path), "--max-states", "500"], &VIOLATED);
    assert_eq!(stopped["reason"], "state-limit");
    let (_, resumed) = report(&["--resume", text(&path)], &VIOLATED);
    assert_eq!(violation(&whole), violation(&resumed));
    for jobs in ["1", "2"] {
        let (_, compact) = report(&["--store", "compact", "--jobs", jobs], &VIOLATED);
        assert_eq!((&compact["verdict"], violation(&whole)), (&"violated".into(), violation(&compact)));
    }
}

#[test]
fn nothing_is_claimed_with_hash_compaction() {
    let (_, exact) = report(&["--keep-going"], &HOLDS);
    assert!(exact["statistics"].get("omission_probability").is_none());
    for jobs in ["1", "2"] {
        let (run, compact) = report(&["--keep-going", "--store", "compact", "--jobs", jobs], &HOLDS);
        check(&run, 3, &[]);
        assert_eq!(compact["reason"], "hash-compaction");
        assert!(run.stdout.contains("the probability that some state was missed is at most"), "{}", run.describe());
        let probability = compact["statistics"]["omission_probability"].as_f64().expect("a probability");
        assert!(probability > 0.0 && probability < 1e-3, "{probability}");
        same_counts(&exact, &compact);
    }
}

#[test]
fn a_checkpoint_of_another_search_is_refused_with_the_reason() {
    let (_directory, path) = new_file("checkpoint");
    let (_, stopped) = report(&["--checkpoint", text(&path), "--max-states", "100"], &HOLDS);
    assert_eq!(stopped["verdict"], "unknown");
    let saved = fs::read(&path).expect("the checkpoint");
    let resume = |options: &[&str], words: &[&str]| {
        let (run, _) = run_with_report(["--resume", text(&path)].iter().chain(options));
        check(&run, 2, words);
        assert_eq!(fs::read(&path).expect("the checkpoint"), saved, "it is as it was");
    };
    resume(&[SMALL], &["another program"]);
    resume(&["-DN=4", "benches/programs/philosophers.c"], &["another program"]);
    let with = |options: &[&'static str]| [options, &HOLDS].concat();
    resume(&with(&["--jobs", "2"]), &["of a search with --jobs 1"]);
    resume(&with(&["--buffer-bound", "7"]), &["other options", "buffer_bound: 32", "buffer_bound: 7"]);
    resume(&with(&["--store", "compact"]), &["--store"]);
}

#[test]
fn a_damaged_or_foreign_file_is_refused_and_stays() {
    let (_directory, path) = new_file("checkpoint");
    let (_, stopped) = report(&["--checkpoint", text(&path), "--max-states", "100"], &HOLDS);
    assert_eq!(stopped["verdict"], "unknown");
    let saved = fs::read(&path).expect("the checkpoint");
    let refuse = |content: &[u8], word: &str| {
        fs::write(&path, content).expect("written");
        let (run, _) = run_with_report(["--resume", text(&path)].iter().chain(&HOLDS));
        check(&run, 2, &[word]);
        assert_eq!(fs::read(&path).expect("the file"), content);
    };
    let mut damaged = saved.clone();
    damaged[saved.len() / 2] ^= 1;
    refuse(&damaged, "damaged");
    refuse(&saved[..saved.len() - 1], "damaged");
    refuse(&saved[..30], "damaged");
    refuse(b"int main(void) { return 0; }", "no checkpoint");
    refuse(b"", "no checkpoint");
    let run = rmc(["--checkpoint", text(&path), SMALL]);
    check(&run, 2, &["another file of this name"]);
    fs::remove_file(&path).expect("removed");
    check(&rmc(["--resume", text(&path), SMALL]), 2, &["No such file"]);
}

#[test]
fn files_that_cannot_be_made_are_named() {
    let missing = "/nowhere/at/all";
    check(&rmc(["--store-file", missing, SMALL]), 2, &[missing, "--store-file"]);
    check(&rmc(["--checkpoint", missing, SMALL]), 2, &[missing]);
    let (_directory, existing) = file("precious", "content");
    check(&rmc(["--store-file", text(&existing), SMALL]), 2, &["exists"]);
    assert_eq!(fs::read(&existing).expect("the file"), b"content");
}

#[test]
fn an_interval_is_one_between_checkpoints() {
    check(&rmc(["--checkpoint-interval", "5", SMALL]), 2, &["--checkpoint"]);
}

#[test]
fn other_engines_have_no_store() {
    let path = text(Path::new("file"));
    for options in [["--store", "compact"], ["--store-file", path], ["--checkpoint", path], ["--resume", path]] {
        check(&rmc(["--engine", "dpor", options[0], options[1], SMALL]), 2, &[options[0], "--engine explicit"]);
    }
}
