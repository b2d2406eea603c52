//! Random C programs whose threads wait in loops, many of them for ever.

use super::random::Random;
use crate::harness::entries::Program;

/// The declarations that the programs share.
pub const HEAD: &str = "#include <pthread.h>
#include <stdatomic.h>
#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)
static atomic_int x0, x1, x2;
";

/// Variables of a program at most.
const VARIABLES: usize = 3;

/// Statements of a thread at most.
const STATEMENTS: usize = 4;

/// A program of two or three threads that store the numbers 1 and 2, exchange, load, and wait for numbers from 0
/// to 2. All accesses are relaxed.
pub fn program(random: &mut Random, number: usize) -> Program {
    let (threads, variables) = (random.pick(&[2, 2, 3]), 1 + random.below(VARIABLES));
    let mut bodies = (0..threads).map(|thread| body(random, thread, variables)).collect::<Vec<_>>().into_iter();
    let main = bodies.next().expect("there is a first thread");
    let entry = format!("program{number}");
    let name = |thread: usize| format!("run{thread}_{entry}");
    let others: String = (1..).zip(bodies).map(|(thread, body)| function(&name(thread), &body)).collect();
    let of_others = |statement: &dyn Fn(usize) -> String| (1..threads).map(statement).collect::<String>();
    let creations = of_others(&|thread| format!("  pthread_create(&threads[{thread}], 0, {}, 0);\n", name(thread)));
    let joins = of_others(&|thread| format!("  pthread_join(threads[{thread}], 0);\n"));
    let functions = format!(
        "{others}int {entry}(void) {{\n  pthread_t threads[{threads}];\n{creations}{main}{joins}  return 0;\n}}\n"
    );
    Program { entry, functions }
}

fn function(name: &str, body: &str) -> String {
    format!("static void *{name}(void *argument) {{\n{body}  return argument;\n}}\n")
}

fn body(random: &mut Random, thread: usize, variables: usize) -> String {
    let statements = 1 + random.below(STATEMENTS);
    let first = format!("  int seen{thread} = 0;\n  (void)seen{thread};\n");
    (0..statements).fold(first, |body, _| body + &statement(random, thread, variables))
}

fn statement(random: &mut Random, thread: usize, variables: usize) -> String {
    let [one, other] = [0; 2].map(|_| random.below(variables));
    let (stored, compared) = (1 + random.below(2), random.below(3));
    match random.below(24) {
        0..=6 => format!("  STORE(x{one}, {stored});\n"),
        7..=9 => format!("  atomic_exchange(&x{one}, {stored});\n"),
        10..=11 => format!("  seen{thread} += LOAD(x{one});\n"),
        12 => "  atomic_thread_fence(memory_order_seq_cst);\n".to_owned(),
        13..=15 => format!("  while (LOAD(x{one}) != {stored})\n    ;\n"),
        16..=17 => format!("  while (LOAD(x{one}) == {compared})\n    ;\n"),
        18..=19 => format!("  while (LOAD(x{one}) == {compared} && LOAD(x{other}) != {stored})\n    ;\n"),
        20..=21 => format!("  while (LOAD(x{one}) == {compared})\n    atomic_fetch_and(&x{other}, {stored});\n"),
        // It ends the loop itself, unless others store what it waits for the end of.
        _ => {
            let ended = (compared + stored) % 3;
            format!("  while (LOAD(x{one}) == {compared} && LOAD(x{other}) != {stored})\n    STORE(x{one}, {ended});\n")
        }
    }
}
