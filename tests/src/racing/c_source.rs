//! C source of the programs: one C program holds several, and `rmc_choose` selects the one that runs. A
//! violation's function is `programN_threadM`.

use std::fmt::Write;

use super::{FLAGS, Order, Place, Program, Statement};

/// The C text.
pub fn c_source(programs: &[Program]) -> String {
    let most = programs.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = format!(
        "#include <pthread.h>
#include <stdint.h>

extern unsigned rmc_choose(unsigned n);

static struct {{
  int flags[{FLAGS}];
  int64_t data;
}} memory;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define AT(type, offset) ((type *)((char *)&memory + (offset)))

"
    );
    for (number, program) in programs.iter().enumerate() {
        for (thread, statements) in program.iter().enumerate() {
            text += &function(number, thread, statements);
        }
    }
    text + &table(programs, most)
}

fn function(number: usize, thread: usize, statements: &[Statement]) -> String {
    let mut text =
        format!("static void *program{number}_thread{thread}(void *unused) {{\n  int last = 0;\n  (void)last;\n");
    for &statement in statements {
        let _ = writeln!(text, "  {}", render(statement));
    }
    text + "  return unused;\n}\n\n"
}

fn render(statement: Statement) -> String {
    match statement {
        Statement::Read(place) => format!("(void)*AT(volatile {}, {});", ty(place), place.offset),
        Statement::Write(place) => {
            format!("*AT(volatile {}, {}) = ({})0x0101010101010101;", ty(place), place.offset, ty(place))
        }
        Statement::Load(flag, order) => format!("last = __atomic_load_n(&memory.flags[{flag}], {});", name(order)),
        Statement::Store(flag, value, order) => {
            format!("__atomic_store_n(&memory.flags[{flag}], {value}, {});", name(order))
        }
        Statement::Add(flag, value, order) => {
            format!("last = __atomic_fetch_add(&memory.flags[{flag}], {value}, {});", name(order))
        }
        Statement::CompareExchange(flag, [expected, new], order) => {
            let failure = if order.acquires() { "__ATOMIC_ACQUIRE" } else { "__ATOMIC_RELAXED" };
            let success = name(order);
            let exchange =
                format!("__atomic_compare_exchange_n(&memory.flags[{flag}], &last, {new}, 0, {success}, {failure})");
            format!("last = {expected}, {exchange};")
        }
        Statement::Fence(order) => format!("__atomic_thread_fence({});", name(order)),
        Statement::Lock => "pthread_mutex_lock(&mutex);".to_owned(),
        Statement::Unlock => "pthread_mutex_unlock(&mutex);".to_owned(),
        Statement::When(value) => format!("if (last == {value})"),
    }
}

fn ty(place: Place) -> &'static str {
    if place.len == 8 { "int64_t" } else { "int32_t" }
}

fn name(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "__ATOMIC_RELAXED",
        Order::Acquire => "__ATOMIC_ACQUIRE",
        Order::Release => "__ATOMIC_RELEASE",
        Order::AcqRel => "__ATOMIC_ACQ_REL",
        Order::SeqCst => "__ATOMIC_SEQ_CST",
    }
}

fn table(programs: &[Program], most: usize) -> String {
    let row = |(number, program): (usize, &Program)| {
        let functions = (0..most).map(|thread| match program.get(thread) {
            Some(_) => format!("program{number}_thread{thread}"),
            None => "0".to_owned(),
        });
        format!("  {{{}}},\n", functions.collect::<Vec<_>>().join(", "))
    };
    let rows: String = programs.iter().enumerate().map(row).collect();
    format!(
        "static void *(*const programs[][{most}])(void *) = {{
{rows}}};

int main(void) {{
  unsigned number = rmc_choose({count});
  pthread_t threads[{most}];
  for (int i = 0; i < {most}; i++)
    if (programs[number][i] != 0)
      pthread_create(&threads[i], 0, programs[number][i], 0);
  for (int i = 0; i < {most}; i++)
    if (programs[number][i] != 0)
      pthread_join(threads[i], 0);
  return 0;
}}
",
        count = programs.len()
    )
}
