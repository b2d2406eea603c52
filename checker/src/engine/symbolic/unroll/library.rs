//! Models of library functions: what a call means to memory and to values. A function without a model here
//! is refused by name.

use rmc_formula::TermId;

use super::access::Update;
use super::events::{Action, Logged};
use super::{Path, Stop, Unroller};
use crate::engine::symbolic::memory::Initial;
use crate::engine::symbolic::schedule::Barrier;
use crate::engine::symbolic::word::Word;
use crate::ir::address;
use crate::ir::ids::SiteId;
use crate::ir::instr::{Cast, FLOAT, LibrarySite};
use crate::outcome::ViolationKind;
use crate::property::Meaning;
use crate::system::library;

impl Unroller<'_> {
    /// Follows a call of a modelled function.
    pub(super) fn library(&mut self, path: &mut Path, site: SiteId) -> Result<(), Stop> {
        let (caller, _) = self.place();
        let program = self.program;
        let site = &program.function(caller).library[site.index()];
        let function = library::function(site.function);
        if function.name.starts_with("pthread_mutex_") {
            self.refuse_mutex_kinds(path, site)?;
        }
        let result = match function.name {
            "pthread_create" => self.create(path, site, 2)?,
            "thrd_create" => self.create(path, site, 1)?,
            "pthread_join" | "thrd_join" => self.join(path, site, function.is_c11)?,
            "pthread_exit" | "thrd_exit" | "__rmc_leave_thread" => {
                let result = if site.args.is_empty() { Word::ZERO } else { self.argument(path, site, 0)? };
                let place = self.place();
                self.end_thread(path.clone(), result, place)?;
                return Err(Stop::Dead);
            }
            "pthread_self" | "thrd_current" => Word::number(self.thread as u64 + 1),
            "pthread_mutex_init" | "mtx_init" => self.initialise_mutex(path, site, function.is_c11)?,
            "pthread_mutex_destroy" | "mtx_destroy" | "sem_destroy" | "pthread_spin_destroy" => {
                self.full_fence(path)?;
                Word::ZERO
            }
            "pthread_mutex_lock" | "mtx_lock" | "pthread_spin_lock" => self.lock(path, site)?,
            "pthread_mutex_trylock" | "mtx_trylock" | "pthread_spin_trylock" => {
                self.try_lock(path, site, function.is_c11)?
            }
            "pthread_mutex_unlock" | "mtx_unlock" | "pthread_spin_unlock" => self.unlock(path, site)?,
            "pthread_spin_init" => self.set_word(path, site, Word::ZERO)?,
            "sem_init" => {
                let value = self.argument(path, site, 2)?;
                self.set_word(path, site, value)?
            }
            "sem_wait" => self.wait_semaphore(path, site)?,
            "sem_post" => self.post_semaphore(path, site)?,
            "malloc" | "valloc" => {
                let size = self.argument(path, site, 0)?;
                self.allocate(path, size, Initial::Undefined)?
            }
            "calloc" => {
                let (count, size) = (self.argument(path, site, 0)?, self.argument(path, site, 1)?);
                let bytes = match (count, size) {
                    (Word::Known(count), Word::Known(size)) => Word::number(count.bits.saturating_mul(size.bits)),
                    _ => return self.refuse("an allocation whose size is not known"),
                };
                self.allocate(path, bytes, Initial::Zero)?
            }
            "free" => self.free(path, site)?,
            "exit" | "_exit" | "_Exit" => return Err(Stop::Dead),
            "abort" => return self.ends_with(path, ViolationKind::Abort),
            "__assert_fail" | "__assert" | "__assert_perror_fail" => {
                return self.ends_with(path, ViolationKind::Assertion);
            }
            "reach_error" | "__VERIFIER_error" => return self.ends_with(path, ViolationKind::ReachError),
            "__chk_fail" | "__stack_chk_fail" => return self.ends_with(path, ViolationKind::OutOfBounds),
            "__VERIFIER_assume" | "rmc_assume" => {
                let condition = self.argument(path, site, 0)?;
                let zero = self.formulas.terms.constant(0, 64);
                let bits = self.formulas.bits(condition);
                let holds = self.formulas.terms.ne(bits, zero);
                self.log_here(path, Logged::Silent);
                self.assume(path, holds)?;
                Word::ZERO
            }
            "__VERIFIER_atomic_begin" => {
                self.begin_section(path)?;
                Word::ZERO
            }
            "__VERIFIER_atomic_end" => {
                self.end_section(path)?;
                Word::ZERO
            }
            "rmc_choose" => self.choose(path, site)?,
            "rmc_int" => self.interval(path, site)?,
            name if name.starts_with("__VERIFIER_nondet_") => self.nondet(path, site)?,
            _ if matches!(function.kind, library::Kind::Time) && function.is_fence => {
                self.full_fence(path)?;
                Word::ZERO
            }
            "pthread_cond_init" | "cnd_init" => self.set_word(path, site, Word::ZERO)?,
            "pthread_cond_destroy" | "cnd_destroy" => {
                self.full_fence(path)?;
                Word::ZERO
            }
            "pthread_cond_wait" | "cnd_wait" => self.wait_condition(path, site)?,
            "pthread_cond_signal" | "cnd_signal" => self.signal(path, site)?,
            "pthread_cond_broadcast" | "cnd_broadcast" => self.broadcast(path, site)?,
            "printf" | "puts" | "putchar" | "fflush" | "fputs" | "fprintf" => {
                // The number of characters is not computed.
                self.is_coarse |= site.width > 0;
                let (_, result) = self.input(64);
                self.silent(path, result)
            }
            // Bytes are then read one after the other, which is one of the orders.
            "__rmc_contested" => self.silent(path, Word::ZERO),
            _ => return self.refuse(format!("the function `{}`", function.public_name())),
        };
        self.give(path, site, result);
        Ok(())
    }

    fn give(&mut self, path: &mut Path, site: &LibrarySite, result: Word) {
        if site.width > 0 {
            let word = self.formulas.cast(Cast::Truncate, 64, (site.width & !FLOAT).into(), result);
            path.registers[site.dst.index()] = word.unwrap_or_else(|_| unreachable!("no number is refused"));
        }
    }

    /// An argument, which must be defined.
    pub(super) fn argument(&mut self, path: &mut Path, site: &LibrarySite, at: usize) -> Result<Word, Stop> {
        let Some(&operand) = site.args.get(at) else { return self.fail(path) };
        let word = self.word(path, operand);
        self.demand_defined(path, word)?;
        Ok(word)
    }

    pub(super) fn log_here(&mut self, path: &Path, what: Logged) {
        let place = self.place();
        self.log(path, place, what);
    }

    fn silent(&mut self, path: &Path, result: Word) -> Word {
        self.log_here(path, Logged::Silent);
        result
    }

    /// A full fence that is all that others notice of a call.
    fn full_fence(&mut self, path: &Path) -> Result<(), Stop> {
        if self.beginning.is_going_on {
            self.log_here(path, Logged::Silent);
            return Ok(());
        }
        self.event(path, Action::Fence(Barrier::Full)).map(drop)
    }

    fn begin_section(&mut self, path: &mut Path) -> Result<(), Stop> {
        path.sections += 1;
        if self.beginning.is_going_on || path.sections > 1 {
            self.log_here(path, Logged::Silent);
            return Ok(());
        }
        self.event(path, Action::Fence(Barrier::Full)).map(drop)
    }

    fn end_section(&mut self, path: &mut Path) -> Result<(), Stop> {
        match path.sections {
            0 => return self.fail(path),
            1 => {
                path.sections = 0;
                self.full_fence(path)?;
            }
            _ => {
                path.sections -= 1;
                self.log_here(path, Logged::Silent);
            }
        }
        Ok(())
    }

    /// The end of the path by a violation, if it is one of the property.
    fn ends_with(&mut self, path: &mut Path, kind: ViolationKind) -> Result<(), Stop> {
        match self.config.property.meaning(kind) {
            Meaning::Violates => self.fail(path),
            Meaning::Ends | Meaning::Undefined => Err(Stop::Dead),
        }
    }

    fn allocate(&mut self, path: &mut Path, size: Word, initial: Initial) -> Result<Word, Stop> {
        if self.config.malloc_may_fail {
            return self.refuse("--malloc-may-fail");
        }
        let Word::Known(size) = size else { return self.refuse("an allocation whose size is not known") };
        self.log_here(path, Logged::Silent);
        let object = self.make(path, size.bits, initial)?;
        self.objects.allocated(object);
        Ok(Word::number(object.address(0)))
    }

    fn nondet(&mut self, path: &mut Path, site: &LibrarySite) -> Result<Word, Stop> {
        let name = library::function(site.function).name;
        if !self.config.svcomp {
            return self.refuse(format!("function `{name}`, which only --svcomp gives a meaning"));
        }
        let Some((bits, is_signed)) = library::input_type(name) else {
            return self.refuse(format!("an input of floating point or a pointer (`{name}`)"));
        };
        let (value, word) = self.program_input(bits);
        if let Some(range) = self.config.nondet_range {
            let wide = if is_signed {
                self.formulas.terms.sign_extend(value, 128)
            } else {
                self.formulas.terms.zero_extend(value, 128)
            };
            let [min, max] = [range.min, range.max].map(|end| self.formulas.terms.constant(end.cast_unsigned(), 128));
            let (above, below) = (self.formulas.terms.sle(min, wide), self.formulas.terms.sle(wide, max));
            self.assumptions.extend([above, below]);
        }
        self.log_value(path, value, bits == u32::from(site.width) && bits > 1, is_signed)?;
        Ok(match is_signed {
            true => {
                let wide = self.formulas.terms.sign_extend(value, 64);
                self.formulas.defined(wide)
            }
            false => word,
        })
    }

    /// Logs an input, or a choice where the machine tries the values one by one, the least first.
    fn log_value(&mut self, path: &Path, value: TermId, is_input: bool, is_signed: bool) -> Result<(), Stop> {
        let width = self.formulas.terms.width(value);
        if is_input {
            self.log_here(path, Logged::Input { value });
        } else if width <= 16 && self.config.nondet_range.is_none() {
            let least = self.formulas.terms.constant(u128::from(is_signed) << (width - 1), width);
            let value = self.formulas.terms.sub(value, least);
            self.log_here(path, Logged::Choice { value });
        } else {
            return self.refuse("an input of this type");
        }
        Ok(())
    }

    fn choose(&mut self, path: &mut Path, site: &LibrarySite) -> Result<Word, Stop> {
        let Word::Known(count) = self.argument(path, site, 0)? else {
            return self.refuse("a choice of a number of values that is not known");
        };
        if count.bits == 0 {
            return self.fail(path);
        }
        let (value, word) = self.program_input(32);
        let most = self.formulas.terms.constant(u128::from(count.bits) - 1, 32);
        let is_within = self.formulas.terms.ule(value, most);
        self.assumptions.push(is_within);
        let is_input = count.bits > library::MOST_RESULTS;
        self.log_here(path, if is_input { Logged::Input { value } } else { Logged::Choice { value } });
        Ok(word)
    }

    fn interval(&mut self, path: &mut Path, site: &LibrarySite) -> Result<Word, Stop> {
        let (least, most) = (self.argument(path, site, 0)?, self.argument(path, site, 1)?);
        let [least, most] = [least, most].map(|end| self.formulas.bits(end));
        let is_one = self.formulas.terms.sle(least, most);
        self.demand(path, is_one, false)?;
        let (value, word) = self.program_input(64);
        let (above, below) = (self.formulas.terms.sle(least, value), self.formulas.terms.sle(value, most));
        let within = self.formulas.and(above, below);
        self.log_here(path, Logged::Input { value });
        self.assume(path, within)?;
        Ok(word)
    }

    /// Sets the 4 bytes that a synchronisation object begins with.
    fn set_word(&mut self, path: &mut Path, site: &LibrarySite, value: Word) -> Result<Word, Stop> {
        let place = self.argument(path, site, 0)?;
        let always = self.formulas.terms.boolean(true);
        let update = Update { enabled: always, stores: always, new: vec![value] };
        self.update(path, &[(place, 4)], |_, _| Ok(update))?;
        Ok(Word::ZERO)
    }

    fn initialise_mutex(&mut self, path: &mut Path, site: &LibrarySite, is_c11: bool) -> Result<Word, Stop> {
        let attributes = self.argument(path, site, 1)?;
        if attributes != Word::ZERO && !is_c11
            || is_c11 && !matches!(attributes, Word::Known(kind) if kind.bits & 1 == 0)
        {
            return self.refuse("a mutex that is recursive or has attributes");
        }
        self.set_word(path, site, Word::ZERO)
    }

    fn wait_semaphore(&mut self, path: &mut Path, site: &LibrarySite) -> Result<Word, Stop> {
        self.count(path, site, |unroller, old| {
            let zero = unroller.formulas.terms.constant(0, 32);
            let (enabled, minus_one) =
                (unroller.formulas.terms.ne(old, zero), unroller.formulas.terms.constant(u128::MAX, 32));
            (enabled, minus_one)
        })
    }

    fn post_semaphore(&mut self, path: &mut Path, site: &LibrarySite) -> Result<Word, Stop> {
        self.count(path, site, |unroller, _| {
            (unroller.formulas.terms.boolean(true), unroller.formulas.terms.constant(1, 32))
        })
    }

    /// Adds a number to a semaphore where that is possible.
    fn count(
        &mut self,
        path: &mut Path,
        site: &LibrarySite,
        difference: impl FnOnce(&mut Self, TermId) -> (TermId, TermId),
    ) -> Result<Word, Stop> {
        let place = self.argument(path, site, 0)?;
        self.update(path, &[(place, 4)], |unroller, old| {
            let old = unroller.formulas.low(old[0], 32);
            let (enabled, difference) = difference(unroller, old);
            let new = unroller.formulas.terms.add(old, difference);
            let new = unroller.formulas.defined(new);
            let stores = unroller.formulas.terms.boolean(true);
            Ok(Update { enabled, stores, new: vec![new] })
        })?;
        Ok(Word::ZERO)
    }

    /// True if an address is null for certain.
    pub(super) fn is_null(&mut self, address: Word) -> Result<bool, Stop> {
        match address {
            Word::Known(value) => Ok(address::split(value.bits).is_none()),
            Word::Term(_) => self.refuse("a pointer that may be null, as an argument of a library function"),
        }
    }
}
