//! Models of library functions: what a call means to memory and to values. A function without a row here is
//! refused by name.
//!
//! To add a function, write its row in [`MODELS`], and its model in the file of its family. Facts about the
//! function are in its row of `system/library/functions.rs`. A model takes the steps that the machine takes
//! (`system/library/`), with the content of synchronisation objects that its file describes.
//!
//! Tests: `tests/programs/symbolic/library/`.

mod barriers;
mod bytes;
mod choices;
mod conditions;
mod heap;
mod mutexes;
mod once;
mod process;
mod rwlocks;
mod semaphores;
mod spinlocks;
mod threads;
mod waiting;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use self::waiting::WaitMode;
use super::access::Update;
use super::events::{Action, Logged};
use super::{Path, Stop, Unroller};
use crate::engine::symbolic::schedule::Barrier;
use crate::engine::symbolic::word::Word;
use crate::ir::address;
use crate::ir::ids::SiteId;
use crate::ir::instr::{Cast, FLOAT, IntCmp, LibrarySite};
use crate::outcome::ViolationKind;
use crate::system::library::{self as functions, LibraryFunction};
use Model::{Plain, Violates, Waiting};
use WaitMode::{GivesUp, Until, Waits};
use rmc_formula::TermId;

/// A call under way.
#[derive(Clone, Copy)]
struct Call<'p> {
    site: &'p LibrarySite,
    function: &'static LibraryFunction,
}

/// The model of a function. It returns the result of the call; of functions without one that is not used.
type Steps = for<'p> fn(&mut Unroller<'_>, &mut Path, Call<'p>) -> Result<Word, Stop>;

/// The kinds of models.
#[derive(Clone, Copy)]
enum Model {
    /// The steps of the call.
    Plain(Steps),
    /// The steps of a call that may have to wait, and its behaviour then.
    Waiting(for<'p> fn(&mut Unroller<'_>, &mut Path, Call<'p>, WaitMode) -> Result<Word, Stop>, WaitMode),
    /// The call is a violation.
    Violates(ViolationKind),
}

const MODELS: &[(&str, Model)] = &[
    ("pthread_create", Plain(threads::create_posix)),
    ("thrd_create", Plain(threads::create_c11)),
    ("pthread_join", Waiting(threads::join, Waits)),
    ("thrd_join", Waiting(threads::join, Waits)),
    ("pthread_tryjoin_np", Waiting(threads::join, GivesUp)),
    ("pthread_timedjoin_np", Waiting(threads::join, Until(2))),
    ("pthread_clockjoin_np", Waiting(threads::join, Until(3))),
    ("pthread_detach", Plain(fence)),
    ("thrd_detach", Plain(fence)),
    ("pthread_exit", Plain(threads::exit)),
    ("thrd_exit", Plain(threads::exit)),
    ("__rmc_leave_thread", Plain(threads::exit)),
    ("pthread_self", Plain(threads::identity)),
    ("thrd_current", Plain(threads::identity)),
    ("pthread_equal", Plain(threads::equal)),
    ("thrd_equal", Plain(threads::equal)),
    ("pthread_mutex_init", Plain(mutexes::init_posix)),
    ("mtx_init", Plain(mutexes::init_c11)),
    ("pthread_mutex_destroy", Plain(fence)),
    ("mtx_destroy", Plain(fence)),
    ("pthread_mutex_lock", Waiting(mutexes::lock, Waits)),
    ("__rmc_bare_lock", Waiting(mutexes::lock, Waits)),
    ("mtx_lock", Waiting(mutexes::lock, Waits)),
    ("pthread_mutex_trylock", Waiting(mutexes::lock, GivesUp)),
    ("mtx_trylock", Waiting(mutexes::lock, GivesUp)),
    ("pthread_mutex_timedlock", Waiting(mutexes::lock, Until(1))),
    ("mtx_timedlock", Waiting(mutexes::lock, Until(1))),
    ("pthread_mutex_clocklock", Waiting(mutexes::lock, Until(2))),
    ("pthread_mutex_unlock", Plain(mutexes::unlock)),
    ("__rmc_bare_unlock", Plain(mutexes::unlock)),
    ("mtx_unlock", Plain(mutexes::unlock)),
    ("pthread_cond_init", Plain(clear)),
    ("cnd_init", Plain(clear)),
    ("pthread_cond_destroy", Plain(fence)),
    ("cnd_destroy", Plain(fence)),
    ("pthread_cond_wait", Plain(conditions::wait)),
    ("cnd_wait", Plain(conditions::wait)),
    ("pthread_cond_timedwait", Plain(conditions::timed_wait)),
    ("cnd_timedwait", Plain(conditions::timed_wait)),
    ("pthread_cond_clockwait", Plain(conditions::clock_wait)),
    ("pthread_cond_signal", Plain(conditions::signal)),
    ("cnd_signal", Plain(conditions::signal)),
    ("pthread_cond_broadcast", Plain(conditions::broadcast)),
    ("cnd_broadcast", Plain(conditions::broadcast)),
    ("pthread_rwlock_init", Plain(rwlocks::init)),
    ("pthread_rwlock_destroy", Plain(fence)),
    ("pthread_rwlock_rdlock", Waiting(rwlocks::read_lock, Waits)),
    ("pthread_rwlock_tryrdlock", Waiting(rwlocks::read_lock, GivesUp)),
    ("pthread_rwlock_timedrdlock", Waiting(rwlocks::read_lock, Until(1))),
    ("pthread_rwlock_clockrdlock", Waiting(rwlocks::read_lock, Until(2))),
    ("pthread_rwlock_wrlock", Waiting(rwlocks::write_lock, Waits)),
    ("pthread_rwlock_trywrlock", Waiting(rwlocks::write_lock, GivesUp)),
    ("pthread_rwlock_timedwrlock", Waiting(rwlocks::write_lock, Until(1))),
    ("pthread_rwlock_clockwrlock", Waiting(rwlocks::write_lock, Until(2))),
    ("pthread_rwlock_unlock", Plain(rwlocks::unlock)),
    ("pthread_barrier_init", Plain(barriers::init)),
    ("pthread_barrier_destroy", Plain(fence)),
    ("pthread_barrier_wait", Plain(barriers::wait)),
    ("pthread_spin_init", Plain(clear)),
    ("pthread_spin_destroy", Plain(fence)),
    ("pthread_spin_lock", Waiting(spinlocks::lock, Waits)),
    ("pthread_spin_trylock", Waiting(spinlocks::lock, GivesUp)),
    ("pthread_spin_unlock", Plain(spinlocks::unlock)),
    ("sem_init", Plain(semaphores::init)),
    ("sem_destroy", Plain(fence)),
    ("sem_wait", Waiting(semaphores::wait, Waits)),
    ("__rmc_sem_trywait", Waiting(semaphores::wait, GivesUp)),
    ("__rmc_sem_timedwait", Waiting(semaphores::wait, Until(1))),
    ("__rmc_sem_clockwait", Waiting(semaphores::wait, Until(2))),
    ("sem_post", Plain(semaphores::post)),
    ("sem_getvalue", Plain(semaphores::value)),
    ("__rmc_once_has_run", Plain(once::has_run)),
    ("__rmc_once", Plain(once::begin)),
    ("__rmc_once_end", Plain(once::end)),
    ("malloc", Plain(heap::malloc)),
    ("valloc", Plain(heap::malloc)),
    ("calloc", Plain(heap::calloc)),
    ("free", Plain(heap::free)),
    // The engine never says `holds`, so forms that do not belong together may be left out.
    ("__rmc_new", Plain(heap::malloc)),
    ("__rmc_new_array", Plain(heap::malloc)),
    ("__rmc_delete", Plain(heap::free)),
    ("__rmc_delete_array", Plain(heap::free)),
    ("__rmc_is_default", Plain(process::nothing)),
    ("__rmc_is_replaced", Plain(heap::is_replaced)),
    ("exit", Plain(process::exit)),
    ("_exit", Plain(process::exit)),
    ("_Exit", Plain(process::exit)),
    ("abort", Violates(ViolationKind::Abort)),
    ("__assert_fail", Violates(ViolationKind::Assertion)),
    ("__assert", Violates(ViolationKind::Assertion)),
    ("__assert_perror_fail", Violates(ViolationKind::Assertion)),
    ("reach_error", Violates(ViolationKind::ReachError)),
    ("__VERIFIER_error", Violates(ViolationKind::ReachError)),
    ("__chk_fail", Violates(ViolationKind::OutOfBounds)),
    ("__stack_chk_fail", Violates(ViolationKind::OutOfBounds)),
    ("__ubsan_handle_add_overflow", Violates(ViolationKind::SignedOverflow)),
    ("__ubsan_handle_add_overflow_abort", Violates(ViolationKind::SignedOverflow)),
    ("__ubsan_handle_sub_overflow", Violates(ViolationKind::SignedOverflow)),
    ("__ubsan_handle_sub_overflow_abort", Violates(ViolationKind::SignedOverflow)),
    ("__ubsan_handle_mul_overflow", Violates(ViolationKind::SignedOverflow)),
    ("__ubsan_handle_mul_overflow_abort", Violates(ViolationKind::SignedOverflow)),
    ("__ubsan_handle_negate_overflow", Violates(ViolationKind::SignedOverflow)),
    ("__ubsan_handle_negate_overflow_abort", Violates(ViolationKind::SignedOverflow)),
    ("__ubsan_handle_divrem_overflow", Violates(ViolationKind::DivisionOverflow)),
    ("__ubsan_handle_divrem_overflow_abort", Violates(ViolationKind::DivisionOverflow)),
    ("__rmc_misuse", Violates(ViolationKind::InvalidArgument)),
    ("__rmc_invalid_key", Violates(ViolationKind::InvalidKey)),
    ("__rmc_unsupported", Plain(process::unsupported)),
    ("__rmc_expect_argument", Plain(process::nothing)),
    ("getpid", Plain(process::number)),
    ("getppid", Plain(process::parent)),
    ("gettid", Plain(process::thread_number)),
    ("pthread_setname_np", Plain(fence)),
    ("pthread_setaffinity_np", Plain(fence)),
    ("pthread_setconcurrency", Plain(fence)),
    ("printf", Plain(process::print)),
    ("puts", Plain(process::print)),
    ("putchar", Plain(process::print)),
    ("fflush", Plain(process::print)),
    ("fputs", Plain(process::print)),
    ("fprintf", Plain(process::print)),
    ("__rmc_contested", Plain(bytes::contested)),
    ("__rmc_strlen", Plain(bytes::strlen)),
    ("__rmc_memchr", Plain(bytes::memchr)),
    ("__rmc_memcmp", Plain(bytes::memcmp)),
    ("__rmc_strncmp", Plain(bytes::strncmp)),
    ("rmc_assume", Plain(choices::assume)),
    ("__VERIFIER_assume", Plain(choices::assume)),
    ("__VERIFIER_atomic_begin", Plain(process::begin_section)),
    ("__VERIFIER_atomic_end", Plain(process::end_section)),
    ("rmc_choose", Plain(choices::choose)),
    ("rmc_int", Plain(choices::interval)),
    // The engine never says `holds`, so nothing has to be said of what is left out when time passes, or
    // with other hashes.
    ("__rmc_read_clock", Plain(process::nothing)),
    ("__rmc_use_hashes", Plain(process::nothing)),
    ("__rmc_processors", Plain(process::processors)),
    ("__rmc_take", Plain(process::nothing)),
    ("__rmc_take_counted", Plain(process::nothing)),
];

/// The model of a function, if it has one.
fn model(function: &LibraryFunction) -> Option<Model> {
    static BY_NAME: LazyLock<BTreeMap<&str, Model>> = LazyLock::new(|| MODELS.iter().copied().collect());
    if let Some(&model) = BY_NAME.get(function.name) {
        return Some(model);
    }
    match function.kind {
        functions::Kind::Time if function.is_fence => Some(Plain(fence)),
        functions::Kind::Choice if function.name.starts_with("__VERIFIER_nondet_") => Some(Plain(choices::nondet)),
        _ => None,
    }
}

/// A full fence that is all that others notice of a call.
fn fence(unroller: &mut Unroller<'_>, path: &mut Path, _: Call<'_>) -> Result<Word, Stop> {
    unroller.full_fence(path)?;
    Ok(Word::ZERO)
}

/// Sets the 4 bytes to 0 that a synchronisation object begins with.
fn clear(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let object = unroller.argument(path, call, 0)?;
    unroller.set_words(path, &[(object, 4)], vec![Word::ZERO])
}

impl Unroller<'_> {
    /// Follows a call of a modelled function.
    pub(super) fn library(&mut self, path: &mut Path, site: SiteId) -> Result<(), Stop> {
        let (caller, _) = self.place();
        let program = self.program;
        let site = &program.function(caller).library[site.index()];
        let call = Call { site, function: functions::function(site.function) };
        let Some(model) = model(call.function) else {
            return self.refuse(format!("the function `{}`", call.function.public_name()));
        };
        let result = match model {
            Plain(steps) => steps(self, path, call),
            Waiting(steps, wait_mode) => steps(self, path, call, wait_mode),
            Violates(kind) => self.ends_with(path, kind),
        }?;
        if site.width > 0 {
            let word = self.formulas.cast(Cast::Truncate, 64, (site.width & !FLOAT).into(), result);
            path.registers[site.dst.index()] = word.unwrap_or_else(|_| unreachable!("no number is refused"));
        }
        Ok(())
    }

    /// An argument, which must be defined.
    fn argument(&mut self, path: &mut Path, call: Call<'_>, at: usize) -> Result<Word, Stop> {
        let Some(&operand) = call.site.args.get(at) else { return self.fail(path) };
        let word = self.word(path, operand);
        self.demand_defined(path, word)?;
        Ok(word)
    }

    /// True if the program reads the result of a call. The machine decides it in the same way.
    fn is_read(&self, call: Call<'_>) -> bool {
        let (caller, _) = self.place();
        call.site.width > 0 && self.program.function(caller).liveness.is_needed(call.site.dst)
    }

    fn log_here(&mut self, path: &Path, what: Logged) {
        let place = self.place();
        self.log(path, place, what);
    }

    /// A full fence.
    fn full_fence(&mut self, path: &Path) -> Result<(), Stop> {
        if self.beginning.is_going_on {
            self.log_silently(path);
            return Ok(());
        }
        self.event(path, Action::Fence(Barrier::Full)).map(drop)
    }

    /// Writes words in one step. The result is that of a call that succeeds.
    fn set_words(&mut self, path: &mut Path, places: &[(Word, u32)], words: Vec<Word>) -> Result<Word, Stop> {
        let update = Update::unconditional(&mut self.formulas, words);
        self.update(path, places, |_, _| Ok(update))?;
        Ok(Word::ZERO)
    }

    /// The address so many bytes behind another one.
    fn behind(&mut self, address: Word, distance: u32) -> Word {
        self.formulas.offset(address, Word::number(distance.into()), 64, 1, crate::ir::instr::Bounds::None)
    }

    /// A bit: a word is this number.
    pub(super) fn is_number(&mut self, word: Word, width: u32, number: u64) -> TermId {
        let is_it = self.formulas.compare(IntCmp::Eq, width, word, Word::number(number));
        self.formulas.low(is_it, 1)
    }

    /// The number that stands in a lock that the thread holds.
    fn owner(&self) -> u64 {
        self.thread as u64 + 1
    }

    /// True if an address is null for certain.
    fn is_null(&mut self, address: Word) -> Result<bool, Stop> {
        match address {
            Word::Known(value) => Ok(address::split(value.bits).is_none()),
            Word::Term(_) => self.refuse("a pointer that may be null, as an argument of a library function"),
        }
    }

    /// Paths that meet behind a call, each with a result.
    pub(super) fn meet(&mut self, ends: Vec<(Path, Word)>) -> Result<(Path, Word), Stop> {
        let mut ends = ends.into_iter();
        let (mut path, mut result) = ends.next().ok_or(Stop::Dead)?;
        for (other, word) in ends {
            result = self.formulas.choose(path.guard, result, word);
            path = self.merge(path, &other);
        }
        Ok((path, result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_of_one_function() {
        for (at, (name, _)) in MODELS.iter().enumerate() {
            assert!(functions::named(name).is_some(), "`{name}` is no function");
            assert!(MODELS[..at].iter().all(|(other, _)| other != name), "`{name}` has two rows");
        }
    }
}
