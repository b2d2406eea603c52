//! `memcpy`, `memmove`, `memset` and plain accesses that are no aligned scalars, piece by piece ([`pieces`]).
//!
//! C does not define the order of these accesses; glibc and compilers go up, down, and in wide registers. So
//! the pieces of one copy are *unordered*: each is a load followed by a store, and nothing else orders them,
//! whatever the memory model. The stores are a group (`rmc_runtime::Buffers`, `buffers/updates.rs`): earlier
//! stores of the thread precede them, later ones follow them. Under SC, where nothing is buffered otherwise,
//! the group is buffered until the copy ends, and a fence ends it. Under PSO plain stores to different bytes
//! are unordered anyway.
//!
//! * [`window`]: unordered copies with delayed flushing: the source is loaded, and loaded again where
//!   others change it.
//! * [`group`]: unordered copies with update events: the pieces are loaded in an order that is a choice where
//!   it matters.
//! * [`overlap`]: copies between ranges that overlap.
//! * [`lanes`]: gathers and scatters, whose lanes are spans of one copy.
//! * [`spans`]: the ranges of a copy.
//! * This file: ordered copies. Pieces go one after the other where the order cannot be noticed, since no
//!   other thread is there or can know the memory, and where there is one piece.

mod group;
mod lanes;
mod overlap;
mod pieces;
mod spans;
mod window;

use rmc_runtime::{Bytes, MemoryOrder, Model};

use crate::ir::ids::{Operand, Reg, SiteId};
use crate::ir::instr::CopySite;
use crate::ir::value::Value;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::observe::footprint::PieceLoad;
use crate::system::state::memory::Content;
use crate::system::step::access::{Target, bytes, words};
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};
pub(in crate::system) use pieces::Pieces;
pub(in crate::system) use spans::Span;
use spans::{Copy, Piece};

/// Values of the register `progress` of an unordered copy. Ordered copies count bytes there, far below these
/// values.
const ENDING: u64 = u64::MAX;
const WINDOW_OPEN: u64 = u64::MAX - 1;
const GROUPED: u64 = 1 << 62;

/// The maximal number of pieces of an unordered copy, unless the bound on store buffers is larger. A larger
/// copy that others may notice is ordered, as if a store buffer were full: nothing is proved then.
const MOST_GROUPED_PIECES: usize = 1 << 17;

impl Machine<'_> {
    pub(super) fn copy(&mut self, turn: &mut VisibleSlot, site: SiteId) -> Performed {
        let function = self.program.function(self.running.stack.top().function);
        let site = &function.copies[site.index()];
        let [to, from, len] = self.range([site.to, site.from, site.len])?;
        if let Some(lanes) = site.lanes {
            let spans = self.spans_of_lanes(site, lanes, [to, from, len])?;
            return self.copy_spans(turn, site, &spans, false);
        }
        let overlaps = to.abs_diff(from) < len;
        // A structure may be assigned to itself, so equal addresses are no overlap.
        if !site.overlap && to != from && overlaps {
            self.target(from, len, false)?;
            self.target(to, len, true)?;
            let message = format!("`memcpy` of {len} bytes to a place {} bytes away", to.abs_diff(from));
            return self.fault(ViolationKind::InvalidArgument, message);
        }
        self.copy_spans(turn, site, &[Span { to, from, len }], overlaps)
    }

    /// Copies the spans. `overlaps` is true if source and target have bytes in common.
    fn copy_spans(&mut self, turn: &mut VisibleSlot, site: &CopySite, spans: &[Span], overlaps: bool) -> Performed {
        let copy = Copy { spans, to_local: site.to_local, from_local: site.from_local, progress: site.progress };
        if copy.len() == 0 {
            return Ok(Next::Advance);
        }
        for span in spans {
            self.target(span.from, span.len, false)?;
            self.target(span.to, span.len, true)?;
        }
        match self.register(copy.progress) {
            ENDING => return self.end_group(turn),
            WINDOW_OPEN if overlaps => return self.end_move(turn, &copy),
            WINDOW_OPEN => return self.reload(turn, &copy),
            done if done & GROUPED != 0 => return self.copy_group(turn, &copy),
            0 if copy.pieces().nth(1).is_some() && self.has_order(&copy)? => {
                return match () {
                    () if overlaps => self.begin_move(turn, &copy),
                    () if self.config.updates => self.copy_group(turn, &copy),
                    () => self.open_window(turn, &copy),
                };
            }
            _ => {}
        }
        let backward = site.overlap && overlaps && spans.iter().any(|span| span.to > span.from);
        self.copy_in_order(turn, &copy, site.piece, backward)
    }

    /// Copies spans without a common byte, as one unordered copy, on behalf of a library function. Its
    /// register `progress` is 0 before the first step.
    pub(in crate::system) fn copy_unordered(
        &mut self,
        turn: &mut VisibleSlot,
        spans: &[Span],
        progress: Reg,
    ) -> Performed {
        let copy = Copy { spans, to_local: false, from_local: false, progress };
        match self.register(progress) {
            ENDING => self.end_group(turn),
            WINDOW_OPEN => self.reload(turn, &copy),
            _ if self.config.updates => self.copy_group(turn, &copy),
            _ => self.open_window(turn, &copy),
        }
    }

    /// Copies one piece after the other. Progress is twice the bytes done, plus one if a piece was loaded but
    /// not stored yet.
    fn copy_in_order(&mut self, turn: &mut VisibleSlot, copy: &Copy, piece: Reg, backward: bool) -> Performed {
        let len = copy.len();
        loop {
            let progress = self.register(copy.progress);
            let (done, loaded) = (progress / 2, progress % 2 == 1);
            if done == len {
                return Ok(Next::Advance);
            }
            if !turn.take_piece() {
                return Ok(Next::Wait);
            }
            let Piece { to, from, size } = if backward { copy.piece_to(len - done) } else { copy.piece_from(done) };
            if !loaded {
                let Some(value) = self.load_piece(turn, from, size, copy.from_local)? else {
                    return Ok(Next::Wait);
                };
                self.running.stack.set(piece, words(value)[0]);
                self.set_progress(turn, copy.progress, progress + 1);
                continue;
            }
            let value = bytes([self.running.stack.register(self.running.stack.top(), piece), Value::ZERO], size);
            if !self.store_piece(turn, to, size, value, copy.to_local)? {
                return Ok(Next::Wait);
            }
            self.running.stack.set(piece, Value::ZERO);
            self.set_progress(turn, copy.progress, 2 * (done + u64::from(size)));
        }
    }

    pub(super) fn fill(&mut self, turn: &mut VisibleSlot, site: SiteId) -> Performed {
        let function = self.program.function(self.running.stack.top().function);
        let fill = function.fills[site.index()];
        let [to, byte, len] = self.range([fill.to, fill.byte, fill.len])?;
        if len == 0 {
            return Ok(Next::Advance);
        }
        let whole = self.target(to, len, true)?;
        let pieces = Pieces::new(len, [(!fill.to_local).then_some(to), None]);
        let value = |size: u8| {
            let pattern = u128::from(byte & 0xFF) * 0x0101_0101_0101_0101;
            Bytes::defined(pattern & ((1 << (u32::from(size) * 8)) - 1))
        };
        match self.register(fill.progress) {
            ENDING => return self.end_group(turn),
            0 if pieces.are_more_than(1)
                && !self.is_unobserved()
                && self.groups(&whole, fill.to_local)?
                && self.has_few(pieces.iter()) =>
            {
                let stores = pieces.iter().map(|(offset, size)| (to + offset, size, value(size)));
                return self.store_group(turn, fill.progress, &stores.collect::<Vec<_>>());
            }
            _ => {}
        }
        loop {
            let done = self.register(fill.progress);
            if done == len {
                return Ok(Next::Advance);
            }
            if !turn.take_piece() {
                return Ok(Next::Wait);
            }
            let size = pieces.size_from(done);
            if !self.store_piece(turn, to + done, size, value(size), fill.to_local)? {
                return Ok(Next::Wait);
            }
            self.set_progress(turn, fill.progress, done + u64::from(size));
        }
    }

    /// True if nothing that the thread does now can be noticed before it is done.
    fn is_unobserved(&self) -> bool {
        self.is_alone() || self.in_section()
    }

    /// True if others may notice the order of the pieces of a copy.
    fn has_order(&mut self, copy: &Copy) -> Result<bool, StepEnd> {
        if self.is_unobserved() {
            return Ok(false);
        }
        let is_seen = self.is_group(copy)? || self.may_change_any(copy)?;
        Ok(is_seen && !self.is_ordered(copy)? && self.has_few(copy.pieces()))
    }

    /// True if the stores of a copy are a group. Either all or none are: see [`Self::is_ordered`].
    fn is_group(&self, copy: &Copy) -> Result<bool, StepEnd> {
        for span in copy.spans {
            let to = self.target(span.to, span.len, true)?;
            if self.groups(&to, copy.to_local)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// True if a copy is small enough to be unordered.
    fn has_few<T>(&mut self, mut pieces: impl Iterator<Item = T>) -> bool {
        let bound = self.config.buffer_bound;
        let has_few = bound == 0 || pieces.nth(bound.max(MOST_GROUPED_PIECES)).is_none();
        if !has_few {
            self.announce_full_buffer();
        }
        has_few
    }

    /// True if stores of a copy to this memory are kept in a group, because others may look at the memory, or
    /// come to know it before the stores arrive. Memory that only its thread can know is written at once if
    /// the order of stores publishes it later (TSO), or if there are no delays (SC).
    fn groups(&self, to: &Target, local: bool) -> Result<bool, StepEnd> {
        Ok(!local && (self.is_shared(&to.region)? || self.config.model() == Model::Pso))
    }

    /// True if a piece of a copy may change while it is copied.
    fn may_change_any(&self, copy: &Copy) -> Result<bool, StepEnd> {
        for piece in copy.pieces() {
            if self.may_change(copy, piece)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// True if others may change this piece of a copy's source.
    fn may_change(&self, copy: &Copy, piece: Piece) -> Result<bool, StepEnd> {
        Ok(!copy.from_local && self.is_open(piece.from, piece.size)?)
    }

    /// True if others may access the object of this memory while the thread does several accesses to it.
    pub(in crate::system) fn is_observed(&self, target: &Target) -> Result<bool, StepEnd> {
        Ok(!self.is_unobserved() && self.is_known_to_others(target)?)
    }

    /// True if others may change some of these bytes while this thread reads them.
    pub(in crate::system) fn may_be_changed(&self, from: u64, len: u64) -> Result<bool, StepEnd> {
        if len == 0 || !self.is_observed(&self.target(from, 1, false)?)? {
            return Ok(false);
        }
        for (offset, size) in Pieces::new(len, [None, Some(from)]).iter() {
            if self.is_open(from + offset, size)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// True if others may change these bytes of one piece.
    fn is_open(&self, from: u64, size: u8) -> Result<bool, StepEnd> {
        let target = self.target(from, size.into(), false)?;
        Ok(self.is_known_to_others(&target)? && !self.is_guarded(&target))
    }

    /// True if others may know this memory, and it can be changed at all.
    fn is_known_to_others(&self, target: &Target) -> Result<bool, StepEnd> {
        Ok(!matches!(target.region.content, Content::Constant(_)) && self.is_shared(&target.region)?)
    }

    /// Makes the stores of a group, none of which depends on other threads.
    fn store_group(&mut self, turn: &mut VisibleSlot, progress: Reg, stores: &[(u64, u8, Bytes)]) -> Performed {
        if self.config.updates {
            self.buffers.begin_copy(self.running.thread);
        }
        let mut group = Vec::with_capacity(stores.len());
        for &(addr, size, value) in stores {
            let target = self.target(addr, size.into(), true)?;
            group.push((target, value));
        }
        self.push_group(&group)?;
        self.close_group(turn, progress)
    }

    /// Closes a group after all its stores. Under SC the copy ends in another step, so that others can meet a
    /// part of it.
    fn close_group(&mut self, turn: &mut VisibleSlot, progress: Reg) -> Performed {
        if self.config.model() != Model::Sc {
            return Ok(Next::Advance);
        }
        self.set_progress(turn, progress, ENDING);
        Ok(Next::Wait)
    }

    /// Ends a copy under SC. All its stores are then in memory.
    fn end_group(&mut self, turn: &mut VisibleSlot) -> Performed {
        Ok(if self.full_fence(turn) { Next::Advance } else { Next::Wait })
    }

    fn range(&self, operands: [Operand; 3]) -> Result<[u64; 3], StepEnd> {
        let values = operands.map(|operand| self.running.stack.get(self.program, operand));
        if let Some(&value) = values.iter().find(|value| !value.is_defined()) {
            return self.undefined_argument(value, "an argument of a memory function".to_owned());
        }
        Ok(values.map(|value| value.bits))
    }

    fn register(&self, register: Reg) -> u64 {
        self.running.stack.register(self.running.stack.top(), register).bits
    }

    fn set_progress(&mut self, turn: &mut VisibleSlot, progress: Reg, value: u64) {
        self.running.stack.set(progress, Value::new(value));
        turn.moved();
    }

    fn load_piece(
        &mut self,
        turn: &mut VisibleSlot,
        addr: u64,
        len: u8,
        local: bool,
    ) -> Result<Option<Bytes>, StepEnd> {
        let target = self.target(addr, len.into(), false)?;
        if local {
            return Ok(Some(self.memory.read(&target.region, target.at.offset, len)));
        }
        self.load(turn, &target, MemoryOrder::Plain)
    }

    fn store_piece(
        &mut self,
        turn: &mut VisibleSlot,
        addr: u64,
        len: u8,
        value: Bytes,
        local: bool,
    ) -> Result<bool, StepEnd> {
        let target = self.target(addr, len.into(), true)?;
        if local {
            self.write_unseen(&target, len, value);
            return Ok(true);
        }
        self.store(turn, &target, value, MemoryOrder::Plain)
    }
}
