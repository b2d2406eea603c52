//! The compiler's options on the command line: `-O2 -Wall -pthread -include FILE` are passed on unchanged.
//!
//! The compiler's options of several letters begin with one dash, which the parser of our own options takes
//! for several options. So each is converted into a hidden option of ours.

use std::ffi::{OsStr, OsString};

/// The hidden option.
pub const OPTION: &str = "compiler-option";

/// The hidden option of the file for the diff of `--fix`.
pub const DIFF: &str = "fix-diff";

/// The endings of names that the word after `--fix` has if it is such a file, and no input.
const DIFFS: [&str; 2] = [".diff", ".patch"];

/// Prefixes of the compiler's options whose value, if there is one, is part of the same word.
const JOINED: [&str; 8] = ["-O", "-W", "-w", "-f", "-g", "-m", "-pthread", "-nostdinc"];

/// Options of the compiler whose value may also be the next word. `-D` and `-I` are options of ours, too, but
/// here they keep their place among the others: `-UX -DX` is not `-DX -UX`.
const SEPARATE: [&str; 10] =
    ["-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-D", "-U", "-I", "-L", "-l"];

/// Our options that take the next word, whatever its prefix.
const GREEDY: [&str; 2] = ["--cflags", "--nondet-range"];

/// The arguments, with every option of the compiler converted into one of ours. Words after `--` are names of
/// files.
pub fn arguments(typed: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let (mut out, mut typed) = (Vec::new(), typed.into_iter().peekable());
    while let Some(argument) = typed.next() {
        let text = argument.to_str().unwrap_or_default();
        if text == "--" {
            out.push(argument);
            break;
        }
        if text.starts_with("-std=") {
            out.push(format!("-{text}").into());
        } else if SEPARATE.contains(&text) {
            out.push(ours(&argument));
            out.extend(typed.next().map(|value| ours(&value)));
        } else if SEPARATE.iter().chain(&JOINED).any(|option| text.starts_with(option)) {
            out.push(ours(&argument));
        } else {
            let (is_greedy, is_fix) = (GREEDY.contains(&text), text == "--fix" || text.starts_with("--fix="));
            match text.strip_prefix("--fix=").filter(|value| is_diff(value)) {
                Some(file) => out.extend(["--fix".into(), diff(file)]),
                None => out.push(argument),
            }
            if is_greedy {
                out.extend(typed.next());
            }
            if let Some(file) = typed.next_if(|next| is_fix && next.to_str().is_some_and(is_diff)) {
                out.push(diff(&file));
            }
        }
    }
    out.extend(typed);
    out
}

/// True if a word is the name of a file for a diff.
fn is_diff(word: &str) -> bool {
    !word.starts_with('-') && DIFFS.iter().any(|ending| word.ends_with(ending))
}

fn diff(file: impl AsRef<OsStr>) -> OsString {
    let mut option = OsString::from(format!("--{DIFF}="));
    option.push(file);
    option
}

fn ours(argument: &OsString) -> OsString {
    let mut option = OsString::from(format!("--{OPTION}="));
    option.push(argument);
    option
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(typed: &str, expected: &str) {
        let typed = typed.split(' ').map(OsString::from);
        let all: Vec<_> = arguments(typed).into_iter().map(|word| word.into_string().expect("text")).collect();
        assert_eq!(all.join(" ").replace("--compiler-option=", "="), expected);
    }

    #[test]
    fn options_of_the_compiler_are_told_from_ours() {
        check("rmc-check -O2 -Wall -g -pthread a.c", "rmc-check =-O2 =-Wall =-g =-pthread a.c");
        check("-U X -UX -include x.h -isystem/usr -lpthread", "=-U =X =-UX =-include =x.h =-isystem/usr =-lpthread");
        check("-std=c11 -UX -DX -I . -q -j 2 -v", "--std=c11 =-UX =-DX =-I =. -q -j 2 -v");
        check("--cflags -O2 -O1 --nondet-range -3..4", "--cflags -O2 =-O1 --nondet-range -3..4");
        check("--fix a.c --fix b.diff c.c", "--fix a.c --fix --fix-diff=b.diff c.c");
        check("--fix=assertions b.patch --fix=c.diff", "--fix=assertions --fix-diff=b.patch --fix --fix-diff=c.diff");
        check("-O2 -- -O2 -U.c", "=-O2 -- -O2 -U.c");
    }
}
