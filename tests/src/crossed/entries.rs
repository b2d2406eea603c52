//! C source of random programs, each of which begins in a function of its own.

use super::c_source::{PRELUDE, functions};
use super::program::Program;
use crate::harness::entries;

/// The declarations that the programs share, and the programs, numbered from 0.
pub fn entries(programs: &[Program]) -> (String, Vec<entries::Program>) {
    let entry = |(number, program): (usize, &Program)| {
        let entry = format!("program{number}");
        let begin = format!("int {entry}(void) {{\n  digest = (uint64_t){entry}_thread0(NULL);\n  return 0;\n}}\n");
        entries::Program { entry, functions: functions(number, program) + &begin }
    };
    (format!("{PRELUDE}\n"), programs.iter().enumerate().map(entry).collect())
}
