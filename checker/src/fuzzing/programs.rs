//! A small program, `program.c`, that calls the ABI as instrumented code does. It is compiled on first use.

use std::process::{Command, Stdio};
use std::sync::OnceLock;

use crate::cli::usual_config;
use crate::ir::Program;
use crate::ir::load::{self, Input};
use crate::system::{Config, library};

/// The program as LLVM assembly.
pub(super) fn assembly() -> Vec<u8> {
    compiled(&["-S"])
}

/// The program.
pub(super) fn program() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let input = Input { file: "program.c".to_owned(), bytes: compiled(&["-c"]) };
        load::load(&[input], &library::finder(&config()), &[], load::MAIN).expect("a program")
    })
}

/// The default options of a run.
pub(super) fn config() -> Config {
    usual_config("program.c".as_ref())
}

fn compiled(how: &[&str]) -> Vec<u8> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/fuzzing/program.c");
    let arguments = ["-O1", "-Wall", "-Werror", "-emit-llvm", "-o", "-", source];
    let mut compiler = Command::new("clang-16");
    let done = compiler.args(how).args(arguments).stderr(Stdio::inherit()).output().expect("clang-16 can be run");
    assert!(done.status.success(), "clang-16 compiles {source}");
    done.stdout
}
