//! Memory of the running program, by address, and the end of the process.
//!
//! The addresses come from the instrumented program, which would have accessed the same bytes itself at this
//! point, or at the time of the store if a store was delayed: it upholds that they are mapped and writable as
//! needed, as in any C program without a wild pointer. Accesses are volatile: other threads may access the
//! bytes too, through the runtime (then under its lock) or from code that was not instrumented.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

unsafe extern "C" {
    fn _exit(code: i32) -> !;
    fn atexit(act: extern "C" fn()) -> i32;
    fn pthread_atfork(before: extern "C" fn(), in_parent: extern "C" fn(), in_child: extern "C" fn()) -> i32;
    fn fflush(stream: *mut c_void) -> i32;
    fn malloc_usable_size(block: *mut c_void) -> usize;
}

/// The `len` (1 to 16) bytes at `addr`, little endian. They are read in one access if `len` is a power of two
/// up to 8 and the address is aligned.
pub(super) fn read(addr: usize, len: u8) -> u128 {
    let is_aligned = addr.is_multiple_of(usize::from(len));
    // SAFETY: the program upholds that the bytes are readable (see the header); alignment was checked.
    unsafe {
        match len {
            2 if is_aligned => with_exposed_provenance::<u16>(addr).read_volatile().into(),
            4 if is_aligned => with_exposed_provenance::<u32>(addr).read_volatile().into(),
            8 if is_aligned => with_exposed_provenance::<u64>(addr).read_volatile().into(),
            _ => (0..usize::from(len))
                .rev()
                .fold(0, |value, i| value << 8 | u128::from(with_exposed_provenance::<u8>(addr + i).read_volatile())),
        }
    }
}

/// Writes the lowest `len` bytes of `value` to `addr`; the inverse of [`read`].
pub(super) fn write(addr: usize, len: u8, value: u128) {
    let is_aligned = addr.is_multiple_of(usize::from(len));
    // SAFETY: the program upholds that the bytes are writable (see the header); alignment was checked.
    unsafe {
        match len {
            2 if is_aligned => with_exposed_provenance_mut::<u16>(addr).write_volatile(value as u16),
            4 if is_aligned => with_exposed_provenance_mut::<u32>(addr).write_volatile(value as u32),
            8 if is_aligned => with_exposed_provenance_mut::<u64>(addr).write_volatile(value as u64),
            _ => {
                for (i, byte) in value.to_le_bytes().into_iter().take(usize::from(len)).enumerate() {
                    with_exposed_provenance_mut::<u8>(addr + i).write_volatile(byte);
                }
            }
        }
    }
}

/// Executes a read-modify-write: `update` gives the new value from the old one, if any is to be stored.
/// Returns the old value, and whether one was stored. It is atomic in the processor if `len` is a power of
/// two up to 8 and the address is aligned.
pub(super) fn update(addr: usize, len: u8, update: impl Fn(u128) -> Option<u128>) -> (u128, bool) {
    if len > 8 || !len.is_power_of_two() || !addr.is_multiple_of(usize::from(len)) {
        let old = read(addr, len);
        let new = update(old);
        if let Some(new) = new {
            write(addr, len, new);
        }
        return (old, new.is_some());
    }
    macro_rules! exchange {
        ($atomic:ty, $value:ty) => {{
            // SAFETY: the program upholds that the bytes are readable and writable (see the header);
            // alignment was checked; what accesses them meanwhile is atomic, or would race in the program,
            // too.
            let place = unsafe { <$atomic>::from_ptr(with_exposed_provenance_mut(addr)) };
            let new = |old: $value| update(old.into()).map(|new| new as $value);
            match place.fetch_update(Ordering::SeqCst, Ordering::SeqCst, new) {
                Ok(old) => (old.into(), true),
                Err(old) => (old.into(), false),
            }
        }};
    }
    match len {
        1 => exchange!(AtomicU8, u8),
        2 => exchange!(AtomicU16, u16),
        4 => exchange!(AtomicU32, u32),
        _ => exchange!(AtomicU64, u64),
    }
}

/// Ends the process with a message, without running destructors, which might call the runtime again.
pub(super) fn die(message: &str) -> ! {
    eprintln!("rmc runtime: {message}");
    // SAFETY: `_exit` may be called at any time.
    unsafe { _exit(2) }
}

/// Has a function called when the process ends by `exit` or the return of `main`.
pub(super) fn at_exit(act: extern "C" fn()) {
    // SAFETY: `atexit` may be called at any time, and the function lives as long as the process.
    if unsafe { atexit(act) } != 0 {
        die("the C library has no room for one more function of atexit");
    }
}

/// Has functions called around each `fork`, by the thread that calls it.
pub(super) fn at_fork(before: extern "C" fn(), in_parent: extern "C" fn(), in_child: extern "C" fn()) {
    // SAFETY: `pthread_atfork` may be called at any time, and the functions live as long as the process.
    if unsafe { pthread_atfork(before, in_parent, in_child) } != 0 {
        die("the C library has no room for one more function of pthread_atfork");
    }
}

/// Ends the process with an exit code. To be called at its end, when nothing but the output of the C library
/// is left to be done.
pub(super) fn exit_now(code: i32) -> ! {
    // SAFETY: both may be called at any time; a null stream stands for all.
    unsafe {
        fflush(std::ptr::null_mut());
        _exit(code)
    }
}

/// The size of a block of the C library's allocator, 0 for null.
pub(super) fn block_size(block: *mut c_void) -> usize {
    // SAFETY: the program is about to free this block.
    unsafe { malloc_usable_size(block) }
}
