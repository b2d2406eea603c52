//! The numbers of executions of random programs that Optimal-DPOR and Source-DPOR find: each execution must
//! be found once. Many executions lead to the same final state, so a missing one is visible here first.
//!
//! Only programs are compared in which all threads end, no execution has a violation and no step has several
//! answers: in others Source-DPOR may find an execution more than once.
//!
//! A process that ends without waiting for its threads has as many executions as one that waits for them
//! first, and the same verdict. That is compared, too.

use serde_json::Value;

use super::c_source::c_source;
use super::comparison::{Setting, ask};
use super::program::{Home, Program, Statement};
use super::shrink::shrink;

/// The messages of the engines on programs on which they differ, with the smallest part of each that still
/// differs; and the number of programs that were compared.
pub fn compare_counts(programs: &[Program], setting: &Setting) -> (Vec<String>, usize) {
    let (mut differences, mut counted) = (Vec::new(), 0);
    for program in programs {
        let Some([optimal, source]) = counts(program, setting) else { continue };
        counted += 1;
        if optimal != source {
            let smallest =
                shrink(program, |part| counts(part, setting).is_some_and(|[optimal, source]| optimal != source));
            let said = format!(
                "dpor finds {optimal} executions, dpor-source {source}; of a part of the program other numbers"
            );
            differences.push(format!("{said}\n{}", c_source(&[smallest])));
        }
    }
    (differences, counted)
}

/// True if every thread that is created is joined, none ends the process, and there is no data choice.
fn is_plain(program: &Program) -> bool {
    let text = c_source(std::slice::from_ref(program));
    let count = |what: &str| text.matches(what).count();
    let ends = count("abort();") + count("xit((int)");
    // One choice is that of the program, in `main`.
    let choices = count("rmc_choose(") - 1 + count("nondet_bool()") + count("timed");
    // The order in which the pieces of a copy are loaded is a choice, too.
    let choices = choices + count("memcpy(") + count("memmove(");
    count("pthread_create(") == count("pthread_join(") && ends + choices == 0
}

/// The numbers of executions of a program without violations, by both engines.
fn counts(program: &Program, setting: &Setting) -> Option<[u64; 2]> {
    let count =
        |engine| executions(&ask(std::slice::from_ref(program), &["--keep-going", "--engine", engine], setting).1?);
    is_plain(program).then_some(())?;
    Some([count("dpor")?, count("dpor-source")?])
}

/// The messages of the engines on programs for which it makes a difference whether the process waits for its
/// threads at its end; and the number of programs that were compared.
pub fn compare_ends(programs: &[Program], setting: &Setting) -> (Vec<String>, usize) {
    let (mut differences, mut compared) = (Vec::new(), 0);
    for program in programs {
        let Some([waits, ends]) = verdicts(program, setting) else { continue };
        compared += 1;
        if waits != ends {
            let differs = |part: &Program| verdicts(part, setting).is_some_and(|[waits, ends]| waits != ends);
            let said = "without the last joins of the first thread, the engines find something else";
            differences.push(format!("{said}\n{}", c_source(&[shrink(program, differs)])));
        }
    }
    (differences, compared)
}

/// The verdicts and numbers of executions of a program without a choice, by three engines, and those of the
/// same program without the joins at the end of its first thread.
fn verdicts(program: &Program, setting: &Setting) -> Option<[Vec<String>; 2]> {
    let mut ends = program.clone();
    while let Some(Statement::Join(_)) = ends.threads[0].last() {
        ends.threads[0].pop();
    }
    // Memory that the first thread has, or that it frees, dies when it ends.
    let outlives = matches!(program.home, Home::Global | Home::Heap);
    (outlives && is_plain(program) && ends != *program).then_some(())?;
    let [waits, ends] = [program, &ends].map(|program| {
        ["explicit", "dpor", "dpor-source"].map(|engine| {
            let (_, report, _) = ask(std::slice::from_ref(program), &["--engine", engine], setting);
            report.and_then(|report| outcome(&report))
        })
    });
    let known = |outcomes: [Option<String>; 3]| outcomes.into_iter().collect::<Option<Vec<_>>>();
    Some([known(waits)?, known(ends)?])
}

/// A verdict, and the number of executions if there is no violation. `None` if there is no verdict, or if
/// there is a violation that may be due to the joins.
fn outcome(report: &Value) -> Option<String> {
    let verdict = report["verdict"].as_str().filter(|verdict| *verdict != "unknown")?;
    let mut kinds = report["violations"].as_array().into_iter().flatten().map(|violation| &violation["kind"]);
    (!kinds.any(|kind| ["deadlock", "invalid-argument", "join-twice"].map(Value::from).contains(kind)))
        .then(|| format!("{verdict} {:?}", executions(report)))
}

fn executions(report: &Value) -> Option<u64> {
    (report["verdict"] == "holds").then(|| report["statistics"]["executions"].as_u64())?
}
