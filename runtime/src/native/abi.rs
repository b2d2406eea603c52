//! The functions that an instrumented program calls.
//!
//! Each is safe to call with the arguments that the pass generates: pointers that the program itself would
//! have accessed (see `raw.rs`), and the numbers of `rmc.abi.v1`. Values of one and two bytes are passed as
//! 32 bits, because the pass makes no promise about the upper bits. `site` is the address after the call in
//! the program (`entry.rs`); it has the place of a parameter that is not needed, or of one more.
#![allow(unsafe_code)]

use std::ffi::c_void;

use super::arithmetic;
use super::call::{self, Site};
use super::raw::{self, die};
use crate::MemoryOrder;
use rmc_abi::RmwOp;

/// A value of an access width.
pub(super) trait Value {
    /// The width in bytes.
    const LEN: u8;
    /// The type as which the value is passed.
    type Passed;
    /// The value of a parameter.
    fn of(passed: Self::Passed) -> u128;
    /// The value as a result.
    fn result(value: u128) -> Self;
}

macro_rules! value {
    ($($value:ty, $passed:ty;)*) => {
        $(
            impl Value for $value {
                const LEN: u8 = size_of::<$value>() as u8;
                type Passed = $passed;
                fn of(passed: $passed) -> u128 {
                    u128::from(passed as $value)
                }
                fn result(value: u128) -> $value {
                    value as $value
                }
            }
        )*
    };
}

value! { u8, u32; u16, u32; u32, u32; u64, u64; u128, u128; }

fn order(code: u32) -> MemoryOrder {
    MemoryOrder::from_code(code.into()).unwrap_or_else(|| die(&format!("memory order {code} is not in rmc.abi.v1")))
}

pub(super) extern "C" fn load<V: Value>(p: usize, site: Site) -> V {
    V::result(call::load(p, V::LEN, site))
}

pub(super) extern "C" fn store<V: Value>(p: usize, v: V::Passed, code: u32, site: Site) {
    call::store(p, V::LEN, V::of(v), order(code), site);
}

pub(super) extern "C" fn rmw<V: Value>(p: usize, operand: V::Passed, op: u32, site: Site) -> V {
    let (len, operand) = (V::LEN, V::of(operand));
    let update = |old| {
        let new = RmwOp::from_code(op.into()).and_then(|op| arithmetic::apply(op, len, old, operand));
        Some(new.unwrap_or_else(|| die(&format!("atomicrmw operation {op} on {len} bytes is not supported"))))
    };
    V::result(call::rmw(p, len, update, site))
}

pub(super) extern "C" fn cmpxchg<V: Value>(p: usize, expected: V::Passed, new: V::Passed, site: Site) -> V {
    let (expected, new) = (V::of(expected), V::of(new));
    V::result(call::rmw(p, V::LEN, |old| (old == expected).then_some(new), site))
}

pub(super) extern "C" fn gather<V: Value>(addresses: usize, slot: usize, mask: u64, lanes: u64, site: Site) {
    for (address, place) in active_lanes(addresses, slot, mask, lanes, usize::from(V::LEN)) {
        memcpy(place, address, V::LEN.into(), 1, site);
    }
}

pub(super) extern "C" fn scatter<V: Value>(addresses: usize, slot: usize, mask: u64, lanes: u64, site: Site) {
    for (address, place) in active_lanes(addresses, slot, mask, lanes, usize::from(V::LEN)) {
        memcpy(address, place, V::LEN.into(), 2, site);
    }
}

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

fn copy_piece(d: usize, s: usize, len: u8, local: u32, site: Site) {
    let value = if local & 2 != 0 { raw::read(s, len) } else { call::load(s, len, site) };
    if local & 1 != 0 {
        raw::write(d, len, value);
    } else {
        call::store(d, len, value, MemoryOrder::Plain, site);
    }
}

pub(super) extern "C" fn load_n(p: usize, slot: usize, n: u64, site: Site) {
    memcpy(slot, p, n, 1, site);
}

pub(super) extern "C" fn store_n(p: usize, slot: usize, n: u64, site: Site) {
    memcpy(p, slot, n, 2, site);
}

pub(super) extern "C" fn memcpy(d: usize, s: usize, n: u64, local: u32, site: Site) {
    for (offset, len) in pieces(n as usize) {
        copy_piece(d + offset, s + offset, len, local, site);
    }
}

pub(super) extern "C" fn memmove(d: usize, s: usize, n: u64, local: u32, site: Site) {
    if d <= s {
        return memcpy(d, s, n, local, site);
    }
    for (offset, len) in pieces(n as usize).rev() {
        copy_piece(d + offset, s + offset, len, local, site);
    }
}

pub(super) extern "C" fn memset(d: usize, v: u32, n: u64, site: Site) {
    let value = u128::from_le_bytes([v as u8; 16]);
    for (offset, len) in pieces(n as usize) {
        call::store(d + offset, len, value >> (128 - 8 * u32::from(len)), MemoryOrder::Plain, site);
    }
}

pub(super) extern "C" fn fence(code: u32, site: Site) {
    call::fence(order(code), site);
}

pub(super) extern "C" fn sync(site: Site) {
    call::sync(site);
}

/// `n` is -1 if the size is unknown.
#[unsafe(no_mangle)]
extern "C" fn __rmc_lifetime_end(p: usize, n: i64) {
    call::lifetime_end(p, usize::try_from(n).ok());
}

mod libc {
    use super::c_void;

    unsafe extern "C" {
        pub fn free(p: *mut c_void);
        pub fn realloc(p: *mut c_void, n: usize) -> *mut c_void;
    }
}

/// Frees a block. All stores of the thread reach memory before it dies.
#[unsafe(no_mangle)]
extern "C" fn __rmc_free(p: *mut c_void) {
    call::sync(0);
    call::freed(p.expose_provenance(), raw::block_size(p));
    // SAFETY: the program called `free` with this pointer.
    unsafe { libc::free(p) }
    call::sync(0);
}

#[unsafe(no_mangle)]
extern "C" fn __rmc_realloc(p: *mut c_void, n: u64) -> *mut c_void {
    call::sync(0);
    let (addr, len) = (p.expose_provenance(), raw::block_size(p));
    // SAFETY: the program called `realloc` with these arguments.
    let block = unsafe { libc::realloc(p, n as usize) };
    if block.addr() != addr && !block.is_null() {
        call::freed(addr, len);
    }
    call::sync(0);
    block
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
