//! The command line: every exit code, every kind of bad option, seen from outside. Input files are
//! tried in `input_files.rs`.
//!
//! Whatever goes wrong, the checker names it and the way out, and never panics.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rmc_tests::harness::outside::{check, file, rmc, text};
use rmc_tests::harness::process::{Run, command, run, run_with_report, tool};
use rmc_tests::harness::repository;
use serde_json::Value;

const HOLDS: &str = "examples/message_passing.c";
const VIOLATED: &str = "examples/store_buffering.c";
const NOT_ROBUST: &str = "tests/programs/robustness/store_buffering.c";
const ENDLESS: &str = "tests/programs/termination/endless_counter.c";

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
    let several = ["--engine=reads-from", "--jobs=2", "benches/programs/index_stack.c"];
    for limit in [["--timeout", "1"], ["--max-memory", "8M"]] {
        let [option, value] = limit;
        let [engine, jobs, program] = several;
        let run = rmc([option, value, engine, jobs, program]);
        check(&run, 3, &[]);
        assert!(!run.stdout.contains(" 0 executions"), "what was explored is lost: {}", run.describe());
    }
    check(&rmc(["--max-states", "1000", ENDLESS]), 3, &[]);
    check(&rmc(["--timeout", "1", ENDLESS]), 3, &[]);
    check(&rmc(["--max-memory", "4M", ENDLESS]), 3, &[]);
}

/// A run within `--max-states` is whole. One that needs a state more, or an event with a stateless engine, ends
/// as soon as it has that one, or soon after, and is never said to hold. Several workers of a stateless engine
/// repeat events.
#[test]
fn the_limit_of_states_is_exact() {
    let counted = |options: &[&str]| {
        let (run, report) = run_with_report(options.iter().chain(&["--relaxed-memory", "tso", HOLDS]));
        let report = report.unwrap_or_else(|| panic!("no report\n{}", run.describe()));
        let count = ["states", "events"].map(|what| report["statistics"][what].as_u64().unwrap_or_default());
        (run, count[0].max(count[1]), report["reason"].clone())
    };
    for engine in [&["--jobs=1"][..], &["--jobs=2"], &["--engine=dpor"], &["--engine=reads-from"]] {
        let (whole, needed, _) = counted(engine);
        check(&whole, 0, &[]);
        assert!(needed > 10, "{needed}");
        let within = |limit: u64| counted(&[engine, &[&format!("--max-states={limit}")]].concat());
        check(&within(needed).0, 0, &[]);
        for limit in [2, needed / 2, needed - 1] {
            let (run, stored, reason) = within(limit);
            check(&run, 3, &[]);
            assert_eq!(reason, "state-limit");
            let is_late = ["--jobs=2", "--engine=reads-from"].contains(&engine[0]);
            let most = if is_late { needed } else { limit + 1 };
            assert!(stored > limit && stored <= most, "{stored} with --max-states={limit}: {}", run.describe());
            if engine == ["--engine=reads-from"] {
                let (run, stored, reason) =
                    counted(&[engine, &["--jobs=3", &format!("--max-states={limit}")]].concat());
                check(&run, 3, &[]);
                assert!(stored > limit && reason == "state-limit", "{}", run.describe());
            }
        }
    }
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

// Bad options.

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
fn rustc_is_not_installed_or_another_one() {
    let program = "tests/programs/rust/store_buffering.rs";
    let missing = run(command([program]).env("RMC_RUSTC", "/nonexistent/rustc"));
    check(&missing, 2, &["/nonexistent/rustc", "libstd-rust-dev"]);
    let (_directory, path) = file("rustc", "#!/bin/sh\necho 'release: 1.90.0'\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is executable");
    let other = run(command([program]).env("RMC_RUSTC", &path));
    check(&other, 2, &["rustc 1.90.0", "rustc 1.63", "make rust"]);
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
    check(&rmc(["--no-monitor", "--cross-check", "--robustness", HOLDS]), 2, &["--no-monitor", "--cross-check"]);
    check(&rmc(["--no-monitor", HOLDS]), 2, &["--robustness"]);
    check(&rmc(["--robustness", "--engine", "explicit", HOLDS]), 2, &["--robustness", "dpor"]);
    check(&rmc(["--robustness", "--spurious-wakeups", HOLDS]), 2, &["--spurious-wakeups"]);
    check(&rmc(["--replay", "report.json", "--robustness"]), 2, &["--replay", "--robustness"]);
    assert_eq!(rmc(["--robustness", text(&task)]).code, Some(2));
}

/// Each in the same words, and before anything is compiled.
#[test]
fn options_that_an_engine_cannot_do_are_refused() {
    for engine in ["dpor", "dpor-source", "symbolic", "attacks"] {
        check(
            &rmc(["--jobs=2", "--engine", engine, "not/there.c"]),
            2,
            &["--jobs works with --engine explicit or reads-from only"],
        );
    }
    let stateless =
        ["--races", "--spurious-wakeups", "--clocks=pass", "--reduce=all", "--store=compact", "--checkpoint=c"];
    for option in stateless {
        for engine in ["--engine=dpor", "--engine=dpor-source"] {
            let name = option.split('=').next().expect("a name");
            check(&rmc([option, engine, "not/there.c"]), 2, &[name, "works with --engine explicit only"]);
        }
    }
    let check_option = |option: &str, words: &str| {
        check(&rmc([option, "--engine=explicit", "not/there.c"]), 2, &[option.trim_end_matches("=3"), words]);
    };
    check_option("--robustness", "works with --engine dpor or dpor-source or attacks only");
    check_option("--count-classes", "works with --engine dpor or dpor-source or reads-from only");
    check_option("--unroll=3", "works with --engine dpor or dpor-source or reads-from or symbolic only");
    check_option("--rounds=3", "works with --engine symbolic only");
    check(&rmc(["--races", "--cross-check", "not/there.c"]), 2, &["--races", "explicit only"]);
    check(&rmc(["--jobs=2", "--cross-check", HOLDS]), 0, &[]);
    check(&rmc(["--replay", "report.json", "--cross-check"]), 2, &["--replay", "--cross-check"]);
}

#[test]
fn preemptions_belong_to_the_explicit_engine() {
    for option in ["--context-bound=1", "--order=preemptions"] {
        let name = option.split('=').next().expect("a name");
        check(&rmc([option, "--engine=dpor", "not/there.c"]), 2, &[name, "works with --engine explicit only"]);
        check(&rmc([option, "--checkpoint=c", HOLDS]), 2, &[name, "--checkpoint"]);
        check(&rmc([option, "--resume=c", HOLDS]), 2, &[name, "--resume"]);
        check(&rmc([option, "--cross-check", HOLDS]), 2, &[name, "--cross-check"]);
        check(&rmc(["--replay", "report.json", option]), 2, &["--replay", name]);
    }
    check(&rmc(["--order=steps", "--context-bound=1", HOLDS]), 2, &["--context-bound", "--order steps"]);
    let reduced = rmc(["--order=preemptions", "--reduce=dead,sleep,guarded", HOLDS]);
    check(&reduced, 0, &["not used in order of preemptions, where they are not sound: guarded,sleep"]);
    // A hash may hide states within the bound.
    let graded = [("--store=exact", "no violation with at most 0 preemptions"), ("--store=compact", "--store compact")];
    for (store, words) in graded {
        let bounded = rmc(["--context-bound=0", store, HOLDS]);
        check(&bounded, 3, &[]);
        assert!(bounded.stdout.contains(words), "{}", bounded.describe());
    }
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
