//! Functions that read memory byte by byte, which the support library calls for texts and the like.
//!
//! Bytes are read first to last, as far as the function needs them, also where other threads may change them:
//! other orders are not followed. The machine that confirms a violation reads them so, too
//! ([`crate::system::Config::texts_in_order`]). Claims are doubtful unless the bytes are constant, or there
//! is one thread.

use rmc_formula::TermId;

use super::{Call, Path, Stop, Unroller, Word};
use crate::ir::instr::{IntOp, Promises};

/// The most bytes that a call reads.
const MOST_BYTES: u64 = 1 << 12;

/// No bytes are copied, since they are read first to last.
pub(super) fn contested(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    unroller.argument(path, call, 0)?;
    unroller.log_silently(path);
    Ok(Word::ZERO)
}

pub(super) fn strlen(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let text = unroller.argument(path, call, 0)?;
    unroller.scan(path, &[text], None, |unroller, bytes, at| (unroller.is_number(bytes[0], 8, 0), Word::number(at)))
}

pub(super) fn memchr(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let (start, wanted) = (unroller.argument(path, call, 0)?, unroller.argument(path, call, 1)?);
    let len = unroller.known_count(path, call, 2)?;
    unroller.scan(path, &[start], Some(len), |unroller, bytes, at| {
        let is_wanted = unroller.is_same_byte(bytes[0], wanted);
        (is_wanted, unroller.sum(start, 64, at))
    })
}

pub(super) fn memcmp(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    compare(unroller, path, call, false)
}

pub(super) fn strncmp(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    compare(unroller, path, call, true)
}

/// Finds the first difference, or no further than a zero byte if `stops`.
fn compare(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>, stops: bool) -> Result<Word, Stop> {
    let (left, right) = (unroller.argument(path, call, 0)?, unroller.argument(path, call, 1)?);
    let len = unroller.known_count(path, call, 2)?;
    unroller.scan(path, &[left, right], Some(len), |unroller, bytes, _| {
        let (a, b) = (bytes[0], bytes[1]);
        let is_same = unroller.is_same_byte(a, b);
        let differs = unroller.formulas.not(is_same);
        let is_end = unroller.is_number(a, 8, 0);
        let ends = if stops { unroller.formulas.terms.or(differs, is_end) } else { differs };
        let difference = unroller.formulas.int(IntOp::Sub, 64, Promises::NONE, a, b);
        (ends, difference.unwrap_or_else(|_| unreachable!("differences are followed")).word)
    })
}

impl Unroller<'_> {
    /// True if bytes at an address are those that the machine reads.
    fn is_certain(&mut self, bytes: Word) -> bool {
        let points = self.formulas.points(bytes);
        let is_constant = |(object, _)| self.objects.find(self.program, object).is_some_and(|one| one.is_constant);
        self.beginning.is_going_on || !points.is_loaded() && points.objects().all(is_constant)
    }

    fn known_count(&mut self, path: &mut Path, call: Call<'_>, at: usize) -> Result<u64, Stop> {
        match self.argument(path, call, at)? {
            Word::Known(count) => Ok(count.bits),
            Word::Term(_) => self.refuse("a number of bytes that is not known"),
        }
    }

    fn is_same_byte(&mut self, a: Word, b: Word) -> TermId {
        let (a, b) = (self.formulas.low(a, 8), self.formulas.low(b, 8));
        self.formulas.terms.eq(a, b)
    }

    /// Reads bytes at some addresses side by side, until `end` says that they are the last ones, or up to a
    /// number of them. The result of the call is what `end` says of the last ones, else 0.
    fn scan(
        &mut self,
        path: &mut Path,
        starts: &[Word],
        len: Option<u64>,
        end: impl Fn(&mut Self, &[Word], u64) -> (TermId, Word),
    ) -> Result<Word, Stop> {
        if self.beginning.is_going_on {
            self.log_silently(path);
        }
        self.is_coarse |= !starts.iter().all(|&start| self.is_certain(start));
        let (mut ends, mut turns) = (Vec::new(), 0);
        let mut rest = Some(path.clone());
        for at in 0.. {
            let Some(mut own) = rest.take() else { break };
            if len.is_some_and(|len| at >= len) {
                ends.push((own, Word::ZERO));
                break;
            }
            if at > MOST_BYTES || turns > self.bounds.turns {
                self.cut(&own);
                break;
            }
            let bytes = match self.load_bytes(&mut own, starts, at) {
                Ok(bytes) => bytes,
                Err(Stop::Dead) => break,
                Err(stop) => return Err(stop),
            };
            let (is_last, result) = end(self, &bytes, at);
            turns += u32::from(self.formulas.terms.as_constant(is_last).is_none());
            let mut ended = own.clone();
            if self.assume(&mut ended, is_last).is_ok() {
                ends.push((ended, result));
            }
            let goes_on = self.formulas.not(is_last);
            rest = self.assume(&mut own, goes_on).is_ok().then_some(own);
        }
        let (met, result) = self.meet(ends)?;
        *path = met;
        Ok(result)
    }

    /// The bytes so far behind some addresses.
    fn load_bytes(&mut self, path: &mut Path, starts: &[Word], at: u64) -> Result<Vec<Word>, Stop> {
        let mut bytes = Vec::with_capacity(starts.len());
        for &start in starts {
            let place = self.sum(start, 64, at);
            // In the machine, a byte is an operation unless it is constant or there is one thread.
            let is_operation = !self.is_certain(start);
            let byte = if is_operation { self.load(path, place, 1)? } else { self.load_unlogged(path, place, 1)? };
            self.demand_defined(path, byte)?;
            bytes.push(byte);
        }
        Ok(bytes)
    }
}
