//! The table of library functions: one row per modelled function, with all facts about it.
//!
//! To add a function, write its row in the section of its kind; `facts.rs` lists the facts of a row. The
//! order of rows means nothing. A call refers to a row by its index in the table ([`function`]), which is
//! found by the name when a program is loaded ([`number`]).
//!
//! Two facts are needed for functions without a model, too, and are in `rmc_abi::library`: whether the pass
//! takes a declared function for a fence, and whether it takes it for one that accesses no memory. Facts
//! about the support library's functions without a model are in `support_functions.rs`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::facts::InAssertions::{Ends, Fails};
use super::facts::InSupport::{self, AsCompanion, WithClocks, WithFiles};
use super::facts::Kind::*;
use super::facts::OnThreads::{Creates, Detaches, EndsProcess, EndsThread, Joins, TriesToJoin};
use super::facts::Reserved::{self, AsError, InCompetition};
use super::facts::Role::{Acquire, Beginning, Both, Plain, Release, Silent};
use super::facts::{LibraryFunction, row, sync};
use super::{
    allocation, barrier, choice, clock, condition, forms, frames, futex, idle, jumps, math, membarrier, mutex,
};
use super::{nondet, once, overflow, printf, process, rwlock, semaphore, spinlock, stdio, strings, support, svcomp};
use super::{thread_data, threads, unwinding};
use crate::system::state::form::Form;

const SECTIONS: &[&[LibraryFunction]] = &[
    THREADS, MUTEXES, CONDITIONS, RWLOCKS, BARRIERS, SPINLOCKS, SEMAPHORES, ONCE, KERNEL, HEAP, PROCESS, IDLE, JUMPS,
    STREAMS, FORMATTED, BYTES, MATH, CHOICES, &VALUES, REPORTS,
];

/// Threads of POSIX and C11.
const THREADS: &[LibraryFunction] = &[
    sync("pthread_create", threads::create_posix, Thread).on_threads(Creates).orders(Plain).resumes(),
    sync("pthread_join", threads::join, Thread).on_threads(Joins).orders(Plain).resumes(),
    sync("pthread_tryjoin_np", threads::tryjoin, Thread).on_threads(TriesToJoin).orders(Plain),
    sync("pthread_timedjoin_np", threads::timedjoin, Thread).on_threads(TriesToJoin).orders(Plain),
    sync("pthread_clockjoin_np", threads::clockjoin, Thread).on_threads(TriesToJoin).orders(Plain),
    sync("pthread_detach", threads::detach, Thread).on_threads(Detaches),
    sync("pthread_exit", threads::exit, Thread).on_threads(EndsThread).in_support(AsCompanion),
    // This is the end of the support library's `pthread_exit`. The order in which threads are tried counts it
    // as work.
    sync("__rmc_leave_thread", threads::exit, Thread),
    row("__rmc_take", threads::take, Thread),
    row("__rmc_take_counted", threads::take_counted, Thread),
    row("pthread_self", threads::identity, Thread).alike(),
    row("pthread_equal", threads::equal, Thread).alike(),
    sync("thrd_create", threads::create_c11, Thread).c11().on_threads(Creates).orders(Plain).resumes(),
    sync("thrd_join", threads::join, Thread).c11().on_threads(Joins).orders(Plain).resumes(),
    sync("thrd_detach", threads::detach, Thread).c11().on_threads(Detaches),
    sync("thrd_exit", threads::exit, Thread).c11().on_threads(EndsThread),
    row("thrd_current", threads::identity, Thread).alike().c11(),
    row("thrd_equal", threads::equal, Thread).alike().c11(),
];

/// Mutexes of POSIX and C11.
const MUTEXES: &[LibraryFunction] = &[
    sync("pthread_mutex_init", mutex::init, Mutex).orders(Beginning).resumes(),
    sync("pthread_mutex_destroy", mutex::destroy, Mutex).orders(Beginning).resumes(),
    sync("pthread_mutex_lock", mutex::lock, Mutex).orders(Acquire).resumes(),
    // Those of `libc/atomic.c`.
    sync("__rmc_bare_lock", mutex::lock, Mutex).orders(Silent).resumes(),
    sync("__rmc_bare_unlock", mutex::unlock, Mutex).orders(Silent).resumes(),
    sync("pthread_mutex_trylock", mutex::trylock, Mutex).orders(Acquire).resumes(),
    sync("pthread_mutex_timedlock", mutex::timedlock, Mutex).orders(Acquire).resumes(),
    sync("pthread_mutex_clocklock", mutex::clocklock, Mutex).orders(Acquire).resumes(),
    sync("pthread_mutex_unlock", mutex::unlock, Mutex).orders(Release).resumes(),
    sync("mtx_init", mutex::init_c11, Mutex).c11().orders(Beginning).resumes(),
    sync("mtx_destroy", mutex::destroy, Mutex).c11().orders(Beginning).resumes(),
    sync("mtx_lock", mutex::lock, Mutex).c11().orders(Acquire).resumes(),
    sync("mtx_trylock", mutex::trylock, Mutex).c11().orders(Acquire).resumes(),
    sync("mtx_timedlock", mutex::timedlock, Mutex).c11().orders(Acquire).resumes(),
    sync("mtx_unlock", mutex::unlock, Mutex).c11().orders(Release).resumes(),
];

/// Condition variables of POSIX and C11.
const CONDITIONS: &[LibraryFunction] = &[
    sync("pthread_cond_init", condition::init, Condition).orders(Beginning),
    sync("pthread_cond_destroy", condition::destroy, Condition).orders(Beginning),
    // Waiting releases the mutex, and acquires it again.
    sync("pthread_cond_wait", condition::wait, Condition).orders(Both),
    sync("pthread_cond_timedwait", condition::timedwait, Condition).orders(Both),
    sync("pthread_cond_clockwait", condition::clockwait, Condition).orders(Both),
    // The C++ support library calls these, and tells the clocks.
    sync("__rmc_cond_timedwait", condition::timedwait, Condition).orders(Both),
    sync("__rmc_cond_clockwait", condition::clockwait, Condition).orders(Both),
    // A signal orders nothing. Threads are ordered through the mutex.
    sync("pthread_cond_signal", condition::signal, Condition).orders(Silent),
    sync("pthread_cond_broadcast", condition::broadcast, Condition).orders(Silent),
    sync("cnd_init", condition::init, Condition).c11().orders(Beginning),
    sync("cnd_destroy", condition::destroy, Condition).c11().orders(Beginning),
    sync("cnd_wait", condition::wait, Condition).c11().orders(Both),
    sync("cnd_timedwait", condition::timedwait, Condition).c11().orders(Both),
    sync("cnd_signal", condition::signal, Condition).c11().orders(Silent),
    sync("cnd_broadcast", condition::broadcast, Condition).c11().orders(Silent),
];

/// Reader-writer locks.
const RWLOCKS: &[LibraryFunction] = &[
    sync("pthread_rwlock_init", rwlock::init, RwLock).orders(Beginning),
    sync("pthread_rwlock_destroy", rwlock::destroy, RwLock).orders(Beginning),
    sync("pthread_rwlock_rdlock", rwlock::rdlock, RwLock).orders(Silent),
    sync("pthread_rwlock_tryrdlock", rwlock::tryrdlock, RwLock).orders(Silent),
    sync("pthread_rwlock_timedrdlock", rwlock::timedrdlock, RwLock).orders(Silent),
    sync("pthread_rwlock_clockrdlock", rwlock::clockrdlock, RwLock).orders(Silent),
    sync("pthread_rwlock_wrlock", rwlock::wrlock, RwLock).orders(Silent),
    sync("pthread_rwlock_trywrlock", rwlock::trywrlock, RwLock).orders(Silent),
    sync("pthread_rwlock_timedwrlock", rwlock::timedwrlock, RwLock).orders(Silent),
    sync("pthread_rwlock_clockwrlock", rwlock::clockwrlock, RwLock).orders(Silent),
    sync("pthread_rwlock_unlock", rwlock::unlock, RwLock).orders(Silent),
];

/// Barriers of threads.
const BARRIERS: &[LibraryFunction] = &[
    sync("pthread_barrier_init", barrier::init, Barrier).orders(Beginning),
    sync("pthread_barrier_destroy", barrier::destroy, Barrier).orders(Beginning),
    // The model itself orders the threads that met at the barrier.
    sync("pthread_barrier_wait", barrier::wait, Barrier).orders(Silent),
];

/// Spinlocks.
const SPINLOCKS: &[LibraryFunction] = &[
    sync("pthread_spin_init", spinlock::init, Spinlock).orders(Beginning).resumes(),
    sync("pthread_spin_destroy", spinlock::destroy, Spinlock).orders(Beginning).resumes(),
    sync("pthread_spin_lock", spinlock::lock, Spinlock).orders(Acquire).resumes(),
    sync("pthread_spin_trylock", spinlock::trylock, Spinlock).orders(Acquire).resumes(),
    sync("pthread_spin_unlock", spinlock::unlock, Spinlock).orders(Release).resumes(),
];

/// Semaphores. Functions that set `errno` are C around a function that returns the error code.
const SEMAPHORES: &[LibraryFunction] = &[
    sync("sem_init", semaphore::init, Semaphore).orders(Beginning).resumes(),
    sync("sem_destroy", semaphore::destroy, Semaphore).orders(Beginning).resumes(),
    sync("sem_wait", semaphore::wait, Semaphore).orders(Acquire).resumes(),
    sync("__rmc_sem_trywait", semaphore::trywait, Semaphore).orders(Acquire).resumes(),
    sync("__rmc_sem_timedwait", semaphore::timedwait, Semaphore).orders(Acquire).resumes(),
    sync("__rmc_sem_clockwait", semaphore::clockwait, Semaphore).orders(Acquire).resumes(),
    sync("sem_post", semaphore::post, Semaphore).orders(Release).resumes(),
    sync("sem_getvalue", semaphore::value, Semaphore).orders(Plain).resumes(),
];

/// The parts of `pthread_once` and `call_once`.
const ONCE: &[LibraryFunction] = &[
    row("__rmc_once_has_run", once::has_run, Once).alike(),
    sync("__rmc_once", once::begin, Once).orders(Acquire),
    sync("__rmc_once_end", once::end, Once).orders(Release),
    sync("__rmc_once_undo", once::undo, Once).orders(Release),
];

/// System calls about threads that wait and about fences.
const KERNEL: &[LibraryFunction] = &[
    sync("__rmc_futex_wait", futex::wait, Kernel),
    sync("__rmc_futex_wake", futex::wake, Kernel),
    sync("__rmc_futex_requeue", futex::requeue, Kernel),
    row("__rmc_syscall", futex::system_call, Kernel),
    sync("__rmc_membarrier", membarrier::fence_all, Kernel),
];

/// Allocated memory.
const HEAP: &[LibraryFunction] = &[
    row("malloc", allocation::malloc, Heap).alike().sizes(&[0]),
    row("calloc", allocation::calloc, Heap).alike().sizes(&[0, 1]),
    row("realloc", allocation::realloc, Heap).alike().frees().sizes(&[1]),
    row("aligned_alloc", allocation::aligned_alloc, Heap).alike().sizes(&[1]),
    row("memalign", allocation::aligned_alloc, Heap).alike().sizes(&[1]),
    row("posix_memalign", allocation::posix_memalign, Heap).alike(),
    // Every object begins at a page.
    row("valloc", allocation::malloc, Heap).alike().sizes(&[0]),
    row("pvalloc", allocation::pvalloc, Heap).alike(),
    row("__rmc_allocate", allocation::allocate, Heap).alike(),
    row("free", allocation::free, Heap).alike().frees(),
    row("__rmc_new", allocation::malloc, Heap).alike().sizes(&[0]).form(Form::Single),
    row("__rmc_new_array", allocation::malloc, Heap).alike().sizes(&[0]).form(Form::Array),
    row("__rmc_new_aligned", allocation::aligned_alloc, Heap).alike().sizes(&[1]).form(Form::AlignedSingle),
    row("__rmc_new_aligned_array", allocation::aligned_alloc, Heap).alike().sizes(&[1]).form(Form::AlignedArray),
    row("__rmc_delete", allocation::free, Heap).alike().frees().form(Form::Single),
    row("__rmc_delete_array", allocation::free, Heap).alike().frees().form(Form::Array),
    row("__rmc_delete_aligned", allocation::free, Heap).alike().frees().form(Form::AlignedSingle),
    row("__rmc_delete_aligned_array", allocation::free, Heap).alike().frees().form(Form::AlignedArray),
    row("__rmc_is_default", forms::mark, Report),
    row("__rmc_is_replaced", forms::ask, Report),
];

/// The end of the process.
const PROCESS: &[LibraryFunction] = &[
    row("exit", process::exit, Process)
        .fence()
        .on_threads(EndsProcess)
        .in_support(InSupport::Always)
        .in_assertions(Ends),
    row("_exit", process::exit, Process).fence().on_threads(EndsProcess).in_assertions(Ends),
    row("_Exit", process::exit, Process).fence().on_threads(EndsProcess),
    row("abort", process::abort, Process).in_assertions(Ends),
    row("__assert_fail", process::assertion, Process).in_assertions(Fails),
    row("__assert", process::assertion, Process),
    row("__rmc_panic", process::panic, Process).in_assertions(Fails),
    row("__assert_perror_fail", process::error_assertion, Process),
    row("__rmc_use_hashes", process::use_hashes, Report),
    row("__chk_fail", process::overflow, Report),
    row("__stack_chk_fail", process::overflow, Report),
];

/// Time that passes, settings of threads, and numbers of threads and of the process.
const IDLE: &[LibraryFunction] = &[
    sync("sched_yield", idle::pass, Time),
    sync("pthread_yield", idle::pass, Time),
    sync("thrd_yield", idle::pass, Time).c11(),
    row("__rmc_read_clock", clock::read_standing, Time),
    row("__rmc_read_time", clock::read, Time),
    row("__rmc_read_count", clock::read_count, Time),
    row("__rmc_hidden_time", clock::read, Time),
    row("__rmc_hidden_count", clock::read_count, Time),
    row("__rmc_reach_time", clock::reach, Time),
    row("__rmc_reach_count", clock::reach_count, Time),
    row("__rmc_let_time_pass", clock::let_pass, Time),
    row("__rmc_clocks_read", clock::kinds, Time),
    row("__rmc_processors", idle::processors, Report),
    row("sleep", idle::pass, Time).fence().in_support(WithClocks),
    row("usleep", idle::pass, Time).fence().in_support(WithClocks),
    row("nanosleep", idle::pass, Time).fence().in_support(WithClocks),
    row("clock_nanosleep", idle::pass, Time).fence().in_support(WithClocks),
    sync("thrd_sleep", idle::pass, Time).c11().in_support(WithClocks),
    // The support library's functions that sleep end so.
    row("__rmc_sleep", idle::pass, Time).fence(),
    sync("pthread_setname_np", idle::pass, Thread),
    sync("pthread_setaffinity_np", idle::pass, Thread),
    sync("sched_setaffinity", idle::pass, Thread),
    sync("pthread_setconcurrency", idle::pass, Thread),
    row("getpid", idle::process, Process),
    row("getppid", idle::parent, Process),
    row("gettid", idle::thread, Thread),
];

/// Jumps between functions, and their frames.
const JUMPS: &[LibraryFunction] = &[
    row("setjmp", jumps::set, Frame).returns_twice(),
    row("_setjmp", jumps::set, Frame).returns_twice(),
    row("sigsetjmp", jumps::set, Frame).returns_twice(),
    row("__sigsetjmp", jumps::set, Frame).returns_twice().keeps_signal_mask(),
    row("longjmp", jumps::jump, Frame),
    row("_longjmp", jumps::jump, Frame),
    row("siglongjmp", jumps::jump, Frame).keeps_signal_mask(),
    row("__longjmp_chk", jumps::jump, Frame),
    row("__rmc_return_address", frames::return_address, Frame),
    // The support libraries of C++ and Rust call these.
    row("__rmc_is_caught", unwinding::is_caught, Frame).alike(),
    row("__rmc_next_pad", unwinding::next_pad, Frame).alike(),
    row("__rmc_clause", unwinding::clause, Frame).alike(),
    row("__rmc_land", unwinding::land, Frame).alike(),
    row("__rmc_uncaught", unwinding::uncaught, Process),
];

/// Output to the standard streams.
const STREAMS: &[LibraryFunction] = &[
    row("puts", stdio::puts, Stream).alike(),
    row("fputs", stdio::fputs, Stream).alike().in_support(WithFiles),
    row("fputs_unlocked", stdio::fputs, Stream).alike().in_support(WithFiles),
    row("putchar", stdio::putchar, Stream),
    row("putchar_unlocked", stdio::putchar, Stream),
    row("fputc", stdio::fputc, Stream).in_support(WithFiles),
    row("putc", stdio::fputc, Stream).in_support(WithFiles),
    row("fputc_unlocked", stdio::fputc, Stream).in_support(WithFiles),
    row("putc_unlocked", stdio::fputc, Stream).in_support(WithFiles),
    row("fwrite", stdio::fwrite, Stream).in_support(WithFiles),
    row("fwrite_unlocked", stdio::fwrite, Stream).in_support(WithFiles),
    row("write", stdio::write, Stream),
    row("fflush", stdio::flush, Stream).in_support(WithFiles),
    row("fileno", stdio::descriptor, Stream).in_support(WithFiles),
    row("ferror", stdio::no_error, Stream).in_support(WithFiles),
    row("feof", stdio::no_error, Stream).in_support(WithFiles),
    row("clearerr", stdio::no_error, Stream).in_support(WithFiles),
    row("setbuf", stdio::no_error, Stream).in_support(WithFiles),
    row("setvbuf", stdio::no_error, Stream).in_support(WithFiles),
    row("setlinebuf", stdio::no_error, Stream).in_support(WithFiles),
    // The support library calls these for the standard streams if the program opens files, too.
    row("__rmc_fputs", stdio::fputs, Stream).alike(),
    row("__rmc_fputc", stdio::fputc, Stream),
    row("__rmc_fwrite", stdio::fwrite, Stream),
    row("__rmc_fileno", stdio::descriptor, Stream),
];

/// Formatted output.
const FORMATTED: &[LibraryFunction] = &[
    row("printf", printf::print, Stream),
    row("fprintf", printf::print, Stream).in_support(WithFiles),
    row("dprintf", printf::print, Stream),
    row("sprintf", printf::print, Text),
    row("snprintf", printf::print, Text),
    row("vprintf", printf::print, Stream),
    row("vfprintf", printf::print, Stream).in_support(WithFiles),
    row("vdprintf", printf::print, Stream),
    row("vsprintf", printf::print, Text),
    row("vsnprintf", printf::print, Text),
    // `-D_FORTIFY_SOURCE` calls these instead. The size of the buffer is not used: bounds are checked anyway.
    row("__printf_chk", printf::print, Stream),
    row("__fprintf_chk", printf::print, Stream).in_support(WithFiles),
    row("__dprintf_chk", printf::print, Stream),
    row("__sprintf_chk", printf::print, Text),
    row("__snprintf_chk", printf::print, Text),
    row("__vprintf_chk", printf::print, Stream),
    row("__vfprintf_chk", printf::print, Stream).in_support(WithFiles),
    row("__vdprintf_chk", printf::print, Stream),
    row("__vsprintf_chk", printf::print, Text),
    row("__vsnprintf_chk", printf::print, Text),
    // The support library calls these.
    row("__rmc_fprintf", printf::print, Stream),
    row("__rmc_vfprintf", printf::print, Stream),
];

/// Text and other bytes.
const BYTES: &[LibraryFunction] = &[
    row("__rmc_contested", strings::contested, Text).resumes(),
    row("__rmc_copy_both", strings::copy_both, Text).resumes(),
    row("__rmc_memcmp", strings::memcmp, Text).alike().resumes(),
    row("__rmc_memchr", strings::memchr, Text).alike().resumes(),
    row("__rmc_strlen", strings::strlen, Text).alike().resumes(),
    row("__rmc_strncmp", strings::strncmp, Text).alike().resumes(),
];

/// Lists a model and its functions, in pairs for `double` and `float`.
macro_rules! mathematical {
    ($($model:ident: $($double:literal $single:literal)*;)*) => {
        &[$($(row($double, math::$model, Math), row($single, math::$model, Math).single(),)*)*]
    };
}

/// Functions of `math.h` for `double` and `float`, and two of the compiler.
const MATH: &[LibraryFunction] = mathematical! {
    unary:
        "sin" "sinf" "cos" "cosf" "tan" "tanf" "asin" "asinf" "acos" "acosf" "atan" "atanf"
        "sinh" "sinhf" "cosh" "coshf" "tanh" "tanhf" "asinh" "asinhf" "acosh" "acoshf" "atanh" "atanhf"
        "exp" "expf" "exp2" "exp2f" "expm1" "expm1f" "log" "logf" "log2" "log2f" "log10" "log10f" "log1p" "log1pf"
        "cbrt" "cbrtf" "sqrt" "sqrtf" "fabs" "fabsf" "floor" "floorf" "ceil" "ceilf" "trunc" "truncf"
        "round" "roundf" "roundeven" "roundevenf" "rint" "rintf" "nearbyint" "nearbyintf"
        "erf" "erff" "erfc" "erfcf" "tgamma" "tgammaf" "lgamma" "lgammaf";
    binary:
        "pow" "powf" "atan2" "atan2f" "hypot" "hypotf" "fmod" "fmodf" "remainder" "remainderf"
        "fmax" "fmaxf" "fmin" "fminf" "fdim" "fdimf" "copysign" "copysignf";
    multiply_add: "fma" "fmaf";
    scale: "ldexp" "ldexpf" "scalbn" "scalbnf" "scalbln" "scalblnf";
    integer_power: "__powidf2" "__powisf2";
    nearest_even: "lrint" "lrintf" "llrint" "llrintf";
    nearest: "lround" "lroundf" "llround" "llroundf";
};

/// Choices of the checker (include/rmc.h), and the functions of SV-COMP except those that return values.
const CHOICES: &[LibraryFunction] = &[
    row("rmc_choose", choice::choose, Choice).gives_input().reserved(Reserved::Always),
    row("rmc_int", nondet::interval, Choice).gives_input().reserved(Reserved::Always),
    row("rmc_assume", choice::assume, Choice).assumes().reserved(Reserved::Always),
    row("reach_error", svcomp::reach_error, Process).reserved(AsError).in_assertions(Fails),
    row("__VERIFIER_error", svcomp::reach_error, Process).reserved(AsError).in_assertions(Fails),
    row("__VERIFIER_assume", svcomp::assume, Choice).assumes().reserved(InCompetition),
    row("__VERIFIER_atomic_begin", svcomp::atomic_begin, Section).alike().reserved(InCompetition),
    row("__VERIFIER_atomic_end", svcomp::atomic_end, Section).alike().reserved(InCompetition),
];

/// The values of SV-COMP, one function for each type.
const VALUES: [LibraryFunction; nondet::TYPES.len()] = {
    let mut rows = [row("", nondet::nondet, Choice).gives_input().reserved(InCompetition); nondet::TYPES.len()];
    let mut at = 0;
    while at < rows.len() {
        rows[at].name = nondet::TYPES[at].0;
        at += 1;
    }
    rows
};

/// Reports of misuse by compiled checks and the support library.
const REPORTS: &[LibraryFunction] = &[
    row("__ubsan_handle_add_overflow", overflow::add, Report),
    row("__ubsan_handle_add_overflow_abort", overflow::add, Report),
    row("__ubsan_handle_sub_overflow", overflow::subtract, Report),
    row("__ubsan_handle_sub_overflow_abort", overflow::subtract, Report),
    row("__ubsan_handle_mul_overflow", overflow::multiply, Report),
    row("__ubsan_handle_mul_overflow_abort", overflow::multiply, Report),
    row("__ubsan_handle_negate_overflow", overflow::negate, Report),
    row("__ubsan_handle_negate_overflow_abort", overflow::negate, Report),
    row("__ubsan_handle_divrem_overflow", overflow::divide, Report),
    row("__ubsan_handle_divrem_overflow_abort", overflow::divide, Report),
    row("__rmc_parse_real", support::parse_real, Text),
    row("__rmc_unsupported", support::unsupported, Report),
    row("__rmc_expect_argument", support::expect_argument, Report),
    row("__rmc_misuse", support::misuse, Report),
    row("__rmc_invalid_key", thread_data::invalid, Report),
];

const COUNT: usize = {
    let (mut count, mut section) = (0, 0);
    while section < SECTIONS.len() {
        count += SECTIONS[section].len();
        section += 1;
    }
    count
};

/// All rows, one section after the other.
static TABLE: [LibraryFunction; COUNT] = {
    let mut rows = [SECTIONS[0][0]; COUNT];
    let (mut next, mut section) = (0, 0);
    while section < SECTIONS.len() {
        let mut at = 0;
        while at < SECTIONS[section].len() {
            rows[next] = SECTIONS[section][at];
            (next, at) = (next + 1, at + 1);
        }
        section += 1;
    }
    rows
};

/// The row with this number.
///
/// # Panics
/// If there is no such row. Numbers come from [`number`].
#[must_use]
pub fn function(number: usize) -> &'static LibraryFunction {
    &TABLE[number]
}

/// The number of the function of this name, if it is modelled.
pub(super) fn number(name: &str) -> Option<usize> {
    static NUMBERS: LazyLock<BTreeMap<&str, usize>> =
        LazyLock::new(|| TABLE.iter().enumerate().map(|(number, row)| (row.name, number)).collect());
    NUMBERS.get(name).copied()
}

/// The row of the function of this name, if it is modelled.
#[must_use]
pub fn named(name: &str) -> Option<&'static LibraryFunction> {
    number(name).map(function)
}

#[cfg(test)]
mod tests {
    use super::super::{InAssertions, Kind, OnThreads};
    use super::*;
    use crate::ir::program::SUPPORT_PREFIX;

    /// Functions that the pass takes for fences because of the beginning of their names. Their models only
    /// compute.
    const FENCES_OF_THE_PASS_ALONE: [&str; 4] = ["pthread_equal", "pthread_self", "thrd_current", "thrd_equal"];
    /// Functions whose models are fences, as system calls are, and that the pass does not take for fences. It
    /// calls `__rmc_sync` around them all the same, since for all it knows they may access memory.
    const FENCES_OF_THE_MODELS_ALONE: [&str; 7] =
        ["_Exit", "clock_nanosleep", "nanosleep", "sched_setaffinity", "sched_yield", "sleep", "usleep"];

    /// Functions on objects that synchronise by a load alone, which is no fence.
    const ONLY_LOADS: [&str; 1] = ["__rmc_once_has_run"];

    fn names(which: impl Fn(&LibraryFunction) -> bool) -> Vec<&'static str> {
        let mut names: Vec<_> = TABLE.iter().filter(|row| which(row)).map(|row| row.name).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn each_name_has_one_row() {
        for (at, row) in TABLE.iter().enumerate() {
            assert_eq!(number(row.name), Some(at), "`{}` has two rows", row.name);
            assert_eq!(named(row.name).map(|row| row.name), Some(row.name));
        }
        assert_eq!(number("popen"), None);
    }

    /// The models and the pass agree on fences. Functions that only the support library calls are not
    /// compared, since the pass does not know their names.
    #[test]
    fn fences_of_the_models_are_those_of_the_pass() {
        let is_compared = |row: &LibraryFunction| !row.name.starts_with(SUPPORT_PREFIX);
        let of_pass = |row: &LibraryFunction| rmc_abi::library::is_fence(row.name);
        assert_eq!(names(|row| of_pass(row) && !row.is_fence), FENCES_OF_THE_PASS_ALONE);
        assert_eq!(names(|row| is_compared(row) && row.is_fence && !of_pass(row)), FENCES_OF_THE_MODELS_ALONE);
    }

    #[test]
    fn no_model_is_taken_for_a_function_that_accesses_no_memory() {
        let none: [&str; 0] = [];
        assert_eq!(names(|row| rmc_abi::library::accesses_no_memory(row.name)), none);
    }

    #[test]
    fn the_facts_of_a_row_fit_together() {
        for row in &TABLE {
            let name = row.name;
            let is_object = matches!(row.kind, Mutex | Condition | RwLock | Barrier | Spinlock | Semaphore | Once);
            let orders = row.is_fence && row.role.is_some();
            assert!(!is_object || row.is_alike && (orders || ONLY_LOADS.contains(&name)), "{name} synchronises");
            assert!(matches!(row.role, None | Some(Plain)) || is_object, "{name} has a role, and no object");
            let on_threads = match row.on_threads {
                OnThreads::Nothing => row.kind,
                EndsProcess => Process,
                Creates | Joins | TriesToJoin | Detaches | EndsThread => Thread,
            };
            assert_eq!(row.kind, on_threads, "{name} works on something else");
            assert!(row.on_threads == OnThreads::Nothing || row.is_fence, "{name} is no fence");
            assert!(row.in_assertions == InAssertions::Nothing || row.kind == Process, "{name} ends no process");
            assert!(!row.frees || row.kind == Heap, "{name} frees something else");
            assert!(!row.returns_twice || row.kind == Kind::Frame, "{name} returns twice");
            assert!(row.in_support != WithFiles || row.kind == Stream, "{name} is not about streams");
            assert_eq!(row.is_c11, ["thrd_", "mtx_", "cnd_"].iter().any(|prefix| name.starts_with(prefix)), "{name}");
            assert_eq!(row.reserved == Reserved::Always, name.starts_with("rmc_"), "{name}");
        }
    }
}
