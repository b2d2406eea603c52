//! Limits hold at any moment: inside one step, inside the analysis of one execution, and where the system
//! itself has no more of a resource.
//!
//! Each program here consumes one resource without ever ending by itself. The tests check that the run ends
//! as `unknown`, roughly at the right time; the bounds on time are generous, because tests run beside others.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rmc_tests::harness::outside::{check, file, text};
use rmc_tests::harness::process::{Run, command, rmc_check, run, run_with_report};
use rmc_tests::harness::repository;
use serde_json::Value;

/// A program with one step that has very many answers, with the options below. Inputs of floating point are
/// chosen at once.
const MANY_ANSWERS: &str = "float __VERIFIER_nondet_float(void);
int main(void) { return __VERIFIER_nondet_float() == 7; }
";

/// The options of all runs; only one program has inputs.
const INPUTS: [&str; 2] = ["--svcomp", "--nondet-range=0..16777215"];

/// A program with one execution that has very many races: it creates threads for ever, and all of them wait.
const MANY_RACES: &str = "#include <pthread.h>
int go, n;
void *wait_for_it(void *unused) { while (!go); n = n + 1; return unused; }
void *start(void *unused) { go = 1; return unused; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, start, 0);
    while (1) pthread_create(&thread, 0, wait_for_it, 0);
}
";

/// A program that writes to objects for ever.
const MANY_PAGES: &str = "static char large[32 << 20];
int main(void) { for (unsigned long i = 0;; i++) large[i % sizeof large] = (char)(i | 1); }
";

/// A program with ranges of very many words. Guards are guessed from the recorded uses of these words,
/// between two searches.
const MANY_WORDS: &str = "#include <pthread.h>
#include <string.h>
static char large[32 << 20];
void *know(void *unused) { return large; }
int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, know, 0);
    for (int i = 0;; i++) memset(large, i, sizeof large);
}
";

/// A run that ended as expected, with its report.
struct Ended {
    report: Value,
    time: Duration,
}

/// Runs a program that does not end. It must be stopped for `reason`.
#[track_caller]
fn stopped(program: &str, options: &[&str], reason: &str) -> Ended {
    let (_directory, path) = file("program.c", program);
    let began = Instant::now();
    let (run, report) = run_with_report(INPUTS.iter().chain(options).chain(&[text(&path)]));
    let time = began.elapsed();
    check(&run, 3, &[]);
    let report = report.unwrap_or_else(|| panic!("no report\n{}", run.describe()));
    assert_eq!(report["reason"], reason, "{}", run.describe());
    Ended { report, time }
}

#[test]
fn time_is_looked_at_inside_a_step_and_between_the_races_of_one_execution() {
    let runs = [(MANY_ANSWERS, "explicit"), (MANY_ANSWERS, "dpor"), (MANY_RACES, "dpor"), (MANY_RACES, "dpor-source")];
    for (program, engine) in runs {
        let ended = stopped(program, &["--timeout", "1", "--engine", engine], "timeout");
        assert!(ended.time < Duration::from_secs(10), "{engine}: {:?}", ended.time);
    }
}

#[test]
fn memory_is_that_of_the_process() {
    let runs = [(MANY_ANSWERS, "explicit", "100"), (MANY_PAGES, "dpor", "100"), (MANY_RACES, "dpor", "40")];
    for (program, engine, most) in runs {
        let limit = format!("{most}M");
        let ended = stopped(program, &["--max-memory", &limit, "--engine", engine], "memory-limit");
        let peak = ended.report["statistics"]["peak_rss_bytes"].as_u64().expect("a number of bytes");
        // The limit plus the memory that any run takes; mapped files count in the peak, too.
        let most = (most.parse::<u64>().expect("a number") + 160) << 20;
        assert!(peak < most, "{engine}: {peak} bytes");
    }
}

/// Without an option the limit is a fraction of what is available, here of the address space.
#[test]
fn memory_is_limited_between_searches() {
    let ended = stopped(MANY_WORDS, &["--timeout", "2", "--max-memory", "500M"], "timeout");
    let peak = ended.report["statistics"]["peak_rss_bytes"].as_u64().expect("a number of bytes");
    assert!(peak < 700 << 20, "{peak}");
}

#[test]
fn there_is_always_a_limit_on_memory() {
    let (directory, path) = file("program.c", MANY_PAGES);
    let report = directory.path().join("report.json");
    let run = limited("-v 1500000", &["--timeout", "60", "--engine", "dpor", "--report", text(&report), text(&path)]);
    check(&run, 3, &[]);
    let report: Value = serde_json::from_slice(&std::fs::read(&report).expect("a report")).expect("JSON");
    assert_eq!(report["reason"], "memory-limit", "{}", run.describe());
    let peak = report["statistics"]["peak_rss_bytes"].as_u64().expect("a number of bytes");
    assert!(peak < 1_200_000_000, "{peak} bytes");
}

/// A text for a field is not computed before its length was checked.
#[test]
fn texts_too_long_to_print_are_not_made() {
    for print in [
        "printf(\"%*d\", 2147483647, 1)",
        "snprintf(b, 8, \"%.1000000000f\", 1.0)",
        "snprintf(b, 8, \"%#.2000000000g\", x)",
        "snprintf(b, 8, \"%.*d\", 2147483647, 1)",
        "snprintf(b, 8, \"%99999999999999999999d\", 1)",
        "snprintf(b, 8, \"%.1000000000a\", x)",
    ] {
        let program =
            format!("#include <stdio.h>\nint main(void) {{ char b[8]; double x = 0.1; {print}; return b[0]; }}\n");
        let (_directory, path) = file("program.c", program);
        let (run, report) = run_with_report(["--cflags=-Wno-everything", text(&path)]);
        check(&run, 3, &[]);
        assert_eq!(report.expect("a report")["reason"], "text-length", "{}", run.describe());
    }
}

/// Many digits are possible, because all but the first ones are zeros.
#[test]
fn long_texts_are_exact() {
    let program = "#include <assert.h>\n#include <stdio.h>\n#include <string.h>
static char text[70010];
int main(void) {
    assert(snprintf(text, sizeof text, \"%.70000f\", 0.5) == 70002);
    assert(text[2] == '5' && text[3] == '0' && text[70001] == '0');
    return 0;
}
";
    let (_directory, path) = file("program.c", program);
    check(&run(&mut command(["--relaxed-memory", "sc", text(&path)])), 0, &[]);
}

#[test]
fn signals_end_a_run_inside_a_step() {
    for signal in ["-INT", "-TERM"] {
        let (_directory, path) = file("program.c", MANY_ANSWERS);
        let mut search = command(INPUTS.iter().chain(&[text(&path)]));
        let search = search.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a run");
        std::thread::sleep(Duration::from_secs(1));
        let began = Instant::now();
        let sent = Command::new("kill").args([signal, &search.id().to_string()]).status().expect("a signal");
        assert!(sent.success());
        let output = search.wait_with_output().expect("it ended");
        assert_eq!(output.status.code(), Some(3), "{signal}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(String::from_utf8_lossy(&output.stdout).contains("interrupted"));
        assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    }
}

/// Runs the checker under limits of the shell.
fn limited(limit: &str, arguments: &[&str]) -> Run {
    let script = format!("ulimit {limit}; exec \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh"]).arg(rmc_check()).args(arguments).current_dir(repository());
    run(&mut shell)
}

/// An allocation that fails does not abort the process. With less than the first limit LLVM does not start.
#[test]
fn address_space_that_is_used_up_is_unknown() {
    let (_directory, path) = file("program.c", MANY_PAGES);
    for (limit, engine) in [("-v 300000", "explicit"), ("-v 600000", "dpor"), ("-v 900000", "dpor")] {
        // With a limit above the available memory it is the allocator that notices.
        let run = limited(limit, &["--timeout", "20", "--max-memory", "8G", "--engine", engine, text(&path)]);
        check(&run, 3, &[]);
    }
}

/// The compiler's output is small enough for the limit, a page is not.
#[test]
fn files_that_may_not_grow_are_errors() {
    let (directory, path) = file("program.c", "int main(void) { return 0; }\n");
    let page = directory.path().join("page.html");
    check(&limited("-f 16", &["--report", text(&page), text(&path)]), 2, &["page.html"]);
    assert!(!page.exists(), "nothing is left of it");
}

/// The search for attacks alone needs 5,787 states and no more. Where the stateless engine comes first, its
/// events count, too.
#[test]
fn searches_for_one_answer_share_a_limit() {
    let program = text(&repository().join("tests/programs/unbounded/seqlock.c")).to_owned();
    let with = |how: &str, most: &str| run(&mut command(["-q", how, "--max-states", most, &program]));
    check(&with("--engine=attacks", "5787"), 0, &[]);
    check(&with("--robustness", "5787"), 3, &[]);
    check(&with("--robustness", "20000"), 0, &[]);
}
