//! The ranges of a copy: one range, or a span for each lane of a vector.

use super::Pieces;
use crate::ir::ids::Reg;

/// A range of a copy.
#[derive(Clone, Copy, Debug)]
pub(in crate::system) struct Span {
    pub to: u64,
    pub from: u64,
    /// The size in bytes.
    pub len: u64,
}

/// A part of a copy that the machine accesses at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    pub to: u64,
    pub from: u64,
    /// The size in bytes, at most 8.
    pub size: u8,
}

/// A copy under way.
#[derive(Clone, Copy)]
pub(super) struct Copy<'s> {
    pub spans: &'s [Span],
    /// True if the target, or the source, stays in its thread and is accessed directly.
    pub to_local: bool,
    pub from_local: bool,
    pub progress: Reg,
}

impl<'s> Copy<'s> {
    /// The number of bytes of all spans.
    pub fn len(&self) -> u64 {
        self.spans.iter().map(|span| span.len).sum()
    }

    /// The pieces, span by span, each first to last.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> + use<'s> {
        let copy = *self;
        copy.spans.iter().flat_map(move |&span| {
            let piece = move |(offset, size)| Piece { to: span.to + offset, from: span.from + offset, size };
            copy.divided(span).iter().map(piece)
        })
    }

    /// The piece that begins after the first `done` bytes of the copy. `done` must be less than all bytes.
    pub fn piece_from(&self, done: u64) -> Piece {
        let (span, offset) = self.span_with(done);
        let size = self.divided(span).size_from(offset);
        Piece { to: span.to + offset, from: span.from + offset, size }
    }

    /// The piece that ends after the first `end` bytes of the copy. `end` must not be 0.
    pub fn piece_to(&self, end: u64) -> Piece {
        let (span, last) = self.span_with(end - 1);
        let size = self.divided(span).size_to(last + 1);
        let offset = last + 1 - u64::from(size);
        Piece { to: span.to + offset, from: span.from + offset, size }
    }

    /// The span with this byte of the copy, and the offset of the byte in the span.
    fn span_with(&self, mut byte: u64) -> (Span, u64) {
        for &span in self.spans {
            if byte < span.len {
                return (span, byte);
            }
            byte -= span.len;
        }
        unreachable!("a copy has no byte {byte} behind its last")
    }

    fn divided(&self, span: Span) -> Pieces {
        Pieces::new(span.len, [(!self.to_local).then_some(span.to), (!self.from_local).then_some(span.from)])
    }
}
