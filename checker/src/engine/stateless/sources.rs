//! Sources of reads, and reads-from classes: two executions are of one class if their threads take the same
//! steps and each step reads from the same writes.
//!
//! A step that changes a resource without an address also reads it: the queue of a condition variable, say.
//! Names that become free are such a change, too: which name is taken next depends on it.
//!
//! Tests: `tests/tests/classes.rs`.

use super::execution::Execution;
use crate::hash::{FxHashMap, FxHashSet};
use crate::system::FootprintEntry;

/// The origin of a byte: the memory before the execution, or a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Writer {
    /// The memory before the first event.
    Initial,
    /// A step that wrote it at once, by the number of the step in its thread.
    Step(u32, u32),
    /// A buffered store of a thread.
    Store(u32, u32),
}

/// True if the source of this entry is part of a class.
pub fn is_read(touch: &FootprintEntry) -> bool {
    !touch.hypothetical && !touch.is_order_only() && (touch.reads || touch.is_no_memory())
}

/// True if this entry may be the source of a read at once.
pub fn is_write(touch: &FootprintEntry) -> bool {
    !touch.hypothetical && !touch.is_order_only() && (touch.write || touch.is_names())
}

/// A class, as a canonical sequence of numbers.
pub type Class = Box<[u64]>;

/// The class of an execution.
pub fn class_of(execution: &Execution) -> Class {
    let mut memory: FxHashMap<(u32, u32), Writer> = FxHashMap::default();
    let mut threads: Vec<(u32, Vec<u64>)> = Vec::new();
    for at in 0..execution.len() {
        let event = execution.event(at);
        let thread = event.action.thread;
        if threads.len() <= thread {
            threads.resize(thread + 1, (0, Vec::new()));
        }
        let bytes =
            |touch: &FootprintEntry| (touch.offset..touch.offset + touch.len).zip(std::iter::repeat(touch.object));
        if let Some(store) = event.action.store {
            let lost = event.is_lost();
            for (byte, object) in event.footprint.iter().filter(|_| !lost).flat_map(bytes) {
                memory.insert((object, byte), Writer::Store(thread as u32, store));
            }
            continue;
        }
        let (number, sources) = &mut threads[thread];
        for touch in event.footprint.iter().filter(|touch| is_read(touch)) {
            let own = touch.own.filter(|&own| !touch.write && is_pending(execution, thread, own, at));
            for (byte, object) in bytes(touch) {
                let writer = match own {
                    Some(own) => Writer::Store(thread as u32, own),
                    None => memory.get(&(object, byte)).copied().unwrap_or(Writer::Initial),
                };
                sources.push(writer.number());
            }
        }
        sources.extend(event.answers().iter().map(|&answer| ANSWER | u64::from(answer)));
        sources.push(STEP);
        for (byte, object) in event.footprint.iter().filter(|touch| is_write(touch)).flat_map(bytes) {
            memory.insert((object, byte), Writer::Step(thread as u32, *number));
        }
        *number += 1;
    }
    threads.into_iter().flat_map(|(_, sources)| sources.into_iter().chain([THREAD])).collect()
}

const STEP: u64 = 1 << 60;
const THREAD: u64 = 2 << 60;
const ANSWER: u64 = 3 << 60;

impl Writer {
    /// The writer as a number.
    pub fn number(self) -> u64 {
        match self {
            Self::Initial => 0,
            Self::Step(thread, number) => 4 << 60 | u64::from(thread) << 32 | u64::from(number),
            Self::Store(thread, number) => 5 << 60 | u64::from(thread) << 32 | u64::from(number),
        }
    }
}

/// True if a thread's store is in its buffer before the event at a position.
pub fn is_pending(execution: &Execution, thread: usize, store: u32, at: usize) -> bool {
    execution.update_of(thread, store).is_none_or(|update| update > at)
}

/// The classes of the executions so far.
#[derive(Debug, Default)]
pub struct Classes {
    known: FxHashSet<Class>,
}

impl Classes {
    /// Adds the class of an execution. Returns true if it is new.
    pub fn add(&mut self, execution: &Execution) -> bool {
        self.known.insert(class_of(execution))
    }

    /// The number of classes.
    pub fn count(&self) -> u64 {
        self.known.len() as u64
    }
}
