//! A recorded history, and where its parts are in a text.

use crate::error::{InputError, Position, Problem};
use crate::recorded::{EventName, Operation, Recorded};

/// A recorded history with positions.
#[derive(Clone, Debug, Default)]
pub struct Located {
    /// The history.
    pub recorded: Recorded,
    /// Where its parts are. Empty if it is not from a text.
    pub positions: Positions,
}

/// Where the parts of a history are in a text.
#[derive(Clone, Debug, Default)]
pub struct Positions {
    /// The beginning of the history.
    pub start: Option<Position>,
    /// The events of each thread.
    pub events: Vec<Vec<Position>>,
    /// The final values.
    pub finals: Vec<Position>,
}

impl Positions {
    /// The positions of a history that begins here.
    #[must_use]
    pub fn at(start: Position) -> Self {
        Self { start: Some(start), ..Self::default() }
    }
}

/// A part of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The history as a whole.
    Whole,
    /// The event of a thread with a number, both from 0.
    Event(usize, usize),
    /// The final value with a number.
    Final(usize),
}

/// A history of a file.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'e> {
    /// The name of the file.
    pub file: &'e str,
    /// The number of the history in the file, from 1.
    pub number: usize,
    /// The history.
    pub located: &'e Located,
}

impl Entry<'_> {
    /// The name of the history, or its number.
    #[must_use]
    pub fn title(&self) -> String {
        self.located.recorded.name.clone().unwrap_or_else(|| format!("history {}", self.number))
    }

    /// An error at a part of the history.
    #[must_use]
    pub fn error(&self, item: Item, problem: Problem) -> InputError {
        let place = match (self.position(item), item) {
            (Some(position), _) => format!("{}:{position}", self.file),
            (None, Item::Whole) => format!("{}: {}", self.file, self.title()),
            (None, Item::Event(thread, event)) => {
                format!("{}: {}, event {}", self.file, self.title(), self.event_name(thread, event))
            }
            (None, Item::Final(number)) => format!("{}: {}, final value {}", self.file, self.title(), number + 1),
        };
        InputError { place, problem }
    }

    /// The position of a part of the history, if it is from a text.
    #[must_use]
    pub fn position(&self, item: Item) -> Option<Position> {
        let Positions { start, events, finals } = &self.located.positions;
        match item {
            Item::Whole => *start,
            Item::Event(thread, event) => events.get(thread)?.get(event).copied(),
            Item::Final(number) => finals.get(number).copied(),
        }
    }

    /// The name of an event.
    #[must_use]
    pub fn event_name(&self, thread: usize, event: usize) -> EventName {
        let thread = self.located.recorded.threads[thread].name.clone();
        EventName { thread, number: event as u32 + 1 }
    }

    /// The event.
    #[must_use]
    pub fn event(&self, thread: usize, event: usize) -> &Operation {
        &self.located.recorded.threads[thread].events[event]
    }

    /// An event with its name, its text and its line.
    #[must_use]
    pub fn described(&self, thread: usize, event: usize) -> String {
        let (name, operation) = (self.event_name(thread, event), self.event(thread, event));
        match self.position(Item::Event(thread, event)) {
            Some(position) => format!("{name} (`{operation}`, line {})", position.line),
            None => format!("{name} (`{operation}`)"),
        }
    }
}
