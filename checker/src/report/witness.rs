//! Witnesses of a verdict for the software verification competition, in its YAML format.
//!
//! Source: the format of violation and correctness witnesses,
//! <https://gitlab.com/sosy-lab/benchmarking/sv-witnesses>, versions 2.0 to 2.2; 2.2 adds `thread_id`. For
//! each verdict this is written:
//!
//! * **`holds`**: an `invariant_set` without invariants (version 2.1). It claims the verdict and gives a
//!   validator no help.
//! * **`violated`**: a `violation_sequence` (version 2.2), one segment for each of these events of the
//!   counterexample, in its order: a thread is created (`function_enter` at the call; the k-th such waypoint
//!   makes thread k, `main` is 0), a nondeterministic value is returned (`function_return`), another thread
//!   continues (`assumption` that is always true, which pins the order). The last segment is the violation
//!   (`target`); for a data race it has both accesses.
//! * **`unknown`**: nothing.
//!
//! The format has no store buffers: a violation that only `tso` or `pso` allows has no witness that another
//! tool could confirm; the description names the model. Columns are left out; the format then means the
//! leftmost fitting place on the line. Everything except the creation time is determined by input and
//! options.
//!
//! Tests: `tests/tests/witnesses.rs`.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::json::{Report, ReportedViolation};
use crate::outcome::ViolationKind;
use crate::outcome::event::TraceEvent;
use crate::property::Property;
use crate::system::library::{self, OnThreads};

/// One entry of a witness file. The format is a list of entries; rmc writes one.
#[derive(Serialize)]
struct Entry {
    entry_type: &'static str,
    metadata: Metadata,
    content: Vec<Segment>,
}

#[derive(Serialize)]
struct Metadata {
    format_version: &'static str,
    uuid: String,
    creation_time: String,
    producer: Producer,
    task: TaskData,
}

#[derive(Serialize)]
struct Producer {
    name: &'static str,
    version: &'static str,
    description: String,
}

#[derive(Serialize)]
struct TaskData {
    input_files: Vec<String>,
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    data_model: &'static str,
    language: &'static str,
}

/// A segment of a witness: all of it happens before the next segment.
#[derive(Serialize)]
struct Segment {
    segment: Vec<Step>,
}

#[derive(Serialize)]
struct Step {
    waypoint: Waypoint,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Waypoint {
    r#type: &'static str,
    action: &'static str,
    thread_id: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint>,
    location: Location,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Constraint {
    value: String,
    format: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Location {
    file_name: String,
    line: u32,
    #[serde(skip_serializing_if = "String::is_empty")]
    function: String,
}

/// The witness of a report for a property, as YAML. `None` if the verdict is `unknown`.
///
/// # Errors
/// An input, which must be hashed, cannot be read any more.
pub fn witness(report: &Report, property: Property) -> std::io::Result<Option<String>> {
    let (entry_type, format_version, content) = match report.verdict.as_str() {
        "holds" => ("invariant_set", "2.1", Vec::new()),
        "violated" => match report.violations.first() {
            Some(violation) => ("violation_sequence", "2.2", Places(&report.inputs).segments(violation)),
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    let metadata = Metadata {
        format_version,
        uuid: String::new(),
        creation_time: String::new(),
        producer: Producer {
            name: "rmc",
            version: env!("CARGO_PKG_VERSION"),
            description: format!("checked under {} by engine {}", report.model, report.engine),
        },
        task: TaskData {
            input_files: report.inputs.clone(),
            input_file_hashes: hashes(&report.inputs)?,
            specification: property.specification(),
            data_model: "LP64",
            language: "C",
        },
    };
    let mut entry = Entry { entry_type, metadata, content };
    // The UUID of the witness is the hash of its content without UUID and time.
    entry.metadata.uuid = uuid(&Sha256::digest(yaml(&entry)));
    let time = humantime::format_rfc3339_seconds(SystemTime::now());
    // Quotes keep readers of YAML 1.1 from parsing the time as a timestamp; the format wants a string.
    Ok(Some(yaml(&entry).replacen("creation_time: ''", &format!("creation_time: '{time}'"), 1)))
}

fn yaml(entry: &Entry) -> String {
    serde_norway::to_string(&[entry]).expect("a witness can be written as YAML")
}

fn hashes(inputs: &[String]) -> std::io::Result<BTreeMap<String, String>> {
    let hash = |input: &String| {
        let digest = Sha256::digest(std::fs::read(Path::new(input))?);
        Ok((input.clone(), hexadecimal(&digest)))
    };
    inputs.iter().map(hash).collect()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A UUID of version 4 (RFC 4122) from the first bytes of a hash.
fn uuid(hash: &[u8]) -> String {
    let mut bytes = hash[..16].to_vec();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hexadecimal(&bytes);
    [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]].join("-")
}

/// The names of the inputs; a witness names places by them.
struct Places<'a>(&'a [String]);

impl Places<'_> {
    /// A location under the name of the input; the compiler may have named the file by a suffix of that path.
    fn location(&self, file: &str, line: u32, function: &str) -> Location {
        let input = self.0.iter().find(|input| Path::new(input).ends_with(file));
        let file_name = input.map_or(file, String::as_str).to_owned();
        Location { file_name, line, function: function.to_owned() }
    }

    fn segments(&self, violation: &ReportedViolation) -> Vec<Segment> {
        let mut names = ThreadNames::default();
        let mut segments = Vec::new();
        let mut last = 0;
        for event in violation.trace.iter().filter(|event| event.line > 0 && event.operation != "flush") {
            let switches = names.of(event.thread) != last;
            let waypoint = self.waypoint(event, &mut names).or_else(|| switches.then(|| self.pin(event, &names)));
            if let Some(waypoint) = waypoint {
                last = waypoint.thread_id;
                segments.push(segment(vec![waypoint]));
            }
        }
        segments.push(segment(self.targets(violation, &names)));
        segments
    }

    /// The waypoint of an event, if a validator needs one for it.
    fn waypoint(&self, event: &TraceEvent, names: &mut ThreadNames) -> Option<Waypoint> {
        let thread_id = names.of(event.thread);
        if let Some(created) = created(event) {
            names.create(created);
            return Some(self.follow("function_enter", thread_id, event, None));
        }
        if event.operation.starts_with("__VERIFIER_nondet_") || matches!(&*event.operation, "rmc_choose" | "rmc_int") {
            let constraint = Constraint { value: format!("\\result == {}", event.value), format: "acsl_expression" };
            return Some(self.follow("function_return", thread_id, event, Some(constraint)));
        }
        None
    }

    /// A waypoint that says only that its thread reaches this place now.
    fn pin(&self, event: &TraceEvent, names: &ThreadNames) -> Waypoint {
        let constraint = Constraint { value: "1".to_owned(), format: "c_expression" };
        self.follow("assumption", names.of(event.thread), event, Some(constraint))
    }

    fn follow(
        &self,
        r#type: &'static str,
        thread_id: usize,
        at: &TraceEvent,
        constraint: Option<Constraint>,
    ) -> Waypoint {
        let location = self.location(&at.file, at.line, &at.function);
        Waypoint { r#type, action: "follow", thread_id, constraint, location }
    }

    /// The waypoints of the violation: one, or both accesses of a data race.
    fn targets(&self, violation: &ReportedViolation, names: &ThreadNames) -> Vec<Waypoint> {
        let target = |thread, file: &str, line, function: &str| Waypoint {
            r#type: "target",
            action: "follow",
            thread_id: names.of(thread),
            constraint: None,
            location: self.location(file, line, function),
        };
        // The innermost frame may be a function of the support library, without lines.
        let place = format!("{}:{}", violation.file, violation.line);
        let function = violation.stack.iter().find(|frame| frame.place == place).map_or("", |frame| &frame.function);
        let here = target(violation.thread, &violation.file, violation.line, function);
        let other = violation.related.iter().find(|_| violation.kind == ViolationKind::DataRace);
        let other = other.map(|other| target(other.thread, &other.file, other.line, &other.function));
        other.into_iter().chain([here]).collect()
    }
}

fn segment(waypoints: Vec<Waypoint>) -> Segment {
    Segment { segment: waypoints.into_iter().map(|waypoint| Step { waypoint }).collect() }
}

/// The thread that an event creates: its value is `thread N runs F`.
fn created(event: &TraceEvent) -> Option<usize> {
    if library::named(&event.operation).is_none_or(|function| function.on_threads != OnThreads::Creates) {
        return None;
    }
    event.value.strip_prefix("thread ")?.split(' ').next()?.parse().ok()
}

/// The identifiers of threads in the witness: the number of the thread's creation, 0 for the main thread. The
/// checker's own numbers do not serve, because it reuses them.
#[derive(Default)]
struct ThreadNames {
    count: usize,
    by_number: BTreeMap<usize, usize>,
}

impl ThreadNames {
    fn create(&mut self, thread: usize) {
        self.count += 1;
        self.by_number.insert(thread, self.count);
    }

    fn of(&self, thread: usize) -> usize {
        self.by_number.get(&thread).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_used_again_names_another_thread() {
        let mut names = ThreadNames::default();
        names.create(1);
        names.create(2);
        assert_eq!([names.of(0), names.of(1), names.of(2)], [0, 1, 2]);
        names.create(1);
        assert_eq!([names.of(1), names.of(2)], [3, 2]);
    }

    #[test]
    fn a_uuid_has_its_version_and_variant() {
        assert_eq!(uuid(&[0xff; 32]), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }
}
