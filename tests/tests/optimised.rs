//! Every program in `tests/programs` and `examples` has the same verdict when it is compiled with -O2.
//!
//! A program is checked as written, at -O0. If its behaviour is defined, the optimiser may remove executions
//! but must not change the violations of the program. A difference is an error of the optimiser, or of rmc in
//! loading and interpreting constructs that only optimised code contains. Where the C standard allows a
//! difference (undefined behaviour, races on plain variables, relaxed accesses), the program says so in its
//! leading comment, for the reader and for this test:
//!
//! ```text
//! // optimised: differs REASON
//! ```
//!
//! Such a program must really differ, so that no note outlives its reason. One test per program, of its first
//! variant, under the weakest and the strongest model.

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::harness::expectation::{Expected, Model};
use rmc_tests::harness::process::{Run, run_with_report};
use rmc_tests::harness::programs::{Program, programs};
use serde_json::Value;

/// The number of seconds after which a run counts as failed, whatever its result would be.
const TIMEOUT: &str = "120";

/// The prefix of a line with the reason for another verdict.
const MARK: &str = "// optimised: differs ";

/// The strongest and the weakest model. Differences between the optimised and the original program seldom
/// depend on the model.
const MODELS: [Model; 2] = [Model::Sc, Model::Pso];

fn main() {
    let arguments = Arguments::from_args();
    let test = |program: Program| Trial::test(program.name.clone(), move || check(&program));
    libtest_mimic::run(&arguments, programs().into_iter().map(test).collect()).exit();
}

fn check(program: &Program) -> Result<(), Failed> {
    let stated = &program.variants[0];
    let compared = stated.expected.iter().filter(|(model, _)| MODELS.contains(model));
    let differences: Vec<String> =
        compared.filter_map(|(model, expected)| difference(&program.name, &stated.options, *model, expected)).collect();
    match reason(&program.source)? {
        None if differences.is_empty() => Ok(()),
        None => Err(differences.join("\n").into()),
        Some(_) if !differences.is_empty() => Ok(()),
        Some(reason) => Err(format!("no difference, although the program says: {reason}").into()),
    }
}

/// The reason for which the program may differ, if its leading comment has one.
fn reason(source: &str) -> Result<Option<&str>, Failed> {
    let mut comment = source.lines().take_while(|line| line.starts_with("//"));
    match comment.find_map(|line| line.strip_prefix(MARK)) {
        Some(reason) if reason.trim().is_empty() => Err("a difference without a reason".into()),
        reason => Ok(reason),
    }
}

/// The difference between the optimised program and `expected`, if there is one.
fn difference(program: &str, options: &[String], model: Model, expected: &Expected) -> Option<String> {
    let mut arguments = options.to_vec();
    arguments
        .extend(["--cflags=-O2", "--timeout", TIMEOUT, "--relaxed-memory", model.name(), program].map(str::to_owned));
    let (run, report) = run_with_report(arguments);
    let same = run.code == Some(expected.exit_code()) && same_kind(&run, report.as_ref(), expected);
    (!same).then(|| format!("at -O0 {expected}, but optimised:\n{}", run.describe()))
}

/// True if a run with the expected exit code also names the expected violation, or the unsupported operation.
fn same_kind(run: &Run, report: Option<&Value>, expected: &Expected) -> bool {
    let text = |pointer| report.and_then(|report| report.pointer(pointer)).and_then(Value::as_str).unwrap_or("");
    match expected {
        Expected::Holds | Expected::Unknown(None) => true,
        Expected::Violated(kind) => text("/violations/0/kind") == kind,
        Expected::Unknown(Some(reason)) => text("/reason") == reason,
        Expected::Refused(word) => run.stderr.contains(word),
    }
}
