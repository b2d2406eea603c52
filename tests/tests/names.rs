//! The names of memory and functions in reports, and the selection of events that the text shows.

use std::process::Command;

use rmc_tests::harness::outside::{check, file, rmc, text};
use rmc_tests::harness::process::run_with_report;
use serde_json::Value;

/// A program that accesses memory of many types, and then has a violation.
const TYPES: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *_Atomic next; };
typedef struct {
  struct { uint32_t head, tail; } prod, cons;
  struct node *slots[4];
  unsigned busy : 1, n : 3;
} ring_t;
struct hp { void *hp[3][2]; };
struct queue { struct node *_Atomic head, *_Atomic tail; union { uint64_t raw; struct { int lo, hi; }; }; };
struct message { int n; int data[]; };
struct pair { int a, b; };
union either { uint64_t raw; void *next; };
struct queue queue;
ring_t ring;
int grid[2][3], n;
struct hp *hp;
struct message *message;
union either either;
void *nothing;
static void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
static struct node *new_node(int v) { struct node *n = xmalloc(sizeof *n); n->value = v; n->next = NULL; return n; }
static void push(int v) { struct node *n = new_node(v); atomic_exchange(&queue.tail, n)->next = n; }
static void *run(void *argument) {
  struct pair *local = argument;
  int n = 1, *own = &n;
  *own = 2;
  local->b = 7;
  push(2);
  ring.prod.tail = 3;
  ring.n = 2;
  ring.slots[2] = queue.tail;
  grid[1][2] = 5;
  hp->hp[2][1] = argument;
  queue.hi = 4;
  message->data[1] = 3;
  either.next = 0;
  *((char *)nothing + 9) = 1;
  return own;
}
int main(void) {
  struct pair mine = {0};
  hp = calloc(1, sizeof *hp);
  message = malloc(sizeof *message + 12);
  nothing = malloc(24);
  int *numbers = malloc(12);
  struct pair *pairs = calloc(3, sizeof *pairs);
  queue.tail = queue.head = new_node(0);
  pthread_t thread;
  pthread_create(&thread, 0, run, &mine);
  push(1);
  numbers[2] = 1;
  pairs[1].b = 2;
  memset((char *)&ring.cons + 2, 0, 2);
  pthread_join(thread, 0);
  n = mine.b + queue.hi + grid[1][2];
  assert(0);
}
"#;

/// The names in the order of the events above.
const NAMED: [&str; 20] = [
    "calloc `hp#1` (48 bytes)",
    "malloc `message#1` (16 bytes)",
    "malloc `heap(types.c:50)` (24 bytes)",
    "malloc `node#1` (16 bytes)",
    "in new_node   store node#1->value = 0",
    "in main       store (seq_cst) queue.head = 0x",
    "store mine.b = 7",
    "store ring.prod.tail = 3",
    "store ring.{busy, n} = 4",
    "store ring.slots[2] = 0x",
    "store grid[1][2] = 5",
    "store hp#1->hp[2][1] = 0x",
    "store queue.hi = 4",
    "store message#1->data[1] = 3",
    "store either.(raw|next) = 0",
    "store heap(types.c:50)+9 = 1",
    "store (seq_cst) node#2->next = 0x",
    "store n (of thread 1) = 2",
    "store ring.cons.head+2 (2 bytes) = 0",
    "(mine)",
];

#[test]
fn parts_of_memory_have_their_names_in_the_source() {
    let (_directory, source) = file("types.c", TYPES);
    let arguments = ["--no-local-memory", text(&source)];
    let (run, report) = run_with_report(["--full", "--no-local-memory", text(&source)]);
    check(&run, 1, &[]);
    for name in NAMED.into_iter().chain(["store heap(types.c:51)[2] = 1", "store pair#1[1].b = 2"]) {
        assert!(run.stdout.contains(name), "no `{name}`\n{}", run.describe());
    }
    let report = report.expect("a report");
    let trace = report["violations"][0]["trace"].as_array().expect("a trace");
    let event = |address: &str| trace.iter().find(|event| event["address"] == address).expect("an event of this name");
    let slot = event("ring.slots[2]");
    assert_eq!((&slot["object"], &slot["offset"], &slot["bytes"]), (&"ring".into(), &32.into(), &8.into()));
    assert_eq!((&slot["function"], &event("node#1->value")["function"]), (&"run".into(), &"new_node".into()));
    // The folded text leaves out events on memory that only one thread uses.
    let folded = rmc(arguments);
    let is_number = |word: &str| word.parse::<u32>().is_ok();
    let is_event = |line: &&str| line.split_whitespace().take(2).filter(|word| is_number(word)).count() == 2;
    let lines = |text: &str| text.lines().filter(is_event).count();
    let left_out = trace.len() - lines(&folded.stdout);
    assert_eq!(lines(&run.stdout), trace.len(), "{}", run.describe());
    assert!(folded.stdout.contains(&format!("{left_out} lines are left out")), "{}", folded.describe());
    for (name, is_shown) in [("n (of thread 1)", false), ("pair#1", false), ("ring.slots", true), ("mine.b", true)] {
        assert_eq!(folded.stdout.contains(name), is_shown, "{name}\n{}", folded.describe());
    }
    shows_what_it_depends_on(&folded.stdout, trace);
}

/// Checks that every event on memory that two threads access is shown, arrivals in memory included.
fn shows_what_it_depends_on(shown: &str, trace: &[Value]) {
    let users = |object: &Value| {
        let of = trace.iter().filter(|event| event["object"] == *object && event["bytes"].is_u64());
        of.map(|event| event["thread"].as_u64()).collect::<std::collections::BTreeSet<_>>().len()
    };
    let shared = trace.iter().filter(|event| event["operation"] != "load" && users(&event["object"]) > 1);
    for event in shared {
        let what = format!("{} = {}", event["address"].as_str().unwrap_or(""), event["value"].as_str().unwrap_or(""));
        let is_update = event["operation"] == "atomic update" || event["bytes"].is_null();
        assert!(is_update || shown.contains(&what), "{what} is not shown\n{shown}");
    }
}

#[test]
fn without_debug_information_there_are_offsets() {
    let (directory, source) = file("types.c", TYPES);
    let bitcode = directory.path().join("types.bc");
    let arguments = ["-emit-llvm", "-c", "-fno-discard-value-names", text(&source), "-o", text(&bitcode)];
    assert!(Command::new("clang-16").args(arguments).status().expect("clang-16 runs").success());
    let run = rmc(["--full", "--no-local-memory", text(&bitcode)]);
    check(&run, 1, &[]);
    for name in ["store queue+20 = 4", "store grid+20 = 5", "store ring+4 = 3", "heap(?)"] {
        assert!(run.stdout.contains(name), "no `{name}`\n{}", run.describe());
    }
}

const DESTRUCTOR: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
pthread_key_t key;
int *shared;
void *run(void *argument) {
  int *own = malloc(4);
  *own = 1;
  pthread_setspecific(key, own);
  shared = own;
  printf("%d %s\n", 3, "x");
  return argument;
}
int main(void) {
  pthread_key_create(&key, free);
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  return *shared;
}
"#;

#[test]
fn memory_that_is_gone_has_its_name_and_its_places() {
    let (_directory, source) = file("key.c", DESTRUCTOR);
    let run = rmc(["--full", "--no-local-memory", text(&source)]);
    check(&run, 1, &[]);
    let gone = "`heap(key.c:8)` is gone: allocated (4 bytes) at key.c:8 by thread 1, \
                freed in the destructors of thread-specific data by thread 1";
    let freed = "see freed, by thread 1 in the destructors of thread-specific data";
    for words in [gone, freed, "store heap(key.c:8) = 1"] {
        assert!(run.stdout.contains(words), "no `{words}`\n{}", run.describe());
    }
    // The library's memory for values, and the arguments of `printf`, are not objects of the program.
    for words in ["values", "variable arguments", "a local variable of thread", "__rmc_", "unknown", ":0"] {
        assert!(!run.stdout.contains(words), "`{words}`\n{}", run.describe());
    }
}

#[test]
fn names_of_cpp_are_not_mangled() {
    let program = "#include <assert.h>\n#include <pthread.h>\nnamespace lf {\nstruct Base { int head; };\n\
        struct Stack : Base { int size; void push() { head = 1; size = 2; } };\nstatic Stack stack; }\n\
        static void *run(void *) { lf::stack.push(); return nullptr; }\nint main() {\n  pthread_t t;\n  \
        pthread_create(&t, 0, run, 0);\n  lf::stack.push();\n  pthread_join(t, 0);\n  assert(lf::stack.size == 3);\n}\n";
    let (_directory, source) = file("stack.cpp", program);
    let run = rmc([text(&source)]);
    check(&run, 1, &[]);
    for words in ["stack.cpp:5 in lf::Stack::push", "store lf::stack.head = 1", "store lf::stack.size = 2"] {
        assert!(run.stdout.contains(words), "no `{words}`\n{}", run.describe());
    }
    assert!(!run.stdout.contains("_Z"), "{}", run.describe());
}

#[test]
fn objects_of_the_library_have_no_members() {
    let program = r"
#include <pthread.h>
struct { int n; pthread_barrier_t barrier; pthread_mutex_t mutex; } shared;
void *wait(void *unused) {
  pthread_mutex_lock(&shared.mutex);
  pthread_barrier_wait(&shared.barrier);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_mutex_init(&shared.mutex, 0);
  pthread_barrier_init(&shared.barrier, 0, 2);
  pthread_create(&thread, 0, wait, 0);
  pthread_join(thread, 0);
}
";
    let (_directory, path) = file("program.c", program);
    let run = rmc([text(&path)]);
    check(&run, 1, &[]);
    assert!(run.stdout.contains("waits in pthread_barrier_wait of `shared.barrier`"), "{}", run.describe());
    assert!(!run.stdout.contains("__"), "{}", run.describe());
}

const LOCKS: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
static struct queue { int length; pthread_mutex_t lock; pthread_cond_t more; } queue = {
  0, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;
static sem_t free_slots;
static void *run(void *argument) {
  pthread_mutex_lock(&queue.lock);
  queue.length++;
  pthread_cond_signal(&queue.more);
  pthread_mutex_unlock(&queue.lock);
  pthread_rwlock_wrlock(&table);
  sem_post(&free_slots);
  pthread_rwlock_unlock(&table);
  pthread_barrier_wait(&both);
  return argument;
}
int main(void) {
  pthread_t thread;
  signal(SIGINT, SIG_IGN);
  pthread_barrier_init(&both, NULL, 2);
  sem_init(&free_slots, 0, 0);
  pthread_create(&thread, NULL, run, NULL);
  pthread_barrier_wait(&both);
  pthread_mutex_lock(&queue.lock);
  sem_wait(&free_slots);
  pthread_rwlock_rdlock(&table);
  assert(queue.length == 0);
}
"#;

#[test]
fn operations_on_locks_name_them() {
    let (_directory, path) = file("locks.c", LOCKS);
    let run = rmc([text(&path)]);
    check(&run, 1, &[]);
    for line in [
        "pthread_mutex_lock `queue.lock` acquired",
        "pthread_cond_signal `queue.more` nobody waits",
        "pthread_mutex_unlock `queue.lock`\n",
        "pthread_rwlock_wrlock `table` acquired",
        "sem_post `free_slots` 0 -> 1",
        "pthread_barrier_wait `both` arrives last",
    ] {
        assert!(run.stdout.contains(line), "{line}\n{}", run.describe());
    }
    // The lock of the support library, which `signal` takes, is none of the program's.
    assert!(!run.stdout.contains("in signal"), "{}", run.describe());
}

#[test]
fn variables_without_a_name_are_left_out() {
    let run = rmc(["-DUNLOCKED", "tests/programs/rust/mutex.rs"]);
    check(&run, 1, &[]);
    assert!(!run.stdout.contains("a local variable"), "{}", run.describe());
    assert!(run.stdout.contains("mutex.rs:9 in mutex::add"), "{}", run.describe());
    let full = rmc(["--full", "-DUNLOCKED", "tests/programs/rust/mutex.rs"]);
    assert!(full.stdout.contains("a local variable"), "{}", full.describe());
}
