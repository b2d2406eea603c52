//! The observers of a running step, and the announcements by which they learn of its operations.
//!
//! *An operation announces itself once*: by at most one call before it is made, and one call after it. The
//! call says what is done ("this thread acquires the lock", "this thread was created"), and not who wants to
//! know. It is a function here, which hands the operation on to all observers that it concerns. No function
//! that only one observer is told by can be seen outside of this room.
//!
//! | announcements | operations |
//! |---|---|
//! | `accesses.rs` | loads, stores, atomics, uses of memory by modelled functions |
//! | `copies.rs` | the pieces of a copy |
//! | `steps.rs` | the step as a whole, its operations, fences, stores whose arrival is decided |
//! | `calls.rs` | calls of modelled functions, output, inputs |
//! | `synchronisation.rs` | locks, barriers, atomic sections |
//! | `parking.rs` | threads that park and are woken |
//! | `threads.rs` | threads that are created, end, are joined, give back their number |
//! | `lifetimes.rs` | memory that comes into being, dies, is allocated and freed |
//!
//! | observers | |
//! |---|---|
//! | `footprint.rs`, `commuting.rs` | what the step touches, for the stateless engine |
//! | `races/` | data races, with `--races` |
//! | `guard_checks.rs`, `guards.rs` | whether memory is used as its guards claim |
//! | `sharing.rs` | which objects other threads may know |
//! | `watching.rs` | operations that tell threads apart, for symmetry reduction |
//! | `recorder.rs`, `events.rs`, `names.rs`, `history.rs` | events in words for a report, with names and related places |
//! | `linearise.rs` | one execution from these events |
//! | `read_log.rs`, `vector_queries.rs` | what a step reads of the state before it |
//!
//! Observers may also be asked: `commuting`, `exchanges`, `is_guarded`, `fences_unseen` and `unlocks_unseen`
//! decide how an operation is made.

mod accesses;
mod calls;
pub(super) mod commuting;
mod copies;
mod events;
pub(super) mod footprint;
mod guard_checks;
pub mod guards;
mod history;
mod lifetimes;
mod linearise;
mod names;
mod parking;
mod races;
mod read_log;
mod recorder;
mod sharing;
mod steps;
mod synchronisation;
mod threads;
pub(super) mod vector_queries;
mod watching;

use std::cell::{Cell, RefCell};

use self::guard_checks::GuardMonitor;
use self::races::Races;
use self::recorder::Recorder;
use rmc_runtime::Access;

use crate::system::config::Config;
use crate::system::inputs::InputTrace;

pub(super) use accesses::{CombiningUpdate, StorePath};
pub(super) use races::records::Side;

/// The observers of running steps, with what they have recorded.
#[derive(Debug, Default)]
pub(super) struct Observers {
    /// Records events for a report, if one is wanted.
    recorder: Option<Box<Recorder>>,
    /// The program's output so far, if it is to be kept.
    output: Option<Vec<u8>>,
    /// The accesses that may still race, with `--races`.
    races: Option<Box<Races>>,
    /// The check that memory is used as its guards claim: see `guards.rs`.
    guards: RefCell<GuardMonitor>,
    /// True while uses of memory are recorded, from which guards are then guessed.
    guesses: bool,
    /// Follows the inputs of an execution, if their values are looked for.
    pub(super) inputs: Option<Box<InputTrace>>,
    /// The bytes that the running step was about to load from memory that is gone.
    missed_load: Cell<Option<Access>>,
    /// True if lost memory is looked for when the process ends, false if after every step.
    pub(super) leaks_at_end: bool,
}

/// A recorder that is set aside while steps are tried that it must not see.
#[derive(Debug)]
#[must_use = "the recorder is put back"]
pub(super) struct PausedRecorder(Option<Box<Recorder>>);

impl Observers {
    /// The observers that these options need in every step.
    pub(super) fn new(config: &Config) -> Self {
        Self { races: config.races.then(Box::default), ..Self::default() }
    }

    /// Sets the recorder aside.
    pub(super) fn pause_recorder(&mut self) -> PausedRecorder {
        PausedRecorder(self.recorder.take())
    }

    /// Puts the recorder back.
    pub(super) fn continue_recorder(&mut self, PausedRecorder(recorder): PausedRecorder) {
        self.recorder = recorder;
    }
}
