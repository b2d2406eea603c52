//! Memory that ends while others have pointers to it: whether it is used before its name is taken again, by
//! the engines on random programs, and by going through all interleavings. And the engines agree on random
//! programs whose threads free memory of others, allocate anew, and compare addresses.

use rmc_tests::generated::dangling::{HEAD, program};
use rmc_tests::generated::frees;
use rmc_tests::generated::random::Random;
use rmc_tests::harness::entries::{File, MOST};

/// The least part of the programs that are wrong, and of those that are not, so that answers mean something.
const LEAST: usize = MOST / 10;

#[track_caller]
fn check(seed: u64, options: &[&str]) {
    let mut random = Random::new(seed);
    let (programs, expected): (Vec<_>, Vec<_>) = (0..MOST).map(|number| program(&mut random, number)).unzip();
    let checked = File::new(HEAD, &programs).check(&[&["-q", "--relaxed-memory"], options].concat());
    for ((program, is_used), checked) in programs.iter().zip(&expected).zip(&checked) {
        assert_eq!(checked.code, i32::from(*is_used), "{}\n{HEAD}{}", checked.words, program.functions);
    }
    let wrong = expected.iter().filter(|is_used| **is_used).count();
    assert!((LEAST..=MOST - LEAST).contains(&wrong), "{wrong} of {MOST} programs are wrong");
}

macro_rules! tests {
    ($($name:ident: $options:expr;)*) => { $(
        #[test]
        fn $name() {
            for seed in 0..2 {
                check(seed, &$options);
            }
        }
    )* };
}

tests! {
    explicit: ["sc"];
    explicit_tso: ["tso"];
    explicit_without_local_memory: ["pso", "--no-local-memory"];
    explicit_without_reductions: ["sc", "--reduce=none", "--no-local-memory"];
    dpor: ["sc", "--engine=dpor"];
    dpor_tso: ["tso", "--engine=dpor", "--no-local-memory"];
    reads_from: ["sc", "--engine=reads-from"];
    reads_from_pso: ["pso", "--engine=reads-from"];
}

/// The engines on programs with this seed, under a model. A disagreement ends the run.
#[track_caller]
fn check_frees(seed: u64, model: &str) {
    let mut random = Random::new(seed);
    let programs: Vec<_> = (0..MOST).map(|number| frees::program(&mut random, number)).collect();
    let options = ["-q", "--relaxed-memory", model, "--cross-check", "--max-states", "20000", "--timeout", "60"];
    let checked = File::new(frees::HEAD, &programs).check(&options);
    for (program, checked) in programs.iter().zip(&checked) {
        let is_refused = checked.code == 2 && checked.words.contains("unsupported");
        let is_answered = matches!(checked.code, 0 | 1 | 3);
        assert!(is_answered || is_refused, "{}\n{}{}", checked.words, frees::HEAD, program.functions);
    }
    let answered = checked.iter().filter(|checked| matches!(checked.code, 0 | 1)).count();
    assert!(2 * answered >= MOST, "{answered} of {MOST} programs have a verdict");
}

#[test]
fn engines_agree_where_others_free_under_sc() {
    check_frees(31 << 24, "sc");
}

#[test]
fn engines_agree_where_others_free_under_tso() {
    check_frees(33 << 24, "tso");
}

#[test]
fn engines_agree_where_others_free_under_pso() {
    check_frees(35 << 24, "pso");
}
