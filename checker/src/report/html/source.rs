//! The source beside a picture: the lines on which something happens, and the lines around them.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::Sources;
use crate::report::events::short_name;
use crate::report::json::ReportedViolation;

/// Files with at most this many lines are shown whole.
const WHOLE: usize = 45;
/// The number of lines shown before and after a line with events, in longer files.
const AROUND: usize = 3;
/// The largest number of marks on a line.
const MARKS: usize = 6;

/// The events on the lines of the source in one execution.
pub struct Lines<'r> {
    number: usize,
    files: BTreeMap<&'r str, File<'r>>,
    names: BTreeSet<&'r str>,
}

#[derive(Default)]
struct File<'r> {
    /// The text of the file, if it could be read.
    text: Option<&'r str>,
    /// By line: the thread and the step of each event there.
    events: BTreeMap<u32, Vec<(usize, usize)>>,
    /// By line: further remarks.
    notes: BTreeMap<u32, Vec<String>>,
    /// The line of the violation.
    wrong: Option<u32>,
}

impl<'r> Lines<'r> {
    /// The lines of the violation with this number.
    pub fn new(number: usize, violation: &'r ReportedViolation, sources: &'r Sources) -> Self {
        let mut files: BTreeMap<&str, File<'_>> = BTreeMap::new();
        let events = violation.trace.iter().filter(|event| event.line > 0 && event.operation != "flush");
        for event in events {
            let marks = files.entry(&event.file).or_default().events.entry(event.line).or_default();
            if marks.last() != Some(&(event.thread, event.step)) {
                marks.push((event.thread, event.step));
            }
        }
        for place in violation.related.iter().filter(|place| place.line > 0) {
            let text = format!("{}, by thread {}", place.what, place.thread);
            files.entry(&place.file).or_default().notes.entry(place.line).or_default().push(text);
        }
        if violation.line > 0 {
            files.entry(&violation.file).or_default().wrong = Some(violation.line);
        }
        for (name, file) in &mut files {
            file.text = sources.get(*name).map(String::as_str);
        }
        let names = files.keys().copied().collect();
        Self { number, files, names }
    }

    /// The anchor of a line in the page, if the line is shown.
    pub fn anchor(&self, file: &str, line: u32) -> Option<String> {
        let at = self.files.keys().position(|name| *name == file)?;
        let shown = self.files[file].shown();
        shown.contains(&line).then(|| format!("x{}-{at}-{line}", self.number + 1))
    }

    /// The panel with the lines of all files.
    pub fn panel(&self) -> Markup {
        html! {
            div.source {
                @for (name, file) in &self.files {
                    section {
                        h4 title=(name) { (short_name(name, &self.names)) }
                        @match file.text {
                            Some(text) => (self.listing(name, file, text)),
                            None => p.note { "This file could not be read when the page was made." },
                        }
                    }
                }
            }
        }
    }

    fn listing(&self, name: &str, file: &File<'_>, text: &str) -> Markup {
        let text: Vec<_> = text.lines().collect();
        let mut before = 0;
        html! {
            ol.listing {
                @for line in file.shown() {
                    @if std::mem::replace(&mut before, line) + 1 < line { li.gap aria-hidden="true" { "⋮" } }
                    @let marks = file.events.get(&line).map_or(&[][..], Vec::as_slice);
                    @let class = if file.wrong == Some(line) { "wrong" } else if marks.is_empty() { "" } else { "active" };
                    li id=[self.anchor(name, line)] class=(class) {
                        span.number { (line) }
                        code { (text.get(line as usize - 1).copied().unwrap_or_default()) }
                        (badges(marks))
                        @for note in file.notes.get(&line).into_iter().flatten() { span.aside { (note) } }
                    }
                }
            }
        }
    }
}

/// The threads and steps of the events on a line.
fn badges(marks: &[(usize, usize)]) -> Markup {
    html! {
        @if !marks.is_empty() {
            span.badges {
                @for (thread, step) in marks.iter().take(MARKS) {
                    span class={ "badge t" (thread % 8) } title={ "thread " (thread) ", step " (step) } { (thread) "·" (step) }
                }
                @if marks.len() > MARKS { span.more { "and " (marks.len() - MARKS) " more" } }
            }
        }
    }
}

impl File<'_> {
    /// The lines that are shown.
    fn shown(&self) -> BTreeSet<u32> {
        let Some(text) = self.text else { return BTreeSet::new() };
        let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        if lines as usize <= WHOLE {
            return (1..=lines).collect();
        }
        let marked = self.events.keys().chain(self.notes.keys()).chain(&self.wrong);
        marked.flat_map(|&line| line.saturating_sub(AROUND as u32).max(1)..=(line + AROUND as u32).min(lines)).collect()
    }
}
