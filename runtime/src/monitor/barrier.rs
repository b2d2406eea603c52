//! A fence of all processors on which threads of the process run: Linux's `membarrier` (manual page
//! membarrier(2)).
#![allow(unsafe_code)]

use std::ffi::{c_int, c_long, c_uint};
use std::sync::OnceLock;

/// The number of the system call, where it is known.
const NUMBER: Option<c_long> = if cfg!(all(target_os = "linux", target_arch = "x86_64")) { Some(324) } else { None };
/// `MEMBARRIER_CMD_PRIVATE_EXPEDITED`.
const FENCE: c_int = 8;
/// `MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED`.
const REGISTER: c_int = 16;

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
}

/// True if there are such fences.
pub fn is_there() -> bool {
    static IS_THERE: OnceLock<bool> = OnceLock::new();
    *IS_THERE.get_or_init(|| call(REGISTER) && call(FENCE))
}

/// Has all processors make a fence. [`is_there`] must be true.
///
/// # Panics
/// If the system refuses it.
pub fn on_all_processors() {
    // A process may have to say anew that it needs them.
    assert!(call(FENCE) || call(REGISTER) && call(FENCE), "membarrier is refused");
}

fn call(command: c_int) -> bool {
    let (flags, processor): (c_uint, c_int) = (0, 0);
    // SAFETY: the call takes numbers, and changes no memory.
    NUMBER.is_some_and(|number| unsafe { syscall(number, command, flags, processor) } == 0)
}
