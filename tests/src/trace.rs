//! Checks a reported execution against the definition of the memory model.
//!
//! The events of a counterexample are executed one by one on store buffers of our own: a store goes to its
//! thread's buffer, a `flush` event brings one to memory. These properties are checked:
//! * a load returns the value of its thread's newest buffered stores, and of memory below them, at that
//!   moment;
//! * a flush names a store that is in the buffer and that may leave it under the model: under TSO the oldest
//!   of its thread, under PSO one with no older store to a common byte and no barrier before it;
//! * a store that is not in a buffer after its event could reach memory at once;
//! * buffers are empty at full fences, atomic accesses, calls of thread functions and ends of threads;
//! * the buffers that the report shows are equal to ours.
//!
//! These are not covered: stores that are dropped because their memory dies, accesses of more than eight
//! bytes, uninitialised values. The validator shares no code with the checker, and with the textbook machine
//! only the definition.

use std::collections::HashMap;

use serde_json::Value;

use crate::harness::expectation::Model;

/// Facts about the accesses of a program that are not in a report.
pub struct Accesses<'a> {
    /// The number of bytes accessed at a line of the source.
    pub bytes_at: &'a dyn Fn(u64) -> usize,
    /// Variables that library functions write; these writes are no events. All others are 0 at first.
    pub written_elsewhere: &'a [&'a str],
}

/// Checks a trace.
///
/// # Errors
/// The number of the first event that the model does not allow, and the reason.
pub fn validate(trace: &[Value], model: Model, accesses: &Accesses<'_>) -> Result<(), String> {
    let mut machine =
        Machine { model, accesses, buffered: Vec::new(), memory: HashMap::new(), barriers: HashMap::new() };
    for (number, event) in trace.iter().enumerate() {
        machine.event(event).map_err(|why| format!("event {number}, {event}: {why}"))?;
    }
    Ok(())
}

/// A byte: the name of its variable and its offset.
type Byte = (String, usize);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    variable: String,
    offset: usize,
    len: usize,
}

impl Place {
    fn bytes(&self) -> impl Iterator<Item = Byte> {
        (self.offset..self.offset + self.len).map(|offset| (self.variable.clone(), offset))
    }

    fn overlaps(&self, other: &Place) -> bool {
        self.variable == other.variable
            && self.offset < other.offset + other.len
            && other.offset < self.offset + self.len
    }
}

struct Pending {
    thread: u64,
    place: Place,
    value: u64,
    /// The number of store-store barriers of the thread before it.
    barriers: usize,
    /// The store in the form of reports.
    text: String,
}

struct Machine<'a> {
    model: Model,
    accesses: &'a Accesses<'a>,
    /// The pending stores of all threads, oldest first.
    buffered: Vec<Pending>,
    memory: HashMap<Byte, u8>,
    /// For each thread, the number of its store-store barriers.
    barriers: HashMap<u64, usize>,
}

impl Machine<'_> {
    fn event(&mut self, event: &Value) -> Result<(), String> {
        let thread = event["thread"].as_u64().ok_or("no thread")?;
        match field(event, "operation") {
            "load" => self.expect(thread, event, field(event, "value"))?,
            "store" => self.store(thread, event)?,
            "store (release)" => {
                self.barrier(thread);
                self.store(thread, event)?;
            }
            "store (seq_cst)" => {
                self.barrier(thread);
                self.store(thread, event)?;
                self.expect_drained(thread)?;
            }
            "flush" => self.flush(thread, event)?,
            "atomic update" => self.update(thread, event)?,
            "compare-exchange fails" => {
                self.expect_drained(thread)?;
                self.expect(thread, event, field(event, "value"))?;
            }
            "fence (release)" => self.barrier(thread),
            "fence (acquire)" | "calloc" | "malloc" => {}
            "fence (full)" | "thread ends" | "pthread_create" | "pthread_join" => self.expect_drained(thread)?,
            other => return Err(format!("`{other}` is unknown here")),
        }
        self.compare_buffers(event)
    }

    fn barrier(&mut self, thread: u64) {
        *self.barriers.entry(thread).or_default() += 1;
    }

    fn expect_drained(&self, thread: u64) -> Result<(), String> {
        match self.buffered.iter().find(|pending| pending.thread == thread) {
            None => Ok(()),
            Some(pending) => Err(format!("{} is still buffered", pending.text)),
        }
    }

    /// Checks that the thread sees `value` at the place of the event.
    fn expect(&self, thread: u64, event: &Value, value: &str) -> Result<(), String> {
        let place = self.place(event)?;
        if self.accesses.written_elsewhere.contains(&place.variable.as_str()) {
            return Ok(());
        }
        let seen: Vec<u8> = place.bytes().map(|byte| self.seen(thread, &byte)).collect();
        let wanted = &number(value)?.to_le_bytes()[..place.len];
        if seen == wanted { Ok(()) } else { Err(format!("the thread sees the bytes {seen:x?}, not {wanted:x?}")) }
    }

    fn seen(&self, thread: u64, byte: &Byte) -> u8 {
        let own = self.buffered.iter().rev().filter(|pending| pending.thread == thread);
        let newest = own.filter_map(|pending| {
            let at = pending.place.bytes().position(|other| other == *byte)?;
            Some(pending.value.to_le_bytes()[at])
        });
        newest.into_iter().next().unwrap_or_else(|| self.memory.get(byte).copied().unwrap_or(0))
    }

    fn store(&mut self, thread: u64, event: &Value) -> Result<(), String> {
        let (place, value) = (self.place(event)?, field(event, "value"));
        let text = format!("thread {thread}: {} = {value}", field(event, "address"));
        let barriers = self.barriers.get(&thread).copied().unwrap_or(0);
        self.buffered.push(Pending { thread, place, value: number(value)?, barriers, text });
        let shown = event["buffers"].as_array().map_or(0, Vec::len);
        match shown == self.buffered.len() {
            true if self.model == Model::Sc => Err("there are no buffers".to_owned()),
            true => Ok(()),
            false => self.reach_memory(self.buffered.len() - 1),
        }
    }

    fn flush(&mut self, thread: u64, event: &Value) -> Result<(), String> {
        let text = format!("thread {thread}: {} = {}", field(event, "address"), field(event, "value"));
        // Of equal stores, the oldest is the first that may leave.
        let at = self.buffered.iter().position(|pending| pending.text == text);
        self.reach_memory(at.ok_or("no such store is buffered")?)
    }

    fn reach_memory(&mut self, at: usize) -> Result<(), String> {
        let (older, rest) = self.buffered.split_at(at);
        let store = &rest[0];
        let mut older = older.iter().filter(|pending| pending.thread == store.thread);
        let obstacle = older.find(|older| {
            self.model != Model::Pso || older.place.overlaps(&store.place) || older.barriers != store.barriers
        });
        if let Some(obstacle) = obstacle {
            return Err(format!("{} has to reach memory first", obstacle.text));
        }
        let Pending { place, value, .. } = self.buffered.remove(at);
        self.write(&place, value);
        Ok(())
    }

    fn write(&mut self, place: &Place, value: u64) {
        self.memory.extend(place.bytes().zip(value.to_le_bytes()));
    }

    /// Executes a read-modify-write; its value is `old -> new`.
    fn update(&mut self, thread: u64, event: &Value) -> Result<(), String> {
        let (old, new) = field(event, "value").split_once(" -> ").ok_or("no two values")?;
        self.expect_drained(thread)?;
        self.expect(thread, event, old)?;
        let place = self.place(event)?;
        self.write(&place, number(new)?);
        Ok(())
    }

    fn compare_buffers(&self, event: &Value) -> Result<(), String> {
        let ours: Vec<&str> = self.buffered.iter().map(|pending| pending.text.as_str()).collect();
        let shown: Vec<&str> = event["buffers"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if ours == shown { Ok(()) } else { Err(format!("the buffers hold {ours:?}")) }
    }

    fn place(&self, event: &Value) -> Result<Place, String> {
        let variable = field(event, "object");
        let offset = usize::try_from(event["offset"].as_u64().unwrap_or(0)).map_err(|error| error.to_string())?;
        let line = event["line"].as_u64().ok_or("no line")?;
        Ok(Place { variable: variable.to_owned(), offset, len: (self.accesses.bytes_at)(line) })
    }
}

fn field<'e>(event: &'e Value, name: &str) -> &'e str {
    event[name].as_str().unwrap_or_default()
}

/// The bits of a value: a signed decimal number, or hexadecimal.
fn number(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse::<i64>().ok().map(i64::cast_unsigned),
    };
    parsed.ok_or_else(|| format!("`{text}` is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn event(thread: u64, operation: &str, address: &str, value: &str, buffers: &[&str]) -> Value {
        let line = 1;
        json!({
            "thread": thread, "line": line, "operation": operation, "object": address, "address": address,
            "value": value, "buffers": buffers
        })
    }

    /// The results of the validator under tso and pso.
    fn verdicts(trace: &[Value]) -> [Result<(), String>; 2] {
        let accesses = Accesses { bytes_at: &|_| 4, written_elsewhere: &[] };
        [Model::Tso, Model::Pso].map(|model| validate(trace, model, &accesses))
    }

    #[track_caller]
    fn check(trace: &[Value], allowed: [bool; 2]) {
        let verdicts = verdicts(trace);
        assert_eq!([verdicts[0].is_ok(), verdicts[1].is_ok()], allowed, "{verdicts:?}");
    }

    const X: &str = "thread 1: x = 1";
    const Y: &str = "thread 1: y = 1";

    fn two_stores() -> Vec<Value> {
        vec![event(1, "store", "x", "1", &[X]), event(1, "store", "y", "1", &[X, Y])]
    }

    #[test]
    fn stores_overtake_each_other_under_pso_only() {
        let mut trace = two_stores();
        trace.push(event(1, "flush", "y", "1", &[X]));
        check(&trace, [false, true]);
        let barrier = event(1, "fence (release)", "", "", &[X]);
        trace.insert(1, barrier);
        check(&trace, [false, false]);
    }

    #[test]
    fn loads_see_their_own_buffer_and_memory() {
        let mut trace = two_stores();
        trace.push(event(1, "load", "x", "1", &[X, Y]));
        trace.push(event(2, "load", "x", "0", &[X, Y]));
        check(&trace, [true, true]);
        trace.push(event(2, "load", "x", "1", &[X, Y]));
        check(&trace, [false, false]);
    }

    #[test]
    fn fences_and_atomics_wait_for_the_buffer() {
        for operation in ["fence (full)", "thread ends", "compare-exchange fails"] {
            let trace = [event(1, "store", "x", "1", &[X]), event(1, operation, "z", "0", &[X])];
            check(&trace, [false, false]);
        }
        let update = [event(1, "store", "x", "1", &[X]), event(1, "atomic update", "z", "0 -> 1", &[X])];
        check(&update, [false, false]);
    }

    #[test]
    fn a_flush_needs_its_store_and_shows_in_the_buffers() {
        check(&[event(1, "flush", "x", "1", &[])], [false, false]);
        check(&[event(1, "store", "x", "1", &[X]), event(1, "flush", "x", "1", &[X])], [false, false]);
        let whole =
            [event(1, "store", "x", "1", &[X]), event(1, "flush", "x", "1", &[]), event(2, "load", "x", "1", &[])];
        check(&whole, [true, true]);
    }
}
