//! Options about the storage of states, and about resuming searches.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum};

use super::args::seconds;
use crate::engine::explicit::{Identity, Saving, Storage};

/// Options of the explicit engine's store.
#[derive(Clone, Debug, Args)]
#[command(group = ArgGroup::new("saved").args(["checkpoint", "resume"]).multiple(true))]
pub struct StoreArgs {
    /// Compare states by their contents, or by a hash, which may take less memory
    ///
    /// compact saves memory where states have little in common. It may miss states, so `holds` is not
    /// claimed; the report gives a bound on the probability that it did.
    #[arg(long, value_enum, value_name = "KIND", default_value_t = Kind::Exact)]
    store: Kind,

    /// Keep large tables in a new file of this name, for searches larger than memory
    ///
    /// --max-memory then limits the rest. The file's name is gone at once, and its space when the run ends.
    #[arg(long, value_name = "FILE")]
    store_file: Option<PathBuf>,

    /// Save the search to this file, so that --resume can continue it
    ///
    /// It is saved from time to time (--checkpoint-interval), and when a limit or Ctrl-C stops the search. A
    /// run that is killed loses what came after the last checkpoint.
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Wait at least this many seconds between two checkpoints
    ///
    /// A checkpoint is made when all states at the current distance from the start are explored, so it may
    /// come later.
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds, requires = "saved")]
    checkpoint_interval: Duration,

    /// Continue the search in this checkpoint, of the same program with the same options
    ///
    /// Limits may differ. The search is saved to the same file again unless --checkpoint names another.
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// The way in which states are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// By their contents
    Exact,
    /// By 48 bits of a hash; states may be missed
    Compact,
}

impl StoreArgs {
    /// The configuration of the explicit engine's store.
    #[must_use]
    pub fn storage(&self) -> Storage {
        let saving = |path: &PathBuf| Saving { path: path.clone(), interval: self.checkpoint_interval };
        Storage {
            identity: match self.store {
                Kind::Exact => Identity::Exact,
                Kind::Compact => Identity::Hashed,
            },
            file: self.store_file.clone(),
            saving: self.checkpoint.as_ref().or(self.resume.as_ref()).map(saving),
            resume: self.resume.clone(),
        }
    }

    /// An option that was given and that only the explicit engine supports, if any.
    #[must_use]
    pub const fn given(&self) -> Option<&'static str> {
        match self {
            Self { store: Kind::Compact, .. } => Some("--store"),
            Self { store_file: Some(_), .. } => Some("--store-file"),
            Self { checkpoint: Some(_), .. } => Some("--checkpoint"),
            Self { resume: Some(_), .. } => Some("--resume"),
            _ => None,
        }
    }

    /// The file to which the search is saved if it is stopped.
    #[must_use]
    pub fn checkpoint(&self) -> Option<PathBuf> {
        self.storage().saving.map(|saving| saving.path)
    }
}
