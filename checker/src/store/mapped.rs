//! Parts of a scratch file as words of memory, and memory that is returned to the system: the only unsafe
//! code of the store.
//!
//! It is sound because the file has no name any more and its handle does not leave [`super::space`], so
//! nobody else writes or shortens it. Its space was allocated by the system before, so that every page
//! exists. Each part is handed out once, to one owner, who sees it either as plain words or as atomic ones.
//! Mappings begin at a page, so words are aligned.

#![allow(unsafe_code)]

use std::io;
use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use memmap2::{Advice, MmapMut, MmapOptions, MmapRaw, UncheckedAdvice};

use super::space::{Scratch, Use};

/// A part of the file that is not mapped yet.
pub struct Region {
    part: MappedRange,
    usage: Use,
}

/// A part of the file; dropping it returns its space.
struct MappedRange {
    scratch: Arc<Scratch>,
    from: u64,
    bytes: usize,
}

impl Drop for MappedRange {
    fn drop(&mut self) {
        self.scratch.give_back(self.from, self.bytes as u64);
    }
}

/// Words with one owner. The mapping is dropped before its part of the file.
pub struct Words {
    map: MmapMut,
    _part: MappedRange,
}

/// Words that many threads may read and write.
pub struct AtomicWords {
    map: MmapRaw,
    _part: MappedRange,
}

impl Region {
    pub(super) fn new(scratch: &Arc<Scratch>, from: u64, bytes: usize, usage: Use) -> Self {
        Self { part: MappedRange { scratch: Arc::clone(scratch), from, bytes }, usage }
    }

    fn options(&self) -> MmapOptions {
        let mut options = MmapOptions::new();
        options.offset(self.part.from).len(self.part.bytes);
        options
    }

    const fn advice(&self) -> Advice {
        match self.usage {
            Use::AtRandom => Advice::Random,
            Use::InOrder => Advice::Sequential,
        }
    }

    /// Maps the part as words with one owner.
    ///
    /// # Errors
    /// If the system refuses the mapping.
    pub fn words(self) -> io::Result<Words> {
        // SAFETY: nobody else writes or shortens this part of the file (see above).
        let map = unsafe { self.options().map_mut(&self.part.scratch.file) }?;
        // The system may refuse the advice, which costs only time.
        let _ = map.advise(self.advice());
        Ok(Words { map, _part: self.part })
    }

    /// Maps the part as words for many threads.
    ///
    /// # Errors
    /// If the system refuses the mapping.
    pub fn atomic_words(self) -> io::Result<AtomicWords> {
        let map = self.options().map_raw(&self.part.scratch.file)?;
        let _ = map.advise(self.advice());
        Ok(AtomicWords { map, _part: self.part })
    }
}

/// Returns a part of anonymous memory to the system: its content is zero afterwards, or unchanged if the
/// system refuses.
pub fn give_back(map: &mut MmapMut, bytes: Range<usize>) {
    // SAFETY: nobody else sees the mapping now, and zeros are as good as any bytes.
    let _ = unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, bytes.start, bytes.len()) };
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        bytemuck::cast_slice(&self.map)
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        bytemuck::cast_slice_mut(&mut self.map)
    }
}

impl Deref for AtomicWords {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        let words = self.map.len() / size_of::<AtomicU64>();
        // SAFETY: the mapping is as long, aligned to a page, lives as long as `self`, and is only ever seen
        // as atomic words; every content is one of theirs.
        unsafe { std::slice::from_raw_parts(self.map.as_mut_ptr().cast_const().cast(), words) }
    }
}
