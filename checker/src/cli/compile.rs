//! From input files to instrumented bitcode: runs clang and opt where the input is not instrumented yet.
//!
//! C is compiled as at -O0, and only locals that never escape are promoted to registers, so that the program
//! is checked as it is written. clang's -O0 itself would drop the bodies of C99's inline functions, which no
//! other file need define; so clang runs at -O1 without any of its passes, and without what headers do
//! differently when optimising. Where `--cflags` asks for a level, that level is what is checked.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::archive::{self, Content, Member};
pub use super::compile_error::CompileError;
use super::database::Database;
use super::linking;
use super::load_check::{self, Checked};
use super::support;
use super::tool::{self, Ended};
use crate::halt::Halt;
use crate::ir::load::{self, Input};
use crate::system::library;

/// The name of standard input.
const STANDARD_INPUT: &str = "-";
/// How bitcode begins: as it is, and with a header around it.
const BITCODE: [&[u8]; 2] = [b"BC\xC0\xDE", b"\xDE\xC0\x17\x0B"];
/// What the compiler makes of C before the pass: registers for locals that never escape.
const PASSES: &str = "-passes=rmc-mark-uninitialised,function(mem2reg),rmc-instrument";
/// Data choices for programs.
const HEADER: &str = include_str!("../../../include/rmc.h");
pub(super) const PLUGIN: &str = "librmc_pass.so";

/// As the program is written.
const AS_WRITTEN: [&str; 7] = [
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-Xclang",
    "-disable-lifetime-markers",
    "-U__OPTIMIZE__",
    "-D__NO_INLINE__=1",
];
/// The optimiser's tables of 32-bit offsets, as for a switch that gives texts, are too narrow where objects
/// are as far apart as in rmc's address space. The large code model knows that there are such programs.
const FAR_APART: &str = "-mcmodel=large";
/// C that compilers took for a long time, and that clang 16 takes if told so: it is as good a program as its
/// bitcode.
const OLD_C: [&str; 4] = [
    "-Wno-error=int-conversion",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=incompatible-function-pointer-types",
];

/// Compiles and instruments inputs.
pub struct Compiler {
    options: Vec<String>,
    database: Option<Database>,
    verbose: bool,
    halt: Halt,
    directory: TempDir,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    C,
    Cxx,
    Bitcode,
    Archive,
}

impl Compiler {
    /// A compiler with options for clang. A tool that is running when the end is asked for is ended.
    ///
    /// # Errors
    /// [`CompileError::Temporary`].
    pub fn new(options: Vec<String>, verbose: bool, halt: &Halt) -> Result<Self, CompileError> {
        let directory = tempfile::Builder::new().prefix("rmc-").tempdir().map_err(CompileError::Temporary)?;
        Ok(Self { options, database: None, verbose, halt: halt.clone(), directory })
    }

    /// A compiler that takes options for each source from a database, too.
    #[must_use]
    pub fn with_database(self, database: Option<Database>) -> Self {
        Self { database, ..self }
    }

    /// Makes a program's inputs into instrumented bitcode, and adds the functions of the support library that
    /// they need.
    ///
    /// # Errors
    /// [`CompileError`]; each names the input and the way out.
    pub fn program(&self, paths: &[PathBuf]) -> Result<Vec<Input>, CompileError> {
        let (mut inputs, mut archives) = (Vec::new(), Vec::new());
        for (number, path) in paths.iter().enumerate() {
            match kind_of(path)? {
                Kind::Archive => archives.extend(self.archive(path, number)?),
                kind => inputs.push(self.input(path, kind, &number.to_string())?),
            }
        }
        linking::add_needed(&mut inputs, archives)?;
        let needed = support::needed(&load::undefined(&inputs)?)?;
        if !needed.is_empty() {
            inputs.push(self.support(&needed)?);
        }
        Ok(inputs)
    }

    /// The members of an archive, instrumented.
    fn archive(&self, path: &Path, number: usize) -> Result<Vec<Input>, CompileError> {
        let name = path.display().to_string();
        let members = archive::members(&read(path)?);
        let members = members.map_err(|message| CompileError::Archive { path: name.clone(), message })?;
        let inputs = members.into_iter().enumerate().map(|(at, Member { name: member, content })| {
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
            let number = format!("{number}.{at}");
            let file = self.directory.path().join(format!("{number}.member.bc"));
            fs::write(&file, bytes).map_err(CompileError::Temporary)?;
            self.bitcode(&file, &format!("{name}({member})"), &number)
        });
        inputs.collect()
    }

    /// The functions of the support library with these names, instrumented.
    fn support(&self, names: &[String]) -> Result<Input, CompileError> {
        let bitcode = self.directory.path().join("libc.bc");
        fs::write(&bitcode, support::BITCODE).map_err(CompileError::Temporary)?;
        let keep = format!("-internalize-public-api-list={}", names.join(","));
        let out = self.directory.path().join("libc.rmc.bc");
        self.opt(&bitcode, support::NAME, &[support::PASSES.to_owned(), keep], &out)
    }

    fn input(&self, path: &Path, kind: Kind, number: &str) -> Result<Input, CompileError> {
        let name = path.display().to_string();
        let source = &if path == Path::new(STANDARD_INPUT) { self.standard_input()? } else { path.to_owned() };
        drop(read(source)?);
        if kind == Kind::Bitcode {
            return self.bitcode(source, &name, number);
        }
        let of_build = self.database.as_ref().map(|database| database.options(path)).transpose()?;
        let bitcode = self.directory.path().join(format!("{number}.bc"));
        self.compile(source, kind, of_build.unwrap_or_default(), &bitcode, &name)?;
        self.instrument(&bitcode, &name, number)
    }

    /// Bitcode or assembly of the user's, instrumented if it is not yet.
    fn bitcode(&self, path: &Path, name: &str, number: &str) -> Result<Input, CompileError> {
        let checks = library::overflow::COMPILER_OPTIONS[0];
        if self.options.iter().any(|option| option == checks) {
            return Err(CompileError::OverflowOfBitcode { path: name.to_owned() });
        }
        let input = self.trusted(path, name, number)?;
        let bitcode = self.directory.path().join(format!("{number}.in.bc"));
        if load::is_instrumented(&input)? {
            self.check_load(&bitcode, name)?;
            return Ok(input);
        }
        let instrumented = self.instrument(&bitcode, &input.file, number)?;
        self.check_load(&self.instrumented(number), name)?;
        Ok(instrumented)
    }

    /// Refuses a file that ends the process which loads it.
    fn check_load(&self, path: &Path, name: &str) -> Result<(), CompileError> {
        match load_check::check(path, &self.halt).map_err(CompileError::Temporary)? {
            Checked::Loads => Ok(()),
            Checked::Crashes(how) => Err(CompileError::Crashes { path: name.to_owned(), how }),
            Checked::Stopped(reason) => Err(CompileError::Stopped(reason)),
        }
    }

    /// Standard input as a file, which messages call `<stdin>`.
    fn standard_input(&self) -> Result<PathBuf, CompileError> {
        let path = self.directory.path().join("stdin.c");
        let mut text = b"# 1 \"<stdin>\"\n".to_vec();
        let failed = |error| CompileError::Unreadable { path: "standard input".to_owned(), error };
        io::stdin().read_to_end(&mut text).map_err(failed)?;
        fs::write(&path, text).map_err(CompileError::Temporary)?;
        Ok(path)
    }

    /// Bitcode or assembly of the user's, read and written anew in a process of its own: LLVM's reader trusts
    /// its input, and a damaged file may end the process that reads it.
    fn trusted(&self, path: &Path, name: &str, number: &str) -> Result<Input, CompileError> {
        let is_text = path.extension().is_some_and(|extension| extension == "ll");
        if !is_text && !begins_with(path, &BITCODE) {
            return Err(CompileError::NotBitcode { path: name.to_owned() });
        }
        let out = self.directory.path().join(format!("{number}.in.bc"));
        let passes = OsString::from("-passes=verify");
        self.run(&OPT, vec![passes, no_option(path), "-o".into(), (&out).into()], name)?;
        Ok(Input { file: name.to_owned(), bytes: read(&out)? })
    }

    /// Compiles a source. `of_build` are the options it has in the build; those that were typed come after
    /// them.
    fn compile(
        &self,
        path: &Path,
        kind: Kind,
        of_build: &[String],
        out: &Path,
        name: &str,
    ) -> Result<(), CompileError> {
        let mut args: Vec<OsString> = Vec::new();
        if kind == Kind::Cxx {
            args.push("--driver-mode=g++".into());
        }
        if !self.options.iter().any(|option| option.starts_with("-O")) {
            args.extend(AS_WRITTEN.map(OsString::from));
        }
        if kind == Kind::C {
            args.extend(OLD_C.map(OsString::from));
        }
        args.extend([FAR_APART, "-g", "-fno-discard-value-names", "-emit-llvm", "-c"].map(OsString::from));
        args.extend(of_build.iter().chain(&self.options).map(OsString::from));
        args.extend(["-D__RMC__=1".into(), "-idirafter".into(), self.header_directory()?.into()]);
        args.extend([no_option(path), "-o".into(), out.into()]);
        self.run(&CLANG, args, name)
    }

    /// The directory with rmc.h, which is part of this program so that it is always the one that fits.
    fn header_directory(&self) -> Result<PathBuf, CompileError> {
        let directory = self.directory.path().join("include");
        fs::create_dir_all(&directory).map_err(CompileError::Temporary)?;
        fs::write(directory.join("rmc.h"), HEADER).map_err(CompileError::Temporary)?;
        Ok(directory)
    }

    fn instrument(&self, bitcode: &Path, name: &str, number: &str) -> Result<Input, CompileError> {
        self.opt(bitcode, name, &[PASSES.to_owned()], &self.instrumented(number))
    }

    /// Where an input's instrumented bitcode goes.
    fn instrumented(&self, number: &str) -> PathBuf {
        self.directory.path().join(format!("{number}.rmc.bc"))
    }

    fn opt(&self, bitcode: &Path, name: &str, options: &[String], out: &Path) -> Result<Input, CompileError> {
        let mut plugin = OsString::from("-load-pass-plugin=");
        plugin.push(plugin_path()?);
        let mut args = vec![plugin];
        args.extend(options.iter().map(OsString::from));
        args.extend([bitcode.into(), "-o".into(), out.into()]);
        self.run(&OPT, args, name)?;
        Ok(Input { file: name.to_owned(), bytes: read(out)? })
    }

    fn run(&self, tool: &Tool, args: Vec<OsString>, input: &str) -> Result<(), CompileError> {
        let program = std::env::var(tool.variable).unwrap_or_else(|_| tool.default.to_owned());
        let mut command = Command::new(&program);
        command.args(args);
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
            // A tool that crashed says much of itself, and nothing of its input.
            let says_nothing = message.is_empty() || status.signal().is_some();
            let message = if says_nothing { format!("{status}; is the file damaged?") } else { message };
            return Err(CompileError::Tool { path: input.to_owned(), tool: tool.name, message });
        }
        if self.verbose && !message.is_empty() {
            eprint!("{message}");
        }
        Ok(())
    }
}

struct Tool {
    name: &'static str,
    package: &'static str,
    variable: &'static str,
    default: &'static str,
}

const CLANG: Tool = Tool { name: "clang", package: "clang-16", variable: "RMC_CLANG", default: "clang-16" };
const OPT: Tool = Tool { name: "opt", package: "llvm-16", variable: "RMC_OPT", default: "opt-16" };

/// A path that no tool takes for an option.
fn no_option(path: &Path) -> OsString {
    let looks_like_one = path.as_os_str().as_encoded_bytes().starts_with(b"-");
    if looks_like_one { Path::new(".").join(path).into() } else { path.into() }
}

fn kind_of(path: &Path) -> Result<Kind, CompileError> {
    match path.extension().and_then(|extension| extension.to_str()) {
        _ if path.is_dir() => Err(CompileError::Directory { path: path.display().to_string() }),
        Some("c" | "i") => Ok(Kind::C),
        _ if path == Path::new(STANDARD_INPUT) => Ok(Kind::C),
        Some("cc" | "cpp" | "cxx" | "C" | "c++") => Ok(Kind::Cxx),
        Some("bc" | "ll") => Ok(Kind::Bitcode),
        Some("a") => Ok(Kind::Archive),
        _ if begins_with(path, &BITCODE) => Ok(Kind::Bitcode),
        _ if begins_with(path, &[b"!<ar", b"!<th"]) => Ok(Kind::Archive),
        _ if begins_with(path, &[b"\x7FELF"]) => Err(CompileError::MachineCode { path: path.display().to_string() }),
        _ if path.exists() => Err(CompileError::UnknownKind { path: path.display().to_string() }),
        _ => read(path).map(|_| Kind::C),
    }
}

fn begins_with(path: &Path, beginnings: &[&[u8]]) -> bool {
    let mut first = [0; 4];
    let is_read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut first));
    is_read.is_ok() && beginnings.contains(&&first[..])
}

fn read(path: &Path) -> Result<Vec<u8>, CompileError> {
    fs::read(path).map_err(|error| CompileError::Unreadable { path: path.display().to_string(), error })
}

/// Beside the program, beside its directory (test programs lie one deeper), or where an installation puts it.
fn plugin_path() -> Result<PathBuf, CompileError> {
    if let Some(path) = std::env::var_os("RMC_PASS") {
        return Ok(path.into());
    }
    let program = std::env::current_exe().map_err(CompileError::Temporary)?;
    let directory = program.parent().unwrap_or(Path::new("."));
    let places = [directory.join(PLUGIN), directory.join("..").join(PLUGIN), directory.join("../lib/rmc").join(PLUGIN)];
    let near = || directory.display().to_string();
    places.into_iter().find(|place| place.exists()).ok_or_else(|| CompileError::NoPlugin { near: near() })
}
