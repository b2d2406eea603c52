//! The edits of a repair, in words and as a diff.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::files::Files;
use crate::outcome::cycle::FenceKind;
use crate::outcome::delay::{Delay, Stack};
use crate::repair::Requirements;
use crate::repair::candidates::{Edit, EditKind};
use crate::repair::diff::unified;
use crate::repair::edit::Spot;
use crate::report::repair::RepairEdit;

/// Edits in words, and as a diff for a directory; the directory is empty for the working directory.
pub struct Described {
    /// The edits in words, in order of their places.
    pub edits: Vec<RepairEdit>,
    /// The diff.
    pub diff: String,
    /// The directory in which it is applied.
    pub directory: String,
}

/// Describes the edits with these numbers. Each edit has a delay that it forbids as its reason.
#[must_use]
pub fn repair(made: &[usize], requirements: &Requirements, reasons: &[Delay], files: &Files) -> Described {
    let of = |&number: &usize| described(&requirements.edits[number], &needed(&reasons[number], files), files);
    let mut edits: Vec<_> = made.iter().map(of).collect();
    edits.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    let mut changes: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for &number in made {
        let edit = &requirements.edits[number];
        changes.entry(&edit.file).or_default().extend(edit.changes.iter().cloned());
    }
    let here = std::env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
    let is_below = changes.keys().all(|file| Path::new(file).starts_with(&here));
    let base = if is_below { here } else { PathBuf::from("/") };
    let mut diff = String::new();
    for (file, changes) in &changes {
        let shown = files.shown(file);
        for edit in edits.iter().filter(|edit| edit.file == shown) {
            diff += &format!("{}:{}: {}, {}: {}\n", edit.file, edit.line, edit.text, edit.place, edit.why);
        }
        let name = Path::new(file).strip_prefix(&base).unwrap_or(Path::new(file));
        diff += &unified(&name.display().to_string(), &files.sources[*file].text, changes);
    }
    let directory = if is_below { String::new() } else { base.display().to_string() };
    Described { edits, diff, directory }
}

fn described(edit: &Edit, why: &str, files: &Files) -> RepairEdit {
    let source = &files.sources[&edit.file];
    let changed = edit.changes.iter().map(|change| change.at).max().unwrap_or(0);
    let text = match edit.kind {
        EditKind::Fence(kind) => source.fence(kind),
        EditKind::Order(_) => edit.changes[0].inserted.clone(),
    };
    RepairEdit {
        file: files.shown(&edit.file).to_owned(),
        line: source.line_and_column(changed).0,
        kind: edit.kind.strength(),
        place: match edit.spot {
            Spot::After(_) => "after this statement".to_owned(),
            Spot::Before(_) => "before this statement".to_owned(),
            Spot::InHead(_) => "before this condition in each turn".to_owned(),
            Spot::Between(_) => "between these expressions".to_owned(),
            Spot::Order(_) => "as the order of this store".to_owned(),
        },
        text,
        in_loop: edit.in_loop,
        cost: edit.cost(),
        why: why.to_owned(),
    }
}

/// The place of an edit and its text.
#[must_use]
pub fn place(edit: &Edit, files: &Files) -> String {
    let RepairEdit { file, line, text, place, .. } = described(edit, "", files);
    format!("{file}:{line}: {text}, {place}")
}

/// The effect of an edit against a delay, in words.
#[must_use]
pub fn needed(delay: &Delay, files: &Files) -> String {
    let [stored, later] = &delay.variables;
    let what = |kind: &str, name: &str| if name.is_empty() { kind.to_owned() } else { format!("{kind} {name}") };
    let (first, last) = (delay.path.first(), delay.path.last());
    let place = |stack: Option<&Stack>| {
        let point = stack.and_then(|stack| {
            let known = stack.iter().rev().find(|point| files.sources.contains_key(&point.file));
            known.or(stack.last())
        });
        point.map_or_else(String::new, |point| format!(" ({}:{})", files.shown(&point.file), point.line))
    };
    let operation = match delay.kind {
        FenceKind::Full => what("the later access to", later),
        FenceKind::StoreStore => what("the later store to", later),
    };
    format!("keeps {}{} before {operation}{}", what("the store to", stored), place(first), place(last))
}
