//! Random programs of two or three threads that read a clock, and look at the order of the times that they
//! read. Times are told apart by their order alone, so a clock that goes on by a second or not at all at each
//! reading shows every order that there is: with `-DOWN` the programs have such a clock of their own. They
//! also sleep for a second, which begins and ends with a reading.

use std::fmt::Write;

use crate::generated::random::Random;
use crate::harness::entries::Program;

/// The readings of a program that are compared, at most. Loops make others.
const READINGS: usize = 5;

/// The beginning of a file with such programs. Their own clock is bounded, but for more than their readings.
pub const HEAD: &str = r"#include <assert.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>
int rmc_choose(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static long times[5];
static volatile int x, seen;
#ifdef OWN
static long own;
static long now(void) {
  __VERIFIER_atomic_begin();
  if (own < 7) own += rmc_choose(2);
  long reading = own;
  __VERIFIER_atomic_end();
  return reading;
}
static void nap(void) {
  long end = now() + 1;
  __VERIFIER_atomic_begin();
  if (own < end) own = end;
  if (own < 7) own += rmc_choose(2);
  __VERIFIER_atomic_end();
}
#else
static long now(void) { return time(NULL) - 1704067200; }
static void nap(void) { sleep(1); }
#endif
";

/// The program of a seed. It is violated if one order of its times, chosen at random, is possible, together
/// with one value of a variable.
#[must_use]
pub fn program(seed: u64) -> Program {
    let random = &mut Random::new(seed);
    let entry = format!("program_{seed}");
    let mut text = String::new();
    let (mut readings, threads) = (0, 2 + random.below(3) / 2);
    for thread in 0..threads {
        let mut body = String::new();
        for _ in 0..=random.below(3) {
            body += &operation(random, &mut readings);
        }
        let _ = writeln!(text, "static void *thread{thread}_{entry}(void *unused) {{ {body}return unused; }}");
    }
    let mut reads = String::new();
    while readings < 2 {
        let _ = write!(reads, "times[{readings}] = now(); ");
        readings += 1;
    }
    let order = |random: &mut Random| {
        let (one, other) = (random.below(readings), random.below(readings));
        format!("times[{one}] {} times[{other}]", random.pick(&["<", "==", "<="]))
    };
    let orders = [order(random), order(random), format!("seen == {}", random.below(3))].join(" && ");
    let each = |what: &dyn Fn(usize) -> String| (0..threads).map(what).collect::<String>();
    let creates = each(&|thread| format!("pthread_create(&t[{thread}], 0, thread{thread}_{entry}, 0); "));
    let joins = each(&|thread| format!("pthread_join(t[{thread}], 0); "));
    let _ = writeln!(
        text,
        "int {entry}(void) {{ pthread_t t[{threads}]; {creates}{reads}{joins}assert(!({orders})); return 0; }}"
    );
    Program { entry, functions: text }
}

/// A reading, perhaps under a condition, an access to a variable, or a loop until a time or a value.
fn operation(random: &mut Random, readings: &mut usize) -> String {
    let at = *readings;
    let may_read = at < READINGS;
    match random.below(9) {
        0..=2 if may_read => {
            *readings += 1;
            format!("times[{at}] = now(); ")
        }
        3 if may_read => {
            *readings += 1;
            format!("if (x == {}) times[{at}] = now(); ", random.below(3))
        }
        4 if random.below(4) == 0 => "for (long end = now() + 1; now() < end && x != 1;) ; ".to_owned(),
        5 => "nap(); ".to_owned(),
        6 | 7 => format!("x = {}; ", 1 + random.below(2)),
        _ => "seen = x; ".to_owned(),
    }
}
