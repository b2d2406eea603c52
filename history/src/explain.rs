//! Witnesses and reasons in words, with the texts of the events.
//!
//! Tests: `tests/command_line.rs`.

use rmc_consistency::{Cause, EventId, Node, Ordering, WitnessStep};
use rmc_runtime::Model;
use serde::Serialize;

use crate::located::Entry;
use crate::recorded::{Name, Operation};

/// A step of a witness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// `event`, or `arrival` if a delayed store reaches memory.
    pub step: &'static str,
    /// The event: its thread and number.
    pub event: String,
    /// The step in words.
    pub text: String,
}

/// The steps of a witness. What stands for final values is one step, the last one.
#[must_use]
pub fn witness(entry: Entry<'_>, model: Model, steps: &[WitnessStep]) -> Vec<Step> {
    let words = Words { entry, model };
    steps.iter().filter_map(|&step| words.step(step)).collect()
}

/// A cycle in words: a sentence for each ordering.
#[must_use]
pub fn cycle(entry: Entry<'_>, model: Model, cycle: &[Ordering]) -> Vec<String> {
    let words = Words { entry, model };
    let next = cycle.iter().cycle().skip(1);
    cycle.iter().zip(next).map(|(at, next)| words.ordering(*at, next.node)).collect()
}

struct Words<'e> {
    entry: Entry<'e>,
    model: Model,
}

impl Words<'_> {
    fn step(&self, step: WitnessStep) -> Option<Step> {
        let (WitnessStep::Event(id) | WitnessStep::Arrival { event: id, .. }) = step;
        if self.is_final(id) {
            return Some(Step { step: "event", event: "final".to_owned(), text: self.finals() });
        }
        let operation = self.operation(id)?;
        let event = self.name(id);
        let is_delayed = matches!(operation, Operation::Store(_)) && self.model != Model::Sc;
        Some(match step {
            WitnessStep::Event(_) if is_delayed => {
                Step { step: "event", event, text: format!("{operation}   (waits in the store buffer)") }
            }
            WitnessStep::Event(_) => Step { step: "event", event, text: operation.to_string() },
            WitnessStep::Arrival { .. } => {
                Step { step: "arrival", event, text: format!("{operation}   reaches memory") }
            }
        })
    }

    /// A sentence that says why one node is before the next.
    fn ordering(&self, Ordering { node, cause }: Ordering, next: Node) -> String {
        let is_arrival = matches!((node, next), (Node::Arrival { .. }, Node::Arrival { .. }));
        let why = match cause {
            Cause::ProgramOrder if is_arrival && self.model == Model::Tso => {
                "TSO keeps the stores of a thread in order".to_owned()
            }
            Cause::ProgramOrder if is_arrival => "they are stores of one thread to the same bytes".to_owned(),
            Cause::ProgramOrder => "they are in program order".to_owned(),
            Cause::Delay => "a store reaches memory after it is executed".to_owned(),
            Cause::Fence => "the second waits until the store buffer of its thread is empty".to_owned(),
            Cause::Barrier => "a store-store barrier is between these stores of one thread".to_owned(),
            Cause::SameBytes => "they are stores of one thread to the same bytes".to_owned(),
            Cause::ReadsFrom => "the second reads from the first".to_owned(),
            Cause::ReadsInitial => "the first reads the initial value, which the second overwrites".to_owned(),
            Cause::HidesInitial(reader) => {
                return format!(
                    "{} reads the initial value, although {} is an earlier store of its thread to the same bytes.",
                    self.noun(reader),
                    self.noun(node)
                );
            }
            Cause::OwnBefore(reader) => format!(
                "{} reads from the second, and the first is an earlier store of its own thread to the same bytes",
                self.noun(reader)
            ),
            Cause::BeforeRead(reader) => {
                format!("{} reads from the second, and the first reaches the same bytes before that", self.noun(reader))
            }
            Cause::AfterSource(source) => {
                format!("the first reads from {}, which the second overwrites", self.noun(source))
            }
        };
        let (first, second) = (self.clause(node), self.clause(next));
        // The verb is said once where it is the same.
        let second = if first.1 == second.1 { second.0 } else { format!("{} {}", second.0, second.1) };
        format!("{} {} before {second}: {why}.", capital(&first.0), first.1)
    }

    /// A node as a noun and a verb.
    fn clause(&self, node: Node) -> (String, &'static str) {
        let verb = match node {
            Node::Event(id) if self.operation(id).is_some() => "is executed",
            Node::Event(_) => "comes",
            Node::Arrival { .. } => "reaches memory",
        };
        (self.noun(node), verb)
    }

    /// A node as a noun: the event, also where its store reaches memory.
    fn noun(&self, node: Node) -> String {
        match node {
            Node::Event(id) | Node::Arrival { event: id, .. } => self.event(id),
        }
    }

    /// An event as a noun.
    fn event(&self, id: EventId) -> String {
        match self.operation(id) {
            Some(operation) => format!("{} (`{operation}`)", self.name(id)),
            None if self.is_final(id) => format!("the final state (`{}`)", self.finals()),
            None => {
                let thread = &self.entry.located.recorded.threads[id.thread as usize];
                format!("the end of {}", Name(&thread.name))
            }
        }
    }

    /// True for the event that reads the final values.
    fn is_final(&self, id: EventId) -> bool {
        id.thread as usize == self.entry.located.recorded.threads.len()
    }

    fn finals(&self) -> String {
        let finals: Vec<String> =
            self.entry.located.recorded.finals.iter().map(|load| format!("final {load}")).collect();
        finals.join("; ")
    }

    /// The text of an event. `None` for those that stand for final values.
    fn operation(&self, id: EventId) -> Option<&Operation> {
        self.entry.located.recorded.threads.get(id.thread as usize)?.events.get(id.index as usize)
    }

    fn name(&self, id: EventId) -> String {
        self.entry.event_name(id.thread as usize, id.index as usize).to_string()
    }
}

/// A sentence with its first letter as a capital, if it begins with an article.
fn capital(text: &str) -> String {
    text.strip_prefix("the ").map_or_else(|| text.to_owned(), |rest| format!("The {rest}"))
}
