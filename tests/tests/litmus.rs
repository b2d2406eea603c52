//! The litmus suite through the whole pipeline: for every shape and model the final states of one C program
//! that holds all variants of the shape are exactly those of the textbook machine.
//!
//! One test per shape and model, named `litmus SHAPE MODEL`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::process::run_with_report;
use rmc_tests::litmus::c_program::c_program;
use rmc_tests::litmus::expected::outcomes;
use rmc_tests::litmus::shape::{Shape, shapes};
use rmc_tests::litmus::variant::{Test, tests};
use rmc_tests::litmus::{Layout, Outcome};
use serde_json::Value;

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for shape in shapes() {
        for model in Model::ALL {
            let shape = shape.clone();
            let title = format!("litmus {} {}", shape.name, model.name());
            trials.push(Trial::test(title, move || check(&shape, model)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(shape: &Shape, model: Model) -> Result<(), Failed> {
    let tests = tests(shape);
    let found = explore(&tests, model)?;
    let mut wrong = String::new();
    for (number, test) in tests.iter().enumerate() {
        let none = BTreeSet::new();
        wrong += &difference(test, model, found.get(&number).unwrap_or(&none));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

/// What the checker found, per number of a test.
fn explore(tests: &[Test], model: Model) -> Result<BTreeMap<usize, BTreeSet<Outcome>>, Failed> {
    let directory = tempfile::tempdir()?;
    let program = directory.path().join("litmus.c");
    fs::write(&program, c_program(tests))?;
    let options = ["--keep-going", "-q", "--relaxed-memory", model.name()];
    let (run, report) = run_with_report(options.map(Into::into).into_iter().chain([program.into_os_string()]));
    if run.code != Some(0) {
        return Err(run.describe().into());
    }
    let report = report.ok_or("no report")?;
    let states = report["final_states"].as_array().ok_or("the report has no final_states")?;
    let globals = Layout::of(&tests[0]).globals();
    let mut found: BTreeMap<usize, BTreeSet<Outcome>> = BTreeMap::new();
    for state in states {
        let outcome = globals.iter().map(|name| global(state, name)).collect::<Result<Outcome, Failed>>()?;
        found.entry(usize::try_from(global(state, "test")?)?).or_default().insert(outcome);
    }
    Ok(found)
}

fn global(state: &Value, name: &str) -> Result<u64, Failed> {
    let value = &state["globals"][name];
    value.as_u64().ok_or_else(|| format!("global `{name}` is {value} in the final state {state}").into())
}

fn difference(test: &Test, model: Model, found: &BTreeSet<Outcome>) -> String {
    let expected = outcomes(test, model);
    if *found == expected {
        return String::new();
    }
    let names = Layout::of(test).globals();
    let missing: Vec<_> = expected.difference(found).collect();
    let added: Vec<_> = found.difference(&expected).collect();
    format!("{test}\n  {names:?}: missing {missing:?}, added {added:?}\n")
}
