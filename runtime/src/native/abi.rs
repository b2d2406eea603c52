//! The functions that an instrumented program calls.
//!
//! Each is safe to call with the arguments that the pass generates: pointers that the program itself would
//! have accessed (see `raw.rs`), and the numbers of `rmc.abi.v1`. Values of one and two bytes are passed as
//! 32 bits, because the pass makes no promise about the upper bits.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::arithmetic;
use super::config::Config;
use super::machine::{NativeMachine, Thread};
use super::raw::{self, die};
use crate::MemoryOrder;
use rmc_abi::RmwOp;

static MACHINE: LazyLock<Mutex<NativeMachine>> = LazyLock::new(|| {
    let Config { model, seed } = Config::from_env();
    Mutex::new(NativeMachine::new(model, seed))
});

/// The calling thread's buffer, for as long as the thread has thread-local variables.
struct Registration(usize);

impl Drop for Registration {
    fn drop(&mut self) {
        with_machine(|machine| machine.unregister(self.0));
    }
}

thread_local! {
    static OWN: Registration = Registration(with_machine(NativeMachine::register));
}

fn with_machine<R>(act: impl FnOnce(&mut NativeMachine) -> R) -> R {
    act(&mut MACHINE.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Executes one call of the program: some random stores leave, then `act` runs, then the thread may yield.
fn call<R>(act: impl FnOnce(&mut NativeMachine, Thread) -> R) -> R {
    let thread = OWN.try_with(|own| own.0).ok();
    let (result, yields) = with_machine(|machine| {
        machine.some_stores_leave(thread);
        (act(machine, thread), machine.wants_to_yield())
    });
    if yields {
        std::thread::yield_now();
    }
    result
}

fn order(code: u32) -> MemoryOrder {
    MemoryOrder::from_code(code.into()).unwrap_or_else(|| die(&format!("memory order {code} is not in rmc.abi.v1")))
}

fn rmw(addr: usize, len: u8, operand: u128, op: u32) -> u128 {
    let update = |old| {
        let new = RmwOp::from_code(op.into()).and_then(|op| arithmetic::apply(op, len, old, operand));
        Some(new.unwrap_or_else(|| die(&format!("atomicrmw operation {op} on {len} bytes is not supported"))))
    };
    call(|machine, thread| machine.rmw(thread, addr, len, update))
}

/// Defines the functions of one access width: bytes, the type of the value, and the type as which it is
/// passed.
macro_rules! width {
    (
        $len:literal, $value:ty, $passed:ty,
        $load:ident, $store:ident, $rmw:ident, $cmpxchg:ident, $gather:ident, $scatter:ident
    ) => {
        #[unsafe(no_mangle)]
        extern "C" fn $load(p: usize, _order: u32) -> $value {
            call(|machine, thread| machine.load(thread, p, $len)) as $value
        }

        #[unsafe(no_mangle)]
        extern "C" fn $store(p: usize, v: $passed, code: u32) {
            let (value, order) = (u128::from(v as $value), order(code));
            call(|machine, thread| machine.store(thread, p, $len, value, order));
        }

        #[unsafe(no_mangle)]
        extern "C" fn $rmw(p: usize, operand: $passed, op: u32, _order: u32) -> $value {
            rmw(p, $len, u128::from(operand as $value), op) as $value
        }

        #[unsafe(no_mangle)]
        extern "C" fn $cmpxchg(p: usize, expected: $passed, new: $passed, _success: u32, _failure: u32) -> $value {
            let (expected, new) = (u128::from(expected as $value), u128::from(new as $value));
            let update = |old| (old == expected).then_some(new);
            call(|machine, thread| machine.rmw(thread, p, $len, update)) as $value
        }

        #[unsafe(no_mangle)]
        extern "C" fn $gather(addresses: usize, slot: usize, mask: u64, lanes: u64) {
            for (address, place) in active_lanes(addresses, slot, mask, lanes, $len) {
                __rmc_memcpy(place, address, $len, 1);
            }
        }

        #[unsafe(no_mangle)]
        extern "C" fn $scatter(addresses: usize, slot: usize, mask: u64, lanes: u64) {
            for (address, place) in active_lanes(addresses, slot, mask, lanes, $len) {
                __rmc_memcpy(address, place, $len, 2);
            }
        }
    };
}

width!(1, u8, u32, __rmc_load_1, __rmc_store_1, __rmc_rmw_1, __rmc_cmpxchg_1, __rmc_gather_1, __rmc_scatter_1);
width!(2, u16, u32, __rmc_load_2, __rmc_store_2, __rmc_rmw_2, __rmc_cmpxchg_2, __rmc_gather_2, __rmc_scatter_2);
width!(4, u32, u32, __rmc_load_4, __rmc_store_4, __rmc_rmw_4, __rmc_cmpxchg_4, __rmc_gather_4, __rmc_scatter_4);
width!(8, u64, u64, __rmc_load_8, __rmc_store_8, __rmc_rmw_8, __rmc_cmpxchg_8, __rmc_gather_8, __rmc_scatter_8);
width!(
    16,
    u128,
    u128,
    __rmc_load_16,
    __rmc_store_16,
    __rmc_rmw_16,
    __rmc_cmpxchg_16,
    __rmc_gather_16,
    __rmc_scatter_16
);

/// `n` bytes in pieces of 8, then 4, 2 and 1: (offset, length) of each.
fn pieces(n: usize) -> impl DoubleEndedIterator<Item = (usize, u8)> {
    let words = n / 8;
    let tail = [4u8, 2, 1].into_iter().filter_map(move |len| {
        let above = !(2 * usize::from(len) - 1);
        ((n % 8) & usize::from(len) != 0).then_some((8 * words + ((n % 8) & above), len))
    });
    (0..words).map(|i| (8 * i, 8)).chain(tail)
}

/// The lanes whose bit of the mask is set: the address in the table, and the place in the slot.
fn active_lanes(
    addresses: usize,
    slot: usize,
    mask: u64,
    lanes: u64,
    len: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let active = (0..lanes as usize).filter(move |lane| mask >> lane & 1 == 1);
    active.map(move |lane| (raw::read(addresses + 8 * lane, 8) as usize, slot + len * lane))
}

fn copy_piece(d: usize, s: usize, len: u8, local: u32) {
    let value = if local & 2 != 0 { raw::read(s, len) } else { call(|m, thread| m.load(thread, s, len)) };
    if local & 1 != 0 {
        raw::write(d, len, value);
    } else {
        call(|m, thread| m.store(thread, d, len, value, MemoryOrder::Plain));
    }
}

#[unsafe(no_mangle)]
extern "C" fn __rmc_load_n(p: usize, slot: usize, n: u64) {
    __rmc_memcpy(slot, p, n, 1);
}

#[unsafe(no_mangle)]
extern "C" fn __rmc_store_n(p: usize, slot: usize, n: u64) {
    __rmc_memcpy(p, slot, n, 2);
}

#[unsafe(no_mangle)]
extern "C" fn __rmc_memcpy(d: usize, s: usize, n: u64, local: u32) {
    for (offset, len) in pieces(n as usize) {
        copy_piece(d + offset, s + offset, len, local);
    }
}

#[unsafe(no_mangle)]
extern "C" fn __rmc_memmove(d: usize, s: usize, n: u64, local: u32) {
    if d <= s {
        return __rmc_memcpy(d, s, n, local);
    }
    for (offset, len) in pieces(n as usize).rev() {
        copy_piece(d + offset, s + offset, len, local);
    }
}

#[unsafe(no_mangle)]
extern "C" fn __rmc_memset(d: usize, v: u32, n: u64) {
    let value = u128::from_le_bytes([v as u8; 16]);
    for (offset, len) in pieces(n as usize) {
        let value = value >> (128 - 8 * u32::from(len));
        call(|machine, thread| machine.store(thread, d + offset, len, value, MemoryOrder::Plain));
    }
}

#[unsafe(no_mangle)]
extern "C" fn __rmc_fence(code: u32) {
    let order = order(code);
    call(|machine, thread| machine.fence(thread, order));
}

#[unsafe(no_mangle)]
extern "C" fn __rmc_sync() {
    call(NativeMachine::drain);
}

/// `n` is -1 if the size is unknown.
#[unsafe(no_mangle)]
extern "C" fn __rmc_lifetime_end(p: usize, n: i64) {
    call(|machine, thread| match usize::try_from(n) {
        Ok(n) => machine.forget(thread, p, n),
        Err(_) => machine.drain(thread),
    });
}

mod libc {
    use super::c_void;

    unsafe extern "C" {
        pub fn free(p: *mut c_void);
        pub fn realloc(p: *mut c_void, n: usize) -> *mut c_void;
    }
}

/// Frees a block. Its size is not known here, so all stores of the thread reach memory before it dies.
#[unsafe(no_mangle)]
extern "C" fn __rmc_free(p: *mut c_void) {
    __rmc_sync();
    // SAFETY: the program called `free` with this pointer.
    unsafe { libc::free(p) }
}

#[unsafe(no_mangle)]
extern "C" fn __rmc_realloc(p: *mut c_void, n: u64) -> *mut c_void {
    __rmc_sync();
    // SAFETY: the program called `realloc` with these arguments.
    unsafe { libc::realloc(p, n as usize) }
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn pieces_cover_every_byte_once() {
        for n in 0..40 {
            let mut next = 0;
            for (offset, len) in pieces(n) {
                assert_eq!(offset, next);
                next += usize::from(len);
            }
            assert_eq!(next, n);
        }
        let reversed: Vec<_> = pieces(15).rev().collect();
        assert_eq!(reversed, [(14, 1), (12, 2), (8, 4), (0, 8)]);
    }
}
