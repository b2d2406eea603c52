//! Random C programs whose threads create, join and detach others, and the final states that they may have
//! where every store is in memory at once.
//!
//! The numbers of threads that are joined are given away again, and the process may end while threads run.
//! The final states are found by going through all interleavings of single operations.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::random::Random;
use crate::harness::entries;

/// The most threads of a program.
pub const THREADS: usize = 6;
/// The number of variables.
const VARIABLES: usize = 2;
/// The number by which what a thread has read is multiplied before the next value.
const BASE: i64 = 100;

/// The declarations that the programs share.
pub const HEAD: &str = "#include <pthread.h>
long x0, x1, seen0, seen1, seen2, seen3, seen4, seen5;
static pthread_t threads[6];
#define READ(seen, value) (seen = 100 * seen + (value) + 1)
";

/// The globals of a final state: the variables, then what each thread has read.
pub const GLOBALS: [&str; VARIABLES + THREADS] = ["x0", "x1", "seen0", "seen1", "seen2", "seen3", "seen4", "seen5"];

/// The values of [`GLOBALS`].
pub type Final = [i64; VARIABLES + THREADS];

/// An operation of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Store(usize, i64),
    Load(usize),
    Add(usize, i64),
    Create(usize),
    Join(usize),
    Detach(usize),
}

/// The operations of each thread; the first one is the one that begins.
type Threads = Vec<Vec<Operation>>;

/// A program, and its final states.
pub fn program(random: &mut Random, number: usize) -> (entries::Program, BTreeSet<Final>) {
    let threads = threads(random);
    let functions = (1..threads.len()).rev().map(|thread| function(&threads, number, thread)).collect::<String>();
    let entry = format!("program{number}");
    let first = body(&threads, number, 0);
    let functions = format!("{functions}int {entry}(void) {{\n{first}  return 0;\n}}\n");
    (entries::Program { entry, functions }, finals(&threads))
}

/// Threads most of which are joined before their creator creates the next one; the last ones often run when
/// the process ends.
fn threads(random: &mut Random) -> Threads {
    let count = random.pick(&[3, 4, 5, 5, 6]);
    let creators: Vec<usize> = (1..count).map(|thread| random.below(thread.min(2))).collect();
    (0..count)
        .map(|thread| {
            let created = (1..count).zip(&creators).filter(|&(_, &creator)| creator == thread);
            let created: Vec<usize> = created.map(|(other, _)| other).collect();
            let mut room = if count > 4 || thread == 0 { 2 } else { 3 };
            let mut accesses = |random: &mut Random, body: &mut Vec<Operation>| {
                let some = random.below(room.min(2) + 1);
                room -= some;
                body.extend((0..some).map(|_| access(random)));
            };
            let (mut body, mut left) = (Vec::new(), None);
            for (at, &other) in created.iter().enumerate() {
                body.push(Operation::Create(other));
                accesses(random, &mut body);
                body.extend(left.take().map(Operation::Join));
                let is_last = at + 1 == created.len();
                match random.below(10) {
                    0 => body.push(Operation::Detach(other)),
                    1 | 2 => left = Some(other),
                    roll if roll < 5 || !is_last => body.push(Operation::Join(other)),
                    _ => {}
                }
            }
            accesses(random, &mut body);
            body.extend(left.map(Operation::Join));
            body
        })
        .collect()
}

fn access(random: &mut Random) -> Operation {
    let variable = random.below(VARIABLES);
    match random.below(10) {
        0..4 => Operation::Store(variable, random.pick(&[1, 2, 3])),
        4..9 => Operation::Load(variable),
        _ => Operation::Add(variable, 10),
    }
}

fn function(threads: &Threads, number: usize, thread: usize) -> String {
    let body = body(threads, number, thread);
    format!("static void *run{thread}_{number}(void *unused) {{\n{body}  return unused;\n}}\n")
}

fn body(threads: &Threads, number: usize, thread: usize) -> String {
    let mut text = String::new();
    for operation in &threads[thread] {
        let _ = match operation {
            Operation::Store(variable, value) => writeln!(text, "  x{variable} = {value};"),
            Operation::Load(variable) => writeln!(text, "  READ(seen{thread}, x{variable});"),
            Operation::Add(variable, more) => {
                let add = format!("__atomic_fetch_add(&x{variable}, {more}, __ATOMIC_RELAXED)");
                writeln!(text, "  {{\n    long old = {add};\n    READ(seen{thread}, old);\n  }}")
            }
            Operation::Create(other) => {
                writeln!(text, "  pthread_create(&threads[{other}], 0, run{other}_{number}, 0);")
            }
            Operation::Join(other) => writeln!(text, "  pthread_join(threads[{other}], 0);"),
            Operation::Detach(other) => writeln!(text, "  pthread_detach(threads[{other}]);"),
        };
    }
    text
}

/// How far the threads are, and what is in memory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// For each thread that was created, the number of operations that it has done, and whether it has what
    /// it read last in a register only.
    threads: Vec<Option<(usize, Option<i64>)>>,
    memory: Final,
}

/// The final states: the process ends with its first thread.
fn finals(threads: &Threads) -> BTreeSet<Final> {
    let mut begun = vec![None; threads.len()];
    begun[0] = Some((0, None));
    let first = State { threads: begun, memory: [0; VARIABLES + THREADS] };
    let (mut seen, mut open, mut finals) = (BTreeSet::from([first.clone()]), vec![first], BTreeSet::new());
    while let Some(state) = open.pop() {
        if state.threads[0] == Some((threads[0].len(), None)) {
            finals.insert(state.memory);
        }
        for next in (0..threads.len()).filter_map(|thread| state.after(threads, thread)) {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    finals
}

impl State {
    /// The state after the next operation of a thread, if it can go on. A load, and the store of what was
    /// loaded, are two operations.
    fn after(&self, threads: &Threads, thread: usize) -> Option<Self> {
        let (done, register) = self.threads[thread]?;
        let mut next = self.clone();
        let seen = VARIABLES + thread;
        if let Some(value) = register {
            next.memory[seen] = BASE * next.memory[seen] + value + 1;
            next.threads[thread] = Some((done, None));
            return Some(next);
        }
        let mut loaded = None;
        match *threads[thread].get(done)? {
            Operation::Store(variable, value) => next.memory[variable] = value,
            Operation::Load(variable) => loaded = Some(next.memory[variable]),
            Operation::Add(variable, more) => {
                loaded = Some(next.memory[variable]);
                next.memory[variable] += more;
            }
            Operation::Create(other) => next.threads[other] = Some((0, None)),
            Operation::Join(other) if self.threads[other] == Some((threads[other].len(), None)) => {}
            Operation::Join(_) => return None,
            Operation::Detach(_) => {}
        }
        next.threads[thread] = Some((done + 1, loaded));
        Some(next)
    }
}
