//! Expressions with a meaning of their own: a reference for terms.
//!
//! The meaning of an operator is written here a second time, in other words than in `semantics.rs`: with
//! remainders instead of masks, and shifts bit by bit.

// Each test program uses a part of this module.
#![allow(dead_code)]

use std::rc::Rc;

use rmc_formula::{TermId, Terms};

/// An operator with two operands of one width.
pub struct Binary {
    pub name: &'static str,
    pub build: fn(&mut Terms, TermId, TermId) -> TermId,
    /// The value, from those of the operands and their width.
    pub value: fn(u128, u128, u32) -> u128,
    /// True if the result has 1 bit.
    pub is_predicate: bool,
}

const fn operator(
    name: &'static str,
    build: fn(&mut Terms, TermId, TermId) -> TermId,
    value: fn(u128, u128, u32) -> u128,
) -> Binary {
    Binary { name, build, value, is_predicate: false }
}

const fn predicate(
    name: &'static str,
    build: fn(&mut Terms, TermId, TermId) -> TermId,
    value: fn(u128, u128, u32) -> u128,
) -> Binary {
    Binary { name, build, value, is_predicate: true }
}

/// 2 to the width; of at most 64 bits.
pub fn modulus(width: u32) -> u128 {
    1 << width
}

/// The meaning in two's complement.
pub fn signed(value: u128, width: u32) -> i128 {
    let value = value as i128;
    if value >= modulus(width) as i128 / 2 { value - modulus(width) as i128 } else { value }
}

/// A number modulo 2 to the width.
pub fn wrap(value: i128, width: u32) -> u128 {
    value.rem_euclid(modulus(width) as i128) as u128
}

fn shift(value: u128, amount: u128, step: impl Fn(u128) -> u128) -> u128 {
    // More steps than bits change nothing.
    (0..amount.min(64)).fold(value, |value, _| step(value))
}

fn divided(a: u128, b: u128, width: u32) -> u128 {
    match b {
        0 => modulus(width) - 1,
        b => a / b,
    }
}

fn rest(a: u128, b: u128, _: u32) -> u128 {
    match b {
        0 => a,
        b => a % b,
    }
}

fn divided_signed(a: u128, b: u128, width: u32) -> u128 {
    match (signed(a, width), signed(b, width)) {
        (a, 0) => wrap(if a < 0 { 1 } else { -1 }, width),
        (a, b) => wrap(a / b, width),
    }
}

fn rest_signed(a: u128, b: u128, width: u32) -> u128 {
    match (signed(a, width), signed(b, width)) {
        (a, 0) => wrap(a, width),
        (a, b) => wrap(a % b, width),
    }
}

/// All operators with two operands of one width.
pub const BINARY: [Binary; 21] = [
    operator("and", Terms::and, |a, b, _| a & b),
    operator("or", Terms::or, |a, b, _| a | b),
    operator("xor", Terms::xor, |a, b, _| (a | b) - (a & b)),
    operator("add", Terms::add, |a, b, w| (a + b) % modulus(w)),
    operator("sub", Terms::sub, |a, b, w| (a + modulus(w) - b) % modulus(w)),
    operator("mul", Terms::mul, |a, b, w| a * b % modulus(w)),
    operator("udiv", Terms::udiv, divided),
    operator("urem", Terms::urem, rest),
    operator("sdiv", Terms::sdiv, divided_signed),
    operator("srem", Terms::srem, rest_signed),
    operator("shl", Terms::shl, |a, b, w| shift(a, b, |a| a * 2 % modulus(w))),
    operator("lshr", Terms::lshr, |a, b, _| shift(a, b, |a| a / 2)),
    operator("ashr", Terms::ashr, |a, b, w| shift(a, b, |a| wrap(signed(a, w).div_euclid(2), w))),
    predicate("eq", Terms::eq, |a, b, _| (a == b).into()),
    predicate("ne", Terms::ne, |a, b, _| (a != b).into()),
    predicate("ult", Terms::ult, |a, b, _| (a < b).into()),
    predicate("ule", Terms::ule, |a, b, _| (a <= b).into()),
    predicate("slt", Terms::slt, |a, b, w| (signed(a, w) < signed(b, w)).into()),
    predicate("sle", Terms::sle, |a, b, w| (signed(a, w) <= signed(b, w)).into()),
    // Two shapes that other rules meet: a sum with a constant, and a choice by a comparison.
    operator(
        "add and one",
        |t, a, b| {
            let sum = t.add(a, b);
            let one = t.constant(1, t.width(a));
            t.add(sum, one)
        },
        |a, b, w| (a + b + 1) % modulus(w),
    ),
    operator(
        "min",
        |t, a, b| {
            let less = t.ult(a, b);
            t.ite(less, a, b)
        },
        |a, b, _| a.min(b),
    ),
];

/// An expression, to be evaluated as it stands.
#[derive(Debug)]
pub enum Expression {
    Constant {
        value: u128,
        width: u32,
    },
    Variable {
        number: u32,
        width: u32,
    },
    Not(Rc<Self>),
    Neg(Rc<Self>),
    /// An operator of [`BINARY`], by its position.
    Binary(usize, Rc<Self>, Rc<Self>),
    Ite(Rc<Self>, Rc<Self>, Rc<Self>),
    Concat(Rc<Self>, Rc<Self>),
    Extract(Rc<Self>, u32, u32),
    ZeroExtend(Rc<Self>, u32),
    SignExtend(Rc<Self>, u32),
}

impl Expression {
    /// The width in bits.
    pub fn width(&self) -> u32 {
        match self {
            Self::Constant { width, .. } | Self::Variable { width, .. } => *width,
            Self::Not(a) | Self::Neg(a) | Self::Ite(_, a, _) => a.width(),
            Self::Binary(at, a, _) => {
                if BINARY[*at].is_predicate {
                    1
                } else {
                    a.width()
                }
            }
            Self::Concat(high, low) => high.width() + low.width(),
            Self::Extract(_, _, width) | Self::ZeroExtend(_, width) | Self::SignExtend(_, width) => *width,
        }
    }

    /// The value under an assignment.
    pub fn value(&self, variables: &[u128]) -> u128 {
        let of = |one: &Self| one.value(variables);
        let width = self.width();
        match self {
            Self::Constant { value, .. } => *value,
            Self::Variable { number, .. } => variables[*number as usize],
            Self::Not(a) => modulus(width) - 1 - of(a),
            Self::Neg(a) => wrap(-(of(a) as i128), width),
            Self::Binary(at, a, b) => (BINARY[*at].value)(of(a), of(b), a.width()),
            Self::Ite(condition, a, b) => {
                if of(condition) == 1 {
                    of(a)
                } else {
                    of(b)
                }
            }
            Self::Concat(high, low) => of(high) * modulus(low.width()) + of(low),
            Self::Extract(a, low, width) => of(a) / modulus(*low) % modulus(*width),
            Self::ZeroExtend(a, _) => of(a),
            Self::SignExtend(a, width) => wrap(signed(of(a), a.width()), *width),
        }
    }

    /// The term.
    pub fn build(&self, terms: &mut Terms) -> TermId {
        match self {
            Self::Constant { value, width } => terms.constant(*value, *width),
            Self::Variable { number, width } => terms.variable(*number, *width),
            Self::Not(a) => {
                let a = a.build(terms);
                terms.not(a)
            }
            Self::Neg(a) => {
                let a = a.build(terms);
                terms.neg(a)
            }
            Self::Binary(at, a, b) => {
                let (a, b) = (a.build(terms), b.build(terms));
                (BINARY[*at].build)(terms, a, b)
            }
            Self::Ite(c, a, b) => {
                let (c, a, b) = (c.build(terms), a.build(terms), b.build(terms));
                terms.ite(c, a, b)
            }
            Self::Concat(a, b) => {
                let (a, b) = (a.build(terms), b.build(terms));
                terms.concat(a, b)
            }
            Self::Extract(a, low, width) => {
                let a = a.build(terms);
                terms.extract(a, *low, *width)
            }
            Self::ZeroExtend(a, width) => {
                let a = a.build(terms);
                terms.zero_extend(a, *width)
            }
            Self::SignExtend(a, width) => {
                let a = a.build(terms);
                terms.sign_extend(a, *width)
            }
        }
    }
}

/// Makes expressions from a list of numbers; all are 0 after its end, which gives leaves.
pub struct Generator<'c> {
    pub choices: std::slice::Iter<'c, u8>,
    /// The width of each variable.
    pub widths: &'c [u32],
    /// The greatest width of a part.
    pub greatest: u32,
    /// Parts that were made, to be used again.
    pub made: Vec<Rc<Expression>>,
}

impl<'c> Generator<'c> {
    pub fn new(choices: &'c [u8], widths: &'c [u32], greatest: u32) -> Self {
        Self { choices: choices.iter(), widths, greatest, made: Vec::new() }
    }

    fn choose(&mut self, below: usize) -> usize {
        usize::from(*self.choices.next().unwrap_or(&0)) % below
    }

    fn choose_width(&mut self, from: u32, to: u32) -> u32 {
        from + self.choose((to - from + 1) as usize) as u32
    }

    /// An expression of some width.
    pub fn expression(&mut self, width: u32, depth: u32) -> Rc<Expression> {
        let made = Rc::new(self.any(width, depth));
        self.made.push(Rc::clone(&made));
        made
    }

    fn any(&mut self, width: u32, depth: u32) -> Expression {
        let kind = if depth == 0 { self.choose(2) } else { self.choose(12) };
        match kind {
            0 => return self.leaf(width),
            1 => return self.constant(width),
            2 => {
                let same: Vec<_> = self.made.iter().filter(|one| one.width() == width).cloned().collect();
                if !same.is_empty() {
                    let part = Rc::clone(&same[self.choose(same.len())]);
                    let other = self.expression(width, depth - 1);
                    return Expression::Binary(self.choose(13), part, other);
                }
            }
            3 => return Expression::Not(self.expression(width, depth - 1)),
            4 => return Expression::Neg(self.expression(width, depth - 1)),
            5 => {
                let condition = self.expression(1, depth - 1);
                return Expression::Ite(
                    condition,
                    self.expression(width, depth - 1),
                    self.expression(width, depth - 1),
                );
            }
            6 if width > 1 => {
                let low = self.choose_width(1, width - 1);
                return Expression::Concat(self.expression(width - low, depth - 1), self.expression(low, depth - 1));
            }
            7 => {
                let whole = self.choose_width(width, self.greatest);
                let low = self.choose_width(0, whole - width);
                return Expression::Extract(self.expression(whole, depth - 1), low, width);
            }
            8 => {
                let inner = self.choose_width(1, width);
                let part = self.expression(inner, depth - 1);
                let is_signed = self.choose(2) == 1;
                return if is_signed {
                    Expression::SignExtend(part, width)
                } else {
                    Expression::ZeroExtend(part, width)
                };
            }
            _ => {}
        }
        let at = self.choose(BINARY.len());
        let operands = match (BINARY[at].is_predicate, width) {
            (true, 1) => self.choose_width(1, self.greatest),
            (true, _) => return self.leaf(width),
            (false, _) => width,
        };
        Expression::Binary(at, self.expression(operands, depth - 1), self.expression(operands, depth - 1))
    }

    fn constant(&mut self, width: u32) -> Expression {
        let all = modulus(width) - 1;
        let value = match self.choose(6) {
            0 => 0,
            1 => 1,
            2 => all,
            3 => all / 2,
            4 => all / 2 + 1,
            _ => self.choose(256) as u128,
        };
        Expression::Constant { value: value % modulus(width), width }
    }

    /// A variable, made as wide as needed.
    fn leaf(&mut self, width: u32) -> Expression {
        let number = self.choose(self.widths.len());
        let own = self.widths[number];
        let variable = Expression::Variable { number: number as u32, width: own };
        match own.cmp(&width) {
            std::cmp::Ordering::Equal => variable,
            std::cmp::Ordering::Greater => Expression::Extract(Rc::new(variable), 0, width),
            std::cmp::Ordering::Less => Expression::ZeroExtend(Rc::new(variable), width),
        }
    }
}

/// All assignments to variables of some widths.
pub fn assignments(widths: &[u32]) -> Vec<Vec<u128>> {
    widths.iter().fold(vec![Vec::new()], |shorter, &width| {
        let with = |one: &Vec<u128>, value| one.iter().copied().chain([value]).collect();
        shorter.iter().flat_map(|one| (0..modulus(width)).map(move |value| with(one, value))).collect()
    })
}
