//! Descriptions of the events of a counterexample, shared by all reports.

use std::collections::BTreeSet;

use crate::outcome::event::TraceEvent;

/// The shortest end of a path, at a directory, that is not the end of another one of `files`.
#[must_use]
pub fn short_name<'a>(path: &'a str, files: &BTreeSet<&str>) -> &'a str {
    let is_of_another = |end: &str| {
        let has = |other: &str| other.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('/'));
        files.iter().any(|&other| other != path && has(other))
    };
    let ends = path.rmatch_indices('/').map(|(slash, _)| &path[slash + 1..]);
    ends.into_iter().find(|end| !is_of_another(end)).unwrap_or(path)
}

/// A one-line description of the event.
#[must_use]
pub fn what_happens(event: &TraceEvent) -> String {
    let TraceEvent { operation, address, source, points_to, .. } = event;
    let pointee = if points_to.is_empty() { String::new() } else { format!(" ({points_to})") };
    let value = &format!("{}{pointee}", event.value);
    match operation.as_str() {
        "load" => format!("load {address} = {value}, from {source}"),
        "flush" => format!("{address} = {value} leaves the buffer and reaches memory"),
        _ if operation.starts_with("store") => {
            let order = operation.trim_start_matches("store");
            format!("store{order} {address} = {value}")
        }
        _ => [operation.as_str(), address, value]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" "),
    }
}

/// The stores in buffers after an event, oldest first: the thread, and the variable with its value.
pub fn delayed(event: &TraceEvent) -> impl Iterator<Item = (usize, &str)> {
    event.buffers.iter().filter_map(|text| {
        let (thread, store) = text.strip_prefix("thread ")?.split_once(": ")?;
        Some((thread.parse().ok()?, store))
    })
}

/// True if the event lists only a part of the stores in buffers.
#[must_use]
pub fn lists_a_part(event: &TraceEvent) -> bool {
    delayed(event).count() < event.buffers.len()
}

/// Delayed stores to the variable that an event is about.
fn delayed_there(event: &TraceEvent) -> impl Iterator<Item = (usize, &str)> {
    let store = format!("{} = ", event.address);
    delayed(event).filter(move |(_, text)| !event.address.is_empty() && text.starts_with(&store))
}

/// True if the event is a store that waits in its thread's buffer.
#[must_use]
pub fn is_buffered(event: &TraceEvent) -> bool {
    event.operation.starts_with("store") && delayed_there(event).any(|(thread, _)| thread == event.thread)
}

/// A thread, and its stores to one variable that are still in its buffer, oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unseen<'e> {
    /// The thread.
    pub thread: usize,
    /// The stores: variable and value.
    pub stores: Vec<&'e str>,
}

impl Unseen<'_> {
    /// The stores in words, with the verb that follows them: `x = 1 is`.
    #[must_use]
    pub fn describe(&self) -> String {
        let verb = if self.stores.len() == 1 { "is" } else { "are" };
        format!("{} {verb}", self.stores.join(" and "))
    }
}

/// The stores of another thread that a load did not see because they were delayed. If several threads have
/// such stores, those of the thread that stored last.
#[must_use]
pub fn unseen(event: &TraceEvent) -> Option<Unseen<'_>> {
    let others: Vec<_> = delayed_there(event).filter(|(thread, _)| *thread != event.thread).collect();
    let &(thread, _) = others.last().filter(|_| event.operation == "load")?;
    let stores = others.into_iter().filter(|(other, _)| *other == thread).map(|(_, store)| store).collect();
    Some(Unseen { thread, stores })
}
