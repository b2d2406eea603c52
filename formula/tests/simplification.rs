//! The rules of the constructors, one by one: different ways to write a formula are one term.
//!
//! That the rules are right is not tested here but in `shapes.rs` and `random.rs`.

use rmc_formula::{TermId, Terms};

/// An arena with the variables `x`, `y` of 32 bits and `p`, `q` of 1.
struct Arena {
    terms: Terms,
    x: TermId,
    y: TermId,
    p: TermId,
    q: TermId,
}

fn arena() -> Arena {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(0, 32), terms.variable(1, 32));
    let (p, q) = (terms.variable(2, 1), terms.variable(3, 1));
    Arena { terms, x, y, p, q }
}

/// Asserts that an expression over an arena is the other one.
macro_rules! check {
    ($($left:expr => $right:expr),+ $(,)?) => {{
        let mut arena = arena();
        $({
            let (left, right): (fn(&mut Arena) -> TermId, fn(&mut Arena) -> TermId) = ($left, $right);
            let (left, right) = (left(&mut arena), right(&mut arena));
            assert_eq!(left, right, "{}: {:?}", stringify!($left), arena.terms.get(left));
        })+
    }};
}

/// A constant of 32 bits.
fn number(arena: &mut Arena, value: u32) -> TermId {
    arena.terms.constant(value.into(), 32)
}

/// `x + value`.
fn x_plus(arena: &mut Arena, value: u32) -> TermId {
    let value = number(arena, value);
    arena.terms.add(arena.x, value)
}

/// `operator(x, value)`.
fn with(arena: &mut Arena, operator: fn(&mut Terms, TermId, TermId) -> TermId, value: u32) -> TermId {
    let value = number(arena, value);
    operator(&mut arena.terms, arena.x, value)
}

#[test]
fn sums_collect_constants_and_cancel() {
    check!(
        |a| { let sum = x_plus(a, 3); let four = number(a, 4); a.terms.add(four, sum) } => |a| x_plus(a, 7),
        |a| { let sum = x_plus(a, 3); a.terms.sub(sum, a.x) } => |a| number(a, 3),
        |a| { let sum = a.terms.add(a.x, a.y); a.terms.sub(sum, a.y) } => |a| a.x,
        |a| { let rest = a.terms.sub(a.x, a.y); a.terms.add(a.y, rest) } => |a| a.x,
        |a| a.terms.add(a.x, a.y) => |a| a.terms.add(a.y, a.x),
        |a| { let inverted = a.terms.not(a.x); a.terms.neg(inverted) } => |a| x_plus(a, 1),
        |a| { let product = with(a, Terms::mul, 3); let five = number(a, 5); a.terms.mul(product, five) }
            => |a| with(a, Terms::mul, 15),
        |a| { let sum = x_plus(a, 1); let twelve = number(a, 12); a.terms.mul(sum, twelve) }
            => |a| { let product = with(a, Terms::mul, 12); let twelve = number(a, 12); a.terms.add(product, twelve) },
        |a| with(a, Terms::udiv, 8) => |a| with(a, Terms::lshr, 3),
        |a| with(a, Terms::urem, 8) => |a| with(a, Terms::and, 7),
        |a| with(a, Terms::mul, 8) => |a| with(a, Terms::shl, 3),
    );
}

#[test]
fn bitwise_operators_absorb() {
    check!(
        |a| { let n = a.terms.not(a.x); a.terms.not(n) } => |a| a.x,
        |a| { let n = a.terms.not(a.x); a.terms.and(a.x, n) } => |a| number(a, 0),
        |a| { let n = a.terms.not(a.x); a.terms.or(a.x, n) } => |a| number(a, u32::MAX),
        |a| { let both = a.terms.and(a.x, a.y); a.terms.or(both, a.x) } => |a| a.x,
        |a| { let some = a.terms.or(a.x, a.y); a.terms.and(a.x, some) } => |a| a.x,
        |a| a.terms.xor(a.x, a.x) => |a| number(a, 0),
        |a| { let differ = a.terms.xor(a.x, a.y); a.terms.xor(a.x, differ) } => |a| a.y,
        |a| { let n = a.terms.not(a.x); a.terms.xor(n, a.y) }
            => |a| { let differ = a.terms.xor(a.x, a.y); a.terms.not(differ) },
        |a| { let part = with(a, Terms::xor, 5); a.terms.not(part) } => |a| with(a, Terms::xor, !5),
        |a| { let some = with(a, Terms::and, 0x55); let mask = number(a, 0x0f); a.terms.and(some, mask) }
            => |a| with(a, Terms::and, 5),
    );
}

#[test]
fn choices_between_booleans_are_operators() {
    check!(
        |a| a.terms.ite(a.p, a.x, a.x) => |a| a.x,
        |a| { let n = a.terms.not(a.p); a.terms.ite(n, a.x, a.y) } => |a| a.terms.ite(a.p, a.y, a.x),
        |a| { let inner = a.terms.ite(a.p, a.x, a.y); a.terms.ite(a.p, inner, a.y) }
            => |a| a.terms.ite(a.p, a.x, a.y),
        |a| { let yes = a.terms.boolean(true); a.terms.ite(a.p, yes, a.q) } => |a| a.terms.or(a.p, a.q),
        |a| { let no = a.terms.boolean(false); a.terms.ite(a.p, a.q, no) } => |a| a.terms.and(a.p, a.q),
        |a| a.terms.ite(a.p, a.q, a.p) => |a| a.terms.and(a.p, a.q),
        |a| { let n = a.terms.not(a.q); a.terms.ite(a.p, a.q, n) } => |a| a.terms.eq(a.p, a.q),
    );
}

#[test]
fn parts_that_are_put_together_are_the_whole() {
    check!(
        |a| {
            let bytes = [24, 16, 8, 0].map(|low| a.terms.extract(a.x, low, 8));
            let upper = a.terms.concat(bytes[0], bytes[1]);
            let lower = a.terms.concat(bytes[2], bytes[3]);
            a.terms.concat(upper, lower)
        } => |a| a.x,
        |a| { let wide = a.terms.concat(a.x, a.y); a.terms.extract(wide, 32, 32) } => |a| a.x,
        |a| { let wide = a.terms.sign_extend(a.x, 64); a.terms.extract(wide, 0, 32) } => |a| a.x,
        |a| { let wide = a.terms.sign_extend(a.x, 64); a.terms.sign_extend(wide, 128) }
            => |a| a.terms.sign_extend(a.x, 128),
        |a| { let up = with(a, Terms::shl, 8); let eight = number(a, 8); a.terms.lshr(up, eight) }
            => |a| with(a, Terms::and, 0x00ff_ffff),
        |a| with(a, Terms::shl, 32) => |a| number(a, 0),
    );
}

#[test]
fn comparisons_move_inwards() {
    check!(
        |a| { let sum = x_plus(a, 3); let ten = number(a, 10); a.terms.eq(sum, ten) } => |a| with(a, Terms::eq, 7),
        |a| { let (s, t) = (x_plus(a, 3), x_plus(a, 4)); a.terms.eq(s, t) } => |a| a.terms.boolean(false),
        |a| { let truth = a.terms.zero_extend(a.p, 32); let zero = number(a, 0); a.terms.ne(truth, zero) } => |a| a.p,
        |a| { let truth = a.terms.zero_extend(a.p, 32); let two = number(a, 2); a.terms.ult(truth, two) }
            => |a| a.terms.boolean(true),
        |a| {
            let (one, zero) = (number(a, 1), number(a, 0));
            let truth = a.terms.ite(a.p, one, zero);
            a.terms.eq(truth, one)
        } => |a| a.p,
        |a| with(a, Terms::ult, 0) => |a| a.terms.boolean(false),
        |a| with(a, Terms::ule, u32::MAX) => |a| a.terms.boolean(true),
        |a| with(a, Terms::ult, 1) => |a| with(a, Terms::eq, 0),
        |a| { let five = number(a, 5); a.terms.ult(five, a.x) }
            => |a| { let below = with(a, Terms::ult, 6); a.terms.not(below) },
        |a| with(a, Terms::slt, 0) => |a| a.terms.extract(a.x, 31, 1),
        |a| with(a, Terms::slt, 1 << 31) => |a| a.terms.boolean(false),
        |a| {
            let (x, y) = (a.terms.sign_extend(a.x, 64), a.terms.sign_extend(a.y, 64));
            a.terms.slt(x, y)
        } => |a| a.terms.slt(a.x, a.y),
        |a| {
            let (x, y) = (a.terms.zero_extend(a.x, 64), a.terms.zero_extend(a.y, 64));
            a.terms.slt(x, y)
        } => |a| a.terms.ult(a.x, a.y),
    );
}
