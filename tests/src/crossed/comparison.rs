//! Runs the engines on random programs: on several at once, and individually on those that need it.
//!
//! Verdicts, violations and final states of the explicit and the stateless engine are compared. The numbers
//! of executions that Optimal-DPOR and Source-DPOR find can be compared, too: see `counts.rs`.

use std::collections::BTreeSet;
use std::{fmt, fs};

use serde_json::Value;

use super::c_source::{c_source, program_at};
use super::program::Program;
use super::shrink::shrink;
use crate::harness::expectation::Model;
use crate::harness::process::{self, run_with_report};

/// The limits at which an engine leaves a program undecided. Some programs have very many executions.
const LIMITS: [&str; 4] = ["--max-states", "100000", "--timeout", "20"];

/// The options with which programs are checked.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The model.
    pub model: Model,
    /// Other options, the same for all engines.
    pub options: &'static [&'static str],
}

/// The results of comparing the engines, summed over programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Programs on which the engines agree.
    pub agreed: usize,
    /// Programs with the same number of executions by Optimal-DPOR and Source-DPOR.
    pub counted: usize,
    /// Programs with the same results if the process does not wait for its threads at its end.
    pub ended: usize,
    /// Programs that an engine did not explore to the end.
    pub undecided: usize,
    /// Programs on which the engines agree and that have a violation.
    pub violated: usize,
    /// Programs on which the engines agree and that can deadlock.
    pub deadlocked: usize,
    /// The number of final states; those of different programs count as different.
    pub outcomes: usize,
    /// The kinds of violations.
    pub kinds: BTreeSet<String>,
    /// The smallest part of each program on which they do not agree, and their messages.
    pub differences: Vec<String>,
}

impl Tally {
    /// Adds another tally.
    pub fn add(&mut self, other: Tally) {
        self.agreed += other.agreed;
        self.counted += other.counted;
        self.ended += other.ended;
        self.undecided += other.undecided;
        self.violated += other.violated;
        self.deadlocked += other.deadlocked;
        self.outcomes += other.outcomes;
        self.kinds.extend(other.kinds);
        self.differences.extend(other.differences);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { agreed, counted, ended, undecided, violated, deadlocked, outcomes, kinds, differences } = self;
        let kinds = kinds.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
        write!(
            f,
            "{agreed} programs with {outcomes} final states on which the engines agree, {violated} of them violated, \
             {deadlocked} deadlock; of {counted} the executions were counted, {ended} end early as well; {undecided} undecided, {} different; {kinds}",
            differences.len()
        )
    }
}

/// Compares the engines on programs.
pub fn compare(programs: &[Program], setting: &Setting) -> Tally {
    match (run(programs, setting), programs) {
        (Run::Agree(tally), _) => tally,
        (Run::Undecided, [_]) => Tally { undecided: 1, ..Tally::default() },
        (Run::Differ { code, .. }, [program]) => {
            Tally { differences: vec![difference(program, setting, code)], ..Tally::default() }
        }
        (Run::Undecided | Run::Differ { .. }, _) => {
            let mut sum = Tally::default();
            programs.iter().for_each(|program| sum.add(compare(std::slice::from_ref(program), setting)));
            sum
        }
    }
}

enum Run {
    Agree(Tally),
    Undecided,
    /// The engines disagree, or the checker failed: its exit code and its messages.
    Differ {
        code: Option<i32>,
        said: String,
    },
}

/// Checks programs in one text, which is returned, too.
pub(super) fn ask(programs: &[Program], engine: &[&str], setting: &Setting) -> (process::Run, Option<Value>, String) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (path, text) = (directory.path().join("random.c"), c_source(programs));
    fs::write(&path, &text).expect("a temporary file");
    let options = ["--svcomp", "-q", "--relaxed-memory", setting.model.name()];
    let options = engine.iter().chain(&options).chain(&LIMITS).chain(setting.options);
    let (run, report) = run_with_report(options.map(Into::into).chain([path.into_os_string()]));
    (run, report, text)
}

fn run(programs: &[Program], setting: &Setting) -> Run {
    let (run, report, text) = ask(programs, &["--keep-going", "--cross-check"], setting);
    let Some(report) = report.filter(|_| matches!(run.code, Some(0 | 1 | 3))) else {
        return Run::Differ { code: run.code, said: run.describe() };
    };
    let said = report["cross_check"].as_str().unwrap_or_default();
    if !said.contains(" agree, ") {
        return Run::Undecided;
    }
    Run::Agree(tally(programs, &text, &report))
}

fn tally(programs: &[Program], text: &str, report: &Value) -> Tally {
    let outcomes = report["final_states"].as_array().map_or(0, Vec::len);
    let violations = report["violations"].as_array().map_or(&[][..], Vec::as_slice);
    let program = |violation: &Value| {
        let events = violation["trace"].as_array().into_iter().flatten();
        let lines = events.chain([violation]).filter_map(|event| event["line"].as_u64());
        lines.filter_map(|line| program_at(text, usize::try_from(line).ok()?)).next_back()
    };
    let kind = |violation: &Value| violation["kind"].as_str().unwrap_or_default().to_owned();
    let violated: BTreeSet<_> = violations.iter().map(program).collect();
    let deadlocked: BTreeSet<_> = violations.iter().filter(|one| kind(one) == "deadlock").map(program).collect();
    Tally {
        agreed: programs.len(),
        counted: 0,
        ended: 0,
        undecided: 0,
        violated: violated.len(),
        deadlocked: deadlocked.len(),
        outcomes,
        kinds: violations.iter().map(kind).collect(),
        differences: Vec::new(),
    }
}

/// The smallest part of a program that makes the checker end with this code.
fn difference(program: &Program, setting: &Setting, code: Option<i32>) -> String {
    let alone = |program: &Program| run(std::slice::from_ref(program), setting);
    let differs = |program: &Program| matches!(alone(program), Run::Differ { code: found, .. } if found == code);
    let smallest = shrink(program, differs);
    let said = match alone(&smallest) {
        Run::Differ { said, .. } => said,
        Run::Agree(_) | Run::Undecided => "another run did not show it".to_owned(),
    };
    format!("{said}\n{}", c_source(&[smallest]))
}
