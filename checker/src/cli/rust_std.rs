//! Links a program in Rust with what it needs of the standard library.
//!
//! rustc can do that, by link-time optimisation, but needs two seconds for it: it reads 20 MB of bitcode,
//! most of which is debug information. So rustc does it once, for a program that does nothing. The result,
//! without debug information, is the standard library as one module ([`Compiler::standard_library`]), which
//! is kept from run to run. Of it, the linker only reads the functions that a program needs.
//!
//! A program with an allocator of its own needs functions that rustc makes when it links, so rustc links it;
//! and rustc knows where the libraries are that the user's options name.
//!
//! Tests: `tests/programs/rust/`, `tests/tests/cache.rs`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use rmc_rust::crates::Crate;
use rmc_rust::options::{OWN_ALLOCATOR, PIECE, PROGRAM};

use super::cache::{Cache, Key};
use super::compile::{CompileError, Compiler, as_operand};
use super::kind::read;
use super::llvm_tools::{self, LINK, RUSTC};
use super::rust::{self, Compiled};
use crate::ir::load::{self, Input};

/// The program of which rustc makes a module with all of the standard library.
const NOTHING: &str = "fn main() {}\n";
/// The options of opt that make it a module to link with.
const PUBLISH: [&str; 2] = ["-passes=rmc-rust-std", "-strip-debug"];
/// The name of the standard library for messages.
const NAME: &str = "the standard library of Rust";

impl Compiler {
    /// Compiles a source in Rust to the bitcode file `out`, with all that it needs.
    pub(super) fn compile_rust(
        &self,
        path: &Path,
        options: &[String],
        out: &Path,
        name: &str,
    ) -> Result<(), CompileError> {
        rust::check_version()?;
        rust::check_options(options, name)?;
        let crates = rust::crates(options).map(|one| self.rust_crate(one)).collect::<Result<Vec<_>, CompileError>>()?;
        let (source, dependencies) = (as_operand(path), out.with_extension(super::compile::DEPENDENCIES));
        let compile = |kind: &[&str], out: &Path| {
            self.run(&RUSTC, rust::arguments(options, &source, out, &dependencies, (kind, &crates)), name)
        };
        if rust::uses_libraries(options) {
            return compile(&PROGRAM, out);
        }
        let piece = out.with_extension("piece.bc");
        compile(&PIECE, &piece)?;
        if load::defined(&Input { file: name.to_owned(), bytes: read(&piece)? })?.contains(OWN_ALLOCATOR) {
            return compile(&PROGRAM, out);
        }
        let mut args: Vec<OsString> = vec!["--only-needed".into(), piece.into()];
        args.extend(crates.into_iter().map(|one| one.module.into()));
        args.extend([self.standard_library(&rust::of_std(options))?.into(), "-o".into(), out.into()]);
        self.run(&LINK, args, name)
    }

    /// A crate that programs can use.
    fn rust_crate(&self, one: &Crate) -> Result<Compiled, CompileError> {
        let source = self.file(one.name, "rs");
        let (library, module) = (self.file(&format!("lib{}", one.name), "rlib"), self.file(one.name, "bc"));
        if !library.exists() {
            fs::write(&source, one.source).map_err(CompileError::Temporary)?;
            self.run(&RUSTC, one.arguments(&source, &library, &module), one.name)?;
        }
        Ok(Compiled { name: one.name, library, module })
    }

    /// The standard library as a module.
    fn standard_library(&self, options: &[String]) -> Result<PathBuf, CompileError> {
        let file = self.file("std", "bc");
        if file.exists() {
            return Ok(file);
        }
        let Some((cache, mut key)) = Cache::of_user().zip(llvm_tools::all().map(|tools| Key::of_tools(&tools))) else {
            self.make_standard_library(options, &file)?;
            return Ok(file);
        };
        key.add(NAME);
        key.add_bytes(&rust::identity()?);
        options.iter().for_each(|option| key.add(option));
        if let Some(bytes) = cache.get(&key) {
            fs::write(&file, bytes).map_err(CompileError::Temporary)?;
        } else {
            let bytes = self.make_standard_library(options, &file)?;
            cache.put(&key, Vec::new(), &bytes);
        }
        Ok(file)
    }

    /// Writes the standard library to a file. The result is its content.
    fn make_standard_library(&self, options: &[String], file: &Path) -> Result<Vec<u8>, CompileError> {
        let (source, whole) = (self.file("nothing", "rs"), self.file("nothing", "bc"));
        fs::write(&source, NOTHING).map_err(CompileError::Temporary)?;
        let dependencies = self.file("nothing", "d");
        let args = rust::arguments(options, source.as_os_str(), &whole, &dependencies, (&PROGRAM, &[]));
        self.run(&RUSTC, args, NAME)?;
        Ok(self.opt(&whole, NAME, &PUBLISH.map(str::to_owned), file)?.bytes)
    }
}
