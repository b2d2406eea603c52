//! The compilation database of a build, `compile_commands.json`: the options with which each source is
//! compiled.
//!
//! Format: <https://clang.llvm.org/docs/JSONCompilationDatabase.html>. An entry names a directory, a file and
//! either `arguments`, a list, or `command`, which is split as a shell would. Names are relative to the
//! entry's directory. Here they are made absolute, so that names on the command line stay relative to the
//! working directory.
//!
//! Options that say what the compiler outputs and where are left out, and so are `-O`, `-g` and `-Werror`: a
//! program is checked as it is written unless the user asks for something else.
//!
//! Tests: below and `tests/tests/inputs.rs`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// The file's name in the directory of the build.
const NAME: &str = "compile_commands.json";
/// The largest number of sources that a message names.
const SHOWN: usize = 20;

/// Options without a value that are left out.
const LEFT_OUT: [&str; 12] =
    ["-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MP", "-MG", "-emit-llvm", "-save-temps", "-###"];
/// Options with a value, in the same word or the next, that are left out with it.
const LEFT_OUT_WITH_VALUE: [&str; 5] = ["-o", "-MF", "-MT", "-MQ", "-MJ"];
/// Prefixes of options that are left out.
const LEFT_OUT_BEGINNINGS: [&str; 3] = ["-O", "-g", "-Werror"];

/// The reasons for which a database does not tell how a source is compiled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// There is no readable database.
    #[error(
        "{path}: {error}\n  -p names the directory of a build with {NAME}; CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, bear around make"
    )]
    Unreadable {
        /// The file.
        path: String,
        /// The system's reason.
        error: io::Error,
    },
    /// The file is not a compilation database.
    #[error("{path}: is no compilation database: {message}")]
    Malformed {
        /// The file.
        path: String,
        /// The first mistake and its position.
        message: String,
    },
    /// No source was named on the command line.
    #[error("{path}: name the sources of the program to check; the database has\n{sources}")]
    NothingNamed {
        /// The database.
        path: String,
        /// The sources that could be named, one a line.
        sources: String,
    },
    /// The named source is not in the build.
    #[error("{source_file}: is not in {path}, which has\n{sources}")]
    Missing {
        /// The named source.
        source_file: String,
        /// The database.
        path: String,
        /// The sources that could be named, one a line.
        sources: String,
    },
    /// The named source is compiled in several ways.
    #[error("{source_file}: is in {path} several times, with different options; name a database that has it once")]
    Ambiguous {
        /// The named source.
        source_file: String,
        /// The database.
        path: String,
    },
}

/// A compilation database.
#[derive(Clone, Debug)]
pub struct Database {
    path: PathBuf,
    /// A source and its options, for each entry.
    entries: Vec<(PathBuf, Vec<String>)>,
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

impl Database {
    /// The database of the build in `directory`.
    ///
    /// # Errors
    /// [`DatabaseError`], of the file.
    pub fn read(directory: &Path) -> Result<Self, DatabaseError> {
        let path = directory.join(NAME);
        let named = path.display().to_string();
        let text =
            fs::read_to_string(&path).map_err(|error| DatabaseError::Unreadable { path: named.clone(), error })?;
        let malformed = |message: String| DatabaseError::Malformed { path: named.clone(), message };
        let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
        // A relative directory is relative to that of the database.
        let base = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        let entries = entries.into_iter().map(|entry| {
            let file = entry.file.display().to_string();
            read(entry, &base).map_err(|what| malformed(format!("the entry of {file} {what}")))
        });
        let entries = entries.collect::<Result<_, _>>()?;
        Ok(Self { path, entries })
    }

    /// The options with which `source` is compiled.
    ///
    /// # Errors
    /// [`DatabaseError`]: it is not in the database, or there in several ways.
    pub fn options(&self, source: &Path) -> Result<&[String], DatabaseError> {
        let (source_file, path) = (source.display().to_string(), self.path.display().to_string());
        let source = canonical(source);
        let mut found = self.entries.iter().filter(|(file, _)| *file == source).map(|(_, options)| options);
        let Some(first) = found.next() else {
            return Err(DatabaseError::Missing { source_file, path, sources: self.sources() });
        };
        if found.any(|other| other != first) {
            return Err(DatabaseError::Ambiguous { source_file, path });
        }
        Ok(first)
    }

    /// The error of a run that names no source.
    #[must_use]
    pub fn nothing_named(&self) -> DatabaseError {
        DatabaseError::NothingNamed { path: self.path.display().to_string(), sources: self.sources() }
    }

    fn sources(&self) -> String {
        let here = std::env::current_dir().unwrap_or_default();
        let name = |file: &Path| file.strip_prefix(&here).unwrap_or(file).display().to_string();
        let mut names: Vec<_> = self.entries.iter().map(|(file, _)| name(file)).collect();
        names.sort();
        names.dedup();
        let more = names.len().saturating_sub(SHOWN);
        let mut lines: Vec<_> = names.iter().take(SHOWN).map(|name| format!("  {name}")).collect();
        if more > 0 {
            lines.push(format!("  and {more} more"));
        }
        if lines.is_empty() { "  no sources".to_owned() } else { lines.join("\n") }
    }
}

fn read(entry: Entry, base: &Path) -> Result<(PathBuf, Vec<String>), String> {
    let directory = base.join(entry.directory);
    let file = canonical(&directory.join(entry.file));
    let words = match (entry.arguments, entry.command) {
        (Some(arguments), _) => arguments,
        (None, Some(command)) => {
            shlex::split(&command).ok_or("has a command with a quotation mark that has no other one")?
        }
        (None, None) => return Err("has neither `arguments` nor `command`".to_owned()),
    };
    let is_file = |word: &str| canonical(&directory.join(word)) == file;
    let options = options(words, is_file);
    Ok((file, absolute(options, &directory)))
}

/// Makes the names of files and directories in options absolute. The name of a header of `-include` stays as
/// it is if no such file exists, since the header may be found among the directories for headers.
fn absolute(options: Vec<String>, directory: &Path) -> Vec<String> {
    const NAMED: [&str; 9] =
        ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "--sysroot=", "@"];
    let join = |option: &str, name: &str| {
        let joined = directory.join(name);
        let is_searched_for = matches!(option, "-include" | "-imacros") && !joined.exists();
        if is_searched_for { name.to_owned() } else { joined.display().to_string() }
    };
    let mut options = options.into_iter();
    let mut out = Vec::new();
    while let Some(word) = options.next() {
        match NAMED.into_iter().find_map(|option| Some((option, word.strip_prefix(option)?))) {
            Some((option, "")) => {
                let name = options.next().map(|name| join(option, &name));
                out.extend([word].into_iter().chain(name));
            }
            Some((option, name)) => out.push(format!("{option}{}", join(option, name))),
            None => out.push(word),
        }
    }
    out
}

/// The options among the words of a command. The words before them are the compiler and its launcher, such as
/// `ccache`.
fn options(words: Vec<String>, is_file: impl Fn(&str) -> bool) -> Vec<String> {
    let mut words = words.into_iter().skip(1).skip_while(|word| !word.starts_with('-') && !is_file(word));
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if LEFT_OUT_WITH_VALUE.contains(&word.as_str()) {
            words.next();
        } else if typed_value(&word).is_some() {
            kept.push(word);
            kept.extend(words.next());
        } else if !is_left_out(&word) && word != "--" && (word.starts_with('-') || !is_file(&word)) {
            kept.push(word);
        }
    }
    kept
}

/// The option whose value is the next word, if `word` is one. That value is neither an option nor a source,
/// whatever it looks like.
fn typed_value(word: &str) -> Option<&'static str> {
    const SEPARATE: [&str; 14] = [
        "-D",
        "-U",
        "-I",
        "-include",
        "-imacros",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-iprefix",
        "-isysroot",
        "-x",
        "-Xclang",
        "-Xpreprocessor",
        "-target",
    ];
    SEPARATE.into_iter().find(|option| *option == word)
}

fn is_left_out(word: &str) -> bool {
    let begins = |beginnings: &[&str]| beginnings.iter().any(|beginning| word.starts_with(beginning));
    LEFT_OUT.contains(&word) || begins(&LEFT_OUT_BEGINNINGS) || begins(&LEFT_OUT_WITH_VALUE)
}

/// A canonical name, by which files are compared.
fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &str, expected: &[&str]) {
        let words = shlex::split(command).expect("a whole command");
        assert_eq!(options(words, |word| word.ends_with(".c")), expected, "{command}");
    }

    #[test]
    fn only_what_says_how_is_kept() {
        check("cc -O2 -g3 -c -o a.o -DX=1 a.c", &["-DX=1"]);
        check("ccache gcc -DX -I ../include -MD -MF a.d -MT a.o -c a.c -oa.o", &["-DX", "-I", "../include"]);
        check(r#"cc -D'NAME="a b"' -include "my file.h" -- a.c"#, &["-DNAME=\"a b\"", "-include", "my file.h"]);
        check("cc a.c -std=c11 -Wall -Werror -Werror=all -pthread", &["-std=c11", "-Wall", "-pthread"]);
        check("cc -include a.c -x c b.c", &["-include", "a.c", "-x", "c"]);
    }

    #[test]
    fn names_are_made_absolute() {
        let words = ["-Iinclude", "-I", "/usr", "-include", "no_such_file.h", "-DX"].map(str::to_owned);
        let expected = ["-I/build/include", "-I", "/usr", "-include", "no_such_file.h", "-DX"];
        assert_eq!(absolute(words.to_vec(), Path::new("/build")), expected);
    }
}
