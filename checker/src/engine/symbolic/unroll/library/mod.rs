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

use super::access::Update;
use super::events::{Action, Logged};
use super::{Path, Stop, Unroller};
use crate::engine::symbolic::schedule::Barrier;
use crate::engine::symbolic::word::Word;
use crate::ir::address;
use crate::ir::ids::SiteId;
use crate::ir::instr::{Cast, FLOAT, IntCmp, LibrarySite};
use crate::system::library::{self as functions, LibraryFunction};
use rmc_formula::TermId;

/// A call under way.
#[derive(Clone, Copy)]
struct Call<'p> {
    site: &'p LibrarySite,
    function: &'static LibraryFunction,
}

/// The model of a function. It returns the result of the call; of functions without one that is not used.
type Model = for<'p> fn(&mut Unroller<'_>, &mut Path, Call<'p>) -> Result<Word, Stop>;

const MODELS: &[(&str, Model)] = &[
    ("pthread_create", threads::create_posix),
    ("thrd_create", threads::create_c11),
    ("pthread_join", threads::join),
    ("thrd_join", threads::join),
    ("pthread_tryjoin_np", threads::try_join),
    ("pthread_timedjoin_np", threads::timed_join),
    ("pthread_clockjoin_np", threads::clock_join),
    ("pthread_detach", fence),
    ("thrd_detach", fence),
    ("pthread_exit", threads::exit),
    ("thrd_exit", threads::exit),
    ("__rmc_leave_thread", threads::exit),
    ("pthread_self", threads::identity),
    ("thrd_current", threads::identity),
    ("pthread_equal", threads::equal),
    ("thrd_equal", threads::equal),
    ("pthread_mutex_init", mutexes::init_posix),
    ("mtx_init", mutexes::init_c11),
    ("pthread_mutex_destroy", fence),
    ("mtx_destroy", fence),
    ("pthread_mutex_lock", mutexes::lock),
    ("mtx_lock", mutexes::lock),
    ("pthread_mutex_trylock", mutexes::try_lock),
    ("mtx_trylock", mutexes::try_lock),
    ("pthread_mutex_timedlock", mutexes::timed_lock),
    ("mtx_timedlock", mutexes::timed_lock),
    ("pthread_mutex_clocklock", mutexes::clock_lock),
    ("pthread_mutex_unlock", mutexes::unlock),
    ("mtx_unlock", mutexes::unlock),
    ("pthread_cond_init", clear),
    ("cnd_init", clear),
    ("pthread_cond_destroy", fence),
    ("cnd_destroy", fence),
    ("pthread_cond_wait", conditions::wait),
    ("cnd_wait", conditions::wait),
    ("pthread_cond_timedwait", conditions::timed_wait),
    ("cnd_timedwait", conditions::timed_wait),
    ("pthread_cond_clockwait", conditions::clock_wait),
    ("pthread_cond_signal", conditions::signal),
    ("cnd_signal", conditions::signal),
    ("pthread_cond_broadcast", conditions::broadcast),
    ("cnd_broadcast", conditions::broadcast),
    ("pthread_rwlock_init", rwlocks::init),
    ("pthread_rwlock_destroy", fence),
    ("pthread_rwlock_rdlock", rwlocks::read_lock),
    ("pthread_rwlock_tryrdlock", rwlocks::try_read_lock),
    ("pthread_rwlock_timedrdlock", rwlocks::timed_read_lock),
    ("pthread_rwlock_clockrdlock", rwlocks::clock_read_lock),
    ("pthread_rwlock_wrlock", rwlocks::write_lock),
    ("pthread_rwlock_trywrlock", rwlocks::try_write_lock),
    ("pthread_rwlock_timedwrlock", rwlocks::timed_write_lock),
    ("pthread_rwlock_clockwrlock", rwlocks::clock_write_lock),
    ("pthread_rwlock_unlock", rwlocks::unlock),
    ("pthread_barrier_init", barriers::init),
    ("pthread_barrier_destroy", fence),
    ("pthread_barrier_wait", barriers::wait),
    ("pthread_spin_init", clear),
    ("pthread_spin_destroy", fence),
    ("pthread_spin_lock", spinlocks::lock),
    ("pthread_spin_trylock", spinlocks::try_lock),
    ("pthread_spin_unlock", spinlocks::unlock),
    ("sem_init", semaphores::init),
    ("sem_destroy", fence),
    ("sem_wait", semaphores::wait),
    ("__rmc_sem_trywait", semaphores::try_wait),
    ("__rmc_sem_timedwait", semaphores::timed_wait),
    ("__rmc_sem_clockwait", semaphores::clock_wait),
    ("sem_post", semaphores::post),
    ("sem_getvalue", semaphores::value),
    ("__rmc_once", once::begin),
    ("__rmc_once_end", once::end),
    ("malloc", heap::malloc),
    ("valloc", heap::malloc),
    ("calloc", heap::calloc),
    ("free", heap::free),
    ("exit", process::exit),
    ("_exit", process::exit),
    ("_Exit", process::exit),
    ("abort", process::abort),
    ("__assert_fail", process::assertion),
    ("__assert", process::assertion),
    ("__assert_perror_fail", process::assertion),
    ("reach_error", process::reach_error),
    ("__VERIFIER_error", process::reach_error),
    ("__chk_fail", process::overflow),
    ("__stack_chk_fail", process::overflow),
    ("__ubsan_handle_add_overflow", process::signed_overflow),
    ("__ubsan_handle_add_overflow_abort", process::signed_overflow),
    ("__ubsan_handle_sub_overflow", process::signed_overflow),
    ("__ubsan_handle_sub_overflow_abort", process::signed_overflow),
    ("__ubsan_handle_mul_overflow", process::signed_overflow),
    ("__ubsan_handle_mul_overflow_abort", process::signed_overflow),
    ("__ubsan_handle_negate_overflow", process::signed_overflow),
    ("__ubsan_handle_negate_overflow_abort", process::signed_overflow),
    ("__ubsan_handle_divrem_overflow", process::division_overflow),
    ("__ubsan_handle_divrem_overflow_abort", process::division_overflow),
    ("__rmc_misuse", process::misuse),
    ("__rmc_invalid_key", process::invalid_key),
    ("__rmc_unsupported", process::unsupported),
    ("__rmc_expect_argument", process::nothing),
    ("getpid", process::number),
    ("getppid", process::parent),
    ("gettid", process::thread_number),
    ("pthread_setname_np", fence),
    ("pthread_setaffinity_np", fence),
    ("pthread_setconcurrency", fence),
    ("printf", process::print),
    ("puts", process::print),
    ("putchar", process::print),
    ("fflush", process::print),
    ("fputs", process::print),
    ("fprintf", process::print),
    ("__rmc_contested", bytes::contested),
    ("__rmc_strlen", bytes::strlen),
    ("__rmc_memchr", bytes::memchr),
    ("__rmc_memcmp", bytes::memcmp),
    ("__rmc_strncmp", bytes::strncmp),
    ("rmc_assume", choices::assume),
    ("__VERIFIER_assume", choices::assume),
    ("__VERIFIER_atomic_begin", process::begin_section),
    ("__VERIFIER_atomic_end", process::end_section),
    ("rmc_choose", choices::choose),
    ("rmc_int", choices::interval),
];

/// The model of a function, if it has one.
fn model(function: &LibraryFunction) -> Option<Model> {
    static BY_NAME: LazyLock<BTreeMap<&str, Model>> = LazyLock::new(|| MODELS.iter().copied().collect());
    if let Some(&model) = BY_NAME.get(function.name) {
        return Some(model);
    }
    match function.kind {
        functions::Kind::Time if function.is_fence => Some(fence),
        functions::Kind::Choice if function.name.starts_with("__VERIFIER_nondet_") => Some(choices::nondet),
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
        let result = model(self, path, call)?;
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

    /// Whether a word is a number: 1 bit.
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
