//! Decisions compared with the textbook machine (`machine`): all executions of small programs are enumerated,
//! byte by byte, and a history must be allowed exactly if one of them has its sources.
//!
//! The machine shares no code with the package.

mod machine;

use std::collections::{BTreeMap, BTreeSet};

use machine::*;
use rmc_consistency::{
    Answer, Event, EventId, EventKind, History, HistoryError, Place, Read, Reason, Source, Strategy, WitnessStep,
    decide_by,
};
use rmc_runtime::Model;

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
                (Op::Copy | Op::GuardedCopy | Op::First | Op::Second | Op::Partly, _) => Source::Write(id, at as u32),
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
            // They also write something at once that nobody reads.
            Op::First | Op::Second => (written, vec![Place::new(7, thread as u32, 1)]),
            _ => (written, vec![]),
        };
        let lives = match op {
            Op::Guarded | Op::GuardedCopy | Op::First | Op::Second => vec![Some(LIFE); writes.len()],
            Op::GuardedBy(life, _) | Op::Begin(life, _) => vec![Some(life)],
            Op::Partly => vec![Some(LIFE), None],
            _ => Vec::new(),
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
            lives: lives.into(),
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
    let data = [Op::Guarded, Op::Guarded, Op::Partly, Op::Load(DATA), Op::Load(DATA), Op::End];
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
    (guarded.writes, guarded.lives) = (vec![Y].into(), vec![Some(X)].into());
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

/// A thread writes many cells that another one is to read after something that never comes: no order of the
/// stores is a decision, as nobody else writes the cells.
#[test]
fn stores_that_are_next_to_their_cells_are_no_decisions() {
    const CELLS: u32 = 24;
    let cell = |at: u32| Place::new(1, at, 1);
    let event = |thread, index| Source::Event(EventId::new(thread, index));
    // Each of the first two threads needs a store of the other one that comes after its own load.
    let mut one: Vec<Event> = (0..CELLS).map(|at| Event::store(cell(at))).collect();
    one.extend([Event::load(cell(CELLS + 1), event(1, 1)), Event::store(cell(CELLS))]);
    let two = vec![Event::load(cell(CELLS), event(0, CELLS + 1)), Event::store(cell(CELLS + 1))];
    let mut three = vec![Event::load(cell(CELLS), event(0, CELLS + 1))];
    three.extend((0..CELLS).map(|at| Event::load(cell(at), event(0, at))));
    let history = History { threads: vec![one, two, three] };
    for model in Model::ALL {
        let answer = decide_by(Strategy::SearchAlone, &history, model);
        assert_eq!(answer, Ok(Answer::Forbidden(Reason::Exhausted { prefixes: 1 })), "{model}");
    }
}
