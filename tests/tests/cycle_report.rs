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

/// The functions that store and load are called by one function, and by another one: there are two cycles,
/// and the fences belong into these functions.
#[test]
fn fences_are_between_the_calls_of_one_function() {
    let program = "tests/programs/robustness/wrapped.c";
    let (found, report) = run_with_report(["--robustness", "--keep-going", program]);
    assert_eq!(found.code, Some(1), "{}", found.describe());
    let report = report.expect("a report");
    let cycles = report["violations"].as_array().expect("violations").iter().map(|violation| &violation["cycle"]);
    let mut places: Vec<_> = cycles.map(places_of_fences).collect();
    places.sort_unstable();
    assert_eq!(places, [[(19, 23); 2], [(28, 32); 2]]);
    for (calls, line) in [(["wrapped.c:19", "wrapped.c:36"], 19), (["wrapped.c:28", "wrapped.c:37"], 28)] {
        assert!(found.stdout.contains(&format!("called at {}\n", calls.join(", "))), "{}", found.describe());
        let is_it = |at: &&Value| at["function"] == "put" && at["line"] == 11 && at["calls"][0]["line"] == line;
        let operations = report["violations"].as_array().into_iter().flatten();
        let mut operations = operations.flat_map(|violation| violation["cycle"]["operations"].as_array()).flatten();
        assert!(operations.any(|at| is_it(&at)), "{report:#}");
    }
}

/// The lines after which and before which the fences of a cycle belong.
fn places_of_fences(cycle: &Value) -> Vec<(u64, u64)> {
    let line = |place: &Value| place["line"].as_u64().expect("a line");
    let fences = cycle["fences"].as_array().expect("fences").iter();
    fences.map(|fence| (line(&fence["after"]), line(&fence["before"]))).collect()
}
