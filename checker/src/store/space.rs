//! The space for large arrays: memory, or a file that may be larger than memory.
//!
//! The file is scratch space. Its name is removed as soon as it is made, so nothing is left of it however the
//! run ends. Space in it is allocated by the system before it is used, so that only this module has to handle
//! a full disk: the array is then in memory, and the failure is recorded ([`Space::failure`]). Unused space
//! is returned to the system.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use rustix::fs::{FallocateFlags, fallocate};

use super::mapped::{self, AtomicWords, Region};

/// Arrays of at least this many bytes are put into the file.
const LARGE: usize = 1 << 12;

/// Memory, or a file.
#[derive(Clone, Default)]
pub struct Space {
    file: Option<Arc<Scratch>>,
}

/// The file.
pub(super) struct Scratch {
    pub(super) file: File,
    end: Mutex<u64>,
    used: AtomicU64,
    failure: OnceLock<String>,
}

/// The access pattern of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Random access.
    AtRandom,
    /// Sequential access.
    InOrder,
}

impl Space {
    /// Space in a new file of this name.
    ///
    /// # Errors
    /// If there is such a file, or it cannot be made.
    pub fn in_file(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        std::fs::remove_file(path)?;
        let scratch = Scratch { file, end: Mutex::new(0), used: AtomicU64::new(0), failure: OnceLock::new() };
        Ok(Self { file: Some(Arc::new(scratch)) })
    }

    /// Bytes in the file, if there is one.
    #[must_use]
    pub fn bytes_in_file(&self) -> Option<u64> {
        self.file.as_ref().map(|scratch| scratch.used.load(Ordering::Relaxed))
    }

    /// The reason for which the file did not grow, if that failed.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.file.as_ref()?.failure.get().map(String::as_str)
    }

    /// Words of the file, all zero. `None` if there is no file, if they are few, or if the file cannot grow.
    pub(super) fn words(&self, len: usize, usage: Use) -> Option<mapped::Words> {
        self.region(len, usage, Region::words)
    }

    /// Atomic words of the file, under the same conditions as [`Self::words`].
    pub(super) fn atomic_words(&self, len: usize, usage: Use) -> Option<AtomicWords> {
        self.region(len, usage, Region::atomic_words)
    }

    fn region<W>(&self, len: usize, usage: Use, map: fn(Region) -> io::Result<W>) -> Option<W> {
        let bytes = len * size_of::<u64>();
        let scratch = self.file.as_ref().filter(|_| bytes >= LARGE)?;
        let region = scratch.grow(bytes as u64).map(|from| Region::new(scratch, from, bytes, usage));
        region.and_then(map).inspect_err(|error| drop(scratch.failure.set(error.to_string()))).ok()
    }
}

impl Scratch {
    /// Appends `bytes` bytes to the file, allocated by the system, and returns their position.
    fn grow(&self, bytes: u64) -> io::Result<u64> {
        let mut end = self.end.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let from = *end;
        fallocate(&self.file, FallocateFlags::empty(), from, bytes)?;
        *end += bytes;
        self.used.fetch_add(bytes, Ordering::Relaxed);
        Ok(from)
    }

    /// Returns a part to the system.
    pub(super) fn give_back(&self, from: u64, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
        // If the file system cannot do that, the part is lost until the run ends.
        let _ = fallocate(&self.file, FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE, from, bytes);
    }
}
