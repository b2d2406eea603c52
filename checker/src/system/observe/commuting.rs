//! Read-modify-writes that commute: of one kind, on the same bytes, with results on which nothing depends.
//!
//! The stateless engine explores one order of steps that commute. Two such steps of different threads, one
//! right after the other, must do exactly the same in either order: to the state, and in what they touch. And
//! of two steps that are possible in one state it must be known whether they do, since sleep sets ask that.
//! It is so for the kinds below, under these conditions:
//!
//! * *The result is not needed* ([`crate::ir::liveness::Liveness::is_needed`]): nothing depends on it but
//!   computations that cannot go wrong, of results that are not needed either. The register is given 0
//!   instead, so that the states are equal, and with them all that is remembered of them.
//! * *Memory and operand are initialised*, and so they stay. Where one is not, the step conflicts with all
//!   others.
//! * *Whether a step changes memory does not depend on the order*: it decides whether the step is idle, and
//!   so whether a later one completes a round of a loop that waits (`awaits.rs`). To add or to combine by
//!   exclusive or changes memory unless the operand is 0. To set bits or to clear them may change nothing
//!   because another step did it before; so two of these commute if they are about different bits. Of a
//!   maximum no such thing can be said: of two that change memory in one order only one does in the other. So
//!   it is not among the kinds, nor is a minimum.
//! * *They publish nothing.* A number in between may look like a pointer in one order and not in the other,
//!   so which objects threads know would depend on the order. It is sound to take an object for private until
//!   another thread reaches it: then the search begins anew without that reduction
//!   ([`crate::system::StepEnd::SharingMissed`]).
//! * *They are outside atomic sections.* A step in a section touches more than these bytes.
//!
//! All but what is initialised is known from the step alone, whatever was before it.
//!
//! What else the order could matter to:
//!
//! * *Buffers.* The step waits until its thread's buffer is empty and says so
//!   ([`fenced`](crate::system::StepReport::fenced)), as every read-modify-write with update events, so that
//!   the thread's updates come before it and its order with all that others do with those places is kept.
//!   Then it writes to memory and nothing else.
//! * *Other accesses to the bytes*, by loads, stores, updates, or read-modify-writes of another kind or of
//!   other bytes that overlap these, conflict with it as with any write. So what is read between two is
//!   explored for every set of those that came before.
//! * *Data races*: by a read-modify-write a thread may come to know what those before it released. With
//!   `--races` nothing commutes.
//! * *Robustness* is about the order of read-modify-writes itself, and *leaks* are about pointers that memory
//!   holds for one moment. With `--robustness` and `--leaks` nothing commutes either.
//! * *Steps with several answers*: a read-modify-write asks no question, and what follows in its step touches
//!   what it does.
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

/// A kind of writes that only combine what they write with what is there: several to the same bytes commute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commuting {
    /// A model of the library counts up or down.
    Count,
    /// Addition and subtraction.
    Add,
    /// Sets these bits; see `folded`.
    Set(u32),
    /// Clears these bits.
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

    /// Whether a write of this kind and one of another kind, to the same bytes, do the same in either order.
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

/// All four quarters of some bits in one: if two have no bit in common here, then they have none.
const fn folded(bits: u128) -> u32 {
    (bits | bits >> 32 | bits >> 64 | bits >> 96) as u32
}

impl Config {
    /// Whether the order of read-modify-writes matters only to what they leave in memory and to their
    /// results.
    const fn orders_updates_by_result(&self) -> bool {
        self.updates && !self.robustness && !self.races && matches!(self.leaks, Leaks::Ignored)
    }
}

impl Machine<'_> {
    /// How the read-modify-write that the running thread is at commutes with others of its kind, if it does.
    /// `dst`: where its result goes.
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

    /// All pairs on some bytes, with all operands: those that commute lead to the same in both orders, and
    /// change memory in both or in none.
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
        // Four pairs of additions and one of exclusive or, with all operands; and different bits, twice.
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
