//! Random programs whose threads wait in loops that also write local memory. They cover all ways in which an
//! iteration of such a loop can differ from the previous one.
//!
//! `main` starts one or two threads, stores a few values and joins them. The values that a thread waits for
//! are stored, are stored and overwritten, or are never stored, so that some programs end, some have
//! deadlocks, and some have both. Threads also store to what they wait for themselves, so that it depends on
//! the order in which stores reach memory whether they wait for ever. All have few states, because counters
//! are bounded. No address of a local variable leaves its function, so the pass does not instrument local
//! memory, and no reduction changes what is known of it.

use std::fmt::Write;

use crate::generated::random::Random;

const HEAD: &str = r"#include <pthread.h>
#include <rmc.h>
#include <stdatomic.h>
#define GET(place) atomic_load_explicit(&(place), memory_order_relaxed)
#define SET(place, value) atomic_store_explicit(&(place), (value), memory_order_relaxed)
struct pair { int a, b; };
static atomic_int x, y, lock;
unsigned chosen;
int out[2];
static pthread_t threads[2];
static int fetched(atomic_int *place, volatile int *unused) { volatile int value = atomic_load(place); (void)unused; return value; }
";

/// Loops. `P` is a place, `Q` the other one, `K` the awaited value.
const LOOPS: [&str; 12] = [
    "do l = atomic_load(&P); while (l != K);",
    "do l = GET(P); while (l != K);",
    "do { n++; l = GET(P); } while (l != K && n < 3);",
    "do { l = GET(P); n++; } while (l != K && n < 2);",
    "do { w = !w; l = w ? GET(P) : GET(Q); } while (l != K);",
    "do { s[0] = s[1]; s[1] = GET(P); } while (s[0] != K || s[1] != K);",
    "do { p.a = GET(P); p.b = GET(Q); q = p; } while (q.a != K || q.b == 2); l = q.b;",
    "while (fetched(&P, 0) != K) w = !w;",
    "for (l = K; !atomic_compare_exchange_strong(&P, &e, 2); e = K);",
    "while (atomic_exchange(&lock, 1)) { l = GET(P); } l = GET(Q); atomic_store(&lock, 0);",
    "for (w = 0; GET(P) != K; w ^= 1) atomic_thread_fence(memory_order_seq_cst);",
    "do { l = w; w = GET(P); } while (l != K);",
];

/// Statements of `main` between creating and joining threads. `P` and `K` as above.
const STORES: [&str; 4] = ["SET(P, K);", "atomic_store(&P, K);", "atomic_fetch_add(&P, 1);", "out[0] = GET(P);"];

/// A text that holds `programs` programs and chooses one; its number is the global `chosen` of a final state.
/// [`crate::crossed::c_source::program_at`] finds it by a line.
#[must_use]
pub fn c_source(random: &mut Random, programs: usize) -> String {
    let mut text = HEAD.to_owned();
    for number in 0..programs {
        let _ = writeln!(text, "// program {number}");
        let threads = random.pick(&[1, 1, 2]);
        (0..threads).for_each(|thread| text += &waiter(random, number, thread));
        text += &starter(random, number, threads);
    }
    let calls: String = (0..programs).map(|number| format!("  if (chosen == {number}) program{number}();\n")).collect();
    let _ = write!(text, "int main(void) {{\n  chosen = rmc_choose({programs});\n{calls}  return 0;\n}}\n");
    text
}

fn filled(random: &mut Random, statement: &str) -> String {
    let [place, other] = random.pick(&[["x", "y"], ["y", "x"], ["x", "x"]]);
    let value = random.pick(&["1", "1", "2"]);
    statement
        .replace("(P", &format!("({place}"))
        .replace("&P", &format!("&{place}"))
        .replace('Q', other)
        .replace('K', value)
}

fn waiter(random: &mut Random, number: usize, thread: usize) -> String {
    let kind = random.pick(&["volatile int", "volatile int", "int"]);
    let first = random.pick(&LOOPS);
    let mut loops = own_stores(random) + &filled(random, first);
    if random.below(3) == 0 {
        let second = random.pick(&LOOPS);
        loops += "\n  ";
        loops += &own_stores(random);
        loops += &filled(random, second);
    }
    format!(
        "static void *waits{number}_{thread}(void *argument) {{
  {kind} l = 0, n = 0, w = 0, s[2] = {{0, 0}};
  int e = 1;
  struct pair p = {{0, 0}}, q = p;
  {loops}
  out[{thread}] = l + 10 * n + 100 * w + 1000 * s[0] + 10000 * q.b + e;
  return argument;
}}
"
    )
}

/// Stores of a thread before it waits. It may then wait for the end of what it stored itself.
fn own_stores(random: &mut Random) -> String {
    let stores = random.pick(&[0, 0, 1, 1, 2]);
    let mut text = String::new();
    for _ in 0..stores {
        let store = random.pick(&["SET(P, K);", "SET(P, 0);"]);
        text += &filled(random, store);
        text += "\n  ";
    }
    text
}

fn starter(random: &mut Random, number: usize, threads: usize) -> String {
    let mut text = format!("static void program{number}(void) {{\n");
    for thread in 0..threads {
        let _ = writeln!(text, "  pthread_create(&threads[{thread}], 0, waits{number}_{thread}, 0);");
    }
    for _ in 0..random.below(4) {
        let store = random.pick(&STORES);
        let _ = writeln!(text, "  {}", filled(random, store));
    }
    (0..threads).for_each(|thread| {
        let _ = writeln!(text, "  pthread_join(threads[{thread}], 0);");
    });
    text + "}\n"
}
