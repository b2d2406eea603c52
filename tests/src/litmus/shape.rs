//! Reads shapes: `NAME OPERATION... | OPERATION... | ...`, one per line.

use std::fmt;

/// One step of a thread. Shapes have stores and loads only; variants add the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operation {
    /// A relaxed store of a value.
    Store(char, u64),
    /// A relaxed load.
    Load(char),
    /// A relaxed exchange: it stores a value and reads the old one.
    Exchange(char, u64),
    /// A store-store barrier.
    StoreBarrier,
    /// A full fence.
    Fence,
}

impl Operation {
    /// The variable accessed; none for fences.
    pub fn variable(&self) -> Option<char> {
        match *self {
            Operation::Store(variable, _) | Operation::Load(variable) | Operation::Exchange(variable, _) => {
                Some(variable)
            }
            Operation::StoreBarrier | Operation::Fence => None,
        }
    }

    fn parse(word: &str) -> Option<Operation> {
        let mut letters = word.chars();
        let (kind, variable) = (letters.next()?, letters.next()?);
        match (kind, letters.as_str()) {
            ('W', value) => Some(Operation::Store(variable, value.parse().ok()?)),
            ('R', "") => Some(Operation::Load(variable)),
            _ => None,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Store(variable, value) => write!(out, "W{variable}{value}"),
            Operation::Load(variable) => write!(out, "R{variable}"),
            Operation::Exchange(variable, value) => write!(out, "X{variable}{value}"),
            Operation::StoreBarrier => write!(out, "store-store"),
            Operation::Fence => write!(out, "full"),
        }
    }
}

/// A shape: a name and the operations of its threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Its name in the literature.
    pub name: String,
    /// The stores and loads of each thread.
    pub threads: Vec<Vec<Operation>>,
}

/// The shapes of the suite, in the order of the file.
///
/// # Panics
/// If the file of shapes has a line that cannot be read.
pub fn shapes() -> Vec<Shape> {
    let lines = include_str!("../../litmus/shapes.txt").lines();
    let stated = lines.filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    stated.map(|line| parse(line).unwrap_or_else(|| panic!("no shape: {line}"))).collect()
}

fn parse(line: &str) -> Option<Shape> {
    let (name, threads) = line.split_once(' ')?;
    let thread = |text: &str| text.split_whitespace().map(Operation::parse).collect::<Option<Vec<_>>>();
    let threads = threads.split('|').map(thread).collect::<Option<Vec<_>>>()?;
    Some(Shape { name: name.to_owned(), threads })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::litmus::DIGIT;

    #[test]
    fn all_shapes_are_read() {
        let shapes = shapes();
        assert_eq!(shapes[0].name, "SB");
        assert_eq!(shapes[0].threads[0], [Operation::Store('x', 1), Operation::Load('y')]);
        let operations = shapes.iter().flat_map(|shape| &shape.threads).flatten();
        for operation in operations {
            assert!(!matches!(operation, Operation::Store(_, value) if *value >= DIGIT));
        }
    }

    #[test]
    fn what_is_no_shape_is_refused() {
        assert_eq!(parse("SB"), None);
        assert_eq!(parse("SB Wx1 Q"), None);
        assert_eq!(parse("SB Rx1"), None);
        assert_eq!(parse("SB Wx | Ry"), None);
    }
}
