//! The layout of the picture that [`super::timeline`] draws of an execution: the columns of the threads, and
//! the span of rows for which each store waits in a buffer.
//!
//! Each event has a row; time goes down. Each thread has a column, and its store buffer is beside it.
//!
//! The events of a trace have no names for stores. An event lists the stores that are in buffers after it, as
//! texts. So spans are found by comparing the lists of successive events. A store enters a buffer with the
//! first event that lists it, and leaves with the first event that no longer does. Of several equal texts the
//! oldest leaves first, since stores of one thread to one variable keep their order under every model. Where
//! there are many stores, an event lists only some of them. It then changes only the span that it is about.
//!
//! Tests: below; `tests/tests/page.rs` counts the columns and spans of whole pages.

use crate::outcome::event::TraceEvent;
use crate::report::events::{delayed, is_buffered, lists_a_part};

/// The rows for which a store waits in a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferSpan {
    /// The thread whose buffer it is.
    pub thread: usize,
    /// The variable and the value, as in `x = 1`.
    pub text: String,
    /// The row of the store.
    pub from: usize,
    /// The row in which the store leaves the buffer. `None` if it is still there at the end.
    pub to: Option<usize>,
    /// True if the store has left the buffer for memory. False if it has not left, or if it was dropped
    /// because its memory object ended.
    pub arrives: bool,
    /// The position of the store across the width of the buffer, from 0. Stores that wait at the same time
    /// are drawn side by side.
    pub slot: usize,
}

impl BufferSpan {
    /// True if the store still waits in the buffer of this thread.
    fn waits_in(&self, thread: usize) -> bool {
        self.thread == thread && self.to.is_none()
    }
}

/// The column of a thread, with its store buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The thread.
    pub thread: usize,
    /// The number of slots of its buffer; `None` if the memory model has no store buffers.
    pub slots: Option<usize>,
}

/// The spans of all stores that wait in buffers during these events, in the order of the stores.
pub fn buffer_spans(events: &[TraceEvent]) -> Vec<BufferSpan> {
    let mut spans: Vec<BufferSpan> = Vec::new();
    for (row, event) in events.iter().enumerate() {
        if lists_a_part(event) {
            update_from_event(&mut spans, event, row);
        } else {
            update_from_list(&mut spans, event, row);
        }
    }
    spans
}

/// Updates the spans by an event that lists all stores in buffers.
fn update_from_list(spans: &mut Vec<BufferSpan>, event: &TraceEvent, row: usize) {
    let mut listed: Vec<_> = delayed(event).collect();
    // The newest of equal texts are matched first. So the oldest ones are left without a match, and leave.
    for span in spans.iter_mut().rev().filter(|span| span.to.is_none()) {
        match listed.iter().rposition(|&(thread, text)| (thread, text) == (span.thread, &span.text)) {
            Some(found) => drop(listed.remove(found)),
            None => {
                span.to = Some(row);
                span.arrives = event.operation == "flush" && event.thread == span.thread;
            }
        }
    }
    // The stores without a span are new.
    for (thread, text) in listed {
        let slot = free_slot(spans, thread);
        spans.push(BufferSpan { thread, text: text.to_owned(), from: row, to: None, arrives: false, slot });
    }
}

/// Updates the spans by an event that lists only some of the stores in buffers: the store that it flushes
/// leaves, or the store that it buffers enters.
fn update_from_event(spans: &mut Vec<BufferSpan>, event: &TraceEvent, row: usize) {
    let thread = event.thread;
    let text = format!("{} = {}", event.address, event.value);
    if event.operation == "flush" {
        if let Some(oldest) = spans.iter_mut().find(|span| span.waits_in(thread) && span.text == text) {
            (oldest.to, oldest.arrives) = (Some(row), true);
        }
    } else if is_buffered(event) {
        let slot = spans.iter().filter(|span| span.waits_in(thread)).count();
        spans.push(BufferSpan { thread, text, from: row, to: None, arrives: false, slot });
    }
}

/// The first free slot of a thread's buffer.
fn free_slot(spans: &[BufferSpan], thread: usize) -> usize {
    let is_taken = |slot| spans.iter().any(|span| span.waits_in(thread) && span.slot == slot);
    (0..).find(|&slot| !is_taken(slot)).expect("there are more slots than stores")
}

/// The columns, in the order of the threads: one for each thread that has an event, or that is in `at_end`.
pub fn lanes(
    events: &[TraceEvent],
    at_end: impl Iterator<Item = usize>,
    spans: &[BufferSpan],
    has_buffers: bool,
) -> Vec<Lane> {
    let mut threads: Vec<_> = events.iter().map(|event| event.thread).chain(at_end).collect();
    threads.sort_unstable();
    threads.dedup();
    let slots = |thread| {
        let own = spans.iter().filter(|span| span.thread == thread);
        own.map(|span| span.slot + 1).max().unwrap_or(0)
    };
    threads.into_iter().map(|thread| Lane { thread, slots: has_buffers.then(|| slots(thread)) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::text::Text;

    fn event(thread: usize, operation: &str, buffers: &[&str]) -> TraceEvent {
        TraceEvent {
            object: Text::default(),
            offset: 0,
            bytes: 0,
            step: 1,
            thread,
            file: Text::default(),
            line: 0,
            function: Text::default(),
            operation: operation.into(),
            address: Text::default(),
            value: Text::default(),
            points_to: Text::default(),
            source: Text::default(),
            buffers: buffers.iter().map(|&text| text.into()).collect(),
        }
    }

    #[test]
    fn stores_wait_from_their_event_to_their_flush() {
        let events = [
            event(1, "store", &["thread 1: x = 1"]),
            event(1, "store", &["thread 1: x = 1", "thread 1: y = 2"]),
            event(1, "flush", &["thread 1: y = 2"]),
            event(1, "store", &["thread 1: y = 2", "thread 1: z = 3"]),
            event(1, "thread ends", &["thread 1: z = 3"]),
        ];
        let found: Vec<_> = buffer_spans(&events)
            .into_iter()
            .map(|span| (span.text, span.from, span.to, span.arrives, span.slot))
            .collect();
        let expected = [
            ("x = 1".to_owned(), 0, Some(2), true, 0),
            ("y = 2".to_owned(), 1, Some(4), false, 1),
            ("z = 3".to_owned(), 3, None, false, 0),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn of_equal_stores_the_older_one_leaves_first() {
        let twice = ["thread 0: x = 1", "thread 0: x = 1"];
        let events = [event(0, "store", &twice[..1]), event(0, "store", &twice), event(0, "flush", &twice[..1])];
        let found = buffer_spans(&events);
        assert_eq!([found[0].to, found[1].to], [Some(2), None]);
    }
}
