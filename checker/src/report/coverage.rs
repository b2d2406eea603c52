//! Coverage for people: how much no execution reached, and the first such places.

use super::names;
use crate::outcome::Place;
use crate::outcome::coverage::{Coverage, UncalledFunction};

/// The number of places that are named; the JSON report has all.
const SHOWN: usize = 6;

/// The lines about coverage; empty if everything was reached.
#[must_use]
pub fn describe(coverage: &Coverage) -> Vec<String> {
    let Coverage { assertions, missed_assertions, lines, missed_lines, uncalled } = coverage;
    let mut text = Vec::new();
    if coverage.asserts_nothing() {
        let places = some(&ranges(missed_assertions));
        text.push(match assertions {
            1 => format!("warning: the only assertion is never reached, so it was not tested: {places}"),
            _ => format!(
                "warning: none of the {assertions} assertions is ever reached, so nothing they say was tested: {places}"
            ),
        });
    } else if !missed_assertions.is_empty() {
        let count = missed_assertions.len();
        text.push(format!("never reached: {count} of {assertions} assertions: {}", some(&ranges(missed_assertions))));
    }
    if !missed_lines.is_empty() {
        let count = missed_lines.len();
        text.push(format!("never reached: {count} of {lines} lines: {}", some(&ranges(missed_lines))));
    }
    if !uncalled.is_empty() {
        let name = |UncalledFunction { name, place }: &UncalledFunction| {
            format!("{} ({}:{})", names::short(name), short(place), place.line)
        };
        text.push(format!("never called: {}", some(&uncalled.iter().map(name).collect::<Vec<_>>())));
    }
    text
}

fn short(place: &Place) -> &str {
    place.file.rsplit('/').next().unwrap_or_default()
}

/// Places in order, with consecutive lines as one range: `queue.c:12-15`.
fn ranges(places: &[Place]) -> Vec<String> {
    let mut ranges: Vec<(&Place, u32)> = Vec::new();
    for place in places {
        match ranges.last_mut() {
            Some((first, last)) if first.file == place.file && (*last == place.line || *last + 1 == place.line) => {
                *last = place.line;
            }
            _ => ranges.push((place, place.line)),
        }
    }
    let text = |(first, last): (&Place, u32)| match last {
        last if last == first.line => format!("{}:{last}", short(first)),
        last => format!("{}:{}-{last}", short(first), first.line),
    };
    ranges.into_iter().map(text).collect()
}

/// The first [`SHOWN`] texts, and the number of the others.
fn some(texts: &[String]) -> String {
    let more = texts.len().saturating_sub(SHOWN);
    let first = texts.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_follow_each_other_are_a_range() {
        let place = |line| Place { file: "src/queue.c".to_owned(), line };
        assert_eq!(some(&ranges(&[3, 4, 5, 9, 11, 12].map(place))), "queue.c:3-5, queue.c:9, queue.c:11-12");
        let many: Vec<_> = (0..10).map(|at| place(2 * at)).collect();
        assert!(some(&ranges(&many)).ends_with("queue.c:10 and 4 more"));
    }
}
