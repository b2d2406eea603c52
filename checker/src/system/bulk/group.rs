//! Unordered copies with update events.
//!
//! Stores of the pieces reach memory by updates, in any order within their group. Each load of a piece that
//! others may change is a step, and its store is buffered right after it. The order of these loads is a
//! question only where it matters.
//!
//! *Where it matters.* Let the target be memory that only its thread can know. Suppose that in no execution
//! in which the pieces are loaded first to last, a load of the copy races with a write of another thread.
//! Then the order matters nowhere. For the proof, take an execution with another order in which some write
//! changes a piece within the window of the copy, between its first step and its last, and take the first
//! such write. Nothing before it conflicts with the loads of the copy, so the same events without the loads
//! are a prefix of an execution in order. There the write comes next, and then the loads, one of which reads
//! the written value. An event after the write can only happen-before that load through an earlier load of
//! the same copy, which then is in a race itself. So the engine begins with no copy in another order, and
//! starts over with those of which a load was in a race ([`crate::system::Config::contested`]). If others can
//! know the target, the stores may tell them how far the copy is, and the order is always a question.

use rmc_runtime::Model;

use super::{Copy, GROUPED, Piece, PieceLoad};
use crate::system::machine::Machine;
use crate::system::step::choices::ChoiceKind;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// The maximal number of pieces of a copy whose order is a question. The unfinished pieces are a set of bits
/// beside [`GROUPED`].
const MOST_UNORDERED_PIECES: usize = 60;

impl Machine<'_> {
    /// Copies the remaining pieces, as far as the step may.
    pub(super) fn copy_group(&mut self, turn: &mut VisibleSlot, copy: &Copy) -> Performed {
        let pieces: Vec<_> = copy.pieces().collect();
        let grouped = self.is_group(copy)?;
        let mut changing = Vec::new();
        for (at, &piece) in pieces.iter().enumerate() {
            if self.may_change(copy, piece)? {
                changing.push(at);
            }
        }
        self.report.copies_unordered |= grouped && pieces.len() > 1 && !changing.is_empty();
        let place = self.here();
        let is_contested = self.config.contested.is_none_or(|places| places.contains(&place));
        let is_question = changing.len() > 1 && (is_contested || self.goes_to_shared(copy)?);
        if is_question && pieces.len() > MOST_UNORDERED_PIECES {
            let what = format!(
                "a copy of {} bytes while others may change them, by the stateless engines; --engine explicit can",
                copy.len()
            );
            return Err(StepEnd::Unsupported(what));
        }
        if grouped && self.register(copy.progress) == 0 {
            self.buffers.begin_copy(self.running.thread);
        }
        loop {
            let done = self.register(copy.progress) & !GROUPED;
            let is_done = |at: usize| if is_question { done >> at & 1 == 1 } else { (at as u64) < done };
            let left: Vec<_> = (0..pieces.len()).filter(|&at| !is_done(at)).collect();
            let Some(&first) = left.first() else {
                return if grouped { self.close_group(turn, copy.progress) } else { Ok(Next::Advance) };
            };
            if grouped && !self.has_room(turn) {
                return Ok(Next::Wait);
            }
            let still = left.iter().copied().find(|at| !changing.contains(at)).filter(|_| is_question);
            let next = still.unwrap_or(first);
            if changing.contains(&next) && !self.may_proceed(turn) {
                return Ok(Next::Wait);
            }
            let next = match left.len() {
                2.. if is_question && still.is_none() => left[self.choices.ask(ChoiceKind::Schedule, left.len())],
                _ => next,
            };
            if is_question && still.is_none() {
                self.imagine_loads(left.iter().filter(|&&at| at != next).map(|&at| pieces[at]))?;
            }
            if changing.len() > 1 && !is_question && changing.contains(&next) {
                self.report.loaded_piece_of = Some(place);
            }
            let mut loaded = (0..pieces.len()).filter(|&at| is_done(at)).map(|at| pieces[at]);
            let begins = !loaded.any(|piece| self.is_in_footprint(copy, piece));
            self.copy_piece(copy, (next as u32, pieces[next]), grouped, begins)?;
            let progress = if is_question { done | 1 << next } else { done + 1 };
            self.set_progress(turn, copy.progress, GROUPED | progress);
        }
    }

    /// True if others can know a target.
    fn goes_to_shared(&self, copy: &Copy) -> Result<bool, StepEnd> {
        for span in copy.spans {
            if !copy.to_local && self.is_shared(&self.target(span.to, span.len, true)?.region)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds the loads that other answers would make. A step has one footprint whatever the answers are: a
    /// sleeping step is woken with all its answers or with none.
    fn imagine_loads(&mut self, pieces: impl Iterator<Item = Piece>) -> Result<(), StepEnd> {
        for piece in pieces {
            let target = self.target(piece.from, piece.size.into(), false)?;
            self.announce_possible_load(&target);
        }
        Ok(())
    }

    /// True if the thread's buffer has room for one more store. Otherwise the thread waits until the buffer
    /// is empty.
    fn has_room(&mut self, turn: &mut VisibleSlot) -> bool {
        let bound = self.config.buffer_bound;
        if self.config.model() == Model::Sc || !self.buffers.is_full(self.running.thread, bound) {
            return true;
        }
        self.announce_full_buffer();
        let passes = self.full_fence(turn);
        if passes {
            turn.moved();
        }
        passes
    }

    /// Loads a piece, and buffers its store. `begins` is true if the copy loaded nothing before.
    fn copy_piece(
        &mut self,
        copy: &Copy,
        (index, piece): (u32, Piece),
        grouped: bool,
        begins: bool,
    ) -> Result<(), StepEnd> {
        let (place, touched) = (self.pushed(self.running.thread), self.report.footprint.len());
        let value = self.load_now(copy, piece)?;
        let to = self.target(piece.to, piece.size.into(), true)?;
        if grouped {
            self.push_group(&[(to, value)])?;
        } else {
            self.write_privately(&to, value);
        }
        self.announce_piece(touched, PieceLoad { index, begins, place, store: grouped.then_some(place) });
        Ok(())
    }
}
