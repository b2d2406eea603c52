//! Deferred inputs are exact: random programs have the same verdict, whether values are chosen where they
//! matter or where the program asks for them. In the explicit engine there are never more states. The
//! stateless engines agree with it, and both find the same kinds of violations (`--cross-check`).
//!
//! States that are subsumed by others are left out: the verdict is that of a search without subsumption, with
//! as many states or fewer, and with two workers there are as many as with one.
//!
//! Sizes of memory that stay open are exact, too: on random programs the engines agree with the search in
//! which sizes are enumerated. There may be more states than with enumerated sizes, because those with
//! different parts of an object stored are different.
//!
//! The engines find the same final states where what a step accesses in an atomic section depends on answers.
//!
//! `RMC_NONDET=N` runs N programs of each kind for each model instead of the usual few, `RMC_NONDET_FROM=K`
//! leaves out the first K. The numbers of programs are printed.

use std::collections::BTreeSet;

use rmc_tests::harness::entries::{Checked, File, MOST, Program};
use rmc_tests::nondet::{self, Kind};
use rmc_tests::{asking, sizes};

/// The number of programs of each kind for each model in an ordinary run.
const PROGRAMS: u64 = 24;

/// The number of states after which a program is left undecided.
const LIMIT: &str = "10000";
/// The number of events after which a program is left undecided where a stateless engine enumerates values:
/// an atomic section that asks for two is run for each pair, for one event.
const ENUMERATED_LIMIT: &str = "2000";

/// The results for programs in a file, with several sets of options.
struct Compared {
    programs: Vec<Program>,
    /// The options of a set, and a result for each program.
    results: Vec<(Vec<String>, Vec<Checked>)>,
}

impl Compared {
    /// Programs that begin with `head`, checked with each of the sets of options and those of `common`.
    #[track_caller]
    fn new(head: &str, programs: Vec<Program>, common: &[&str], sets: &[&[&str]]) -> Self {
        let file = File::new(head, &programs);
        let with = |options: &&[&str]| {
            let limits = ["--svcomp", "--cflags=-fwrapv", "--max-states", LIMIT, "--timeout", "60"];
            let options = [&limits[..], common, options].concat();
            (options.iter().map(|&option| option.to_owned()).collect(), file.check(&options))
        };
        let results = sets.iter().map(with).collect();
        Self { programs, results }
    }

    /// The results for a program, in the order of the sets.
    fn of(&self, program: usize) -> Vec<&Checked> {
        self.results.iter().map(|(_, checked)| &checked[program]).collect()
    }

    fn describe(&self, program: usize) -> String {
        let result = |(options, checked): &(Vec<String>, Vec<Checked>)| {
            format!("{}: {}\n", options.join(" "), checked[program].words)
        };
        self.results.iter().map(result).collect::<String>() + &self.programs[program].functions
    }

    /// The verdicts of a program; there must not be two, and none of its runs must be refused.
    #[track_caller]
    fn agree(&self, program: usize) {
        let codes = || self.of(program).into_iter().map(|checked| checked.code);
        assert!(codes().all(|code| code != 2), "{}", self.describe(program));
        let verdicts: BTreeSet<i32> = codes().filter(|&code| code != 3).collect();
        assert!(verdicts.len() <= 1, "{}", self.describe(program));
    }
}

/// The seeds of the programs in each file, and the options for the file: the model, and one of the texts of
/// `looked_for`. In a file, all seeds have the same remainder.
fn files(model: &str, first: u64, looked_for: &[&'static str]) -> Vec<(Vec<u64>, Vec<String>)> {
    let (programs, first) = (number("RMC_NONDET", PROGRAMS), first + number("RMC_NONDET_FROM", 0));
    let kinds = looked_for.len() as u64;
    let of_kind = |kind: u64| (first..first + programs).filter(move |seed| seed % kinds == kind).collect::<Vec<_>>();
    let mut files = Vec::new();
    for (kind, looked_for) in (0..).zip(looked_for) {
        let model = ["--relaxed-memory", model].map(str::to_owned);
        let options: Vec<_> = model.into_iter().chain(looked_for.split_whitespace().map(str::to_owned)).collect();
        files.extend(of_kind(kind).chunks(MOST).map(|seeds| (seeds.to_vec(), options.clone())));
    }
    files
}

/// The number in a variable of the environment, or the usual one.
fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |number| number.parse().expect("a number"))
}

/// The numbers of programs of a kind.
#[derive(Debug, Default)]
struct Numbers {
    /// All that have a verdict with values enumerated.
    enumerated: u64,
    /// Those of them that have one with deferred inputs, too.
    deferred: u64,
    /// Violated ones.
    violated: u64,
    /// States that were left out of proofs because they are subsumed.
    subsumed: u64,
}

/// Compares deferred with enumerated inputs in the explicit engine.
#[track_caller]
fn compare_explicit(model: &str, first: u64, kind: Kind) -> Numbers {
    let mut numbers = Numbers::default();
    let sets: [&[&str]; 4] = [&[], &["--no-reduce", "inputs"], &["--jobs", "2"], &["--no-reduce", "subsumption"]];
    for (seeds, options) in files(model, first, &["--races", "--leaks", "", ""]) {
        let programs = seeds.iter().map(|&seed| nondet::program(seed, kind)).collect();
        let options: Vec<_> = options.iter().map(String::as_str).collect();
        let compared = Compared::new(nondet::HEAD, programs, &options, &sets);
        (0..seeds.len()).for_each(|program| check_explicit(&compared, program, kind, &mut numbers));
    }
    eprintln!("explicit under {model}, {kind:?}: {numbers:?}");
    numbers
}

#[track_caller]
fn check_explicit(compared: &Compared, program: usize, kind: Kind, numbers: &mut Numbers) {
    let describe = || compared.describe(program);
    compared.agree(program);
    let [deferred, enumerated, shared, whole] = compared.of(program)[..] else { panic!("four results") };
    let is_known = enumerated.code != 3;
    numbers.enumerated += u64::from(is_known);
    if deferred.code == 3 {
        // Loops that wait and store are not always decided.
        assert!(!is_known || kind.waits && deferred.report["reason"] == "nondet", "{}", describe());
        return;
    }
    numbers.deferred += u64::from(is_known);
    numbers.violated += u64::from(deferred.code == 1);
    // Two workers see the states of a level in another order, so they may reach the limit before they see the
    // violation of the last level.
    let reached_limit = shared.report["reason"] == "state-limit";
    assert!(deferred.code == shared.code || deferred.code == 1 && reached_limit, "{}", describe());
    // A deadlock in a loop may be found a level earlier or later.
    if deferred.code == 0 {
        assert!(!is_known || deferred.states() <= enumerated.states(), "{}", describe());
        assert_eq!(deferred.states(), shared.states(), "{}", describe());
        let more = whole.states().checked_sub(deferred.states());
        numbers.subsumed += more.unwrap_or_else(|| panic!("{}", describe()));
    }
}

fn check_all(model: &str, first: u64) {
    let compare = |waits, detours| compare_explicit(model, first, Kind { waits, detours, sections: false });
    compare(false, false);
    let merging = compare(false, true);
    assert!(merging.subsumed > 0, "no state was subsumed");
    let waiting = [compare(true, false), compare(true, true)];
    let enumerated: u64 = waiting.iter().map(|numbers| numbers.enumerated).sum();
    let decided: u64 = waiting.iter().map(|numbers| numbers.deferred).sum();
    assert!(4 * decided >= 3 * enumerated, "{decided} of {enumerated} programs that wait are decided");
}

/// The stateless engines, with deferred and with enumerated inputs, beside the explicit one.
fn check_all_stateless(model: &str, first: u64) {
    let (dpor, source) = (["--engine=dpor"], ["--engine=dpor-source"]);
    let enumerated = ["--engine=dpor", "--no-reduce", "inputs", "--max-states", ENUMERATED_LIMIT];
    // A disagreement ends the run.
    let sets: [&[&str]; 5] = [&dpor, &source, &[], &enumerated, &["--cross-check"]];
    for waits in [false, true] {
        let (mut decided, mut all) = (0, 0);
        for (seeds, options) in files(model, first, &["", "--leaks", "", ""]) {
            let kind = |seed: u64| Kind { waits, detours: false, sections: seed.is_multiple_of(3) };
            let programs = seeds.iter().map(|&seed| nondet::program(seed, kind(seed))).collect();
            let options: Vec<_> = options.iter().map(String::as_str).collect();
            let compared = Compared::new(nondet::HEAD, programs, &options, &sets);
            for program in 0..seeds.len() {
                compared.agree(program);
                decided += u64::from(compared.of(program)[..2].iter().all(|checked| checked.code != 3));
            }
            all += seeds.len() as u64;
        }
        eprintln!("stateless under {model}, waits: {waits}: {decided} of {all} decided");
        assert!(4 * decided >= 3 * all, "{decided} of {all} programs are decided");
    }
}

/// Open sizes in all engines beside enumerated ones.
fn check_all_sizes(model: &str, first: u64) {
    let explicit: [&[&str]; 4] = [&[], &["--no-reduce", "subsumption"], &["--jobs", "2"], &["--no-reduce", "inputs"]];
    let stateless: [&[&str]; 2] = [&["--engine=dpor"], &["--engine=dpor-source"]];
    let (mut decided, mut all) = (0, 0);
    for (seeds, options) in files(model, first, &["--races", "--leaks", "", ""]) {
        let options: Vec<_> = options.iter().map(String::as_str).collect();
        // The stateless engines look for no data races.
        let looks_for_races = options.contains(&"--races");
        let sets = if looks_for_races { explicit.to_vec() } else { [&explicit[..], &stateless].concat() };
        let programs = seeds.iter().map(|&seed| sizes::program(seed)).collect();
        let compared = Compared::new(sizes::HEAD, programs, &options, &sets);
        for program in 0..seeds.len() {
            compared.agree(program);
            let mut open = compared.results.iter().filter(|(options, _)| !options.iter().any(|it| it == "inputs"));
            decided += u64::from(open.all(|(_, checked)| checked[program].code != 3));
        }
        all += seeds.len() as u64;
    }
    eprintln!("sizes under {model}: {decided} of {all} decided");
    assert!(4 * decided >= 3 * all, "{decided} of {all} programs are decided");
}

/// All engines where atomic sections ask for values: a disagreement ends the run.
fn check_all_asking(model: &str, first: u64) {
    let sets: [&[&str]; 2] = [&["--no-reduce", "inputs"], &[]];
    for (seeds, options) in files(model, first, &["--cross-check --keep-going"]) {
        let options: Vec<_> = options.iter().map(String::as_str).collect();
        let programs = seeds.iter().map(|&seed| asking::program(seed)).collect();
        let compared = Compared::new(asking::HEAD, programs, &options, &sets);
        for program in 0..seeds.len() {
            compared.agree(program);
            assert!(compared.of(program).iter().all(|checked| checked.code == 0), "{}", compared.describe(program));
        }
    }
}

#[test]
fn sections_that_ask_are_explored_by_all_engines_under_sc() {
    check_all_asking("sc", 19 << 24);
}

#[test]
fn sections_that_ask_are_explored_by_all_engines_under_tso() {
    check_all_asking("tso", 21 << 24);
}

#[test]
fn sections_that_ask_are_explored_by_all_engines_under_pso() {
    check_all_asking("pso", 23 << 24);
}

#[test]
fn open_sizes_are_exact_under_sc() {
    check_all_sizes("sc", 13 << 24);
}

#[test]
fn open_sizes_are_exact_under_tso() {
    check_all_sizes("tso", 15 << 24);
}

#[test]
fn open_sizes_are_exact_under_pso() {
    check_all_sizes("pso", 17 << 24);
}

#[test]
fn stateless_engines_agree_under_sc() {
    check_all_stateless("sc", 7 << 24);
}

#[test]
fn stateless_engines_agree_under_tso() {
    check_all_stateless("tso", 9 << 24);
}

#[test]
fn stateless_engines_agree_under_pso() {
    check_all_stateless("pso", 11 << 24);
}

#[test]
fn deferred_inputs_are_exact_under_sc() {
    check_all("sc", 1 << 24);
}

#[test]
fn deferred_inputs_are_exact_under_tso() {
    check_all("tso", 5 << 24);
}

#[test]
fn deferred_inputs_are_exact_under_pso() {
    check_all("pso", 3 << 24);
}
