//! The layout of an execution's picture: rows are moments, columns are threads, their store buffers, and
//! memory.

use crate::outcome::event::TraceEvent;
use crate::report::events::{delayed, is_buffered, lists_a_part};

/// A store in a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferSpan {
    /// The thread whose buffer it is.
    pub thread: usize,
    /// The variable and the value.
    pub text: String,
    /// The row in which it was stored.
    pub from: usize,
    /// The row in which it leaves the buffer, if it leaves it at all.
    pub to: Option<usize>,
    /// True if it leaves the buffer for memory; false if its memory ended before.
    pub arrives: bool,
    /// Its slot beside the others that are in the buffer at the same time, from 0.
    pub slot: usize,
}

/// The columns of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The thread.
    pub thread: usize,
    /// The largest number of stores in its buffer at a time; `None` without store buffers.
    pub slots: Option<usize>,
}

/// The stores that wait in buffers during these events, in the order in which they were stored.
pub fn waiting(events: &[TraceEvent]) -> Vec<BufferSpan> {
    let mut all: Vec<BufferSpan> = Vec::new();
    for (row, event) in events.iter().enumerate() {
        if lists_a_part(event) {
            follow_event(&mut all, event, row);
            continue;
        }
        let mut left: Vec<_> = delayed(event).collect();
        // The stores in a buffer before the event, oldest first: stores to one variable leave in that order.
        let mut is_gone = vec![false; all.len()];
        for at in (0..all.len()).rev().filter(|&at| all[at].to.is_none()) {
            match left.iter().rposition(|&(thread, text)| (thread, text) == (all[at].thread, &all[at].text)) {
                Some(found) => drop(left.remove(found)),
                None => is_gone[at] = true,
            }
        }
        for (waiting, _) in all.iter_mut().zip(is_gone).filter(|(_, is_gone)| *is_gone) {
            waiting.to = Some(row);
            waiting.arrives = event.operation == "flush" && event.thread == waiting.thread;
        }
        for (thread, text) in left {
            let slot = free_slot(&all, thread);
            all.push(BufferSpan { thread, text: text.to_owned(), from: row, to: None, arrives: false, slot });
        }
    }
    all
}

/// Updates the stores in buffers from the event itself, where it does not list all of them.
fn follow_event(all: &mut Vec<BufferSpan>, event: &TraceEvent, row: usize) {
    let text = format!("{} = {}", event.address, event.value);
    let is_it = |waiting: &BufferSpan| waiting.thread == event.thread && waiting.to.is_none() && waiting.text == text;
    if event.operation == "flush" {
        if let Some(flushed) = all.iter_mut().find(|waiting| is_it(waiting)) {
            (flushed.to, flushed.arrives) = (Some(row), true);
        }
    } else if is_buffered(event) {
        let slot = all.iter().filter(|other| other.thread == event.thread && other.to.is_none()).count();
        all.push(BufferSpan { thread: event.thread, text, from: row, to: None, arrives: false, slot });
    }
}

/// The first slot in a thread's buffer that is free.
fn free_slot(all: &[BufferSpan], thread: usize) -> usize {
    let taken = |slot| all.iter().any(|other| other.thread == thread && other.to.is_none() && other.slot == slot);
    (0..).find(|&slot| !taken(slot)).expect("there are more places than stores")
}

/// The columns: one for each thread that acts, or that is in `last`, in order.
pub fn lanes(
    events: &[TraceEvent],
    last: impl Iterator<Item = usize>,
    waiting: &[BufferSpan],
    has_buffers: bool,
) -> Vec<Lane> {
    let mut threads: Vec<_> = events.iter().map(|event| event.thread).chain(last).collect();
    threads.sort_unstable();
    threads.dedup();
    let slots = |thread| {
        let own = waiting.iter().filter(|waiting| waiting.thread == thread);
        own.map(|waiting| waiting.slot + 1).max().unwrap_or(0)
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
        let found: Vec<_> = waiting(&events).into_iter().map(|w| (w.text, w.from, w.to, w.arrives, w.slot)).collect();
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
        let found = waiting(&events);
        assert_eq!([found[0].to, found[1].to], [Some(2), None]);
    }
}
