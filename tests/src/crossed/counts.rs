//! How many executions of random programs Optimal-DPOR and Source-DPOR find: each once. Many lead to the same final state, so an execution that is missed shows here first.
//!
//! Only of programs in which all threads end, nothing goes wrong and no step has several answers: elsewhere Source-DPOR may find an execution more than once.

use serde_json::Value;

use super::c_source::c_source;
use super::comparison::{Setting, ask};
use super::program::Program;
use super::shrink::shrink;

/// What the engines say of programs on which they differ, with the smallest part of each that shows it; and how many programs were compared.
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
    count("pthread_create(") == count("pthread_join(") && ends + choices == 0
}

/// The numbers of executions of a program in which nothing goes wrong, by both engines.
fn counts(program: &Program, setting: &Setting) -> Option<[u64; 2]> {
    let count = |engine| executions(&ask(std::slice::from_ref(program), &["--engine", engine], setting).1?);
    is_plain(program).then_some(())?;
    Some([count("dpor")?, count("dpor-source")?])
}

fn executions(report: &Value) -> Option<u64> {
    (report["verdict"] == "holds").then(|| report["statistics"]["executions"].as_u64())?
}
