//! Mutexes. Bytes 0 to 3 are the thread that holds the mutex, plus one, or 0; bytes 4 to 7 of a recursive one
//! say how often. The kind is where the machine has it, and is the one that the mutex had before there was a
//! second thread: later initialisations are of mutexes that simply wait.

use std::collections::BTreeSet;

use super::waiting::{EDEADLK, OWNER, WaitMode};
use super::{Call, Path, Stop, Unroller, Update, Word};
use crate::ir::address::ObjectId;
use crate::system::library::mutex::{self, Kind};

/// The error code for a mutex that another thread holds, or nobody.
const EPERM: u64 = 1;
/// Bytes of the number of times that the owner has the mutex.
const COUNT: u32 = 4;

pub(super) fn init_posix(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let attributes = unroller.argument(path, call, 1)?;
    let kind = if unroller.is_null(attributes)? {
        Word::ZERO
    } else {
        let word = unroller.load_unlogged(path, attributes, mutex::KIND_BYTES)?;
        unroller.demand_defined(path, word)?;
        match word {
            Word::Known(word) => Word::number(word.bits & mutex::KIND_BITS),
            Word::Term(_) => return unroller.refuse("a mutex with attributes that are not known"),
        }
    };
    init(unroller, path, call, kind)
}

pub(super) fn init_c11(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    match unroller.argument(path, call, 1)? {
        Word::Known(kind) => init(unroller, path, call, Word::number(kind.bits & mutex::C11_RECURSIVE)),
        Word::Term(_) => unroller.refuse("a mutex whose kind is not known"),
    }
}

fn init(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>, kind: Word) -> Result<Word, Stop> {
    let object = unroller.argument(path, call, 0)?;
    if unroller.beginning.is_going_on {
        let at = unroller.behind(object, mutex::KIND_AT);
        return unroller.set_words(path, &[(object, OWNER + COUNT), (at, mutex::KIND_BYTES)], vec![Word::ZERO, kind]);
    }
    if matches!(kind, Word::Known(kind) if Kind::of(kind.bits.into()) != Some(Kind::Normal)) {
        return unroller.refuse("a mutex that is recursive or looks for errors, made when there are other threads");
    }
    unroller.set_words(path, &[(object, OWNER)], vec![Word::ZERO])
}

pub(super) fn lock(
    unroller: &mut Unroller<'_>,
    path: &mut Path,
    call: Call<'_>,
    wait_mode: WaitMode,
) -> Result<Word, Stop> {
    let object = unroller.argument(path, call, 0)?;
    let kind = unroller.kind(path, object)?;
    let failure = unroller.failure(path, call, wait_mode)?;
    if kind == Kind::Recursive {
        return acquire_again(unroller, path, call, wait_mode, (object, failure));
    }
    let (is_free, old) = unroller.take_owned(path, object, wait_mode)?;
    let otherwise = match (wait_mode, kind) {
        (WaitMode::GivesUp, _) => failure,
        (_, Kind::ErrorChecking) => {
            let own = unroller.is_number(old, 32, unroller.owner());
            unroller.formulas.choose(own, call.status(EDEADLK), failure)
        }
        (WaitMode::Waits, _) => {
            unroller.demand(path, is_free, false)?;
            failure
        }
        (WaitMode::Until(_), _) => failure,
    };
    Ok(unroller.formulas.choose(is_free, Word::ZERO, otherwise))
}

/// Takes a recursive mutex, perhaps once more.
fn acquire_again(
    unroller: &mut Unroller<'_>,
    path: &mut Path,
    _: Call<'_>,
    wait_mode: WaitMode,
    (object, failure): (Word, Word),
) -> Result<Word, Stop> {
    let owner = unroller.owner();
    let count = unroller.behind(object, OWNER);
    let is_free = |unroller: &mut Unroller<'_>, old: &[Word]| {
        let (nobody, own) = (unroller.is_number(old[0], 32, 0), unroller.is_number(old[0], 32, owner));
        unroller.formulas.terms.or(nobody, own)
    };
    let old = unroller.update(path, &[(object, OWNER), (count, COUNT)], |unroller, old| {
        let is_free = is_free(unroller, old);
        let enabled = wait_mode.enabled(unroller, is_free);
        let more = unroller.sum(old[1], 32, 1);
        Ok(Update::waiting(&mut unroller.formulas, enabled, is_free, vec![Word::number(owner), more]))
    })?;
    let is_free = is_free(unroller, &old);
    Ok(unroller.formulas.choose(is_free, Word::ZERO, failure))
}

pub(super) fn unlock(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let (object, owner) = (unroller.argument(path, call, 0)?, unroller.owner());
    match unroller.kind(path, object)? {
        Kind::Recursive => {
            let count = unroller.behind(object, OWNER);
            let old = unroller.update(path, &[(object, OWNER), (count, COUNT)], |unroller, old| {
                let is_last = unroller.is_number(old[1], 32, 1);
                let is_held = unroller.is_number(old[0], 32, owner);
                let fewer = unroller.sum(old[1], 32, u64::MAX);
                let still = unroller.formulas.choose(is_last, Word::ZERO, old[0]);
                Ok(Update::conditional(&mut unroller.formulas, is_held, vec![still, fewer]))
            })?;
            let is_held = unroller.is_number(old[0], 32, owner);
            let is_posix = call.function.name.starts_with("pthread_");
            if is_posix && !mutex::is_of_thread_header(unroller.program, unroller.place()) {
                return Ok(unroller.formulas.choose(is_held, Word::ZERO, Word::number(EPERM)));
            }
            unroller.demand(path, is_held, false)?;
            Ok(Word::ZERO)
        }
        Kind::ErrorChecking => {
            let old = unroller.update(path, &[(object, OWNER)], |unroller, old| {
                let is_held = unroller.is_number(old[0], 32, owner);
                Ok(Update::conditional(&mut unroller.formulas, is_held, vec![Word::ZERO]))
            })?;
            let is_held = unroller.is_number(old[0], 32, owner);
            Ok(unroller.formulas.choose(is_held, Word::ZERO, call.status(EPERM)))
        }
        Kind::Normal => {
            let update = Update::unconditional(&mut unroller.formulas, vec![Word::ZERO]);
            let old = unroller.update(path, &[(object, OWNER)], |_, _| Ok(update))?;
            let is_held = unroller.is_number(old[0], 32, owner);
            unroller.demand(path, is_held, false)?;
            Ok(Word::ZERO)
        }
    }
}

impl Unroller<'_> {
    /// The kind of the mutex at an address.
    pub(super) fn kind(&mut self, path: &Path, mutex: Word) -> Result<Kind, Stop> {
        let places = self.formulas.points(mutex).resolved(self.objects.published());
        let mut kinds = BTreeSet::new();
        for (object, offsets) in places.objects() {
            let Some(size) = self.objects.find(self.program, object).map(|object| object.size) else { continue };
            for offset in offsets.within(size, mutex::KIND_AT + mutex::KIND_BYTES) {
                let kind = self.early_word(path, object, offset + mutex::KIND_AT, mutex::KIND_BYTES);
                if let Word::Known(kind) = kind
                    && kind.is_defined()
                {
                    kinds.extend(Kind::of(kind.bits.into()));
                }
            }
        }
        match kinds.len() {
            0 => Ok(Kind::Normal),
            1 => Ok(*kinds.first().expect("a kind")),
            _ => self.refuse("a mutex that may be of different kinds"),
        }
    }

    /// A part of an object in the beginning, or at its end.
    pub(super) fn early_word(&mut self, path: &Path, object: ObjectId, offset: u32, len: u32) -> Word {
        let mut memory = if self.beginning.is_going_on { path.memory.clone() } else { self.beginning.memory.clone() };
        if !memory.has(object) {
            memory.add(object, self.objects.get(object).expect("an object with a size").initial.clone());
        }
        memory.load(&mut self.formulas, object, offset, len)
    }

    /// A word of so many bits and a number, which may be negative.
    pub(super) fn sum(&mut self, word: Word, width: u32, number: u64) -> Word {
        use crate::ir::instr::{IntOp, Promises};
        let sum = self.formulas.int(IntOp::Add, width, Promises::NONE, word, Word::number(number));
        sum.unwrap_or_else(|_| unreachable!("sums are followed")).word
    }
}
