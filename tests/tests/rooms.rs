//! The rooms of `checker/src` depend downwards only.
//!
//! Their order is the list in ARCHITECTURE.md, the highest first: a file may name items of its own room and
//! of rooms below. A file belongs to the room with the longest name that its path begins with.

use std::fs;

use rmc_tests::harness::repository;
use rmc_tests::sources::{Source, sources};

/// The rooms in ARCHITECTURE.md, the highest first.
fn rooms() -> Vec<String> {
    let text = fs::read_to_string(repository().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let list = text.split("```rooms\n").nth(1).and_then(|rest| rest.split("```").next());
    let lines = list.expect("a list of rooms").lines();
    lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

/// The path of a file as a module: `engine/mod.rs` and `engine.rs` are `engine`.
fn module_of(path: &str) -> &str {
    let path = path.strip_suffix(".rs").unwrap_or(path);
    path.strip_suffix("/mod").unwrap_or(path)
}

/// The number of the room of a module; `None` for the crate itself.
fn room_of(rooms: &[String], module: &str) -> Option<usize> {
    let is_in = |room: &str| module.strip_prefix(room).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let inside = rooms.iter().enumerate().filter(|(_, room)| is_in(room));
    inside.max_by_key(|(_, room)| room.len()).map(|(number, _)| number)
}

/// The modules that a line of a file names: `crate::…`, and `super::…` as seen from that file.
fn named<'l>(line: &'l str, module: &'l str) -> impl Iterator<Item = String> + 'l {
    let path = |rest: &str| {
        let is_part = |one: char| one.is_alphanumeric() || one == '_' || one == ':';
        let path: String = rest.chars().take_while(|&one| is_part(one)).collect();
        path.replace("::", "/").trim_end_matches(['/', ':']).to_owned()
    };
    let of_crate = line.match_indices("crate::").map(move |(at, word)| path(&line[at + word.len()..]));
    let of_parent = line.match_indices("super::").filter(|&(at, _)| !line[..at].ends_with("super::"));
    let of_parent = of_parent.map(move |(at, _)| {
        let (mut above, mut rest) = (module, &line[at..]);
        while let Some(deeper) = rest.strip_prefix("super::") {
            above = above.rsplit_once('/').map_or("", |(parent, _)| parent);
            rest = deeper;
        }
        format!("{above}/{}", path(rest)).trim_matches('/').to_owned()
    });
    of_crate.chain(of_parent)
}

/// The places where a file names an item of a room above its own, one per line.
fn upward(rooms: &[String], sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for Source { path, text } in sources {
        let module = module_of(path);
        let Some(own) = room_of(rooms, module) else { continue };
        let code = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        for (number, line) in code {
            // The path of a visibility is not a use.
            let line = line.trim_start();
            let line =
                line.strip_prefix("pub(in ").and_then(|rest| rest.split_once(')')).map_or(line, |(_, rest)| rest);
            let above = named(line, module).filter_map(|used| room_of(rooms, &used)).filter(|&room| room < own);
            let place = format!("{path}:{}", number + 1);
            found.extend(above.map(|room| format!("{place}: {} uses {}", rooms[own], rooms[room])));
        }
    }
    found
}

#[test]
fn rooms_depend_downwards_only() {
    let directory = repository().join("checker/src");
    let (rooms, files) = (rooms(), sources(&directory));
    for room in &rooms {
        assert!(directory.join(room).is_dir() || directory.join(format!("{room}.rs")).is_file(), "no room {room}");
    }
    let outside = files.iter().filter(|file| room_of(&rooms, module_of(&file.path)).is_none());
    let outside: Vec<_> = outside.map(|file| file.path.as_str()).collect();
    assert!(outside.iter().all(|path| ["lib.rs", "main.rs", "allocator.rs"].contains(path)), "in no room: {outside:?}");
    assert_eq!(upward(&rooms, &files), [""; 0]);
}

#[test]
fn an_upward_use_is_found() {
    let rooms = ["upper", "lower/part", "lower"].map(str::to_owned);
    let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
    let sources = [
        source("upper/mod.rs", "use crate::lower::Item;\nuse crate::lower::part;"),
        source("lower/one.rs", "use super::part::Item;\n// crate::upper is above.\nfn f() { crate::upper::g() }"),
        source("lower/part/mod.rs", "use super::one;\nuse super::super::upper::{A, B};"),
        source(
            "lower/part/two.rs",
            "pub(in crate::lower) struct Two(pub One);\n    pub(in crate::lower) two: crate::upper::A,",
        ),
    ];
    let expected = [
        "lower/one.rs:1: lower uses lower/part",
        "lower/one.rs:3: lower uses upper",
        "lower/part/mod.rs:2: lower/part uses upper",
        "lower/part/two.rs:2: lower/part uses upper",
    ];
    assert_eq!(upward(&rooms, &sources), expected);
}
