//! Gathers and scatters: vectors whose lanes have addresses of their own, masked loads and stores included.
//!
//! Source: LLVM Language Reference 16, "Masked Vector Load and Store Intrinsics" and "Masked Vector Gather
//! and Scatter Intrinsics". A lane that is off accesses nothing. Each other lane is a span of one copy
//! between its address and a private slot, so its pieces and those of other lanes are unordered. Scattered
//! lanes that overlap are stored from the first to the last.
//!
//! *Ordered lanes* ([`Machine::is_ordered`]). No stores of a group overlap. Under PSO, plain stores that are
//! made one after the other are ordered only where they overlap, so nothing else is needed. Under SC and TSO
//! such a scatter is refused, unless no other thread can look.
//!
//! *Private and shared lanes.* A group is delayed as a whole, and private memory is not
//! ([`Machine::groups`]), although a lane of the same scatter may publish it. So under SC and TSO a scatter
//! to both is refused, unless no other thread can look.
//!
//! Tests: `tests/programs/masked`, `tests/tests/masked.rs`.

use rmc_runtime::Model;

use super::spans::{Copy, Span};
use crate::ir::instr::{CopySite, Lanes};
use crate::ir::value::Value;
use crate::outcome::ViolationKind;
use crate::system::machine::Machine;
use crate::system::step::StepEnd;
use crate::system::step::access::words;

impl Machine<'_> {
    /// The spans of the lanes that are on, in their order.
    pub(super) fn spans_of_lanes(
        &self,
        site: &CopySite,
        lanes: Lanes,
        [to, from, len]: [u64; 3],
    ) -> Result<Vec<Span>, StepEnd> {
        let mask = self.running.stack.get(self.program, lanes.mask);
        if !mask.is_defined() {
            return self.undefined_mask(mask);
        }
        let (table, slot) = if site.to_local { (from, to) } else { (to, from) };
        let width = u64::from(lanes.width);
        let mut spans = Vec::new();
        for lane in (0..len / width).filter(|lane| mask.bits >> lane & 1 == 1) {
            let address = self.address_of_lane(table, lane)?;
            let place = slot + lane * width;
            let (to, from) = if site.to_local { (place, address) } else { (address, place) };
            spans.push(Span { to, from, len: width });
        }
        Ok(spans)
    }

    fn undefined_mask<T>(&self, mask: Value) -> Result<T, StepEnd> {
        let what = "the mask of an access";
        match mask.why_poison() {
            Some(why) => {
                self.fault(ViolationKind::UndefinedResult, format!("{what} is the result of {}", why.describe()))
            }
            None => self.fault(ViolationKind::UninitialisedBranch, format!("{what} is uninitialised")),
        }
    }

    fn address_of_lane(&self, table: u64, lane: u64) -> Result<u64, StepEnd> {
        let entry = self.target(table + 8 * lane, 8, false)?;
        let [address, _]: [Value; 2] = words(self.memory.read(&entry.region, entry.at.offset, 8));
        if address.is_defined() {
            return Ok(address.bits);
        }
        self.fault(ViolationKind::UninitialisedDereference, format!("the address of lane {lane}"))
    }

    /// True if stores of a scatter are ordered, and have to be made one after the other.
    pub(super) fn is_ordered(&self, copy: &Copy) -> Result<bool, StepEnd> {
        if copy.to_local || copy.spans.len() < 2 {
            return Ok(false);
        }
        let overlap = have_overlaps(copy.spans);
        if self.config.model() == Model::Pso {
            return Ok(overlap);
        }
        let mut shared = 0;
        for span in copy.spans {
            shared += usize::from(self.is_shared(&self.target(span.to, span.len, true)?.region)?);
        }
        let refused = |what: &str| Err(StepEnd::Unsupported(format!("a scatter of lanes {what}")));
        match shared {
            0 => Ok(true),
            _ if shared < copy.spans.len() => {
                refused("to memory that other threads may know and to memory that none does")
            }
            _ if overlap => refused("that overlap, to memory that other threads may access meanwhile"),
            _ => Ok(false),
        }
    }
}

/// True if two targets have bytes in common.
fn have_overlaps(spans: &[Span]) -> bool {
    let mut begins: Vec<_> = spans.iter().map(|span| (span.to, span.len)).collect();
    begins.sort_unstable();
    begins.windows(2).any(|pair| pair[0].0 + pair[0].1 > pair[1].0)
}
