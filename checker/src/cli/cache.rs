//! Compiled inputs that are kept from run to run, in the directory that `RMC_CACHE` names.
//!
//! An input is found by all that its compilation depends on ([`Key`]): the content and the name of the
//! source, the options, the working directory, the environment that clang reads, and the tools themselves.
//! The headers that a source includes are known only when it was compiled, so their content is compared when
//! it is found. A header that appears later at an earlier place of the search path is not noticed, nor the
//! day that `__DATE__` means.
//!
//! Nothing is ever removed from the directory; it can be deleted at any time. What cannot be read or written
//! is compiled anew.
//!
//! Tests: `tests/tests/cache.rs`.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::draft::Draft;

/// The variable that names the directory.
const VARIABLE: &str = "RMC_CACHE";
/// The variables that change what clang finds.
const SEARCH: [&str; 4] = ["CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"];

/// The directory of compiled inputs.
pub struct Cache {
    directory: PathBuf,
}

/// The hash of all that a compilation depends on, but for headers.
#[derive(Clone)]
pub struct Key(Sha256);

/// The first line of an entry, in JSON. The bitcode follows.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// The hash of the bitcode.
    bitcode: String,
    /// The headers that the source included, with their hashes.
    headers: Vec<(PathBuf, String)>,
}

impl Cache {
    /// The cache that the environment names, if it names one.
    pub fn from_environment() -> Option<Self> {
        let directory = PathBuf::from(std::env::var_os(VARIABLE).filter(|name| !name.is_empty())?);
        fs::create_dir_all(&directory).ok()?;
        Some(Self { directory })
    }

    /// The cache for what depends on no input of a run, and is made in every run otherwise: that of the
    /// environment, or a directory of the user's; none if there is no such directory.
    pub fn of_user() -> Option<Self> {
        let named = |variable: &str| std::env::var_os(variable).filter(|name| !name.is_empty()).map(PathBuf::from);
        let of_home = || named("HOME").map(|home| home.join(".cache"));
        Self::from_environment().or_else(|| {
            let directory = named("XDG_CACHE_HOME").or_else(of_home)?.join("rmc");
            fs::create_dir_all(&directory).ok()?;
            Some(Self { directory })
        })
    }

    /// The instrumented bitcode that was kept under a key, if the headers are as they were and the entry is
    /// whole.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let content = fs::read(self.path(key)).ok()?;
        let end = content.iter().position(|&byte| byte == b'\n')?;
        let (entry, bitcode): (Entry, _) = (serde_json::from_slice(&content[..end]).ok()?, &content[end + 1..]);
        let is_same = |(path, hash): &(PathBuf, String)| hash_of_file(path).as_ref() == Some(hash);
        (hash(bitcode) == entry.bitcode && entry.headers.iter().all(is_same)).then(|| bitcode.to_vec())
    }

    /// Keeps instrumented bitcode. The headers are those that the source includes.
    pub fn put(&self, key: &Key, headers: Vec<PathBuf>, bitcode: &[u8]) {
        // Without the file, the input is compiled again in the next run.
        let _ = self.write(key, headers, bitcode);
    }

    fn write(&self, key: &Key, headers: Vec<PathBuf>, bitcode: &[u8]) -> Option<()> {
        let with_hash = |path: PathBuf| hash_of_file(&path).map(|hash| (path, hash));
        let headers = headers.into_iter().map(with_hash).collect::<Option<_>>()?;
        let mut draft = Draft::new(&self.path(key)).ok()?;
        serde_json::to_writer(draft.file(), &Entry { bitcode: hash(bitcode), headers }).ok()?;
        draft.file().write_all(b"\n").ok()?;
        draft.file().write_all(bitcode).ok()?;
        draft.publish().ok()
    }

    fn path(&self, Key(hash): &Key) -> PathBuf {
        self.directory.join(hex(&hash.clone().finalize()))
    }
}

impl Key {
    /// The key of a compilation by these tools, of which the first is this program itself.
    pub fn new(tools: &[PathBuf]) -> Self {
        let mut key = Self::of_tools(tools);
        key.add(std::env::current_dir().unwrap_or_default());
        for variable in SEARCH {
            key.add(std::env::var_os(variable).unwrap_or_default());
        }
        key
    }

    /// The key of something that depends on these tools and on nothing else yet.
    pub fn of_tools(tools: &[PathBuf]) -> Self {
        let mut key = Self(Sha256::new());
        for tool in tools {
            key.add(tool.as_os_str());
            // A tool that was replaced has another time or size.
            let changed = fs::metadata(tool).map(|file| (file.size(), file.mtime(), file.mtime_nsec()));
            key.add(format!("{changed:?}"));
        }
        key
    }

    /// Adds something that the compilation depends on.
    pub fn add(&mut self, part: impl AsRef<OsStr>) {
        self.add_bytes(part.as_ref().as_bytes());
    }

    /// Adds content that the compilation depends on.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        // The length separates it from the next part.
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }
}

/// The prerequisites in a rule of a makefile, as clang writes it with `-MF`; none if the text is no such
/// rule.
pub fn prerequisites(rule: &str) -> Option<Vec<PathBuf>> {
    let (_, list) = rule.split_once(": ")?;
    let (mut paths, mut path) = (Vec::new(), String::new());
    let mut letters = list.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some(' ' | '#' | '\\')) => path.extend(letters.next()),
            ('$', Some('$')) => path.extend(letters.next()),
            // The list goes on in the next line.
            ('\\', Some('\n')) => {}
            (letter, _) if letter.is_whitespace() => paths.push(std::mem::take(&mut path)),
            (letter, _) => path.push(letter),
        }
    }
    paths.push(path);
    Some(paths.into_iter().filter(|path| !path.is_empty()).map(PathBuf::from).collect())
}

fn hash_of_file(path: &Path) -> Option<String> {
    fs::read(path).ok().map(|content| hash(&content))
}

fn hash(content: &[u8]) -> String {
    hex(&Sha256::digest(content))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_rules_may_have_spaces() {
        let rule = "out.bc: a.c /usr/include/stdio.h \\\n  with\\ space.h price$$.h\n";
        let expected = ["a.c", "/usr/include/stdio.h", "with space.h", "price$.h"].map(PathBuf::from);
        assert_eq!(prerequisites(rule), Some(expected.to_vec()));
        assert_eq!(prerequisites("no rule"), None);
    }
}
