//! Random programs whose threads wait in loops.

use std::fmt::Write;

use crate::generated::random::Random;

/// The number of iterations after which a loop is cut off: more than two without a change, and one for each
/// change.
pub const CUT: usize = 5;

/// The number of programs with loops of a seed.
pub const WAITING: usize = 6;

/// A text with programs whose threads wait in loops, which are cut off after `cut` iterations.
///
/// # Panics
/// If the seed has more than 64 bits.
#[must_use]
pub fn waiting_programs(seed: usize, cut: Option<usize>) -> String {
    let mut random = Random::new(u64::try_from(seed).expect("seeds are small") + 2_000_000);
    let mut text =
        "#include <pthread.h>\n#include <rmc.h>\nstatic int x, y, z;\n#define GET(place) __atomic_load_n(&place, 0)\n\
        #define SET(place, value) __atomic_store_n(&place, value, 0);\n"
            .to_owned();
    for number in 0..WAITING {
        let threads = random.pick(&[2, 2, 3]);
        for thread in 0..threads {
            text += &waiting_thread(&mut random, &format!("test{number}_thread{thread}"), threads, cut);
        }
        let _ = writeln!(text, "static void test{number}(void) {{\n  pthread_t threads[3];");
        for thread in 0..threads {
            let _ = writeln!(text, "  pthread_create(&threads[{thread}], 0, test{number}_thread{thread}, 0);");
        }
        text += "}\n";
    }
    let calls: String = (0..WAITING).map(|number| format!("  if (chosen == {number}) test{number}();\n")).collect();
    text + &format!("int main(void) {{\n  unsigned chosen = rmc_choose({WAITING});\n{calls}  pthread_exit(0);\n}}\n")
}

fn waiting_thread(random: &mut Random, name: &str, threads: usize, cut: Option<usize>) -> String {
    let mut text = format!("static void *{name}(void *unused) {{\n  int a = 0, b = 0; (void)a, (void)b;\n");
    let mut accesses = |random: &mut Random, most: usize| {
        for _ in 0..random.below(most + 1) {
            let access = random.pick(&[
                "SET(x, 1)",
                "SET(y, 1)",
                "SET(z, 1)",
                "SET(x, 2)",
                "a = GET(x);",
                "b = GET(y);",
                "a = GET(z);",
            ]);
            let _ = writeln!(text, "  {access}");
        }
        std::mem::take(&mut text)
    };
    let mut body = accesses(random, 2);
    if threads == 2 || random.below(2) == 0 {
        let condition = random.pick(&[
            "GET(x) == 0",
            "GET(y) < 1",
            "GET(z) - GET(x) < 0",
            "GET(x) - GET(y) > 0",
            "GET(y) - GET(x) < 0",
            "GET(x) + GET(z) == 0",
            "(a = GET(y)) == 0 && (b = GET(x)) == 1",
            "!(a = GET(z)) || !(a = GET(x))",
        ]);
        body += &match cut {
            None => format!("  while ({condition});\n"),
            Some(rounds) => format!("  for (int i = 0; {condition}; i++) if (i == {rounds}) return unused;\n"),
        };
    }
    body + &accesses(random, 1) + "  return unused;\n}\n"
}
