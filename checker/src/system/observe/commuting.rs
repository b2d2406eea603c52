//! Read-modify-writes that commute: of one kind, on the same bytes, and with unused results.
//!
//! The stateless engine explores one order of steps that commute. Two such steps of different threads, one
//! right after the other, must have exactly the same effect in either order: on the state, and on their
//! footprints. Sleep sets also need to know of two steps that are enabled in one state whether they commute.
//! The kinds below commute, under these conditions:
//!
//! * *The result is not needed* ([`crate::ir::liveness::Liveness::is_needed`]): only computations that cannot
//!   fail, and whose results are not needed either, depend on it. The register is given 0 instead, so that
//!   the states are equal, and with them everything that is stored about them.
//! * *Memory and operand are initialised*, and so they stay. If one is not, the step conflicts with all
//!   others.
//! * *Whether a step changes memory does not depend on the order.* A change of memory decides whether the
//!   step is idle, and so whether a later step completes a round of a loop that waits (`awaits.rs`). Addition
//!   and exclusive or change memory unless the operand is 0. Setting or clearing bits may change nothing
//!   because another step did it before; so two of these commute if their bits are disjoint. Maximum and
//!   minimum are not among the kinds: of two maximum operations that both change memory in one order, only
//!   one does in the other.
//! * *They publish only their operands*, whatever the order ([`crate::interp::disguise`]). An intermediate
//!   value may look like a pointer in one order and not in the other, so the objects that threads know would
//!   depend on the order.
//! * *They are outside atomic sections.* A step in a section touches more than these bytes.
//!
//! Except for initialisation, all conditions are known from the step alone, whatever precedes it.
//!
//! The order could also matter in these ways:
//!
//! * *Buffers.* The step waits until its thread's buffer is empty and reports that
//!   ([`fenced`](crate::system::StepReport::fenced)), like every read-modify-write with update events. So the
//!   thread's updates precede it, and its order with all accesses of others to those places is kept. The step
//!   then writes to memory and nothing else.
//! * *Other accesses to the bytes* (loads, stores, updates, and read-modify-writes of another kind or of
//!   other bytes that overlap these) conflict with it as with any write. So a read between two such steps is
//!   explored for every set of steps that precede it.
//! * *Data races*: a read-modify-write may acquire what those before it released. With `--races` nothing
//!   commutes.
//! * *Robustness* depends on the order of read-modify-writes itself, and *leaks* on pointers that memory
//!   holds for one moment. With `--robustness` and `--leaks` nothing commutes either.
//! * *Steps with several answers*: a read-modify-write asks no question, and the footprint of its step
//!   includes that of the operations that follow.
//!
//! Tests: `tests/programs/traces/unused_results.c`; random programs in `tests/tests/pipeline_differential.rs`
//! and `tests/tests/cross_check.rs`.

use rmc_runtime::Bytes;

use crate::interp::Update;
use crate::ir::ids::Reg;
use crate::ir::instr::RmwOp;
use crate::system::config::{Config, Leaks};
use crate::system::machine::Machine;
use crate::system::step::access::{Target, bytes};

/// The kinds of writes that combine their operand with the old value. Writes of one kind to the same bytes
/// commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Commuting {
    /// A model of the library counts up or down.
    Count,
    /// Addition and subtraction.
    Add,
    /// Set these bits; see `folded`.
    Set(u32),
    /// Clear these bits.
    Clear(u32),
    /// Exclusive or.
    Xor,
}

impl Commuting {
    /// The kind of a read-modify-write that writes `len` bytes, if memory and operand allow it.
    fn of(op: RmwOp, old: Bytes, operand: Bytes, len: u8) -> Option<Self> {
        if old.undef | operand.undef != 0 {
            return None;
        }
        match op {
            RmwOp::Add | RmwOp::Sub => Some(Self::Add),
            RmwOp::Xor => Some(Self::Xor),
            RmwOp::Or => Some(Self::Set(folded(operand.bits))),
            RmwOp::And => Some(Self::Clear(folded(Bytes::all_ones(len) & !operand.bits))),
            RmwOp::Exchange
            | RmwOp::Nand
            | RmwOp::Max
            | RmwOp::Min
            | RmwOp::UMax
            | RmwOp::UMin
            | RmwOp::FAdd
            | RmwOp::FSub
            | RmwOp::FMax
            | RmwOp::FMin
            | RmwOp::IncWrap
            | RmwOp::DecWrap => None,
        }
    }

    /// True if a write of this kind and one of another kind, to the same bytes, have the same effect in
    /// either order.
    #[must_use]
    pub const fn commutes_with(self, other: Self) -> bool {
        use Commuting::{Add, Clear, Count, Set, Xor};
        match (self, other) {
            (Count, Count) | (Add, Add) | (Xor, Xor) => true,
            (Set(one), Set(other)) | (Clear(one), Clear(other)) => one & other == 0,
            (Count | Add | Set(_) | Clear(_) | Xor, _) => false,
        }
    }
}

/// The disjunction of all four quarters of some bits. If two results have no bit in common, neither have the
/// arguments.
const fn folded(bits: u128) -> u32 {
    (bits | bits >> 32 | bits >> 64 | bits >> 96) as u32
}

impl Config {
    /// True if the order of read-modify-writes matters only through the values in memory and through their
    /// results.
    const fn orders_updates_by_result(&self) -> bool {
        self.updates && !self.robustness && !self.races && matches!(self.leaks, Leaks::Ignored)
    }
}

impl Machine<'_> {
    /// The commuting kind of the read-modify-write that the running thread is at, if it has one. `dst` is the
    /// register of its result.
    pub(in crate::system) fn commuting(
        &self,
        target: &Target,
        dst: Reg,
        old: Bytes,
        update: &Update,
    ) -> Option<Commuting> {
        let is_seen = target.region.shared && !self.is_alone();
        if !is_seen || self.was_in_section() || !self.config.orders_updates_by_result() {
            return None;
        }
        let liveness = &self.program.function(self.running.stack.top().function).liveness;
        let len = target.at.len;
        let mut results = (0..usize::from(len).div_ceil(8)).map(|word| Reg::new(dst.index() + word));
        if results.any(|result| liveness.is_needed(result)) {
            return None;
        }
        Commuting::of(update.op, old, bytes(update.operand, len), len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERATIONS: [RmwOp; 5] = [RmwOp::Add, RmwOp::Sub, RmwOp::Or, RmwOp::And, RmwOp::Xor];

    fn kind(op: RmwOp, operand: u8) -> Commuting {
        Commuting::of(op, Bytes::defined(0), Bytes::defined(operand.into()), 1).expect("it is initialised")
    }

    fn apply(op: RmwOp, old: u8, operand: u8) -> u8 {
        match op {
            RmwOp::Add => old.wrapping_add(operand),
            RmwOp::Sub => old.wrapping_sub(operand),
            RmwOp::Or => old | operand,
            RmwOp::And => old & operand,
            _ => old ^ operand,
        }
    }

    /// Tests all pairs on some bytes with all operands: two that commute have the same result in both orders,
    /// and change memory in both orders or in none.
    #[test]
    fn the_other_order_is_the_same() {
        let mut commuting = 0;
        for (one, other) in OPERATIONS.iter().flat_map(|&one| OPERATIONS.map(|other| (one, other))) {
            for (a, b) in (0..=255).flat_map(|a| (0..=255).map(move |b| (a, b))) {
                if !kind(one, a).commutes_with(kind(other, b)) {
                    continue;
                }
                commuting += 1;
                for old in [0, 0x81, 0xff, 0x5a] {
                    let (first, second) = (apply(one, old, a), apply(other, old, b));
                    let (end, same_end) = (apply(other, first, b), apply(one, second, a));
                    assert_eq!(end, same_end);
                    assert_eq!((first != old, end != first), (end != second, second != old));
                }
            }
        }
        // There are four pairs of additions and one of exclusive or, with all operands, and two of different
        // bits.
        assert_eq!(commuting, 5 * 256 * 256 + 2 * 3_u32.pow(8));
    }

    #[test]
    fn bits_far_apart_may_be_taken_for_the_same_but_not_the_same_for_others() {
        let set = |bit: u32| Commuting::of(RmwOp::Or, Bytes::defined(0), Bytes::defined(1 << bit), 16).expect("a kind");
        let pairs = (0..128).flat_map(|one| (0..128).map(move |other| (one, other)));
        pairs.for_each(|(one, other)| assert_eq!(set(one).commutes_with(set(other)), one % 32 != other % 32));
    }

    #[test]
    fn what_is_uninitialised_does_not_commute() {
        assert_eq!(Commuting::of(RmwOp::Add, Bytes::uninitialised(1), Bytes::defined(1), 1), None);
        assert_eq!(Commuting::of(RmwOp::Add, Bytes::defined(1), Bytes::uninitialised(1), 1), None);
    }
}
