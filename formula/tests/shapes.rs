//! Every operator over all pairs of terms of many shapes, so that every rule of a constructor meets its
//! operands: all terms have the value of the reference under all assignments.
//!
//! The variables are `x` and `y` of 3 bits and `p` of 1. A [`Shape`] is a term with a table of its values,
//! which is computed from the tables of its parts and not from the term.

mod common;

use common::{BINARY, assignments, modulus, signed, wrap};
use rmc_formula::{Evaluator, TermId, Terms};

const WIDTHS: [u32; 3] = [3, 3, 1];
const WIDTH: u32 = 3;

/// A term, its width, and its value under each assignment.
#[derive(Clone)]
struct Shape {
    term: TermId,
    width: u32,
    values: Vec<u8>,
}

/// Makes shapes, and keeps all of them.
struct Shapes {
    terms: Terms,
    assignments: Vec<Vec<u128>>,
    all: Vec<Shape>,
}

impl Shapes {
    fn new() -> Self {
        Self { terms: Terms::new(), assignments: assignments(&WIDTHS), all: Vec::new() }
    }

    fn keep(&mut self, term: TermId, width: u32, values: impl Iterator<Item = u128>) -> Shape {
        assert_eq!(self.terms.width(term), width);
        let values = values.map(|value| u8::try_from(value).expect("few bits")).collect();
        let shape = Shape { term, width, values };
        self.all.push(shape.clone());
        shape
    }

    fn variable(&mut self, number: usize) -> Shape {
        let term = self.terms.variable(u32::try_from(number).expect("a small number"), WIDTHS[number]);
        let values: Vec<u128> = self.assignments.iter().map(|one| one[number]).collect();
        self.keep(term, WIDTHS[number], values.into_iter())
    }

    fn constant(&mut self, value: u128, width: u32) -> Shape {
        let term = self.terms.constant(value, width);
        self.keep(term, width, std::iter::repeat_n(value, self.assignments.len()))
    }

    /// A shape of one part; `value` computes its value from that of the part.
    fn unary(
        &mut self,
        width: u32,
        a: &Shape,
        build: impl Fn(&mut Terms, TermId) -> TermId,
        value: impl Fn(u128) -> u128,
    ) -> Shape {
        let term = build(&mut self.terms, a.term);
        self.keep(term, width, a.values.iter().map(|&a| value(a.into())))
    }

    /// An operator of [`BINARY`], by its position.
    fn binary(&mut self, at: usize, a: &Shape, b: &Shape) -> Shape {
        let operator = &BINARY[at];
        let term = (operator.build)(&mut self.terms, a.term, b.term);
        let pairs = a.values.iter().zip(&b.values);
        let values = pairs.map(|(&x, &y)| (operator.value)(x.into(), y.into(), a.width));
        self.keep(term, if operator.is_predicate { 1 } else { a.width }, values)
    }

    fn ite(&mut self, condition: &Shape, a: &Shape, b: &Shape) -> Shape {
        let term = self.terms.ite(condition.term, a.term, b.term);
        let branches = a.values.iter().zip(&b.values).zip(&condition.values);
        let values = branches.map(|((&a, &b), &condition)| if condition == 1 { a } else { b });
        let values = values.map(u128::from);
        self.keep(term, a.width, values)
    }

    fn concat(&mut self, high: &Shape, low: &Shape) -> Shape {
        let term = self.terms.concat(high.term, low.term);
        let pairs = high.values.iter().zip(&low.values);
        let values = pairs.map(|(&first, &second)| u128::from(first) * modulus(low.width) + u128::from(second));
        self.keep(term, high.width + low.width, values)
    }

    fn not(&mut self, a: &Shape) -> Shape {
        self.unary(a.width, a, Terms::not, |value| modulus(a.width) - 1 - value)
    }

    /// The shapes of one part.
    fn unaries(&mut self, a: &Shape) -> Vec<Shape> {
        let width = a.width;
        let mut shapes = vec![self.not(a)];
        shapes.push(self.unary(width, a, Terms::neg, |value| wrap(-value.cast_signed(), width)));
        for wider in width..=width + 2 {
            shapes.push(self.unary(wider, a, |terms, a| terms.zero_extend(a, wider), |value| value));
            let extended = |value| wrap(signed(value, width), wider);
            shapes.push(self.unary(wider, a, |terms, a| terms.sign_extend(a, wider), extended));
        }
        for low in 0..width {
            for bits in 1..=width - low {
                let part = |value: u128| value / modulus(low) % modulus(bits);
                shapes.push(self.unary(bits, a, |terms, a| terms.extract(a, low, bits), part));
            }
        }
        shapes
    }

    /// Variables, constants, and what one operator makes of them, with widths up to [`WIDTH`].
    fn atoms(&mut self) -> Vec<Shape> {
        let mut atoms: Vec<Shape> = (0..WIDTHS.len()).map(|number| self.variable(number)).collect();
        let (x, y, p) = (atoms[0].clone(), atoms[1].clone(), atoms[2].clone());
        let constants: Vec<Shape> = (0..modulus(WIDTH)).map(|value| self.constant(value, WIDTH)).collect();
        for a in [&x, &y, &p] {
            atoms.extend(self.unaries(a));
        }
        for at in 0..BINARY.len() {
            atoms.push(self.binary(at, &x, &y));
            atoms.extend([1, 3, 4, 5].map(|value| self.binary(at, &x, &constants[value])));
        }
        atoms.push(self.ite(&p, &x, &y));
        atoms.push(self.ite(&p, &constants[1], &constants[6]));
        atoms.extend(constants);
        atoms.extend(
            (1..WIDTH)
                .flat_map(|width| [0, 1, modulus(width) - 1].map(|value| (value, width)))
                .map(|(value, width)| self.constant(value, width)),
        );
        distinct(atoms)
    }

    /// Compares all shapes with the values of their terms.
    fn check(&self) {
        for (at, assignment) in self.assignments.iter().enumerate() {
            let mut evaluator = Evaluator::new(&self.terms, |number| assignment[number as usize]);
            for shape in &self.all {
                let value = evaluator.value(shape.term);
                let expected = shape.values[at].into();
                assert_eq!(value, expected, "{:?} under {assignment:?}", self.terms.get(shape.term));
            }
        }
    }
}

/// One shape of each term.
fn distinct(mut shapes: Vec<Shape>) -> Vec<Shape> {
    shapes.sort_by_key(|shape| shape.term);
    shapes.dedup_by_key(|shape| shape.term);
    shapes.retain(|shape| shape.width <= WIDTH);
    shapes
}

/// All pairs of shapes of a width.
fn pairs(shapes: &[Shape], width: u32) -> impl Iterator<Item = (&Shape, &Shape)> {
    let of_width = move || shapes.iter().filter(move |shape| shape.width == width);
    of_width().flat_map(move |a| of_width().map(move |b| (a, b)))
}

#[test]
fn operators_over_all_pairs_of_shapes() {
    let mut shapes = Shapes::new();
    let atoms = shapes.atoms();
    for at in 0..BINARY.len() {
        for (a, b) in pairs(&atoms, WIDTH) {
            shapes.binary(at, a, b);
        }
    }
    shapes.check();
}

#[test]
fn operators_over_narrow_shapes() {
    let mut shapes = Shapes::new();
    let atoms = shapes.atoms();
    for width in 1..WIDTH {
        for at in 0..BINARY.len() {
            for (a, b) in pairs(&atoms, width) {
                shapes.binary(at, a, b);
            }
        }
    }
    shapes.check();
}

#[test]
fn choices_between_all_pairs_of_shapes() {
    let mut shapes = Shapes::new();
    let atoms = shapes.atoms();
    let p = shapes.variable(2);
    let conditions = [p.clone(), shapes.not(&p)];
    for condition in &conditions {
        for (a, b) in pairs(&atoms, WIDTH).chain(pairs(&atoms, 1)) {
            shapes.ite(condition, a, b);
        }
    }
    shapes.check();
}

#[test]
fn parts_of_concatenations() {
    let mut shapes = Shapes::new();
    let atoms = shapes.atoms();
    let mut lists = Vec::new();
    for (a, b) in pairs(&atoms, 1).chain(pairs(&atoms, 2)) {
        lists.push(shapes.concat(a, b));
    }
    for (a, b) in atoms.iter().flat_map(|a| atoms.iter().map(move |b| (a, b))) {
        if a.width + b.width == WIDTH {
            lists.push(shapes.concat(a, b));
        }
    }
    for list in &lists {
        shapes.unaries(list);
    }
    shapes.check();
}

#[test]
fn operators_over_operators() {
    let mut shapes = Shapes::new();
    let atoms = shapes.atoms();
    let mut choices = 1_u64;
    let mut choose = |below: usize| {
        choices = choices.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(choices >> 33).expect("31 bits") % below
    };
    let mut made: Vec<Shape> = atoms;
    for _ in 0..20_000 {
        let a = made[choose(made.len())].clone();
        let same: Vec<usize> = (0..made.len().min(400)).filter(|&at| made[at].width == a.width).collect();
        let b = made[same[choose(same.len())]].clone();
        let shape = shapes.binary(choose(BINARY.len()), &a, &b);
        let parts = if choose(8) == 0 { shapes.unaries(&shape) } else { vec![shape] };
        made.extend(parts.into_iter().filter(|part| part.width <= WIDTH));
    }
    shapes.check();
}
