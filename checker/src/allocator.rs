//! mimalloc with one difference: where it has no memory left, the run ends as `unknown`
//! ([`rmc_checker::cli::out_of_memory`]) instead of being aborted.
//!
//! The stateless engines allocate and free small things all the time, for which the system's allocator takes
//! longer, with several threads above all.
//!
//! A library would report an allocation that fails to its caller. A search without memory can only end,
//! wherever the allocation fails.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout};

use mimalloc::MiMalloc;
use rmc_checker::cli::out_of_memory;

struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// The memory that mimalloc returned; without any, the run is reported as out of memory.
#[inline]
fn given(memory: *mut u8) -> *mut u8 {
    if memory.is_null() { out_of_memory() } else { memory }
}

// SAFETY: every request is passed to mimalloc unchanged, and so is its result; a request that
// fails never returns.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those of mimalloc.
        given(unsafe { MiMalloc.alloc(layout) })
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above; the memory is mimalloc's.
        unsafe { MiMalloc.dealloc(memory, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        given(unsafe { MiMalloc.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; the memory is mimalloc's.
        given(unsafe { MiMalloc.realloc(memory, layout, size) })
    }
}
