//! The symbols of `rmc.abi.v1` that need the place in the program from which they are called.
//!
//! That place is the return address, which no function of Rust can see. So each symbol is two instructions
//! that put it into the register of the first parameter that the runtime does not need, and go on to the
//! function proper in `abi.rs`. The registers are those of the System V ABI for x86-64, section 3.2.3: `rdi`,
//! `rsi`, `rdx`, `rcx`, `r8`, `r9` in the order of the parameters, two for an integer of 16 bytes.
#![allow(unsafe_code)]

use super::abi;

/// Defines symbols: the name, the register of the place, the function.
macro_rules! entries {
    ($($name:ident $register:literal $function:path;)*) => {
        $(
            // The parameters and the result are those of the function.
            #[unsafe(no_mangle)]
            #[unsafe(naked)]
            extern "C" fn $name() {
                std::arch::naked_asm!(
                    concat!("mov ", $register, ", [rsp]"),
                    "jmp {function}",
                    function = sym $function,
                )
            }
        )*
    };
}

entries! {
    __rmc_load_1 "rsi" abi::load::<u8>;
    __rmc_load_2 "rsi" abi::load::<u16>;
    __rmc_load_4 "rsi" abi::load::<u32>;
    __rmc_load_8 "rsi" abi::load::<u64>;
    __rmc_load_16 "rsi" abi::load::<u128>;
    __rmc_store_1 "rcx" abi::store::<u8>;
    __rmc_store_2 "rcx" abi::store::<u16>;
    __rmc_store_4 "rcx" abi::store::<u32>;
    __rmc_store_8 "rcx" abi::store::<u64>;
    __rmc_store_16 "r8" abi::store::<u128>;
    __rmc_rmw_1 "rcx" abi::rmw::<u8>;
    __rmc_rmw_2 "rcx" abi::rmw::<u16>;
    __rmc_rmw_4 "rcx" abi::rmw::<u32>;
    __rmc_rmw_8 "rcx" abi::rmw::<u64>;
    __rmc_rmw_16 "r8" abi::rmw::<u128>;
    __rmc_cmpxchg_1 "rcx" abi::cmpxchg::<u8>;
    __rmc_cmpxchg_2 "rcx" abi::cmpxchg::<u16>;
    __rmc_cmpxchg_4 "rcx" abi::cmpxchg::<u32>;
    __rmc_cmpxchg_8 "rcx" abi::cmpxchg::<u64>;
    __rmc_cmpxchg_16 "r9" abi::cmpxchg::<u128>;
    __rmc_gather_1 "r8" abi::gather::<u8>;
    __rmc_gather_2 "r8" abi::gather::<u16>;
    __rmc_gather_4 "r8" abi::gather::<u32>;
    __rmc_gather_8 "r8" abi::gather::<u64>;
    __rmc_gather_16 "r8" abi::gather::<u128>;
    __rmc_scatter_1 "r8" abi::scatter::<u8>;
    __rmc_scatter_2 "r8" abi::scatter::<u16>;
    __rmc_scatter_4 "r8" abi::scatter::<u32>;
    __rmc_scatter_8 "r8" abi::scatter::<u64>;
    __rmc_scatter_16 "r8" abi::scatter::<u128>;
    __rmc_load_n "rcx" abi::load_n;
    __rmc_store_n "rcx" abi::store_n;
    __rmc_memcpy "r8" abi::memcpy;
    __rmc_memmove "r8" abi::memmove;
    __rmc_memset "rcx" abi::memset;
    __rmc_fence "rsi" abi::fence;
    __rmc_sync "rdi" abi::sync;
}
