//! Links the checker against the shared library of LLVM 16.
//!
//! `llvm-plugin` makes `llvm-sys` select `no-llvm-linking` for the whole workspace (a plugin finds LLVM's symbols in
//! `opt`), so the checker names the library itself.

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_CONFIG");
    println!("cargo:rerun-if-changed=build.rs");
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
