//! Clauses in the format DIMACS CNF, so that another solver can decide a formula.
//!
//! Format: "Satisfiability: Suggested Format", DIMACS Challenge, 1993. Comments name the bits of each
//! variable, the lowest first: `c variable 3: 2 3 4 5`. Tests: `formula/tests/dimacs.rs`.

use std::io::{self, Write};

use crate::blast::Blaster;
use crate::term::{TermId, Terms};

/// Writes clauses that are satisfiable if and only if all formulas can be 1 together.
///
/// # Errors
/// Those of `output`.
///
/// # Panics
/// If a formula has more than 1 bit.
pub fn write(terms: &Terms, formulas: &[TermId], output: &mut impl Write) -> io::Result<()> {
    let mut blaster = Blaster::new();
    for &formula in formulas {
        let literal = blaster.literal(terms, formula);
        blaster.gates().add_clause(&[literal]);
    }
    let clauses = blaster.gates().take_clauses();
    for number in blaster.variables() {
        let bits = blaster.variable(number).expect("a variable that was translated");
        write!(output, "c variable {number}:")?;
        for bit in bits {
            write!(output, " {}", bit.number())?;
        }
        writeln!(output)?;
    }
    let count = clauses.iter().filter(|&&number| number == 0).count();
    writeln!(output, "p cnf {} {count}", blaster.variable_count())?;
    for clause in clauses.split_inclusive(|&number| number == 0) {
        let numbers: Vec<String> = clause.iter().map(i32::to_string).collect();
        writeln!(output, "{}", numbers.join(" "))?;
    }
    Ok(())
}
