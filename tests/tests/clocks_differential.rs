//! Clocks that pass are exact: random programs that read them have the same verdict as with a clock that is
//! written in the program, and that chooses at each reading whether it goes on. That clock is read in an
//! atomic section, which is a fence, so they are compared under SC.
//!
//! `RMC_CLOCKS=N` runs N programs instead of the usual ones. The numbers of programs are printed.

use std::thread;

use rmc_tests::harness::entries::{File, MOST};
use rmc_tests::timed;

/// The number of programs in an ordinary run.
const PROGRAMS: u64 = 60;

/// The options of all runs.
const COMMON: [&str; 7] = ["--svcomp", "--relaxed-memory", "sc", "--max-states", "3000", "--timeout", "60"];

#[test]
fn clocks_that_pass_show_the_orders_of_times_that_a_clock_of_the_program_shows() {
    let programs = std::env::var("RMC_CLOCKS").map_or(PROGRAMS, |number| number.parse().expect("a number"));
    let (mut holds, mut violated) = (0, 0);
    for first in (0..programs).step_by(MOST) {
        let programs: Vec<_> = (first..programs.min(first + MOST as u64)).map(timed::program).collect();
        let file = File::new(timed::HEAD, &programs);
        let check = |option| file.check(&[&COMMON[..], &[option]].concat());
        let (passing, own) = thread::scope(|scope| {
            let passing = scope.spawn(|| check("--clocks=pass"));
            let own = check("-DOWN");
            (passing.join().expect("a check"), own)
        });
        for ((program, passing), own) in programs.iter().zip(&passing).zip(&own) {
            let describe = || format!("passing: {}\nown: {}\n{}", passing.words, own.words, program.functions);
            assert!(passing.code != 2 && own.code != 2, "{}", describe());
            if passing.code == 3 || own.code == 3 {
                continue;
            }
            assert_eq!(passing.code, own.code, "{}", describe());
            *(if own.code == 0 { &mut holds } else { &mut violated }) += 1;
        }
    }
    eprintln!("{programs} programs: {holds} hold, {violated} are violated");
    assert!(5 * (holds + violated) >= 4 * programs, "{} of {programs} programs are decided", holds + violated);
    assert!(holds >= programs / 8 && violated >= programs / 8, "{holds} hold, {violated} are violated");
}
