//! Random programs with memory of sizes that are nondeterministic, for comparing sizes that stay open with
//! sizes that are enumerated.
//!
//! A program has a block that all its threads know, and up to two threads beside `main`. They access the
//! block near its beginning, and near its end where they look at the size, directly and by functions; most
//! accesses are within the block, since a violation ends the comparison. Threads have arrays of variable
//! length. The block may be made larger or smaller, and is freed in some executions. A size has up to 24
//! values, so that enumerating them ends.

use std::fmt::Write;

use crate::generated::random::Random;
use crate::harness::entries::Program;

/// The declarations that the programs share.
pub const HEAD: &str = r"#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned char u8;
long rmc_int(long, long);
void __VERIFIER_assume(int);
static unsigned long number(unsigned long least, unsigned long most) { return (unsigned long)rmc_int(least, most); }
static u8 *block;
static unsigned long room;
u8 g0, g1, table[8];
";

/// The program of this seed.
#[must_use]
pub fn program(seed: u64) -> Program {
    let random = &mut Random::new(seed);
    let entry = format!("program_{seed}");
    let mut text = String::new();
    let threads = random.pick(&[0, 1, 1, 2]);
    for thread in 0..threads {
        let _ = writeln!(
            text,
            "static void *thread{thread}_{entry}(void *unused) {{ u8 x = {}; unsigned long n = {}; (void)unused; {}return 0; }}",
            random.pick(&["3", "g1"]),
            random.pick(&["room", "2", "number(0, 5)"]),
            statements(random, 2, false)
        );
    }
    let create = |thread| format!("pthread_t t{thread}; pthread_create(&t{thread}, 0, thread{thread}_{entry}, 0); ");
    let join = |thread| format!("pthread_join(t{thread}, 0); ");
    let (creates, joins): (String, String) = ((0..threads).map(create).collect(), (0..threads).map(join).collect());
    let made = random.pick(&[
        "calloc(room, 1)",
        "calloc(room, 1)",
        "calloc(1, room)",
        "malloc(room)",
        "realloc(0, room)",
        "realloc(calloc(3, 1), room)",
        "memset(calloc(room, 1), 0, 0)",
    ]);
    let size = random.pick(&["n", "n", "n * 3", "n + 2", "n * 2 + 1", "n * sizeof(int)", "n / 2"]);
    let (least, most) = (random.pick(&[0, 1, 1, 2, 4]), random.pick(&[5, 8, 12, 23]));
    let before = statements(random, 2, false);
    let after = statements(random, 3, true);
    let freed = random.pick(&["free(block); ", "free(block); ", "", "if (g0 < 3) free(block); "]);
    let _ = writeln!(
        text,
        "int {entry}(void) {{ u8 x = 1; unsigned long n = number({least}, {most}); room = {size}; block = {made}; {creates}{before}{joins}{after}{freed}return x; }}",
    );
    Program { entry, functions: text }
}

/// Up to so many statements; if `alone`, also some that change the block's size.
fn statements(random: &mut Random, most: usize, alone: bool) -> String {
    let count = 1 + random.below(most);
    (0..count).map(|_| statement(random, alone) + " ").collect()
}

fn statement(random: &mut Random, alone: bool) -> String {
    let at: usize = random.pick(&[0, 0, 1, 1, 2, 3, 4, 6, 9, 16]);
    // Now and then an access is one byte too far.
    let end = if random.below(12) == 0 { at } else { at + 1 };
    let grown = random.pick(&["room", "room + 1", "room / 2", "9"]);
    let wide = at + random.pick(&[4, 4, 4, 4, 4, 3]);
    let statement = random.pick(&[
        "if (room >= END) block[POS] = x;",
        "if (room >= END) x = block[POS];",
        "if (room >= END) block[POS] = x + 1; else g0 = x;",
        "if (room > 0) x = block[room - 1];",
        "if (room > POS && n < POS) block[n] = 5;",
        "if (room >= END) { memcpy(block, table, POS < 8 ? POS : 8); x = POS ? block[0] : x; }",
        "if (room > POS) memset(block, x, POS); else x = 1;",
        "if (room >= POS) memset(block, 0, room > 6 ? 6 : room);",
        "if (room >= POS) { memcpy(table, block, POS < 8 ? POS : 8); x = table[1]; }",
        "if (room >= WIDE) { unsigned word; memcpy(&word, block + POS, 4); x = word; }",
        "if (room >= WIDE) x = __atomic_fetch_add((unsigned *)(block + (POS & ~3)), 3, __ATOMIC_SEQ_CST);",
        "if (room >= END) g1 = memcmp(block, table, POS < 8 ? POS : 8) == 0;",
        "{ u8 own[n + 1]; own[0] = 3; if (n > POS) own[POS] = 1; x = own[0]; }",
        "{ int *own = malloc(n * sizeof(int)); if (n > POS) { own[POS] = x; x += own[POS]; } free(own); }",
        "g0 = x;",
        "if (x == 1) assert(room != POS || g0 != 3);",
        "if (x > 3) assert(room > POS);",
        "__VERIFIER_assume(room != POS);",
        "block = realloc(block, GROWN); room = GROWN;",
    ]);
    let statement = if statement.contains("realloc") && !alone { "x = g0;" } else { statement };
    statement
        .replace("WIDE", &wide.to_string())
        .replace("GROWN", grown)
        .replace("END", &end.to_string())
        .replace("POS", &at.to_string())
}
