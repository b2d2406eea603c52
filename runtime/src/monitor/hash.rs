//! A hash function for the addresses of words: one multiplication (Knuth, *The Art of Computer Programming*,
//! volume 3, section 6.4). The high bits depend on all of the address and move to where tables look.

use std::hash::{BuildHasherDefault, Hasher};

/// Makes the hashes of a table.
pub(super) type WordHasher = BuildHasherDefault<Multiply>;

/// The hash of one number.
#[derive(Debug, Default)]
pub(super) struct Multiply(u64);

impl Hasher for Multiply {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }
}
