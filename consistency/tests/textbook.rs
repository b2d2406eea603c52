//! Decisions compared with the textbook machines: all executions of small programs are enumerated, byte by
//! byte, and a history must be allowed exactly if one of them has its sources.
//!
//! The machines share no code with the package: memory and store buffers are lists of bytes.

use std::collections::{BTreeMap, BTreeSet};

use rmc_consistency::{
    Answer, Event, EventId, EventKind, History, HistoryError, Place, Read, Reason, Source, Strategy, WitnessStep,
    decide_by,
};
use rmc_runtime::Model;

/// An operation of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Op {
    Load(Place),
    Store(Place),
    Update(Place),
    Fence,
    Barrier,
    /// A store to [`DATA`] that has no effect if [`LIFE`] was written since.
    Guarded,
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
    /// The same in two events, each of which reads the life. The second one is a copy of its own if the first
    /// one is not just before it.
    First,
    Second,
}

impl Op {
    fn is_copy(self) -> bool {
        matches!(self, Self::Copy | Self::GuardedCopy | Self::First | Self::Second)
    }
}

/// The event with which the copy of an event begins.
fn copy_of(ops: &[Op], index: usize) -> usize {
    let goes_on = index > 0 && ops[index] == Op::Second && ops[index - 1] == Op::First;
    index - usize::from(goes_on)
}

type Program = Vec<Vec<Op>>;
/// The sources of all bytes read, by event and byte.
type Sources = BTreeMap<(EventId, u32), Source>;

fn bytes(place: Place) -> impl Iterator<Item = (u32, u32)> {
    (place.offset..place.offset + place.len).map(move |at| (place.object, at))
}

fn read_place(op: Op) -> Option<Place> {
    match op {
        Op::Load(place) | Op::Update(place) => Some(place),
        Op::Guarded | Op::End | Op::GuardedCopy | Op::First | Op::Second => Some(LIFE),
        Op::GuardedBy(life, _) => Some(life),
        Op::Several => Some(X),
        Op::Store(_) | Op::Fence | Op::Barrier | Op::Copy | Op::EndOf(..) | Op::Begin(..) | Op::Once(_) => None,
    }
}

fn written_places(op: Op) -> Vec<Place> {
    match op {
        Op::Store(place) | Op::Update(place) | Op::Once(place) => vec![place],
        Op::Guarded => vec![DATA],
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
type Pending = (EventId, Place, usize, Option<(Place, Source)>, Source);

/// A state of the textbook machine.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    next: Vec<usize>,
    /// The pending stores of each thread, oldest first.
    buffers: Vec<Vec<Pending>>,
    barriers: Vec<usize>,
    memory: BTreeMap<(u32, u32), Source>,
    sources: Sources,
    /// The events with which the copies of events began.
    copies: BTreeMap<EventId, EventId>,
}

impl State {
    fn initial(threads: usize) -> Self {
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
    fn visible(&self, thread: usize, byte: (u32, u32)) -> Source {
        let holds = |store: &&Pending| bytes(store.1).any(|written| written == byte) && !self.is_lost(store);
        let pending = self.buffers[thread].iter().rev().find(holds);
        pending.map_or_else(|| *self.memory.get(&byte).unwrap_or(&Source::Initial), |store| store.4)
    }

    fn is_lost(&self, store: &Pending) -> bool {
        let now = |at: Place| *self.memory.get(&(at.object, at.offset)).unwrap_or(&Source::Initial);
        store.3.is_some_and(|(at, life)| now(at) != life)
    }

    fn write(&mut self, place: Place, source: Source) {
        bytes(place).for_each(|byte| {
            self.memory.insert(byte, source);
        });
    }

    /// The state after the next event of a thread, unless it has to wait.
    fn happen(&self, program: &Program, thread: usize, model: Model) -> Option<Self> {
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
    fn arrive(&self, thread: usize, at: usize, model: Model) -> Option<Self> {
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
fn executions(program: &Program, model: Model) -> BTreeSet<Sources> {
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

/// All assignments of sources to the bytes that a program reads, or `most` of them, evenly spread.
fn candidates(program: &Program, most: usize) -> Vec<Sources> {
    let mut stores: BTreeMap<(u32, u32), Vec<Source>> = BTreeMap::new();
    let mut reads = Vec::new();
    for (thread, ops) in program.iter().enumerate() {
        for (index, &op) in ops.iter().enumerate() {
            let id = EventId::new(thread as u32, index as u32);
            let named = |at: usize| match (op, at) {
                (Op::Several | Op::Begin(..), 0) => Source::AtOnce(id),
                (Op::Several | Op::Begin(..), _) => Source::Write(id, at as u32 - 1),
                (Op::Copy | Op::GuardedCopy | Op::First | Op::Second, _) => Source::Write(id, at as u32),
                _ => Source::Event(id),
            };
            for (at, place) in written_places(op).into_iter().enumerate() {
                bytes(place).for_each(|byte| stores.entry(byte).or_default().push(named(at)));
            }
            reads.extend(read_place(op).into_iter().flat_map(bytes).map(|byte| (id, byte)));
        }
    }
    let choices = |byte| 1 + stores.get(&byte).map_or(0, Vec::len);
    let count: usize = reads.iter().map(|&(_, byte)| choices(byte)).product();
    let step = count.div_ceil(most).max(1);
    let candidate = |mut number: usize| {
        let mut sources = Sources::new();
        for &(id, byte) in &reads {
            let choice = number % choices(byte);
            number /= choices(byte);
            let source = choice.checked_sub(1).map_or(Source::Initial, |at| stores[&byte][at]);
            sources.insert((id, byte.1), source);
        }
        sources
    };
    (0..count).step_by(step).map(candidate).collect()
}

/// The history of a program with these sources.
fn history(program: &Program, sources: &Sources) -> History {
    let event = |thread: usize, index: usize, op: Op| {
        let id = EventId::new(thread as u32, index as u32);
        let kind = match op {
            Op::Update(_) => EventKind::Atomic,
            Op::Fence | Op::Several => EventKind::Fence,
            Op::Barrier => EventKind::StoreBarrier,
            _ => EventKind::Plain,
        };
        let reads = read_place(op)
            .into_iter()
            .flat_map(bytes)
            .map(|(object, offset)| Read { place: Place::new(object, offset, 1), source: sources[&(id, offset)] });
        let written = written_places(op);
        let (writes, at_once) = match op {
            Op::End | Op::EndOf(..) | Op::Once(_) => (vec![], written),
            Op::Several | Op::Begin(..) => (written[1..].to_vec(), written[..1].to_vec()),
            // What it writes at once, too, nobody reads.
            Op::First | Op::Second => (written, vec![Place::new(7, thread as u32, 1)]),
            _ => (written, vec![]),
        };
        let life = match op {
            Op::Guarded | Op::GuardedCopy | Op::First | Op::Second => Some(LIFE),
            Op::GuardedBy(life, _) | Op::Begin(life, _) => Some(life),
            _ => None,
        };
        let ops = &program[thread];
        let begins = |&at: &usize| ops[at].is_copy() && copy_of(ops, at) == at;
        let copies = (0..=index).filter(begins).count() as u32;
        let epochs = if op.is_copy() { vec![copies; writes.len()] } else { Vec::new() };
        Event {
            reads: reads.collect(),
            writes: writes.into(),
            at_once: at_once.into(),
            epochs: epochs.into(),
            life,
            ..Event::of(kind)
        }
    };
    let thread = |(thread, ops): (usize, &Vec<Op>)| {
        ops.iter().enumerate().map(|(index, &op)| event(thread, index, op)).collect()
    };
    History { threads: program.iter().enumerate().map(thread).collect() }
}

/// Runs a witness on the textbook machine; the sources must be those that are asked for.
#[track_caller]
fn check_witness(program: &Program, sources: &Sources, model: Model, witness: &[WitnessStep]) {
    let mut state = State::initial(program.len());
    for step in witness {
        let next = match *step {
            WitnessStep::Event(id) => {
                assert_eq!(state.next[id.thread as usize], id.index as usize, "program order of {witness:?}");
                state.happen(program, id.thread as usize, model)
            }
            WitnessStep::Arrival { event, write } => {
                let buffer = &state.buffers[event.thread as usize];
                let is_it = |store: &Pending| {
                    store.0 == event && matches!(store.4, Source::Event(_)) | (store.4 == Source::Write(event, write))
                };
                let at = buffer.iter().position(is_it).expect("it is pending");
                state.arrive(event.thread as usize, at, model)
            }
        };
        state = next.unwrap_or_else(|| panic!("{step:?} of {witness:?} has to wait, {model}, {program:?}"));
    }
    assert!((0..program.len()).all(|thread| state.next[thread] == program[thread].len()), "{witness:?}");
    assert!(state.buffers.iter().all(Vec::is_empty), "{witness:?}");
    assert_eq!(state.sources, *sources, "{witness:?}");
}

/// The number of histories compared, and of those allowed.
#[derive(Default)]
struct Compared {
    /// Histories without a meaning.
    refused: usize,
    histories: usize,
    allowed: usize,
    cycles: usize,
    exhausted: usize,
}

#[track_caller]
fn check(program: &Program, most: usize, compared: &mut Compared) {
    for model in Model::ALL {
        let possible = executions(program, model);
        let some = candidates(program, most);
        for sources in some.iter().chain(possible.iter().take(most)) {
            let history = history(program, sources);
            compared.histories += 1;
            let strategy = Strategy::ALL[compared.histories % Strategy::ALL.len()];
            let answer = match decide_by(strategy, &history, model) {
                // No thread writes at once what it has delayed.
                Err(HistoryError::DelayedAndAtOnce(_)) => {
                    compared.refused += 1;
                    continue;
                }
                answer => answer.expect("it means something"),
            };
            match answer {
                Answer::Allowed(witness) => {
                    assert!(possible.contains(sources), "{model} allows {sources:?} of {program:?}");
                    check_witness(program, sources, model, &witness);
                    compared.allowed += 1;
                }
                Answer::Forbidden(reason) => {
                    assert!(!possible.contains(sources), "{model} forbids {sources:?} of {program:?}: {reason:?}");
                    match reason {
                        Reason::Cycle(cycle) => {
                            let nodes: BTreeSet<String> = cycle.iter().map(|at| format!("{:?}", at.node)).collect();
                            assert!(!cycle.is_empty() && nodes.len() == cycle.len(), "{cycle:?}");
                            compared.cycles += 1;
                        }
                        Reason::Exhausted { .. } => compared.exhausted += 1,
                    }
                }
            }
        }
    }
}

const X: Place = Place::new(0, 0, 1);
const Y: Place = Place::new(1, 0, 1);
/// A place of two bytes, and its halves.
const BOTH: Place = Place::new(2, 0, 2);
const LOW: Place = Place::new(2, 0, 1);
const HIGH: Place = Place::new(2, 1, 1);

/// The bytes of an object, and what stands for its life.
const DATA: Place = Place::new(3, 0, 1);
const LIFE: Place = Place::new(4, 0, 1);
/// Lives of others.
const OTHER: Place = Place::new(5, 0, 1);
const THIRD: Place = Place::new(6, 0, 1);

/// All threads of `len` operations.
fn threads(alphabet: &[Op], len: u32) -> Vec<Vec<Op>> {
    let thread =
        |number: usize| (0..len).map(|at| alphabet[number / alphabet.len().pow(at) % alphabet.len()]).collect();
    (0..alphabet.len().pow(len)).map(thread).collect()
}

/// Numbers that look random (the generator of D. Lehmer with the constants of L'Ecuyer).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }
}

/// A random program with operations of an alphabet.
fn random(numbers: &mut Numbers, alphabet: &[Op], threads: usize, events: usize) -> Program {
    let mut program = vec![Vec::new(); threads];
    for _ in 0..events {
        let thread = numbers.below(threads);
        program[thread].push(alphabet[numbers.below(alphabet.len())]);
    }
    program
}

/// The number of random programs of each kind, times the number in `RMC_HISTORIES`, if it is set.
fn rounds(count: usize) -> usize {
    std::env::var("RMC_HISTORIES").map_or(count, |more| count * more.parse::<usize>().expect("a number"))
}

#[test]
fn all_pairs_of_short_threads() {
    let alphabet = [Op::Load(X), Op::Load(Y), Op::Store(X), Op::Store(Y), Op::Update(X), Op::Fence, Op::Barrier];
    let mut compared = Compared::default();
    for length in [2, 3] {
        let all = threads(&alphabet, length);
        // Every thread with every other one; of the longer ones each 13th pair.
        let pairs = all.iter().enumerate().flat_map(|(at, one)| all[at..].iter().map(move |other| (one, other)));
        for (one, other) in pairs.step_by(if length == 2 { 1 } else { 13 }) {
            check(&vec![one.clone(), other.clone()], usize::MAX, &mut compared);
        }
    }
    assert!(compared.allowed > 10_000 && compared.cycles > 10_000, "{} of {}", compared.allowed, compared.histories);
}

#[test]
fn random_programs_of_three_threads() {
    let alphabet = [
        Op::Load(X),
        Op::Load(Y),
        Op::Store(X),
        Op::Store(Y),
        Op::Load(X),
        Op::Store(X),
        Op::Load(Y),
        Op::Store(Y),
        Op::Update(X),
        Op::Fence,
        Op::Barrier,
    ];
    let (mut numbers, mut compared) = (Numbers(1), Compared::default());
    for round in 0..rounds(400) {
        let program = random(&mut numbers, &alphabet, 3, 6 + round % 4);
        check(&program, 200, &mut compared);
    }
    assert!(compared.allowed > 1_000 && compared.cycles > 1_000, "{} of {}", compared.allowed, compared.histories);
}

#[test]
fn random_programs_of_four_threads() {
    let alphabet = [Op::Load(X), Op::Load(Y), Op::Store(X), Op::Store(Y), Op::Load(X), Op::Store(X)];
    let (mut numbers, mut compared) = (Numbers(2), Compared::default());
    for round in 0..rounds(60) {
        let program = random(&mut numbers, &alphabet, 4, 8 + round % 3);
        check(&program, 300, &mut compared);
    }
    assert!(compared.allowed > 1_000, "{} of {}", compared.allowed, compared.histories);
}

#[test]
fn random_programs_with_mixed_sizes() {
    let halves = [LOW, HIGH, BOTH];
    let mut alphabet: Vec<Op> = halves.iter().flat_map(|&place| [Op::Load(place), Op::Store(place)]).collect();
    alphabet.extend([Op::Store(X), Op::Load(X), Op::Update(BOTH), Op::Update(LOW), Op::Fence, Op::Barrier]);
    let (mut numbers, mut compared) = (Numbers(3), Compared::default());
    for round in 0..rounds(400) {
        let program = random(&mut numbers, &alphabet, 2 + round % 2, 5 + round % 4);
        check(&program, 200, &mut compared);
    }
    assert!(compared.allowed > 1_000 && compared.cycles > 1_000, "{} of {}", compared.allowed, compared.histories);
}

#[test]
fn random_programs_whose_stores_may_be_lost() {
    let data = [Op::Guarded, Op::Guarded, Op::Load(DATA), Op::Load(DATA), Op::End];
    let others = [Op::Store(X), Op::Load(X), Op::Store(X), Op::Update(X), Op::Fence, Op::Barrier];
    let alphabet: Vec<Op> = data.into_iter().chain(others).collect();
    let (mut numbers, mut compared) = (Numbers(4), Compared::default());
    for round in 0..rounds(400) {
        let program = random(&mut numbers, &alphabet, 2 + round % 2, 5 + round % 4);
        check(&program, 200, &mut compared);
    }
    assert!(compared.allowed > 1_000 && compared.cycles > 1_000, "{} of {}", compared.allowed, compared.histories);
}

/// Lives are overwritten that nobody reads, and stores to the same data depend on several of them.
#[test]
fn random_programs_with_several_lives() {
    let mut alphabet = vec![Op::Load(DATA), Op::Load(DATA), Op::Load(BOTH), Op::Store(X), Op::Load(X), Op::Fence];
    for (life, data) in [(LIFE, DATA), (OTHER, LOW)] {
        alphabet.extend([Op::GuardedBy(life, data), Op::Begin(life, data)]);
        // Both depend on this one, too, which ends without them.
        alphabet.extend([Op::GuardedBy(THIRD, data), Op::EndOf(THIRD, HIGH)]);
    }
    let (mut numbers, mut compared) = (Numbers(6), Compared::default());
    for round in 0..rounds(400) {
        let mut some: Vec<Op> = (0..6).map(|_| alphabet[numbers.below(alphabet.len())]).collect();
        some.push(if round % 2 == 0 { Op::EndOf(LIFE, HIGH) } else { Op::EndOf(OTHER, HIGH) });
        let program = random(&mut numbers, &some, 2 + round % 2, 5 + round % 4);
        check(&program, 200, &mut compared);
    }
    assert!(compared.allowed > 1_000 && compared.cycles > 1_000, "{} of {}", compared.allowed, compared.histories);
}

/// Threads write at once what other threads write with delay, and what depends on a life.
#[test]
fn random_programs_with_stores_that_are_not_delayed() {
    let mut alphabet = vec![Op::Load(DATA), Op::Load(X), Op::Load(BOTH), Op::Store(X), Op::Copy, Op::Fence];
    alphabet.extend([Op::Once(DATA), Op::Once(X), Op::Once(LOW), Op::Once(Y)]);
    for (life, data) in [(LIFE, DATA), (OTHER, LOW)] {
        alphabet.extend([Op::GuardedBy(life, data), Op::Begin(life, data), Op::EndOf(life, HIGH)]);
    }
    let (mut numbers, mut compared) = (Numbers(7), Compared::default());
    for round in 0..rounds(600) {
        let program = random(&mut numbers, &alphabet, 2 + round % 2, 5 + round % 4);
        check(&program, 200, &mut compared);
    }
    assert!(compared.allowed > 1_000 && compared.cycles > 1_000, "{} of {}", compared.allowed, compared.histories);
}

#[test]
fn lives_are_not_delayed() {
    let mut guarded = Event::load(X, Source::Initial);
    (guarded.writes, guarded.life) = (vec![Y].into(), Some(X));
    let store = Event::store(X);
    let history = History { threads: vec![vec![guarded], vec![store]] };
    let decided = |model| decide_by(Strategy::Mixed, &history, model);
    assert!(matches!(decided(Model::Tso), Err(HistoryError::DelayedLife(_))));
    assert!(decided(Model::Sc).is_ok());
}

#[test]
fn random_programs_with_events_of_several_stores() {
    let alphabet = [Op::Several, Op::Load(X), Op::Load(Y), Op::Several, Op::Store(X), Op::Fence, Op::Barrier];
    let (mut numbers, mut compared) = (Numbers(5), Compared::default());
    for round in 0..rounds(300) {
        let program = random(&mut numbers, &alphabet, 2 + round % 2, 4 + round % 3);
        check(&program, 200, &mut compared);
    }
    assert!(compared.allowed > 1_000 && compared.cycles > 1_000, "{} of {}", compared.allowed, compared.histories);
}

#[test]
fn random_programs_with_copies() {
    let with = |copy| [copy, Op::Load(X), Op::Load(Y), Op::Store(X), Op::Update(Y), Op::Fence, Op::Barrier, copy];
    let (mut plain, mut guarded) = (with(Op::Copy), with(Op::GuardedCopy));
    (plain[7], guarded[5]) = (Op::Load(X), Op::EndOf(LIFE, DATA));
    let mut pieces = guarded;
    (pieces[0], pieces[7]) = (Op::First, Op::Second);
    let alphabets = [plain, guarded, pieces];
    let (mut numbers, mut compared) = (Numbers(6), Compared::default());
    for round in 0..rounds(300) {
        let alphabet = &alphabets[round % 3];
        let program = random(&mut numbers, alphabet, 2 + round / 3 % 2, 4 + round % 3);
        check(&program, 200, &mut compared);
    }
    assert!(compared.allowed > 1_000 && compared.cycles > 500, "{} of {}", compared.allowed, compared.histories);
}

/// Each of two orders loses another store; afterwards the same events have happened.
#[test]
fn a_store_is_lost_because_a_life_begins_twice() {
    let begin = |life, data| Op::Begin(life, data);
    let one = vec![begin(LIFE, DATA), begin(OTHER, LOW)];
    let two = [one.clone(), vec![Op::Load(DATA); 3]].concat();
    let program = vec![one, two];
    let sources: Sources = (2..5).map(|index| ((EventId::new(1, index), 0), Source::Initial)).collect();
    for model in [Model::Tso, Model::Pso] {
        assert!(executions(&program, model).contains(&sources));
        for strategy in Strategy::ALL {
            let answer = decide_by(strategy, &history(&program, &sources), model);
            assert!(matches!(answer, Ok(Answer::Allowed(_))), "{model} {strategy:?} {answer:?}");
        }
    }
}
