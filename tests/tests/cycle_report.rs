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
