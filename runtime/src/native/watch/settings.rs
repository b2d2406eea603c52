//! The environment variables of the monitor. README, *The monitor*, has them for users.

use std::ffi::OsString;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use super::ignore::Ignored;

/// The variable that turns the monitor on.
const MONITOR: &str = "RMC_MONITOR";
const REPORT: &str = "RMC_MONITOR_REPORT";
const EXIT: &str = "RMC_MONITOR_EXIT";
const IGNORE: &str = "RMC_MONITOR_IGNORE";
const HISTORY: &str = "RMC_MONITOR_HISTORY";

/// The exit code of a process with reports. It is that of ThreadSanitizer.
const DEFAULT_EXIT: u8 = 66;
/// The number of older stores that are kept of each word.
const DEFAULT_HISTORY: u32 = 8;

/// How the monitor watches and reports.
#[derive(Debug)]
pub(in crate::native) struct Settings {
    /// The file of the report, in addition to the text on standard error.
    pub report: Option<(PathBuf, Format)>,
    /// The exit code of a process with reports; 0 leaves the program's.
    pub exit: u8,
    pub ignored: Ignored,
    /// The number of older stores that are kept of each word.
    pub history: u32,
}

/// A format of report files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Format {
    Json,
    Sarif,
}

impl Settings {
    /// Reads the variables. `names` are those of all variables. Returns `None` if the monitor is not wanted.
    ///
    /// # Errors
    /// The message for a bad value.
    pub fn read(
        variable: impl Fn(&str) -> Result<Option<String>, String>,
        mut names: impl Iterator<Item = OsString>,
    ) -> Result<Option<Self>, String> {
        match variable(MONITOR)?.as_deref() {
            None => return Ok(None),
            Some("tso") => {}
            Some(other) => return Err(format!("{MONITOR}: '{other}' is not watched (expected tso)")),
        }
        if variable("RMC_MODEL")?.is_some() {
            return Err(format!("{MONITOR} and RMC_MODEL exclude each other: the monitor delays no stores"));
        }
        let is_unknown = |name: &OsString| {
            let name = name.to_string_lossy();
            name.starts_with("RMC_MONITOR_") && ![REPORT, EXIT, IGNORE, HISTORY].contains(&&*name)
        };
        if let Some(unknown) = names.find(is_unknown) {
            let unknown = unknown.to_string_lossy();
            return Err(format!("{unknown} is no setting (there are {REPORT}, {EXIT}, {IGNORE}, {HISTORY})"));
        }
        Ok(Some(Self {
            report: variable(REPORT)?.map(|file| parse_report(&file)).transpose()?,
            exit: variable(EXIT)?.map_or(Ok(DEFAULT_EXIT), |text| parse_number(EXIT, &text, &u8::MAX))?,
            ignored: variable(IGNORE)?.map_or_else(|| Ok(Ignored::default()), |file| read_ignored(&file))?,
            history: variable(HISTORY)?.map_or(Ok(DEFAULT_HISTORY), |text| parse_number(HISTORY, &text, &u32::MAX))?,
        }))
    }
}

fn parse_report(file: &str) -> Result<(PathBuf, Format), String> {
    let path = PathBuf::from(file);
    let format = match path.extension().and_then(|ending| ending.to_str()) {
        Some("json") => Format::Json,
        Some("sarif") => Format::Sarif,
        _ => return Err(format!("{REPORT}: '{file}' ends neither in .json nor in .sarif")),
    };
    Ok((path, format))
}

fn parse_number<N: FromStr + Display>(name: &str, text: &str, greatest: &N) -> Result<N, String> {
    text.parse().map_err(|_| format!("{name}: '{text}' is no number from 0 to {greatest}"))
}

fn read_ignored(file: &str) -> Result<Ignored, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{IGNORE}: {file}: {error}"))?;
    Ignored::parse(&text).map_err(|error| format!("{IGNORE}: {file}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variables: &[(&str, &str)], expected: Result<bool, &str>) {
        let get = |name: &str| Ok(variables.iter().find(|row| row.0 == name).map(|row| row.1.to_owned()));
        let names = variables.iter().map(|row| OsString::from(row.0));
        let read = Settings::read(get, names).map(|settings| settings.is_some());
        assert_eq!(read, expected.map_err(str::to_owned));
    }

    #[test]
    fn bad_values_are_named() {
        check(&[("RMC_MONITOR_EXIT", "x")], Ok(false));
        check(&[("RMC_MONITOR", "tso"), ("RMC_MONITOR_EXIT", "0")], Ok(true));
        check(&[("RMC_MONITOR", "pso")], Err("RMC_MONITOR: 'pso' is not watched (expected tso)"));
        check(
            &[("RMC_MONITOR", "tso"), ("RMC_MODEL", "sc")],
            Err("RMC_MONITOR and RMC_MODEL exclude each other: the monitor delays no stores"),
        );
        check(
            &[("RMC_MONITOR", "tso"), ("RMC_MONITOR_EXIT", "256")],
            Err("RMC_MONITOR_EXIT: '256' is no number from 0 to 255"),
        );
        check(
            &[("RMC_MONITOR", "tso"), ("RMC_MONITOR_REPORT", "a.txt")],
            Err("RMC_MONITOR_REPORT: 'a.txt' ends neither in .json nor in .sarif"),
        );
        check(
            &[("RMC_MONITOR", "tso"), ("RMC_MONITOR_FILE", "a.json")],
            Err("RMC_MONITOR_FILE is no setting (there are RMC_MONITOR_REPORT, RMC_MONITOR_EXIT, \
                 RMC_MONITOR_IGNORE, RMC_MONITOR_HISTORY)"),
        );
    }
}
