//! Writes measured state counts back into the expectations, if the environment has `RMC_BLESS=1`.

use std::path::Path;
use std::sync::Mutex;
use std::{env, fs};

use super::expectation::{Model, variants};

/// True if expectations are to be rewritten instead of compared.
pub fn wanted() -> bool {
    env::var_os("RMC_BLESS").is_some_and(|value| value == "1")
}

/// Serialises writes: tests run in parallel and may bless different models of one line.
static WRITING: Mutex<()> = Mutex::new(());

/// Records `states` for `model` in the expectation at `line` of `file`.
///
/// # Errors
/// If the file cannot be read or written, or has no expectation there.
pub fn states(file: &Path, line: usize, model: Model, states: u64) -> Result<(), String> {
    let _alone = WRITING.lock().map_err(|_| "another test failed while it was writing".to_owned())?;
    let failed = |error| format!("{}: {error}", file.display());
    let source = fs::read_to_string(file).map_err(failed)?;
    let blessed = with_states(&source, line, model, states)?;
    // Other tests compile the file meanwhile; the rename makes sure that they see either the old text or the
    // new one.
    let aside = file.with_extension("blessed");
    fs::write(&aside, blessed).and_then(|()| fs::rename(&aside, file)).map_err(failed)
}

fn with_states(source: &str, line: usize, model: Model, states: u64) -> Result<String, String> {
    let mut variant = variants(source)?
        .into_iter()
        .find(|variant| variant.line == line)
        .ok_or_else(|| format!("line {} states no expectation", line + 1))?;
    variant.states.retain(|(of, _)| *of != model);
    variant.states.push((model, states));
    variant.states.sort_unstable();
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    lines[line] = format!("// {variant}");
    Ok(lines.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_count_of_one_line_changes() {
        let source = "// check: -DX sc=holds tso=holds states=tso:9\n// check: sc=holds\n\nint main;\n";
        let blessed = with_states(source, 0, Model::Sc, 5).unwrap();
        assert_eq!(blessed, source.replace("states=tso:9", "states=sc:5,tso:9"));
        assert_eq!(with_states(&blessed, 0, Model::Tso, 9).unwrap(), blessed);
        assert!(with_states(source, 2, Model::Sc, 5).is_err());
    }
}
