//! Changes of a text as a unified diff, for `patch -p1`.
//!
//! The changes are known, so nothing is compared: each changed line becomes the lines that the changed text
//! has in its place. Format: POSIX.1-2024, `diff`, "Diff -u or -U output format".

use std::fmt::Write;

use super::apply::apply;
use super::edit::Change;

/// The number of unchanged lines before and after a change.
const CONTEXT: usize = 3;

/// A line of the text, and the lines that stand there afterwards.
struct Line<'t> {
    before: &'t str,
    after: Vec<String>,
}

impl Line<'_> {
    /// True if the line stays before what is added, and if it stays after that.
    fn stays(&self) -> [bool; 2] {
        [self.after.first(), self.after.last()].map(|line| line.is_some_and(|line| line == self.before))
    }

    fn is_changed(&self) -> bool {
        !matches!(&self.after[..], [only] if only == self.before)
    }
}

/// The diff of a file of this name, relative to the directory in which the diff is applied.
#[must_use]
pub fn unified(name: &str, text: &str, changes: &[Change]) -> String {
    let lines = lines(text, changes);
    // A name with a space ends at a tab.
    let end = if name.contains(' ') { "\t" } else { "" };
    let mut out = format!("--- a/{name}{end}\n+++ b/{name}{end}\n");
    let changed: Vec<_> = (0..lines.len()).filter(|&at| lines[at].is_changed()).collect();
    let mut hunks: Vec<(usize, usize)> = Vec::new();
    for at in changed {
        // A line that stays is one of the context. With more lines before a change than after it, patch would
        // take the hunk for one at the end of the file.
        let [before, after] = lines[at].stays().map(|stays| if stays { CONTEXT - 1 } else { CONTEXT });
        let (from, to) = (at.saturating_sub(before), (at + after + 1).min(lines.len()));
        match hunks.last_mut() {
            Some(last) if from <= last.1 => last.1 = to,
            _ => hunks.push((from, to)),
        }
    }
    let mut added = 0;
    for (from, to) in hunks {
        let (before, after) = (to - from, lines[from..to].iter().map(|line| line.after.len()).sum::<usize>());
        let _ = writeln!(out, "@@ -{},{before} +{},{after} @@", from + 1, from + 1 + added);
        added += after - before;
        lines[from..to].iter().for_each(|line| describe(&mut out, line));
    }
    out
}

fn describe(out: &mut String, line: &Line<'_>) {
    let same = line.after.iter().position(|after| after == line.before);
    let mut write = |sign: char, text: &str| {
        let _ = write!(out, "{sign}{text}");
        if !text.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    };
    match same {
        Some(same) => {
            line.after.iter().enumerate().for_each(|(at, after)| write(if at == same { ' ' } else { '+' }, after));
        }
        None => {
            write('-', line.before);
            line.after.iter().for_each(|after| write('+', after));
        }
    }
}

/// The lines of a text with their ends, and what they become.
fn lines<'t>(text: &'t str, changes: &[Change]) -> Vec<Line<'t>> {
    let mut from = 0;
    let line = |before: &'t str| {
        let to = from + before.len();
        // Text at the end of the last line, which may have no newline, belongs to it.
        let is_last = to == text.len();
        let here = changes.iter().filter(|change| change.at >= from && (change.at < to || is_last));
        let here = here.map(|change| Change { at: change.at - from, ..change.clone() });
        let after = apply(before, here).text;
        from = to;
        Line { before, after: after.split_inclusive('\n').map(str::to_owned).collect() }
    };
    text.split_inclusive('\n').map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, changes: &[(usize, usize, &str)], expected: &str) {
        let changes =
            changes.iter().map(|&(at, removed, inserted)| Change { at, removed, inserted: inserted.to_owned() });
        assert_eq!(unified("f.c", text, &changes.collect::<Vec<_>>()), format!("--- a/f.c\n+++ b/f.c\n{expected}"));
    }

    #[test]
    fn lines_are_added_and_replaced() {
        check("a\nb\nc\n", &[(3, 0, "\nx")], "@@ -1,3 +1,4 @@\n a\n b\n+x\n c\n");
        check("a\nb\nc\n", &[(2, 0, "x\n"), (4, 1, "d")], "@@ -1,3 +1,4 @@\n a\n+x\n b\n-c\n+d\n");
        check(
            "a",
            &[(1, 0, " b")],
            "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a b\n\\ No newline at end of file\n",
        );
    }

    #[test]
    fn distant_changes_are_hunks_of_their_own() {
        let text: String = (0..20).map(|line| format!("{line}\n")).collect();
        let last = text.find("18").expect("it is there");
        check(
            &text,
            &[(0, 0, "x\n"), (last, 2, "y")],
            "@@ -1,3 +1,4 @@\n+x\n 0\n 1\n 2\n@@ -16,5 +17,5 @@\n 15\n 16\n 17\n-18\n+y\n 19\n",
        );
    }
}
