//! C source of random programs: one C program holds several and chooses one, as in the litmus suite.
//!
//! Macros for the command line change aspects that must not matter:
//! * `PLAIN` qualifies plain accesses. By default it is `volatile`, so that the optimiser may neither remove,
//!   merge nor reorder them, and the outcomes at -O2 are those at -O0; `-DPLAIN=` makes them truly plain,
//!   which is equivalent as long as nothing is optimised.
//! * `ORDER` is the order in which `main` creates the threads: their numbers separated by commas.
//! * `MAIN_TAKES_PART` makes `main` run the last of them itself.
//!
//! Every statement has a line of its own, and names the type of its access there.

use std::fmt::Write;

use super::program::{Home, Order, Place, Program, Statement};
use super::{BASE, CELLS, Outcome};
use crate::harness::entries;

/// The C text. All programs have the home and the number of threads of the first. The global `test` of a
/// final state is the number of the program that it belongs to, or the number of programs if it belongs to
/// none. With `forbidden` there must be one program, and an assertion says that it does not have that
/// outcome.
///
/// # Panics
/// If there is no program, or several with a forbidden outcome.
pub fn c_source(programs: &[Program], forbidden: Option<&Outcome>) -> String {
    assert!(forbidden.is_none() || programs.len() == 1, "one program has the forbidden outcome");
    let Program { home, threads, .. } = &programs[0];
    let functions: String = programs.iter().enumerate().map(|(test, program)| functions(test, program)).collect();
    let assertion = forbidden.map(|outcome| assertion(outcome, threads.len())).unwrap_or_default();
    [
        prelude(*home, programs.len(), threads.len()),
        functions,
        table(programs.len(), threads.len()),
        CHOOSE.to_owned(),
        first_function(&CHOOSES, *home, threads.len(), &assertion),
    ]
    .concat()
}

/// The programs in a form in which each begins in a function of its own: the declarations that they share,
/// and the programs, numbered from 0. All have the home and the number of threads of the first.
///
/// # Panics
/// If there is no program.
pub fn entries(programs: &[Program]) -> (String, Vec<entries::Program>) {
    let Program { home, threads, .. } = &programs[0];
    let entry = |(test, program): (usize, &Program)| {
        let entry = format!("program{test}");
        let bodies = format!("bodies_{entry}");
        let row = format!("static void *(*const {bodies}[THREADS])(void *) = {{{}}};\n", names(test, threads.len()));
        let first = First { name: &entry, choice: &format!("  test = {test};\n"), bodies: &bodies };
        let begin = first_function(&first, *home, threads.len(), "");
        entries::Program { entry, functions: functions(test, program) + &row + &begin }
    };
    let all = programs.iter().enumerate().map(entry).collect();
    (prelude(*home, programs.len(), threads.len()), all)
}

fn prelude(home: Home, tests: usize, threads: usize) -> String {
    let coins = usize::BITS - (tests - 1).leading_zeros();
    let globals = |name: &str, n: usize| (0..n).map(|i| format!("{name}{i}")).collect::<Vec<_>>().join(", ");
    let order = (0..threads).map(|thread| thread.to_string()).collect::<Vec<_>>().join(", ");
    format!(
        "#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef PLAIN
#define PLAIN volatile
#endif
#ifndef ORDER
#define ORDER {order}
#endif

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

typedef uint8_t __attribute__((aligned(1))) u8;
typedef uint16_t __attribute__((aligned(1))) u16;
typedef uint32_t __attribute__((aligned(1))) u32;
typedef uint64_t __attribute__((aligned(1))) u64;

#define READ(value) (last = (value), read = UINT64_C({BASE:#x}) * read + last)
#define LOAD(type, at) READ(*(const PLAIN type *)(at))
#define STORE(type, at, value) (*(PLAIN type *)(at) = (type)(value))
#define ATOMIC_LOAD(type, at, order) READ(__atomic_load_n((type *)(at), order))
#define ATOMIC_STORE(type, at, value, order) __atomic_store_n((type *)(at), (type)(value), order)
#define EXCHANGE(type, at, value) READ(__atomic_exchange_n((type *)(at), (type)(value), __ATOMIC_RELAXED))
#define COMPARE_EXCHANGE(type, at, old, value) \\
  READ(({{ type expected = (type)(old); __atomic_compare_exchange_n((type *)(at), &expected, (type)(value), 0, \\
    __ATOMIC_RELAXED, __ATOMIC_RELAXED); expected; }}))
#define FETCH_ADD(type, at, value) READ(__atomic_fetch_add((type *)(at), (type)(value), __ATOMIC_RELAXED))
#define ADD(type, at, value) __atomic_add_fetch((type *)(at), (type)(value), __ATOMIC_RELAXED)

enum {{ TESTS = {tests}, COINS = {coins}, THREADS = {threads}, CELLS = {CELLS} }};
struct cells {{
  uint64_t {cells};
}};
int test, coin;
uint64_t {digests};
uint64_t {finals};
{home}\n",
        cells = globals("cell", CELLS),
        digests = globals("digest", threads),
        finals = globals("final", CELLS),
        home = home_globals(home),
    )
}

/// Globals of the home, and the address of a cell.
fn home_globals(home: Home) -> &'static str {
    match home {
        Home::Globals => "uint64_t cell0, cell1, cell2;\n#define CELL(n) ((char *)&cell##n)\n",
        Home::Array => "uint64_t cells[CELLS];\n#define CELL(n) ((char *)&cells[self + n - self])\n",
        Home::Stack => "#define CELL(n) ((char *)&cells->cell##n)\n",
        Home::Heap => "struct cells *heap;\n#define CELL(n) ((char *)&cells->cell##n)\n",
        Home::Published => {
            "struct cells *published;
#define FIND(order) __atomic_load_n(&published, order)
#define PUBLISH(order) __atomic_store_n(&published, cells, order)
#define CELL(n) ((char *)&cells->cell##n)\n"
        }
        Home::Disguised => {
            "struct cells *published;
uintptr_t disguised;
static struct cells *found(uintptr_t number) {
  return number ? (struct cells *)~number : NULL;
}
#define FIND(order) found(__atomic_load_n(&disguised, order))
#define PUBLISH(order) __atomic_store_n(&disguised, ~(uintptr_t)cells, order)
#define CELL(n) ((char *)&cells->cell##n)\n"
        }
    }
}

/// The code by which a thread gets the addresses of the cells; values read for that are part of its digest.
fn thread_begins(home: Home, program: &Program, thread: usize) -> String {
    match home {
        Home::Globals => String::new(),
        Home::Array => "  intptr_t self = (intptr_t)argument;\n".to_owned(),
        Home::Stack => "  struct cells *cells = argument;\n".to_owned(),
        Home::Heap => "  struct cells *cells = heap;\n".to_owned(),
        Home::Published | Home::Disguised if thread == 0 => {
            "  struct cells *cells = calloc(1, sizeof *cells);\n".to_owned()
        }
        Home::Published | Home::Disguised => {
            let reads = program.threads[thread].iter().filter(|statement| statement.reads()).count();
            format!(
                "  struct cells *cells = FIND(__ATOMIC_ACQUIRE);
  READ(cells != NULL);
  if (cells == NULL) {{
    {}return (void *)read;
  }}\n",
                "READ(0);\n    ".repeat(reads)
            )
        }
    }
}

fn functions(test: usize, program: &Program) -> String {
    program.threads.iter().enumerate().map(|(thread, statements)| function(test, program, thread, statements)).collect()
}

fn function(test: usize, program: &Program, thread: usize, statements: &[Statement]) -> String {
    let mut text = format!(
        "static void *test{test}_thread{thread}(void *argument) {{
  uint64_t read = 0, last = 0;
  (void)argument, (void)last;
{}",
        thread_begins(program.home, program, thread)
    );
    let publication = program.publication_of(thread);
    for at in 0..=statements.len() {
        if let Some(publication) = publication.filter(|publication| publication.after == at) {
            let _ = writeln!(text, "  PUBLISH({});", order_name(publication.order));
        }
        if let Some(statement) = statements.get(at) {
            let _ = writeln!(text, "  {}", render(statement));
        }
    }
    if publication.is_some() && program.home == Home::Disguised {
        text += "  __atomic_store_n(&published, cells, __ATOMIC_RELAXED);\n";
    }
    text + "  return (void *)read;\n}\n\n"
}

fn render(statement: &Statement) -> String {
    match statement {
        Statement::Store { place, value, order: Order::Plain } => format!("STORE({}, {value:#x});", plain(*place)),
        Statement::Store { place, value, order } => {
            format!("ATOMIC_STORE({}, {value:#x}, {});", atomic(*place), order_name(*order))
        }
        Statement::Load { place, order: Order::Plain } => format!("LOAD({});", plain(*place)),
        Statement::Load { place, order } => format!("ATOMIC_LOAD({}, {});", atomic(*place), order_name(*order)),
        Statement::BeginSection => "__VERIFIER_atomic_begin();".to_owned(),
        Statement::EndSection => "__VERIFIER_atomic_end();".to_owned(),
        Statement::Fence(order) => format!("__atomic_thread_fence({});", order_name(*order)),
        Statement::Exchange { place, value } => format!("EXCHANGE({}, {value:#x});", atomic(*place)),
        Statement::CompareExchange { place, expected, new } => {
            format!("COMPARE_EXCHANGE({}, {expected:#x}, {new:#x});", atomic(*place))
        }
        Statement::FetchAdd { place, value } => format!("FETCH_ADD({}, {value:#x});", atomic(*place)),
        Statement::Add { place, value } => format!("ADD({}, {value:#x});", atomic(*place)),
        Statement::Fill { place, byte } => format!("memset({}, {byte}, {});", address(*place), place.len),
        Statement::Copy { to, from } => format!("memcpy({}, {}, {});", address(*to), address(*from), to.len),
        Statement::When { read, then } => format!("if (last == {read:#x})\n    {}", render(then)),
    }
}

fn address(place: Place) -> String {
    format!("CELL({}) + {}", place.cell, place.offset)
}

/// The type and the address of a plain access.
fn plain(place: Place) -> String {
    format!("u{}, {}", 8 * place.len, address(place))
}

/// The type and the address of an atomic access.
fn atomic(place: Place) -> String {
    format!("uint{}_t, {}", 8 * place.len, address(place))
}

fn order_name(order: Order) -> &'static str {
    match order {
        Order::Plain | Order::Relaxed => "__ATOMIC_RELAXED",
        Order::Acquire => "__ATOMIC_ACQUIRE",
        Order::Release => "__ATOMIC_RELEASE",
        Order::AcqRel => "__ATOMIC_ACQ_REL",
        Order::SeqCst => "__ATOMIC_SEQ_CST",
    }
}

/// The names of a program's functions.
fn names(test: usize, threads: usize) -> String {
    (0..threads).map(|thread| format!("test{test}_thread{thread}")).collect::<Vec<_>>().join(", ")
}

fn table(tests: usize, threads: usize) -> String {
    let rows: String = (0..tests).map(|test| format!("  {{{}}},\n", names(test, threads))).collect();
    format!("static void *(*const bodies[TESTS][THREADS])(void *) = {{\n{rows}}};\n\n")
}

/// The choice of a program. A race between a store and a load tosses a coin; the coin's thread is joined and
/// leaves no trace.
const CHOOSE: &str = "static void *toss(void *unused) {
  __atomic_store_n(&coin, 1, __ATOMIC_RELAXED);
  return unused;
}

static int choose_test(void) {
  int chosen = 0;
  for (int i = 0; i < COINS; i++) {
    pthread_t thread;
    __atomic_store_n(&coin, 0, __ATOMIC_RELAXED);
    pthread_create(&thread, NULL, toss, NULL);
    chosen = 2 * chosen + __atomic_load_n(&coin, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
  }
  return chosen < TESTS ? chosen : TESTS;
}

";

/// The function in which a program begins.
struct First<'a> {
    name: &'a str,
    /// The statements that say which program it is.
    choice: &'a str,
    /// The functions of that program.
    bodies: &'a str,
}

/// The first function of a file whose programs are chosen.
const CHOOSES: First = First {
    name: "main",
    choice: "  test = choose_test();\n  if (test == TESTS)\n    return 0;\n",
    bodies: "bodies[test]",
};

fn first_function(first: &First, home: Home, threads: usize, assertion: &str) -> String {
    let First { name, choice, bodies } = first;
    let (begins, argument, ends) = match home {
        Home::Globals => ("", "NULL", ""),
        Home::Array => ("", "(void *)(intptr_t)thread", "  intptr_t self = 0;\n"),
        Home::Stack => ("  struct cells on_stack = {0}, *cells = &on_stack;\n", "&on_stack", ""),
        Home::Heap => ("  struct cells *cells = heap = calloc(1, sizeof *cells);\n", "NULL", ""),
        Home::Published | Home::Disguised => ("", "NULL", "  struct cells *cells = published;\n"),
    };
    let digests: String =
        (0..threads).map(|thread| format!("  digest{thread} = (uint64_t)read[{thread}];\n")).collect();
    let finals: String = (0..CELLS).map(|cell| format!("  final{cell} = *(uint64_t *)CELL({cell});\n")).collect();
    format!(
        "int {name}(void) {{
  static const int order[THREADS] = {{ORDER}};
  pthread_t threads[THREADS];
  void *read[THREADS];
{choice}{begins}#ifdef MAIN_TAKES_PART
  enum {{ CREATED = THREADS - 1 }};
#else
  enum {{ CREATED = THREADS }};
#endif
  for (int i = 0; i < CREATED; i++) {{
    int thread = order[i];
    pthread_create(&threads[thread], NULL, {bodies}[thread], {argument});
  }}
  for (int i = CREATED; i < THREADS; i++) {{
    int thread = order[i];
    read[thread] = {bodies}[thread]({argument});
  }}
  for (int i = 0; i < CREATED; i++)
    pthread_join(threads[order[i]], &read[order[i]]);
{digests}{ends}{finals}{assertion}  return 0;
}}
"
    )
}

fn assertion(outcome: &Outcome, threads: usize) -> String {
    let names = super::outcome_globals(threads);
    let equal = names.iter().zip(outcome).map(|(name, value)| format!("{name} == UINT64_C({value:#x})"));
    format!("  assert(!({}));\n", equal.collect::<Vec<_>>().join(" && "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::random::{Random, program};

    #[test]
    fn every_statement_names_its_type_on_its_line() {
        let mut random = Random::new(1);
        let programs: Vec<_> = (0..20).map(|_| program(&mut random, Home::Globals, 3)).collect();
        let text = c_source(&programs, None);
        assert!(text.contains("TESTS = 20, COINS = 5, THREADS = 3"));
        let calls =
            text.lines().filter(|line| !line.starts_with('#') && line.contains("CELL(") && !line.contains("final"));
        for line in calls {
            assert!(line.contains("(u"), "{line}");
        }
    }
}
