//! The litmus suite through the whole pipeline: compiler, pass and checker.
//!
//! A shape is one of the small programs of the literature, such as store buffering. Its variants add fences
//! and exchanges. One C program holds all variants of a shape ([`rmc_tests::litmus::c_program`]). For each
//! variant and model, the outcomes that the checker finds must be exactly those of the textbook machine
//! ([`rmc_tests::oracle`]).
//!
//! There is one test per shape and model, named `litmus SHAPE MODEL`.

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

/// Compares the checker with the textbook machine on every variant of a shape.
fn check(shape: &Shape, model: Model) -> Result<(), Failed> {
    let variants = tests(shape);
    let mut found = outcomes_by_variant(&variants, model)?;
    let differences = variants.iter().enumerate().filter_map(|(index, variant)| {
        let found = found.remove(&index).unwrap_or_default();
        difference(variant, model, &found)
    });
    let differences: String = differences.collect();
    if differences.is_empty() { Ok(()) } else { Err(differences.into()) }
}

/// The outcomes that the checker finds for each variant, by the variant's index. The checker runs once, with
/// `--keep-going`, so that it reports all final states.
fn outcomes_by_variant(variants: &[Test], model: Model) -> Result<BTreeMap<usize, BTreeSet<Outcome>>, Failed> {
    let directory = tempfile::tempdir()?;
    let program = directory.path().join("litmus.c");
    fs::write(&program, c_program(variants))?;
    let options = ["--keep-going", "-q", "--relaxed-memory", model.name()];
    let (run, report) = run_with_report(options.map(Into::into).into_iter().chain([program.into_os_string()]));
    if run.code != Some(0) {
        return Err(run.describe().into());
    }
    let report = report.ok_or("no report")?;
    let states = report["final_states"].as_array().ok_or("the report has no final_states")?;
    let globals = Layout::of(&variants[0]).globals();
    let mut found: BTreeMap<usize, BTreeSet<Outcome>> = BTreeMap::new();
    for state in states {
        let outcome = globals.iter().map(|name| global(state, name)).collect::<Result<Outcome, Failed>>()?;
        // The program chooses a variant and stores its index in `test`.
        let index = usize::try_from(global(state, "test")?)?;
        found.entry(index).or_default().insert(outcome);
    }
    Ok(found)
}

/// The value of a global variable in a final state.
fn global(state: &Value, name: &str) -> Result<u64, Failed> {
    let value = &state["globals"][name];
    value.as_u64().ok_or_else(|| format!("global `{name}` is {value} in the final state {state}").into())
}

/// A message about the outcomes on which the checker and the textbook machine differ, if there are any.
fn difference(variant: &Test, model: Model, found: &BTreeSet<Outcome>) -> Option<String> {
    let expected = outcomes(variant, model);
    if *found == expected {
        return None;
    }
    let names = Layout::of(variant).globals();
    let missing: Vec<_> = expected.difference(found).collect();
    let added: Vec<_> = found.difference(&expected).collect();
    Some(format!("{variant}\n  {names:?}: missing {missing:?}, added {added:?}\n"))
}
