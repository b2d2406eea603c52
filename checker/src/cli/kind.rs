//! The kinds of input files, and how they are read.

use std::fs;
use std::io::Read;
use std::path::Path;

use rmc_rust::options;
use rmc_rust::toolchain::Form;

use super::compile_error::CompileError;

/// The input that stands for standard input.
pub const STANDARD_INPUT: &str = "-";
/// The magic numbers of bitcode, without and with a wrapper header.
pub const BITCODE: [&[u8]; 2] = [b"BC\xC0\xDE", b"\xDE\xC0\x17\x0B"];

/// The kinds of input files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A source, for clang.
    Source(Language),
    /// Bitcode or LLVM assembly, instrumented or not.
    Bitcode,
    /// A Rust program, or all of it but its libraries, as rustc made it.
    RustModule(Form),
    /// An archive of object files.
    Archive,
}

/// The languages of sources.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cxx,
    /// Rust.
    Rust,
}

/// The kind of an input: by its extension, else by how its content begins.
pub fn kind_of(path: &Path) -> Result<Kind, CompileError> {
    if let Some(form) = options::form_of_module(path).filter(|_| !path.is_dir()) {
        return Ok(Kind::RustModule(form));
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        _ if path.is_dir() => Err(CompileError::Directory { path: path.display().to_string() }),
        Some("c" | "i") => Ok(Kind::Source(Language::C)),
        _ if path == Path::new(STANDARD_INPUT) => Ok(Kind::Source(Language::C)),
        Some("cc" | "cpp" | "cxx" | "C" | "c++") => Ok(Kind::Source(Language::Cxx)),
        Some("rs") => Ok(Kind::Source(Language::Rust)),
        Some("bc" | "ll") => Ok(Kind::Bitcode),
        Some("a") => Ok(Kind::Archive),
        _ if begins_with(path, &BITCODE) => Ok(Kind::Bitcode),
        _ if begins_with(path, &[b"!<ar", b"!<th"]) => Ok(Kind::Archive),
        _ if begins_with(path, &[b"\x7FELF"]) => Err(CompileError::MachineCode { path: path.display().to_string() }),
        _ if path.exists() => Err(CompileError::UnknownKind { path: path.display().to_string() }),
        // The error says why there is no such file.
        _ => check_readable(path).map(|()| Kind::Source(Language::C)),
    }
}

/// True if a program, or a part of it, is written in Rust, and is not prepared yet.
pub fn is_rust(path: &Path) -> bool {
    matches!(kind_of(path), Ok(Kind::Source(Language::Rust) | Kind::RustModule(_)))
}

/// True if a file begins with one of these sequences of four bytes.
pub fn begins_with(path: &Path, beginnings: &[&[u8]]) -> bool {
    let mut first = [0; 4];
    let is_read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut first));
    is_read.is_ok() && beginnings.contains(&&first[..])
}

/// Refuses a file that cannot be read, with a clearer message than that of the tool which would read it.
pub fn check_readable(path: &Path) -> Result<(), CompileError> {
    read(path).map(drop)
}

pub fn read(path: &Path) -> Result<Vec<u8>, CompileError> {
    fs::read(path).map_err(|error| CompileError::Unreadable { path: path.display().to_string(), error })
}
