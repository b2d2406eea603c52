//! Threads and mutexes.

use super::access::Update;
use super::events::{Logged, Place, UnrolledThread};
use super::objects::Flag;
use super::{Path, Stop, ThreadStart, Unroller};
use crate::engine::symbolic::word::Word;
use crate::ir::address::{MAX_THREADS, ObjectId};
use crate::ir::instr::{Bounds, IntCmp, IntOp, LibrarySite, Promises};
use crate::system::library::mutex;

/// `EBUSY`, and `thrd_busy`.
const BUSY: u64 = 16;
const BUSY_C11: u64 = 1;

impl Unroller<'_> {
    /// `pthread_create` and `thrd_create`; the argument with index `routine` is the start routine.
    pub(super) fn create(&mut self, path: &mut Path, site: &LibrarySite, routine: usize) -> Result<Word, Stop> {
        let (place, start) = (self.argument(path, site, 0)?, self.argument(path, site, routine)?);
        if routine == 2 && self.argument(path, site, 1)? != Word::ZERO {
            return self.refuse("a thread with attributes");
        }
        let argument = self.word(path, site.args[routine + 1]);
        let function = self.function_at(path, start)?;
        let code = self.program.function(function);
        if code.params > 1 {
            return self.fail(path);
        }
        if code.code.is_empty() {
            return self.refuse(format!("a thread that runs the library function `{}`", code.name));
        }
        self.end_beginning(path)?;
        let thread = self.threads.len();
        if thread >= MAX_THREADS {
            self.cut(path);
            return Err(Stop::Dead);
        }
        self.threads.push(UnrolledThread::default());
        self.starts.push_back(ThreadStart { thread, function, argument });
        let always = self.formulas.terms.boolean(true);
        let new = vec![Word::number(1), Word::number(thread as u64 + 1)];
        let update = Update { enabled: always, stores: always, new };
        let (event, _) = self.unlogged_update(path, &[(Flag::Created.of(thread), 1), (place, 8)], |_, _| Ok(update))?;
        self.log_here(path, Logged::Creation { event, thread });
        Ok(Word::ZERO)
    }

    /// The beginning of a thread, which waits for its creation.
    pub(super) fn begin_thread(&mut self, path: &Path, place: Place) -> Result<(), Stop> {
        let created = Flag::Created.of(self.thread);
        let mut path = path.clone();
        self.frames.push(place);
        let begun = self.unlogged_update(&mut path, &[(created, 1)], |unroller, old| {
            let enabled = unroller.is_one(old[0]);
            let stores = unroller.formulas.terms.boolean(false);
            Ok(Update { enabled, stores, new: vec![Word::ZERO] })
        });
        self.frames.pop();
        begun.map(drop)
    }

    /// The end of a thread with a result, at an instruction.
    pub(super) fn end_thread(&mut self, mut path: Path, result: Word, place: Place) -> Result<(), Stop> {
        if self.program.thread_end.is_some() {
            let what = "the end of a thread that may run destructors of thread-specific data".to_owned();
            return Err(Stop::Refused { what, place });
        }
        self.end_beginning(&path)?;
        let always = self.formulas.terms.boolean(true);
        let places = [(Flag::Ended.of(self.thread), 1), (Flag::Result.of(self.thread), 8)];
        let update = Update { enabled: always, stores: always, new: vec![Word::number(1), result] };
        self.frames.push(place);
        let ended = self.unlogged_update(&mut path, &places, |_, _| Ok(update));
        self.frames.pop();
        self.log(&path, place, Logged::Event(ended?.0));
        Ok(())
    }

    /// `pthread_join` and `thrd_join`.
    pub(super) fn join(&mut self, path: &mut Path, site: &LibrarySite, is_c11: bool) -> Result<Word, Stop> {
        self.end_beginning(path)?;
        let (handle, place) = (self.argument(path, site, 0)?, self.argument(path, site, 1)?);
        let number = self.formulas.int(IntOp::Sub, 64, Promises::NONE, handle, Word::number(1));
        let number = number.unwrap_or_else(|_| unreachable!("differences are followed")).word;
        let [ended, result] = [Flag::Ended, Flag::Result]
            .map(|flag| self.formulas.offset(flag.of(0), number, 64, Flag::STRIDE, Bounds::None));
        let looks = !self.is_null(place)?;
        let mut places = vec![(ended, 1)];
        if looks {
            places.push((result, 8));
        }
        let old = self.update(path, &places, |unroller, old| {
            let enabled = unroller.is_one(old[0]);
            let stores = unroller.formulas.terms.boolean(false);
            Ok(Update { enabled, stores, new: vec![Word::ZERO; old.len()] })
        })?;
        if looks {
            // The machine writes the result in the same step.
            self.glue_last_event();
            let len = if is_c11 { 4 } else { 8 };
            let always = self.formulas.terms.boolean(true);
            let update = Update { enabled: always, stores: always, new: vec![old[1]] };
            self.unlogged_update(path, &[(place, len)], |_, _| Ok(update))?;
        }
        Ok(Word::ZERO)
    }

    /// Lets no other thread run between the thread's last event and the next one.
    pub(super) fn glue_last_event(&mut self) {
        if let Some(event) = self.threads[self.thread].events.last_mut() {
            event.is_glued = true;
        }
    }

    /// Whether a word is 1.
    fn is_one(&mut self, word: Word) -> rmc_formula::TermId {
        self.is_number(word, 8, 1)
    }

    pub(super) fn is_number(&mut self, word: Word, width: u32, number: u64) -> rmc_formula::TermId {
        let is_it = self.formulas.compare(IntCmp::Eq, width, word, Word::number(number));
        self.formulas.low(is_it, 1)
    }

    /// Refuses mutexes that were recursive or looked for errors before there was a second thread, as static
    /// initialisers make them.
    pub(super) fn refuse_mutex_kinds(&mut self, path: &mut Path, site: &LibrarySite) -> Result<(), Stop> {
        let mutex = self.argument(path, site, 0)?;
        let places = self.formulas.points(mutex).resolved(self.objects.published());
        for (object, offsets) in places.objects() {
            let Some(size) = self.objects.find(self.program, object).map(|object| object.size) else { continue };
            for offset in offsets.within(size, mutex::KIND_AT + mutex::KIND_BYTES) {
                let kind = self.early_word(path, object, offset + mutex::KIND_AT, mutex::KIND_BYTES);
                if matches!(kind, Word::Known(kind) if kind.is_defined() && mutex::is_special(kind.bits.into())) {
                    return self.refuse("a mutex that is recursive or looks for errors");
                }
            }
        }
        Ok(())
    }

    /// A part of an object in the beginning, or at its end.
    fn early_word(&mut self, path: &Path, object: ObjectId, offset: u32, len: u32) -> Word {
        let mut memory = if self.beginning.is_going_on { path.memory.clone() } else { self.beginning.memory.clone() };
        if !memory.has(object) {
            memory.add(object, self.objects.get(object).expect("an object with a size").initial.clone());
        }
        memory.load(&mut self.formulas, object, offset, len)
    }

    /// The number that stands in a mutex that the thread holds.
    pub(super) fn owner(&self) -> Word {
        Word::number(self.thread as u64 + 1)
    }

    pub(super) fn lock(&mut self, path: &mut Path, site: &LibrarySite) -> Result<Word, Stop> {
        let (mutex, owner) = (self.argument(path, site, 0)?, self.owner());
        self.update(path, &[(mutex, 4)], |unroller, old| {
            let enabled = unroller.is_number(old[0], 32, 0);
            let stores = unroller.formulas.terms.boolean(true);
            Ok(Update { enabled, stores, new: vec![owner] })
        })?;
        Ok(Word::ZERO)
    }

    pub(super) fn try_lock(&mut self, path: &mut Path, site: &LibrarySite, is_c11: bool) -> Result<Word, Stop> {
        let (mutex, owner) = (self.argument(path, site, 0)?, self.owner());
        let old = self.update(path, &[(mutex, 4)], |unroller, old| {
            let stores = unroller.is_number(old[0], 32, 0);
            let enabled = unroller.formulas.terms.boolean(true);
            Ok(Update { enabled, stores, new: vec![owner] })
        })?;
        let is_free = self.is_number(old[0], 32, 0);
        let busy = Word::number(if is_c11 { BUSY_C11 } else { BUSY });
        Ok(self.formulas.choose(is_free, Word::ZERO, busy))
    }

    pub(super) fn unlock(&mut self, path: &mut Path, site: &LibrarySite) -> Result<Word, Stop> {
        let (mutex, owner) = (self.argument(path, site, 0)?, self.thread as u64 + 1);
        let old = self.update(path, &[(mutex, 4)], |unroller, _| {
            let always = unroller.formulas.terms.boolean(true);
            Ok(Update { enabled: always, stores: always, new: vec![Word::ZERO] })
        })?;
        let is_held = self.is_number(old[0], 32, owner);
        self.demand(path, is_held, false)?;
        Ok(Word::ZERO)
    }
}
