//! Entry of the fuzz target `assembly` (`fuzz/`): arbitrary bytes are read as assembly.
//!
//! The target checks that nothing panics, and that every plan has the properties that the pass relies on: an
//! access uses only values of earlier accesses, and only of those that produce a value.

use super::{AccessKind, Plan, Source, Step, destination, understand};

/// Reads bytes as assembly.
///
/// # Panics
/// If a plan has a value that the pass cannot translate: a defect of this crate.
pub fn assembly(bytes: &[u8]) {
    let printed = String::from_utf8_lossy(bytes);
    if let Some(plan) = understand(&printed) {
        check(&plan);
    }
    let _ = destination(&printed);
}

/// The assembly in the inputs of the pass's tests, as LLVM prints it.
///
/// # Panics
/// If those cannot be read.
#[must_use]
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for name in ["assembly", "jumps"] {
        let path = format!("{}/../tests/pass/{name}.ll", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("a test of the pass");
        let printed = text.lines().filter_map(|line| {
            let from = line.find("asm ")?;
            Some(format!("ptr {}\"", line[from..].rsplit_once("\"(")?.0))
        });
        seeds.extend(printed.map(String::into_bytes));
    }
    seeds
}

fn check(plan: &Plan) {
    let mut before = Vec::new();
    for step in &plan.steps {
        match *step {
            Step::Fence(_) => {}
            Step::Access(access) => {
                access.kind.inputs().into_iter().for_each(|source| check_source(source, &before));
                before.push(access.kind);
            }
            Step::Output { source, .. } => check_source(source, &before),
        }
    }
    plan.results.iter().for_each(|&source| check_source(source, &before));
}

fn check_source(source: Source, before: &[AccessKind]) {
    let exists = match source {
        Source::Argument(_) | Source::Constant(_) => true,
        Source::Old(access) => before.get(access).is_some_and(|kind| !matches!(kind, AccessKind::Store(_))),
        Source::OldHigh(access) => matches!(before.get(access), Some(AccessKind::CmpXchgPair { .. })),
        Source::Flag { access, .. } => {
            let sets_flags = |kind: &AccessKind| !matches!(kind, AccessKind::Load | AccessKind::Store(_));
            before.get(access).is_some_and(sets_flags)
        }
    };
    assert!(exists, "{source:?} after {before:?}");
}

#[cfg(test)]
mod tests {
    use rmc_tests::harness::repository;
    use rmc_tests::mutations::{files, mutations};

    use super::*;

    #[test]
    fn the_seeds_are_understood() {
        let printed = |seed: &Vec<u8>| String::from_utf8(seed.clone()).expect("text");
        let seeds = seeds();
        let understood = seeds.iter().filter(|seed| understand(&printed(seed)).is_some()).count();
        let jumps = seeds.iter().filter(|seed| destination(&printed(seed)).is_some()).count();
        assert!(understood > 40 && jumps > 2, "{understood} and {jumps} of {}", seeds.len());
    }

    #[test]
    fn assembly_is_read_without_a_panic() {
        let seeds = [seeds(), files(&repository().join("fuzz/seeds/assembly"))].concat();
        mutations(&seeds, 100_000).for_each(|input| assembly(&input));
    }
}
