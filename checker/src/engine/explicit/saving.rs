//! Saving a search and resuming it: the parts of a checkpoint, and the workers that write and read them.

use std::io;
use std::path::Path;
use std::sync::Mutex;

use super::checkpoint::{self, CheckpointWriter, Identification, Saving, Shared, WorkerSnapshot};
use super::shared::{BetweenLevels, SharedSearch};
use super::subsumption::OpenStates;
use super::worker::Worker;
use crate::engine::EngineError;
use crate::engine::explicit::parallel::lock;
use crate::store::{Interner, Reader, StateStore, States};
use crate::system::observe::guards;

/// Reads the rest of a checkpoint after its shared part: the tables, and the part of each worker.
///
/// # Errors
/// Errors of the file, and [`io::ErrorKind::InvalidData`] if the parts do not fit together.
pub(super) fn load_parts(
    input: &mut Reader,
    components: &mut Interner,
    store: &StateStore,
    workers: usize,
) -> io::Result<Vec<(WorkerSnapshot, States, OpenStates)>> {
    components.load(input)?;
    store.load(input)?;
    let part = |number| {
        let own = checkpoint::get(input)?;
        let mut states = States::new(store, number);
        states.load(input)?;
        Ok((own, states, OpenStates::load(input, components)?))
    };
    (0..workers).map(part).collect()
}

impl SharedSearch<'_> {
    /// Continues the search of a checkpoint.
    ///
    /// # Errors
    /// The checkpoint cannot be used.
    pub fn resume(&mut self, path: &Path) -> Result<(), EngineError> {
        let (mut input, shared) = checkpoint::open(path, &self.identification())?;
        let failed = |error| checkpoint::unreadable(path, &error);
        let workers = self.workers();
        let parts = load_parts(&mut input, &mut self.components, &self.store, workers).map_err(failed)?;
        self.resumed = parts.into_iter().map(|part| Mutex::new(Some(part))).collect();
        self.earlier = shared.seconds;
        self.config.guards = guards::keep(shared.guards);
        (self.config.buffer_bound, self.config.ends_when_full) = (shared.buffer_bound, shared.ends_when_full);
        let mut found = lock(&self.found);
        (found.before, found.search_progress) = (shared.search_progress.clone(), shared.search_progress);
        (found.timeline, found.violations, found.findings.seen) = (shared.timeline, shared.violations, shared.seen);
        Ok(())
    }

    /// The identity of this search.
    fn identification(&self) -> Identification {
        let Self { program, config, limits, storage, .. } = self;
        Identification::new(program, config, limits.keep_going, self.workers(), storage.identity)
    }

    /// The shared part of a checkpoint.
    fn shared(&self) -> Shared {
        let of = self.identification();
        let found = lock(&self.found);
        Shared {
            of,
            seconds: self.seconds(),
            search_progress: found.before.clone(),
            timeline: found.timeline.clone(),
            seen: found.findings.seen.clone(),
            violations: found.violations.clone(),
            guards: self.config.guards.clone(),
            buffer_bound: self.config.buffer_bound,
            ends_when_full: self.config.ends_when_full,
        }
    }
}

impl Worker<'_, '_> {
    /// Continues this worker's part of a search.
    pub fn resume(&mut self, own: WorkerSnapshot, states: States, mut open: OpenStates) {
        self.states = states;
        self.open.iter_mut().for_each(|of_worker| **of_worker = std::mem::take(&mut open));
        (self.statistics, self.meter) = (own.statistics, own.meter);
        self.meter.lines = self.shared.limits.count_lines.then(|| self.meter.lines.take().unwrap_or_default());
        self.final_states.extend(own.final_states);
        (self.branched, self.level.start) = (own.branched, own.level);
        (self.machine.tally.bound_was_hit, self.machine.tally.left_out) = (own.bound_was_hit, own.left_out);
        self.machine.tally.reached.add_list(&own.reached);
    }

    /// Does the work that is due between two levels.
    pub fn work_between_levels(&mut self) {
        let BetweenLevels { move_trees, save } = lock(&self.shared.found).between_levels;
        if move_trees {
            self.states.retire(self.first_needed());
            self.states.move_trees();
            self.shared.barrier.wait(|| 0, || ());
            self.shared.trees_moved();
        }
        if save {
            self.save();
        }
    }

    /// Saves the search as it was before this level. Each worker writes its part when it is its turn.
    pub fn save(&mut self) {
        for turn in 0..self.shared.workers() {
            if turn == self.number() {
                self.write_part();
            }
            self.shared.barrier.wait(|| 0, || ());
        }
    }

    fn write_part(&mut self) {
        let shared = self.shared;
        let Some(Saving { path, .. }) = &shared.storage.saving else { return };
        let mut writer = lock(&shared.writer);
        if let Err(error) = self.write_to(&mut writer, path) {
            *writer = None;
            shared.fail(EngineError::Checkpoint { path: path.display().to_string(), error });
        }
    }

    /// Writes this worker's part. The first worker writes the shared part before that. The last worker
    /// replaces the old file by the new one.
    fn write_to(&mut self, writer: &mut Option<CheckpointWriter>, path: &Path) -> io::Result<()> {
        let shared = self.shared;
        if self.number() == 0 {
            let out = &mut writer.insert(CheckpointWriter::new(path)?).out;
            checkpoint::put(out, &shared.shared())?;
            shared.components.save(out)?;
            shared.store.save(out)?;
        }
        // There is no writer any more if another worker failed to write.
        let Some(CheckpointWriter { out, .. }) = writer else { return Ok(()) };
        checkpoint::put(out, &self.own())?;
        self.states.save(self.level.end, out)?;
        self.open.as_deref().unwrap_or(&OpenStates::default()).save(out)?;
        let is_last = self.number() + 1 == shared.workers();
        writer.take_if(|_| is_last).map_or(Ok(()), CheckpointWriter::publish)
    }

    fn own(&self) -> WorkerSnapshot {
        let (statistics, meter) = self.before.clone().unwrap_or_default();
        WorkerSnapshot {
            statistics,
            meter,
            final_states: self.final_states.iter().cloned().collect(),
            branched: self.branched,
            level: self.level.start,
            bound_was_hit: self.machine.tally.bound_was_hit.clone(),
            left_out: self.machine.tally.left_out.clone(),
            reached: self.machine.tally.reached.to_list(),
        }
    }
}
