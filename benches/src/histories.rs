//! Histories of any length: random executions, changed ones, and ones made to be hard.

use rmc_consistency::{Event, EventId, EventKind, History, Place, Source};
use rmc_runtime::Model;

/// Numbers that look random: the generator splitmix64 (G. Steele, D. Lea, C. Flood, OOPSLA 2014).
pub struct Numbers(pub u64);

impl Numbers {
    /// The next number below `end`, which is not 0.
    pub const fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

/// The shape of random histories.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The model of the machine that makes them.
    pub model: Model,
    /// The number of threads.
    pub threads: usize,
    /// The number of variables.
    pub variables: usize,
    /// The number of events of all threads.
    pub events: usize,
    /// In a hundred events, fences and as many read-modify-writes.
    pub fences: usize,
}

/// A pending store of the machine: its event, and its variable.
type Pending = (EventId, usize);

/// The place of a variable.
const fn place(variable: usize) -> Place {
    Place::new(variable as u32, 0, 4)
}

/// The history of a random execution: threads and their buffers take turns at random.
///
/// # Panics
/// There are no threads or no variables.
#[must_use]
pub fn random(shape: Shape, seed: u64) -> History {
    let mut numbers = Numbers(seed);
    let mut history = History { threads: vec![Vec::new(); shape.threads] };
    let mut buffers: Vec<Vec<Pending>> = vec![Vec::new(); shape.threads];
    let mut memory = vec![Source::Initial; shape.variables];
    let mut made = 0;
    while made < shape.events {
        let thread = numbers.below(shape.threads);
        if numbers.below(2) == 0 {
            arrive(&mut buffers[thread], &mut memory, shape.model, &mut numbers);
            continue;
        }
        let id = EventId::new(thread as u32, history.threads[thread].len() as u32);
        let variable = numbers.below(shape.variables);
        let newest = buffers[thread].iter().rev().find(|pending| pending.1 == variable);
        let seen = newest.map_or(memory[variable], |pending| Source::Event(pending.0));
        let event = match numbers.below(100) {
            kind if kind < 2 * shape.fences => {
                while !buffers[thread].is_empty() {
                    arrive(&mut buffers[thread], &mut memory, shape.model, &mut numbers);
                }
                if kind < shape.fences {
                    Event::of(EventKind::Fence)
                } else {
                    let source = std::mem::replace(&mut memory[variable], Source::Event(id));
                    Event::atomic(place(variable), source)
                }
            }
            kind if kind % 2 == 0 => Event::load(place(variable), seen),
            _ => {
                match shape.model {
                    Model::Sc => memory[variable] = Source::Event(id),
                    Model::Tso | Model::Pso => buffers[thread].push((id, variable)),
                }
                Event::store(place(variable))
            }
        };
        history.threads[thread].push(event);
        made += 1;
    }
    history
}

/// Lets a store of a buffer reach memory: the first one, or under PSO the first one to some variable.
fn arrive(buffer: &mut Vec<Pending>, memory: &mut [Source], model: Model, numbers: &mut Numbers) {
    if buffer.is_empty() {
        return;
    }
    let at = match model {
        Model::Pso => {
            let variable = buffer[numbers.below(buffer.len())].1;
            buffer.iter().position(|pending| pending.1 == variable).expect("it is there")
        }
        Model::Sc | Model::Tso => 0,
    };
    let (event, variable) = buffer.remove(at);
    memory[variable] = Source::Event(event);
}

/// A history in which so many loads read another store to the same variable, or the initial memory: one that
/// comes shortly before or after the one they read.
///
/// # Panics
/// The history has accesses of several variables at once.
#[must_use]
pub fn changed(mut history: History, changes: usize, seed: u64) -> History {
    let mut numbers = Numbers(seed);
    let loads: Vec<EventId> = history.positions().filter(|&id| !history.event(id).reads.is_empty()).collect();
    for _ in 0..changes.min(loads.len()) {
        let id = loads[numbers.below(loads.len())];
        let read = history.event(id).reads[0];
        let writes = |at: &EventId| *at != id && history.event(*at).writes.first() == Some(&read.place);
        let stores: Vec<EventId> = history.positions().filter(writes).collect();
        let near = |source: Source| {
            let place = source.event().and_then(|event| stores.iter().position(|&store| store == event));
            place.map_or(0, |at| at + 1)
        };
        let at = (near(read.source) + 1 + numbers.below(3)) % (stores.len() + 1);
        let source = at.checked_sub(1).map_or(Source::Initial, |at| Source::Event(stores[at]));
        history.threads[id.thread as usize][id.index as usize].reads[0].source = source;
    }
    history
}

/// A history with a cycle that needs all of it: the first thread begins with two stores and a fence between
/// them, and the last one ends with a load that sees the second store, and one that does not see the first.
/// Nobody else knows these variables. No model allows it.
///
/// # Panics
/// The history has fewer than two threads, or knows the variables already.
#[must_use]
pub fn with_cycle(mut history: History) -> History {
    const MORE: usize = 3;
    let [first, second] = [1_000_000, 1_000_001].map(place);
    let is_known =
        |event: &Event| event.writes.iter().chain(&event.at_once).any(|&known| [first, second].contains(&known));
    assert!(history.threads.len() > 1 && !history.threads.iter().flatten().any(is_known), "it has no such cycle");
    for read in history.threads.iter_mut().flatten().flat_map(|event| &mut event.reads) {
        if let Source::Event(id) = &mut read.source
            && id.thread == 0
        {
            id.index += MORE as u32;
        }
    }
    let begin = [Event::store(first), Event::of(EventKind::Fence), Event::store(second)];
    history.threads[0].splice(0..0, begin);
    let last = history.threads.last_mut().expect("there are threads");
    last.push(Event::load(second, Source::Event(EventId::new(0, MORE as u32 - 1))));
    last.push(Event::load(first, Source::Initial));
    history
}

/// A history in which the order of stores of different threads to one variable has to be guessed: `writers`
/// threads store `rounds` times each to `x`, each time telling of it in a variable of their own, and
/// `readers` threads read `x` from one writer after the other, the first ones last.
#[must_use]
pub fn contended(writers: usize, readers: usize, rounds: usize) -> History {
    let shared = place(0);
    let own = |writer: usize| place(1 + writer);
    let writer = |writer: usize| (0..rounds).flat_map(move |_| [Event::store(shared), Event::store(own(writer))]);
    let reader = |reader: usize| {
        (0..rounds).flat_map(move |round| {
            (0..writers).flat_map(move |at| {
                let writer = (at + reader) % writers;
                let source = |write: usize| Source::Event(EventId::new(writer as u32, (2 * round + write) as u32));
                [Event::load(shared, source(0)), Event::load(own(writer), source(1))]
            })
        })
    };
    let writers_events = (0..writers).map(|at| writer(at).collect());
    let readers_events = (0..readers).map(|at| reader(at).collect());
    History { threads: writers_events.chain(readers_events).collect() }
}
