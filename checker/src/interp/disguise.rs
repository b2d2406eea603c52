//! Addresses in disguise: numbers that are no address of an object, and from which its address can be had.
//!
//! Which memory other threads can know is found from whole pointers that they can read
//! (`system/observe/sharing.rs`). An address may also travel as its complement, combined with another one, as
//! its halves or its bytes. So where a computation takes an address of an object and its result has none,
//! other threads are taken to know the object from then on. Parts of pointers that are loaded from memory are
//! noted there (`system/state/memory/disguise.rs`).
//!
//! A distance within an object tells nothing of the object, and neither do the lowest bits of an address.
//! What a program finds out of an address by comparisons alone is not noted.

use super::Interpreter;
use crate::ir::address::{self, MAX_THREADS, ObjectId};
use crate::ir::instr::IntOp;
use crate::ir::value::Value;

/// The lowest bits of an address, which are the same for many objects.
const PLACE: u64 = 0xFFF;

/// False if a word has no address of memory that a thread allocated. Most words have none.
#[inline]
#[must_use]
pub const fn may_be_address(word: u64) -> bool {
    word >> (address::OFFSET_BITS + address::INDEX_BITS) != 0
}

/// The object to which a word points, if a thread allocated it.
#[must_use]
pub fn allocated(word: u64) -> Option<ObjectId> {
    address::pointee(word).filter(|id| (1..=MAX_THREADS as u32).contains(&id.owner()))
}

impl Interpreter<'_> {
    /// Notes what an operation on two integers disguises.
    #[inline]
    pub(super) fn note_integer(&mut self, op: IntOp, a: Value, b: Value, result: Value) {
        if may_be_address(a.bits | b.bits) {
            let is_distance = op == IntOp::Sub && address::pointee(a.bits) == address::pointee(b.bits);
            let is_place = op == IntOp::And && result.bits <= PLACE;
            if !is_distance && !is_place {
                self.note_disguised(&[a, b], &[result]);
            }
        }
    }

    /// Notes the objects to which words point, and no word of the result.
    #[inline]
    pub(super) fn note_disguised(&mut self, words: &[Value], result: &[Value]) {
        if words.iter().any(|word| may_be_address(word.bits)) {
            self.note_addresses(words, result);
        }
    }

    #[cold]
    fn note_addresses(&mut self, words: &[Value], result: &[Value]) {
        let is_shown = |id: ObjectId| result.iter().any(|word| allocated(word.bits) == Some(id));
        let found = words.iter().filter_map(|word| allocated(word.bits)).filter(|&id| !is_shown(id));
        self.stack.disguised.extend(found);
    }
}
