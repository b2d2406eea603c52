//! Printed histories are read again, in both formats, and no input makes a parser panic.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rmc_history::located::{Entry, Located};
use rmc_history::recorded::{
    Bytes, EventName, Expectation, Load, Operation, Origin, Part, Recorded, SourceName, Store, Thread,
};
use rmc_history::resolve::resolve;
use rmc_history::{json, text};

/// Names: mostly plain ones, also words of the format, and texts that need quotes.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[xyzm]", 1 => "from|init|for|w|expect|a\\.b_1", 1 => "\\PC{0,6}", 1 => "[ -~\n\t\"\\\\]{0,6}"]
}

fn part_of(variable: String) -> impl Strategy<Value = Part> {
    let bytes = prop::option::of((any::<u32>(), any::<u32>()));
    bytes.prop_map(move |bytes| Part {
        variable: variable.clone(),
        bytes: bytes.map(|(offset, len)| Bytes { offset, len }),
    })
}

fn source() -> impl Strategy<Value = SourceName> {
    let event = (name(), any::<u32>());
    let event = event.prop_map(|(thread, number)| SourceName::Event(EventName { thread, number }));
    prop_oneof![Just(SourceName::Initial), event]
}

/// Sources of a part: none, one of all bytes, or several of some bytes.
fn origins(variable: String) -> impl Strategy<Value = Vec<Origin>> {
    let some = (source(), part_of(variable)).prop_map(|(source, part)| Origin { source, part: Some(part) });
    prop_oneof![
        Just(Vec::new()),
        source().prop_map(|source| vec![Origin { source, part: None }]),
        prop::collection::vec(some, 1..4),
    ]
}

fn load() -> impl Strategy<Value = Load> {
    let load = |variable: String| (part_of(variable.clone()), any::<Option<u64>>(), origins(variable));
    name().prop_flat_map(load).prop_map(|(part, value, from)| {
        let value = if from.is_empty() { value.or(Some(7)) } else { value };
        Load { part, value, from }
    })
}

fn operation() -> impl Strategy<Value = Operation> {
    let store = (name().prop_flat_map(part_of), any::<Option<u64>>());
    prop_oneof![
        load().prop_map(Operation::Load),
        store.prop_map(|(part, value)| Operation::Store(Store { part, value })),
        (load(), any::<Option<u64>>()).prop_map(|(load, value)| Operation::Update(load, value)),
        load().prop_map(Operation::FailedExchange),
        Just(Operation::Fence),
        Just(Operation::StoreBarrier),
        (name(), source()).prop_map(|(mutex, from)| Operation::Lock { mutex, from }),
        name().prop_map(|mutex| Operation::Unlock { mutex }),
    ]
}

fn recorded() -> impl Strategy<Value = Recorded> {
    let threads = prop::collection::btree_map(name(), prop::collection::vec(operation(), 0..6), 0..4);
    let thread = |(name, events)| Thread { name, events };
    let threads = threads.prop_map(move |threads| threads.into_iter().map(thread).collect());
    let expect = any::<(Option<bool>, Option<bool>, Option<bool>)>();
    (
        prop::option::of(name()),
        prop::collection::btree_map(name(), any::<u32>(), 0..3),
        prop::collection::btree_map(name(), any::<u64>(), 0..3),
        threads,
        prop::collection::vec(load(), 0..3),
        expect.prop_map(|(sc, tso, pso)| Expectation { sc, tso, pso }),
    )
        .prop_map(|(name, sizes, initial, threads, finals, expect)| Recorded {
            name,
            sizes,
            initial,
            threads,
            finals,
            expect,
        })
}

fn histories(located: Vec<Located>) -> Vec<Recorded> {
    located.into_iter().map(|located| located.recorded).collect()
}

fn as_text(printed: &str) -> Vec<Recorded> {
    histories(text::parse(printed, "text").unwrap_or_else(|error| panic!("{error}\n{printed}")))
}

fn as_json(printed: &str) -> Vec<Recorded> {
    histories(json::parse(printed, "json").unwrap_or_else(|error| panic!("{error}\n{printed}")))
}

/// Reads an input and resolves what it says.
fn read(input: &str) {
    for located in [text::parse(input, "file"), json::parse(input, "file")].into_iter().flatten().flatten() {
        let _ = resolve(Entry { file: "file", number: 1, located: &located });
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn printed_text_is_read_again(all in prop::collection::vec(recorded(), 1..4)) {
        prop_assert_eq!(as_text(&text::print(&all)), all);
    }

    #[test]
    fn from_text_to_json_to_text(all in prop::collection::vec(recorded(), 1..4)) {
        let printed = text::print(&all);
        let read = as_json(&json::print(&as_text(&printed)));
        prop_assert_eq!(&read, &all);
        prop_assert_eq!(text::print(&read), printed);
    }

    #[test]
    fn mutated_input_makes_no_parser_panic(
        all in prop::collection::vec(recorded(), 1..3),
        mutations in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3), 1..12),
    ) {
        for printed in [text::print(&all), json::print(&all)] {
            let mut bytes = printed.into_bytes();
            for (at, byte, kind) in &mutations {
                let at = at.index(bytes.len());
                match kind {
                    0 => bytes[at] = *byte,
                    1 => bytes.insert(at, *byte),
                    _ => drop(bytes.drain(at..(at + usize::from(*byte % 8)).min(bytes.len()))),
                }
                if bytes.is_empty() {
                    break;
                }
            }
            read(&String::from_utf8_lossy(&bytes));
        }
    }

    #[test]
    fn any_words_make_no_parser_panic(
        words in prop::collection::vec("history|T1:|w|r|rmw|x|x/1|x\\+1/2|[0-9]|from|init|T1:1|for|->|lock|m|;|\n|\"|#|size|=|final|expect|sc|yes|\\PC", 0..40),
    ) {
        read(&words.join(" "));
        read(&words.concat());
    }
}

#[test]
fn the_example_of_the_documentation_is_what_it_says() {
    let documentation = include_str!("../src/json/mod.rs");
    let example =
        documentation.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let example: Vec<&str> = example.lines().map(|line| line.trim_start_matches("//!")).collect();
    let read = as_json(&example.join("\n"));
    let expected = "\
history \"SB with more of everything\"
  size x=2
  init y=1
  T1: w x 513; w x+1/1 7; r y 1; rmw y 1 from init -> 2; failed-cas y from T1:4; fence; stbar; lock m from init; unlock m
  T2: r x from T1:1 for x/1, T1:2 for x+1/1; lock m from T1:9
  final y 2
  expect sc yes, tso yes, pso yes
";
    assert_eq!(text::print(&read), expected);
    assert_eq!(as_text(expected), read);
}

#[test]
fn blanks_comments_and_continued_threads_mean_the_same() {
    let long = "\u{feff}# a log\r\nhistory SB # its name\r\n  T1:\n\n\tw x 0x1 ;; # a comment; no event\n T2 : w y 1\nT1: r y 0;T2: r x 0\n expect sc no tso yes";
    let short = "history SB\n T1: w x 1; r y 0\n T2: w y 1; r x 0\n expect sc no, tso yes";
    assert_eq!(as_text(long), as_text(short));
    assert_eq!(
        as_text("T1: w x 1"),
        [Recorded {
            threads: vec![Thread {
                name: "T1".to_owned(),
                events: vec![Operation::Store(Store {
                    part: Part { variable: "x".to_owned(), bytes: None },
                    value: Some(1),
                })],
            }],
            sizes: BTreeMap::new(),
            ..Recorded::default()
        }]
    );
}
