//! One C program that holds many litmus tests.
//!
//! Starting the checker takes far longer than exploring a litmus test. So the program chooses a test: it
//! tosses a coin several times, which is a race between a store and a load, and joins the coin's thread, so
//! that the only trace is the number of the test. The tests are explored beside each other, so their states
//! add up and do not multiply.
//!
//! Threads pass the values that they read to `pthread_join`, not to globals, so that the buffers have only
//! the stores of the test.

use std::fmt::Write;

use super::shape::Operation;
use super::variant::Test;
use super::{DIGIT, Layout};

/// The C text. All tests have the layout of the first. The global `test` of a final state is the number of
/// the test it belongs to, or the number of tests if it belongs to none.
///
/// # Panics
/// If there is no test.
pub fn c_program(tests: &[Test]) -> String {
    let layout = Layout::of(&tests[0]);
    let mut bodies: Vec<&Vec<Operation>> = tests.iter().flat_map(|test| &test.threads).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let functions: String = bodies.iter().enumerate().map(|(index, body)| function(index, body)).collect();
    let row = |test: &Test| {
        let names = test.threads.iter().map(|body| format!("thread{}", bodies.partition_point(|other| *other < body)));
        format!("  {{{}}},\n", names.collect::<Vec<_>>().join(", "))
    };
    let table: String = tests.iter().map(row).collect();
    [prelude(&layout, tests.len()), functions, main_function(&layout, &table)].concat()
}

fn prelude(layout: &Layout, tests: usize) -> String {
    let variables = layout.variables.iter().map(char::to_string).collect::<Vec<_>>().join(", ");
    let results = (0..layout.threads).map(|thread| format!("result{thread}")).collect::<Vec<_>>().join(", ");
    let coins = usize::BITS - tests.saturating_sub(1).leading_zeros();
    format!(
        "#include <pthread.h>\n#include <stdatomic.h>\n#include <stddef.h>\n
enum {{ TESTS = {tests}, COINS = {coins}, THREADS = {threads} }};
atomic_long {variables};
long {results};
int test;
atomic_int coin;\n
#define STORE(variable, value) atomic_store_explicit(&variable, value, memory_order_relaxed)
#define LOAD(variable) read = {DIGIT} * read + atomic_load_explicit(&variable, memory_order_relaxed)
#define EXCHANGE(variable, value) read = {DIGIT} * read + atomic_exchange_explicit(&variable, value, memory_order_relaxed)
#define STORE_STORE atomic_thread_fence(memory_order_release)
#define FULL atomic_thread_fence(memory_order_seq_cst)\n\n",
        threads = layout.threads
    )
}

fn function(index: usize, body: &[Operation]) -> String {
    let mut text = format!("static void *thread{index}(void *unused) {{\n  long read = 0;\n  (void)unused;\n");
    for operation in body {
        let statement = match operation {
            Operation::Store(variable, value) => format!("STORE({variable}, {value})"),
            Operation::Load(variable) => format!("LOAD({variable})"),
            Operation::Exchange(variable, value) => format!("EXCHANGE({variable}, {value})"),
            Operation::StoreBarrier => "STORE_STORE".to_owned(),
            Operation::Fence => "FULL".to_owned(),
        };
        let _ = writeln!(text, "  {statement};");
    }
    text + "  return (void *)read;\n}\n\n"
}

fn main_function(layout: &Layout, table: &str) -> String {
    let mut text = format!(
        "static void *(*const bodies[TESTS][THREADS])(void *) = {{\n{table}}};\n
static void *toss(void *unused) {{
  STORE(coin, 1);
  return unused;
}}\n
static int choose_test(void) {{
  int chosen = 0;
  for (int i = 0; i < COINS; i++) {{
    pthread_t thread;
    STORE(coin, 0);
    pthread_create(&thread, NULL, toss, NULL);
    chosen = 2 * chosen + atomic_load_explicit(&coin, memory_order_relaxed);
    pthread_join(thread, NULL);
  }}
  return chosen < TESTS ? chosen : TESTS;
}}\n
int main(void) {{
  pthread_t threads[THREADS];
  void *read[THREADS];
  test = choose_test();
  if (test == TESTS)
    return 0;
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, bodies[test][i], NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], &read[i]);\n"
    );
    for thread in 0..layout.threads {
        let _ = writeln!(text, "  result{thread} = (long)read[{thread}];");
    }
    text + "  return 0;\n}\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::litmus::shape::shapes;
    use crate::litmus::variant;

    #[test]
    fn equal_threads_are_written_once() {
        let text = c_program(&variant::tests(&shapes()[0]));
        // Each of two threads has a store or exchange, and three kinds of fences.
        assert_eq!(text.matches("static void *thread").count(), 12);
        assert!(text.contains("TESTS = 36, COINS = 6, THREADS = 2"));
        assert!(text.contains("atomic_long x, y;"));
    }
}
