//! Random programs with nondeterministic values, for comparing values that are deferred with values that are
//! enumerated.
//!
//! A program has up to two threads beside `main`. They compute with bytes, store them to shared memory, copy
//! structs and parts of them, use them as indices, exchange them atomically, and assert something of them.
//! Every value of a program is one of 4, 8, 16 or 24, near 0 and at the ends of its type. Most programs have
//! few, so that enumerating them ends.
//!
//! If asked to, threads also wait: in loops until a byte has some value, with and without stores in the loop,
//! for a semaphore and for a lock. So there are deadlocks for some of the values only. Half of these programs
//! assert nothing.
//!
//! With *sections*, parts of what threads do are atomic sections, some with waits in them.
//!
//! With *detours*, threads compare inputs or do not, and go on as if they had not. So the same control and
//! memory is reached with different knowledge of inputs.

use std::fmt::Write;

use crate::generated::random::Random;
use crate::harness::entries::Program;

/// The declarations that the programs share.
pub const HEAD: &str = r"#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
typedef unsigned char u8;
typedef signed char s8;
u8 __VERIFIER_nondet_uchar(void);
s8 __VERIFIER_nondet_schar(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static u8 unsigned_value(int n) { u8 x = __VERIFIER_nondet_uchar(); __VERIFIER_assume(x < n || x >= 256 - n); return x; }
static u8 signed_value(int n) { s8 x = __VERIFIER_nondet_schar(); __VERIFIER_assume(x < n - 128 || x > -n); __VERIFIER_assume(x < n); return x; }
u8 g0, g1, cell, table[6];
unsigned rmc_choose(unsigned);
struct pair { u8 a, b; int c; } pair, copy;
struct odd { u8 a; unsigned short b; };
sem_t tokens;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOAD(place) __atomic_load_n(&place, __ATOMIC_RELAXED)
#define PAUSE for (int turn = 0; turn < 300; turn++)
";

/// Constants.
const NUMBERS: [u32; 14] = [0, 1, 2, 3, 5, 7, 10, 16, 100, 127, 128, 200, 250, 255];

/// Half of the number of values of an input.
const ENDS: [u32; 8] = [2, 2, 2, 2, 2, 4, 8, 12];

/// The places that all threads know.
const SHARED: [&str; 3] = ["g0", "g1", "cell"];

/// The kinds of programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Threads may wait for each other.
    pub waits: bool,
    /// Threads make detours.
    pub detours: bool,
    /// Threads have atomic sections.
    pub sections: bool,
}

/// The program of this seed.
#[must_use]
pub fn program(seed: u64, kind: Kind) -> Program {
    let random = &mut Random::new(seed);
    let Kind { waits, detours, sections } = kind;
    let section = |random: &mut Random, body: String| {
        let is_section = sections && random.below(2) == 0;
        if is_section { format!("__VERIFIER_atomic_begin(); {body}__VERIFIER_atomic_end(); ") } else { body }
    };
    let detour = |random: &mut Random, own: &[&str]| if detours { detour(random, own) } else { String::new() };
    let entry = format!("program_{seed}");
    let mut text = String::new();
    // Detours multiply the number of states with enumerated values.
    let threads = random.pick(if detours {
        &[1, 1, 1, 1]
    } else if waits {
        &[1, 1, 2, 2]
    } else {
        &[0, 1, 1, 2]
    });
    for thread in 0..threads {
        let wait = if waits { wait(random, &["x", "y"]) } else { String::new() };
        let first = statements(random, &["x", "y"], 3, 1) + &detour(random, &["x", "y"]);
        let first = section(random, first);
        let last = wait + &statements(random, &["x", "y"], 1, 1);
        let body = first + &section(random, last);
        let _ = writeln!(
            text,
            "static void *thread{thread}_{entry}(void *unused) {{ u8 x = {}, y = {}; (void)unused; {body} return 0; }}",
            random.pick(&NUMBERS),
            random.pick(&["0", "unsigned_value()", "signed_value()"])
        );
    }
    let create = |thread| format!("pthread_t t{thread}; pthread_create(&t{thread}, 0, thread{thread}_{entry}, 0); ");
    let join = |thread| format!("pthread_join(t{thread}, 0); ");
    let (creates, joins): (String, String) = ((0..threads).map(create).collect(), (0..threads).map(join).collect());
    let variables = ["u", "v"];
    let before = detour(random, &variables) + &statements(random, &variables, 3, 0);
    let after = statements(random, &variables, 4, 0);
    let before = section(random, before);
    let _ = writeln!(
        text,
        "int {entry}(void) {{ u8 u = unsigned_value(); u8 v = {}; sem_init(&tokens, 0, 0); {creates}{before} {joins}{after} return u; }}",
        random.pick(&["0", "7", "200", "signed_value()", "unsigned_value()"])
    );
    // Otherwise an assertion that fails hides a deadlock, or that the whole search has fewer states.
    let asserts = !(waits || detours) || random.below(2) != 0;
    let text = text.replace("_value()", &format!("_value({})", random.pick(&ENDS)));
    let functions = if asserts { text } else { text.replace("assert(", "(void)(") };
    Program { entry, functions }
}

/// Up to so many statements that use these variables and all shared places.
fn statements(random: &mut Random, own: &[&str], most: usize, depth: usize) -> String {
    let count = 1 + random.below(most);
    (0..count).map(|_| statement(random, own, depth) + " ").collect()
}

fn statement(random: &mut Random, own: &[&str], depth: usize) -> String {
    let target = place(random, own);
    let (mine, value) = (random.pick(own), expression(random, own, 0));
    match random.below(14) {
        13 => format!("if ({}) {{ {}}} {}", related(random, own), statements(random, own, 1, 2), claim(random, own)),
        0..=2 => format!("{target} = {value};"),
        3 => format!("{target} = {};", random.pick(&["unsigned_value()", "signed_value()"])),
        4 | 5 if depth < 2 => {
            let (yes, no) = (statements(random, own, 2, depth + 1), statements(random, own, 1, depth + 1));
            format!("if ({}) {{ {yes}}} else {{ {no}}}", condition(random, own))
        }
        4..=6 => format!("if ({}) assert({});", condition(random, own), condition(random, own)),
        7 => format!("switch ({mine}) {{ case 1: {target} = 3; break; case 7: {target} = {value}; }}"),
        8 => format!("table[{mine} % 6] = {value}; {target} = table[{} % 6];", random.pick(own)),
        9 => format!("pair.a = {mine}; pair.b = {value}; copy = pair; {target} = copy.{};", random.pick(&["a", "b"])),
        10 => format!("__VERIFIER_assume({});", condition(random, own)),
        11 => {
            let (new, order) = (random.pick(own), "__ATOMIC_SEQ_CST");
            format!(
                "{{ u8 e = {mine}; __atomic_compare_exchange_n(&cell, &e, {new}, 0, {order}, {order}); {mine} = e; }}"
            )
        }
        _ => random
            .pick(&[
                "__atomic_fetch_add(&cell, X, __ATOMIC_SEQ_CST);",
                "X = __atomic_exchange_n(&cell, X, __ATOMIC_SEQ_CST);",
                "memcpy(&table[1], &table[0], 3); X = table[1];",
                "X = X < 5 ? cell : X;",
                "X += rmc_choose(2);",
                "{ struct odd one; one.a = X; one.b = Y * 256 + 3; struct odd two = one; memcpy(&X, (u8 *)&two + 2, 1); }",
                "{ unsigned short both = X << 8 | Y; memcpy(&X, (u8 *)&both + 1, 1); Y = both; }",
                "{ u8 four[4] = { X, 1, Y, X }; unsigned number; memcpy(&number, four, 4); X = number >> 16; Y = number; }",
            ])
            .replace('X', mine)
            .replace('Y', random.pick(own)),
    }
}

/// A comparison that is made or not, and makes no difference.
fn detour(random: &mut Random, own: &[&str]) -> String {
    let (shared, mine, [one, other]) =
        (random.pick(&SHARED), random.pick(own), [(); 2].map(|()| random.pick(&NUMBERS)));
    format!(
        "switch (rmc_choose(3)) {{ case 1: if ({mine} < {one}) {shared} = 1; break; case 2: if ({mine} > {other}) {shared} = 2; }} {shared} = 0; "
    )
}

/// A comparison of two places.
fn related(random: &mut Random, own: &[&str]) -> String {
    let compared = random.pick(&["<", "<=", "==", "!="]);
    let offset = random.pick(&["", "", " + 1", " * 2"]);
    format!("{}{offset} {compared} {}", place(random, own), place(random, own))
}

/// An assertion that depends on how places compare.
fn claim(random: &mut Random, own: &[&str]) -> String {
    format!("if ({}) assert({});", related(random, own), related(random, own))
}

/// A statement that waits for some values of inputs, with a semicolon and a space.
fn wait(random: &mut Random, own: &[&str]) -> String {
    let (shared, other, mine) = (random.pick(&SHARED), random.pick(&SHARED), random.pick(own));
    let number = random.pick(&NUMBERS);
    let condition = condition(random, own);
    let statement = match random.below(8) {
        0 => format!("while (LOAD({shared}) == {mine});"),
        1 => format!("while (LOAD({shared}) < {number});"),
        2 => format!("while (LOAD({shared}) > {number}) {other} = {mine};"),
        3 => format!("while (LOAD({shared}) != {number}) {{ u8 seen = LOAD({other}); if (seen == {mine}) break; }}"),
        4 => format!("PAUSE; if ({condition}) sem_wait(&tokens);"),
        5 => format!("if ({condition}) sem_post(&tokens); else sem_wait(&tokens);"),
        6 => format!("pthread_mutex_lock(&lock); {shared} = {mine}; if ({condition}) pthread_mutex_unlock(&lock);"),
        _ => format!("while (({condition}) && LOAD({shared}) == {number}) __atomic_thread_fence(__ATOMIC_SEQ_CST);"),
    };
    statement + " "
}

fn place<'a>(random: &mut Random, own: &[&'a str]) -> &'a str {
    let shared = random.below(SHARED.len() + own.len());
    if shared < SHARED.len() { SHARED[shared] } else { own[shared - SHARED.len()] }
}

fn expression(random: &mut Random, own: &[&str], depth: usize) -> String {
    if depth == 2 || random.below(3) == 0 {
        return place(random, own).to_owned();
    }
    let operand = expression(random, own, depth + 1);
    match random.below(10) {
        0 | 1 => format!("({operand} + {})", random.pick(&NUMBERS)),
        2 => format!("({} - {operand})", random.pick(&NUMBERS)),
        3 => format!("({operand} - {})", random.pick(&NUMBERS)),
        4 => format!("({operand} {} {})", random.pick(&["/", "%"]), random.pick(&[1, 2, 3, 7, 10, 16])),
        5 => format!("({operand} {} {})", random.pick(&["&", "|", "^"]), random.pick(&[1, 3, 7, 15, 0x3c, 127, 255])),
        6 => format!("({operand} * {})", random.pick(&[0, 1, 2, 3, 5])),
        7 => format!("((u8){operand} {} {})", random.pick(&["<<", ">>"]), random.below(8)),
        8 => format!("((s8){operand} {} {})", random.pick(&["/", "%", ">>"]), 1 + random.below(6)),
        _ => format!("({operand} {} {})", random.pick(&["+", "-", "*", "&", "^"]), place(random, own)),
    }
}

fn condition(random: &mut Random, own: &[&str]) -> String {
    let cast = random.pick(&["", "", "(s8)", "(u8)"]);
    let compared = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
    let with = if random.below(4) == 0 { place(random, own).to_owned() } else { random.pick(&NUMBERS).to_string() };
    format!("{cast}{} {compared} {with}", expression(random, own, 0))
}
