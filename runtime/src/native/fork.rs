//! `fork`: the new process has one thread, and a copy of the runtime as it is at that moment. So no other
//! thread may be in a call then, with a lock that nobody would give back in the new process.

use std::cell::RefCell;

use super::call::Pause;
use super::raw;

thread_local! {
    static PAUSE: RefCell<Option<Pause>> = const { RefCell::new(None) };
}

/// Has all threads pause around each `fork`.
pub(super) fn prepare_for_forks() {
    raw::at_fork(begin, end, end_alone);
}

// A thread whose thread-local variables are gone forks as it is; so does a signal handler that interrupted a
// call.

extern "C" fn begin() {
    let _ = PAUSE.try_with(|pause| *pause.borrow_mut() = Pause::begin());
}

fn take() -> Option<Pause> {
    PAUSE.try_with(RefCell::take).ok().flatten()
}

extern "C" fn end() {
    take().into_iter().for_each(Pause::end);
}

extern "C" fn end_alone() {
    take().into_iter().for_each(Pause::end_alone);
}
