//! The high positions of a set: a tree whose parts are shared by sets.
//!
//! The past of an event is nearly the past of the previous event in its thread. With words of its own for
//! each event, the order of n events would take n² / 8 bytes. Here a set is a tree of 512 positions per leaf
//! and eight parts per inner node. A change copies the nodes above it, and everything else is shared. So an
//! event costs the nodes of one path, 96 bytes each: a few hundred bytes, however many events there are.
//!
//! Operations on two sets skip the parts that these share. Where the result equals an existing part, they
//! return that part, so that shared parts stay shared. No node is empty.
//! equal to it, so that what was shared stays so. No node is empty.

use std::cell::Cell;
use std::rc::Rc;

/// The number of words of a leaf.
const WORDS: usize = 8;
/// The number of parts of an inner node.
const PARTS: usize = 8;

thread_local! {
    /// The number of nodes of this thread's sets.
    static NODES: Cell<usize> = const { Cell::new(0) };
}

/// The bytes of all nodes of this thread's sets.
pub fn bytes() -> usize {
    NODES.get() * (size_of::<Node>() + 2 * size_of::<usize>())
}

type Subtree = Option<Rc<Node>>;

#[derive(Debug)]
struct Node {
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    Leaf([u64; WORDS]),
    Inner([Subtree; PARTS]),
}

impl Node {
    fn new(content: Content) -> Self {
        NODES.set(NODES.get() + 1);
        Self { content }
    }
}

impl Clone for Node {
    fn clone(&self) -> Self {
        Self::new(self.content.clone())
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        NODES.set(NODES.get() - 1);
    }
}

/// A map from numbers to words. Words that are not stored are zero.
#[derive(Clone, Debug, Default)]
pub(super) struct Far {
    root: Subtree,
    /// The number of inner nodes from the root to a leaf. Zero if there is no root.
    height: u32,
}

/// The number of words below a node of a height.
const fn words_below(height: u32) -> usize {
    WORDS * PARTS.pow(height)
}

/// The operations that combine the words of two sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Combine {
    Unite,
    Subtract,
    Keep,
}

impl Combine {
    const fn words(self, one: u64, other: u64) -> u64 {
        match self {
            Self::Unite => one | other,
            Self::Subtract => one & !other,
            Self::Keep => one & other,
        }
    }

    /// The result where a part of one of the sets is empty, or both parts are the same one.
    fn known(self, one: &Subtree, other: &Subtree) -> Option<Subtree> {
        match (one, other) {
            (None, _) => Some(if self == Self::Unite { other.clone() } else { None }),
            (_, None) => Some(if self == Self::Keep { None } else { one.clone() }),
            (Some(left), Some(right)) if Rc::ptr_eq(left, right) => {
                Some(if self == Self::Subtract { None } else { one.clone() })
            }
            _ => None,
        }
    }

    /// The result for two parts of the same height.
    fn parts(self, one: &Subtree, other: &Subtree) -> Subtree {
        if let Some(known) = self.known(one, other) {
            return known;
        }
        let (left, right) = (one.as_ref()?, other.as_ref()?);
        match (&left.content, &right.content) {
            (Content::Leaf(left), Content::Leaf(right)) => {
                let words: [u64; WORDS] = std::array::from_fn(|at| self.words(left[at], right[at]));
                match () {
                    () if words == *left => one.clone(),
                    () if words == *right => other.clone(),
                    () if words == [0; WORDS] => None,
                    () => Some(Rc::new(Node::new(Content::Leaf(words)))),
                }
            }
            (Content::Inner(left), Content::Inner(right)) => {
                let parts: [Subtree; PARTS] = std::array::from_fn(|at| self.parts(&left[at], &right[at]));
                let is = |old: &[Subtree; PARTS]| parts.iter().zip(old).all(|(new, old)| is_same(new, old));
                match () {
                    () if is(left) => one.clone(),
                    () if is(right) => other.clone(),
                    () if parts.iter().all(Option::is_none) => None,
                    () => Some(Rc::new(Node::new(Content::Inner(parts)))),
                }
            }
            _ => unreachable!("nodes of one height are alike"),
        }
    }
}

fn is_same(one: &Subtree, other: &Subtree) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        _ => false,
    }
}

impl Far {
    pub(super) const fn new() -> Self {
        Self { root: None, height: 0 }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// The set in which the words with numbers below `number` are all ones.
    pub(super) fn ones_below(number: usize) -> Self {
        let mut height = 0;
        while words_below(height) < number {
            height += 1;
        }
        Self { root: ones(height, number, &mut Vec::new()), height }
    }

    /// The word with a number.
    pub(super) fn word(&self, number: usize) -> u64 {
        if number >= words_below(self.height) {
            return 0;
        }
        let (mut part, mut height) = (&self.root, self.height);
        while let Some(node) = part {
            match &node.content {
                Content::Leaf(words) => return words[number % WORDS],
                Content::Inner(parts) => {
                    height -= 1;
                    part = &parts[number / words_below(height) % PARTS];
                }
            }
        }
        0
    }

    /// Sets the word with a number.
    pub(super) fn set_word(&mut self, number: usize, word: u64) {
        if word == 0 && number >= words_below(self.height) {
            return;
        }
        while number >= words_below(self.height) {
            self.raise();
        }
        set(&mut self.root, self.height, number, word);
        self.settle();
    }

    /// The first word with at least this number that is not zero, with its number.
    pub(super) fn first_from(&self, number: usize) -> Option<(usize, u64)> {
        first_from(&self.root, self.height, number)
    }

    /// The last word that is not zero, with its number.
    pub(super) fn last(&self) -> Option<(usize, u64)> {
        let (mut node, mut height, mut number) = (self.root.as_ref()?, self.height, 0);
        loop {
            match &node.content {
                Content::Leaf(words) => {
                    let at = words.iter().rposition(|&word| word != 0).expect("no leaf is empty");
                    return Some((number + at, words[at]));
                }
                Content::Inner(parts) => {
                    let at = parts.iter().rposition(Option::is_some).expect("no node is empty");
                    height -= 1;
                    number += at * words_below(height);
                    node = parts[at].as_ref().expect("a part");
                }
            }
        }
    }

    pub(super) fn unite(&mut self, other: &Self) {
        if other.is_empty() {
            return;
        }
        while self.height < other.height {
            self.raise();
        }
        combine_below(Combine::Unite, &mut self.root, self.height, other);
    }

    pub(super) fn subtract(&mut self, other: &Self) {
        combine_below(Combine::Subtract, &mut self.root, self.height, &other.lowered(self.height));
        self.settle();
    }

    pub(super) fn keep(&mut self, other: &Self) {
        *self = self.lowered(other.height);
        self.root = Combine::Keep.parts(&self.root, &other.lowered(self.height).root);
        self.settle();
    }

    /// The first number at which the words of two sets have a bit in common, with these bits.
    pub(super) fn first_common(&self, other: &Self) -> Option<(usize, u64)> {
        if self.is_empty() || other.is_empty() {
            return None;
        }
        let (one, other) = (self.lowered(other.height), other.lowered(self.height));
        first_common(&one.root, &other.root, one.height)
    }

    /// The part of the set that a tree of a height can hold.
    fn lowered(&self, height: u32) -> Self {
        let mut lowered = self.clone();
        while lowered.height > height {
            let first = match lowered.root.as_deref() {
                Some(Node { content: Content::Inner(parts) }) => parts[0].clone(),
                _ => None,
            };
            lowered = Self { root: first, height: lowered.height - 1 };
        }
        lowered.settle();
        lowered
    }

    /// Makes room for higher numbers.
    fn raise(&mut self) {
        if self.root.is_some() {
            let mut parts: [Subtree; PARTS] = Default::default();
            parts[0] = self.root.take();
            self.root = Some(Rc::new(Node::new(Content::Inner(parts))));
        }
        self.height += 1;
    }

    fn settle(&mut self) {
        if self.root.is_none() {
            self.height = 0;
        }
    }
}

/// Combines the part of one set at a height with another set that is no higher.
fn combine_below(how: Combine, part: &mut Subtree, height: u32, other: &Far) {
    if height == other.height || part.is_none() && other.is_empty() {
        *part = how.parts(part, &other.root);
        return;
    }
    let mut parts = match part.as_deref() {
        Some(Node { content: Content::Inner(parts) }) => parts.clone(),
        _ => Default::default(),
    };
    let before = parts[0].clone();
    combine_below(how, &mut parts[0], height - 1, other);
    if !is_same(&before, &parts[0]) {
        let is_empty = parts.iter().all(Option::is_none);
        *part = (!is_empty).then(|| Rc::new(Node::new(Content::Inner(parts))));
    }
}

/// A part in which the words with numbers below `number` are all ones. `full` are the full parts so far, by
/// height.
fn ones(height: u32, number: usize, full: &mut Vec<Subtree>) -> Subtree {
    if number == 0 {
        return None;
    }
    let is_full = number == words_below(height);
    if let Some(part) = full.get(height as usize).filter(|part| is_full && part.is_some()) {
        return part.clone();
    }
    let content = if height == 0 {
        Content::Leaf(std::array::from_fn(|at| if at < number { u64::MAX } else { 0 }))
    } else {
        let below = words_below(height - 1);
        Content::Inner(std::array::from_fn(|at| ones(height - 1, number.saturating_sub(at * below).min(below), full)))
    };
    let part = Some(Rc::new(Node::new(content)));
    if is_full {
        full.resize(full.len().max(height as usize + 1), None);
        full[height as usize].clone_from(&part);
    }
    part
}

/// Sets a word below a part.
fn set(part: &mut Subtree, height: u32, number: usize, word: u64) {
    let node = match part {
        Some(node) => Rc::make_mut(node),
        None if word == 0 => return,
        None => {
            let content = if height == 0 { Content::Leaf([0; WORDS]) } else { Content::Inner(Default::default()) };
            Rc::make_mut(part.insert(Rc::new(Node::new(content))))
        }
    };
    let is_empty = match &mut node.content {
        Content::Leaf(words) => {
            words[number % WORDS] = word;
            *words == [0; WORDS]
        }
        Content::Inner(parts) => {
            set(&mut parts[number / words_below(height - 1) % PARTS], height - 1, number, word);
            parts.iter().all(Option::is_none)
        }
    };
    if is_empty {
        *part = None;
    }
}

fn first_from(part: &Subtree, height: u32, number: usize) -> Option<(usize, u64)> {
    match &part.as_deref()?.content {
        Content::Leaf(words) => (number..WORDS).find(|&at| words[at] != 0).map(|at| (at, words[at])),
        Content::Inner(parts) => {
            let below = words_below(height - 1);
            (number / below..PARTS).find_map(|at| {
                let found = first_from(&parts[at], height - 1, number.saturating_sub(at * below));
                found.map(|(number, word)| (at * below + number, word))
            })
        }
    }
}

fn first_common(one: &Subtree, other: &Subtree, height: u32) -> Option<(usize, u64)> {
    let (Some(one), Some(other)) = (one.as_deref(), other.as_deref()) else { return None };
    match (&one.content, &other.content) {
        (Content::Leaf(one), Content::Leaf(other)) => {
            (0..WORDS).map(|at| (at, one[at] & other[at])).find(|&(_, common)| common != 0)
        }
        (Content::Inner(one), Content::Inner(other)) => (0..PARTS).find_map(|at| {
            let found = first_common(&one[at], &other[at], height - 1);
            found.map(|(number, common)| (at * words_below(height - 1) + number, common))
        }),
        _ => unreachable!("nodes of one height are alike"),
    }
}
