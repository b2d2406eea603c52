//! Reader-writer locks, in which readers go first. Bytes 0 to 3 have a bit for each thread that reads, bytes
//! 4 to 7 the thread that writes, plus one, and a byte for each thread behind them says how often it reads.

use rmc_formula::TermId;

use super::waiting::WaitMode;
use super::{Call, Path, Stop, Unroller, Update, Word};
use crate::ir::instr::{IntOp, Promises};
use crate::system::library::rwlock;

/// The number of threads that may use reader-writer locks: the bits of bytes 0 to 3.
const MOST_THREADS: usize = 32;
const WRITER_AT: u32 = 4;
const COUNTS_AT: u32 = 8;

/// The parts of a lock that an event reads.
#[derive(Clone, Copy)]
struct Lock {
    readers: Word,
    writer: Word,
    /// The times that the thread itself has the lock for reading.
    count: Word,
}

impl Lock {
    const fn of(words: &[Word]) -> Self {
        Self { readers: words[0], writer: words[1], count: words[2] }
    }

    const fn words(self) -> [Word; 3] {
        [self.readers, self.writer, self.count]
    }
}

pub(super) fn init(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let object = unroller.argument(path, call, 0)?;
    let places = unroller.rwlock_places(path, object)?;
    // One step of the machine: nobody runs between these events.
    for at in (COUNTS_AT..COUNTS_AT + MOST_THREADS as u32).step_by(8) {
        let counts = unroller.behind(object, at);
        if unroller.beginning.is_going_on {
            unroller.store_directly(path, counts, 8, Word::ZERO)?;
        } else {
            let update = Update::unconditional(&mut unroller.formulas, vec![Word::ZERO]);
            unroller.unlogged_update(path, &[(counts, 8)], |_, _| Ok(update))?;
            unroller.glue_last_event();
        }
    }
    unroller.set_words(path, &places, vec![Word::ZERO; places.len()])
}

pub(super) fn read_lock(
    unroller: &mut Unroller<'_>,
    path: &mut Path,
    call: Call<'_>,
    wait_mode: WaitMode,
) -> Result<Word, Stop> {
    acquire(unroller, path, call, wait_mode, |unroller, lock| {
        let is_free = unroller.is_number(lock.writer, 32, 0);
        let own = unroller.is_number(lock.writer, 32, unroller.owner());
        let readers = unroller.with_own_bit(lock.readers, IntOp::Or);
        let is_most = unroller.is_number(lock.count, 8, rwlock::MOST_READ_LOCKS);
        let more = unroller.sum(lock.count, 8, 1);
        // The machine refuses more read locks of one thread.
        let count = unroller.formulas.choose(is_most, lock.count, more);
        (is_free, own, Lock { readers, count, ..lock })
    })
}

pub(super) fn write_lock(
    unroller: &mut Unroller<'_>,
    path: &mut Path,
    call: Call<'_>,
    wait_mode: WaitMode,
) -> Result<Word, Stop> {
    acquire(unroller, path, call, wait_mode, |unroller, lock| {
        let is_unwritten = unroller.is_number(lock.writer, 32, 0);
        let is_unread = unroller.is_number(lock.readers, 32, 0);
        let is_free = unroller.formulas.and(is_unwritten, is_unread);
        let own = unroller.is_held(lock);
        (is_free, own, Lock { writer: Word::number(unroller.owner()), ..lock })
    })
}

/// Takes a lock. `try_take` says whether it is free, whether the thread itself has it, and what it is then.
fn acquire(
    unroller: &mut Unroller<'_>,
    path: &mut Path,
    call: Call<'_>,
    wait_mode: WaitMode,
    try_take: impl Fn(&mut Unroller<'_>, Lock) -> (TermId, TermId, Lock),
) -> Result<Word, Stop> {
    let object = unroller.argument(path, call, 0)?;
    let places = unroller.rwlock_places(path, object)?;
    let failure = unroller.failure(path, call, wait_mode)?;
    let old = unroller.update(path, &places, |unroller, old| {
        let (is_free, own, taken) = try_take(unroller, Lock::of(old));
        // A thread that holds the lock itself does not wait, which is a violation.
        let goes_on = unroller.formulas.terms.or(is_free, own);
        let enabled = wait_mode.enabled(unroller, goes_on);
        Ok(Update::waiting(&mut unroller.formulas, enabled, is_free, taken.words().to_vec()))
    })?;
    let (is_free, ..) = try_take(unroller, Lock::of(&old));
    if wait_mode == WaitMode::Waits {
        unroller.demand(path, is_free, false)?;
    }
    Ok(unroller.formulas.choose(is_free, Word::ZERO, failure))
}

pub(super) fn unlock(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let object = unroller.argument(path, call, 0)?;
    let places = unroller.rwlock_places(path, object)?;
    let old = unroller.update(path, &places, |unroller, old| {
        let lock = Lock::of(old);
        let is_held = unroller.is_held(lock);
        let is_unread = unroller.is_number(lock.count, 8, 0);
        let is_last = unroller.is_number(lock.count, 8, 1);
        let fewer = unroller.sum(lock.count, 8, u64::MAX);
        let count = unroller.formulas.choose(is_unread, lock.count, fewer);
        let without = unroller.with_own_bit(lock.readers, IntOp::And);
        let readers = unroller.formulas.choose(is_last, without, lock.readers);
        let released = Lock { readers, writer: Word::ZERO, count };
        Ok(Update::conditional(&mut unroller.formulas, is_held, released.words().to_vec()))
    })?;
    let is_held = unroller.is_held(Lock::of(&old));
    unroller.demand(path, is_held, false)?;
    Ok(Word::ZERO)
}

impl Unroller<'_> {
    /// The places that each event on a lock accesses.
    fn rwlock_places(&mut self, path: &Path, object: Word) -> Result<[(Word, u32); 3], Stop> {
        self.refuse_writers_first(path, object)?;
        if self.thread >= MOST_THREADS {
            return self.refuse(format!("reader-writer locks with more than {MOST_THREADS} threads"));
        }
        let own = COUNTS_AT + u32::try_from(self.thread).expect("few threads");
        Ok([(object, 4), (self.behind(object, WRITER_AT), 4), (self.behind(object, own), 1)])
    }

    /// Refuses locks that prefer writers, as static initialisers make them.
    fn refuse_writers_first(&mut self, path: &Path, lock: Word) -> Result<(), Stop> {
        let places = self.formulas.points(lock).resolved(self.objects.published());
        for (object, offsets) in places.objects() {
            let Some(size) = self.objects.find(self.program, object).map(|object| object.size) else { continue };
            for offset in offsets.within(size, rwlock::KIND_AT + rwlock::KIND_BYTES) {
                let kind = self.early_word(path, object, offset + rwlock::KIND_AT, rwlock::KIND_BYTES);
                if kind == Word::number(rwlock::WRITERS_FIRST) {
                    return self.refuse("a reader-writer lock that prefers writers");
                }
            }
        }
        Ok(())
    }

    /// A bit: the thread has a lock.
    fn is_held(&mut self, lock: Lock) -> TermId {
        let writes = self.is_number(lock.writer, 32, self.owner());
        let is_unread = self.is_number(lock.count, 8, 0);
        let reads = self.formulas.not(is_unread);
        self.formulas.terms.or(writes, reads)
    }

    /// The threads that read, with or without the thread itself.
    fn with_own_bit(&mut self, readers: Word, op: IntOp) -> Word {
        let bit = 1_u64 << self.thread;
        let operand = if op == IntOp::Or { bit } else { !bit & u64::from(u32::MAX) };
        let computed = self.formulas.int(op, 32, Promises::NONE, readers, Word::number(operand));
        computed.unwrap_or_else(|_| unreachable!("bits are followed")).word
    }
}
