//! Random programs whose atomic sections ask for values: what a step accesses depends on the answers.

use std::fmt::Write;

use crate::generated::random::Random;
use crate::harness::entries::Program;

/// The declarations that the programs share.
pub const HEAD: &str = r"#include <pthread.h>
_Bool __VERIFIER_nondet_bool(void);
unsigned rmc_choose(unsigned);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y, z;
";

/// The places that all threads know.
const SHARED: [&str; 3] = ["x", "y", "z"];

/// The program of this seed: two or three threads with up to two parts, most of which are sections.
#[must_use]
pub fn program(seed: u64) -> Program {
    let random = &mut Random::new(seed);
    let entry = format!("program_{seed}");
    let mut functions = String::new();
    let threads = 2 + random.below(2);
    for thread in 0..threads {
        let parts: String = (0..=random.below(2)).map(|_| part(random)).collect();
        let _ = writeln!(functions, "static void *thread{thread}_{entry}(void *unused) {{ {parts}return unused; }}");
    }
    let create = |thread| format!("pthread_create(&threads[{thread}], 0, thread{thread}_{entry}, 0); ");
    let join = |thread| format!("pthread_join(threads[{thread}], 0); ");
    let (creates, joins): (String, String) = ((0..threads).map(create).collect(), (0..threads).map(join).collect());
    let _ = writeln!(functions, "int {entry}(void) {{ pthread_t threads[3]; {creates}{joins}return 0; }}");
    Program { entry, functions }
}

fn part(random: &mut Random) -> String {
    if random.below(3) == 0 {
        return statement(random, 1);
    }
    let body: String = (0..=random.below(2)).map(|_| statement(random, 0)).collect();
    format!("__VERIFIER_atomic_begin(); {body}__VERIFIER_atomic_end(); ")
}

/// A statement, with a space.
fn statement(random: &mut Random, depth: usize) -> String {
    let (target, other, number) = (random.pick(&SHARED), random.pick(&SHARED), random.below(3));
    match random.below(10) {
        0 | 1 => format!("{target} = {number}; "),
        2 | 3 => format!("{target}++; "),
        4 => format!("{target} = {other}; "),
        5 if depth < 2 => format!("if ({target} == {number}) {{ {}}} ", statement(random, depth + 1)),
        6..=8 if depth < 2 => {
            let asks = random.pick(&["__VERIFIER_nondet_bool()", "rmc_choose(2)", "rmc_choose(3) == 2"]);
            let (yes, no) = (statement(random, depth + 1), statement(random, depth + 1));
            let no = if random.below(2) == 0 { no } else { String::new() };
            format!("if ({asks}) {{ {yes}}} else {{ {no}}} ")
        }
        _ => format!("{target} = {other} + 1; "),
    }
}
