//! Histories in JSON. The same as the text format, by this example, which the tests read:
//!
//! ```json
//! {"histories": [
//!   {
//!     "name": "SB with more of everything",
//!     "size": {"x": 2},
//!     "init": {"y": 1},
//!     "threads": [
//!       {"name": "T1", "events": [
//!         {"op": "w", "variable": "x", "value": 513},
//!         {"op": "w", "variable": "x", "offset": 1, "bytes": 1, "value": 7},
//!         {"op": "r", "variable": "y", "reads": 1},
//!         {"op": "rmw", "variable": "y", "reads": 1, "from": "init", "value": 2},
//!         {"op": "failed-cas", "variable": "y", "from": "T1:4"},
//!         {"op": "fence"},
//!         {"op": "stbar"},
//!         {"op": "lock", "mutex": "m", "from": "init"},
//!         {"op": "unlock", "mutex": "m"}
//!       ]},
//!       {"name": "T2", "events": [
//!         {"op": "r", "variable": "x", "from": [
//!           {"source": "T1:1", "offset": 0, "bytes": 1},
//!           {"source": "T1:2", "offset": 1, "bytes": 1}
//!         ]},
//!         {"op": "lock", "mutex": "m", "from": "T1:9"}
//!       ]}
//!     ],
//!     "final": [{"variable": "y", "reads": 2}],
//!     "expect": {"sc": true, "tso": true, "pso": true}
//!   }
//! ]}
//! ```
//!
//! Only `threads` must be there. `T1:9` is the ninth event of thread `T1`.
//!
//! `fields` has the events and their fields.
//!
//! Tests: `tests/round_trip.rs`, `tests/messages.rs`.

mod fields;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::error::{InputError, Problem};
use crate::located::{Entry, Item, Located};
use crate::recorded::{Expectation, Recorded, Thread};

use fields::{EventJson, FinalJson};

/// A file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileJson {
    histories: Vec<HistoryJson>,
}

/// The field by which a report of `rmc-check` is recognised.
#[derive(Deserialize)]
struct SchemaJson {
    schema: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HistoryJson {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    name: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    size: BTreeMap<String, u32>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    init: BTreeMap<String, u64>,
    threads: Vec<ThreadJson>,
    #[serde(rename = "final", skip_serializing_if = "Vec::is_empty", default)]
    finals: Vec<FinalJson>,
    #[serde(skip_serializing_if = "Expectation::is_empty", default)]
    expect: Expectation,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ThreadJson {
    name: String,
    events: Vec<EventJson>,
}

/// Reads the histories of a file.
///
/// # Errors
/// The text is not in the format.
pub fn parse(text: &str, file: &str) -> Result<Vec<Located>, InputError> {
    let read: FileJson = serde_json::from_str(text).map_err(|error| {
        let place = format!("{file}:{}:{}", error.line(), error.column());
        if serde_json::from_str(text).is_ok_and(|SchemaJson { schema }| schema.starts_with("rmc.report.")) {
            return InputError { place: file.to_owned(), problem: Problem::Report };
        }
        let problem = error.to_string();
        let problem = problem.rsplit_once(" at line ").map_or(problem.as_str(), |(problem, _)| problem);
        InputError { place, problem: Problem::Json(problem.to_owned()) }
    })?;
    if read.histories.is_empty() {
        return Err(InputError { place: file.to_owned(), problem: Problem::NoHistory });
    }
    let histories = read.histories.into_iter().zip(1..);
    histories.map(|(history, number)| history.located(file, number)).collect()
}

/// Histories as JSON that [`parse`] reads.
#[must_use]
pub fn print<'r>(histories: impl IntoIterator<Item = &'r Recorded>) -> String {
    let file = FileJson { histories: histories.into_iter().map(HistoryJson::of).collect() };
    serde_json::to_string_pretty(&file).expect("it has no maps but those of texts") + "\n"
}

impl HistoryJson {
    fn located(self, file: &str, number: usize) -> Result<Located, InputError> {
        let mut located = Located::default();
        let recorded = &mut located.recorded;
        (recorded.name, recorded.sizes, recorded.initial) = (self.name, self.size, self.init);
        recorded.expect = self.expect;
        // Names of events in messages need their threads.
        recorded.threads =
            self.threads.iter().map(|thread| Thread { name: thread.name.clone(), events: vec![] }).collect();
        let mut problem = None;
        for (at, thread) in self.threads.into_iter().enumerate() {
            for event in thread.events {
                let item = Item::Event(at, located.recorded.threads[at].events.len());
                match event.operation() {
                    Ok(operation) => located.recorded.threads[at].events.push(operation),
                    Err(wrong) => problem = problem.or(Some((item, wrong))),
                }
            }
        }
        for (at, value) in self.finals.into_iter().enumerate() {
            match value.load() {
                Ok(load) => located.recorded.finals.push(load),
                Err(wrong) => problem = problem.or(Some((Item::Final(at), wrong))),
            }
        }
        match problem {
            None => Ok(located),
            Some((item, problem)) => Err(Entry { file, number, located: &located }.error(item, problem)),
        }
    }

    fn of(recorded: &Recorded) -> Self {
        let thread = |thread: &Thread| ThreadJson {
            name: thread.name.clone(),
            events: thread.events.iter().map(EventJson::of).collect(),
        };
        Self {
            name: recorded.name.clone(),
            size: recorded.sizes.clone(),
            init: recorded.initial.clone(),
            threads: recorded.threads.iter().map(thread).collect(),
            finals: recorded.finals.iter().map(FinalJson::of).collect(),
            expect: recorded.expect,
        }
    }
}
