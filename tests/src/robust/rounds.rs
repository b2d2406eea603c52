//! Random programs whose threads go round and round: each stores and loads in every round.

use std::fmt::Write;

use crate::generated::random::Random;

/// The number of programs of a seed.
pub const PROGRAMS: usize = 6;

/// A text with programs whose threads go round for ever, or `rounds` times.
///
/// # Panics
/// If the seed has more than 64 bits.
#[must_use]
pub fn programs(seed: usize, rounds: Option<usize>) -> String {
    let mut random = Random::new(u64::try_from(seed).expect("seeds are small") + 3_000_000);
    let mut text = "#include <pthread.h>\n#include <rmc.h>\nstatic union { int whole; short half[2]; } x, y, z;\n\
        #define GET(place) __atomic_load_n(&place, 0)\n\
        #define SET(place, value) __atomic_store_n(&place, value, 0);\n\
        #define FENCE __atomic_thread_fence(__ATOMIC_SEQ_CST);\n"
        .to_owned();
    for number in 0..PROGRAMS {
        for thread in 0..2 {
            text += &thread_of(&mut random, &format!("test{number}_thread{thread}"), rounds);
        }
        let _ = writeln!(text, "static void test{number}(void) {{\n  pthread_t threads[2];");
        for thread in 0..2 {
            let _ = writeln!(text, "  pthread_create(&threads[{thread}], 0, test{number}_thread{thread}, 0);");
        }
        text += "}\n";
    }
    let calls: String = (0..PROGRAMS).map(|number| format!("  if (chosen == {number}) test{number}();\n")).collect();
    text + &format!("int main(void) {{\n  unsigned chosen = rmc_choose({PROGRAMS});\n{calls}  pthread_exit(0);\n}}\n")
}

/// The statements of a round. Stores are as frequent as everything else together.
const STATEMENTS: [&str; 16] = [
    "SET(x.whole, 1)",
    "SET(y.whole, 1)",
    "SET(z.whole, 1)",
    "SET(x.whole, 0)",
    "SET(y.half[0], 1)",
    "SET(y.half[1], 1)",
    "SET(x.half[1], 1)",
    "SET(z.whole, 0)",
    "a = GET(x.whole);",
    "a = GET(y.whole);",
    "a = GET(z.whole);",
    "a = GET(y.half[1]);",
    "a = GET(x.half[0]);",
    "FENCE",
    "__atomic_fetch_or(&z.whole, 1, 0);",
    "if (a) SET(z.whole, 1)",
];

fn thread_of(random: &mut Random, name: &str, rounds: Option<usize>) -> String {
    let statements: String = (0..2 + random.below(2)).map(|_| format!("    {}\n", random.pick(&STATEMENTS))).collect();
    let condition = rounds.map_or_else(|| "1".to_owned(), |rounds| format!("i < {rounds}"));
    let counts = if rounds.is_some() { "i++" } else { "" };
    format!(
        "static void *{name}(void *unused) {{\n  int a = 0; (void)a;\n  for (int i = 0; {condition}; {counts}) {{\n\
         {statements}  }}\n  return unused;\n}}\n"
    )
}
