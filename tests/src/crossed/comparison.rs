//! Runs the engines on random programs: several at once, and alone those of them that need it.
//!
//! Beside verdicts, violations and final states of the explicit and the stateless engine, how many executions
//! Optimal-DPOR and Source-DPOR find can be compared: see `counts.rs`.

use std::collections::BTreeSet;
use std::{fmt, fs};

use serde_json::Value;

use super::c_source::{c_source, program_at};
use super::program::Program;
use super::shrink::shrink;
use crate::harness::expectation::Model;
use crate::harness::process::{self, run_with_report};

/// What the engines are given before a program is left undecided. Some programs have very many executions.
const LIMITS: [&str; 4] = ["--max-states", "100000", "--timeout", "20"];

/// How programs are checked.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The model.
    pub model: Model,
    /// Other options, the same for both engines.
    pub options: &'static [&'static str],
}

/// What comparing the engines gave, summed over programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Programs on which the engines agree.
    pub agreed: usize,
    /// Programs with the same number of executions by Optimal-DPOR and Source-DPOR.
    pub counted: usize,
    /// Programs of which the engines say the same if the process does not wait for its threads at its end.
    pub ended: usize,
    /// Programs of which an engine did not see everything.
    pub undecided: usize,
    /// Of those on which they agree, the ones in which something goes wrong.
    pub violated: usize,
    /// Of those, the ones that can deadlock.
    pub deadlocked: usize,
    /// Final states, those of different programs being different.
    pub outcomes: usize,
    /// What went wrong.
    pub kinds: BTreeSet<String>,
    /// The smallest part of each program on which they do not agree, and what they said.
    pub differences: Vec<String>,
}

impl Tally {
    /// Adds another one.
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
    /// Also where the checker failed. Its exit code, and what it said.
    Differ {
        code: Option<i32>,
        said: String,
    },
}

/// Checks programs; the text that they are together.
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
    if said.contains("did not see everything") {
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
