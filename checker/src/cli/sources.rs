//! The text of the source files that a page shows.

use std::path::{Path, PathBuf};

use crate::report::html::{self, Sources};
use crate::report::json::Report;

/// The source files of a report, as they are now; those that cannot be read are missing.
#[must_use]
pub fn read(report: &Report) -> Sources {
    let text = |file: &str| Some((file.to_owned(), std::fs::read(find(file, &report.inputs)?).ok()?));
    let texts = html::files(report).into_iter().filter_map(text);
    texts.map(|(file, text)| (file, String::from_utf8_lossy(&text).into_owned())).collect()
}

/// The path of a file. Clang names a file by its path from the innermost directory that is above both it and
/// the working directory.
fn find(file: &str, inputs: &[String]) -> Option<PathBuf> {
    let mut inputs = inputs.iter().map(Path::new);
    if let Some(input) = inputs.find(|input| input.ends_with(file)) {
        return Some(input.to_owned());
    }
    let here = std::env::current_dir().unwrap_or_default();
    here.ancestors().map(|above| above.join(file)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_found_by_the_end_of_its_path() {
        let inputs = ["src/queue.c".to_owned(), "/elsewhere/lib/queue.c".to_owned()];
        assert_eq!(find("src/queue.c", &inputs), Some(PathBuf::from("src/queue.c")));
        assert_eq!(find("lib/queue.c", &inputs), Some(PathBuf::from("/elsewhere/lib/queue.c")));
        assert_eq!(find("no/such/file.c", &inputs), None);
        // This file is not an input; it is in the working directory or above it.
        assert!(find("Cargo.toml", &inputs).is_some());
    }
}
