//! Copies and fills of a known number of bytes, or of one of few.
//!
//! They are done in pieces of 8, 4, 2 and 1 bytes, lowest first. Where other threads may access the memory,
//! the machine has more orders and other pieces, and what depends on that is not found.

use super::events::{Action, Logged};
use super::{Path, Stop, Unroller};
use crate::engine::symbolic::word::Word;
use crate::ir::ids::{Operand, SiteId};
use crate::ir::instr::{Bounds, CopySite, FillSite};

/// The most bytes of a copy, and the most lengths that one may have.
const MOST_BYTES: u64 = 1 << 16;
const MOST_LENGTHS: usize = 16;

impl Unroller<'_> {
    pub(super) fn copy(&mut self, path: &mut Path, site: SiteId) -> Result<(), Stop> {
        let (function, _) = self.place();
        let copy = self.program.function(function).copies[site.index()];
        if copy.lanes.is_some() {
            return self.refuse("a masked copy");
        }
        self.with_length(path, copy.len, |unroller, path, len| unroller.copy_bytes(path, copy, len))
    }

    fn copy_bytes(&mut self, path: &mut Path, copy: CopySite, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let (to, from) = (self.defined_address(path, copy.to)?, self.defined_address(path, copy.from)?);
        let first = self.begin_pieces(path, copy.to_local && copy.from_local);
        let mut words = Vec::new();
        for (at, piece) in pieces(len) {
            let place = self.formulas.offset(from, Word::number(at), 64, 1, Bounds::None);
            let word = self.load_piece(path, place, piece, copy.from_local)?;
            if first.is_some() || self.is_as_one(word) {
                words.push((at, piece, word));
                continue;
            }
            // A word does not know which of its bytes are uninitialised.
            for at in at..at + u64::from(piece) {
                let place = self.formulas.offset(from, Word::number(at), 64, 1, Bounds::None);
                words.push((at, 1, self.load_piece(path, place, 1, copy.from_local)?));
            }
        }
        for (at, piece, word) in words {
            let to = self.formulas.offset(to, Word::number(at), 64, 1, Bounds::None);
            self.store_piece(path, to, piece, word, copy.to_local)?;
        }
        self.log_pieces(path, first);
        Ok(())
    }

    pub(super) fn fill(&mut self, path: &mut Path, site: SiteId) -> Result<(), Stop> {
        let (function, _) = self.place();
        let fill = self.program.function(function).fills[site.index()];
        self.with_length(path, fill.len, |unroller, path, len| unroller.fill_bytes(path, fill, len))
    }

    fn fill_bytes(&mut self, path: &mut Path, fill: FillSite, len: u64) -> Result<(), Stop> {
        if len == 0 {
            return Ok(());
        }
        let (to, byte) = (self.defined_address(path, fill.to)?, self.word(path, fill.byte));
        let first = self.begin_pieces(path, fill.to_local);
        let byte = self.formulas.byte(byte, 0);
        for (at, piece) in pieces(len) {
            let to = self.formulas.offset(to, Word::number(at), 64, 1, Bounds::None);
            let word = self.formulas.join(&vec![byte; piece as usize]);
            self.store_piece(path, to, piece, word, fill.to_local)?;
        }
        self.log_pieces(path, first);
        Ok(())
    }

    /// True if the bytes of a word are known, or none of them is uninitialised.
    fn is_as_one(&mut self, word: Word) -> bool {
        let open = self.formulas.open(word);
        matches!(word, Word::Known(_)) || self.formulas.is_false(open)
    }

    /// Begins pieces that are events, unless all are local. The result is the number of the first one.
    pub(super) fn begin_pieces(&mut self, path: &Path, is_local: bool) -> Option<usize> {
        if is_local || self.beginning.is_going_on {
            self.log_silently(path);
            return None;
        }
        self.is_coarse = true;
        Some(self.threads[self.thread].events.len())
    }

    pub(super) fn log_pieces(&mut self, path: &Path, first: Option<usize>) {
        let place = self.place();
        if let Some(first) = first {
            let events = first..self.threads[self.thread].events.len();
            if !events.is_empty() {
                self.log(path, place, Logged::Copy { events });
            }
        }
    }

    fn load_piece(&mut self, path: &mut Path, from: Word, len: u32, is_local: bool) -> Result<Word, Stop> {
        if is_local { self.load_directly(path, from, len) } else { self.load_unlogged(path, from, len) }
    }

    fn store_piece(&mut self, path: &mut Path, to: Word, len: u32, word: Word, is_local: bool) -> Result<(), Stop> {
        if is_local || self.beginning.is_going_on {
            return self.store_directly(path, to, len, word);
        }
        self.objects.publish(&self.formulas.points(word));
        let place = self.place();
        self.unlogged_event(path, Action::Store { address: to, len, value: word, before: None }, place).map(drop)
    }

    /// Does something with so many bytes, on a path of its own for each number that is possible.
    fn with_length(
        &mut self,
        path: &mut Path,
        len: Operand,
        mut with: impl FnMut(&mut Self, &mut Path, u64) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let word = self.word(path, len);
        if let Word::Known(len) = word
            && len.is_defined()
            && len.bits <= MOST_BYTES
        {
            return with(self, path, len.bits);
        }
        self.demand_defined(path, word)?;
        let values = self.formulas.values_under(path.guard, word).filter(|values| values.len() <= MOST_LENGTHS);
        let Some(values) = values.filter(|values| values.iter().all(|len| len <= MOST_BYTES)) else {
            return self.refuse("a copy of a number of bytes that is not known, or great");
        };
        let mut ends = Vec::with_capacity(values.len());
        for len in values.iter() {
            let mut own = path.clone();
            let is_it = self.formulas.is_value(word, len);
            match self.assume(&mut own, is_it).and_then(|()| with(self, &mut own, len)) {
                Ok(()) => ends.push((own, Word::ZERO)),
                Err(Stop::Dead) => {}
                Err(stop) => return Err(stop),
            }
        }
        (*path, _) = self.meet(ends)?;
        Ok(())
    }
}

/// The pieces of so many bytes: where they begin, and their lengths.
fn pieces(len: u64) -> Vec<(u64, u32)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < len {
        let piece = [8, 4, 2, 1].into_iter().find(|&piece| at + u64::from(piece) <= len).expect("a byte fits");
        pieces.push((at, piece));
        at += u64::from(piece);
    }
    pieces
}
