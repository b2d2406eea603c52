//! The report of a step: everything that a step says of itself beside the state that it leads to.
//!
//! While a step runs, the machine fills in the report of that step (`Machine::report`); no other part of the
//! machine is a channel from steps to engines. [`Machine::step`](crate::system::Machine::step) returns the
//! finished report and leaves an empty one behind, so nothing of one step is found by whoever looks at a
//! later one. The lists of a report are empty without update events, and short with them, so that a step
//! allocates nothing for its report.

use rmc_runtime::PendingStore;
use smallvec::SmallVec;

use crate::ir::ids::{FuncId, Pc};
use crate::outcome::FinalState;
use crate::system::buffers::BufferedStore;
use crate::system::observe::footprint::FootprintEntry;
use crate::system::state::threads::ThreadSlots;
use crate::system::step::StepEnd;

/// The ranges that a step touched, in order: see `footprint.rs`.
pub type Footprint = SmallVec<[FootprintEntry; 8]>;

/// The report of one step.
#[derive(Debug, Default)]
pub struct StepReport {
    /// How the step ended.
    pub end: StepEnd,
    /// With update events, the ranges that the step touched of memory and things that other threads may know.
    pub footprint: Footprint,
    /// The thread's stores that the step dropped from its buffer, with the memory they were to, oldest first.
    pub dropped: Vec<BufferedStore>,
    /// Whether the step needed an empty store buffer of its thread.
    pub fenced: bool,
    /// Whether the step did something that other threads may notice, now or later: see `awaits.rs`.
    pub acted: bool,
    /// Whether the step looked at memory that another thread may change. A step that did, and left everything
    /// as it was, waits for such a change.
    pub looked: bool,
    /// Whether the step began in an atomic section, or ended in one.
    pub in_section: bool,
    /// The copy of which the step loaded a piece in the usual order, though it need not have been: see
    /// [`Config::contested`](crate::system::Config::contested).
    pub loaded_piece_of: Option<(FuncId, Pc)>,
    /// Whether the thread of a blocked step does not wait but loops, so that no deadlock is meant.
    pub loops_forever: bool,
    /// Whether the thread woke up for no reason. It may stay asleep as well, so that is no way out of a
    /// deadlock.
    pub woke_by_chance: bool,
    /// The final state, if the step ended the process and final states are wanted. With update events engines
    /// ask for it ([`Machine::observe_final_state`](crate::system::Machine::observe_final_state)).
    pub final_state: Option<FinalState>,
    /// Delayed stores of other threads that the end of the process made pointless.
    pub(in crate::system) lost_stores: Vec<PendingStore>,
    /// The frames of the thread before it ended in the step, with `--leaks`: what its end lost is reported
    /// there.
    pub(in crate::system) ended_at: Option<ThreadSlots>,
}
