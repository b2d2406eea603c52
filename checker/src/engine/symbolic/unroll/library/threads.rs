//! Threads: their creation, end and names. What is known of a thread is in its flags (`objects.rs`).
//!
//! Attributes change nothing here: that a thread is detached matters only to wrong uses of its name, which
//! are not looked for.

use super::waiting::WaitMode;
use super::{Call, Path, Stop, Unroller, Update, Word};
use crate::engine::symbolic::unroll::ThreadStart;
use crate::engine::symbolic::unroll::events::{Logged, Place, UnrolledThread};
use crate::engine::symbolic::unroll::objects::Flag;
use crate::ir::address::MAX_THREADS;
use crate::ir::instr::{Bounds, IntOp, Promises};

pub(super) fn create_posix(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    create(unroller, path, call, 2)
}

pub(super) fn create_c11(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    create(unroller, path, call, 1)
}

/// Creates a thread; the argument with index `routine` is the start routine, and the next one is its
/// argument.
fn create(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>, routine: usize) -> Result<Word, Stop> {
    let (place, start) = (unroller.argument(path, call, 0)?, unroller.argument(path, call, routine)?);
    let argument = unroller.word(path, call.site.args[routine + 1]);
    let function = unroller.function_at(path, start)?;
    let code = unroller.program.function(function);
    if code.params > 1 {
        return unroller.fail(path);
    }
    if code.code.is_empty() {
        return unroller.refuse(format!("a thread that runs the library function `{}`", code.name));
    }
    unroller.end_beginning(path)?;
    let thread = unroller.threads.len();
    if thread >= MAX_THREADS {
        unroller.cut(path);
        return Err(Stop::Dead);
    }
    unroller.threads.push(UnrolledThread::default());
    unroller.starts.push_back(ThreadStart { thread, function, argument });
    let new = vec![Word::number(1), Word::number(thread as u64 + 1)];
    let update = Update::unconditional(&mut unroller.formulas, new);
    let places = [(Flag::Created.of(thread), 1), (place, 8)];
    let (event, _) = unroller.unlogged_update(path, &places, |_, _| Ok(update))?;
    unroller.log_here(path, Logged::Creation { event, thread });
    Ok(Word::ZERO)
}

pub(super) fn join(
    unroller: &mut Unroller<'_>,
    path: &mut Path,
    call: Call<'_>,
    wait_mode: WaitMode,
) -> Result<Word, Stop> {
    unroller.end_beginning(path)?;
    let (handle, place) = (unroller.argument(path, call, 0)?, unroller.argument(path, call, 1)?);
    let own = unroller.is_number(handle, 64, unroller.owner());
    let is_other = unroller.formulas.not(own);
    unroller.demand(path, is_other, false)?;
    let failure = unroller.failure(path, call, wait_mode)?;
    let number = unroller.formulas.int(IntOp::Sub, 64, Promises::NONE, handle, Word::number(1));
    let number = number.unwrap_or_else(|_| unreachable!("differences are followed")).word;
    let [ended, result] = [Flag::Ended, Flag::Result]
        .map(|flag| unroller.formulas.offset(flag.of(0), number, 64, Flag::STRIDE, Bounds::None));
    let looks = !unroller.is_null(place)?;
    let mut places = vec![(ended, 1)];
    if looks {
        places.push((result, 8));
    }
    let old = unroller.update(path, &places, |unroller, old| {
        let has_ended = unroller.is_number(old[0], 8, 1);
        let enabled = wait_mode.enabled(unroller, has_ended);
        Ok(Update::waiting_read(&mut unroller.formulas, enabled, old.len()))
    })?;
    let has_ended = unroller.is_number(old[0], 8, 1);
    if looks {
        // The machine writes the result in the same step.
        unroller.glue_last_event();
        let len = if call.function.is_c11 { 4 } else { 8 };
        let update = Update::conditional(&mut unroller.formulas, has_ended, vec![old[1]]);
        unroller.unlogged_update(path, &[(place, len)], |_, _| Ok(update))?;
    }
    Ok(unroller.formulas.choose(has_ended, Word::ZERO, failure))
}

pub(super) fn exit(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let result = if call.site.args.is_empty() { Word::ZERO } else { unroller.argument(path, call, 0)? };
    let place = unroller.place();
    unroller.end_thread(path.clone(), result, place)?;
    Err(Stop::Dead)
}

pub(super) fn identity(unroller: &mut Unroller<'_>, _: &mut Path, _: Call<'_>) -> Result<Word, Stop> {
    Ok(Word::number(unroller.owner()))
}

pub(super) fn equal(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    let (one, other) = (unroller.argument(path, call, 0)?, unroller.argument(path, call, 1)?);
    Ok(unroller.formulas.compare(crate::ir::instr::IntCmp::Eq, 64, one, other))
}

impl Unroller<'_> {
    /// The beginning of a thread, which waits for its creation.
    pub(in super::super) fn begin_thread(&mut self, path: &Path, place: Place) -> Result<(), Stop> {
        let created = Flag::Created.of(self.thread);
        let mut path = path.clone();
        self.frames.push(place);
        let begun = self.unlogged_update(&mut path, &[(created, 1)], |unroller, old| {
            let enabled = unroller.is_number(old[0], 8, 1);
            Ok(Update::waiting_read(&mut unroller.formulas, enabled, 1))
        });
        self.frames.pop();
        begun.map(drop)
    }

    /// The end of a thread with a result, at an instruction. A function of the support library comes first if
    /// the program has thread-specific data.
    pub(in super::super) fn end_thread(&mut self, path: Path, result: Word, place: Place) -> Result<(), Stop> {
        let Some(epilogue) = self.program.thread_end else { return self.finish_thread(path, result, place) };
        let Some(returned) = self.call(epilogue, &[result], path)? else { return Err(Stop::Dead) };
        self.beginning.waiting -= usize::from(self.thread == 0);
        self.finish_thread(returned.path, returned.words[0], returned.place)
    }

    fn finish_thread(&mut self, mut path: Path, result: Word, place: Place) -> Result<(), Stop> {
        self.end_beginning(&path)?;
        let places = [(Flag::Ended.of(self.thread), 1), (Flag::Result.of(self.thread), 8)];
        let update = Update::unconditional(&mut self.formulas, vec![Word::number(1), result]);
        self.frames.push(place);
        let ended = self.unlogged_update(&mut path, &places, |_, _| Ok(update));
        self.frames.pop();
        let (event, _) = ended?;
        self.threads[self.thread].ends.push(event);
        self.log(&path, place, Logged::Event(event));
        Ok(())
    }

    /// Lets no other thread run between the thread's last event and the next one.
    pub(super) fn glue_last_event(&mut self) {
        if let Some(event) = self.threads[self.thread].events.last_mut() {
            event.is_glued = true;
        }
    }
}
