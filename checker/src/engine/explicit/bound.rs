//! The searches that follow when a store buffer is full.
//!
//! A bound on buffers keeps searches finite. A search that had to flush a full buffer early proves nothing.
//! So a search first ends at the level where a buffer is full, and is repeated:
//!
//! 1. with guards for words that one thread alone writes, if there are any, so that stores without effect are
//!    left out (`system/step/repeats.rs`);
//! 2. with larger buffers, unless the bound was given, as long as searches are small: [`RAISED`], [`ROOM`];
//! 3. if that is not enough, with the first bound, and to the end. It finds the violations within that bound,
//!    and the answer is no better than `unknown`.
//!
//! A search that is given up costs less than one to the end. The repetitions do not change which violation is
//! found, nor its depth: an execution with a bounded buffer is also one with any larger bound. If a search
//! that is given up found a violation on the same level, that is the answer.

use super::infer_guards;
use crate::halt::Halt;
use crate::ir::Program;
use crate::system::Config;
use crate::system::observe::guards::{self, Guards};

/// The bounds on delayed stores of a thread that are tried after the first one.
const RAISED: [usize; 3] = [1 << 9, 1 << 13, 1 << 17];

/// The largest product of states and bound of a search with a raised bound; a larger search is given up. A
/// state may have as many stores as the bound, which takes seconds.
const ROOM: u64 = 1 << 26;

/// True if a search with a raised bound on buffers and so many states is to be given up.
pub(super) fn is_too_large(config: &Config, states: u64) -> bool {
    let is_raised = config.ends_when_full && config.bound_grows && config.buffer_bound > Config::BUFFER_BOUND;
    is_raised && states.saturating_mul(config.buffer_bound as u64) > ROOM
}

/// The parameters of the searches to come.
pub(super) struct Bounds {
    /// The bounds that are tried next, the nearest last.
    raised: Vec<usize>,
    knows_writers: bool,
    ends_when_full: bool,
    buffer_bound: usize,
    halt: Halt,
}

impl Bounds {
    /// The parameters before the first search. If the bound is 0, buffers are never full, so guards are
    /// guessed at once.
    pub fn new(config: &Config, halt: Halt) -> Self {
        let raised = if config.bound_grows { RAISED.iter().rev().copied().collect() } else { Vec::new() };
        Self {
            raised,
            knows_writers: false,
            ends_when_full: config.buffer_bound > 0,
            buffer_bound: config.buffer_bound,
            halt,
        }
    }

    /// The configuration of the next search.
    pub fn config(&self, config: Config, guards: &Guards) -> Config {
        let Self { ends_when_full, buffer_bound, .. } = *self;
        Config { buffer_bound, ends_when_full, guards: guards::keep(guards.clone()), ..config }
    }

    /// The guards of the first search. `guards` are those guessed before it.
    pub fn first(&mut self, program: &Program, config: Config, guards: Guards) -> Guards {
        if config.buffer_bound == 0 { self.with_writers(program, config, &guards).unwrap_or(guards) } else { guards }
    }

    /// Returns the guards of the next search, and sets its bound, after a search of so many states with
    /// `config` in which a buffer was full.
    pub fn next(&mut self, program: &Program, config: Config, states: u64) -> Guards {
        // A resumed search may already have a larger bound.
        self.raised.retain(|&bound| bound > config.buffer_bound);
        if let Some(guards) = self.with_writers(program, config, config.guards) {
            return guards;
        }
        match self.raised.pop() {
            Some(bound)
                if !is_too_large(&Config { buffer_bound: bound, ..self.config(config, config.guards) }, states) =>
            {
                self.buffer_bound = bound;
            }
            _ => {
                self.ends_when_full = false;
                self.buffer_bound = if config.bound_grows { Config::BUFFER_BOUND } else { config.buffer_bound };
            }
        }
        config.guards.clone()
    }

    /// The guards and those of words that one thread alone writes, if there are any new ones and they were
    /// not guessed before.
    fn with_writers(&mut self, program: &Program, config: Config, guards: &Guards) -> Option<Guards> {
        if std::mem::replace(&mut self.knows_writers, true) {
            return None;
        }
        let all = guards.or(infer_guards::guess_writers(program, config, &self.halt));
        (all != *guards).then_some(all)
    }
}
