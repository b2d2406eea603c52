//! `--fix`: what is proposed applies with `patch -p1`, compiles, holds, and is no more than what is known.
//!
//! The programs of `tests/programs/mutex` say themselves which fences they need as published: the calls of
//! `store_load` under TSO, and those of `store_store` besides under PSO. The others are here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rmc_tests::harness::process::{self, Run};
use rmc_tests::harness::repository;
use serde_json::Value;
use tempfile::TempDir;

/// A directory with copies of sources, in which the checker runs.
struct Workplace {
    directory: TempDir,
}

impl Workplace {
    fn with(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for (name, text) in files {
            fs::write(directory.path().join(name), text).expect("a file can be written");
        }
        Self { directory }
    }

    /// A copy of one of the mutual exclusion programs, with what it includes.
    fn with_mutex(name: &str) -> Self {
        Self::with(&[(name, &mutex(name)), ("mutex.h", &mutex("mutex.h"))])
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn check(&self, options: &[&str]) -> Run {
        process::run(process::command(options).current_dir(self.directory.path()))
    }

    /// Runs `--fix` and returns its result in the report.
    #[track_caller]
    fn fix(&self, goal: &str, options: &[&str]) -> Value {
        let fixed = [goal, "out.diff", "--report", "report.json"];
        let run = self.check(&fixed.iter().chain(options).copied().collect::<Vec<_>>());
        let report = fs::read(self.path("report.json")).unwrap_or_else(|error| panic!("{error}: {}", run.describe()));
        let report: Value = serde_json::from_slice(&report).expect("a report is JSON");
        assert_eq!(report["repair"]["goal"], if goal == "--fix" { "robustness" } else { "assertions" });
        report["repair"].clone()
    }

    /// Applies the diff that was written.
    #[track_caller]
    fn patch(&self) {
        let mut patch = Command::new("patch");
        let run = process::run(patch.args(["-p1", "-i", "out.diff"]).current_dir(self.directory.path()));
        fs::remove_file(self.path("out.diff")).expect("the diff is there");
        assert_eq!((run.code, run.stdout.contains("fuzz")), (Some(0), false), "{}", run.describe());
    }

    /// Checks that a repair of at most so many edits is found, applies it, and checks that the program holds
    /// then.
    #[track_caller]
    fn repairs(&self, goal: &str, options: &[&str], most: usize) -> Value {
        let repair = self.fix(goal, options);
        assert_eq!(repair["status"], "found", "{repair:#}");
        let count = repair["edits"].as_array().map_or(0, Vec::len);
        assert!((1..=most).contains(&count), "{count} edits, {most} are enough: {repair:#}");
        let written = fs::read_to_string(self.path("out.diff")).expect("a diff is written");
        assert_eq!(repair["diff"], written);
        self.patch();
        let again = if goal == "--fix" { &["--robustness"][..] } else { &[] };
        let run = self.check(&again.iter().chain(options).copied().collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "{}\n{written}", run.describe());
        repair
    }

    /// Checks that nothing is proposed, and returns the result.
    #[track_caller]
    fn proposes_nothing(&self, goal: &str, options: &[&str], status: &str) -> Value {
        let repair = self.fix(goal, options);
        assert_eq!((&repair["status"], &repair["edits"]), (&status.into(), &Value::Null), "{repair:#}");
        assert!(!self.path("out.diff").exists(), "a diff is written");
        repair
    }

    #[track_caller]
    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file can be read")
    }
}

fn mutex(name: &str) -> String {
    source(&format!("mutex/{name}"))
}

/// A program of the suite.
fn source(name: &str) -> String {
    let path = repository().join("tests/programs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The numbers of published fences of a program: full fences, and store-store barriers.
fn published(program: &str) -> [usize; 2] {
    let text = mutex(program);
    ["store_load();", "store_store();"].map(|call| text.matches(call).count())
}

/// Burns' and Dijkstra's programs with the fences that a proof by attacks verifies.
#[test]
fn loops_that_store_in_every_turn_are_made_robust() {
    for (program, most) in [("burns.c", 1), ("dijkstra.c", 2)] {
        let place = Workplace::with_mutex(program);
        let repair = place.repairs("--fix", &["--relaxed-memory", "tso", program], most);
        assert!(repair["verification"]["states"].as_u64().is_some_and(|states| states > 0), "{repair:#}");
    }
}

#[track_caller]
fn mutual_exclusion(program: &str, goals: &[&str]) {
    let [full, barriers] = published(program);
    for (model, fences, most) in [("tso", "-DFENCE_TSO", full), ("pso", "-DFENCE_PSO", full + barriers)] {
        for goal in goals {
            let place = Workplace::with_mutex(program);
            // Fences that keep two threads apart need not make a program robust.
            let as_published = ["--robustness", "-q", "--relaxed-memory", model, fences, program];
            let is_enough = *goal != "--fix" || place.check(&as_published).code == Some(0);
            let most = if is_enough { [full, most] } else { [usize::MAX; 2] };
            let repair = place.repairs(goal, &["--relaxed-memory", model, program], most[1]);
            let fences = repair["edits"].as_array().into_iter().flatten();
            let found = fences.filter(|edit| edit["kind"] == "full").count();
            assert!(found <= most[0], "{found} full fences, {full} are enough: {repair:#}");
        }
    }
}

macro_rules! mutual_exclusion {
    ($($name:ident: $program:literal, $($goal:literal),+;)+) => { $(
        #[test]
        fn $name() {
            mutual_exclusion($program, &[$($goal),+]);
        }
    )+ };
}

// Burns' and Dijkstra's loops store in each turn, so the stateless engine never ends on them. Under TSO a
// search for attacks does.
mutual_exclusion! {
    bakery: "bakery.c", "--fix", "--fix=assertions";
    burns: "burns.c", "--fix=assertions";
    dekker: "dekker.c", "--fix", "--fix=assertions";
    dijkstra: "dijkstra.c", "--fix=assertions";
    kessels: "kessels.c", "--fix", "--fix=assertions";
    lamport_fast: "lamport_fast.c", "--fix", "--fix=assertions";
    peterson: "peterson.c", "--fix", "--fix=assertions";
    szymanski: "szymanski.c", "--fix", "--fix=assertions";
}

/// The beginning and the end of a program with two threads, `one` and `two`.
const BEGIN: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n";
const MAIN: &str = "
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  return 0;
}
";

/// Store buffering with this function in place of one of the two threads.
fn with_thread(one: &str) -> String {
    format!(
        "{BEGIN}#define GET(v) atomic_load_explicit(&(v), memory_order_relaxed)
#define SET(v, n) atomic_store_explicit(&(v), n, memory_order_relaxed)
static atomic_int x, y, on = 1;
static int look(atomic_int *place) {{ return GET(*place); }}
{one}
static void *two(void *unused) {{
  atomic_exchange(&y, 1);
  return GET(x) ? unused : 0;
}}
{MAIN}"
    )
}

/// Checks that one edit repairs a program with this thread, and that this text is then in the program.
#[track_caller]
fn edits(one: &str, expected: &str) {
    let place = Workplace::with(&[("program.c", &with_thread(one))]);
    place.repairs("--fix", &["program.c"], 1);
    let text = place.text("program.c");
    assert!(text.contains(expected), "{text}");
}

const FENCE: &str = "atomic_thread_fence(memory_order_seq_cst)";

#[test]
fn a_fence_has_a_line_of_its_own() {
    edits(
        "static void *one(void *unused) {\n  SET(x, 1); // now\n  return look(&y) ? unused : 0;\n}",
        &format!("\n  SET(x, 1); // now\n  {FENCE};\n  return"),
    );
}

#[test]
fn statements_on_one_line_are_told_apart() {
    edits(
        "static void *one(void *unused) { char *s = \"; }\"; SET(x, 1); /* } ; */ return GET(y) ? s : 0; }",
        &format!("SET(x, 1); {FENCE}; /* }} ; */ return"),
    );
}

#[test]
fn statements_without_braces_get_some() {
    edits(
        "static void *one(void *unused) {\n  if (on)\n    SET(x, 1);\n  else if (look(&y)) return 0;\n  return GET(y) ? unused : 0;\n}",
        FENCE,
    );
    edits(
        "static void *one(void *unused) {\n  for (int i = 0; i < 2; i++)\n    if (i == 1) return GET(y) ? unused : 0; else SET(x,\n        1);\n  return unused;\n}",
        &format!("{FENCE}; }}"),
    );
}

#[test]
fn conditions_of_loops_are_places() {
    let one = "static void *one(void *unused) {
  int turns = 0;
  while (turns++ < 3 && GET(y) == 0) {
    if (turns == 1) { SET(x, 1); continue; }
    SET(x, 2);
  }
  return unused;
}";
    edits(one, &format!("while ({FENCE}, turns++ < 3 && GET(y) == 0)"));
}

#[test]
fn an_order_is_made_stronger_where_no_fence_has_a_place() {
    edits(
        "static void *one(void *unused) {\n  int r = (int)(atomic_store_explicit(&x, 1, memory_order_relaxed), GET(y));\n  return r ? unused : 0;\n}",
        "atomic_store_explicit(&x, 1, memory_order_seq_cst), GET(y)",
    );
}

#[test]
fn stores_and_calls_in_functions_are_places_of_their_callers() {
    edits(
        "static void set(atomic_int *place) { SET(*place, 1); }\nstatic void *one(void *unused) {\n  set(&x);\n  return look(&y) ? unused : 0;\n}",
        FENCE,
    );
}

/// A thread that uses these macros.
fn with_macros(macros: &str, uses: &str) -> String {
    format!("{macros}\nstatic void *one(void *unused) {{\n  {uses}\n}}")
}

#[test]
fn operands_of_commas_have_places_between_them() {
    edits(&with_macros("", "return SET(x, 1), GET(y) ? unused : 0;"), &format!("SET(x, 1), {FENCE}, GET(y)"));
    edits(&with_macros("", "return look((SET(x, 1), &y)) ? unused : 0;"), &format!("look((SET(x, 1), {FENCE}, &y))"));
    let both = "#define BOTH(mine, other) (SET(mine, 1), GET(other))";
    edits(
        &with_macros(both, "return BOTH(x, y) ? unused : 0;"),
        &format!("(mine, other) (SET(mine, 1), {FENCE}, GET(other))"),
    );
}

#[test]
fn statements_of_macros_are_places() {
    edits(
        &with_macros(
            "#define BOTH(mine, other, seen) do { \\\n    SET(mine, 1); \\\n    seen = GET(other); \\\n  } while (0)",
            "int seen;\n  BOTH(x, y, seen);\n  return seen ? unused : 0;",
        ),
        &format!("    SET(mine, 1); {FENCE}; \\\n    seen"),
    );
    // A macro that another one uses.
    edits(
        &with_macros(
            "#define WRITE(mine) if (on) SET(mine, 1);\n#define BOTH(mine, other) ({ WRITE(mine) GET(other); })",
            "return BOTH(x, y) ? unused : 0;",
        ),
        &format!("if (on) SET(mine, 1); {FENCE};\n"),
    );
}

#[test]
fn macros_of_headers_are_edited() {
    let text = with_thread(&with_macros("#include \"part.h\"", "return BOTH(x, y) ? unused : 0;"));
    let header = "#define BOTH(mine, other) ({ SET(mine, 1); GET(other); })\n";
    let place = Workplace::with(&[("program.c", &text), ("part.h", header)]);
    let repair = place.repairs("--fix", &["program.c"], 1);
    assert_eq!(repair["edits"][0]["file"], "part.h");
    assert!(place.text("part.h").contains("SET(mine, 1); __atomic_thread_fence(__ATOMIC_SEQ_CST); GET"));
    assert_eq!(place.text("program.c"), text);
}

/// `SET` is used twice by way of `WRITE`, and the fence once.
#[test]
fn an_edit_of_a_macro_costs_its_uses() {
    let macros = "#define WRITE(mine) SET(mine, 1)\n#define BOTH(mine, other) (WRITE(mine), GET(other))";
    let text = with_thread(&with_macros(macros, "WRITE(on);\n  return BOTH(x, y) ? unused : 0;"));
    let place = Workplace::with(&[("program.c", &text)]);
    let repair = place.repairs("--fix", &["program.c"], 1);
    let edit = &repair["edits"][0];
    assert_eq!((&edit["cost"], &edit["place"]), (&20.into(), &"between these expressions".into()), "{repair}");
}

#[test]
fn orders_in_macros_are_made_stronger() {
    edits(
        &with_macros(
            "#define BOTH(mine, other) (SET(mine, 1) + GET(other))\n#undef SET\n#define SET(v, n) (int)(atomic_store_explicit(&(v), n, memory_order_relaxed), 1)",
            "return BOTH(x, y) ? unused : 0;",
        ),
        "(&(v), n, memory_order_seq_cst), 1)",
    );
}

#[test]
fn what_is_within_an_expression_is_named_and_not_edited() {
    let text = with_thread(&with_macros(
        "#define BOTH(mine, other) (int)(__atomic_store_n((int *)&mine, 1, 0), GET(other))",
        "return BOTH(x, y) ? unused : 0;",
    ));
    let place = Workplace::with(&[("program.c", &text)]);
    let repair = place.proposes_nothing("--fix", &["program.c"], "cannot-edit");
    let notes = repair["notes"].to_string();
    assert!(notes.contains("keeps the store to x (program.c:10) before the later access to y"), "{notes}");
}

#[test]
fn the_compilers_own_fences_need_no_header() {
    let text = with_thread("static void *one(void *unused) {\n  SET(x, 1);\n  return GET(y) ? unused : 0;\n}");
    let text = text.replace("#include <stdatomic.h>\n", "").replace("atomic_int", "int");
    let text = text.replace("atomic_load_explicit(&(v), memory_order_relaxed)", "__atomic_load_n(&(v), 0)");
    let text = text.replace("atomic_store_explicit(&(v), n, memory_order_relaxed)", "__atomic_store_n(&(v), n, 0)");
    let text = text.replace("atomic_exchange(&y, 1)", "__atomic_exchange_n(&y, 1, 5)");
    let place = Workplace::with(&[("program.c", &text)]);
    place.repairs("--fix", &["program.c"], 1);
    assert!(place.text("program.c").contains("\n  __atomic_thread_fence(__ATOMIC_SEQ_CST);\n"));
}

#[test]
fn users_headers_are_edited_and_line_ends_kept() {
    let text = with_thread("#include \"part.h\"\nstatic void *one(void *unused) {\n  return set() ? unused : 0;\n}");
    let header = "static int set(void) {\r\n  SET(x, 1);\r\n  return GET(y);\r\n}\r\n";
    let place = Workplace::with(&[("program.c", &text), ("part.h", header)]);
    let repair = place.repairs("--fix", &["program.c"], 1);
    assert_eq!(repair["edits"][0]["file"], "part.h");
    assert_eq!(
        place.text("part.h"),
        header.replace("1);\r\n", "1);\r\n  __atomic_thread_fence(__ATOMIC_SEQ_CST);\r\n")
    );
    assert_eq!(place.text("program.c"), text);
}

#[test]
fn an_edit_that_does_not_compile_is_discarded() {
    let text = "#include <atomic>
#include <thread>
std::atomic<int> x{0}, y{0};
int main() {
  std::thread one([] {
    int turns = 0;
    while (int none = turns < 3 && y.load(std::memory_order_relaxed) == 0) {
      turns += none;
      if (turns == 1) { x.store(1, std::memory_order_relaxed); continue; }
      x.store(2, std::memory_order_relaxed);
    }
  });
  std::thread two([] { y.exchange(1); x.load(std::memory_order_relaxed); });
  one.join();
  two.join();
}
";
    let place = Workplace::with(&[("program.cpp", text)]);
    let repair = place.repairs("--fix", &["program.cpp"], 2);
    let notes = repair["notes"].to_string();
    assert!(notes.contains("discarded, as it does not compile: program.cpp:7"), "{notes}");
    assert!(place.text("program.cpp").contains("std::atomic_thread_fence(std::memory_order_seq_cst);"));
}

/// Store buffering whose threads also count without a lock; with `LOCKED` they do not lose a number.
const COUNTING: &str = "
static atomic_int x, y, r0, r1;
static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void count(void) {
#ifdef LOCKED
  pthread_mutex_lock(&mutex);
#endif
  counter++;
#ifdef LOCKED
  pthread_mutex_unlock(&mutex);
#endif
}
static void *one(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r0 = atomic_load_explicit(&y, memory_order_relaxed);
  count();
  return unused;
}
static void *two(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  r1 = atomic_load_explicit(&x, memory_order_relaxed);
  count();
  return unused;
}
";

fn counting(both: bool) -> Workplace {
    let both = if both { "  assert(r0 || r1);\n" } else { "" };
    let main = MAIN.replace("  return 0;", &format!("{both}  assert(counter == 2);\n  return 0;"));
    Workplace::with(&[("program.c", &format!("{BEGIN}{COUNTING}{main}"))])
}

/// The writer of `locks/byte_slots.c` looks at the readers' bytes in a loop of more turns than a first look
/// follows.
#[test]
fn violations_behind_loops_of_many_turns_are_repaired() {
    let place = Workplace::with(&[("byte_slots.c", &source("locks/byte_slots.c"))]);
    let repair = place.repairs("--fix=assertions", &["byte_slots.c"], 1);
    assert_eq!(repair["edits"][0]["line"], 27, "{repair:#}");
    // Of the delays that the fence forbids, the nearest one is named.
    let why = repair["edits"][0]["why"].as_str().unwrap_or_default();
    assert!(why.contains("byte_slots.c:27) before the later access to owner (byte_slots.c:31)"), "{why}");
}

#[test]
fn a_violation_under_sc_is_told_apart() {
    // The assertion that fails under sc, too.
    let repair = counting(false).proposes_nothing("--fix=assertions", &["program.c"], "no-fence-helps");
    assert_eq!(repair["under_sc"]["kind"], "assertion");
    assert!(repair["under_sc"]["trace"].as_array().is_some_and(|trace| !trace.is_empty()));
    // The other one needs two fences, and the first one stays.
    let place = counting(true);
    let repair = place.fix("--fix=assertions", &["program.c"]);
    assert_eq!((&repair["status"], repair["edits"].as_array().map(Vec::len)), (&"found".into(), Some(2)));
    assert_eq!(repair["under_sc"]["kind"], "assertion");
    place.patch();
    assert_eq!(place.check(&["-q", "-DLOCKED", "program.c"]).code, Some(0));
    // Robust programs have the violations of sc.
    let place = counting(false);
    let repair = place.fix("--fix", &["program.c"]);
    assert_eq!((&repair["status"], &repair["under_sc"]["kind"]), (&"found".into(), &"assertion".into()));
    place.patch();
    place.proposes_nothing("--fix", &["program.c", "--report", "again.json"], "no-fence-helps");
}

#[test]
fn programs_that_hold_have_nothing_to_fix() {
    let place = Workplace::with_mutex("peterson.c");
    place.proposes_nothing("--fix", &["-DFENCE_TSO", "peterson.c"], "nothing-to-fix");
    place.proposes_nothing("--fix=assertions", &["-DFENCE_TSO", "peterson.c"], "nothing-to-fix");
    // No assertion fails, though the program is not robust.
    counting(false).proposes_nothing("--fix=assertions", &["-DLOCKED", "program.c"], "nothing-to-fix");
}

#[test]
fn nothing_is_proposed_that_is_not_verified() {
    let place = Workplace::with_mutex("szymanski.c");
    let repair = place.proposes_nothing("--fix", &["--max-states", "4000", "szymanski.c"], "unknown");
    assert_eq!(repair["reason"], "state-limit");
    let repair = place.proposes_nothing("--fix", &["--timeout", "0", "szymanski.c"], "unknown");
    assert_eq!(repair["reason"], "timeout");
    let repair = place.proposes_nothing("--fix", &["--unroll", "1", "szymanski.c"], "unknown");
    assert_eq!(repair["reason"], "loop-bound");
}

#[test]
fn a_limit_that_the_first_look_reaches_ends_the_check() {
    let place = Workplace::with_mutex("szymanski.c");
    place.proposes_nothing("--fix", &["--max-states", "20", "szymanski.c"], "unknown");
    let report: Value = serde_json::from_str(&place.text("report.json")).expect("a report is JSON");
    let events = report["statistics"]["events"].as_u64();
    assert!(events.is_some_and(|events| (20..=21).contains(&events)), "{:#}", report["statistics"]);
}

#[test]
fn the_diff_is_printed_where_no_file_is_named() {
    let place = Workplace::with_mutex("peterson.c");
    let run = place.check(&["--fix", "peterson.c"]);
    assert_eq!(run.code, Some(1));
    let diff = run.stdout.split_once("--- a/peterson.c\n+++ b/peterson.c\n").map(|(_, diff)| diff.to_owned());
    assert!(diff.is_some_and(|diff| diff.contains(&format!("\n+  {FENCE};\n"))), "{}", run.describe());
    assert_eq!(place.text("peterson.c"), mutex("peterson.c"));
}

#[test]
fn files_elsewhere_are_named_from_the_root() {
    let place = Workplace::with_mutex("peterson.c");
    let path = place.path("peterson.c").canonicalize().expect("a path");
    let run = process::run(&mut process::command(["--fix", &path.display().to_string()]));
    let name = path.strip_prefix("/").map(Path::display).expect("an absolute path");
    assert!(run.stdout.contains(&format!("--- a/{name}\n")), "{}", run.describe());
    assert!(run.stdout.contains("patch -p1 -d /"), "{}", run.describe());
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let place = Workplace::with_mutex("peterson.c");
    for (options, message) in [
        (&["--relaxed-memory", "sc", "peterson.c"][..], "--fix is about store buffers, and sc has none"),
        (&["--engine", "explicit", "peterson.c"], "--fix works with --engine dpor or dpor-source or attacks only"),
        (&["--engine", "symbolic", "--fix=assertions", "peterson.c"], "--fix=assertions works with"),
        (&["--cross-check", "peterson.c"], "cannot be used with"),
        (&["--witness", "w.yml", "peterson.c"], "cannot be used with"),
        (&["--races", "peterson.c"], "cannot be used with"),
        (&["--property", "unreach-call", "peterson.c"], "use --fix=assertions"),
        (&["--entry", "main,worker", "peterson.c"], "--fix is about one search"),
        (&["-"], "standard input is none"),
        (&["peterson.c", "--fix=everything"], "invalid value 'everything'"),
    ] {
        let run = place.check(&["--fix"].iter().chain(options).copied().collect::<Vec<_>>());
        assert!(run.code == Some(2) && run.stderr.contains(message), "{message}: {}", run.describe());
    }
    let run = place.check(&["--fix", "peterson.diff", "--report", "peterson.diff", "peterson.c"]);
    assert!(run.code == Some(2) && run.stderr.contains("name two files"), "{}", run.describe());
}
