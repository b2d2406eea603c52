//! A run from input to exit code.

use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use super::args::{Args, Format};
use super::parallel::in_order;
use crate::answer::{Answers, SCHEMA, answer};
use crate::error::{InputError, Problem};
use crate::located::{Entry, Located};
use crate::{json, text};

/// The exit code of a run in which an answer is not the expected one.
const UNEXPECTED: u8 = 1;
/// The exit code of bad input.
const BAD_INPUT: u8 = 2;

/// The histories of a file.
struct Input {
    file: String,
    histories: Vec<Located>,
}

/// Runs the program.
#[must_use]
pub fn main() -> ExitCode {
    let args = Args::parse();
    let mut inputs = Vec::new();
    for path in &args.files {
        match read(path, args.format) {
            Ok(input) => inputs.push(input),
            Err(error) => {
                eprintln!("rmc-history: {error}");
                return ExitCode::from(BAD_INPUT);
            }
        }
    }
    let mut output = BufWriter::new(io::stdout().lock());
    let printed = match args.convert {
        Some(format) => convert(&inputs, format, &mut output).map(|()| 0),
        None => decide_all(&args, &inputs, &mut output),
    };
    match printed.and_then(|code| output.flush().map(|()| code)) {
        Ok(code) => ExitCode::from(code),
        // Whoever reads the output has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(BAD_INPUT),
        Err(error) => {
            eprintln!("rmc-history: standard output: {error}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn read(path: &Path, format: Option<Format>) -> Result<Input, InputError> {
    let is_standard_input = path.as_os_str() == "-";
    let file = if is_standard_input { "standard input".to_owned() } else { path.display().to_string() };
    let mut bytes = Vec::new();
    let read =
        if is_standard_input { io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes) } else { std::fs::read(path) };
    let in_file = |problem| InputError { place: file.clone(), problem };
    let bytes = read.map_err(|error| in_file(Problem::Unreadable(error)))?;
    let contents = String::from_utf8(bytes).map_err(|_| in_file(Problem::NotText))?;
    let usual = if path.extension().is_some_and(|extension| extension == "json") { Format::Json } else { Format::Text };
    let histories = match format.unwrap_or(usual) {
        Format::Text => text::parse(&contents, &file)?,
        Format::Json => json::parse(&contents, &file)?,
    };
    Ok(Input { file, histories })
}

fn convert(inputs: &[Input], format: Format, output: &mut impl Write) -> io::Result<()> {
    let histories = inputs.iter().flat_map(|input| &input.histories).map(|located| &located.recorded);
    let printed = match format {
        Format::Text => text::print(histories),
        Format::Json => json::print(histories),
    };
    output.write_all(printed.as_bytes())
}

/// Decides all histories and prints the answers. Returns the exit code.
fn decide_all(args: &Args, inputs: &[Input], output: &mut impl Write) -> io::Result<u8> {
    let entries = inputs.iter().flat_map(|input| {
        let histories = input.histories.iter().zip(1..);
        histories.map(|(located, number)| Entry { file: &input.file, number, located })
    });
    let entries: Vec<Entry<'_>> = entries.collect();
    let models = args.models();
    let print = |answers: &Answers| {
        if args.json { serde_json::to_string(answers).expect("it has no maps") } else { answers.text(inputs.len() > 1) }
    };
    let work = |entry: &Entry<'_>| {
        let answers = answer(*entry, &models, args.explain)?;
        Ok::<_, InputError>((answers.are_as_expected(), print(&answers)))
    };
    if args.json {
        write!(output, "{{\"schema\":\"{SCHEMA}\",\"histories\":[")?;
    }
    let (mut code, mut written, mut separator) = (0, Ok(()), "\n");
    in_order(args.jobs(), &entries, work, |result| {
        match result {
            Ok((is_as_expected, printed)) => {
                code = code.max(if is_as_expected { 0 } else { UNEXPECTED });
                let separator = if args.json { std::mem::replace(&mut separator, ",\n") } else { "" };
                written = write!(output, "{separator}{printed}");
            }
            Err(error) => {
                code = BAD_INPUT;
                eprintln!("rmc-history: {error}");
            }
        }
        written.is_ok()
    });
    written?;
    if args.json {
        writeln!(output, "\n]}}")?;
    }
    Ok(code)
}
