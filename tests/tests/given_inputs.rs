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
