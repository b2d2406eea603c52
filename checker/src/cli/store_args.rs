//! Options about where states are kept, and searches that are gone on with.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum};

use super::args::seconds;
use crate::engine::explicit::{Identity, Saving, Storage};

/// Options of the explicit engine's store.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("saved").args(["checkpoint", "resume"]).multiple(true))]
pub struct StoreArgs {
    /// How states are told apart: by their contents, or by 48 bits of a hash, which takes less memory where
    /// states have little in common. Then states may be missed, so `holds` is not claimed, and how likely
    /// that is at most is said
    #[arg(long, value_enum, value_name = "KIND", default_value_t = Kind::Exact)]
    store: Kind,

    /// Keep large tables in a new file of this name, so that more states fit than memory has room for;
    /// --max-memory then limits the rest. The file's name is gone at once, and its space when the run ends
    #[arg(long, value_name = "FILE")]
    store_file: Option<PathBuf>,

    /// Save the search to this file from time to time, and when a limit or Ctrl-C stops it, so that another
    /// run can go on with it (--resume)
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,

    /// Time between two checkpoints at least; the level of states under way is explored first
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds, requires = "saved")]
    checkpoint_interval: Duration,

    /// Go on with the search in this checkpoint, of the same program with the same options; saved to the same
    /// file again unless --checkpoint names another
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
}

/// How states are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Exact,
    Compact,
}

impl StoreArgs {
    /// How the explicit engine keeps its states.
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

    /// An option that is given, and is of no use to another engine.
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

    /// Where the search is saved if it is stopped.
    #[must_use]
    pub fn checkpoint(&self) -> Option<PathBuf> {
        self.storage().saving.map(|saving| saving.path)
    }
}
