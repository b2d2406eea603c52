//! Paths of source files as reports show them, those of native runs and those of the checker. Headers of
//! libraries come with detours, as in `/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/atomic`.

use std::path::{Component, Path, PathBuf};

/// A path without `.`, and without directories that are entered and left again. Where the file is there and the
/// short path is that of another one, as where a directory that is left is a link, the path as it is.
#[must_use]
pub fn without_detours(path: &str) -> String {
    if !path.contains("/../") && !path.contains("/./") {
        return path.to_owned();
    }
    let mut short = PathBuf::new();
    for component in Path::new(path).components() {
        match (component, short.components().next_back()) {
            (Component::ParentDir, Some(Component::Normal(_))) => {
                short.pop();
            }
            _ => short.push(component),
        }
    }
    let is_other = Path::new(path).canonicalize().is_ok_and(|file| short.canonicalize().ok() != Some(file));
    if is_other { path.to_owned() } else { short.display().to_string() }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_detour_is_left_out_unless_it_passes_a_link() {
        let root = tempfile::tempdir().unwrap();
        let directory = |name: &str| fs::create_dir_all(root.path().join(name)).unwrap();
        directory("gcc/12");
        directory("include");
        directory("elsewhere/12/include");
        for file in ["include/atomic", "elsewhere/include"] {
            let file = root.path().join(file);
            if !file.exists() {
                fs::write(file, "").unwrap();
            }
        }
        symlink(root.path().join("elsewhere/12"), root.path().join("link")).unwrap();
        let path = |name: &str| root.path().join(name).display().to_string();

        assert_eq!(without_detours(&path("gcc/12/../../include/atomic")), path("include/atomic"));
        // The link's parent has `include`, and so has the directory with the link.
        assert_eq!(without_detours(&path("link/../include")), path("link/../include"));
        assert_eq!(without_detours("/usr/bin/../lib/./missing.h"), "/usr/lib/missing.h");
        assert_eq!(without_detours("../../include/../own.h"), "../../own.h");
    }
}
