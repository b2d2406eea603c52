//! The report of a step: all facts about a step other than the state to which it leads.
//!
//! While a step runs, the machine fills in its report (`Machine::report`). No other part of the machine is a
//! channel from steps to engines. [`Machine::step`](crate::system::Machine::step) returns the finished report
//! and leaves an empty one, so no fact of one step is found in a later one. The lists of a report are empty
//! without update events, and short with them, so a step allocates nothing for its report.

use rmc_runtime::PendingStore;
use smallvec::SmallVec;

use crate::ir::ids::{FuncId, Pc};
use crate::outcome::FinalState;
use crate::system::buffers::BufferedStore;
use crate::system::observe::footprint::FootprintEntry;
use crate::system::state::threads::ThreadSlots;
use crate::system::step::StepEnd;

/// The ranges that a step touched, in order: see `footprint.rs`.
pub type StepFootprint = SmallVec<[FootprintEntry; 8]>;

/// The report of one step.
#[derive(Debug, Default)]
pub struct StepReport {
    /// The end of the step.
    pub end: StepEnd,
    /// With update events, the ranges of memory, and the other things, that the step touched and that other
    /// threads may know.
    pub footprint: StepFootprint,
    /// The thread's stores that the step dropped from its buffer together with their memory, oldest first.
    pub dropped: Vec<BufferedStore>,
    /// True if the step needed an empty store buffer of its thread.
    pub fenced: bool,
    /// True if the step did something that other threads may notice, now or later: see `awaits.rs`.
    pub acted: bool,
    /// True if it depends on the values of inputs whether the step acted: it stored a value that may be the
    /// one that memory had.
    pub may_have_acted: bool,
    /// True if the step stored to memory that other threads may know, other than by a read-modify-write.
    pub stored: bool,
    /// With update events, true if the step divided the values of inputs that are older than the step.
    pub narrowed: bool,
    /// True if the step looked at memory that another thread may change. A step that did, and left everything
    /// as it was, waits for such a change.
    pub looked: bool,
    /// The number of operations, and of parts of operations, that the step performed. Those before which no
    /// step may end are not counted.
    pub operations: u32,
    /// True if the step began in an atomic section, or ended in one.
    pub in_section: bool,
    /// True if an atomic section began in the step.
    pub begins_section: bool,
    /// The copy of which the step loaded a piece in the usual order, although another order is possible: see
    /// [`Config::contested`](crate::system::Config::contested).
    pub loaded_piece_of: Option<(FuncId, Pc)>,
    /// True if the step copied, in pieces without an order, memory that others may change to memory that they
    /// know. A store of such a copy may come after a later load of it, whatever the memory model.
    pub copies_unordered: bool,
    /// True if the thread of a blocked step does not wait but loops, so that this is no deadlock.
    pub loops_forever: bool,
    /// True if the thread had a spurious wakeup. It may stay asleep as well, so that is no way out of a
    /// deadlock.
    pub spurious_wakeup: bool,
    /// The final state, if the step ended the process and final states are wanted. With update events engines
    /// compute it by [`Machine::observe_final_state`](crate::system::Machine::observe_final_state).
    pub final_state: Option<FinalState>,
    /// The delayed stores of other threads that were lost with the process.
    pub(in crate::system) lost_stores: Vec<PendingStore>,
    /// The frames of the thread before it ended in the step, with `--leaks`. Objects that its end lost are
    /// reported there.
    pub(in crate::system) ended_at: Option<ThreadSlots>,
}
