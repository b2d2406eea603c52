//! Random C programs with pointers to memory that has ended, and whether a pointer is used while it leads
//! nowhere.
//!
//! The first thread begins and ends memory, and tells the second one how far it is; new memory takes the
//! lowest free name of its kind. The second thread uses a pointer once, when it was told enough. Whether it
//! does so while the name is free is found by going through all interleavings of single operations.

use super::random::Random;
use crate::harness::entries::Program;

/// The declarations that the programs share.
pub const HEAD: &str = "#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define LOAD(x) atomic_load(&x)
#define STORE(x, v) atomic_store(&x, v)
static _Atomic(long *) pointers[2];
static atomic_int told;
static pthread_t thread;
long seen;
__attribute__((noinline)) static void share(void) {
  volatile long own = 5;
  STORE(pointers[1], (long *)&own);
}
__attribute__((noinline)) static void use(void) {
  volatile long own = 7;
  own++;
}
__attribute__((noinline)) static void wait_inside(void) {
  volatile long own = 9;
  STORE(pointers[1], (long *)&own);
  pthread_join(thread, 0);
}
";

/// The kinds of memory: on the heap, and on the stack.
const KINDS: usize = 2;

/// A statement of the first thread.
#[derive(Clone, Copy)]
enum Statement {
    /// It takes memory on the heap, and shares the pointer.
    Share,
    /// It frees what it shared last, if that is not freed.
    Free,
    /// It takes memory on the heap for itself.
    Take,
    /// It calls a function that shares a pointer to its variable.
    ShareVariable,
    /// It calls a function with a variable.
    UseVariable,
    /// It tells the second thread one more.
    Tell,
}

/// An operation of the first thread.
#[derive(Clone, Copy)]
enum Operation {
    Begin(usize),
    /// The pointer of a kind leads to what began last.
    Point(usize),
    End(usize, usize),
    Tell,
}

/// The state that the second thread sees.
#[derive(Clone, Default)]
struct State {
    told: usize,
    /// For each kind, the names that are taken.
    taken: [Vec<usize>; KINDS],
    last: [usize; KINDS],
    pointers: [Option<usize>; KINDS],
}

impl State {
    fn after(&self, operation: Operation) -> Self {
        let mut state = self.clone();
        match operation {
            Operation::Begin(kind) => {
                let free = (0..).find(|name| !state.taken[kind].contains(name)).expect("names have no end");
                state.taken[kind].push(free);
                state.last[kind] = free;
            }
            Operation::Point(kind) => state.pointers[kind] = Some(state.last[kind]),
            Operation::End(kind, name) => state.taken[kind].retain(|other| *other != name),
            Operation::Tell => state.told += 1,
        }
        state
    }
}

/// A program, and true if a pointer is used while it leads nowhere.
pub fn program(random: &mut Random, number: usize) -> (Program, bool) {
    use Statement::{Free, Share, ShareVariable, Take, Tell, UseVariable};
    let before = random.below(4);
    let mut statements: Vec<Statement> = Vec::new();
    while statements.len() < 4 + random.below(4) {
        // Often the second thread is told of an end, and new memory begins at once.
        let next = match statements.last() {
            Some(Share) => random.pick(&[Free, Free, Tell, Take]),
            Some(Free | ShareVariable) => random.pick(&[Tell, Tell, Tell, Take, UseVariable]),
            Some(Tell) => random.pick(&[Take, Take, UseVariable, UseVariable, Share]),
            _ => random.pick(&[Share, Share, Free, Take, ShareVariable, UseVariable, Tell]),
        };
        statements.push(next);
    }
    let tells = statements.iter().filter(|statement| matches!(statement, Tell)).count();
    let (kind, least) = (random.below(KINDS), tells.saturating_sub(random.below(2)));
    let entry = format!("program{number}");
    let (mut body, mut states, mut shared) = (String::new(), vec![State::default()], None);
    for (at, statement) in statements.iter().enumerate() {
        if at == before {
            body += &format!("  pthread_create(&thread, 0, run_{entry}, 0);\n");
            states.drain(..states.len() - 1);
        }
        let mut act = |operation| {
            let state = states.last().expect("there is a first one").after(operation);
            let last = state.last;
            states.push(state);
            last
        };
        match statement {
            Share => {
                body += "  STORE(pointers[0], malloc(sizeof(long)));\n";
                shared = Some(act(Operation::Begin(0))[0]);
                act(Operation::Point(0));
            }
            Free => {
                if let Some(name) = shared.take() {
                    body += "  free(LOAD(pointers[0]));\n";
                    act(Operation::End(0, name));
                }
            }
            Take => {
                body += "  malloc(sizeof(long));\n";
                act(Operation::Begin(0));
            }
            ShareVariable | UseVariable => {
                let shares = matches!(statement, ShareVariable);
                body += if shares { "  share();\n" } else { "  use();\n" };
                let name = act(Operation::Begin(1))[1];
                if shares {
                    act(Operation::Point(1));
                }
                act(Operation::End(1, name));
            }
            Tell => {
                body += "  atomic_fetch_add(&told, 1);\n";
                act(Operation::Tell);
            }
        }
    }
    let join = if random.below(2) == 0 {
        "pthread_join(thread, 0)"
    } else {
        for operation in [Operation::Begin(1), Operation::Point(1)] {
            let next = states.last().expect("there is a first one").after(operation);
            states.push(next);
        }
        "wait_inside()"
    };
    let functions = format!(
        "static void *run_{entry}(void *argument) {{\n  if (LOAD(told) < {least}) return argument;\n  \
         volatile long *mine = LOAD(pointers[{kind}]);\n  if (mine) seen = *mine;\n  return argument;\n}}\n\
         int {entry}(void) {{\n{body}  {join};\n  return 0;\n}}\n"
    );
    (Program { entry, functions }, is_used(&states, kind, least))
}

/// True if the second thread may use a pointer while its name is free.
fn is_used(states: &[State], kind: usize, least: usize) -> bool {
    let count = states.len();
    let told = (0..count).filter(|&at| states[at].told >= least);
    told.into_iter().any(|asked| {
        (asked..count).any(|read| {
            let pointer = states[read].pointers[kind];
            pointer.is_some_and(|name| (read..count).any(|used| !states[used].taken[kind].contains(&name)))
        })
    })
}
