//! Random C programs that hand objects on the heap over, copy and drop pointers to them, and lose many.

use super::random::Random;
use crate::harness::entries::Program;

/// The declarations that the programs share.
pub const HEAD: &str = "#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)
static _Atomic(void *) p0, p1;
static atomic_int flag;
";

/// Statements of a thread at most.
const STATEMENTS: usize = 3;

/// The last statements of `main`, before it returns.
const ENDS: [&str; 5] = [
    "  pthread_join(threads[1], 0);\n  pthread_join(threads[2], 0);\n",
    "  pthread_join(threads[1], 0);\n",
    "  atomic_exchange(&flag, 1);\n",
    "  free(atomic_exchange(&p0, NULL));\n",
    "",
];

/// A program of three threads with two pointers, an object and a flag. All loads and stores are relaxed.
pub fn program(random: &mut Random, number: usize) -> Program {
    let entry = format!("program{number}");
    let others: String = (1..3)
        .map(|thread| {
            let body = body(random, thread);
            format!("static void *run{thread}_{entry}(void *argument) {{\n{body}  return argument;\n}}\n")
        })
        .collect();
    let [first, second] = [0; 2].map(|_| random.pick(&["malloc(8)", "NULL"]));
    let (main, end) = (body(random, 0), random.pick(&ENDS));
    let functions = format!(
        "{others}int {entry}(void) {{\n  pthread_t threads[3];\n  STORE(p0, {first});\n  STORE(p1, {second});\n  \
         pthread_create(&threads[1], 0, run1_{entry}, 0);\n  pthread_create(&threads[2], 0, run2_{entry}, 0);\n\
         {main}{end}  return 0;\n}}\n"
    );
    Program { entry, functions }
}

fn body(random: &mut Random, thread: usize) -> String {
    let most = if thread == 0 { 1 } else { STATEMENTS };
    let count = random.below(most + 1);
    let first = format!("  void *seen{thread} = NULL;\n  (void)seen{thread};\n");
    (0..count).fold(first, |body, _| body + &statement(random, thread))
}

fn statement(random: &mut Random, thread: usize) -> String {
    let [one, other] = [0; 2].map(|_| random.below(2));
    match random.below(20) {
        0..=1 => format!("  STORE(p{one}, malloc(8));\n"),
        2..=4 => format!("  STORE(p{one}, NULL);\n"),
        5..=8 => format!("  STORE(p{one}, LOAD(p{other}));\n"),
        9..=10 => format!("  seen{thread} = LOAD(p{one});\n"),
        11..=12 => format!("  STORE(p{one}, seen{thread});\n"),
        13..=14 => format!("  seen{thread} = atomic_exchange(&p{one}, seen{thread});\n"),
        15 => format!("  free(atomic_exchange(&p{one}, NULL));\n"),
        16 => "  STORE(flag, 1);\n".to_owned(),
        17 => "  if (LOAD(flag))\n    exit(0);\n".to_owned(),
        18 => format!("  while (LOAD(p{one}) == NULL)\n    ;\n"),
        _ => "  atomic_thread_fence(memory_order_seq_cst);\n".to_owned(),
    }
}
