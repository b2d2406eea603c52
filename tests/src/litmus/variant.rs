//! The variants of a shape: every placement of no fence, a store-store barrier or a full fence between
//! consecutive operations of each thread, combined with stores replaced by exchanges.
//!
//! In shapes of two threads every subset of the stores is replaced; in larger ones none, each alone, and all.

use std::fmt;

use super::shape::{Operation, Shape};

/// A litmus test: a shape with its fences and exchanges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The operations of each thread.
    pub threads: Vec<Vec<Operation>>,
}

impl fmt::Display for Test {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let thread =
            |operations: &Vec<Operation>| operations.iter().map(Operation::to_string).collect::<Vec<_>>().join(" ");
        write!(out, "{}", self.threads.iter().map(thread).collect::<Vec<_>>().join(" | "))
    }
}

const BETWEEN: [Option<Operation>; 3] = [None, Some(Operation::StoreBarrier), Some(Operation::Fence)];

/// All variants of `shape`, the plain one first.
pub fn tests(shape: &Shape) -> Vec<Test> {
    let with_exchanges = exchange_masks(shape).into_iter().map(|mask| replace_stores(shape, mask));
    with_exchanges.flat_map(|threads| fence_placements(&threads)).collect()
}

/// Sets of stores to replace; bit `n` stands for the shape's store number `n`.
fn exchange_masks(shape: &Shape) -> Vec<u32> {
    let stores = shape.threads.iter().flatten().filter(|operation| matches!(operation, Operation::Store(..))).count();
    let all = (1 << stores) - 1;
    if shape.threads.len() <= 2 {
        return (0..=all).collect();
    }
    let mut masks: Vec<u32> = (0..stores).map(|store| 1 << store).collect();
    masks.extend([0, all]);
    masks.sort_unstable();
    masks.dedup();
    masks
}

fn replace_stores(shape: &Shape, mask: u32) -> Vec<Vec<Operation>> {
    let mut threads = shape.threads.clone();
    let mut store = 0;
    for operation in threads.iter_mut().flatten() {
        if let Operation::Store(variable, value) = *operation {
            if mask >> store & 1 == 1 {
                *operation = Operation::Exchange(variable, value);
            }
            store += 1;
        }
    }
    threads
}

fn fence_placements(threads: &[Vec<Operation>]) -> Vec<Test> {
    let gaps: usize = threads.iter().map(|thread| thread.len() - 1).sum();
    let placements = 0..BETWEEN.len().pow(u32::try_from(gaps).expect("few gaps"));
    placements.map(|placement| place_fences(threads, placement)).collect()
}

/// The test with fences in its gaps; `placement` has one digit per gap, in base 3.
fn place_fences(threads: &[Vec<Operation>], mut placement: usize) -> Test {
    let mut placed = Vec::new();
    for operations in threads {
        let mut thread = vec![operations[0]];
        for &operation in &operations[1..] {
            thread.extend(BETWEEN[placement % BETWEEN.len()]);
            thread.push(operation);
            placement /= BETWEEN.len();
        }
        placed.push(thread);
    }
    Test { threads: placed }
}

#[cfg(test)]
mod unit_tests {
    use super::*;
    use crate::litmus::shape::shapes;

    #[test]
    fn every_placement_once() {
        let sb = &shapes()[0];
        let mut names: Vec<String> = tests(sb).iter().map(Test::to_string).collect();
        assert_eq!(names.len(), 4 * 9);
        assert_eq!(names[0], "Wx1 Ry | Wy1 Rx");
        assert!(names.contains(&"Xx1 store-store Ry | Wy1 full Rx".to_owned()));
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 4 * 9);
    }
}
