//! From input files to instrumented bitcode.
//!
//! clang compiles a source to bitcode, and opt runs the pass over it. Bitcode and LLVM assembly skip clang.
//! They also skip the pass if they are instrumented already.
//!
//! A program is checked as it is written: C is compiled as at -O0, and only locals whose address is never
//! taken become registers. clang's own -O0 is of no use, because it drops the bodies of C99's inline
//! functions, and no file need define them elsewhere. So clang runs at -O1 without any of its passes
//! ([`AS_WRITTEN`]), and without the macros by which headers detect optimisation. If the user's options name
//! a level, the program is checked at that level.
//!
//! Tests: `tests/tests/inputs.rs`, `tests/tests/untrusted.rs`.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rmc_rust::toolchain::Form;
use tempfile::TempDir;

use super::archive::{self, Content, Member};
use super::cache::{self, Cache, Key};
pub use super::compile_error::CompileError;
use super::database::Database;
use super::kind::{BITCODE, Kind, Language, STANDARD_INPUT, begins_with, check_readable, kind_of, read};
use super::linking;
use super::llvm_tools::{self, CLANG, OPT, Tool, plugin_path};
use super::load_check::{self, Checked};
use super::rust;
use super::support;
use super::tool::{self, Ended};
use crate::halt::Halt;
use crate::ir::load::{self, Input};
use crate::system::library;

/// The passes that follow the compiler. Locals whose address is never taken become registers, then the code
/// is instrumented.
const PASSES: &str = "-passes=rmc-mark-uninitialised,function(mem2reg),rmc-instrument";
/// The text of the header `rmc.h`, which declares choices for programs.
const HEADER: &str = include_str!("../../../include/rmc.h");
/// The extension of intermediate files that are instrumented.
const INSTRUMENTED: &str = "rmc.bc";
/// The extension of the files in which clang lists what a source includes.
pub(super) const DEPENDENCIES: &str = "d";

/// The options that compile the program as it is written. They are used unless the user names a level.
const AS_WRITTEN: [&str; 7] = [
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-lifetime-markers",
    "-U__OPTIMIZE__",
    "-D__NO_INLINE__=1",
];
/// The large code model. In other models the optimiser makes tables of 32-bit offsets, such as for a switch
/// that selects a string. Objects in rmc's address space are too far apart for them.
const LARGE_CODE_MODEL: &str = "-mcmodel=large";
/// Options that make clang 16 accept old C, as earlier compilers did. The bitcode has a defined meaning.
const OLD_C: [&str; 4] = [
    "-Wno-error=int-conversion",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=incompatible-function-pointer-types",
];

/// Compiles and instruments inputs.
pub struct Compiler {
    /// The user's options for clang.
    options: Vec<String>,
    /// The options of the user's build for each source.
    database: Option<Database>,
    /// True if the commands that are run, and the messages of tools that succeed, are printed.
    verbose: bool,
    /// The request to end the run, which kills the running tool.
    halt: Halt,
    /// Inputs that earlier runs compiled.
    cache: Option<Cache>,
    /// A file that tells clang which files to read in place of others.
    overlay: Option<PathBuf>,
    /// The directory for intermediate files. An input's files are named after its `id`: its index on the
    /// command line, and for a member of an archive also its index in the archive (`2.0`).
    directory: TempDir,
}

impl Compiler {
    /// A compiler with the user's options for clang. A request to end the run kills the running tool.
    ///
    /// # Errors
    /// [`CompileError::Temporary`].
    pub fn new(options: Vec<String>, verbose: bool, halt: &Halt) -> Result<Self, CompileError> {
        let directory = tempfile::Builder::new().prefix("rmc-").tempdir().map_err(CompileError::Temporary)?;
        // The messages of tools are wanted, so the tools have to run.
        let cache = if verbose { None } else { Cache::from_environment() };
        Ok(Self { options, database: None, verbose, halt: halt.clone(), cache, overlay: None, directory })
    }

    /// The compiler with files that it reads in place of others, as a file for clang's `-ivfsoverlay` names
    /// them.
    #[must_use]
    pub fn with_overlay(self, overlay: Option<PathBuf>) -> Self {
        Self { overlay, ..self }
    }

    /// The compiler with options for each source from a build's database.
    #[must_use]
    pub fn with_database(self, database: Option<Database>) -> Self {
        Self { database, ..self }
    }

    /// Compiles and instruments a program's inputs. Adds the members of archives and the functions of the
    /// support library that the program needs. `begins` are the functions in which it begins.
    ///
    /// # Errors
    /// [`CompileError`]; each names the input and the way out.
    pub fn program(&self, paths: &[PathBuf], begins: &[String]) -> Result<Vec<Input>, CompileError> {
        let (mut inputs, mut members) = (Vec::new(), Vec::new());
        for (index, path) in paths.iter().enumerate() {
            let id = index.to_string();
            match kind_of(path)? {
                Kind::Source(language) => inputs.push(self.source(path, language, &id)?),
                Kind::Bitcode => {
                    check_readable(path)?;
                    inputs.push(self.bitcode(path, &path.display().to_string(), &id)?);
                }
                Kind::RustModule(form) => {
                    check_readable(path)?;
                    inputs.push(self.rust_module(form, path, &id)?);
                }
                Kind::Archive => members.extend(self.archive(path, &id)?),
            }
        }
        linking::add_needed(&mut inputs, members, begins)?;
        // The C++ library is written over the C library.
        let needed = support::needed_of_cxx(&load::linked(&inputs)?)?;
        if !needed.is_empty() {
            inputs.push(self.support(("libcxx", support::CXX_NAME, support::CXX_BITCODE), &needed)?);
        }
        let needed = support::needed(&load::linked(&inputs)?.undefined())?;
        if !needed.is_empty() {
            inputs.push(self.support(("libc", support::NAME, support::BITCODE), &needed)?);
        }
        Ok(inputs)
    }

    /// The members of an archive, which must be bitcode, instrumented.
    fn archive(&self, path: &Path, id: &str) -> Result<Vec<Input>, CompileError> {
        let name = path.display().to_string();
        let members = archive::members(&read(path)?);
        let members = members.map_err(|message| CompileError::Archive { path: name.clone(), message })?;
        let inputs = members.into_iter().enumerate().map(|(index, Member { name: member, content })| {
            let bytes = match content {
                Content::Here(bytes) => bytes,
                Content::File(file) => read(&path.parent().unwrap_or(Path::new("")).join(file))?,
            };
            let refused = |what| CompileError::Member { path: name.clone(), member: member.clone(), what };
            if bytes.starts_with(b"\x7FELF") {
                return Err(refused("machine code"));
            }
            if !BITCODE.iter().any(|beginning| bytes.starts_with(beginning)) {
                return Err(refused("no object file"));
            }
            let id = format!("{id}.{index}");
            let file = self.file(&id, "member.bc");
            fs::write(&file, bytes).map_err(CompileError::Temporary)?;
            self.bitcode(&file, &format!("{name}({member})"), &id)
        });
        inputs.collect()
    }

    /// The functions with these names of a support library, instrumented. The library is given by its
    /// intermediate file, its name for messages, and its bitcode.
    fn support(&self, (id, name, library): (&str, &str, &[u8]), names: &[String]) -> Result<Input, CompileError> {
        let keep = format!("-internalize-public-api-list={}", names.join(","));
        self.kept(name, &[id.as_bytes(), keep.as_bytes()], || {
            let bitcode = self.file(id, "bc");
            fs::write(&bitcode, library).map_err(CompileError::Temporary)?;
            let part =
                self.opt(&bitcode, name, &[support::PASSES.to_owned(), keep.clone()], &self.file(id, INSTRUMENTED))?;
            Ok((part, Some(Vec::new())))
        })
    }

    /// The input that `make` makes, or the one that an earlier run made of the same parts. `make` also gives
    /// the files that it read besides; none if they are not known, or may be others in another run.
    fn kept(
        &self,
        name: &str,
        parts: &[&[u8]],
        make: impl FnOnce() -> Result<(Input, Option<Vec<PathBuf>>), CompileError>,
    ) -> Result<Input, CompileError> {
        let Some((cache, mut key)) = self.cache.as_ref().and_then(|cache| Some((cache, Key::new(&llvm_tools::all()?))))
        else {
            return Ok(make()?.0);
        };
        key.add(name);
        parts.iter().for_each(|part| key.add_bytes(part));
        if let Some(bytes) = cache.get(&key) {
            return Ok(Input { file: name.to_owned(), bytes });
        }
        let (input, read) = make()?;
        if let Some(read) = read {
            cache.put(&key, read, &input.bytes);
        }
        Ok(input)
    }

    /// A source, compiled and instrumented.
    fn source(&self, path: &Path, language: Language, id: &str) -> Result<Input, CompileError> {
        let name = path.display().to_string();
        let source = if path == Path::new(STANDARD_INPUT) { self.standard_input()? } else { path.to_owned() };
        check_readable(&source)?;
        let build_options = self.database.as_ref().map(|database| database.options(path)).transpose()?;
        let build_options = build_options.unwrap_or_default();
        let bitcode = self.file(id, "bc");
        let rust_passes = rust::passes(build_options.iter().chain(&self.options), PASSES);
        let make = || {
            self.compile(&source, language, build_options, &bitcode, &name)?;
            let input = match language {
                Language::C | Language::Cxx => self.instrument(&bitcode, &name, id)?,
                Language::Rust => self.opt(&bitcode, &name, &rust_passes, &self.file(id, INSTRUMENTED))?,
            };
            Ok((input, self.headers(id)))
        };
        // A path in the list of headers may be meant from the directory that the option names.
        let is_elsewhere = build_options.iter().chain(&self.options).any(|option| option.starts_with("-working-dir"));
        if is_elsewhere || self.overlay.is_some() || path == Path::new(STANDARD_INPUT) {
            return Ok(make()?.0);
        }
        let content = read(&source)?;
        let options = build_options.iter().chain(&self.options).flat_map(|option| [option.as_bytes(), &[0]]);
        let options = options.flatten().copied().collect::<Vec<_>>();
        if language == Language::Rust {
            return self.kept(&name, &[&content, &options, &rust::identity()?], make);
        }
        self.kept(&name, &[&content, &options], make)
    }

    /// The files that a source includes, as the compiler listed them, without that of rmc; none if it depends
    /// on more than files.
    fn headers(&self, id: &str) -> Option<Vec<PathBuf>> {
        let rule = fs::read_to_string(self.file(id, DEPENDENCIES)).ok()?;
        // The program depends on variables of the environment (`env!`), which may differ in another run.
        if rule.contains("\n# env-dep:") {
            return None;
        }
        // rustc writes further rules, for other outputs and for each source.
        let first = rule.split("\n\n").next().unwrap_or_default();
        let read = cache::prerequisites(first)?;
        Some(read.into_iter().filter(|path| !path.starts_with(self.directory.path())).collect())
    }

    /// The user's bitcode or assembly, instrumented if it is not yet. `name` is its name for messages.
    fn bitcode(&self, path: &Path, name: &str, id: &str) -> Result<Input, CompileError> {
        // Only clang makes the checks of `--overflow`.
        let overflow_option = library::overflow::COMPILER_OPTIONS[0];
        if self.options.iter().any(|option| option == overflow_option) {
            return Err(CompileError::OverflowOfBitcode { path: name.to_owned() });
        }
        self.kept(name, &[&read(path)?], || {
            let verified = self.file(id, "verified.bc");
            let input = self.verify(path, name, &verified)?;
            if load::is_instrumented(&input)? {
                self.check_load(&verified, name)?;
                return Ok((input, Some(Vec::new())));
            }
            let instrumented = self.instrument(&verified, name, id)?;
            self.check_load(&self.file(id, INSTRUMENTED), name)?;
            Ok((instrumented, Some(Vec::new())))
        })
    }

    /// A module that rustc made of a program, prepared and instrumented, with what it needs of its libraries
    /// and of std. Its checks of overflow are in it.
    fn rust_module(&self, form: Form, path: &Path, id: &str) -> Result<Input, CompileError> {
        let name = path.display().to_string();
        if form == Form::Bitcode && !begins_with(path, &BITCODE) {
            return Err(CompileError::NotBitcode { path: name });
        }
        let passes = rust::passes(self.options.iter(), PASSES);
        let libraries = rust::libraries(path)?;
        let files = [path].into_iter().chain(libraries.iter().flatten().map(PathBuf::as_path));
        let files = files.map(read).collect::<Result<Vec<_>, _>>()?;
        // A whole program in bitcode needs no compiler.
        let is_complete = form == Form::Bitcode && libraries.is_none();
        let identity = if is_complete { Vec::new() } else { rust::identity()? };
        let mut parts: Vec<_> = passes.iter().map(String::as_bytes).collect();
        parts.extend(files.iter().map(Vec::as_slice).chain([identity.as_slice()]));
        self.kept(&name, &parts, || {
            let (bitcode, instrumented) = (self.file(id, "bc"), self.file(id, INSTRUMENTED));
            self.link_rust_module((form, &rust::of_std(&self.options)), (path, libraries.as_deref()), &bitcode, &name)?;
            let input = self.opt(&bitcode, &name, &passes, &instrumented)?;
            self.check_load(&instrumented, &name)?;
            Ok((input, Some(Vec::new())))
        })
    }

    /// Refuses a file if loading it crashes the process. Another process tries that.
    fn check_load(&self, path: &Path, name: &str) -> Result<(), CompileError> {
        match load_check::check(path, &self.halt).map_err(CompileError::Temporary)? {
            Checked::Loads => Ok(()),
            Checked::Crashes(how) => Err(CompileError::Crashes { path: name.to_owned(), how }),
            Checked::Stopped(reason) => Err(CompileError::Stopped(reason)),
        }
    }

    /// Copies standard input to a file. The line at its beginning makes the compiler's messages call it
    /// `<stdin>`.
    fn standard_input(&self) -> Result<PathBuf, CompileError> {
        let path = self.file("stdin", "c");
        let mut text = b"# 1 \"<stdin>\"\n".to_vec();
        let failed = |error| CompileError::Unreadable { path: "standard input".to_owned(), error };
        io::stdin().read_to_end(&mut text).map_err(failed)?;
        fs::write(&path, text).map_err(CompileError::Temporary)?;
        Ok(path)
    }

    /// Lets opt read and verify the user's bitcode or assembly, and write it to `out` as bitcode. LLVM's
    /// reader trusts its input, so a damaged file crashes opt rather than this process.
    fn verify(&self, path: &Path, name: &str, out: &Path) -> Result<Input, CompileError> {
        let is_text = path.extension().is_some_and(|extension| extension == "ll");
        if !is_text && !begins_with(path, &BITCODE) {
            return Err(CompileError::NotBitcode { path: name.to_owned() });
        }
        self.run(&OPT, vec!["-passes=verify".into(), as_operand(path), "-o".into(), out.into()], name)?;
        Ok(Input { file: name.to_owned(), bytes: read(out)? })
    }

    /// Compiles a source to the bitcode file `out`. `build_options` are its options in the user's build;
    /// those of the command line come after them and override them.
    fn compile(
        &self,
        path: &Path,
        language: Language,
        build_options: &[String],
        out: &Path,
        name: &str,
    ) -> Result<(), CompileError> {
        if language == Language::Rust {
            let options: Vec<_> = build_options.iter().chain(&self.options).cloned().collect();
            return self.compile_rust(path, &options, out, name);
        }
        let mut args = self.front_end(language, build_options)?;
        args.extend(["-emit-llvm", "-c"].map(OsString::from));
        if self.cache.is_some() {
            args.extend(["-MD".into(), "-MF".into(), out.with_extension(DEPENDENCIES).into()]);
        }
        args.extend([as_operand(path), "-o".into(), out.into()]);
        self.run(&CLANG, args, name)
    }

    /// The files that a user's source is made of, as clang names them: the source itself, and the headers
    /// that are not the system's.
    ///
    /// # Errors
    /// [`CompileError`]; none for an input that is no source of C or C++.
    pub fn files_of(&self, path: &Path) -> Result<Vec<(PathBuf, Language)>, CompileError> {
        let Kind::Source(language @ (Language::C | Language::Cxx)) = kind_of(path)? else { return Ok(Vec::new()) };
        let build_options = self.database.as_ref().map(|database| database.options(path)).transpose()?;
        let mut args = self.front_end(language, build_options.unwrap_or_default())?;
        let list = self.file("files", DEPENDENCIES);
        args.extend(["-MM".into(), "-MF".into(), list.clone().into(), as_operand(path)]);
        self.run(&CLANG, args, &path.display().to_string())?;
        let rule = fs::read_to_string(&list).map_err(CompileError::Temporary)?;
        let files = cache::prerequisites(&rule).unwrap_or_default().into_iter();
        Ok(files.filter(|file| !file.starts_with(self.directory.path())).map(|file| (file, language)).collect())
    }

    /// The options with which clang reads a source.
    fn front_end(&self, language: Language, build_options: &[String]) -> Result<Vec<OsString>, CompileError> {
        let mut args: Vec<OsString> = Vec::new();
        if language == Language::Cxx {
            args.push("--driver-mode=g++".into());
        }
        if !self.options.iter().any(|option| option.starts_with("-O")) {
            args.extend(AS_WRITTEN.map(OsString::from));
        }
        if language == Language::C {
            args.extend(OLD_C.map(OsString::from));
        }
        args.extend([LARGE_CODE_MODEL, "-g", "-fno-discard-value-names"].map(OsString::from));
        args.extend(build_options.iter().chain(&self.options).map(OsString::from));
        args.extend(["-D__RMC__=1".into(), "-idirafter".into(), self.header_directory()?.into()]);
        if let Some(overlay) = &self.overlay {
            args.extend(["-ivfsoverlay".into(), overlay.into()]);
        }
        Ok(args)
    }

    /// Makes a directory with rmc.h. The header is embedded in this program, so the two always have the same
    /// version.
    fn header_directory(&self) -> Result<PathBuf, CompileError> {
        let directory = self.directory.path().join("include");
        fs::create_dir_all(&directory).map_err(CompileError::Temporary)?;
        fs::write(directory.join("rmc.h"), HEADER).map_err(CompileError::Temporary)?;
        Ok(directory)
    }

    /// Instruments bitcode, and keeps the result as the input's [`INSTRUMENTED`] file.
    fn instrument(&self, bitcode: &Path, name: &str, id: &str) -> Result<Input, CompileError> {
        self.opt(bitcode, name, &[PASSES.to_owned()], &self.file(id, INSTRUMENTED))
    }

    /// The path of an intermediate file of an input.
    pub(super) fn file(&self, id: &str, extension: &str) -> PathBuf {
        self.directory.path().join(format!("{id}.{extension}"))
    }

    /// Runs opt with the pass plugin from one bitcode file to another.
    pub(super) fn opt(
        &self,
        bitcode: &Path,
        name: &str,
        options: &[String],
        out: &Path,
    ) -> Result<Input, CompileError> {
        let mut plugin = OsString::from("-load-pass-plugin=");
        plugin.push(plugin_path()?);
        let mut args = vec![plugin];
        args.extend(options.iter().map(OsString::from));
        args.extend([bitcode.into(), "-o".into(), out.into()]);
        self.run(&OPT, args, name)?;
        Ok(Input { file: name.to_owned(), bytes: read(out)? })
    }

    /// Runs a tool. `input` is the name of its input for messages.
    pub(super) fn run(&self, tool: &Tool, args: Vec<OsString>, input: &str) -> Result<(), CompileError> {
        let program = tool.program();
        let mut command = Command::new(&program);
        command.args(args);
        command.envs(tool.environment.iter().filter(|(name, _)| std::env::var_os(name).is_none()).copied());
        if self.verbose {
            eprintln!("{command:?}");
        }
        let ended = tool::run(&mut command, &self.halt).map_err(|error| CompileError::NoTool {
            program,
            error,
            package: tool.package,
            variable: tool.variable,
        })?;
        let (status, message) = match ended {
            Ended::Itself { status, message } => (status, message),
            Ended::Stopped(reason) => return Err(CompileError::Stopped(reason)),
        };
        if !status.success() {
            // The message of a tool that crashed is about the tool, not about its input.
            let is_message_of_no_use = message.is_empty() || status.signal().is_some();
            let message = if is_message_of_no_use { format!("{status}; is the file damaged?") } else { message };
            return Err(CompileError::Tool { path: input.to_owned(), tool: tool.name, message });
        }
        if self.verbose && !message.is_empty() {
            eprint!("{message}");
        }
        Ok(())
    }
}

/// The path in a form that no tool takes for an option, even if it begins with `-`.
pub(super) fn as_operand(path: &Path) -> OsString {
    let looks_like_option = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    if looks_like_option { Path::new(".").join(path).into() } else { path.into() }
}
