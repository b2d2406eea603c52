//! The beginning of a panic, for compilers later than 1.63: `std::panicking::panic_with_hook` becomes this
//! function. Every panic comes here, before hooks run. It is a violation unless panics unwind and something
//! catches it.
//!
//! This is Rust, as the support library's C (`checker/libc/rust.c`) is for rustc 1.63, since the payload of a
//! panic is a trait object whose table only the compiler knows.

#![feature(std_internals)]
#![allow(internal_features)]
#![no_std]

extern crate alloc;

use alloc::vec::Vec;
use core::fmt::{self, Write};
use core::panic::{Location, PanicPayload};

extern "C" {
    /// True if something catches a panic of this thread.
    fn __rmc_rust_is_caught(can_unwind: bool) -> bool;
    /// Ends the execution: with a violation, if the panic is not expected.
    fn __rmc_rust_panicked(text: *const u8, length: usize) -> !;
}

extern "Rust" {
    /// std's own function.
    fn __rmc_rust_unwind(
        payload: &mut dyn PanicPayload,
        location: &Location<'_>,
        can_unwind: bool,
        force_no_backtrace: bool,
    ) -> !;
}

/// A message. Without memory, it ends early.
struct Text(Vec<u8>);

impl Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.try_reserve(text.len()).map_err(|_| fmt::Error)?;
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

#[no_mangle]
pub fn __rmc_rust_panic(
    payload: &mut dyn PanicPayload,
    location: &Location<'_>,
    can_unwind: bool,
    force_no_backtrace: bool,
) -> ! {
    unsafe {
        if __rmc_rust_is_caught(can_unwind) {
            __rmc_rust_unwind(payload, location, can_unwind, force_no_backtrace)
        }
        let mut text = Text(Vec::new());
        let _ = write!(text, "{payload}");
        __rmc_rust_panicked(text.0.as_ptr(), text.0.len())
    }
}
