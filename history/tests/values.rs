//! Histories of random executions, recorded by values only: values become the sources that were read, and the
//! model whose machine made the execution allows the history.

use std::collections::BTreeMap;
use std::fmt::Write;

use rmc_consistency::{EventId, Source, decide};
use rmc_history::located::Entry;
use rmc_history::resolve::resolve;
use rmc_history::text;
use rmc_runtime::Model;

/// Numbers that look random (the generator of D. Lehmer with the constants of L'Ecuyer).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

/// Bytes of a variable: its number, the first byte and the number of bytes.
type Part = (usize, u32, u32);

/// A byte: its value and its source.
type Byte = (u8, Source);

/// A textbook machine that records what it does.
struct Machine {
    model: Model,
    memory: BTreeMap<(usize, u32), Byte>,
    /// Pending stores: their part, byte and number of barriers before, oldest first.
    buffers: Vec<Vec<(Part, Byte, usize)>>,
    barriers: usize,
    counts: Vec<u32>,
    /// The sources of each event's reads, byte by byte.
    sources: BTreeMap<(EventId, usize, u32), Source>,
    /// The last value that was stored.
    value: u8,
    text: String,
}

const VARIABLES: [&str; 2] = ["x", "y"];

fn bytes((variable, offset, len): Part) -> impl Iterator<Item = (usize, u32)> {
    (offset..offset + len).map(move |byte| (variable, byte))
}

fn overlap(one: Part, other: Part) -> bool {
    one.0 == other.0 && one.1 < other.1 + other.2 && other.1 < one.1 + one.2
}

fn name((variable, offset, len): Part) -> String {
    format!("{}+{offset}/{len}", VARIABLES[variable])
}

impl Machine {
    fn new(model: Model, threads: usize) -> Self {
        Self {
            model,
            memory: BTreeMap::new(),
            buffers: vec![Vec::new(); threads],
            barriers: 0,
            counts: vec![0; threads],
            sources: BTreeMap::new(),
            value: 0,
            text: String::new(),
        }
    }

    /// Lets a pending store of a thread reach memory, if it may.
    fn arrive(&mut self, thread: usize, at: usize) {
        let Some(&(part, byte, barriers)) = self.buffers[thread].get(at) else { return };
        let earlier = &self.buffers[thread][..at];
        let is_free = earlier.iter().all(|store| store.2 == barriers && !overlap(store.0, part));
        if at == 0 || (self.model == Model::Pso && is_free) {
            self.buffers[thread].remove(at);
            self.memory.extend(bytes(part).map(|at| (at, byte)));
        }
    }

    fn drain(&mut self, thread: usize) {
        while !self.buffers[thread].is_empty() {
            self.arrive(thread, 0);
        }
    }

    /// The value that a thread sees; the sources are recorded.
    fn read(&mut self, thread: usize, part: Part, id: EventId) -> u64 {
        let mut value = 0;
        for (number, at) in bytes(part).enumerate() {
            let pending = self.buffers[thread].iter().rev().find(|store| bytes(store.0).any(|written| written == at));
            let memory = *self.memory.get(&at).unwrap_or(&(0, Source::Initial));
            let (byte, source) = pending.map_or(memory, |store| store.1);
            self.sources.insert((id, at.0, at.1), source);
            value |= u64::from(byte) << (8 * number);
        }
        value
    }

    /// Stores a new value: each byte of it is the number of the store.
    fn store(&mut self, thread: usize, part: Part, id: EventId, is_atomic: bool) -> u64 {
        self.value += 1;
        let byte = (self.value, Source::Event(id));
        if is_atomic || self.model == Model::Sc {
            self.memory.extend(bytes(part).map(|at| (at, byte)));
        } else {
            self.buffers[thread].push((part, byte, self.barriers));
        }
        bytes(part).enumerate().fold(0, |value, (number, _)| value | u64::from(self.value) << (8 * number))
    }

    /// A random event of a thread.
    fn event(&mut self, thread: usize, numbers: &mut Numbers) {
        let id = EventId::new(thread as u32, self.counts[thread]);
        self.counts[thread] += 1;
        let len = [1, 2, 4][numbers.below(3)];
        let part = (numbers.below(2), len * numbers.below(4 / len as usize) as u32, len);
        let event = match numbers.below(12) {
            0 => {
                self.drain(thread);
                "fence".to_owned()
            }
            1 => {
                self.barriers += 1;
                "stbar".to_owned()
            }
            2 => {
                self.drain(thread);
                let value = self.read(thread, part, id);
                format!("rmw {} {value} -> {}", name(part), self.store(thread, part, id, true))
            }
            3 => {
                self.drain(thread);
                format!("failed-cas {} {}", name(part), self.read(thread, part, id))
            }
            4..8 => format!("w {} {}", name(part), self.store(thread, part, id, false)),
            _ => format!("r {} {}", name(part), self.read(thread, part, id)),
        };
        writeln!(self.text, "T{thread}: {event}").unwrap();
    }

    fn run(&mut self, events: usize, numbers: &mut Numbers) {
        let threads = self.counts.len();
        for thread in 0..threads {
            writeln!(self.text, "T{thread}:").unwrap();
        }
        for _ in 0..events {
            let thread = numbers.below(threads);
            if numbers.below(7) == 0 && !self.buffers[thread].is_empty() {
                let at = numbers.below(self.buffers[thread].len());
                self.arrive(thread, at);
            } else {
                self.event(thread, numbers);
            }
        }
        (0..threads).for_each(|thread| self.drain(thread));
    }

    /// Adds what memory holds in the end.
    fn add_finals(&mut self) {
        for variable in 0..VARIABLES.len() {
            let part = (variable, 0, 4);
            let value = self.read(0, part, EventId::new(self.counts.len() as u32, 0));
            writeln!(self.text, "final {} {value}", name(part)).unwrap();
        }
    }
}

#[test]
fn values_stand_for_the_sources_that_were_read() {
    let mut numbers = Numbers(1);
    let mut weak = 0;
    for round in 0..6000 {
        let model = Model::ALL[round % 3];
        let threads = 2 + round % 2;
        let mut machine = Machine::new(model, threads);
        machine.run(8 + round % 9, &mut numbers);
        if round % 4 == 0 {
            machine.add_finals();
        }
        let located = text::parse(&machine.text, "file").unwrap_or_else(|error| panic!("{error}\n{}", machine.text));
        let history = resolve(Entry { file: "file", number: 1, located: &located[0] });
        let history = history.unwrap_or_else(|error| panic!("{error}\n{}", machine.text));
        let mut sources = BTreeMap::new();
        for id in history.positions() {
            let event = history.event(id);
            for read in &event.reads {
                for byte in read.place.offset..read.place.offset + read.place.len {
                    sources.insert((id, read.place.object, byte), read.source);
                }
            }
        }
        // Objects have numbers in the order in which they are met; so the sources are compared without them.
        let without_objects = |(id, byte, source)| (id, byte, format!("{source:?}"));
        let is_mark = |id: EventId, source: Source| {
            id.thread as usize == threads
                && matches!(source, Source::Event(at) if at.index == machine.counts[at.thread as usize])
        };
        let resolved = sources.iter().filter(|&(&(id, ..), &source)| !is_mark(id, source));
        let mut resolved: Vec<_> =
            resolved.map(|(&(id, _, byte), &source)| without_objects((id, byte, source))).collect();
        let recorded = machine.sources.iter();
        let mut recorded: Vec<_> =
            recorded.map(|(&(id, _, byte), &source)| without_objects((id, byte, source))).collect();
        resolved.sort();
        recorded.sort();
        assert_eq!(resolved, recorded, "{}", machine.text);
        assert!(decide(&history, model).unwrap().is_allowed(), "{model} forbids its own execution:\n{}", machine.text);
        weak += usize::from(!decide(&history, Model::Sc).unwrap().is_allowed());
    }
    assert!(weak > 100, "{weak} executions are not sequentially consistent");
}

/// Checks the sources that the last event of a history has by its values.
#[track_caller]
fn check_same(by_values: &str, by_sources: &str) {
    let [by_values, by_sources] = [by_values, by_sources].map(|input| {
        let located = text::parse(input, "file").unwrap_or_else(|error| panic!("{error}"));
        resolve(Entry { file: "file", number: 1, located: &located[0] }).unwrap_or_else(|error| panic!("{error}"))
    });
    assert_eq!(by_values, by_sources);
}

#[test]
fn sources_that_no_model_allows_do_not_count() {
    // A read-modify-write does not read itself, and no load a later store of its thread.
    check_same("T1: rmw x 0 -> 0", "T1: rmw x from init -> 0");
    check_same("T1: r x 0; w x 0", "T1: r x from init; w x 0");
    // If there is nothing else, it is the source, and every model forbids the history.
    check_same("T1: r x 1; w x 1", "T1: r x from T1:2; w x 1");
    // The other bytes of the store that gave the first one are not initial any more.
    check_same("T1: w x 1; w x/1 2; T2: r x 1", "T1: w x 1; w x/1 2; T2: r x from T1:1");
}
