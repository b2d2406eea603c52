//! Task files of the software verification competition: YAML, format 2.0 and 2.1,
//! <https://gitlab.com/sosy-lab/benchmarking/task-definition-format>.
//!
//! A task names its inputs, the properties to check with the expected verdicts, language and data model.
//! Values that this version does not support are refused by name. The data model is an exception: programs
//! are always compiled for LP64, and the report says so if the task asks for ILP32.
//!
//! Tests: `tests/tests/tasks.rs`.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::property::{Property, PropertyError};

/// A task and the property of it that is to be checked.
#[derive(Clone, Debug)]
pub struct Task {
    /// The task file as it was named.
    pub file: String,
    /// The program.
    pub inputs: Vec<PathBuf>,
    /// The property that is checked.
    pub property: Property,
    /// The competition's verdict, if it has one.
    pub expected: Option<Expected>,
    /// `LP64` or `ILP32`.
    pub data_model: String,
}

/// An expected verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// True if the property holds.
    pub verdict: bool,
    /// The formula of it that is violated, if the task names one.
    pub subproperty: Option<String>,
}

/// The reasons for which a task cannot be checked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// A file cannot be read.
    #[error("{path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// The system's reason.
        error: std::io::Error,
    },
    /// The task file does not follow the format; the reader's message has the line.
    #[error("{path}: is no task file of format 2: {message}")]
    Malformed {
        /// The file.
        path: String,
        /// The first mistake and its position.
        message: String,
    },
    /// A value that this version does not know.
    #[error("{path}: unsupported {field} `{value}`")]
    Unsupported {
        /// The file.
        path: String,
        /// The field.
        field: &'static str,
        /// Its value.
        value: String,
    },
    /// A property that cannot be used.
    #[error("{path}: {error}")]
    Property {
        /// The property file, or the option.
        path: String,
        /// The error in it.
        error: PropertyError,
    },
    /// The task has several properties, and no option names one.
    #[error("{path}: has {count} properties; choose one with --property: {names}")]
    Several {
        /// The file.
        path: String,
        /// The number of properties.
        count: usize,
        /// Their files.
        names: String,
    },
    /// There are other inputs beside a task.
    #[error("{path}: a task file names its inputs itself; give no other input with it")]
    NotAlone {
        /// The task file.
        path: String,
    },
}

#[derive(Deserialize)]
struct Document {
    format_version: String,
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<PropertyEntry>,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(PathBuf),
    Many(Vec<PathBuf>),
}

#[derive(Deserialize)]
struct PropertyEntry {
    property_file: PathBuf,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Default, Deserialize)]
struct Options {
    language: Option<String>,
    data_model: Option<String>,
}

/// True if an input is a task file by its name.
#[must_use]
pub fn is_task(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// The property that an option names: a name or a property file.
///
/// # Errors
/// [`TaskError::Property`], [`TaskError::Unreadable`].
pub fn property(option: &str) -> Result<Property, TaskError> {
    let path = Path::new(option);
    if path.extension().is_some_and(|extension| extension == "prp") {
        return property_file(&text, path);
    }
    option.parse().map_err(|error| TaskError::Property { path: "--property".to_owned(), error })
}

/// Reads a task; `wanted` is the property that the options name.
///
/// # Errors
/// [`TaskError`]; each names the file.
pub fn read(path: &Path, wanted: Option<Property>) -> Result<Task, TaskError> {
    read_with(&text, path, wanted)
}

/// A function that reads a file.
pub(crate) type ReadText<'r> = &'r dyn Fn(&Path) -> Result<String, TaskError>;

/// Reads a task, and the property files that it names, with `text`.
pub(crate) fn read_with(text: ReadText<'_>, path: &Path, wanted: Option<Property>) -> Result<Task, TaskError> {
    let file = path.display().to_string();
    let malformed = |message: String| TaskError::Malformed { path: file.clone(), message };
    let document: Document = serde_norway::from_str(&text(path)?).map_err(|error| malformed(error.to_string()))?;
    let unsupported =
        |field, value: &str| TaskError::Unsupported { path: file.clone(), field, value: value.to_owned() };
    if !matches!(document.format_version.as_str(), "2.0" | "2.1") {
        return Err(unsupported("format_version", &document.format_version));
    }
    let language = document.options.language.as_deref().unwrap_or("C");
    if language != "C" {
        return Err(unsupported("language", language));
    }
    let data_model = document.options.data_model.unwrap_or_else(|| "LP64".to_owned());
    if !matches!(data_model.as_str(), "LP64" | "ILP32") {
        return Err(unsupported("data_model", &data_model));
    }
    let base = path.parent().unwrap_or(Path::new(""));
    let (property, expected) = choose(text, &file, base, &document.properties, wanted)?;
    let inputs = match document.input_files {
        OneOrMany::One(input) => vec![base.join(input)],
        OneOrMany::Many(inputs) => inputs.iter().map(|input| base.join(input)).collect(),
    };
    if inputs.is_empty() {
        return Err(malformed("input_files is empty".to_owned()));
    }
    Ok(Task { file, inputs, property, expected, data_model })
}

/// The property to check: the one that is wanted, or the task's only one.
fn choose(
    text: ReadText<'_>,
    file: &str,
    base: &Path,
    entries: &[PropertyEntry],
    wanted: Option<Property>,
) -> Result<(Property, Option<Expected>), TaskError> {
    let expected = |entry: &PropertyEntry| {
        entry.expected_verdict.map(|verdict| Expected { verdict, subproperty: entry.subproperty.clone() })
    };
    let Some(wanted) = wanted else {
        return match entries {
            [] => Ok((Property::default(), None)),
            [only] => Ok((property_file(text, &base.join(&only.property_file))?, expected(only))),
            _ => {
                let names = entries.iter().map(|entry| entry.property_file.display().to_string()).collect::<Vec<_>>();
                Err(TaskError::Several { path: file.to_owned(), count: entries.len(), names: names.join(", ") })
            }
        };
    };
    // The task's other properties need not be supported, nor do their files have to exist.
    let is_wanted = |entry: &&PropertyEntry| {
        let by_name = entry.property_file.file_stem().is_some_and(|stem| stem.to_string_lossy() == wanted.to_string());
        by_name || property_file(text, &base.join(&entry.property_file)).is_ok_and(|property| property == wanted)
    };
    Ok((wanted, entries.iter().find(is_wanted).and_then(expected)))
}

fn property_file(text: ReadText<'_>, path: &Path) -> Result<Property, TaskError> {
    let result = Property::from_file_text(&text(path)?);
    result.map_err(|error| TaskError::Property { path: path.display().to_string(), error })
}

fn text(path: &Path) -> Result<String, TaskError> {
    std::fs::read_to_string(path).map_err(|error| TaskError::Unreadable { path: path.display().to_string(), error })
}
