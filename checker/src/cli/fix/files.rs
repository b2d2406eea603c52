//! The user's files that a repair may edit, and their copies for the compiler.
//!
//! Files are found as the compiler finds them: the sources of the program, and the headers that they include
//! and that are not the system's. A copy is no file beside the original: clang is told to read it in its
//! place (`-ivfsoverlay`), so that names, relative includes and directives with lines stay as they are.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::cli::compile::{CompileError, Compiler};
use crate::cli::kind;
use crate::outcome::delay::{Delay, SourcePoint};
use crate::repair::apply::{Changed, apply};
use crate::repair::candidates::{Edit, Sources};
use crate::repair::source::{Language, Source};

/// A file.
struct File {
    language: Language,
    /// The names by which the compiler knows it, made absolute.
    names: Vec<PathBuf>,
}

/// The files that may be edited. Their names in [`Sources`] and edits are canonical paths.
pub struct Files {
    files: BTreeMap<PathBuf, File>,
    /// Their texts.
    pub sources: Sources,
    /// The names of files in places, by canonical path.
    shown: BTreeMap<String, String>,
}

impl Files {
    /// The files of a program with these inputs.
    ///
    /// # Errors
    /// [`CompileError`]: an input cannot be read.
    pub fn of(compiler: &Compiler, inputs: &[PathBuf]) -> Result<Self, CompileError> {
        let (mut files, mut shown): (BTreeMap<PathBuf, File>, _) = (BTreeMap::new(), BTreeMap::new());
        for input in inputs {
            for (name, language) in compiler.files_of(input)? {
                let Ok(path) = name.canonicalize() else { continue };
                let language = match language {
                    kind::Language::C => Language::C,
                    kind::Language::Cxx => Language::Cxx,
                    kind::Language::Rust => continue,
                };
                shown.entry(path.display().to_string()).or_insert_with(|| as_shown(&name.display().to_string()));
                let file = files.entry(path).or_insert(File { language, names: Vec::new() });
                file.names.push(std::path::absolute(&name).unwrap_or(name));
            }
        }
        let read = |(path, file): (&PathBuf, &File)| {
            // A file that is no text is not edited.
            let text = fs::read_to_string(path).ok()?;
            Some((path.display().to_string(), Source::new(text, file.language)))
        };
        let sources = files.iter().filter_map(read).collect();
        Ok(Self { files, sources, shown })
    }

    /// The name of a file in places.
    #[must_use]
    pub fn shown<'a>(&'a self, file: &'a str) -> &'a str {
        self.shown.get(file).map_or(file, String::as_str)
    }

    /// A delay of the program with these edits, in terms of the program without. Files that may be edited
    /// have their canonical names in it.
    pub fn original(&mut self, delay: &Delay, edited: &Edited) -> Delay {
        let mut delay = delay.clone();
        delay.path.iter_mut().flatten().for_each(|point| self.make_original(point, edited));
        delay
    }

    /// A line of the program with these edits, in terms of the program without.
    pub fn original_line(&mut self, file: &str, line: u32, edited: &Edited) -> u32 {
        let mut point = SourcePoint { file: file.to_owned(), line, column: 1, code: (0, 0) };
        self.make_original(&mut point, edited);
        point.line
    }

    fn make_original(&mut self, point: &mut SourcePoint, edited: &Edited) {
        let Some(path) = self.find(&point.file) else { return };
        let name = path.display().to_string();
        self.shown.insert(name.clone(), as_shown(&point.file));
        point.file = name;
        if let (Some((changed, source)), Some(before)) = (edited.texts.get(&point.file), self.sources.get(&point.file))
            && let Some(byte) = source.byte(point.line, point.column)
        {
            (point.line, point.column) = before.line_and_column(changed.before(byte));
        }
    }

    /// The canonical path of the file that a place names, if it may be edited.
    fn find(&self, name: &str) -> Option<PathBuf> {
        let path = Path::new(name).canonicalize().ok()?;
        self.sources.contains_key(&path.display().to_string()).then_some(path)
    }

    /// The texts with these edits.
    #[must_use]
    pub fn edited<'e>(&self, edits: impl IntoIterator<Item = &'e Edit>) -> Edited {
        let mut changes: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for edit in edits {
            changes.entry(edit.file.clone()).or_default().extend(edit.changes.iter().cloned());
        }
        let texts = changes.into_iter().map(|(file, changes)| {
            let source = &self.sources[&file];
            let changed = apply(&source.text, changes);
            let language = self.files[Path::new(&file)].language;
            let source = Source::new(changed.text.clone(), language);
            (file, (changed, source))
        });
        Edited { texts: texts.collect() }
    }

    /// Writes the edited texts into a directory, with a file for `-ivfsoverlay` that puts them in the place
    /// of the originals; none if there are no edits.
    ///
    /// # Errors
    /// The system's.
    pub fn overlay(&self, edited: &Edited, directory: &TempDir) -> io::Result<Option<PathBuf>> {
        if edited.texts.is_empty() {
            return Ok(None);
        }
        let mut roots = Vec::new();
        for (number, (file, (changed, _))) in edited.texts.iter().enumerate() {
            let copy = directory.path().join(format!("copy-{number}"));
            fs::write(&copy, &changed.text)?;
            let path = PathBuf::from(file);
            let names = [&path].into_iter().chain(&self.files[&path].names);
            let entry = |name: &PathBuf| serde_json::json!({"type": "file", "name": name, "external-contents": copy});
            roots.extend(names.map(entry));
        }
        roots.dedup();
        let overlay =
            serde_json::json!({"version": 0, "case-sensitive": "true", "use-external-names": "false", "roots": roots});
        let path = directory.path().join("overlay.yaml");
        fs::write(&path, overlay.to_string())?;
        Ok(Some(path))
    }
}

/// The name of a file as it is shown.
fn as_shown(name: &str) -> String {
    name.trim_start_matches("./").to_owned()
}

/// The texts of files with edits, by canonical path.
pub struct Edited {
    texts: BTreeMap<String, (Changed, Source)>,
}
