//! An exploration, begun anew when something was learned that it depends on.
//!
//! What is learned is kept: where threads may wait, what varies (`foretell.rs`), which copies are contested
//! (`system/bulk/group.rs`). Bounds that the user did not give grow: on the turns of loops (`deepening.rs`), and on store
//! buffers, where one was full. The exploration ends at the first full buffer then, so nothing that was found before
//! depends on the bound.

use std::sync::atomic::Ordering;
use std::time::Instant;

use fxhash::FxHashSet;

use super::Dpor;
use super::deepening::Turns;
use super::search::Search;
use crate::engine::findings::Findings;
use crate::engine::stateless::robustness::Cycles;
use crate::engine::{EngineError, Limits, Progress};
use crate::ir::Program;
use crate::outcome::Outcome;
use crate::system::Config;

/// A bound on buffers that was not given is multiplied by this where one was full, up to [`LARGEST`].
const RAISE: usize = 16;
const LARGEST: usize = 1 << 17;

/// How an exploration ends.
pub(super) enum End {
    Done,
    /// It was learned of an instruction that it may wait, or do this or that.
    StartOver,
    /// A store buffer was full, and the bound was not given.
    Full,
    /// Threads got no number because those by creator had run out (`system/state/numbering.rs`).
    NumbersRanOut,
    /// An execution is too long to be followed without a bound on loops.
    TooLong,
}

/// Explores a program.
pub fn run(
    program: &Program,
    config: Config,
    limits: &Limits,
    progress: &Progress,
    engine: Dpor,
) -> Result<Outcome, EngineError> {
    let mut places = [FxHashSet::default(), FxHashSet::default()];
    let mut contested = FxHashSet::default();
    let mut buffer_bound = config.buffer_bound;
    // A `pthread_t` in a variable is part of a final state.
    let mut by_creator = !config.final_states;
    let started = Instant::now();
    let mut turns = Turns::asked(limits.unroll);
    let mut found = (Findings::new(config.property, limits.keep_going), engine.robustness.then(Cycles::default));
    loop {
        // A few words each time: an exploration starts over as often as there are such places, at most.
        let config = Config { contested: Some(Box::leak(Box::new(contested.clone()))), buffer_bound, ..config };
        let mut search = Search::new(program, config, limits, places, engine, started);
        search.machine.halt = progress.halt.clone();
        if by_creator {
            search.machine.number_by_creator();
        }
        search.turns = turns;
        search.remembers &= turns.bound().is_none();
        (search.findings, search.cycles) = found;
        match search.explore(progress)? {
            // Whatever was learned, there is no time for another round after a request to stop.
            End::StartOver if !search.is_halted() => {}
            End::Full if !search.is_halted() => buffer_bound *= RAISE,
            End::NumbersRanOut if !search.is_halted() => by_creator = false,
            End::TooLong if !search.is_halted() => turns = turns.raised(),
            End::Done if !search.is_halted() && search.is_to_go_on() => turns = turns.raised(),
            _ => {
                progress.has_stopped.store(true, Ordering::Relaxed);
                search.stopped = search.stopped.or(search.machine.halt.reason());
                return Ok(search.finish());
            }
        }
        contested.extend(search.execution.raced_copies());
        places = [search.waiting, search.varying];
        found = (search.findings.without_cuts(), search.cycles);
    }
}

impl Search<'_> {
    /// Whether a full buffer is a reason to start over with larger ones.
    pub(super) const fn may_raise_bound(&self) -> bool {
        let config = self.machine.config();
        config.bound_grows && config.buffer_bound > 0 && config.buffer_bound * RAISE <= LARGEST
    }
}
