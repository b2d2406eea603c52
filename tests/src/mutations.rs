//! Mutations of valid inputs, for the tests that run a fuzz target's function in the ordinary test run.
//!
//! The inputs are the same in every run, because they depend only on the seeds. `cargo fuzz` explores further
//! (`fuzz/`); its findings are kept as seeds.

use std::fs;
use std::path::Path;

use crate::generated::random::Random;

/// The largest number of changes of one input.
const CHANGES: usize = 4;
/// The greatest length of a part that is moved, in bytes.
const PART: usize = 32;
/// Numbers at the limits of fields, as text and as bytes.
const EDGES: [&[u8]; 10] = [
    b"-1",
    b"9223372036854775808",
    b"18446744073709551616",
    b"-9223372036854775808",
    b"1e999",
    b"\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\0\0\0\0\0\0\0\x80",
    b"\xff\xff\xff\xff",
    b"\xc3\xa9",
    b"\0",
];

/// The seeds, and `count` inputs made from them.
pub fn mutations(seeds: &[Vec<u8>], count: usize) -> impl Iterator<Item = Vec<u8>> + '_ {
    let mut random = Random::new(1);
    let mutated = (0..count).map(move |at| {
        let mut input = seeds[at % seeds.len()].clone();
        for _ in 0..=random.below(CHANGES) {
            change(&mut input, seeds, &mut random);
        }
        input
    });
    seeds.iter().cloned().chain(mutated)
}

/// The files of a directory, in the order of their names; none if there is no such directory.
///
/// # Panics
/// If one cannot be read.
pub fn files(directory: &Path) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(directory).into_iter().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a seed")).collect()
}

fn change(input: &mut Vec<u8>, seeds: &[Vec<u8>], random: &mut Random) {
    let at = random.below(input.len() + 1);
    let end = input.len().min(at + 1 + random.below(PART));
    match random.below(8) {
        0 => input.truncate(at),
        1 => drop(input.drain(at..end)),
        2 => {
            let part = input[at..end].to_vec();
            let to = random.below(input.len() + 1);
            input.splice(to..to, part);
        }
        3 => drop(input.splice(at..end, random.pick(&EDGES).iter().copied())),
        4 => drop(input.splice(at..at, random.pick(&EDGES).iter().copied())),
        5 => {
            let other = &seeds[random.below(seeds.len())];
            let from = random.below(other.len() + 1);
            let part = &other[from..other.len().min(from + PART)];
            input.splice(at..end, part.iter().copied());
        }
        _ => {
            if let Some(byte) = input.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seeds_give_the_same_inputs() {
        let seeds = [b"first".to_vec(), b"second one".to_vec()];
        let all: Vec<_> = mutations(&seeds, 200).collect();
        assert_eq!(all.len(), 202);
        assert_eq!(all, mutations(&seeds, 200).collect::<Vec<_>>());
        assert!(all[2..].iter().filter(|input| !seeds.contains(input)).count() > 150);
    }
}
