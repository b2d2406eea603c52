//! A text with changes, and the way back from a place in it to the place in the text before.

use super::edit::Change;

/// A changed text.
#[derive(Clone, Debug)]
pub struct Changed {
    /// The text.
    pub text: String,
    /// The changes in order of their places.
    changes: Vec<Change>,
}

/// Makes changes in a text. Of two changes at one byte, the first one's text comes first; changes that remove
/// the same bytes twice are made once.
#[must_use]
pub fn apply(text: &str, changes: impl IntoIterator<Item = Change>) -> Changed {
    let mut changes: Vec<_> = changes.into_iter().collect();
    // What ends a line or a statement comes before what begins the next one.
    changes.sort_by_key(|change| change.at);
    changes.dedup_by(|one, other| one.removed > 0 && one == other);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for change in &changes {
        out.push_str(&text[at.min(change.at)..change.at]);
        out.push_str(&change.inserted);
        at = change.at + change.removed;
    }
    out.push_str(&text[at..]);
    Changed { text: out, changes }
}

impl Changed {
    /// The byte of the text before the changes at which a byte of the changed text was. For inserted text,
    /// that is where it was inserted.
    #[must_use]
    pub fn before(&self, byte: usize) -> usize {
        let (mut grown, mut shrunk) = (0, 0);
        for change in &self.changes {
            let from = change.at + grown - shrunk;
            if byte < from {
                break;
            }
            if byte < from + change.inserted.len() {
                return change.at;
            }
            grown += change.inserted.len();
            shrunk += change.removed;
        }
        byte + shrunk - grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_lead_back() {
        let change = |at, removed, inserted: &str| Change { at, removed, inserted: inserted.to_owned() };
        let changed = apply("one two three", [change(8, 5, "3"), change(4, 0, "and "), change(0, 0, "<")]);
        assert_eq!(changed.text, "<one and two 3");
        let back = |word: &str| changed.before(changed.text.find(word).expect("it is there"));
        assert_eq!([back("one"), back("and"), back("two"), back("3")], [0, 4, 4, 8]);
    }
}
