//! Random programs with several identical threads: the same function, often with the same argument.
//!
//! They use features that may distinguish threads, or that threads may leave behind: locks, thread-local
//! variables, local variables whose addresses other threads get, heap memory that is passed from thread to
//! thread, `pthread_self`, arithmetic with addresses, numbers that look like addresses. Many of the programs
//! have violations, which is intended: all engines must find the same ones.

use std::fmt::Write;

use crate::generated::random::Random;

/// The code that all programs share.
const HEAD: &str = r"#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
atomic_int a, b;
int x, y;
pthread_mutex_t m = MUTEX, n = MUTEX;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
_Thread_local int own;
struct node { struct node *next; int value; };
struct node *_Atomic top;
int *_Atomic shown;
int table[4] = {5, LOOK, 7, LOOK};
pthread_t known, handles[4];
";

/// Statements that do not distinguish threads. `R` is a number.
const ALIKE: [&str; 26] = [
    "a = a + 1;",
    "r = a; x = r;",
    "b = r + R;",
    "x = y + 1; r += x;",
    "y = x;",
    "a++; r ^= b;",
    "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);",
    "pthread_mutex_lock(&m); r = x; pthread_mutex_lock(&n); y += r; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
    "if (pthread_mutex_trylock(&m) == 0) { y++; pthread_mutex_unlock(&m); }",
    "if (pthread_mutex_trylock(&n) == 0) held = 1;",
    "if (held) { pthread_mutex_unlock(&n); held = 0; }",
    "r += pthread_mutex_unlock(&n);",
    "own += R; b = own;",
    "shown = &place[R & 1];",
    "{ int *other = shown; if (other) r = *other; }",
    "{ int *other = shown; if (other && R) *other = r; }",
    "place[r & 1] += R; x = place[R & 1];",
    "{ struct node *one = malloc(sizeof *one); one->value = r; one->next = top; top = one; }",
    "{ struct node *one = malloc(sizeof *one); one->value = a; one->next = top; while (!atomic_compare_exchange_strong(&top, &one->next, one)); }",
    "{ struct node *one = top; while (one && !atomic_compare_exchange_strong(&top, &one, one->next)); if (one) { r = one->value; free(one); } }",
    "{ struct node *one = top; if (one) x = one->value; }",
    "if (a == R) while (b < R);",
    "pthread_mutex_lock(&m); if (a < R) { b = 1; pthread_cond_wait(&c, &m); } pthread_mutex_unlock(&m);",
    "pthread_cond_signal(&c);",
    "if (shown == &place[0]) y = 7;",
    "assert(r != R + 2);",
];

/// Statements that distinguish threads, or may do so.
const TELLING: [&str; 9] = [
    "known = pthread_self();",
    "if (known == pthread_self()) y = 9;",
    "r = (int)((uintptr_t)&place >> 40);",
    "x = (uintptr_t)&own % 3 + (uintptr_t)place % 5;",
    "table[R & 3] += 3; y = table[(R + 1) & 3];",
    "if ((uintptr_t)shown > (uintptr_t)place) x = 3;",
    "y = handles[1] == handles[0];",
    "if (R == 1) return (void *)(intptr_t)r;",
    "r = ((unsigned char *)&shown)[5];",
];

/// A random program.
pub fn program(random: &mut Random) -> String {
    let kind = random.pick(&["PTHREAD_MUTEX_INITIALIZER", "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP"]);
    let text = format!(
        "#define _GNU_SOURCE\n{}",
        HEAD.replace("MUTEX, n", &format!("{kind}, n")).replace("= MUTEX", &format!("= {kind}"))
    );
    let tells = random.below(8) == 0;
    // As an address, this number reveals the owner of the memory.
    let mut text = text.replace("LOOK", if tells { "600" } else { "6" });
    let functions = 1 + random.below(4) / 3;
    for function in 0..functions {
        let _ = write!(
            text,
            "void *work{function}(void *given) {{\n  int r = (int)(intptr_t)given, held = 0, place[2] = {{0, 0}};\n"
        );
        for _ in 0..2 + random.below(2) {
            let statement = if tells && random.below(3) == 0 { random.pick(&TELLING) } else { random.pick(&ALIKE) };
            let _ = writeln!(text, "  {}", statement.replace('R', &random.below(3).to_string()));
        }
        text.push_str("  (void)held; (void)place; return 0;\n}\n");
    }
    text.push_str("int main(void) {\n  pthread_t local[4]; (void)local;\n");
    for _ in 0..1 + usize::from(random.below(5) == 0) {
        phase(random, functions, &mut text);
    }
    // Addresses in final states would distinguish threads.
    text.push_str("  r = a; x += table[1] + (top ? top->value : 0); assert(r != 4);\n  shown = 0; top = 0;\n}\n");
    text.replace("int main(void) {\n", "int main(void) {\n  int r = 0; (void)r;\n")
}

/// Adds code that creates threads, and perhaps joins them.
fn phase(random: &mut Random, functions: usize, text: &mut String) {
    let threads = 2 + random.below(2);
    let table = if random.below(8) == 0 { "handles" } else { "local" };
    let argument = random.pick(&["0", "0", "0", "i", "i & 1"]);
    let function = if functions == 1 { "work0" } else { "i & 1 ? work0 : work1" };
    let detached = random.below(12) == 0;
    let _ = writeln!(text, "  for (long i = 0; i < {threads}; i++) {{");
    let _ = writeln!(text, "    pthread_create(&{table}[i], 0, {function}, (void *)({argument}));");
    if detached {
        let _ = writeln!(text, "    if (i == 0) pthread_detach({table}[i]);");
    }
    text.push_str("  }\n");
    let first = usize::from(detached);
    match random.below(20) {
        0 if threads == 2 => text.push_str("  pthread_exit(0);\n"),
        0 => {}
        1 => {
            let _ = writeln!(text, "  pthread_join({table}[1], 0); a = 3;");
        }
        2 => {
            let _ =
                writeln!(text, "  for (int i = {first}; i < {threads}; i++) {{ pthread_join({table}[i], 0); r = a; }}");
        }
        3 => {
            let _ =
                writeln!(text, "  for (int i = {first}; i < {threads}; i++) {{ pthread_join({table}[i], 0); x = 0; }}");
        }
        4 => {
            let _ = writeln!(
                text,
                "  for (int i = {first}; i < {threads}; i++) {{ void *end; pthread_join({table}[i], &end); y += (int)(intptr_t)end; }}"
            );
        }
        5 => {
            let _ = writeln!(
                text,
                "  a = 2; r = x; for (int i = {threads} - 1; i >= {first}; i--) pthread_join({table}[i], 0);"
            );
        }
        6 => {
            let _ = writeln!(text, "  pthread_join({table}[{first}], 0); pthread_exit(0);");
        }
        _ => {
            let _ = writeln!(text, "  for (int i = {first}; i < {threads}; i++) pthread_join({table}[i], 0);");
        }
    }
}
