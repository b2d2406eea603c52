//! The JSON report of an execution that is not sequentially consistent.

use rmc_tests::harness::process::run_with_report;
use serde_json::Value;

const NOT_ROBUST: &str = "tests/programs/robustness/store_buffering.c";

#[track_caller]
fn has_fields(value: &Value, fields: &[&str]) {
    let missing: Vec<_> = fields.iter().filter(|field| value.get(**field).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?} missing in {value:#}");
}

#[test]
fn report_of_a_cycle_has_its_fields() {
    let (found, report) = run_with_report(["--robustness", NOT_ROBUST]);
    assert_eq!(found.code, Some(1), "{}", found.describe());
    let report = report.expect("a report");
    assert_eq!((&report["robustness"], &report["engine"]), (&"not-robust".into(), &"dpor".into()));
    let cycle = &report["violations"][0]["cycle"];
    let relations: Vec<_> =
        cycle["operations"].as_array().expect("operations").iter().map(|at| &at["before_next"]).collect();
    assert_eq!(relations, ["po", "fr", "po", "fr"]);
    has_fields(&cycle["operations"][0], &["thread", "file", "line", "function", "operation", "address", "value"]);
    assert_eq!(cycle["fences"].as_array().expect("fences").len(), 2);
    has_fields(&cycle["fences"][0], &["thread", "after", "before", "kind"]);
    let (_, robust) = run_with_report(["--robustness", "-DFIRST", "-DSECOND", NOT_ROBUST]);
    assert_eq!(robust.expect("a report")["robustness"], "robust");
    let (_, unasked) = run_with_report([NOT_ROBUST]);
    assert_eq!(unasked.expect("a report").get("robustness"), None);
}

/// The functions that store and load are called by one function: the fences belong there.
#[test]
fn fences_are_between_the_calls_of_one_function() {
    let (found, report) = run_with_report(["--robustness", "tests/programs/robustness/wrapped.c"]);
    assert_eq!(found.code, Some(1), "{}", found.describe());
    let cycle = &report.expect("a report")["violations"][0]["cycle"];
    let store = &cycle["operations"][0];
    let calls = store["calls"].as_array().expect("calls");
    assert_eq!((&store["function"], &store["line"]), (&"put".into(), &11.into()));
    assert_eq!((&calls[0]["function"], &calls[0]["line"]), (&"announce_and_look".into(), &19.into()));
    for fence in cycle["fences"].as_array().expect("fences") {
        assert_eq!((&fence["after"]["line"], &fence["before"]["line"]), (&19.into(), &23.into()));
    }
    let callers: Vec<_> =
        cycle["operations"].as_array().into_iter().flatten().map(|at| &at["calls"][1]["line"]).collect();
    assert_eq!(callers, [27, 27, 32, 32]);
    assert!(found.stdout.contains("called at wrapped.c:19, wrapped.c:27"), "{}", found.describe());
}
