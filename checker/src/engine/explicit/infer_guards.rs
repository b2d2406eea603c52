//! Guesses which words of memory have guards ([`crate::system::observe::guards`]), from a few executions that
//! choose threads at random.
//!
//! Guesses need not be right: the search checks them. The same program and options always give the same
//! guesses.

use rmc_runtime::Model;

use crate::halt::Halt;
use crate::ir::Program;
use crate::store::Id;
use crate::system::observe::guards::Guards;
use crate::system::{Config, Leaks, Machine, Reduction, StepEnd};

/// The maximal number of executions, and the number in a row without new uses after which they end.
const MOST_EXECUTIONS: usize = 64;
const QUIET: usize = 12;

/// The maximal number of steps of an execution.
const STEPS: usize = 600;

/// The guards that hold in all executions tried. Empty if guards are not asked for, or not known to be sound
/// with the other options.
pub(super) fn guess(program: &Program, config: Config, halt: &Halt) -> Guards {
    if !config.reduces(Reduction::Guarded) || !is_possible(&config) {
        return Guards::default();
    }
    executed(program, config, halt).guess()
}

/// The guards of words that one thread alone writes, from the executions tried. No option asks for them.
pub(super) fn writers(program: &Program, config: Config, halt: &Halt) -> Guards {
    if config.model() == Model::Sc || !is_possible(&config) {
        return Guards::default();
    }
    executed(program, config, halt).guess_writers()
}

fn is_possible(config: &Config) -> bool {
    !config.races && config.leaks == Leaks::Ignored && !config.updates
}

/// A machine that recorded how memory is used in some executions.
fn executed<'p>(program: &'p Program, config: Config, halt: &Halt) -> Machine<'p> {
    let mut machine = Machine::new(program, config);
    machine.halt = halt.clone();
    let mut start = Vec::new();
    machine.pack(&mut start);
    machine.record_uses();
    let (mut random, mut known, mut quiet) = (Random(1), 0, 0);
    for number in 0..MOST_EXECUTIONS {
        execute(&mut machine, &start, &mut random, number);
        quiet = if machine.uses() == known { quiet + 1 } else { 0 };
        known = machine.uses();
        if quiet == QUIET || halt.reason().is_some() {
            break;
        }
    }
    machine
}

/// Runs one execution or a prefix of it. In every other execution a thread takes several steps in a row.
fn execute(machine: &mut Machine<'_>, start: &[Id], random: &mut Random, number: usize) {
    let (mut vector, mut thread) = (start.to_vec(), 0);
    for _ in 0..STEPS {
        if machine.halt.reason().is_some() {
            return;
        }
        machine.unpack(&vector);
        let threads: Vec<_> = machine.schedulable_threads().collect();
        let stays = number % 2 == 1 && random.below(8) > 0;
        let first = threads.iter().position(|&one| stays && one == thread);
        let first = first.unwrap_or_else(|| random.below(threads.len().max(1)));
        let answers: Vec<_> = (0..4).map(|_| random.below(4) as u32).collect();
        let mut order = threads[first..].iter().chain(&threads[..first]);
        let taken = order.find_map(|&thread| {
            machine.unpack(&vector);
            machine.choices.prescribe(&answers);
            match machine.step(thread).end {
                StepEnd::Blocked => None,
                end => Some((thread, end)),
            }
        });
        let Some((next, StepEnd::Done)) = taken else { return };
        thread = next;
        machine.pack(&mut vector);
    }
}

/// A pseudo-random generator: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }
}
