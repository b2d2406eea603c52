//! Checkpoints: a file with the state of a search between two levels, with which another run can continue it.
//!
//! ```text
//! magic                     which kind of file, which layout
//! about                     JSON: the program, the options, and what was found so far
//! components, trees         shared by the workers
//! for each worker           JSON: its counters; its states; conditions on inputs
//! digest                    of all but the magic
//! ```
//!
//! Between two levels all workers wait and no message is on its way, so nothing else is needed. A search that
//! is stopped within a level is saved as it was before that level, and explores the level again. The file is
//! written beside the old one and replaces it when it is complete and on the disk.

use std::fs::File;
#[cfg(any(test, feature = "fuzzing"))]
use std::io::Seek as _;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

#[cfg(any(test, feature = "fuzzing"))]
use super::saving::load_parts;
use super::shared::{PendingViolation, SearchProgress};
use crate::draft;
use crate::engine::EngineError;
use crate::engine::findings::SideFindings;
use crate::engine::measures::{Meter, Timeline};
use crate::ir::Program;
use crate::outcome::{FinalState, Place, Statistics, Unknown};
use crate::store::{Identity, Reader, Writer, damaged};
#[cfg(any(test, feature = "fuzzing"))]
use crate::store::{Interner, Space, StateStore};
use crate::system::observe::guards::{self, Guards};
use crate::system::{Config, Reduction};

/// The first bytes of a checkpoint. The number changes with the layout.
const MAGIC: &[u8; 24] = b"rmc-check checkpoint  6\n";

/// The place and interval of the checkpoints of a search.
#[derive(Clone, Debug)]
pub struct Saving {
    /// The file.
    pub path: PathBuf,
    /// The minimal time between two checkpoints. The level under way is always explored to its end.
    pub interval: Duration,
}

/// The identity of a search. A checkpoint of a search with another identity cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identification {
    version: String,
    /// A digest of the program as it was read.
    program: String,
    /// The options that decide which states there are, a line each.
    options: String,
    /// True if memory that is local to a thread is detected.
    private: bool,
    symmetry: bool,
    /// True if an atomic section waits for the end of a thread.
    sees_ends: bool,
    workers: usize,
    identity: Identity,
}

/// The part of a checkpoint that the workers share.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Shared {
    pub of: Identification,
    pub seconds: f64,
    pub search_progress: SearchProgress,
    pub timeline: Timeline,
    pub seen: SideFindings,
    pub violations: Vec<PendingViolation>,
    pub guards: Guards,
    pub buffer_bound: usize,
    pub ends_when_full: bool,
}

/// The counters and findings of a worker.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct WorkerSnapshot {
    pub statistics: Statistics,
    pub meter: Meter,
    pub final_states: Vec<FinalState>,
    pub branched: bool,
    pub level: usize,
    pub bound_was_hit: Option<Place>,
    pub left_out: Option<(Unknown, Place)>,
    /// The code that the worker executed: see [`crate::interp::Reached`].
    pub reached: Vec<usize>,
}

impl Identification {
    pub fn new(program: &Program, config: &Config, keep_going: bool, workers: usize, identity: Identity) -> Self {
        let digest = Sha256::digest(format!("{program:?}"));
        // Guards are inferred and no option. A bound that was not given is none either.
        let buffer_bound = if config.bound_grows { Config::BUFFER_BOUND } else { config.buffer_bound };
        let config = &Config { guards: guards::none(), buffer_bound, ends_when_full: false, ..*config };
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            program: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
            options: format!("{config:#?}\nkeep_going: {keep_going}"),
            private: config.reduces(Reduction::Private),
            symmetry: config.reduces(Reduction::Symmetry),
            sees_ends: config.sees_ends,
            workers,
            identity,
        }
    }

    /// The reason why a checkpoint of `self` cannot be used for a search of `other`, if there is one.
    fn differs(&self, other: &Self) -> Option<String> {
        if self.version != other.version {
            Some(format!("it is of version {}, and this is {}", self.version, other.version))
        } else if self.program != other.program {
            Some("it is of another program, or one that was compiled otherwise".to_owned())
        } else if self.options != other.options {
            let mut lines = self.options.lines().zip(other.options.lines());
            let (then, now) = lines.find(|(then, now)| then != now).unwrap_or_default();
            Some(format!("it is of a search with other options: `{}`, and now `{}`", then.trim(), now.trim()))
        } else if self.workers != other.workers {
            Some(format!("it is of a search with --jobs {}", self.workers))
        } else if self.identity != other.identity {
            Some("it is of a search with another --store".to_owned())
        } else {
            None
        }
    }
}

/// A checkpoint that is being written.
pub(super) struct CheckpointWriter {
    pub out: Writer,
    file: draft::Draft,
}

impl CheckpointWriter {
    /// Creates a new file that will replace the one of this name.
    pub fn new(path: &Path) -> io::Result<Self> {
        let mut file = draft::Draft::new(path)?;
        file.file().write_all(MAGIC)?;
        Ok(Self { out: Writer::new(file.file().try_clone()?), file })
    }

    /// Replaces the old file by the complete new one.
    pub fn publish(self) -> io::Result<()> {
        self.out.finish()?;
        self.file.publish()
    }
}

/// Checks before a search begins that checkpoints can be written, and that they do not replace any other kind
/// of file.
///
/// # Errors
/// [`EngineError::Checkpoint`].
pub(super) fn prepare(path: &Path) -> Result<(), EngineError> {
    let failed = |error| EngineError::Checkpoint { path: path.display().to_string(), error };
    // Opening a pipe would wait for its other end.
    let is_special = path.metadata().is_ok_and(|metadata| !metadata.is_file());
    match File::open(if is_special { Path::new("/dev/null") } else { path }).map(|mut file| has_magic(&mut file)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
        Ok(true) => {}
        Ok(false) => return Err(failed(io::Error::other("there is another file of this name"))),
    }
    CheckpointWriter::new(path).map(drop).map_err(failed)
}

/// Opens a checkpoint, and reads its shared part.
///
/// # Errors
/// [`EngineError::Resume`] if it is damaged or of another search than this one;
/// [`EngineError::CheckpointWithoutPrivate`], [`EngineError::CheckpointWithoutSymmetry`],
/// [`EngineError::CheckpointWithEnds`].
pub(super) fn open(path: &Path, of: &Identification) -> Result<(Reader, Shared), EngineError> {
    let refused = |why| EngineError::Resume { path: path.display().to_string(), why };
    let failed = |error: io::Error| refused(error.to_string());
    let mut file = File::open(path).map_err(failed)?;
    if !has_magic(&mut file) {
        return Err(refused("it is no checkpoint of rmc-check, or one of another version".to_owned()));
    }
    let mut reader = Reader::new(file).map_err(failed)?;
    let shared: Shared = get(&mut reader).map_err(failed)?;
    if of.private && !shared.of.private {
        return Err(EngineError::CheckpointWithoutPrivate);
    }
    if of.symmetry && !shared.of.symmetry {
        return Err(EngineError::CheckpointWithoutSymmetry);
    }
    if shared.of.sees_ends && !of.sees_ends {
        return Err(EngineError::CheckpointWithEnds);
    }
    match shared.of.differs(of) {
        Some(why) => Err(refused(why)),
        None => Ok((reader, shared)),
    }
}

/// The content of a checkpoint between its magic and its digest.
///
/// # Panics
/// If the file is no checkpoint.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn checkpoint_content(file: &[u8]) -> &[u8] {
    let content = file.strip_prefix(MAGIC).expect("a checkpoint");
    &content[..content.len() - Sha256::output_size()]
}

/// Reads a checkpoint with this content, in the same way as a run that resumes its search.
///
/// # Errors
/// The content cannot be read.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn read_checkpoint(content: &[u8]) -> io::Result<()> {
    let mut file = tempfile::tempfile()?;
    file.write_all(content)?;
    file.write_all(&Sha256::digest(content))?;
    file.rewind()?;
    let mut reader = Reader::new(file)?;
    let Identification { workers, identity, .. } = get::<Shared>(&mut reader)?.of;
    // A run has few workers, and refuses a checkpoint with another number of them.
    let workers = workers.clamp(1, 4);
    let store = StateStore::new(workers, identity, &Space::default());
    load_parts(&mut reader, &mut Interner::default(), &store, workers).map(drop)
}

fn has_magic(file: &mut File) -> bool {
    let mut magic = [0; MAGIC.len()];
    file.read_exact(&mut magic).is_ok() && magic == *MAGIC
}

/// Writes something as JSON.
pub(super) fn put<T: Serialize>(out: &mut Writer, item: &T) -> io::Result<()> {
    let text = serde_json::to_vec(item)?;
    out.list(text.len(), text.into_iter())
}

/// Reads something from JSON.
pub(super) fn get<T: DeserializeOwned>(input: &mut Reader) -> io::Result<T> {
    let mut text = Vec::new();
    input.list(|byte: u8| text.push(byte))?;
    serde_json::from_slice(&text).map_err(|_| damaged())
}

/// A checkpoint that cannot be read to its end.
pub(super) fn unreadable(path: &Path, error: &io::Error) -> EngineError {
    EngineError::Resume { path: path.display().to_string(), why: error.to_string() }
}

/// A clock for the next checkpoint.
pub(super) struct Clock {
    interval: Duration,
    next: Instant,
}

impl Clock {
    pub fn new(interval: Duration) -> Self {
        Self { interval, next: Instant::now() + interval }
    }

    /// True if a checkpoint is due. The next one is then due an interval later.
    pub fn strikes(&mut self) -> bool {
        let strikes = Instant::now() >= self.next;
        if strikes {
            self.next = Instant::now() + self.interval;
        }
        strikes
    }
}
