//! `--test`: the `#[test]` functions of a file of Rust, each a program of its own; and the crate `rmc`.

use rmc_tests::harness::later_rustc;
use rmc_tests::harness::outside::{check, file, text};
use rmc_tests::harness::process::{Run, command, run, run_with_report};

const PROGRAM: &str = r#"
use std::sync::atomic::{AtomicUsize, Ordering::*};
use std::sync::Arc;
use std::thread;

/// Each thread stores to its own variable, then loads the other one; both can load 0.
fn store_buffering() -> bool {
    let cells = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let other = cells.clone();
    let thread = thread::spawn(move || {
        other[0].store(1, Relaxed);
        other[1].load(Relaxed)
    });
    cells[1].store(1, Relaxed);
    let first = cells[0].load(Relaxed);
    thread.join().unwrap() + first > 0
}

#[test]
fn one_is_seen() {
    assert!(store_buffering());
}

#[test]
#[should_panic]
fn both_are_missed() {
    assert!(!store_buffering());
}

mod ends {
    #[test]
    #[should_panic(expected = "far too")]
    fn panics_as_expected() {
        panic!("this is far too late");
    }

    #[test]
    #[should_panic(expected = "too early")]
    fn panics_otherwise() {
        panic!("this is far too late");
    }

    #[test]
    #[should_panic]
    fn panics_in_a_thread() {
        std::thread::spawn(|| panic!("this is of no interest")).join().unwrap();
    }

    #[test]
    #[ignore = "slow"]
    fn is_ignored() {
        panic!("it was not ignored");
    }

    #[test]
    fn returns_an_error() -> Result<(), String> {
        Err("wrong".to_owned())
    }

    #[test]
    fn returns_nothing_wrong() -> Result<(), String> {
        Ok(())
    }
}

#[test]
fn a_choice_is_open() {
    let (first, far) = (rmc::choose(3), rmc::int(0, 1 << 40));
    rmc::assume(first != 1);
    let mut some = [0];
    rmc::bytes(&mut some);
    assert!(first == 0 || far > 5 || some[0] != 77 || !cfg!(WRONG), "{first}");
}
"#;

fn rmc(path: &str, options: &[&str]) -> Run {
    run(&mut command([options, &[path]].concat()))
}

#[test]
fn each_test_has_a_verdict() {
    let (_directory, path) = file("tests.rs", PROGRAM);
    let path = text(&path);
    let (all, report) = run_with_report(["--test", "--relaxed-memory=tso", "-DWRONG", path]);
    check(&all, 1, &["a panic of another thread in a test with #[should_panic]", "--panic=unwind"]);
    let report = report.expect("a report");
    let results = report["entries"].as_array().expect("entries").iter().map(|entry| {
        let verdict = entry["report"]["verdict"].as_str().unwrap_or("refused");
        (entry["entry"].as_str().expect("a name"), verdict)
    });
    let expected = [
        ("a_choice_is_open", "violated"),
        ("both_are_missed", "violated"),
        ("ends::panics_as_expected", "holds"),
        ("ends::panics_in_a_thread", "refused"),
        ("ends::panics_otherwise", "violated"),
        ("ends::returns_an_error", "violated"),
        ("ends::returns_nothing_wrong", "holds"),
        ("one_is_seen", "violated"),
    ];
    let mut results: Vec<_> = results.collect();
    results.sort_unstable();
    assert_eq!(results, expected);
    assert!(all.stdout.ends_with("tests: 2 hold, 5 violated, 0 unknown, 1 refused, 1 ignored\n"), "{}", all.describe());
    assert!(all.stdout.contains("\ntest one_is_seen ... violated\n"), "{}", all.describe());
    for words in ["test did not panic as expected", "panicked at `this is far too late`", "non-zero status code"] {
        assert!(all.stdout.contains(words), "{words}\n{}", all.describe());
    }

    // Under sc a store is always seen, so the other test always panics.
    let seen = rmc(path, &["--test=one_is_seen", "--relaxed-memory=sc", "-DWRONG"]);
    check(&seen, 0, &[]);
    assert!(seen.stdout.starts_with("one_is_seen: holds under sc\n"), "{}", seen.describe());
    check(&rmc(path, &["--test=both_are_missed", "--relaxed-memory=sc", "-DWRONG"]), 0, &[]);
    let ignored = rmc(path, &["--test=is_ignored", "--include-ignored", "-DWRONG"]);
    check(&ignored, 1, &[]);
    assert!(ignored.stdout.contains("it was not ignored"), "{}", ignored.describe());
    check(&rmc(path, &["--test=is_ignored", "-DWRONG"]), 2, &["--include-ignored"]);

    // A panic without arguments has its text as its payload in older editions.
    for compiler in ["/usr/bin/rustc", text(&later_rustc())] {
        let mut older = command(["--test=panics_as_expected", "--cflags=--edition=2018", "-DWRONG", path]);
        check(&run(older.env("RMC_RUSTC", compiler)), 0, &[]);
    }

    // The panic of a thread is what `join` returns, and `unwrap` panics in the test's own thread.
    check(&rmc(path, &["--test=panics_in_a_thread", "--panic=unwind", "-DWRONG"]), 0, &[]);

    // A test is an entry of the program, which is how a report names it.
    let report = path.replace("tests.rs", "one.json");
    check(&rmc(path, &["--test=one_is_seen", "-DWRONG", "--report", &report]), 1, &[]);
    let again = run(&mut command(["--replay", &report]));
    check(&again, 1, &[]);
    assert!(again.stdout.contains("a panic"), "{}", again.describe());
}

#[test]
fn what_has_no_tests_is_refused() {
    check(&run(&mut command(["--test", "tests/programs/rust/store_buffering.rs"])), 2, &["no `#[test]` functions"]);
    check(&run(&mut command(["--test", "examples/dekker.c"])), 2, &["--test is about Rust programs"]);
    check(&run(&mut command(["--test", "--entry=x", "a.rs"])), 2, &["cannot be used with"]);
    check(&run(&mut command(["--panic=unwind", "examples/dekker.c"])), 2, &["--panic is about Rust programs"]);
}
