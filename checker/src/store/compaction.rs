//! Hash compaction: a state is represented by 48 bits of a hash of its vector.
//!
//! The hash is the sum of one random number for each component and its place (Zobrist, "A New Hashing Method
//! with Application for Game Playing", 1970, with sums for exclusive ors), so updating it for a successor
//! takes as many steps as there are changes. Two different states have the same 48 bits with probability
//! 2^-48; there are n (n - 1) / 2 pairs of n states.

use super::Id;
use super::pairs::join;
use super::tree::Change;

/// Bits of each half of a key.
pub const HALF: u32 = 24;

/// The hash of a vector.
pub fn hash(vector: &[Id]) -> u64 {
    (0..).zip(vector).fold(of((Id::MAX, vector.len() as Id)), |sum, (at, &id)| sum.wrapping_add(of((at, id))))
}

/// The hash of a vector that differs by `changes` from `vector`, which has the hash `hash`.
pub fn changed(hash: u64, vector: &[Id], changes: &[Change]) -> u64 {
    changes
        .iter()
        .fold(hash, |sum, &(at, id)| sum.wrapping_sub(of((at, vector[at as usize]))).wrapping_add(of((at, id))))
}

/// The key of a state with this hash: a pair of numbers.
pub const fn key(hash: u64) -> u64 {
    let left = hash >> (u64::BITS - HALF);
    let right = hash >> (u64::BITS - 2 * HALF) & ((1 << HALF) - 1);
    join((left as Id, right as Id))
}

/// An upper bound on the probability that two of `states` states have the same key.
pub fn omission_probability(states: u64) -> f64 {
    let pairs = states as f64 * (states.saturating_sub(1)) as f64 / 2.0;
    (pairs / (1_u64 << (2 * HALF)) as f64).min(1.0)
}

/// The random number of a component at a place (finaliser of SplitMix64: Steele, Lea, Flood, "Fast Splittable
/// Pseudorandom Number Generators", OOPSLA 2014).
const fn of(component: Change) -> u64 {
    let mut x = join(component).wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn changes_lead_to_the_hash_of_the_vector() {
        let (before, after) = ([5, 6, 7, 8], [5, 60, 7, 80]);
        assert_eq!(changed(hash(&before), &before, &[(1, 60), (3, 80)]), hash(&after));
        assert_ne!(hash(&before), hash(&[6, 5, 7, 8]));
        assert_ne!(hash(&[1]), hash(&[1, 0]));
    }

    #[test]
    fn keys_of_few_states_differ() {
        let keys: BTreeSet<_> = (0..100_000).map(|at| key(hash(&[at % 300, at / 300, 7]))).collect();
        assert_eq!(keys.len(), 100_000);
        assert!(keys.iter().all(|key| key >> 56 == 0 && *key as Id >> HALF == 0));
    }

    #[test]
    fn the_probability_grows_with_the_pairs() {
        assert_eq!([omission_probability(0), omission_probability(1)], [0.0, 0.0]);
        assert!((omission_probability(1 << 20) - 1.0 / 512.0).abs() < 1e-6);
        assert!((omission_probability(u64::MAX) - 1.0).abs() < 1e-9);
    }
}
