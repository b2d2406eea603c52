//! Links the checker against the shared library of LLVM 16, and compiles the support libraries (libc/ and
//! libcxx/) to bitcode.
//!
//! `llvm-plugin` makes `llvm-sys` select `no-llvm-linking` for the whole workspace (a plugin finds LLVM's
//! symbols in `opt`), so the checker names the library itself.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    link_llvm();
    compile_support_library();
}

fn link_llvm() {
    println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
    let config = std::env::var("LLVM_CONFIG").unwrap_or_else(|_| "llvm-config-16".to_owned());
    let output = Command::new(&config)
        .arg("--libdir")
        .output()
        .unwrap_or_else(|error| panic!("cannot run {config} ({error}): install llvm-16-dev, or set LLVM_CONFIG"));
    assert!(output.status.success(), "{config} --libdir failed");
    let libdir = String::from_utf8_lossy(&output.stdout);
    println!("cargo:rustc-link-search=native={}", libdir.trim());
    println!("cargo:rustc-link-lib=dylib=LLVM-16");
}

/// Optimised, since nobody steps through it; with 16-byte atomics, which are calls of this library otherwise;
/// without builtins, or clang would turn the loop of `strlen` into a call of `strlen`; with exceptions, which
/// may pass functions in C that call back.
fn compile_support_library() {
    let flags = [
        "-std=gnu17",
        "-O1",
        "-mcx16",
        "-fno-builtin",
        "-fexceptions",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-emit-llvm",
        "-c",
    ];
    compile(&flags, "libc/all.c", "libc.bc");
    println!("cargo:rerun-if-changed=libc");
    let flags =
        ["--driver-mode=g++", "-std=gnu++20", "-O1", "-fno-builtin", "-Wall", "-Wextra", "-Werror", "-emit-llvm", "-c"];
    compile(&flags, "libcxx/all.cc", "libcxx.bc");
    println!("cargo:rerun-if-changed=libcxx");
}

fn compile(flags: &[&str], source: &str, bitcode: &str) {
    println!("cargo:rerun-if-env-changed=RMC_CLANG");
    let clang = std::env::var("RMC_CLANG").unwrap_or_else(|_| "clang-16".to_owned());
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR")).join(bitcode);
    let status = Command::new(&clang)
        .args(flags)
        .args([source, "-o"])
        .arg(out)
        .status()
        .unwrap_or_else(|error| panic!("cannot run {clang} ({error}): install clang-16, or set RMC_CLANG"));
    assert!(status.success(), "{clang} cannot compile {source}: install libstdc++-12-dev if headers are missing");
}
