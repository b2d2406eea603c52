//! Unordered copies with update events.
//!
//! Stores of the pieces reach memory by updates, in any order within their group. Each load of a piece that
//! others may change is a step, and its store is buffered right behind it. The order of these loads is a
//! question only where it matters.
//!
//! *Where it matters.* Let the target be memory that only its thread can know. If in no execution in which
//! the pieces are loaded first to last a load of the copy is in a race with a write of another thread, the
//! order matters nowhere. For take an execution with another order in which some write changes a piece within
//! the window of the copy, between its first step and its last, and the first such write. Nothing before it
//! conflicts with the loads of the copy, so the same events with the loads taken out are a beginning of an
//! execution in order; there the write comes next, and then the loads, of which one reads what it wrote.
//! Nothing that happens after the write happens before that load, except through an earlier load of the same
//! copy which then is in a race itself. So the engine begins with no copy in another order, and starts over
//! with those of which a load was in a race ([`crate::system::Config::contested`]). Where others can know the
//! target the stores may tell them how far the copy is, and the order is always a question.

use rmc_runtime::Model;

use super::{Copy, GROUPED, Piece};
use crate::system::machine::Machine;
use crate::system::step::choices::ChoiceKind;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

/// Pieces of a copy whose order is a question: those not done yet are a set of bits beside [`GROUPED`].
const MOST: usize = 60;

impl Machine<'_> {
    /// Copies the pieces that are left, as far as the step may.
    pub(super) fn copy_group(&mut self, turn: &mut VisibleSlot, copy: &Copy) -> Performed {
        let pieces: Vec<_> = copy.pieces().collect();
        let grouped = self.is_group(copy)?;
        let mut changing = Vec::new();
        for (at, &piece) in pieces.iter().enumerate() {
            if self.may_change(copy, piece)? {
                changing.push(at);
            }
        }
        let place = self.here();
        let is_contested = self.config.contested.is_none_or(|places| places.contains(&place));
        let is_question = changing.len() > 1 && (is_contested || self.goes_to_shared(copy)?);
        if is_question && pieces.len() > MOST {
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
                2.. if is_question && still.is_none() => left[self.script.ask(ChoiceKind::Schedule, left.len())],
                _ => next,
            };
            if is_question && still.is_none() {
                self.imagine_loads(left.iter().filter(|&&at| at != next).map(|&at| pieces[at]))?;
            }
            if changing.len() > 1 && !is_question && changing.contains(&next) {
                self.report.loaded_piece_of = Some(place);
            }
            self.copy_piece(copy, pieces[next], grouped)?;
            let progress = if is_question { done | 1 << next } else { done + 1 };
            self.set_progress(turn, copy.progress, GROUPED | progress);
        }
    }

    /// Whether others can know a target.
    fn goes_to_shared(&self, copy: &Copy) -> Result<bool, StepEnd> {
        for span in copy.spans {
            if !copy.to_local && self.is_shared(&self.target(span.to, span.len, true)?.region)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A step has one footprint whatever the answers are: what sleeps is woken with all its answers or with
    /// none.
    fn imagine_loads(&mut self, pieces: impl Iterator<Item = Piece>) -> Result<(), StepEnd> {
        for piece in pieces {
            let target = self.target(piece.from, piece.size.into(), false)?;
            self.touch_imagined_load(&target);
        }
        Ok(())
    }

    /// Whether the thread's buffer has room for one more store. If not, the thread waits until it is empty.
    fn has_room(&mut self, turn: &mut VisibleSlot) -> bool {
        let bound = self.config.buffer_bound;
        if self.config.model() == Model::Sc || !self.buffers.is_full(self.running.thread, bound) {
            return true;
        }
        self.note_bound();
        let passes = self.full_fence(turn);
        if passes {
            turn.moved();
        }
        passes
    }

    /// Loads a piece, and buffers its store.
    fn copy_piece(&mut self, copy: &Copy, piece: Piece, grouped: bool) -> Result<(), StepEnd> {
        let value = self.load_now(copy, piece)?;
        let to = self.target(piece.to, piece.size.into(), true)?;
        if grouped {
            return self.push_group(&[(to, value)]);
        }
        self.write_privately(&to, value);
        Ok(())
    }
}
