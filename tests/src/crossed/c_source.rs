//! C source of random programs: one C program holds several and chooses one.
//!
//! All programs share one set of globals; an execution uses those that its program needs. Every statement has
//! lines of its own, so that the line of a violation determines the program ([`program_at`]).

use std::fmt::Write;

use super::locks::{acquire, release};
use super::program::{End, Fence, Fetch, Freeing, Home, Lock, Order, Place, Program, Source, Statement, Taking, Value};

/// The C text. The global `chosen` of a final state has the number of the program it belongs to.
pub fn c_source(programs: &[Program]) -> String {
    let functions: String = programs.iter().enumerate().map(|(number, program)| functions(number, program)).collect();
    let cases: Vec<_> = (0..programs.len()).map(|number| format!("program{number}_thread0")).collect();
    format!(
        "{PRELUDE}\n{functions}int main(void) {{
  static void *(*const programs[])(void *) = {{{}}};
  chosen = rmc_choose({});
  digest = (uint64_t)programs[chosen](NULL);
  return 0;
}}\n",
        cases.join(", "),
        programs.len()
    )
}

/// The number of the program to which a line of the text belongs; lines are counted from 1.
pub fn program_at(text: &str, line: usize) -> Option<usize> {
    let begins = text.lines().take(line).filter_map(|line| line.strip_prefix(MARK));
    begins.last().and_then(|number| number.parse().ok())
}

/// The prefix of the first line of a program.
const MARK: &str = "// program ";

/// The declarations that the programs share.
pub(super) const PRELUDE: &str = r#"#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <rmc.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t __attribute__((aligned(1))) u8;
typedef uint16_t __attribute__((aligned(1))) u16;
typedef uint32_t __attribute__((aligned(1))) u32;
typedef uint64_t __attribute__((aligned(1))) u64;

bool __VERIFIER_nondet_bool(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

unsigned chosen;
uint64_t digest;
_Alignas(16) unsigned char cells[16];
void *slots[2];
pthread_t threads[4];
pthread_mutex_t mutex0 = PTHREAD_MUTEX_INITIALIZER, mutex1 = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spinlock;
pthread_barrier_t barrier;
pthread_once_t once = PTHREAD_ONCE_INIT;
sem_t semaphore;
_Thread_local uint64_t counter;
static const struct timespec soon = {1, 0};

static void add_once(void) {
  cells[0] += 1;
}

#define READ(value) (last = (uint64_t)(value), read = UINT64_C(0x9e3779b97f4a7c15) * read + last)
"#;

/// The functions of a program. The first is `programN_thread0`.
pub(super) fn functions(number: usize, program: &Program) -> String {
    let mut text = format!("{MARK}{number}\n");
    for thread in 1..program.threads.len() {
        let _ = writeln!(text, "static void *program{number}_thread{thread}(void *);");
    }
    for thread in (0..program.threads.len()).rev() {
        text += &function(number, program, thread);
    }
    text
}

fn function(number: usize, program: &Program, thread: usize) -> String {
    let mut text = Text { number, depth: 1, text: String::new(), labels: 0 };
    text.line(&format!("uint64_t read = 0, last = 0, local = {thread};"));
    text.line("(void)last, (void)local;");
    if thread == 0 {
        begin(&mut text, program);
    } else {
        text.line("unsigned char *cell = argument;");
        text.line("(void)cell;");
    }
    text.block(&program.threads[thread]);
    if thread == 0 && program.home == Home::Freed {
        text.line("free(cell);");
    }
    text.line("return (void *)read;");
    format!("static void *program{number}_thread{thread}(void *argument) {{\n{}}}\n\n", text.text)
}

/// Adds the code of the first thread before its statements.
fn begin(text: &mut Text, program: &Program) {
    text.line("(void)argument;");
    match program.home {
        Home::Global => text.line("unsigned char *cell = cells;"),
        Home::Stack => {
            text.line("_Alignas(16) unsigned char on_stack[16] = {0};");
            text.line("unsigned char *cell = on_stack;");
        }
        Home::Heap | Home::Freed => text.line("unsigned char *cell = calloc(16, 1);"),
    }
    text.line("(void)cell;");
    let uses = |found: &dyn Fn(&Statement) -> bool| program.threads.iter().any(|body| contains(body, found));
    if uses(&|statement| {
        matches!(statement, Statement::SemaphoreWait(_) | Statement::SemaphorePost | Statement::SemaphoreValue)
    }) {
        text.line(&format!("sem_init(&semaphore, 0, {});", program.semaphore));
    }
    if uses(&|statement| matches!(statement, Statement::Barrier(_))) {
        text.line("pthread_barrier_init(&barrier, NULL, 2);");
    }
    if uses(&|statement| match statement {
        Statement::Holding(lock, ..) | Statement::Acquire(lock) | Statement::Release(lock) => *lock == Lock::Spin,
        _ => false,
    }) {
        text.line("pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);");
    }
}

fn contains(body: &[Statement], found: &dyn Fn(&Statement) -> bool) -> bool {
    body.iter().any(|statement| {
        let mut copy = statement.clone();
        found(statement) || copy.bodies().iter().any(|body| contains(body, found))
    })
}

/// The body of a function under construction.
struct Text {
    /// The number of the program.
    number: usize,
    depth: usize,
    text: String,
    labels: usize,
}

impl Text {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:width$}{line}", "", width = 2 * self.depth);
    }

    fn block(&mut self, body: &[Statement]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    /// Adds a body in braces behind `head`.
    fn braces(&mut self, head: &str, body: &[Statement]) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        self.block(body);
        self.depth -= 1;
        self.line("}");
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Load(place, order) => self.line(&format!("READ({});", load(&at(*place), *order))),
            Statement::Store(place, value, order) => {
                self.line(&store(&at(*place), *place, &value_of(*value, *place), *order));
            }
            Statement::Exchange(place, value, order) => self.read_modify_write("exchange_n", *place, *value, *order),
            Statement::Fetch(fetch, place, value, order) => {
                self.read_modify_write(fetch_name(*fetch), *place, *value, *order);
            }
            Statement::Update(fetch, place, value, order) => {
                let (pointer, value) = (at(*place), value_of(*value, *place));
                let (name, order) = (fetch_name(*fetch), order_name(*order));
                self.line(&format!("__atomic_{name}({pointer}, {value}, {order});"));
            }
            Statement::CompareExchange { place, bytes, weak, orders } => {
                self.compare_exchange(*place, *bytes, *weak, *orders);
            }
            Statement::Fence(fence) => self.line(&fence_text(*fence)),
            Statement::Copy { to, from, len } => {
                let function = if to.abs_diff(*from) < *len { "memmove" } else { "memcpy" };
                self.line(&format!("{function}(cell + {to}, cell + {from}, {len});"));
            }
            Statement::Fill(place, byte) => {
                self.line(&format!("memset(cell + {}, {byte}, {});", place.offset, place.len));
            }
            Statement::Await(place, byte, order) => {
                let wanted = value_of(Value::Bytes(*byte), *place);
                self.line(&format!("while ({} == {wanted})", load(&at(*place), *order)));
                self.line("  ;");
            }
            Statement::Claim(place, byte, order) => {
                let (pointer, claim) = (at(*place), value_of(Value::Bytes(*byte), *place));
                self.line(&format!(
                    "while (__atomic_exchange_n({pointer}, {claim}, {}) == {claim})",
                    order_name(*order)
                ));
                self.line("  ;");
            }
            Statement::Holding(lock, taking, body) => self.holding(*lock, *taking, body),
            Statement::Acquire(lock) => self.line(&format!("READ({});", acquire(*lock, Taking::Wait))),
            Statement::Release(lock) => self.line(&format!("{};", release(*lock))),
            Statement::WaitWhileZero(place, taking) => self.wait_while_zero(*place, *taking),
            Statement::Notify { all, body } => {
                if !body.is_empty() {
                    self.line("pthread_mutex_lock(&mutex0);");
                    self.block(body);
                    self.line("pthread_mutex_unlock(&mutex0);");
                }
                self.line(&format!("pthread_cond_{}(&condition);", if *all { "broadcast" } else { "signal" }));
            }
            Statement::SemaphoreWait(taking) => self.line(match taking {
                Taking::Wait => "READ(sem_wait(&semaphore) + 1);",
                Taking::Try => "READ(sem_trywait(&semaphore) + 1);",
                Taking::Timed => "READ(sem_timedwait(&semaphore, &soon) + 1);",
            }),
            Statement::SemaphorePost => self.line("sem_post(&semaphore);"),
            Statement::SemaphoreValue => {
                self.line("{ int value = 7; sem_getvalue(&semaphore, &value); READ(value); }");
            }
            Statement::Barrier(true) => self.line("READ(pthread_barrier_wait(&barrier) + 1);"),
            Statement::Barrier(false) => self.line("pthread_barrier_wait(&barrier);"),
            Statement::Once => self.line("pthread_once(&once, add_once);"),
            Statement::Publish(slot, source, byte, order) => self.publish(*slot, *source, *byte, *order),
            Statement::Inspect(slot, place, byte, order) => self.inspect(*slot, *place, *byte, *order),
            Statement::Free(slot, freeing) => self.free(*slot, *freeing),
            Statement::ThreadLocal => self.line("counter += 1; READ(counter);"),
            Statement::Choose(n) => self.line(&format!("READ(rmc_choose({n}));")),
            Statement::Coin => self.line("READ(__VERIFIER_nondet_bool());"),
            Statement::Assume(value) => self.line(&format!("rmc_assume(last == {value:#x});")),
            Statement::LoopUnless(value) => self.line(&format!("__VERIFIER_assume(last == {value:#x});")),
            Statement::Assert(value) => self.line(&format!("assert(last != {value:#x});")),
            Statement::When(value, then, otherwise) => {
                self.braces(&format!("if (last == {value:#x})"), then);
                if !otherwise.is_empty() {
                    self.braces("else", otherwise);
                }
            }
            Statement::Repeat(times, body) => {
                let counter = self.label("i");
                self.braces(&format!("for (int {counter} = 0; {counter} < {times}; {counter}++)"), body);
            }
            Statement::Section(body) => {
                self.line("__VERIFIER_atomic_begin();");
                self.block(body);
                self.line("__VERIFIER_atomic_end();");
            }
            Statement::Create(thread) => {
                let number = self.number;
                self.line(&format!("pthread_create(&threads[{thread}], NULL, program{number}_thread{thread}, cell);"));
            }
            Statement::Join(thread) => self.join(*thread, "pthread_join"),
            Statement::TryJoin(thread) => self.join(*thread, "pthread_tryjoin_np"),
            Statement::Detach(thread) => self.line(&format!("READ(pthread_detach(threads[{thread}]));")),
            Statement::Yield => self.line("sched_yield();"),
            Statement::End(end) => self.line(match end {
                End::Return => "return (void *)read;",
                End::ThreadExit => "pthread_exit((void *)read);",
                End::Exit => "exit((int)(read & 63));",
                End::QuickExit => "_Exit((int)(read & 63));",
                End::Abort => "abort();",
            }),
        }
    }

    /// A new name in the function.
    fn label(&mut self, name: &str) -> String {
        self.labels += 1;
        format!("{name}{}", self.labels)
    }

    fn read_modify_write(&mut self, operation: &str, place: Place, value: Value, order: Order) {
        let (pointer, value) = (at(place), value_of(value, place));
        self.line(&format!("READ(__atomic_{operation}({pointer}, {value}, {}));", order_name(order)));
    }

    fn compare_exchange(&mut self, place: Place, bytes: [u8; 2], weak: bool, orders: [Order; 2]) {
        let [expected, new] = bytes.map(|byte| value_of(Value::Bytes(byte), place));
        let [success, failure] = orders.map(order_name);
        let name = self.label("expected");
        let (kind, pointer) = (type_name(place, true), at(place));
        self.line(&format!("{kind} {name} = {expected};"));
        let call =
            format!("__atomic_compare_exchange_n({pointer}, &{name}, {new}, {}, {success}, {failure})", u8::from(weak));
        self.line(&format!("READ({call});"));
        self.line(&format!("READ({name});"));
    }

    fn holding(&mut self, lock: Lock, taking: Taking, body: &[Statement]) {
        let take = acquire(lock, taking);
        if taking == Taking::Wait {
            self.line(&format!("{take};"));
            self.block(body);
            return self.line(&format!("{};", release(lock)));
        }
        self.line(&format!("if ({take} == 0) {{"));
        self.depth += 1;
        self.block(body);
        self.line(&format!("{};", release(lock)));
        self.depth -= 1;
        self.line("}");
    }

    fn wait_while_zero(&mut self, place: Place, taking: Taking) {
        self.line("pthread_mutex_lock(&mutex0);");
        let is_zero = format!("{} == 0", load(&at(place), Order::Plain));
        if taking == Taking::Wait {
            self.line(&format!("while ({is_zero})"));
            self.line("  pthread_cond_wait(&condition, &mutex0);");
        } else {
            self.line(&format!("if ({is_zero})"));
            self.line("  READ(pthread_cond_timedwait(&condition, &mutex0, &soon));");
        }
        self.line("pthread_mutex_unlock(&mutex0);");
    }

    fn publish(&mut self, slot: usize, source: Source, byte: Option<u8>, order: Order) {
        let name = self.label("new");
        let pointer = match source {
            Source::Malloc => "malloc(8)",
            Source::Calloc => "calloc(8, 1)",
            Source::Local => "(void *)&local",
            Source::ThreadLocal => "(void *)&counter",
        };
        self.line(&format!("unsigned char *{name} = {pointer};"));
        if let Some(byte) = byte {
            self.line(&format!("*(u64 *){name} = {};", value_of(Value::Bytes(byte), Place { offset: 0, len: 8 })));
        }
        self.line(&match order {
            Order::Plain => format!("slots[{slot}] = {name};"),
            order => format!("__atomic_store_n(&slots[{slot}], {name}, {});", order_name(order)),
        });
    }

    /// Adds a local pointer with the value of a slot; returns its name.
    fn slot(&mut self, slot: usize, order: Order) -> String {
        let name = self.label("object");
        self.line(&match order {
            Order::Plain => format!("unsigned char *{name} = slots[{slot}];"),
            order => format!("unsigned char *{name} = __atomic_load_n(&slots[{slot}], {});", order_name(order)),
        });
        name
    }

    fn inspect(&mut self, slot: usize, place: Place, byte: Option<u8>, order: Order) {
        let name = self.slot(slot, order);
        let target = format!("({} *)({name} + {})", type_name(place, false), place.offset);
        self.line(&format!("if ({name})"));
        self.line(&match byte {
            Some(byte) => format!("  *{target} = {};", value_of(Value::Bytes(byte), place)),
            None => format!("  READ(*{target});"),
        });
    }

    fn free(&mut self, slot: usize, freeing: Freeing) {
        if freeing == Freeing::Leave {
            let name = self.slot(slot, Order::Plain);
            return self.line(&format!("free({name});"));
        }
        let name = self.label("object");
        self.line(&format!("void *{name} = __atomic_exchange_n(&slots[{slot}], NULL, __ATOMIC_ACQ_REL);"));
        if freeing == Freeing::Take {
            return self.line(&format!("free({name});"));
        }
        self.line(&format!("if ({name})"));
        self.line(&format!("  __atomic_store_n(&slots[{slot}], realloc({name}, 12), __ATOMIC_RELEASE);"));
    }

    fn join(&mut self, thread: usize, function: &str) {
        let name = self.label("result");
        self.line(&format!("void *{name} = 0;"));
        self.line(&format!("READ({function}(threads[{thread}], &{name}));"));
        self.line(&format!("READ({name});"));
    }
}

fn type_name(place: Place, atomic: bool) -> String {
    let bits = 8 * place.len;
    if atomic { format!("uint{bits}_t") } else { format!("u{bits}") }
}

/// A pointer to a place of the shared memory. Its type has the usual alignment only for an atomic access.
fn at(place: Place) -> String {
    format!("({} *)(cell + {})", type_name(place, place.is_aligned()), place.offset)
}

fn load(pointer: &str, order: Order) -> String {
    match order {
        Order::Plain => format!("*{pointer}"),
        order => format!("__atomic_load_n({pointer}, {})", order_name(order)),
    }
}

fn store(pointer: &str, place: Place, value: &str, order: Order) -> String {
    match order {
        Order::Plain => format!("*{pointer} = ({}){value};", type_name(place, false)),
        order => format!("__atomic_store_n({pointer}, {value}, {});", order_name(order)),
    }
}

fn value_of(value: Value, place: Place) -> String {
    let kind = type_name(place, true);
    match value {
        Value::Last => format!("({kind})last"),
        Value::Bytes(byte) => {
            let bits = u64::from(byte) * (0x0101_0101_0101_0101 & (u64::MAX >> (64 - 8 * place.len)));
            format!("({kind}){bits:#x}")
        }
    }
}

fn fetch_name(fetch: Fetch) -> &'static str {
    match fetch {
        Fetch::Add => "fetch_add",
        Fetch::Sub => "sub_fetch",
        Fetch::And => "fetch_and",
        Fetch::Or => "or_fetch",
        Fetch::Xor => "fetch_xor",
        Fetch::Nand => "nand_fetch",
    }
}

fn fence_text(fence: Fence) -> String {
    match fence {
        Fence::Thread(order) => format!("__atomic_thread_fence({});", order_name(order)),
        Fence::Signal => "__atomic_signal_fence(__ATOMIC_SEQ_CST);".to_owned(),
        Fence::Sync => "__sync_synchronize();".to_owned(),
        Fence::Assembly => "__asm__ volatile(\"mfence\" ::: \"memory\");".to_owned(),
    }
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
