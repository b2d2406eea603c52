//! Links the checker against LLVM 16, and compiles the support libraries (libc/ and libcxx/) to bitcode.
//!
//! `llvm-plugin` makes `llvm-sys` select `no-llvm-linking` for the whole workspace (a plugin finds LLVM's
//! symbols in `opt`), so the checker names the libraries itself. It takes the parts that it uses from the
//! archives: a program that loads the whole shared library spends 20 ms on its relocations in each run, half
//! the time of a small check. Where a system has no archives, the shared library is linked.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    link_llvm();
    compile_support_library();
}

/// The parts of LLVM that are used; the others that they need follow from them.
const COMPONENTS: [&str; 6] = ["core", "bitreader", "bitwriter", "irreader", "linker", "executionengine"];
/// The shared libraries that those parts need, by the names that do not ask for packages of headers.
const SYSTEM: [&str; 3] = ["libz.so.1", "libzstd.so.1", "libtinfo.so.6"];

fn link_llvm() {
    println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
    let config = std::env::var("LLVM_CONFIG").unwrap_or_else(|_| "llvm-config-16".to_owned());
    let directory = ask(&config, &["--libdir"]).unwrap_or_else(|| panic!("{config} --libdir failed"));
    println!("cargo:rustc-link-search=native={directory}");
    match ask(&config, &[&["--link-static", "--libs"][..], &COMPONENTS].concat()) {
        Some(archives) => {
            for name in archives.split_whitespace().filter_map(|option| option.strip_prefix("-l")) {
                println!("cargo:rustc-link-lib=static:-bundle={name}");
            }
            for name in SYSTEM {
                println!("cargo:rustc-link-lib=dylib:+verbatim={name}");
            }
            println!("cargo:rustc-link-lib=dylib=stdc++");
        }
        None => println!("cargo:rustc-link-lib=dylib=LLVM-16"),
    }
}

/// The output of llvm-config; none if it fails, as it does where archives are missing.
fn ask(config: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(config)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| panic!("cannot run {config} ({error}): install llvm-16-dev, or set LLVM_CONFIG"));
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
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
