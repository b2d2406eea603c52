//! The symbolic engine on every program: it never finds a violation that is none, never disagrees with the
//! machine, and finds the violations of a list.
//!
//! * `small bounds PROGRAM OPTIONS MODEL`: each variant under one of its models in turn, with small bounds.
//!   Every third variant, or all with `RMC_SYMBOLIC`, whatever its value.
//! * `found PROGRAM OPTIONS MODEL`: violations that the engine finds within a second.

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::harness::expectation::{Expected, Model, Variant};
use rmc_tests::harness::process::run_with_report;
use rmc_tests::harness::programs::{Program, programs};

/// The options of the runs with small bounds.
const SMALL: [&str; 5] = ["--unroll=2", "--rounds=2", "--max-clock=3", "--writes=3", "--timeout=1"];

/// Of the variants, every so manieth is in the ordinary run.
const STEP: usize = 3;

/// The number of seconds that the search for a violation of the list may take.
const TIMEOUT: &str = "--timeout=60";

/// Options of other engines, and of searches that this one does not do.
const OTHERS: [&str; 13] = [
    "--engine",
    "--robustness",
    "--cross-check",
    "--max",
    "--timeout",
    "--jobs",
    "--races",
    "--spurious",
    "--reduce",
    "--no-reduce",
    "--keep-going",
    "--leaks",
    "--unroll",
];

/// Kinds of violations for which the engine does not look, so that it may find another one behind them.
const NOT_LOOKED_FOR: [&str; 9] = [
    "use-after-free",
    "use-after-return",
    "double-free",
    "join-twice",
    "destroy-held",
    "destroy-waited",
    "uninitialised-mutex",
    "uninitialised-sync",
    "wait-two-mutexes",
];

/// Programs, options and models with a violation that is found.
const FOUND: &[(&str, &str, &str)] = &[
    ("tests/programs/awaits/unused_results.c", "-DSEEN", "pso"),
    ("tests/programs/choice/lock_order.c", "", "tso"),
    ("tests/programs/copies/load_order.c", "-DSEEN=1", "tso"),
    ("tests/programs/inputs/equal_stores.c", "--svcomp -DWRONG --buffer-bound=0", "sc"),
    ("tests/programs/inputs/indices.c", "--svcomp -DWRONG", "tso"),
    ("tests/programs/inputs/places.c", "--svcomp -DBEYOND", "sc"),
    ("tests/programs/inputs/remembered.c", "--svcomp -DOTHER", "tso"),
    ("tests/programs/language/assembly_jumps.c", "-DTHREADS", "tso"),
    ("tests/programs/language/bit_fields.c", "-DTHREADS", "sc"),
    ("tests/programs/language/variable_length.c", "-DTOO_FAR", "pso"),
    ("tests/programs/libc/atomic_functions.c", "-DFENCE=memory_order_release", "tso"),
    ("tests/programs/lockfree/chase_lev.c", "-DNO_LAST_RACE", "sc"),
    ("tests/programs/lockfree/single_producer_ring.c", "-DRELAXED", "pso"),
    ("tests/programs/locks/biased.c", "", "tso"),
    ("tests/programs/locks/big_reader.c", "-DNO_READER_FENCE", "tso"),
    ("tests/programs/locks/reader_writer.c", "-DRELAXED_UNLOCK", "pso"),
    ("tests/programs/locks/semaphore_array.c", "", "tso"),
    ("tests/programs/locks/seqlock.c", "-DNO_ENTRY_BARRIER", "pso"),
    ("tests/programs/locks/ticket.c", "-DRELAXED_UNLOCK", "pso"),
    ("tests/programs/memory/dropped_store_was_seen.c", "", "tso"),
    ("tests/programs/memory/handover.c", "-DRELAXED", "pso"),
    ("tests/programs/memory/out_of_bounds_global.c", "", "tso"),
    ("tests/programs/memory/out_of_bounds_stack.c", "", "tso"),
    ("tests/programs/memory/uninitialised_dereference.c", "", "tso"),
    ("tests/programs/memory/write_to_constant.c", "", "pso"),
    ("tests/programs/mutex/bakery.c", "", "tso"),
    ("tests/programs/mutex/burns.c", "-DFENCE_TSO", "pso"),
    ("tests/programs/mutex/dekker.c", "", "tso"),
    ("tests/programs/mutex/kessels.c", "", "tso"),
    ("tests/programs/mutex/peterson.c", "", "tso"),
    ("tests/programs/mutex/szymanski.c", "", "tso"),
    ("tests/programs/ordering/bytes_of_one_word.c", "", "pso"),
    ("tests/programs/ordering/committed_order.c", "", "pso"),
    ("tests/programs/ordering/fences_of_headers.c", "-DFENCE=_mm_sfence", "tso"),
    ("tests/programs/ordering/message_passing.c", "", "pso"),
    ("tests/programs/ordering/mixed_sizes.c", "", "tso"),
    ("tests/programs/ordering/moves_in_assembly.c", "", "tso"),
    ("tests/programs/ordering/own_store_first.c", "", "tso"),
    ("tests/programs/ordering/plain_flag.c", "", "pso"),
    ("tests/programs/ordering/printf_reads_committed_text.c", "", "pso"),
    ("tests/programs/ordering/store_buffering.c", "", "tso"),
    ("tests/programs/ordering/store_buffering_plain.c", "", "tso"),
    ("tests/programs/ordering/test_and_set_lock.c", "-DUNLOCK_ORDER=memory_order_relaxed", "pso"),
    ("tests/programs/patterns/asymmetric_fence.c", "-DNO_BARRIER", "tso"),
    ("tests/programs/patterns/double_checked_locking.c", "", "pso"),
    ("tests/programs/patterns/read_copy_update.c", "-DRELAXED_PUBLISH", "pso"),
    ("tests/programs/patterns/dining_philosophers.c", "", "sc"),
    ("tests/programs/patterns/lost_wakeup.c", "", "tso"),
    ("tests/programs/svcomp/own_definitions.c", "--svcomp", "sc"),
    ("tests/programs/sync/condition_lost_wakeup.c", "", "sc"),
    ("tests/programs/sync/deadlock_of_the_living.c", "", "pso"),
    ("tests/programs/sync/join_self.c", "", "sc"),
    ("tests/programs/sync/lock_order.c", "", "tso"),
    ("tests/programs/sync/never_unlocked.c", "", "tso"),
    ("tests/programs/sync/relock.c", "", "pso"),
    ("tests/programs/sync/unlock_not_held.c", "", "tso"),
    ("tests/programs/termination/buffer_bound.c", "-DVIOLATED --buffer-bound=1", "pso"),
    ("tests/programs/termination/exit_of_main_thread.c", "", "sc"),
    ("tests/programs/threads/ends_in_turn.c", "-DUNJOINED", "tso"),
    ("tests/programs/traces/exchange_first.c", "-DREACHED", "pso"),
];

fn main() {
    let arguments = Arguments::from_args();
    let programs = programs();
    let step = if std::env::var_os("RMC_SYMBOLIC").is_some() { 1 } else { STEP };
    let variants = programs.iter().flat_map(|program| program.variants.iter().map(move |variant| (program, variant)));
    let variants = variants.filter(|(_, variant)| is_followed(variant)).enumerate().step_by(step);
    let mut trials: Vec<Trial> = variants.map(|(at, (program, variant))| small_bounds(at, program, variant)).collect();
    trials.extend(FOUND.iter().map(|&(program, options, model)| found(program, options, model)));
    libtest_mimic::run(&arguments, trials).exit();
}

fn is_followed(variant: &Variant) -> bool {
    !variant.options.iter().any(|option| OTHERS.iter().any(|other| option.starts_with(other)))
}

fn small_bounds(at: usize, program: &Program, variant: &Variant) -> Trial {
    let (model, expected) = variant.expected[at % variant.expected.len()].clone();
    let title = ["small bounds", &program.name, &variant.options.join(" "), model.name()].join(" ");
    let (name, options) = (program.name.clone(), variant.options.clone());
    Trial::test(title, move || {
        let (code, kind, described) = symbolic(&name, &options, model, &SMALL);
        match (code, &expected) {
            (Some(2 | 3), _) => Ok(()),
            (Some(1), Expected::Violated(wanted)) if *wanted == kind || NOT_LOOKED_FOR.contains(&wanted.as_str()) => {
                Ok(())
            }
            // The explicit engine did not decide it.
            (Some(1), Expected::Unknown(_) | Expected::Refused(_)) => Ok(()),
            _ => Err(format!("expected {expected}, found {code:?} {kind}\n{described}").into()),
        }
    })
}

fn found(program: &'static str, options: &'static str, model: &'static str) -> Trial {
    Trial::test(["found", program, options, model].join(" "), move || {
        let model = Model::ALL.into_iter().find(|one| one.name() == model).expect("a model");
        let options: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
        let (code, _, described) = symbolic(program, &options, model, &[TIMEOUT]);
        if code == Some(1) { Ok(()) } else { Err(Failed::from(described)) }
    })
}

/// The exit code, the kind of the violation, and the run for a message.
fn symbolic(program: &str, options: &[String], model: Model, bounds: &[&str]) -> (Option<i32>, String, String) {
    let engine = ["--engine=symbolic", "--relaxed-memory", model.name()];
    let own = engine.iter().chain(bounds).map(|&option| option.to_owned());
    let (run, report) = run_with_report(own.chain(options.iter().cloned()).chain([program.to_owned()]));
    let kind = report.as_ref().and_then(|report| report.pointer("/violations/0/kind")?.as_str());
    (run.code, kind.unwrap_or_default().to_owned(), run.describe())
}
