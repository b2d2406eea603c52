//! Barriers. Bytes 0 to 3 are the number of threads that a barrier holds up, bytes 4 and 5 count those that
//! have arrived, and bytes 6 and 7 the rounds that are complete.
//!
//! The last thread to arrive is the serial one. On the machine any thread of a round may be that, but each
//! may also be the last to arrive. There the lowest thread that reads its result chooses, and the others wait
//! for it; so these leave at once when a run on the machine completes a round, which nobody can notice
//! (`confirm.rs`).

use super::waiting::EINVAL;
use super::{Call, Path, Stop, Unroller, Update, Word};
use crate::engine::symbolic::unroll::events::Logged;

/// `PTHREAD_BARRIER_SERIAL_THREAD`.
const SERIAL: u64 = u64::MAX;
const ARRIVED_AT: u32 = 4;
const ROUND_AT: u32 = 6;
/// Bytes of each of these counts.
const COUNT: u32 = 2;

pub(super) fn init(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let (barrier, count) = (unroller.argument(path, call, 0)?, unroller.argument(path, call, 2)?);
    match count {
        Word::Known(count) if count.bits == 0 => {
            unroller.full_fence(path)?;
            Ok(Word::number(EINVAL))
        }
        Word::Known(_) => {
            let counts = unroller.behind(barrier, ARRIVED_AT);
            unroller.set_words(path, &[(barrier, 4), (counts, 2 * COUNT)], vec![count, Word::ZERO])
        }
        Word::Term(_) => unroller.refuse("a barrier for a number of threads that is not known"),
    }
}

pub(super) fn wait(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    unroller.end_beginning(path)?;
    let barrier = unroller.argument(path, call, 0)?;
    let reads = unroller.is_read(call);
    let [arrived, round] = [ARRIVED_AT, ROUND_AT].map(|at| unroller.behind(barrier, at));
    let places = [(barrier, 4), (arrived, COUNT), (round, COUNT)];
    let (event, old) = unroller.unlogged_update(path, &places, |unroller, old| {
        let more = unroller.sum(old[1], 8 * COUNT, 1);
        let is_last = unroller.is_last(old);
        let arrived = unroller.formulas.choose(is_last, Word::ZERO, more);
        let next = unroller.sum(old[2], 8 * COUNT, 1);
        let round = unroller.formulas.choose(is_last, next, old[2]);
        Ok(Update::unconditional(&mut unroller.formulas, vec![old[0], arrived, round]))
    })?;
    let is_last = unroller.is_last(&old);
    let address = unroller.formulas.bits(barrier);
    unroller.log_here(path, Logged::Arrival { event, barrier: address, is_last, reads });
    let before = unroller.formulas.low(old[2], 8 * COUNT);
    let departure = |event| Logged::Departure { event, reads };
    unroller.logged_update(path, &[(round, COUNT)], departure, |unroller, now| {
        let now = unroller.formulas.low(now[0], 8 * COUNT);
        let enabled = unroller.formulas.terms.ne(now, before);
        Ok(Update::waiting_read(&mut unroller.formulas, enabled, 1))
    })?;
    Ok(unroller.formulas.choose(is_last, Word::number(SERIAL), Word::ZERO))
}

impl Unroller<'_> {
    /// A bit: an arrival at a barrier with this content completes the round.
    fn is_last(&mut self, barrier: &[Word]) -> rmc_formula::TermId {
        let arrived = self.formulas.low(barrier[1], 8 * COUNT);
        let arrived = self.formulas.terms.zero_extend(arrived, 32);
        let one = self.formulas.terms.constant(1, 32);
        let arrived = self.formulas.terms.add(arrived, one);
        let count = self.formulas.low(barrier[0], 32);
        self.formulas.terms.ule(count, arrived)
    }
}
