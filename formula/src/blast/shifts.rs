//! Barrel shifters: one row of multiplexers for each bit of the amount that can matter.

use crate::gates::{Gates, Literal};

impl Gates {
    /// `a` shifted left by `amount`; 0 if that is not below the width.
    pub(crate) fn shift_left(&mut self, a: &[Literal], amount: &[Literal]) -> Vec<Literal> {
        let reversed: Vec<Literal> = a.iter().rev().copied().collect();
        let mut shifted = self.shift_right(&reversed, amount, Literal::FALSE);
        shifted.reverse();
        shifted
    }

    /// `a` shifted right by `amount`, filled with `fill`; only `fill` if the amount is not below the width.
    pub(crate) fn shift_right(&mut self, a: &[Literal], amount: &[Literal], fill: Literal) -> Vec<Literal> {
        let width = a.len();
        let mut shifted = a.to_vec();
        let mut is_far = Literal::FALSE;
        for (bit, &is_set) in amount.iter().enumerate() {
            // Rows that shift by the width or more have one result: the amount is too great.
            let distance = 1_usize.checked_shl(u32::try_from(bit).expect("a bit")).filter(|&by| by < width);
            let Some(distance) = distance else {
                is_far = self.or(is_far, is_set);
                continue;
            };
            let source = |at: usize| shifted.get(at + distance).copied().unwrap_or(fill);
            shifted = (0..width).map(|at| self.multiplexer(is_set, source(at), shifted[at])).collect();
        }
        shifted.into_iter().map(|bit| self.multiplexer(is_far, fill, bit)).collect()
    }
}
