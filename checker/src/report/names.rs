//! Names of C++ functions in reports that people read: long lists of template arguments are shortened, and
//! rows of frames of the standard library are one line. JSON reports have the names and frames in full.

use std::ops::Range;

use super::json::StackFrame;
use crate::ir::program::is_standard_library;

/// A name of at most so many characters is shown in full.
const LONG: usize = 60;

/// The name with the innermost template arguments as `...`, and then those around them, until it is not long.
#[must_use]
pub fn short(name: &str) -> String {
    let mut name = name.to_owned();
    while name.chars().count() > LONG {
        let Some(shorter) = without_innermost(&name) else { break };
        name = shorter;
    }
    name
}

/// The name with the lists of template arguments that contain no list to shorten as `...`; none if no list is
/// left.
fn without_innermost(name: &str) -> Option<String> {
    let lists = lists(name);
    let contains = |outer: &Range<usize>, inner: &Range<usize>| outer.start < inner.start && inner.end < outer.end;
    let mut innermost: Vec<_> =
        lists.iter().filter(|list| !lists.iter().any(|inner| contains(list, inner))).cloned().collect();
    innermost.sort_unstable_by_key(|list| list.start);
    let mut shorter = name.to_owned();
    for list in innermost.iter().rev() {
        shorter.replace_range(list.clone(), "...");
    }
    (!innermost.is_empty()).then_some(shorter)
}

/// What is between the brackets of each list of template arguments that `...` would shorten.
///
/// A list begins right after a name. So the brackets of operators and arrows begin none; nor does Rust's
/// `<T as Trait>`.
fn lists(name: &str) -> Vec<Range<usize>> {
    let (mut open, mut lists) = (Vec::new(), Vec::new());
    let mut before = ' ';
    for (at, letter) in name.char_indices() {
        let is_operator = name[..at].trim_end_matches(['<', '>', '-', '=']).ends_with("operator");
        match letter {
            '<' if !is_operator => open.push((at + 1, before.is_alphanumeric() || before == '_')),
            '>' if !is_operator && before != '-' => {
                if let Some((from, true)) = open.pop() {
                    lists.push(from..at);
                }
            }
            _ => {}
        }
        before = letter;
    }
    lists.retain(|list| list.len() > "...".len());
    lists
}

/// True for the place of a function of the language's standard library.
fn is_standard(frame: &StackFrame) -> bool {
    is_standard_library(&frame.place)
}

/// The frames of a stack that are shown, innermost first, each with the number of those that it stands for
/// besides. Of frames of the standard library in a row, the outermost is shown, which is what the program
/// called.
pub fn shown_frames(frames: &[StackFrame]) -> impl Iterator<Item = (&StackFrame, usize)> {
    let rows = frames.chunk_by(|one, next| is_standard(one) && is_standard(next));
    rows.filter_map(|row| row.split_last()).map(|(outermost, inner)| (outermost, inner.len()))
}

/// The lines for a stack: [`shown_frames`], or, if `full` is set, all frames with their full names.
#[must_use]
pub fn stack(frames: &[StackFrame], full: bool) -> Vec<String> {
    let line = |frame: &StackFrame| {
        let place = frame.known_place().map_or_else(String::new, |place| format!(" at {place}"));
        format!("in {}{place}", if full { frame.function.clone() } else { short(&frame.function) })
    };
    if full {
        return frames.iter().map(line).collect();
    }
    let with_more = |(frame, more)| match more {
        0 => line(frame),
        more => format!("{}, and {more} more of the standard library", line(frame)),
    };
    shown_frames(frames).map(with_more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_template_arguments_go_first() {
        assert_eq!(short("queue<int>::push"), "queue<int>::push");
        let name = "std::map<std::basic_string<char, std::char_traits<char> >, std::vector<int> >::find";
        assert_eq!(short(name), "std::map<std::basic_string<...>, std::vector<int> >::find");
        let name = "thread_block_list<static_block<generic_strategy<1ul, 0ul, 0ul, block> >, object>::abandon";
        assert_eq!(short(name), "thread_block_list<static_block<...>, object>::abandon");
    }

    #[test]
    fn operators_and_arrows_are_no_lists() {
        let name = "a_namespace_with_a_long_name::a_class_with_a_long_name<double>::operator<<";
        assert_eq!(short(name), name.replace("<double>", "<...>"));
        let name = "<a_crate::a_long_name::Type<with::parameters::First> as a_trait::Of::Things>::call";
        assert_eq!(short(name), "<a_crate::a_long_name::Type<...> as a_trait::Of::Things>::call");
        let name = "a_namespace_with_a_long_name::a_class_with_a_long_name::operator->";
        assert_eq!(short(name), name);
    }

    #[test]
    fn a_library_of_the_program_is_not_the_standard_one() {
        let of_rust =
            ["/usr/src/rustc-1.63.0/library/core/src/option.rs", "/rustc/4b91a6e/library/std/src/thread/mod.rs"];
        assert!(of_rust.into_iter().all(is_standard_library));
        assert!(is_standard_library("/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/atomic"));
        assert!(["/src/library/core/src/queue.c", "queue.rs"].into_iter().all(|path| !is_standard_library(path)));
    }

    #[test]
    fn frames_of_the_standard_library_are_one_line() {
        let frame = |function: &str, place: &str| StackFrame { function: function.into(), place: place.into() };
        let header = "/usr/include/c++/12/bits/atomic_base.h:486";
        let frames = [
            frame("std::__atomic_base<int>::load", header),
            frame("std::__atomic_base<int>::operator int", header),
            frame("main", "a.cc:3"),
            frame("program start", "?"),
        ];
        let shown = stack(&frames, false);
        let first = format!("in std::__atomic_base<int>::operator int at {header}, and 1 more of the standard library");
        assert_eq!(shown, [first.as_str(), "in main at a.cc:3", "in program start"]);
        assert_eq!(stack(&frames, true).len(), 4);
    }
}
