//! The number of reads-from classes of the executions that `dpor` explores, for programs whose number is
//! known by counting the stores that each load can read from; and a program whose classes `reads-from` finds
//! without deciding a history.

use rmc_tests::harness::outside::{check, file, text};
use rmc_tests::harness::process::run_with_report;

const HEAD: &str = "#include <pthread.h>
int x, y;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define STORE(to, value) __atomic_store_n(&(to), value, __ATOMIC_RELAXED)
#define LOAD(from) __atomic_load_n(&(from), __ATOMIC_RELAXED)
";

/// A program with a thread for each of these bodies.
fn program(bodies: &[&str]) -> String {
    let threads = bodies.iter().enumerate();
    let functions = threads.map(|(at, body)| format!("static void *thread{at}(void *unused) {{ {body} return 0; }}\n"));
    let create = (0..bodies.len()).map(|at| format!("pthread_create(&threads[{at}], 0, thread{at}, 0); "));
    let join = (0..bodies.len()).map(|at| format!("pthread_join(threads[{at}], 0); "));
    let main = [format!("int main(void) {{ pthread_t threads[{}]; ", bodies.len())].into_iter();
    [HEAD.to_owned()]
        .into_iter()
        .chain(functions)
        .chain(main)
        .chain(create)
        .chain(join)
        .chain(["}\n".to_owned()])
        .collect()
}

/// Checks the numbers of classes under sc, tso and pso, and of executions under sc.
#[track_caller]
fn expect(bodies: &[&str], classes: [u64; 3], executions: u64) {
    let (_directory, path) = file("program.c", program(bodies));
    for (model, classes) in ["sc", "tso", "pso"].into_iter().zip(classes) {
        for engine in ["--engine=dpor", "--engine=dpor-source"] {
            let (run, report) = run_with_report([engine, "--count-classes", "--relaxed-memory", model, text(&path)]);
            check(&run, 0, &[]);
            let statistics = &report.expect("a report")["statistics"];
            assert_eq!(statistics["reads_from_classes"], classes, "{}", run.describe());
            assert!(run.stdout.contains(&format!("{classes} reads-from classes")), "{}", run.describe());
            assert!(model != "sc" || statistics["executions"] == executions, "{}", run.describe());
        }
    }
}

#[test]
fn stores_that_nobody_reads_have_no_order() {
    expect(&["STORE(x, 1);", "STORE(x, 2);", "STORE(x, 3);"], [1; 3], 6);
    expect(&["STORE(x, 1);", "STORE(x, 2);", "STORE(x, 3);", "LOAD(x);"], [4; 3], 24);
}

/// The program of `robustness/same_classes.c`.
#[test]
fn delayed_stores_need_not_make_classes() {
    expect(&["STORE(x, 1); STORE(y, 1);", "STORE(y, 2); LOAD(x);"], [2; 3], 3);
}

#[test]
fn delayed_stores_make_classes() {
    expect(&["STORE(x, 1); LOAD(y);", "STORE(y, 1); LOAD(x);"], [3, 4, 4], 3);
    expect(&["STORE(x, 1); STORE(y, 1);", "LOAD(y); LOAD(x);"], [3, 3, 4], 3);
}

#[test]
fn two_loads_of_one_variable_read_in_its_order() {
    expect(&["STORE(x, 1); STORE(x, 2);", "LOAD(x); LOAD(x);"], [6; 3], 6);
}

#[test]
fn a_load_that_finds_an_own_store_waiting_reads_that() {
    // Its own store, or the other one if that came to memory in between.
    expect(&["STORE(x, 1); LOAD(x);", "STORE(x, 2);"], [2; 3], 3);
}

#[test]
fn each_update_reads_the_one_before() {
    let update = "__atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);";
    expect(&[update, update, update], [6; 3], 6);
}

#[test]
fn each_critical_section_reads_the_one_before() {
    let section = "pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock);";
    expect(&[section, section], [2; 3], 2);
    expect(&[section, section, section], [6; 3], 6);
}

/// An event was looked up in a state in which its thread does not exist yet.
#[test]
fn a_thread_that_does_not_exist_yet_takes_no_step() {
    let options = ["--engine=dpor", "--count-classes", "--relaxed-memory", "sc"];
    let program = ["-DPOSTS", "-DWAITS=2", "-DN=4", "tests/programs/traces/sums.c"];
    let (run, report) = run_with_report(options.iter().chain(&program));
    check(&run, 0, &[]);
    assert_eq!(report.expect("a report")["statistics"]["reads_from_classes"], 8, "{}", run.describe());
}

/// Loads of memory that a thread filled were asked to read it as it was when it began.
#[test]
fn memory_that_was_filled_before_is_read_without_decisions() {
    for model in ["sc", "tso", "pso"] {
        let options = ["--engine=reads-from", "--relaxed-memory", model, "tests/programs/memory/record_after_join.c"];
        let (run, report) = run_with_report(options);
        check(&run, 0, &[]);
        let statistics = &report.expect("a report")["statistics"];
        assert_eq!(statistics["reads_from_classes"], 4, "{}", run.describe());
        assert!(statistics.get("histories").is_none(), "{}", run.describe());
    }
}

/// Checks the number of classes that `reads-from` finds under every model, in each of which it finds them in
/// other orders of the events at hand.
#[track_caller]
fn expect_without_decisions(source: &str, classes: u64) {
    let (_directory, path) = file("program.c", source);
    for model in ["sc", "tso", "pso"] {
        let (run, report) = run_with_report(["--engine=reads-from", "--relaxed-memory", model, text(&path)]);
        check(&run, 0, &[]);
        let statistics = &report.expect("a report")["statistics"];
        assert_eq!(statistics["reads_from_classes"], classes, "{}", run.describe());
        assert!(statistics.get("histories").is_none(), "{}: {}", run.describe(), statistics["histories"]);
    }
}

/// The last load comes after all stores, so these have to change places.
#[test]
fn a_load_after_all_others_is_read_without_decisions() {
    let source =
        program(&["STORE(x, LOAD(x) + 1);", "STORE(x, LOAD(x) + 1);", "STORE(y, LOAD(x)); STORE(x, LOAD(y));"]);
    let (before, end) = source.rsplit_once('}').expect("the end of main");
    expect_without_decisions(&format!("{before}LOAD(x); LOAD(y); }}{end}"), 27);
}

/// Loads of one thread move stores of the other one before it, and later steps have to follow these.
#[test]
fn loads_of_own_and_other_stores_are_read_without_decisions() {
    let body = |value: u32| format!("STORE(x, {value}); LOAD(x); ").repeat(3);
    expect_without_decisions(&program(&[&body(1), &body(2)]), 141);
}

#[test]
fn a_thread_that_is_alone_decides_by_what_it_loads() {
    for (program, options) in [
        ("threads/creates_if_it_loads.c", ["-DWHICH=1", "-DHOLDS"]),
        ("memory/frees_what_it_loads.c", ["-DNOT_FREED", "-q"]),
    ] {
        let path = format!("tests/programs/{program}");
        for engine in [&["--engine=reads-from"][..], &["--engine=dpor", "--count-classes"]] {
            let (run, report) = run_with_report([engine, &options, &[&path[..]]].concat());
            check(&run, 0, &[]);
            assert_eq!(report.expect("a report")["statistics"]["reads_from_classes"], 2, "{}", run.describe());
        }
    }
}
