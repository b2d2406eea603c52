//! Paths of source files as they are shown. Headers of libraries come with detours in their paths, as in
//! `/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/atomic`.

use std::path::{Component, Path, PathBuf};

/// A path without directories that are entered and left again, if it names the same file. It does not where a
/// directory that is left is a link.
pub fn without_detours(path: &str) -> String {
    if !path.contains("/../") {
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
    let file = |path: &Path| path.canonicalize().ok();
    let is_same = file(&short).is_some_and(|there| file(Path::new(path)) == Some(there));
    if is_same { short.display().to_string() } else { path.to_owned() }
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
        assert_eq!(without_detours(&path("gcc/../missing.h")), path("gcc/../missing.h"));
        assert_eq!(without_detours("../include/own.h"), "../include/own.h");
    }
}
