//! Returns the memory of LLVM's code to the system when LLVM is not needed any more.
//!
//! Reading and linking bitcode touches a third of LLVM's code, 38 MiB, which would count as the process's
//! memory for as long as it explores: as much as six million states take. These pages are unchanged copies of
//! the file, so they are given back: if LLVM is needed again, the system reads them again.
//!
//! This is about LLVM's shared library. Where archives are linked (`build.rs`), LLVM's code is a few
//! megabytes of the checker's own.

#![allow(unsafe_code)]

use std::ffi::c_void;

use rustix::mm::{Advice, madvise};

/// A part of the process's memory.
struct Mapping {
    from: usize,
    bytes: usize,
}

/// Gives back the memory of LLVM's code, if the system tells where it is.
pub fn give_back_llvm() {
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return };
    for Mapping { from, bytes } in maps.lines().filter_map(llvm_code) {
        // SAFETY: the mapping is not writable, so the system reads the same content again.
        let _ = unsafe { madvise(std::ptr::without_provenance_mut::<c_void>(from), bytes, Advice::LinuxDontNeed) };
    }
}

/// The mapping of LLVM's code, if a line of the list of mappings (proc(5)) is about it.
fn llvm_code(line: &str) -> Option<Mapping> {
    let mut fields = line.split_ascii_whitespace();
    let (range, access) = (fields.next()?, fields.next()?);
    let file = fields.nth(3)?.rsplit('/').next()?;
    let (from, to) = range.split_once('-')?;
    let (from, to) = (usize::from_str_radix(from, 16).ok()?, usize::from_str_radix(to, 16).ok()?);
    (access == "r-xp" && file.starts_with("libLLVM")).then_some(Mapping { from, bytes: to - from })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_code_of_llvm_is_meant() {
        let code = |access, file| {
            llvm_code(&format!("7f0000001000-7f0000003000 {access} 00001000 08:01 42                 {file}"))
        };
        let found = code("r-xp", "/usr/lib/libLLVM-16.so.1").expect("it is LLVM's code");
        assert_eq!((found.from, found.bytes), (0x7f00_0000_1000, 0x2000));
        assert!(code("rw-p", "/usr/lib/libLLVM-16.so.1").is_none());
        assert!(code("r-xp", "/usr/lib/libc.so.6").is_none());
        assert!(code("r-xp", "").is_none());
    }
}
