//! Histories as text.

use std::fmt::Write;

use rmc_runtime::Model;

use super::cursor::is_plain_history_name;
use crate::recorded::{Name, Recorded};

/// Histories as text that [`parse`](super::parse()) reads.
#[must_use]
pub fn print<'r>(histories: impl IntoIterator<Item = &'r Recorded>) -> String {
    let texts: Vec<String> = histories.into_iter().map(print_one).collect();
    texts.join("\n")
}

fn print_one(recorded: &Recorded) -> String {
    let mut text = "history".to_owned();
    let mut add = |part: std::fmt::Arguments<'_>| text.write_fmt(part).expect("a String takes everything");
    match &recorded.name {
        Some(name) if is_plain_history_name(name) => add(format_args!(" {name}")),
        Some(name) => add(format_args!(" {}", serde_json::Value::from(name.as_str()))),
        None => {}
    }
    for (variable, size) in &recorded.sizes {
        add(format_args!("\n  size {}={size}", Name(variable)));
    }
    for (variable, value) in &recorded.initial {
        add(format_args!("\n  init {}={value}", Name(variable)));
    }
    for thread in &recorded.threads {
        add(format_args!("\n  {}:", Name(&thread.name)));
        let separators = std::iter::once(" ").chain(std::iter::repeat("; "));
        for (event, separator) in thread.events.iter().zip(separators) {
            add(format_args!("{separator}{event}"));
        }
    }
    for load in &recorded.finals {
        add(format_args!("\n  final {load}"));
    }
    let expected = Model::ALL.into_iter().filter_map(|model| Some((model, recorded.expect.of(model)?)));
    let separators = std::iter::once("\n  expect ").chain(std::iter::repeat(", "));
    for ((model, is_allowed), separator) in expected.zip(separators) {
        add(format_args!("{separator}{model} {}", if is_allowed { "yes" } else { "no" }));
    }
    add(format_args!("\n"));
    text
}
