//! What follows when a store buffer is full.
//!
//! A bound on buffers keeps searches finite; a search that had to flush a full buffer early proves nothing.
//! So a search first ends at the level where a buffer is full, and is made again:
//!
//! 1. with guards for words that one thread alone writes, so that stores without effect are left out
//!    (`system/step/repeats.rs`), if there are any;
//! 2. with larger buffers, unless the bound was given, as long as searches are small: [`RAISED`], [`ROOM`];
//! 3. if that is not enough, with the first bound, and to the end: it finds what can be found so, and the
//!    answer is no better than `unknown`.
//!
//! A search that is given up costs less than one to the end. Whether a violation is found, and how near, does
//! not depend on any of this: an execution with a bounded buffer is one of any larger bound. If a search that
//! is given up met one on the same level, that is the answer.

use super::infer_guards;
use crate::halt::Halt;
use crate::ir::Program;
use crate::system::Config;
use crate::system::observe::guards::{self, Guards};

/// Delayed stores of a thread that are tried after the first bound.
const RAISED: [usize; 3] = [1 << 9, 1 << 13, 1 << 17];

/// States times the bound, after which a search with a raised bound is given up: a state may have so many
/// stores, which takes seconds.
const ROOM: u64 = 1 << 26;

/// Whether a search of so many states is to be given up, whose bound on buffers was raised.
pub(super) fn is_too_large(config: &Config, states: u64) -> bool {
    let is_raised = config.ends_when_full && config.bound_grows && config.buffer_bound > Config::BUFFER_BOUND;
    is_raised && states.saturating_mul(config.buffer_bound as u64) > ROOM
}

/// The searches to come.
pub(super) struct Bounds {
    /// Bounds that are tried next, the nearest last.
    raised: Vec<usize>,
    knows_writers: bool,
    ends_when_full: bool,
    buffer_bound: usize,
    halt: Halt,
}

impl Bounds {
    /// Before the first search. Nothing is full where the bound is 0, so guards are guessed at once.
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

    /// The options of the next search.
    pub fn config(&self, config: Config, guards: &Guards) -> Config {
        let Self { ends_when_full, buffer_bound, .. } = *self;
        Config { buffer_bound, ends_when_full, guards: guards::keep(guards.clone()), ..config }
    }

    /// The guards of the first search, in which these were guessed.
    pub fn first(&mut self, program: &Program, config: Config, guards: Guards) -> Guards {
        if config.buffer_bound == 0 { self.with_writers(program, config, &guards).unwrap_or(guards) } else { guards }
    }

    /// What follows on a search of so many states with these options, in which a buffer was full: the next
    /// one's guards.
    pub fn next(&mut self, program: &Program, config: Config, states: u64) -> Guards {
        // A search that was resumed may be ahead.
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

    /// The guards and those of words that one thread alone writes, if there are any and they were not guessed
    /// yet.
    fn with_writers(&mut self, program: &Program, config: Config, guards: &Guards) -> Option<Guards> {
        if std::mem::replace(&mut self.knows_writers, true) {
            return None;
        }
        let all = guards.or(infer_guards::writers(program, config, &self.halt));
        (all != *guards).then_some(all)
    }
}
