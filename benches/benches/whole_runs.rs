//! Whole runs of `rmc-check`: states per second, bytes per state, peak memory.
//!
//! `make bench`, or `cargo bench -p rmc-benches --bench whole_runs [-- NAME]` after a release build. The
//! number of states of every run is asserted before its time is shown, so a faster run explores the same
//! states. With hash compaction a few may be missing, of ring-sc two. Figures compare only within one run of
//! this program, on one machine.
//!
//! The time is spent as follows (perf, philosophers and store_ring tso, one worker): lookups in the cache of
//! steps (`engine/memo.rs`) take a third, most of it waiting for memory; the set of roots a fifth; unfolding
//! vectors a tenth; folding successors to roots less than that, since the results are cached
//! (`store/fold_cache.rs`). The interpreter is not among the ten most expensive functions. With two workers,
//! the data of each must stay in its own caches: levels are sorted by roots for that (`States::sort`), and a
//! worker's cache of pairs is small (`store/pairs.rs`: with 2^15 pairs two workers were slower than one on
//! `stack`, with 2^12 they are not). Two processes that run the same search at the same time do not slow each
//! other down on the machine of the table, so a ratio of 2 is what the machine allows.
//!
//! A worker owns all states with the same left half (`StateStore::owner_of`). The set of roots is returned to
//! the system while it is rebuilt, and LLVM's code before the search. Before these changes, 46 MiB of the
//! process's memory were LLVM's library, and 32 MiB the old set beside the new one.
//!
//! One run of all programs, on an otherwise idle x86-64 server with two processors. The columns are thousands
//! of states per second, with the ratio of two workers to one, and bytes per state with one worker, of the
//! set of known states, the store and the process:
//!
//! | run | states | one worker | two | ratio | file | compact | sleep | table | store | process |
//! |---|---|---|---|---|---|---|---|---|---|---|
//! | filter | 3658 | 180 | 193 | 1.08 | 264 | 249 | 184 | 4.5 | 367.5 | 16617 |
//! | ticket | 28420 | 247 | 156 | 0.63 | 219 | 363 | 315 | 4.6 | 181.2 | 2132 |
//! | queue | 39304 | 386 | 490 | 1.27 | 298 | 307 | 385 | 6.7 | 142.2 | 1542 |
//! | ring-pso | 61275 | 590 | 883 | 1.50 | 520 | 661 | 721 | 8.6 | 53.2 | 989 |
//! | accounts | 263533 | 176 | 227 | 1.29 | 142 | 147 | 153 | 8.0 | 110.0 | 534 |
//! | bakery | 326458 | 406 | 607 | 1.50 | 364 | 402 | 413 | 6.4 | 55.5 | 196 |
//! | philosophers | 419296 | 345 | 505 | 1.46 | 308 | 284 | 257 | 5.0 | 55.7 | 189 |
//! | buffer | 574990 | 361 | 587 | 1.63 | 385 | 408 | 387 | 7.3 | 46.0 | 186 |
//! | seqlock | 1297557 | 1257 | 1928 | 1.53 | 1175 | 1127 | 843 | 6.5 | 20.6 | 48 |
//! | stack | 2148089 | 447 | 708 | 1.58 | 423 | 418 | 444 | 7.8 | 38.9 | 62 |
//! | ring-tso | 2511472 | 836 | 1410 | 1.69 | 796 | 752 | 522 | 6.7 | 21.1 | 58 |
//! | seqlock-4 | 9195294 | 1059 | 1424 | 1.34 | 928 | 966 | 882 | 7.3 | 14.1 | 20 |
//! | ring-sc | 9580354 | 1260 | 1970 | 1.56 | 1055 | 980 | 928 | 7.0 | 14.3 | 21 |
//! | ring-large | 102078345 | 968 | 2014 | 2.08 | 742 | 1020 | 670 | 5.3 | 11.5 | 13 |
//!
//! The same run on the same machine takes a fifth more or less at other times, sometimes a third. Pairs of
//! runs, one right after the other, had ratios of 1.93 (ring-large), 1.75 to 1.88 (ring-sc), 1.28 to 1.77,
//! most above 1.45 (seqlock-4), and one worker up to 1111000, 1311000 and 1059000 states per second. The
//! smallest spaces gain little from a second worker, or lose (ticket).
//!
//! Of seqlock-4 (perf), two workers take 10.8 seconds of processor time where one takes 8.9, in 5.6 seconds
//! and 8.8: 1.65 is the limit there. Nearly all of the difference is in two places in equal parts: the loop
//! over a level, in which successors are sent and received, and finding known steps, for which each worker
//! has its own cache. They are without work for a twentieth of the time. When a hash of the whole root
//! determined the worker of a state, ratios were 1.43 (ring-sc), 1.55 (seqlock-4) and 1.32 (ring-tso), with a
//! lower speed of one worker and 27, 27 and 74 bytes of the process per state.
//!
//! The effect of each reduction, alone and together: states under tso. The second group has `paths` and the
//! named reduction, because steps are hardly longer without `paths`. Most of these runs take a hundredth of a
//! second; where there are more states the time goes with them (philosophers with 6 and 2: 419296 without
//! `guarded`, 20936 with it).
//!
//! | program | none | dead | paths | stores | private | guarded | all | no dead | no paths | no stores | no private | no guarded |
//! |---|---|---|---|---|---|---|---|---|---|---|---|---|
//! | philosophers, 4 and 2 | 25131 | 25131 | 14752 | 10952 | 7936 | 836 | 836 | 836 | 25131 | 836 | 836 | 5904 |
//! | store_ring, 3 and 2 | 11700 | 10997 | 11500 | 8309 | 5798 | 5798 | 3886 | 4190 | 10997 | 5461 | 3886 | 3886 |
//! | ticket_lock, 3 | above 3000000 | 102918 | above 3000000 | above 3000000 | above 3000000 | above 3000000 | 28420 | above 3000000 | 102918 | 56836 | 28420 | 28420 |
//! | stack, 3 and 1 | 20766 | 20766 | 3055 | 1743 | 252 | 895 | 252 | 252 | 20382 | 252 | 895 | 252 |
//! | patterns/thread_pool | 5893 | 1560 | 1597 | 1264 | 1103 | 165 | 124 | 165 | 1560 | 124 | 124 | 462 |
//! | patterns/bounded_buffer | 1779 | 871 | 722 | 450 | 586 | 81 | 81 | 81 | 871 | 81 | 81 | 262 |
//! | locks/clh | 1446 | 1322 | 907 | 460 | 438 | 137 | 55 | 64 | 1322 | 107 | 67 | 181 |
//!
//! Seconds, one worker: ticket_lock 0.07 with all, 0.09 without `stores`, 0.21 without `paths`, more than 4.5
//! without `dead`.
//!
//! At that time `all` was without `sleep`, which leaves out steps but no states. It leaves out this many of a
//! hundred steps of the runs below, with one worker: philosophers 63, accounts 54, ring-sc 33, ring-tso 26,
//! bakery 22, ring-pso 18, filter 15, ticket 13, queue 7, seqlock 3; none of buffer and stack, whose steps
//! make and free objects. Seconds without it divided by seconds with it: philosophers 1.14, ring-sc 1.0 (two
//! workers: 1.05), ring-tso 0.83, the others between. Taking a cached step costs little more than leaving it
//! out, because the check whether two steps commute is a lookup, too.

use std::process::ExitCode;

use rmc_benches::{number, print_lines};
use serde_json::Value;

/// A program, the options it is run with, and its number of states.
struct Run {
    name: &'static str,
    model: &'static str,
    options: &'static [&'static str],
    program: &'static str,
    states: u64,
}

const fn run(
    name: &'static str,
    model: &'static str,
    options: &'static [&'static str],
    program: &'static str,
    states: u64,
) -> Run {
    Run { name, model, options, program, states }
}

const RUNS: [Run; 14] = [
    run("filter", "pso", &["-DFENCE_PSO"], "tests/programs/mutex/peterson_filter.c", 3_658),
    run("ticket", "pso", &["-DN=3"], "benches/programs/ticket_lock.c", 28_420),
    run("queue", "tso", &["-DN=3", "-DITEMS=1"], "benches/programs/queue.c", 39_304),
    run("ring-pso", "pso", &["-DN=3", "-DROUNDS=3"], "benches/programs/store_ring.c", 61_275),
    run("accounts", "tso", &["-DN=5", "-DROUNDS=3"], "benches/programs/accounts.c", 263_533),
    run("bakery", "tso", &["-DN=3", "-DROUNDS=2"], "benches/programs/bakery.c", 326_458),
    run("philosophers", "tso", &["-DN=6", "-DROUNDS=2"], "benches/programs/philosophers.c", 419_296),
    run("buffer", "tso", &["-DN=3", "-DITEMS=2"], "benches/programs/bounded_buffer.c", 574_990),
    run("seqlock", "tso", &["-DN=3", "-DWRITES=3"], "benches/programs/seqlock.c", 1_297_557),
    run("stack", "tso", &["-DN=4", "-DITEMS=2"], "benches/programs/stack.c", 2_148_089),
    run("ring-tso", "tso", &["-DN=4", "-DROUNDS=3"], "benches/programs/store_ring.c", 2_511_472),
    run("seqlock-4", "tso", &["-DN=4", "-DWRITES=2"], "benches/programs/seqlock.c", 9_195_294),
    run("ring-sc", "sc", &["-DN=4", "-DROUNDS=4"], "benches/programs/store_ring.c", 9_580_354),
    run("ring-large", "sc", &["-DN=4", "-DROUNDS=5"], "benches/programs/store_ring.c", 102_078_345),
];

/// A configuration of the store that finds the same states.
struct Variant {
    name: &'static str,
    options: &'static [&'static str],
    /// True if large tables are in a file.
    in_file: bool,
    /// True if its verdict can be `holds`.
    proves: bool,
}

impl Variant {
    /// True if it may find `found` of `all` states. A variant that is no proof takes a state for another one
    /// if their hashes of 48 bits are equal, which is expected for about n^2 / 2^49 of n states; states that
    /// are reachable only from those are missing too.
    fn agrees(&self, found: f64, all: f64) -> bool {
        let mistaken = all * all / 2f64.powi(49);
        found == all || !self.proves && found < all && found >= all - 8.0 - 2.0 * mistaken
    }
}

const ONE: Variant = Variant { name: "one worker", options: &[], in_file: false, proves: true };
const TWO: Variant = Variant { name: "two workers", options: &["--jobs", "2"], in_file: false, proves: true };
const FILE: Variant = Variant { name: "in a file", options: &[], in_file: true, proves: true };
const COMPACT: Variant =
    Variant { name: "hash compaction", options: &["--store", "compact"], in_file: false, proves: false };

const SLEEP: Variant = Variant {
    name: "sleep sets",
    options: &["--reduce", "dead,paths,stores,private,sleep"],
    in_file: false,
    proves: true,
};

/// The limits of a run without reductions; a run that does not end within them is not compared.
const UNREDUCED: [&str; 6] = ["--reduce", "none", "--max-states", "4000000", "--timeout", "60"];

/// The measurements of one run.
struct Measured {
    states_per_second: f64,
    /// Bytes per state: of the set of known states, of the whole store, of the process.
    table: f64,
    store: f64,
    process: f64,
    /// Peak memory in bytes.
    peak: f64,
}

fn main() -> ExitCode {
    println!(
        "Thousands of states per second with one worker, with two, their ratio, with tables in a file, with hash compaction,"
    );
    println!(
        "and with sleep sets. Bytes per state with one worker: the set of known states, the store, the process. States"
    );
    println!("without reductions, where that ends.\n");
    println!(
        "| run | states | one | two | ratio | file | compact | sleep | table | store | process | peak | unreduced |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    print_lines(&RUNS, |run| run.name, line)
}

/// The line of the table.
fn line(run: &Run) -> Result<String, String> {
    let (one, two) = (measure(run, &ONE)?, measure(run, &TWO)?);
    let (file, compact, sleep) = (measure(run, &FILE)?, measure(run, &COMPACT)?, measure(run, &SLEEP)?);
    let speed = |measured: &Measured| format!("{:.0}", measured.states_per_second / 1000.0);
    Ok(format!(
        "| {} | {} | {} | {} | {:.2} | {} | {} | {} | {:.1} | {:.1} | {:.0} | {:.0} MiB | {} |",
        run.name,
        run.states,
        speed(&one),
        speed(&two),
        two.states_per_second / one.states_per_second,
        speed(&file),
        speed(&compact),
        speed(&sleep),
        one.table,
        one.store,
        one.process,
        one.peak / f64::from(1 << 20),
        unreduced(run)?,
    ))
}

fn measure(run: &Run, variant: &Variant) -> Result<Measured, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = directory.path().join("store").display().to_string();
    let mut options: Vec<&str> = variant.options.to_vec();
    if variant.in_file {
        options.extend(["--store-file", &file]);
    }
    let report = report(run, &options)?;
    let statistics = &report["statistics"];
    let number = |name: &str| number(&report, name);
    let verdict = if variant.proves { "holds" } else { "unknown" };
    if report["verdict"] != verdict || !variant.agrees(number("states")?, run.states as f64) {
        let found = format!("{} with {} states", report["verdict"], number("states")?);
        return Err(format!("{found}, {}; expected {verdict} with {}", variant.name, run.states));
    }
    let shares = statistics["measures"]["bytes"].as_array().ok_or("the report has no shares of memory")?;
    let table = shares.iter().find(|share| share["what"] == "index of states").ok_or("no table of states")?;
    let states = run.states as f64;
    Ok(Measured {
        states_per_second: number("states_per_second")?,
        table: table["bytes"].as_f64().unwrap_or_default() / states,
        store: number("bytes_per_state")?,
        process: number("peak_rss_bytes")? / states,
        peak: number("peak_rss_bytes")?,
    })
}

/// The number of states without reductions, if that run ends. The verdict must be the same.
fn unreduced(run: &Run) -> Result<String, String> {
    let report = report(run, &UNREDUCED)?;
    match report["verdict"].as_str() {
        Some("holds") => Ok(report["statistics"]["states"].to_string()),
        Some("unknown") => Ok("-".to_owned()),
        other => Err(format!("{other:?} without reductions")),
    }
}

fn report(run: &Run, options: &[&str]) -> Result<Value, String> {
    rmc_benches::report(&[&["--relaxed-memory", run.model], options, run.options, &[run.program]].concat())
}
