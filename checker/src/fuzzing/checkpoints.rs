//! Fuzz target: checkpoints, behind their digest.
//!
//! A damaged file is refused by its digest before anything else is read, so this target computes the digest
//! of its input itself. The promise is that the parts are read or refused without a panic. Their content is
//! trusted: whoever can compute the digest could as well write that nothing was found.

use std::time::Duration;

use crate::engine::explicit::{self, Explicit, Saving, Storage};
use crate::engine::{Engine as _, Limits, Progress};
use crate::store::Identity;

use super::programs;

/// Reads bytes as the part of a checkpoint between its beginning and its digest.
pub fn checkpoint(bytes: &[u8]) {
    let _ = explicit::read_checkpoint(bytes);
}

/// Checkpoints of searches of the program before their last level, without magic number and digest.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    let searches = [(1, Identity::Exact), (2, Identity::Hashed)];
    searches.map(|(jobs, identity)| saved(jobs, identity)).into()
}

fn saved(jobs: usize, identity: Identity) -> Vec<u8> {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("checkpoint");
    let saving = Saving { path: path.clone(), interval: Duration::ZERO };
    let storage = Storage { identity, saving: Some(saving), ..Storage::default() };
    let limits = Limits { jobs, ..Limits::default() };
    let outcome = Explicit { storage }.run(programs::program(), programs::config(), &limits, &Progress::default());
    outcome.expect("a search");
    explicit::checkpoint_content(&std::fs::read(&path).expect("a checkpoint")).to_vec()
}
