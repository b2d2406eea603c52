//! The values of inputs in the schedules of reports: `--replay` runs the program with these values, and
//! refuses values with which the violation does not happen.

use rmc_tests::harness::outside::{check, file, rmc, text};
use rmc_tests::harness::process::run_with_report;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Two threads. The assertion fails for one value of each input and one choice, and only after the other
/// thread has stored.
const THREADS: &str = "#include <assert.h>\n#include <pthread.h>\n#include <rmc.h>\n\
    long __VERIFIER_nondet_long(void);\nlong cell;\n\
    static void *other(void *unused) {\n  (void)unused;\n  long x = __VERIFIER_nondet_long();\n  rmc_assume(x > 5);\n\
    __atomic_store_n(&cell, x, __ATOMIC_RELAXED);\n  return 0;\n}\n\
    int main(void) {\n  pthread_t thread;\n  pthread_create(&thread, 0, other, 0);\n\
    long y = rmc_int(-9, 9), x = __atomic_load_n(&cell, __ATOMIC_RELAXED);\n\
    if (x > 100) {\n    unsigned c = rmc_choose(3);\n    assert(x != 0x123456789abcdef || y != -7 || c != 2);\n  }\n\
    pthread_join(thread, 0);\n  return 0;\n}\n";

/// One thread, with one input.
const ALONE: &str = "#include <assert.h>\nlong __VERIFIER_nondet_long(void);\n\
    int main(void) {\n  assert(__VERIFIER_nondet_long() != -5000000000);\n  return 0;\n}\n";

/// A report of a violation, and the directory of its program.
fn violation(program: &str, options: &[&str]) -> (TempDir, Value) {
    let (directory, path) = file("program.c", program);
    let (run, report) = run_with_report([&["--svcomp"], options, &[text(&path)]].concat());
    check(&run, 1, &[]);
    (directory, report.expect("a report"))
}

fn steps(report: &mut Value) -> &mut Vec<Value> {
    report["violations"][0]["schedule"].as_array_mut().expect("a schedule")
}

/// The values in a schedule, with their places.
fn inputs(report: &mut Value) -> Vec<&mut Value> {
    let steps = steps(report).iter_mut().filter_map(|step| step.get_mut("inputs"));
    steps.flat_map(|inputs| inputs.as_array_mut().expect("values")).collect()
}

/// Checks the exit code and the message of a replay.
#[track_caller]
fn check_replay(report: &Value, code: i32, words: &[&str]) {
    let (_directory, path) = file("report.json", report.to_string());
    check(&rmc(["--replay", text(&path)]), code, words);
}

const REFUSED: &[&str] = &["cannot be taken, or ends otherwise"];

#[test]
fn a_violation_is_confirmed_with_the_values_of_its_inputs_only() {
    for model in ["sc", "tso", "pso"] {
        let (_directory, mut report) = violation(THREADS, &["--relaxed-memory", model]);
        let mut values: Vec<_> = inputs(&mut report).iter().map(|value| value.as_u64().expect("bits")).collect();
        values.sort_unstable();
        assert_eq!(values, [0x0123_4567_89ab_cdef, (-7_i64).cast_unsigned()]);
        check_replay(&report, 1, &[]);
        for at in 0..values.len() {
            // Another value, one that `rmc_int` cannot give, one that is assumed away, and none.
            for value in [json!(8), json!(10), json!(0)] {
                let mut tampered = report.clone();
                *inputs(&mut tampered)[at] = value;
                check_replay(&tampered, 2, REFUSED);
            }
        }
        let mut fewer = report.clone();
        steps(&mut fewer).iter_mut().for_each(|step| _ = step.as_object_mut().expect("a step").remove("inputs"));
        check_replay(&fewer, 2, REFUSED);
        let mut more = report.clone();
        steps(&mut more)[0]["inputs"] = json!([1, 2, 3, 4, 5]);
        check_replay(&more, 2, REFUSED);
    }
}

#[test]
fn a_report_that_answers_questions_about_inputs_is_replayed() {
    let (_directory, mut report) = violation(ALONE, &[]);
    let codes = [0, 1].map(|answer| {
        *steps(&mut report) = vec![json!({"thread": 0, "choices": [answer]})];
        let (_directory, path) = file("report.json", report.to_string());
        rmc(["--replay", text(&path)]).code.expect("an exit code")
    });
    assert!(codes == [1, 2] || codes == [2, 1], "one answer is that the input has the value: {codes:?}");
}

#[test]
fn values_of_any_width_are_given_with_update_events() {
    let (_directory, mut report) = violation(ALONE, &[]);
    assert_eq!(inputs(&mut report).len(), 1);
    report["engine"] = json!("dpor");
    check_replay(&report, 1, &[]);
    *inputs(&mut report)[0] = json!(5);
    check_replay(&report, 2, REFUSED);
}

/// An allocation of a size that is an input, and then these statements.
fn of_open_size(statements: &str) -> String {
    format!(
        "#include <stdlib.h>\n#include <string.h>\nunsigned __VERIFIER_nondet_uint(void);\nchar table[100000];\n\
         int main(void) {{\n  unsigned n = __VERIFIER_nondet_uint();\n  if (n < 10 || n > 99999)\n    return 0;\n\
         char *a = malloc(n);\n  {statements}\n  return 0;\n}}\n"
    )
}

#[test]
fn the_size_of_an_object_is_one_of_those_that_a_violation_needs() {
    let (_directory, mut report) = violation(&of_open_size("if (n > 500)\n    a[700] = 1;"), &[]);
    assert_eq!(report["violations"][0]["kind"], "out-of-bounds");
    assert_eq!(inputs(&mut report), [&json!(501)]);
    for engine in ["explicit", "dpor"] {
        report["engine"] = json!(engine);
        for (size, code, words) in [(501, 1, &[][..]), (700, 1, &[]), (701, 2, REFUSED), (500, 2, REFUSED)] {
            *inputs(&mut report)[0] = json!(size);
            check_replay(&report, code, words);
        }
    }
}

#[test]
fn what_needs_a_value_is_said() {
    let uses = [
        ("memset(a, 1, n);", "the number of bytes that `memset` writes"),
        ("memcpy(a, table, n);", "the length of a copy of memory"),
        ("double x = n; return x > 3;", "a number that is converted to floating point"),
        ("a[n] = 1;", "an index"),
    ];
    for (engine, (statements, expected)) in
        ["explicit", "dpor"].into_iter().flat_map(|engine| uses.map(|one| (engine, one)))
    {
        let (_directory, path) = file("program.c", of_open_size(statements));
        let (run, report) = run_with_report(["--svcomp", "--engine", engine, text(&path)].map(str::to_owned));
        check(&run, 3, &[]);
        let report = report.expect("a report");
        let needed = report["needed_value"].as_str().unwrap_or("");
        assert!(needed.contains(expected) && needed.contains("values"), "{engine} {statements}: {needed}");
        assert!(run.stdout.contains(needed) && report["reason_place"]["line"].as_u64().is_some_and(|line| line > 8));
    }
}
