//! Tables of symbols as words of a state vector.

use super::combination::{Combination, CombinationKind, Operand};
use super::operation::{Operation, OperationKind};
use super::ranges::Ranges;
use super::table::{Entry, SymbolTable};
use crate::ir::symbol::Symbol;

impl SymbolTable {
    /// Appends the table to `out`.
    pub fn encode(&self, out: &mut Vec<u64>) {
        for entry in &self.entries {
            match entry {
                Entry::Input { width, values } => {
                    out.push(u64::from(*width) << WIDTH | values.ranges().len() as u64);
                    out.extend(values.ranges().iter().flat_map(|&(low, high)| [low, high]));
                }
                Entry::Result { of, operation: Operation { kind, from, to }, within } => {
                    let (code, constant) = coded(*kind);
                    let widths = u64::from(*from) << FROM | u64::from(*to) << WIDTH;
                    let kept = within.as_ref().map_or(&[][..], Ranges::ranges);
                    let count = (kept.len() as u64) << COUNT;
                    out.extend([RESULT | code << KIND | widths | count | u64::from(of.0), constant]);
                    out.extend(kept.iter().flat_map(|&(low, high)| [low, high]));
                }
                Entry::Combined { combination: Combination { kind, width, operands }, within } => {
                    let code = CombinationKind::ALL.iter().position(|known| known == kind);
                    let code = code.expect("combinations have these kinds") as u64;
                    let kept = within.as_ref().map_or(&[][..], Ranges::ranges);
                    let count = (kept.len() as u64) << COUNT;
                    let is_symbol = |at: usize| u64::from(matches!(operands[at], Operand::Symbol(_))) << at;
                    let symbols = is_symbol(0) | is_symbol(1);
                    out.push(COMBINED | code << FROM | u64::from(*width) << WIDTH | count | symbols);
                    out.extend(operands.map(|operand| match operand {
                        Operand::Symbol(symbol) => symbol.0.into(),
                        Operand::Constant(constant) => constant,
                    }));
                    out.extend(kept.iter().flat_map(|&(low, high)| [low, high]));
                }
            }
        }
    }

    /// The inverse of [`Self::encode`].
    pub fn decode(&mut self, mut words: &[u64]) {
        self.entries.clear();
        while let Some((&head, rest)) = words.split_first() {
            let width = (head >> WIDTH) as u8;
            let (entry, rest) = if head & RESULT != 0 {
                let kind = decoded((head >> KIND) as u8 & 0x7F, rest[0]);
                let operation = Operation { kind, from: u32::from((head >> FROM) as u8), to: u32::from(width) };
                let count = usize::from((head >> COUNT) as u16);
                let (kept, rest) = decoded_ranges(&rest[1..], count);
                let within = (count > 0).then_some(kept);
                (Entry::Result { of: Symbol(head as u16), operation, within }, rest)
            } else if head & COMBINED != 0 {
                let operand = |at: usize| match head >> at & 1 {
                    0 => Operand::Constant(rest[at]),
                    _ => Operand::Symbol(Symbol(rest[at] as u16)),
                };
                let kind = CombinationKind::ALL[usize::from((head >> FROM) as u8)];
                let combination = Combination { kind, width: width.into(), operands: [operand(0), operand(1)] };
                let count = usize::from((head >> COUNT) as u16);
                let (kept, rest) = decoded_ranges(&rest[2..], count);
                (Entry::Combined { combination, within: (count > 0).then_some(kept) }, rest)
            } else {
                let (values, rest) = decoded_ranges(rest, usize::from(head as u16));
                (Entry::Input { width: width.into(), values }, rest)
            };
            self.entries.push(entry);
            words = rest;
        }
    }
}

/// The bit of a word that begins a result.
const RESULT: u64 = 1 << 63;
/// The bit of a word that begins a combination, without [`RESULT`]. Its code is at [`FROM`], and its lowest
/// bits say which operands are symbols.
const COMBINED: u64 = 1 << 62;
/// The positions of the kind of operation and of the width of the operand in such a word.
const KIND: u32 = 56;
const FROM: u32 = 40;
/// The position of the number of ranges of a kept result in it.
const COUNT: u32 = 16;
/// The position of the width in the first word of an entry. Below it are the number of ranges or the operand.
const WIDTH: u32 = 32;

/// The set of so many ranges at the beginning of some words, and the words behind it.
fn decoded_ranges(words: &[u64], count: usize) -> (Ranges, &[u64]) {
    let (ranges, rest) = words.split_at(2 * count);
    (Ranges::union_of(ranges.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()), rest)
}

/// The code of an operation, and its constant.
const fn coded(kind: OperationKind) -> (u64, u64) {
    match kind {
        OperationKind::Add(constant) => (0, constant),
        OperationKind::Not => (1, 0),
        OperationKind::Multiply(constant) => (2, constant),
        OperationKind::Divide(constant) => (3, constant),
        OperationKind::Remainder(constant) => (4, constant),
        OperationKind::ZeroExtend => (5, 0),
        OperationKind::SignExtend => (6, 0),
        OperationKind::Truncate => (7, 0),
    }
}

/// The inverse of [`coded`].
fn decoded(code: u8, constant: u64) -> OperationKind {
    match code {
        0 => OperationKind::Add(constant),
        1 => OperationKind::Not,
        2 => OperationKind::Multiply(constant),
        3 => OperationKind::Divide(constant),
        4 => OperationKind::Remainder(constant),
        5 => OperationKind::ZeroExtend,
        6 => OperationKind::SignExtend,
        7 => OperationKind::Truncate,
        _ => unreachable!("no operation has this code"),
    }
}
