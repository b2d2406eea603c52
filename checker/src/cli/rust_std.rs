//! Links a program in Rust with what it needs of the standard library.
//!
//! rustc can do that, by link-time optimisation, but needs two seconds for it: it reads 20 MB of bitcode,
//! most of which is debug information. So rustc does it once, for a program that does nothing. The result,
//! without debug information, is the standard library as one module ([`Compiler::standard_library`]), which
//! is kept from run to run. Of it, the linker only reads the functions that a program needs.
//!
//! Later compilers write assembly, which is rewritten for LLVM 16, and the beginning of a panic is Rust that
//! is compiled with the program.
//!
//! A program with an allocator of its own needs functions that rustc makes when it links, so rustc links it;
//! and rustc knows where the libraries are that the user's options name.
//!
//! Tests: `tests/programs/rust/`, `tests/tests/cache.rs`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use rmc_rust::assembly::for_llvm_16;
use rmc_rust::crates::{Crate, PANICS};
use rmc_rust::options::{OWN_ALLOCATOR, PIECE, WHOLE, linking};
use rmc_rust::toolchain::Form;

use super::cache::{Cache, Key};
use super::compile::{CompileError, Compiler, as_operand};
use super::kind::read;
use super::llvm_tools::{self, LINK, RUSTC};
use super::rust::{self, Compiled};
use crate::ir::load::{self, Input};

/// The program of which rustc makes a module with all of the standard library.
const NOTHING: &str = "fn main() {}\n";
/// The option of opt that only has it read a module.
const VERIFY: [&str; 1] = ["-passes=verify"];
/// The option that makes a module one to link with.
const PUBLISH: [&str; 1] = ["-passes=rmc-rust-std"];
/// The option that leaves out debug information.
const STRIP: &str = "-strip-debug";
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
        let form = rust::form()?;
        rust::check_options(options, name)?;
        let crates = rust::crates(options);
        let crates = crates.map(|one| self.rust_crate(form, one)).collect::<Result<Vec<_>, CompileError>>()?;
        let (source, dependencies) = (as_operand(path), out.with_extension(super::compile::DEPENDENCIES));
        let compile = |kind: &[&str], passes: &[&str], out: &Path| {
            self.rustc((form, passes), out, name, |module| {
                rust::arguments(options, &source, (form, module), &dependencies, (kind, &crates))
            })
        };
        let compile_whole = || {
            compile(&[&WHOLE, linking(form)].concat(), &PUBLISH, out)?;
            self.add_panics(form, out, name)
        };
        if rust::uses_libraries(options) {
            return compile_whole();
        }
        let piece = out.with_extension("piece.bc");
        compile(&PIECE, &VERIFY, &piece)?;
        let defined = load::defined(&Input { file: name.to_owned(), bytes: read(&piece)? })?;
        if defined.iter().any(|name| name.ends_with(OWN_ALLOCATOR)) {
            return compile_whole();
        }
        self.add_panics(form, &piece, name)?;
        self.add_standard_library((form, &rust::of_std(options)), &piece, &crates, out, name)
    }

    /// Links a module that rustc made of a program with its libraries, and with what it needs of std. Without
    /// a list of libraries, all that is in it.
    pub(super) fn link_rust_module(
        &self,
        (form, options): (Form, &[String]),
        (path, libraries): (&Path, Option<&[PathBuf]>),
        out: &Path,
        name: &str,
    ) -> Result<(), CompileError> {
        if form == Form::Bitcode && libraries.is_none() {
            return fs::copy(path, out).map(drop).map_err(CompileError::Temporary);
        }
        if form != rust::form()? {
            return Err(CompileError::OtherCompiler { path: name.to_owned(), program: RUSTC.program() });
        }
        let Some(libraries) = libraries else {
            self.assemble(path, &PUBLISH, out, name)?;
            return self.add_panics(form, out, name);
        };
        let piece = out.with_extension("piece.bc");
        let mut args: Vec<OsString> = vec![path.into()];
        args.extend(libraries.iter().map(Into::into));
        args.extend(["-o".into(), piece.clone().into()]);
        self.run(&LINK, args, name)?;
        self.add_panics(form, &piece, name)?;
        self.add_standard_library((form, options), &piece, &[], out, name)
    }

    /// Has rustc make the bitcode file `out` with the arguments for the module that it writes. If that is
    /// assembly, these passes run over it.
    fn rustc(
        &self,
        (form, passes): (Form, &[&str]),
        out: &Path,
        name: &str,
        arguments: impl FnOnce(&Path) -> Vec<OsString>,
    ) -> Result<(), CompileError> {
        match form {
            Form::Bitcode => self.run(&RUSTC, arguments(out), name),
            Form::Assembly => {
                let assembly = out.with_extension("ll");
                self.run(&RUSTC, arguments(&assembly), name)?;
                self.assemble(&assembly, passes, out, name)
            }
        }
    }

    /// Makes bitcode of assembly of a later LLVM.
    fn assemble(&self, path: &Path, passes: &[&str], out: &Path, name: &str) -> Result<(), CompileError> {
        let text = String::from_utf8_lossy(&read(path)?).into_owned();
        let rewritten = out.with_extension("rewritten.ll");
        fs::write(&rewritten, for_llvm_16(&text)).map_err(CompileError::Temporary)?;
        self.opt(&rewritten, name, &passes.iter().map(|&pass| pass.to_owned()).collect::<Vec<_>>(), out).map(drop)
    }

    /// Adds the beginning of a panic to a program of a later compiler.
    fn add_panics(&self, form: Form, program: &Path, name: &str) -> Result<(), CompileError> {
        if form == Form::Bitcode {
            return Ok(());
        }
        let panics = self.rust_crate(form, &PANICS)?;
        self.run(&LINK, vec![program.into(), panics.module.into(), "-o".into(), program.into()], name)
    }

    /// Adds to a program what it needs of these crates, and of std.
    fn add_standard_library(
        &self,
        (form, options): (Form, &[String]),
        program: &Path,
        crates: &[Compiled],
        out: &Path,
        name: &str,
    ) -> Result<(), CompileError> {
        let mut args: Vec<OsString> = vec!["--only-needed".into(), program.into()];
        args.extend(crates.iter().map(|one| one.module.clone().into()));
        args.extend([self.standard_library(form, options)?.into(), "-o".into(), out.into()]);
        self.run(&LINK, args, name)
    }

    /// A crate that programs can use.
    fn rust_crate(&self, form: Form, one: &Crate) -> Result<Compiled, CompileError> {
        let source = self.file(one.name, "rs");
        let (library, module) = (self.file(&format!("lib{}", one.name), "rlib"), self.file(one.name, "bc"));
        let make = || {
            fs::write(&source, one.source).map_err(CompileError::Temporary)?;
            self.rustc((form, &VERIFY), &module, one.name, |module| one.arguments(form, &source, &library, module))
        };
        self.kept_files(&[&library, &module], &[one.name, one.source], make)?;
        Ok(Compiled { name: one.name, library, module })
    }

    /// The standard library as a module.
    fn standard_library(&self, form: Form, options: &[String]) -> Result<PathBuf, CompileError> {
        let file = self.file("std", "bc");
        let parts: Vec<_> = [NAME].into_iter().chain(options.iter().map(String::as_str)).collect();
        self.kept_files(&[&file], &parts, || {
            let (source, whole) = (self.file("nothing", "rs"), self.file("nothing", "bc"));
            fs::write(&source, NOTHING).map_err(CompileError::Temporary)?;
            let dependencies = self.file("nothing", "d");
            let kind = [&WHOLE, linking(form)].concat();
            self.rustc((form, &VERIFY), &whole, NAME, |module| {
                rust::arguments(options, source.as_os_str(), (form, module), &dependencies, (&kind, &[]))
            })?;
            self.opt(&whole, NAME, &[PUBLISH[0], STRIP].map(str::to_owned), &file).map(drop)
        })?;
        Ok(file)
    }

    /// Makes files that depend on the compiler and these parts alone, or takes them from an earlier run.
    fn kept_files(
        &self,
        files: &[&Path],
        parts: &[&str],
        make: impl FnOnce() -> Result<(), CompileError>,
    ) -> Result<(), CompileError> {
        if files.iter().all(|file| file.exists()) {
            return Ok(());
        }
        let tools = llvm_tools::all().map(|tools| Key::of_tools(&tools));
        let Some((cache, mut key)) = Cache::of_user().zip(tools) else { return make() };
        parts.iter().for_each(|part| key.add(part));
        key.add_bytes(&rust::identity()?);
        let key_of = |number: usize| {
            let mut key = key.clone();
            key.add_bytes(&[u8::try_from(number).expect("few files")]);
            key
        };
        let kept: Option<Vec<_>> = (0..files.len()).map(|number| cache.get(&key_of(number))).collect();
        if let Some(kept) = kept {
            let write = |(file, bytes): (&&Path, Vec<u8>)| fs::write(file, bytes).map_err(CompileError::Temporary);
            return files.iter().zip(kept).try_for_each(write);
        }
        make()?;
        for (number, file) in files.iter().enumerate() {
            cache.put(&key_of(number), Vec::new(), &read(file)?);
        }
        Ok(())
    }
}
