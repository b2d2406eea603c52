//! The selection of events for the text report: events on which neither another thread nor the violation
//! depends are left out.
//!
//! The unit is the object. An object is left out if one thread alone accesses it in this execution and the
//! violation is not about it. The violation is about an object with a name if its message or a related place
//! names it, or if the thread at fault accesses it on a line of its stack or of a related place. With an
//! object all its events are left out: accesses, arrivals of its stores in memory, allocation and end. So no
//! event that is shown has read from one that is not, and a store is shown together with its arrival. Loads
//! that repeat the line before, such as those of a waiting loop, are left out too. Everything that
//! synchronises stays: atomic operations on shared objects, fences, calls of library functions, the begins
//! and ends of threads. In an execution with only one thread, only events of variables without a name are
//! left out for these reasons.
//!
//! A copy makes an event for each of its words. If a thread has more than twice [`AT_ENDS`] events of one
//! kind in a row in one step and line, then only these are shown: the first and the last [`AT_ENDS`], and
//! those between that are about memory which another thread accesses under the same name.
//!
//! Of the remaining events, the last [`MOST_LINES`] are shown.

use std::collections::{BTreeMap, BTreeSet};

use super::json::ReportedViolation;
use crate::ir::program::Local;
use crate::outcome::event::TraceEvent;
use crate::outcome::text::Text;

/// The largest number of events that the text shows. The end of a trace matters most, so the last ones are
/// kept.
const MOST_LINES: usize = 400;

/// Events of a long row that are shown at each of its ends.
const AT_ENDS: usize = 4;

/// One entry per event: true if the event is shown.
#[must_use]
pub fn shown(violation: &ReportedViolation) -> Vec<bool> {
    let mut shown = relevant(violation);
    shorten_rows(&violation.trace, &mut shown);
    let lines = shown.iter_mut().rev().filter(|shown| **shown);
    lines.skip(MOST_LINES).for_each(|shown| *shown = false);
    shown
}

/// One entry per event: true if something that the violation is about may depend on it.
fn relevant(violation: &ReportedViolation) -> Vec<bool> {
    let events = &violation.trace;
    let threads: BTreeSet<usize> = events.iter().map(|event| event.thread).collect();
    if threads.len() < 2 {
        return events.iter().map(|event| !is_unnamed(&event.object)).collect();
    }
    let mut users: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for event in events.iter().filter(|event| !event.object.is_empty()) {
        users.entry(&event.object).or_default().insert(event.thread);
    }
    let matters = matters(violation);
    let is_private = |object: &str| users.get(object).is_some_and(|users| users.len() < 2) && !matters.contains(object);
    let (mut shown, mut before) = (Vec::with_capacity(events.len()), None);
    for event in events {
        if is_private(&event.object) {
            shown.push(false);
            continue;
        }
        let line = (event.operation == "load").then(|| what_is_loaded(event));
        shown.push(line.is_none() || before != line);
        before = line;
    }
    shown
}

/// Leaves out the middle of long rows of events of one kind, which copies make.
fn shorten_rows(events: &[TraceEvent], shown: &mut [bool]) {
    let mut users: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for event in events {
        users.entry(&event.address).or_default().insert(event.thread);
    }
    let kind = |event: &TraceEvent| (event.step, event.thread, event.line, event.operation.clone(), event.file.clone());
    let lines: Vec<_> = (0..events.len()).filter(|&at| shown[at]).collect();
    for row in lines.chunk_by(|&one, &next| kind(&events[one]) == kind(&events[next])) {
        let middle = row.get(AT_ENDS..row.len().saturating_sub(AT_ENDS)).unwrap_or_default();
        for &at in middle.iter().filter(|&&at| users[events[at].address.as_str()].len() < 2) {
            shown[at] = false;
        }
    }
}

/// The parts of a load's line in the text except its step; two loads with equal parts repeat each other.
fn what_is_loaded(event: &TraceEvent) -> (usize, &str, u32, [&str; 3], &[Text]) {
    (event.thread, &event.file, event.line, [&event.address, &event.value, &event.source], &event.buffers)
}

/// The objects that the violation is about.
fn matters(violation: &ReportedViolation) -> BTreeSet<&str> {
    let mut lines = BTreeSet::from([format!("{}:{}", violation.file, violation.line)]);
    lines.extend(violation.stack.iter().map(|frame| frame.place.clone()));
    lines.extend(violation.related.iter().map(|place| format!("{}:{}", place.file, place.line)));
    let is_about = |event: &&TraceEvent| {
        let is_there = event.thread == violation.thread && lines.contains(&format!("{}:{}", event.file, event.line));
        is_there || mentions(&violation.message, &event.object)
    };
    let named = violation.trace.iter().filter(|event| !event.object.is_empty() && !is_unnamed(&event.object));
    named.filter(is_about).map(|event| event.object.as_str()).collect()
}

/// True for the object of a variable that the compiler added.
fn is_unnamed(object: &str) -> bool {
    object.strip_prefix(Local::UNNAMED).is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
}

/// True if the text contains the name as a whole word.
fn mentions(text: &str, name: &str) -> bool {
    let is_part = |character: Option<char>| character.is_some_and(|one| one.is_alphanumeric() || one == '_');
    text.match_indices(name)
        .any(|(at, _)| !is_part(text[..at].chars().next_back()) && !is_part(text[at + name.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::mentions;

    #[test]
    fn a_name_is_a_word_of_its_own() {
        assert!(mentions("assertion `x == 1` failed", "x"));
        assert!(mentions("`node#1->next` is gone", "node#1"));
        assert!(!mentions("`node#12->next` is gone", "node#1"));
        assert!(!mentions("max == 1", "x"));
    }
}
