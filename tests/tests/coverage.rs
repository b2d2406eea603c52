//! Reports on a program without violations that tests little, and on a search whose verdict is `unknown`.

use rmc_tests::harness::outside::{check, file, rmc, text};
use rmc_tests::harness::process::run_with_report;
use serde_json::Value;

/// A program in which the lines that no execution reaches have comments that say so.
const PARTS: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x, ready;
int n;
extern void reach_error(void);
void __VERIFIER_assert(int c) { if (!c) { ERROR: reach_error(); } }
void never(int a) {
  n = a;         // line, function
  assert(n == 1); // line, assertion
} // line
static int even(int v) { assert(v % 2 == 0 || v == 1); return v; }
void look(int v) {
  assert(v >= 0 && v < 3);
  if (v == 7) {
    n = 3;                    // line
    __VERIFIER_assert(n == 3); // line, assertion
  } // line
  __VERIFIER_assert(v != 4);
}
void *run(void *a) {
  x = 1;
  if (ready)
    assert(n == 0); // line, assertion
  even(x);
  return a;
}
#ifdef MORE
atomic_int other;
void *more(void *a) {
  for (int i = 0; i < 200; i++)
    other = i;
  return a;
}
#endif
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
#ifdef MORE
  pthread_t u;
  pthread_create(&u, 0, more, 0);
#endif
  if (x == 1)
    n = 2;
  look(x);
  pthread_join(t, 0);
  switch (n) {
  case 0:
  case 2:
    break;
  default:
    n = 1; // line
    break; // line
  }
  if (n == 0)
    exit(0);
  if (n == 9)
    abort(); // line
  return 0;
}
"#;

/// The lines of [`PARTS`] whose comment has this word.
fn marked(word: &str) -> Vec<u64> {
    let lines = (1..).zip(PARTS.lines());
    let has = |line: &str| line.split_once("// ").is_some_and(|(_, comment)| comment.split(", ").any(|it| it == word));
    lines.filter(|(_, line)| has(line)).map(|(number, _)| number).collect()
}

fn numbers(places: &Value) -> Vec<u64> {
    places.as_array().expect("a list").iter().filter_map(|place| place["line"].as_u64()).collect()
}

#[test]
fn engines_agree_on_what_is_never_reached() {
    let (directory, source) = file("parts.c", PARTS);
    let checkpoint = directory.path().join("search");
    let engines: [&[&str]; 8] = [
        &["--engine", "explicit"],
        &["--engine", "explicit", "--jobs", "2"],
        &["--no-reduce", "all"],
        &["--reduce", "symmetry,sleep"],
        &["--races"],
        &["--engine", "dpor"],
        &["--engine", "dpor-source"],
        // The search is stopped and resumed.
        &["-DMORE", "--resume", text(&checkpoint)],
    ];
    let stopped = rmc(["--svcomp", "-DMORE", "--max-states", "1000", "--checkpoint", text(&checkpoint), text(&source)]);
    check(&stopped, 3, &["--resume"]);
    for engine in engines {
        let (run, report) = run_with_report([&["--svcomp"], engine, &[text(&source)]].concat());
        check(&run, 0, &[]);
        let coverage = &report.expect("a report")["coverage"];
        assert_eq!(numbers(&coverage["missed_lines"]), marked("line"), "{}", run.describe());
        assert_eq!(numbers(&coverage["missed_assertions"]), marked("assertion"), "{}", run.describe());
        assert_eq!(coverage["assertions"], 6, "{}", run.describe());
        assert_eq!(coverage["uncalled"][0]["name"], "never");
        for words in
            ["3 of 6 assertions: parts.c:12, parts.c:19", "lines: parts.c:11-13, parts.c:18-20", "called: never"]
        {
            assert!(run.stdout.contains(words), "no `{words}`\n{}", run.describe());
        }
    }
}

#[test]
fn a_driver_that_asserts_nothing_is_warned_of() {
    let program = "#include <assert.h>\nint g;\nint main(int argc, char **argv) {\n  if (g > 5)\n    assert(g == 7);\n  return 0;\n}\n";
    let (_directory, source) = file("nothing.c", program);
    let page = source.with_extension("html");
    let run = rmc(["--report", text(&page), text(&source)]);
    check(&run, 0, &[]);
    let warning = "warning: the only assertion is never reached, so it was not tested: nothing.c:5";
    assert!(run.stdout.contains(warning), "{}", run.describe());
    assert!(std::fs::read_to_string(&page).expect("a page").contains(warning));
    // If all of a program is reached, the report says nothing about coverage.
    let whole = rmc(["-DFENCE", "examples/store_buffering.c"]);
    check(&whole, 0, &[]);
    assert!(!whole.stdout.contains("never"), "{}", whole.describe());
}

#[test]
fn a_condition_that_is_settled_early_was_tested() {
    let program = "#include <assert.h>\nint a, b;\nint main(void) {\n  if (b)\n    assert(a == 0 || b == 1);\n  \
        assert(!(a == 1 && b == 0));\n  return 0;\n}\n";
    let (_directory, source) = file("settled.c", program);
    let run = rmc([text(&source)]);
    check(&run, 0, &[]);
    assert!(run.stdout.contains("never reached: 1 of 2 assertions: settled.c:5"), "{}", run.describe());
}

const WAITS: &str = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int flag;\nvoid *run(void *a) { flag = 1; return a; }\n\
    int main(void) {\n  pthread_t t;\n  int rounds = 0;\n  pthread_create(&t, 0, run, 0);\n  while (!flag)\n    rounds++;\n  \
    pthread_join(t, 0);\n  return rounds > 7;\n}\n";
const ENDLESS: &str = "#include <stdatomic.h>\natomic_int c;\nint main(void) {\n  for (;;)\n    c++;\n}\n";

#[test]
fn an_unknown_verdict_names_the_loop_and_what_to_do() {
    let cases: [(&str, &[&str], [&str; 3]); 4] = [
        (WAITS, &["--max-states", "3000"], ["loop", "main", "do not count, or raise --max-states"]),
        (WAITS, &["--engine", "dpor", "--unroll", "9"], ["loop", "main", "raise --unroll"]),
        (ENDLESS, &["--max-states", "3000"], ["loop", "main", "nothing leaves this loop"]),
        (ENDLESS, &["--max-memory", "4M"], ["loop", "main", "nothing leaves this loop"]),
    ];
    for (program, options, [work, function, advice]) in cases {
        let (_directory, source) = file("busy.c", program);
        let page = source.with_extension("html");
        let (run, report) = run_with_report([options, &["--report", text(&page), text(&source)]].concat());
        check(&run, 3, &[]);
        let hottest = &report.expect("a report")["hottest"];
        assert_eq!(hottest["function"], function, "{}", run.describe());
        assert!(hottest["work"].as_str().is_some_and(|kind| kind.contains(work) || kind == "counting-wait"));
        let (count, of) = (hottest["count"].as_u64().expect("a count"), hottest["of"].as_u64().expect("a sum"));
        assert!(0 < count && count <= of, "{}", run.describe());
        assert!(run.stdout.contains(&format!("were made in the {work} at busy.c:")), "{}", run.describe());
        assert!(run.stdout.contains(advice), "no `{advice}`\n{}", run.describe());
        assert!(std::fs::read_to_string(&page).expect("a page").contains(&advice[1..]), "{}", run.describe());
    }
}
