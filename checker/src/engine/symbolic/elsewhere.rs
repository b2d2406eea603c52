//! Accesses through pointers that are not known to be such.
//!
//! Where a word points to is followed through sums and differences (`points.rs`). An address that was put
//! together from bytes, or computed otherwise, points nowhere, so that its access is at no place, which is
//! claimed not to happen. If the machine does not confirm that, and the address is that of an object in the
//! solution, the formula is made again, and there the access may be at any place of any object, at a
//! multiple of its length. Instructions are added so one by one. Where an access is elsewhere then, or a
//! function of the library makes it, it is refused.
//!
//! Tests: `tests/programs/symbolic/pointers_from_parts.c`.

use std::collections::BTreeSet;

use rmc_formula::Session;

use super::solve::{Answered, Attempt};
use super::unroll::{Claim, Nowhere, Place, Unrolled};

/// The words of the refusal.
pub const ELSEWHERE: &str = "an access at an address that was computed from parts of others";

/// An access that is at none of its known places, and yet at an object.
pub struct Elsewhere(pub Place);

impl Attempt<'_> {
    /// Makes the formula and solves it.
    pub fn solve(&self) -> Answered {
        let mut elsewhere = BTreeSet::new();
        loop {
            match self.solve_with(&elsewhere) {
                Ok(answered) => return answered,
                Err(Elsewhere(place)) if elsewhere.insert(place) => {
                    log::debug!("the access at {place:?} may be anywhere");
                }
                Err(Elsewhere(place)) => return Answered::Refused { what: ELSEWHERE.to_owned(), place },
            }
        }
    }

    /// True if a claim is about an access that is at an object in the solution.
    pub(super) fn is_somewhere(&self, claim: &Claim, unrolled: &mut Unrolled, session: &Session) -> bool {
        let Some(Nowhere { address, len, writes }) = claim.nowhere else { return false };
        let bits = unrolled.formulas.bits(address);
        let address = session.value(&unrolled.formulas.terms, bits) as u64;
        unrolled.objects.place(self.program, address, len, writes).is_some()
    }
}
