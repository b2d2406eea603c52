//! How many executions of random programs Optimal-DPOR and Source-DPOR find: each once. Many lead to the same
//! final state, so an execution that is missed shows here first.
//!
//! Only of programs in which all threads end, nothing goes wrong and no step has several answers: elsewhere
//! Source-DPOR may find an execution more than once.
//!
//! A process that ends without waiting for its threads has as many executions as one that waits for them
//! first, and the same verdict: that is compared, too.

use serde_json::Value;

use super::c_source::c_source;
use super::comparison::{Setting, ask};
use super::program::{Home, Program, Statement};
use super::shrink::shrink;

/// What the engines say of programs on which they differ, with the smallest part of each that shows it; and
/// how many programs were compared.
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

/// Whether every thread that is created is joined, none ends the process, and nothing is chosen.
fn is_plain(program: &Program) -> bool {
    let text = c_source(std::slice::from_ref(program));
    let count = |what: &str| text.matches(what).count();
    let ends = count("abort();") + count("xit((int)");
    // `main` chooses the program.
    let choices = count("rmc_choose(") - 1 + count("nondet_bool()") + count("timed");
    // In which order the pieces of a copy are loaded is chosen, too.
    let choices = choices + count("memcpy(") + count("memmove(");
    count("pthread_create(") == count("pthread_join(") && ends + choices == 0
}

/// The numbers of executions of a program in which nothing goes wrong, by both engines.
fn counts(program: &Program, setting: &Setting) -> Option<[u64; 2]> {
    let count =
        |engine| executions(&ask(std::slice::from_ref(program), &["--keep-going", "--engine", engine], setting).1?);
    is_plain(program).then_some(())?;
    Some([count("dpor")?, count("dpor-source")?])
}

/// What the engines say of programs whose process does not wait for threads at its end, if that is not what
/// they say of those that do; and how many programs were compared.
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

/// Verdicts and numbers of executions of a program without a choice, by three engines, and of the same one
/// without the joins at the end of its first thread.
fn verdicts(program: &Program, setting: &Setting) -> Option<[Vec<String>; 2]> {
    let mut ends = program.clone();
    while let Some(Statement::Join(_)) = ends.threads[0].last() {
        ends.threads[0].pop();
    }
    // Memory of the first thread, or that it frees, is gone when it ends.
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

/// A verdict, and how many executions there are if nothing goes wrong. `None` if there is no verdict, or
/// something goes wrong that may be due to the joins.
fn outcome(report: &Value) -> Option<String> {
    let verdict = report["verdict"].as_str().filter(|verdict| *verdict != "unknown")?;
    let mut kinds = report["violations"].as_array().into_iter().flatten().map(|violation| &violation["kind"]);
    (!kinds.any(|kind| ["deadlock", "invalid-argument", "join-twice"].map(Value::from).contains(kind)))
        .then(|| format!("{verdict} {:?}", executions(report)))
}

fn executions(report: &Value) -> Option<u64> {
    (report["verdict"] == "holds").then(|| report["statistics"]["executions"].as_u64())?
}
