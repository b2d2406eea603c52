//! The JSON report, schema `rmc.report.v1`. `--replay` reads it too.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rmc_runtime::{Model, OrderRules};
use serde::{Deserialize, Serialize};

use super::entries;
use super::repair::Repair;
use super::task::TaskReport;
use crate::engine::capabilities::{self, Capabilities, Unit};
use crate::engine::counterexample::Counterexample;
use crate::engine::{Limits, SearchOrder};
use crate::ir::load::Stub;
use crate::memory;
use crate::outcome::coverage::Coverage;
use crate::outcome::cycle::{Cycle, Monitored, Robustness};
use crate::outcome::event::{RelatedPlace, TraceEvent};
use crate::outcome::hottest::Hottest;
use crate::outcome::{
    ExecutionEnd, Fault, FinalState, Outcome, Place, ScheduleStep, Statistics, Unknown, Verdict, ViolationKind,
};
use crate::system::observe::guards::{self, Guards};
use crate::system::{Clocks, Config, Leaks, Reduction, Reductions};
use crate::task::Task;

const SCHEMA: &str = "rmc.report.v1";

/// A whole report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Always `rmc.report.v1`.
    pub schema: String,
    /// `holds`, `violated` or `unknown`.
    pub verdict: String,
    /// The reason for the verdict `unknown`, else null.
    pub reason: Option<Unknown>,
    /// The place where the program first met the reason, if the reason is in the program.
    #[serde(default)]
    pub reason_place: Option<Place>,
    /// The use of the nondeterministic value that was needed there, in words, if that is the reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needed_value: Option<String>,
    /// `sc`, `tso` or `pso`.
    pub model: String,
    /// The engine's name.
    pub engine: String,
    /// With `--cross-check`, the result of comparing the engines.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cross_check: Option<String>,
    /// With `--robustness`, the answer to whether every execution is sequentially consistent.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub robustness: Option<Robustness>,
    /// With `--robustness` under tso and a stateless engine: `exact` if the answer comes from executions
    /// without store buffers that were watched by the monitor, else the reason why it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub monitor: Option<Monitored>,
    /// For a program that holds, the assertions, lines and functions that no execution reaches.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub coverage: Option<Coverage>,
    /// For the verdict `unknown`, the place of most of the work, and advice about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hottest: Option<Hottest>,
    /// Options that bound or change what was explored.
    pub bounds: Bounds,
    /// The directory that relative names are relative to; empty if unknown.
    #[serde(default)]
    pub working_directory: String,
    /// Input files as they were named.
    pub inputs: Vec<String>,
    /// The names byte by byte, if some are not UTF-8.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub input_bytes: Vec<Vec<u8>>,
    /// The function in which the program begins, if it is not `main`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub entry: Option<String>,
    /// Options given to the compiler.
    pub compiler_options: Vec<String>,
    /// The directory of the compilation database that gave further compiler options, if there was one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub build_directory: Option<String>,
    /// Functions that were assumed to return a value and do nothing else, as `NAME=VALUE` or `NAME`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub stubs: Vec<String>,
    /// Violations, shortest first.
    pub violations: Vec<ReportedViolation>,
    /// With `--keep-going`, the reason why there may be more violations and final states than these.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unfinished: Option<Unknown>,
    /// The competition's task and the comparison with its expected verdict, if the input was a task.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub task: Option<TaskReport>,
    /// Counters.
    pub statistics: Statistics,
    /// Final states, with `--keep-going`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub final_states: Option<BTreeSet<FinalState>>,
    /// The reason why there are none although they were asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub no_final_states: Option<String>,
    /// The execution of a program that has exactly one, and no violation in it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub only_execution: Option<ExecutionEnd>,
    /// The result of `--fix`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub repair: Option<Repair>,
}

/// Options that bound or change what was explored. Absent limits are null.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(clippy::missing_docs_in_private_items)]
pub struct Bounds {
    pub buffer_bound: usize,
    pub weak_release: bool,
    pub local_memory_detection: bool,
    /// The reductions that were used.
    #[serde(default)]
    pub reductions: Option<Reductions>,
    /// The guards that the reduction `guarded` found; they determine where steps end.
    #[serde(default, skip_serializing_if = "Guards::is_empty")]
    pub guards: Guards,
    /// True if an atomic section waits for the end of a thread; that determines where steps end, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sees_ends: bool,
    #[serde(default)]
    pub svcomp: bool,
    #[serde(default)]
    pub malloc_may_fail: bool,
    #[serde(default)]
    pub leaks: Leaks,
    /// The competition's property by name; null if all violations count.
    #[serde(default)]
    pub property: Option<String>,
    /// `MIN..MAX`, both included.
    #[serde(default)]
    pub nondet_range: Option<String>,
    #[serde(default)]
    pub races: bool,
    #[serde(default)]
    pub spurious_wakeups: bool,
    #[serde(default)]
    pub clocks: Clocks,
    /// The number of processors that the program finds; null if it was not given.
    #[serde(default)]
    pub processors: Option<u32>,
    pub max_states: Option<u64>,
    pub max_memory_bytes: Option<u64>,
    pub timeout_seconds: Option<f64>,
    #[serde(default)]
    pub unroll: Option<u32>,
    /// The order of the explicit engine's search.
    #[serde(default)]
    pub order: SearchOrder,
    /// The maximal number of preemptions of an execution.
    #[serde(default)]
    pub context_bound: Option<u32>,
}

impl Bounds {
    /// The reductions that were used; for older reports, which do not name them, the usual ones of that time.
    fn reductions(&self) -> Reductions {
        let usual =
            if self.local_memory_detection { Reductions::USUAL } else { Reductions::USUAL.without(Reduction::Private) };
        self.reductions.unwrap_or(usual)
    }
}

/// A violation with its trace.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ReportedViolation {
    /// The kind of violation.
    pub kind: ViolationKind,
    /// Details.
    pub message: String,
    /// Source file, empty if unknown.
    pub file: String,
    /// Source line, 0 if unknown.
    pub line: u32,
    /// The thread.
    pub thread: usize,
    /// Its frames, innermost first.
    pub stack: Vec<StackFrame>,
    /// The other places that explain it, nearest first: where memory was freed and allocated, who holds a
    /// lock.
    #[serde(default)]
    pub related: Vec<RelatedPlace>,
    /// The events, in order.
    pub trace: Vec<TraceEvent>,
    /// The text that the program printed.
    pub output: String,
    /// For an execution that is not sequentially consistent, its cycle.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cycle: Option<Cycle>,
    /// The number of preemptions, with `--order preemptions`: the fewest with which there is this violation.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub preemptions: Option<u32>,
    /// The schedule that `--replay` runs.
    pub schedule: Vec<ScheduleStep>,
}

/// A frame of a stack.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StackFrame {
    /// Function.
    pub function: String,
    /// `file:line`, or `?`.
    pub place: String,
}

impl StackFrame {
    /// The place, if it is known.
    #[must_use]
    pub fn known_place(&self) -> Option<&str> {
        (self.place != "?").then_some(&self.place)
    }
}

/// The part of a report that says how to read the rest.
#[derive(Deserialize)]
struct Head {
    schema: String,
}

/// The options of the run.
pub struct Options {
    /// Options of the transition system.
    pub config: Config,
    /// The engine's name.
    pub engine: String,
    /// Input files.
    pub inputs: Vec<PathBuf>,
    /// The function in which the program begins, if it is not `main`.
    pub entry: Option<String>,
    /// Options for the compiler.
    pub compiler_options: Vec<String>,
    /// The directory of the compilation database.
    pub build_directory: Option<PathBuf>,
    /// Functions that are replaced by stubs.
    pub stubs: Vec<Stub>,
    /// Limits.
    pub limits: Limits,
    /// The competition's task.
    pub task: Option<Task>,
}

/// The reasons for which a report cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The file is not a report.
    #[error("{path}: is no report of rmc-check (schema {SCHEMA}): {error}")]
    Format {
        /// The file.
        path: String,
        /// The error of the parser.
        error: serde_json::Error,
    },
    /// The file has the reports of several entries.
    #[error("{path}: has the reports of several entries: check the one to replay alone, with --entry and --report")]
    Entries {
        /// The file.
        path: String,
    },
    /// The report is of another version.
    #[error("the report's {field} `{value}` is unknown to this version; it reads schema {SCHEMA}")]
    Version {
        /// The field that this version does not understand.
        field: &'static str,
        /// Its value.
        value: String,
    },
}

impl Report {
    /// The report of an outcome; `examples` are the counterexamples of its violations.
    #[must_use]
    pub fn new(outcome: &Outcome, examples: &[Counterexample], options: &Options) -> Self {
        let (verdict, reason) = match outcome.verdict {
            Verdict::Holds => ("holds", None),
            Verdict::Violated => ("violated", None),
            Verdict::Unknown(reason) => ("unknown", Some(reason)),
        };
        let violations = outcome.violations.iter().zip(examples);
        Self {
            schema: SCHEMA.to_owned(),
            verdict: verdict.to_owned(),
            reason,
            reason_place: outcome.reason_place.clone(),
            needed_value: outcome.needed_value.clone(),
            model: options.config.model().to_string(),
            engine: options.engine.clone(),
            cross_check: None,
            robustness: outcome.robustness,
            monitor: outcome.monitor.clone(),
            coverage: outcome.coverage.clone(),
            hottest: outcome.hottest.clone(),
            bounds: Bounds {
                buffer_bound: options.config.buffer_bound,
                weak_release: options.config.rules.weak_release,
                local_memory_detection: options.config.reduces(Reduction::Private),
                reductions: Some(options.config.reductions),
                guards: options.config.guards.clone(),
                sees_ends: options.config.sees_ends,
                svcomp: options.config.svcomp,
                malloc_may_fail: options.config.malloc_may_fail,
                leaks: options.config.leaks,
                property: Some(options.config.property).filter(|property| property.is_some()).map(|it| it.to_string()),
                nondet_range: options.config.nondet_range.map(|range| range.to_string()),
                races: options.config.races,
                spurious_wakeups: options.config.spurious_wakeups,
                clocks: options.config.clocks,
                processors: options.config.processors,
                max_states: options.limits.max_states,
                max_memory_bytes: options.limits.max_memory,
                timeout_seconds: options.limits.timeout.map(|timeout| timeout.as_secs_f64()),
                unroll: options.limits.unroll,
                order: options.limits.order,
                context_bound: options.limits.context_bound,
            },
            working_directory: std::env::current_dir()
                .map_or_else(|_| String::new(), |path| path.display().to_string()),
            inputs: options.inputs.iter().map(|path| path.display().to_string()).collect(),
            input_bytes: bytes_of_names(&options.inputs),
            entry: options.entry.clone(),
            compiler_options: options.compiler_options.clone(),
            build_directory: options.build_directory.as_ref().map(|path| path.display().to_string()),
            stubs: options.stubs.iter().map(ToString::to_string).collect(),
            violations: violations
                .map(|(violation, example)| reported(example, &violation.schedule, violation.preemptions))
                .collect(),
            unfinished: outcome.unfinished,
            task: options.task.as_ref().map(|task| TaskReport::new(task, outcome)),
            statistics: Statistics { peak_rss_bytes: memory::peak(), ..outcome.statistics.clone() },
            final_states: outcome.final_states.clone(),
            no_final_states: None,
            only_execution: outcome.only_execution.clone(),
            repair: None,
        }
    }

    /// The reason for the verdict `unknown`, in words.
    #[must_use]
    pub fn reason_in_words(&self) -> Option<String> {
        Some(match (self.reason?, self.bounds.context_bound) {
            (Unknown::ContextBound, Some(bound)) => {
                let preemptions = if bound == 1 { "preemption" } else { "preemptions" };
                format!("no violation with at most {bound} {preemptions}")
            }
            (reason, _) => reason.describe().to_owned(),
        })
    }

    /// The functions that were replaced by stubs.
    ///
    /// # Errors
    /// [`ReadError::Version`].
    pub fn stubs(&self) -> Result<Vec<Stub>, ReadError> {
        let read = |text: &String| text.parse().map_err(|_| ReadError::Version { field: "stub", value: text.clone() });
        self.stubs.iter().map(read).collect()
    }

    /// Reads a report from a file.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let named = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(&text, &named),
            Err(error) => Err(ReadError::Io { path: named, error }),
        }
    }

    /// Reads a report from the text of a file of this name.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn parse(text: &str, path: &str) -> Result<Self, ReadError> {
        let malformed = |error| ReadError::Format { path: path.to_owned(), error };
        if serde_json::from_str(text).is_ok_and(|Head { schema }| schema == entries::SCHEMA) {
            return Err(ReadError::Entries { path: path.to_owned() });
        }
        let report: Self = serde_json::from_str(text).map_err(malformed)?;
        if report.schema != SCHEMA {
            return Err(ReadError::Version { field: "schema", value: report.schema });
        }
        Ok(report)
    }

    /// The options of the transition system that the report was made with.
    ///
    /// # Errors
    /// [`ReadError::Version`] for a memory model that this version does not know.
    pub fn config(&self) -> Result<Config, ReadError> {
        let model: Model =
            self.model.parse().map_err(|_| ReadError::Version { field: "model", value: self.model.clone() })?;
        let range = self.bounds.nondet_range.as_ref();
        let unknown_range = |range: &String| ReadError::Version { field: "nondet_range", value: range.clone() };
        let nondet_range = range.map(|range| range.parse().map_err(|_| unknown_range(range))).transpose()?;
        let unknown_property = |name: &String| ReadError::Version { field: "property", value: name.clone() };
        let property = self.bounds.property.as_ref();
        let property = property.map(|name| name.parse().map_err(|_| unknown_property(name))).transpose()?;
        Ok(Config {
            reads_from: false,
            nondet_range,
            property: property.unwrap_or_default(),
            rules: OrderRules { model, weak_release: self.bounds.weak_release },
            buffer_bound: self.bounds.buffer_bound,
            bound_grows: false,
            ends_when_full: false,
            reductions: self.bounds.reductions(),
            svcomp: self.bounds.svcomp,
            malloc_may_fail: self.bounds.malloc_may_fail,
            updates: self.capabilities()?.updates,
            inputs: self.capabilities()?.inputs(),
            robustness: self.robustness.is_some(),
            keeps_numbers: self.cross_check.is_some() && self.robustness.is_none(),
            leaks: self.bounds.leaks,
            races: self.bounds.races,
            spurious_wakeups: self.bounds.spurious_wakeups,
            clocks: self.bounds.clocks,
            processors: self.bounds.processors,
            all_violations: self.final_states.is_some() || self.no_final_states.is_some(),
            final_states: self.final_states.is_some(),
            guards: guards::keep(self.bounds.guards.clone()),
            contested: None,
            texts_in_order: self.capabilities()?.texts_in_order,
            sees_ends: self.bounds.sees_ends,
        })
    }

    /// The capabilities of the engine that made the report.
    ///
    /// # Errors
    /// [`ReadError::Version`] for an engine that this version does not have.
    fn capabilities(&self) -> Result<Capabilities, ReadError> {
        let unknown = || ReadError::Version { field: "engine", value: self.engine.clone() };
        capabilities::of(&self.engine).ok_or_else(unknown)
    }

    /// The unit in which the engine that made the report counts.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.capabilities().map_or(Unit::States, |engine| engine.unit)
    }

    /// The inputs as paths.
    #[must_use]
    pub fn input_paths(&self) -> Vec<PathBuf> {
        let exact = self.input_bytes.iter().map(|name| PathBuf::from(OsStr::from_bytes(name)));
        if self.input_bytes.is_empty() { self.inputs.iter().map(PathBuf::from).collect() } else { exact.collect() }
    }

    /// This report with the counterexamples of `again`, from a replay, in place of its own.
    #[must_use]
    pub fn replayed(&self, again: &[Counterexample]) -> Self {
        let violations = self.violations.iter().zip(again);
        let violations =
            violations.map(|(shown, example)| reported(example, &shown.schedule, shown.preemptions)).collect();
        Self { violations, ..self.clone() }
    }

    /// The place of most of the work, and the advice, if the verdict is `unknown`.
    #[must_use]
    pub fn most_work(&self) -> Option<[String; 2]> {
        let unit = if self.unit() == Unit::States { "steps" } else { "events" };
        self.hottest.as_ref().map(|hottest| [hottest.describe(unit), hottest.advice.clone()])
    }

    /// The report as JSON.
    ///
    /// # Panics
    /// Never: every field can be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report can be written as JSON")
    }
}

impl ReportedViolation {
    /// The violation as a fault.
    #[must_use]
    pub fn fault(&self) -> Fault {
        Fault::new(self.kind, self.message.clone())
    }
}

/// The counterexample of a violation with this schedule, for a report.
pub fn reported(example: &Counterexample, schedule: &[ScheduleStep], preemptions: Option<u32>) -> ReportedViolation {
    let frames =
        example.stack.iter().map(|(function, place)| StackFrame { function: function.clone(), place: place.clone() });
    ReportedViolation {
        kind: example.fault.kind,
        message: example.fault.message.clone(),
        file: example.place.file.clone(),
        line: example.place.line,
        thread: example.thread,
        stack: frames.collect(),
        related: example.related.clone(),
        trace: example.events.clone(),
        output: example.output.clone(),
        cycle: example.cycle.clone(),
        preemptions,
        schedule: schedule.to_vec(),
    }
}

/// The bytes of all names if some of them are not UTF-8; else empty.
fn bytes_of_names(paths: &[PathBuf]) -> Vec<Vec<u8>> {
    if paths.iter().all(|path| path.to_str().is_some()) {
        return Vec::new();
    }
    paths.iter().map(|path| path.as_os_str().as_bytes().to_vec()).collect()
}
