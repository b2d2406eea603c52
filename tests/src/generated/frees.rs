//! Random C programs that free memory to which stores of other threads may still be delayed, and allocate
//! anew. They compare addresses of memory that may be gone with those of new memory.

use super::random::Random;
use crate::harness::entries::Program;

/// The declarations that the programs share.
pub const HEAD: &str = "#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)
struct cell { atomic_int value; atomic_int done; };
static _Atomic(struct cell *) p0, p1;
int seen0, seen1, seen2;
static struct cell *make(void) {
  struct cell *made = malloc(sizeof *made);
  atomic_init(&made->value, 0);
  atomic_init(&made->done, 0);
  return made;
}
";

/// Statements of a thread at most.
const STATEMENTS: usize = 4;

/// A program of three threads that hand two objects over. A thread that finds none does nothing with it. All
/// loads and stores are relaxed, and what was read is seen at the end.
pub fn program(random: &mut Random, number: usize) -> Program {
    let entry = format!("program{number}");
    let others: String = (1..3)
        .map(|thread| {
            let body = body(random, thread, STATEMENTS);
            format!("static void *run{thread}_{entry}(void *argument) {{\n{body}  return argument;\n}}\n")
        })
        .collect();
    let main = body(random, 0, 2);
    let functions = format!(
        "{others}int {entry}(void) {{\n  pthread_t threads[3];\n  STORE(p0, make());\n  STORE(p1, make());\n  \
         pthread_create(&threads[1], 0, run1_{entry}, 0);\n  pthread_create(&threads[2], 0, run2_{entry}, 0);\n\
         {main}  pthread_join(threads[1], 0);\n  pthread_join(threads[2], 0);\n  return 0;\n}}\n"
    );
    Program { entry, functions }
}

fn body(random: &mut Random, thread: usize, most: usize) -> String {
    let count = 1 + random.below(most);
    let first = format!("  struct cell *own = LOAD(p{});\n", thread % 2);
    (0..count).fold(first, |body, _| body + &statement(random, thread))
}

fn statement(random: &mut Random, thread: usize) -> String {
    let (at, field) = (random.below(2), random.pick(&["value", "done"]));
    let number = 1 + random.below(2);
    match random.below(24) {
        0..=6 => format!("  if (own)\n    STORE(own->{field}, {number});\n"),
        7..=9 => format!("  if (own)\n    seen{thread} = seen{thread} * 3 + LOAD(own->{field});\n"),
        10 => format!("  if (own)\n    seen{thread} += atomic_fetch_add(&own->{field}, 1);\n"),
        11..=12 => format!("  free(atomic_exchange(&p{at}, NULL));\n"),
        13..=14 => format!("  own = atomic_exchange(&p{at}, own);\n"),
        15 => format!("  STORE(p{at}, make());\n"),
        16 => format!("  if (own && LOAD(own->{field}) == {number}) {{\n    free(own);\n    own = NULL;\n  }}\n"),
        17 => format!("  own = LOAD(p{at});\n"),
        18 => "  free(own);\n  own = NULL;\n".to_owned(),
        19..=20 => format!("  if (own && own == LOAD(p{at}))\n    seen{thread} = seen{thread} * 3 + {number};\n"),
        21 => format!(
            "  {{\n    struct cell *new = make();\n    seen{thread} += 5 * (new == own);\n    STORE(p{at}, new);\n  }}\n"
        ),
        22 => format!("  free(atomic_exchange(&p{at}, NULL));\n  STORE(p{at}, make());\n"),
        _ => "  atomic_thread_fence(memory_order_seq_cst);\n".to_owned(),
    }
}
