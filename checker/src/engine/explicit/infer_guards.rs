//! Guesses the guards of a search ([`crate::system::observe::guards`]) from a few random executions.
//!
//! A machine records how memory is used while threads and answers are chosen at random. A guess is a guard
//! that all recorded uses keep. A wrong guess costs time and is not unsound, because the search checks each
//! guard at each access and is repeated without those that it finds broken.
//!
//! The random numbers have a fixed seed, so the same program and options always give the same guesses, unless
//! the run is asked to end meanwhile.
//!
//! Tests: wrong guesses in `tests/programs/guards/`; the guesses of [`guess_writers`] in
//! `tests/programs/termination/stores_in_waiting_loop.c`. `tests/tests/reductions.rs` compares searches with
//! and without `guarded` on random programs, and fails if guards never save a state.

use rmc_runtime::Model;

use crate::halt::Halt;
use crate::ir::Program;
use crate::store::Id;
use crate::system::observe::guards::Guards;
use crate::system::{Config, Leaks, Machine, Reduction, StepEnd};

/// The maximal number of executions.
const MOST_EXECUTIONS: usize = 64;

/// The number of executions in a row without new uses of memory after which no further one is tried.
const MOST_WITHOUT_NEWS: usize = 12;

/// The maximal number of steps of an execution.
const MOST_STEPS: usize = 600;

/// The number of answers that are chosen for a step. Further questions get their first answer.
const ANSWERS: usize = 4;

/// The guards that all recorded uses keep. Empty if the reduction `guarded` is off, or if the other options
/// do not allow guards.
pub(super) fn guess(program: &Program, config: Config, halt: &Halt) -> Guards {
    if !config.reduces(Reduction::Guarded) || !allows_guards(&config) {
        return Guards::default();
    }
    with_recorded_uses(program, config, halt).guess()
}

/// The guards of words that one thread alone wrote in all recorded uses. They let stores without effect be
/// left out (`system/step/repeats.rs`). Words of private memory are among them: their stores wait in buffers,
/// too. Empty under sequential consistency, which has no store buffers, or if the other options do not allow
/// guards.
pub(super) fn guess_writers(program: &Program, config: Config, halt: &Halt) -> Guards {
    if config.model() == Model::Sc || !allows_guards(&config) {
        return Guards::default();
    }
    let reductions = config.reductions.without(Reduction::Private);
    with_recorded_uses(program, Config { reductions, ..config }, halt).guess_writers()
}

/// True if guards are known to be sound with these options.
fn allows_guards(config: &Config) -> bool {
    !config.races && config.leaks == Leaks::Ignored && !config.updates
}

/// A machine that has recorded the uses of memory in some executions.
fn with_recorded_uses<'p>(program: &'p Program, config: Config, halt: &Halt) -> Machine<'p> {
    let mut machine = Machine::new(program, config);
    machine.halt = halt.clone();
    let mut initial = Vec::new();
    machine.pack(&mut initial);
    machine.record_uses();
    let (mut random, mut known, mut without_news) = (Random(1), 0, 0);
    for number in 0..MOST_EXECUTIONS {
        let prefers_same_thread = number % 2 == 1;
        execute(&mut machine, &initial, &mut random, prefers_same_thread);
        without_news = if machine.uses() == known { without_news + 1 } else { 0 };
        known = machine.uses();
        if without_news == MOST_WITHOUT_NEWS || halt.reason().is_some() {
            break;
        }
    }
    machine
}

/// Runs one execution, or the first [`MOST_STEPS`] steps of it. Each step is by a random thread. With
/// `prefers_same_thread` it is by the thread of the step before, seven times out of eight.
fn execute(machine: &mut Machine<'_>, initial: &[Id], random: &mut Random, prefers_same_thread: bool) {
    let (mut vector, mut last_thread) = (initial.to_vec(), 0);
    for _ in 0..MOST_STEPS {
        if machine.halt.reason().is_some() {
            return;
        }
        machine.unpack(&vector);
        let threads: Vec<_> = machine.schedulable_threads().collect();
        let stays = prefers_same_thread && random.below(8) > 0;
        let first = threads.iter().position(|&thread| stays && thread == last_thread);
        let first = first.unwrap_or_else(|| random.below(threads.len().max(1)));
        let answers: Vec<_> = (0..ANSWERS).map(|_| random.below(4) as u32).collect();
        // If the chosen thread is blocked, the next ones are tried.
        let mut order = threads[first..].iter().chain(&threads[..first]);
        let taken = order.find_map(|&thread| {
            machine.unpack(&vector);
            machine.choices.prescribe(&answers);
            match machine.step(thread).end {
                StepEnd::Blocked => None,
                end => Some((thread, end)),
            }
        });
        let Some((thread, StepEnd::Done)) = taken else { return };
        last_thread = thread;
        machine.pack(&mut vector);
    }
}

/// A pseudo-random generator: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
struct Random(u64);

impl Random {
    /// A number below `n`, which is not 0.
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }
}
