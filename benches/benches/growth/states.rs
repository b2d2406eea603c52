//! States of the explicit engine under TSO against the number and the width of inputs.
//!
//! As symbols, the number of states depends on the comparisons of inputs and not on their width. One by one,
//! it is a multiple of the number of all values together, which have `inputs` times `width` bits. Seconds on
//! an x86-64 server whose processors did other work, too:
//!
//! | inputs | symbols, any width | s, 4 to 32 bits | one by one: 4 bits | 8 bits | 12 bits | 16 bits |
//! |---|---|---|---|---|---|---|
//! | 1 | 23 | 0.001 | 267, 0.001 s | 4,347, 0.02 s | 69,627, 0.2 s | 1,114,107, 5.1 s |
//! | 2 | 75 | 0.005 | 9,947, 0.02 s | 2,678,027, 11 s | | |
//! | 3 | 257 | 0.01 to 0.05 | 260,781, 0.6 s | | | |
//! | 4 | 1,321 | 0.1 to 0.25 | 6,712,769, 26 s | | | |

use rmc_benches::{number, output_directory, report};

use crate::PROGRAM;
use crate::plot::{Axis, Chart, Series};

const WIDTHS: [u32; 5] = [4, 8, 12, 16, 32];

/// The states with 1, 2, 3 and 4 inputs as symbols, of any width.
const WITH_SYMBOLS: [u64; 4] = [23, 75, 257, 1_321];

/// The states with values one by one: the number of inputs, their width, and the states. Others have more
/// than 16 bits of inputs and are left out.
const ONE_BY_ONE: [(u32, u32, u64); 8] = [
    (1, 4, 267),
    (1, 8, 4_347),
    (1, 12, 69_627),
    (1, 16, 1_114_107),
    (2, 4, 9_947),
    (2, 8, 2_678_027),
    (3, 4, 260_781),
    (4, 4, 6_712_769),
];

/// Makes the table and its chart.
pub fn print() -> Result<String, String> {
    let mut text =
        "| inputs | width | states, symbols | s | states, one by one | s |\n|---|---|---|---|---|---|".to_owned();
    let mut series = Vec::new();
    for (inputs, states) in (1..).zip(WITH_SYMBOLS) {
        let mut symbols = Series::new(format!("{inputs}, symbols"));
        let mut values = Series::new(format!("{inputs}, one by one"));
        for width in WIDTHS {
            let seconds = explore(inputs, width, &[], states)?;
            symbols.add(width, states);
            text += &format!("\n| {inputs} | {width} | {states} | {seconds:.3} |");
            match ONE_BY_ONE.iter().find(|&&(of, bits, _)| (of, bits) == (inputs, width)) {
                Some(&(.., states)) => {
                    let seconds = explore(inputs, width, &["--no-reduce", "inputs"], states)?;
                    values.add(width, states);
                    text += &format!(" {states} | {seconds:.3} |");
                }
                None => text += " - | - |",
            }
        }
        series.extend([symbols, values]);
    }
    let path = output_directory("growth")?.join("states.svg");
    Chart { title: "States by number and width of inputs", x: "bits of an input", y: Axis::logarithmic("states") }
        .draw(&path, &series)?;
    Ok(format!("{text}\n{}\n", path.display()))
}

/// Explores the program, which must hold with so many states. The result is the time in seconds.
fn explore(inputs: u32, width: u32, options: &[&str], states: u64) -> Result<f64, String> {
    let (of_inputs, of_width) = (format!("-DINPUTS={inputs}"), format!("-DWIDTH={width}"));
    let report = report(&[options, &[&of_inputs, &of_width, PROGRAM]].concat())?;
    let found = number(&report, "states")?;
    if report["verdict"] != "holds" || found != states as f64 {
        let verdict = &report["verdict"];
        return Err(format!("{inputs} inputs of {width} bits: {verdict}, {found} states; expected {states}"));
    }
    number(&report, "seconds")
}
