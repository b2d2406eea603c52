//! Adders, comparisons, the multiplier and the divider.
//!
//! Bits that are constants make no gates, so an operand with leading zeros is as cheap as a narrow one.

use crate::gates::{Gates, Literal};

impl Gates {
    /// `a + b + carry`, modulo 2 to the width, by a ripple-carry adder.
    pub(crate) fn add(&mut self, a: &[Literal], b: &[Literal], mut carry: Literal) -> Vec<Literal> {
        let mut sum = Vec::with_capacity(a.len());
        for (at, (&a_bit, &b_bit)) in a.iter().zip(b).enumerate() {
            sum.push(self.parity(a_bit, b_bit, carry));
            if at + 1 < a.len() {
                carry = self.majority(a_bit, b_bit, carry);
            }
        }
        sum
    }

    /// `a - b`, modulo 2 to the width: `a + !b + 1`.
    pub(crate) fn subtract(&mut self, a: &[Literal], b: &[Literal]) -> Vec<Literal> {
        self.add(a, &inverted(b), Literal::TRUE)
    }

    /// `-a`, modulo 2 to the width.
    pub(crate) fn negate(&mut self, a: &[Literal]) -> Vec<Literal> {
        self.subtract(&vec![Literal::FALSE; a.len()], a)
    }

    /// `a < b`, of unsigned numbers: `a - b` borrows.
    pub(crate) fn is_less(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        a.iter().zip(b).fold(Literal::FALSE, |borrow, (&a, &b)| self.majority(!a, b, borrow))
    }

    /// `a * b`, modulo 2 to the width: the sum of the shifted `a` for each bit of `b`.
    pub(crate) fn multiply(&mut self, a: &[Literal], b: &[Literal]) -> Vec<Literal> {
        let width = a.len();
        let mut product = vec![Literal::FALSE; width];
        for (shift, &bit) in b.iter().enumerate().filter(|&(_, &bit)| bit != Literal::FALSE) {
            let row: Vec<Literal> = a[..width - shift].iter().map(|&one| self.and(one, bit)).collect();
            let sum = self.add(&product[shift..], &row, Literal::FALSE);
            product.splice(shift.., sum);
        }
        product
    }

    /// The unsigned quotient and remainder, by a restoring divider: for each bit of the dividend, the highest
    /// first, the divisor is subtracted from the remainder if it is not greater.
    ///
    /// A divisor of 0 is subtracted each time: the quotient has all bits set and the remainder is the
    /// dividend, as [`Term`](crate::Term) demands.
    pub(crate) fn divide(&mut self, dividend: &[Literal], divisor: &[Literal]) -> (Vec<Literal>, Vec<Literal>) {
        let width = dividend.len();
        let mut quotient = vec![Literal::FALSE; width];
        // The remainder is less than the divisor, or the divisor is 0 and it has fewer bits than were read:
        // twice the remainder needs one bit more.
        let mut divisor = divisor.to_vec();
        divisor.push(Literal::FALSE);
        let mut remainder = vec![Literal::FALSE; width];
        for at in (0..width).rev() {
            remainder.insert(0, dividend[at]);
            let is_greater = self.is_less(&remainder, &divisor);
            quotient[at] = !is_greater;
            let difference = self.subtract(&remainder, &divisor);
            remainder =
                remainder.iter().zip(difference).map(|(&old, new)| self.multiplexer(is_greater, old, new)).collect();
            remainder.truncate(width);
        }
        (quotient, remainder)
    }
}

fn inverted(bits: &[Literal]) -> Vec<Literal> {
    bits.iter().map(|&bit| !bit).collect()
}
