//! The textbook machine: operations, and all executions of a program. Memory and store buffers are lists of
//! bytes.

use std::collections::{BTreeMap, BTreeSet};

use rmc_consistency::{EventId, Place, Source};
use rmc_runtime::Model;

pub const X: Place = Place::new(0, 0, 1);
pub const Y: Place = Place::new(1, 0, 1);
/// A place of two bytes, and its halves.
pub const BOTH: Place = Place::new(2, 0, 2);
pub const LOW: Place = Place::new(2, 0, 1);
pub const HIGH: Place = Place::new(2, 1, 1);

/// The bytes of an object, and what stands for its life.
pub const DATA: Place = Place::new(3, 0, 1);
pub const LIFE: Place = Place::new(4, 0, 1);
/// Lives of others.
pub const OTHER: Place = Place::new(5, 0, 1);
pub const THIRD: Place = Place::new(6, 0, 1);

/// An operation of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Load(Place),
    Store(Place),
    Update(Place),
    Fence,
    Barrier,
    /// A store to [`DATA`] that has no effect if [`LIFE`] was written since.
    Guarded,
    /// The same, and a store to [`X`] that depends on nothing, in one event.
    Partly,
    /// Writes [`LIFE`] and [`DATA`] at once, and reads [`LIFE`].
    End,
    /// The same as the last two, with another place as a life and other data; the second one reads nothing.
    GuardedBy(Place, Place),
    EndOf(Place, Place),
    /// Writes a life at once, and then delays a store that depends on it.
    Begin(Place, Place),
    /// Updates [`X`] like a read-modify-write, and makes delayed stores to [`Y`] and [`X`], all in one event.
    Several,
    /// Writes a place at once, and waits for nothing.
    Once(Place),
    /// Two stores, to [`X`] and [`Y`], that are delayed under every model and in no order.
    Copy,
    /// The same, with a life that it reads.
    GuardedCopy,
    /// A guarded copy in two events, each of which reads the life. [`Op::Second`] is a copy of its own unless
    /// [`Op::First`] is just before it.
    First,
    Second,
}

impl Op {
    pub fn is_copy(self) -> bool {
        matches!(self, Self::Copy | Self::GuardedCopy | Self::First | Self::Second)
    }
}

/// The event with which the copy of an event begins.
pub fn copy_of(ops: &[Op], index: usize) -> usize {
    let goes_on = index > 0 && ops[index] == Op::Second && ops[index - 1] == Op::First;
    index - usize::from(goes_on)
}

pub type Program = Vec<Vec<Op>>;
/// The sources of all bytes read, by event and byte.
pub type Sources = BTreeMap<(EventId, u32), Source>;

pub fn bytes(place: Place) -> impl Iterator<Item = (u32, u32)> {
    (place.offset..place.offset + place.len).map(move |at| (place.object, at))
}

pub fn read_place(op: Op) -> Option<Place> {
    match op {
        Op::Load(place) | Op::Update(place) => Some(place),
        Op::Guarded | Op::Partly | Op::End | Op::GuardedCopy | Op::First | Op::Second => Some(LIFE),
        Op::GuardedBy(life, _) => Some(life),
        Op::Several => Some(X),
        Op::Store(_) | Op::Fence | Op::Barrier | Op::Copy | Op::EndOf(..) | Op::Begin(..) | Op::Once(_) => None,
    }
}

pub fn written_places(op: Op) -> Vec<Place> {
    match op {
        Op::Store(place) | Op::Update(place) | Op::Once(place) => vec![place],
        Op::Guarded => vec![DATA],
        Op::Partly => vec![DATA, X],
        Op::GuardedBy(_, data) => vec![data],
        Op::EndOf(life, data) | Op::Begin(life, data) => vec![life, data],
        Op::End => vec![LIFE, DATA],
        Op::Several => vec![X, Y, X],
        Op::Copy | Op::GuardedCopy => vec![X, Y],
        Op::First => vec![X],
        Op::Second => vec![Y],
        Op::Load(_) | Op::Fence | Op::Barrier => Vec::new(),
    }
}

/// A pending store: its event and place, the number of barriers before it, the life and the source that it
/// must have when the store reaches memory, and its name as a source.
pub type Pending = (EventId, Place, usize, Option<(Place, Source)>, Source);

/// A state of the textbook machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pub next: Vec<usize>,
    /// The pending stores of each thread, oldest first.
    pub buffers: Vec<Vec<Pending>>,
    barriers: Vec<usize>,
    memory: BTreeMap<(u32, u32), Source>,
    pub sources: Sources,
    /// The events with which the copies of events began.
    copies: BTreeMap<EventId, EventId>,
}

impl State {
    pub fn initial(threads: usize) -> Self {
        Self {
            next: vec![0; threads],
            buffers: vec![Vec::new(); threads],
            barriers: vec![0; threads],
            memory: BTreeMap::new(),
            sources: Sources::new(),
            copies: BTreeMap::new(),
        }
    }

    /// The source that a thread would read a byte from.
    pub fn visible(&self, thread: usize, byte: (u32, u32)) -> Source {
        let holds = |store: &&Pending| bytes(store.1).any(|written| written == byte) && !self.is_lost(store);
        let pending = self.buffers[thread].iter().rev().find(holds);
        pending.map_or_else(|| *self.memory.get(&byte).unwrap_or(&Source::Initial), |store| store.4)
    }

    pub fn is_lost(&self, store: &Pending) -> bool {
        let now = |at: Place| *self.memory.get(&(at.object, at.offset)).unwrap_or(&Source::Initial);
        store.3.is_some_and(|(at, life)| now(at) != life)
    }

    pub fn write(&mut self, place: Place, source: Source) {
        bytes(place).for_each(|byte| {
            self.memory.insert(byte, source);
        });
    }

    /// The state after the next event of a thread, unless it has to wait.
    pub fn happen(&self, program: &Program, thread: usize, model: Model) -> Option<Self> {
        let op = *program[thread].get(self.next[thread])?;
        let id = EventId::new(thread as u32, self.next[thread] as u32);
        if matches!(op, Op::Fence | Op::Update(_) | Op::Several) && !self.buffers[thread].is_empty() {
            return None;
        }
        let mut state = self.clone();
        state.next[thread] += 1;
        let first = copy_of(&program[thread], id.index as usize);
        let begins = first == id.index as usize;
        // A copy begins an epoch under PSO; under TSO, all stores do but those of the same copy.
        state.barriers[thread] += usize::from(op.is_copy() && begins);
        for byte in read_place(op).into_iter().flat_map(bytes) {
            state.sources.insert((id, byte.1), self.visible(thread, byte));
        }
        match op {
            Op::Store(place) if model != Model::Sc => {
                state.buffers[thread].push((id, place, state.barriers[thread], None, Source::Event(id)));
            }
            Op::Guarded | Op::GuardedBy(..) if model != Model::Sc => {
                let at = read_place(op).expect("it reads its life");
                let life = Some((at, self.visible(thread, (at.object, at.offset))));
                let data = written_places(op)[0];
                state.buffers[thread].push((id, data, state.barriers[thread], life, Source::Event(id)));
            }
            Op::Partly if model != Model::Sc => {
                let life = Some((LIFE, self.visible(thread, (LIFE.object, LIFE.offset))));
                let stores = [(DATA, life), (X, None)].into_iter().zip(0..);
                let barriers = state.barriers[thread];
                let delayed =
                    stores.map(|((place, life), write)| (id, place, barriers, life, Source::Write(id, write)));
                state.buffers[thread].extend(delayed);
            }
            Op::Partly => {
                state.write(DATA, Source::Write(id, 0));
                state.write(X, Source::Write(id, 1));
            }
            Op::Begin(at, data) => {
                state.write(at, Source::AtOnce(id));
                match model {
                    Model::Sc => state.write(data, Source::Write(id, 0)),
                    Model::Tso | Model::Pso => {
                        let life = Some((at, Source::AtOnce(id)));
                        state.buffers[thread].push((id, data, state.barriers[thread], life, Source::Write(id, 0)));
                    }
                }
            }
            Op::Several if model != Model::Sc => {
                state.write(X, Source::AtOnce(id));
                let places = [Y, X].into_iter().zip(0..);
                let barriers = state.barriers[thread];
                let delayed = places.map(|(place, write)| (id, place, barriers, None, Source::Write(id, write)));
                state.buffers[thread].extend(delayed);
            }
            Op::Copy | Op::GuardedCopy | Op::First | Op::Second => {
                let life = (op != Op::Copy).then(|| (LIFE, self.visible(thread, (LIFE.object, LIFE.offset))));
                let places = written_places(op).into_iter().zip(0..);
                let barriers = state.barriers[thread];
                let delayed = places.map(|(place, write)| (id, place, barriers, life, Source::Write(id, write)));
                state.buffers[thread].extend(delayed);
                state.copies.insert(id, EventId::new(id.thread, first as u32));
            }
            Op::Several => {
                state.write(Y, Source::Write(id, 0));
                state.write(X, Source::Write(id, 1));
            }
            Op::Guarded | Op::GuardedBy(..) | Op::End | Op::EndOf(..) | Op::Store(_) | Op::Update(_) | Op::Once(_) => {
                written_places(op).into_iter().for_each(|place| state.write(place, Source::Event(id)));
            }
            Op::Barrier => state.barriers[thread] += 1,
            Op::Load(_) | Op::Fence => {}
        }
        Some(state)
    }

    /// The state after a pending store reached memory, unless it may not.
    pub fn arrive(&self, thread: usize, at: usize, model: Model) -> Option<Self> {
        let store = *self.buffers[thread].get(at)?;
        let is_free = |earlier: &Pending| earlier.2 == store.2 && !earlier.1.overlaps(store.1);
        let is_same_copy = |earlier: &Pending| {
            let copy = |store: &Pending| self.copies.get(&store.0);
            copy(earlier).is_some() && copy(earlier) == copy(&store) && !earlier.1.overlaps(store.1)
        };
        let mut earlier = self.buffers[thread][..at].iter();
        let may_arrive = match model {
            Model::Sc | Model::Tso => earlier.all(is_same_copy),
            Model::Pso => earlier.all(is_free),
        };
        if !may_arrive {
            return None;
        }
        let mut state = self.clone();
        state.buffers[thread].remove(at);
        if !self.is_lost(&store) {
            state.write(store.1, store.4);
        }
        Some(state)
    }
}

/// The sources of all executions of a program.
pub fn executions(program: &Program, model: Model) -> BTreeSet<Sources> {
    let (mut known, mut open) = (BTreeSet::new(), vec![State::initial(program.len())]);
    let mut found = BTreeSet::new();
    while let Some(state) = open.pop() {
        if !known.insert(state.clone()) {
            continue;
        }
        let ended = (0..program.len()).all(|thread| state.next[thread] == program[thread].len());
        if ended && state.buffers.iter().all(Vec::is_empty) {
            found.insert(state.sources.clone());
        }
        for thread in 0..program.len() {
            open.extend(state.happen(program, thread, model));
            open.extend((0..state.buffers[thread].len()).filter_map(|at| state.arrive(thread, at, model)));
        }
    }
    found
}
