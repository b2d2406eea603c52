//! Clauses, made gate by gate.
//!
//! A gate is a new variable with the clauses that make it equal to a function of its inputs. Gates with
//! equal inputs are one gate; a gate whose inputs decide it, or leave one of them, is no gate. Inputs are put
//! in canonical order and polarity first, so that `a ^ !b` and `!(a ^ b)` share a gate.
//!
//! Source of the encoding: G. S. Tseitin, "On the Complexity of Derivation in Propositional Calculus", 1968.
//! The sum and the carry of a full adder are one gate each, without variables between (N. Eén, N. Sörensson,
//! "Translating Pseudo-Boolean Constraints into SAT", JSAT 2, 2006, section 5.1). Clauses for both
//! polarities are made, since a gate may be used in both.
//!
//! Tests: in this file, every gate with all inputs.

use std::ops::Not;

use rustc_hash::FxHashMap;

/// A variable of the clauses or its negation, as in DIMACS: not 0; negative if negated. Variable 1 is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Literal(i32);

impl Literal {
    /// The literal that is true.
    pub(crate) const TRUE: Self = Self(1);
    /// The literal that is false.
    pub(crate) const FALSE: Self = Self(-1);

    /// The literal with a known value.
    pub(crate) fn constant(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// The number in DIMACS.
    pub(crate) fn number(self) -> i32 {
        self.0
    }

    /// True if the literal is [`Self::TRUE`] or [`Self::FALSE`].
    fn is_constant(self) -> bool {
        self.0.abs() == 1
    }

    /// True if the literal is a negated variable.
    fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// The variable, without negation.
    fn variable(self) -> Self {
        Self(self.0.abs())
    }

    /// The literal, negated if the condition holds.
    fn negate_if(self, condition: bool) -> Self {
        if condition { !self } else { self }
    }
}

impl Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(-self.0)
    }
}

/// A gate with its inputs in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Gate {
    And([Literal; 2]),
    Xor([Literal; 2]),
    /// The exclusive disjunction of three: the sum of a full adder.
    Parity([Literal; 3]),
    /// The carry of a full adder.
    Majority([Literal; 3]),
    /// The second if the first, else the third.
    Multiplexer([Literal; 3]),
}

/// All gates, and the clauses that were not yet taken.
#[derive(Debug)]
pub(crate) struct Gates {
    /// The number of variables.
    variables: i32,
    /// Clauses, each with a 0 at its end.
    clauses: Vec<i32>,
    outputs: FxHashMap<Gate, Literal>,
}

impl Gates {
    /// No gates; the clause that variable 1 is true.
    pub(crate) fn new() -> Self {
        let mut gates = Self { variables: 1, clauses: Vec::new(), outputs: FxHashMap::default() };
        gates.add_clause(&[Literal::TRUE]);
        gates
    }

    /// The number of variables.
    pub(crate) fn variables(&self) -> usize {
        usize::try_from(self.variables).expect("a positive number")
    }

    /// The clauses that were added since the last call, each with a 0 at its end.
    pub(crate) fn take_clauses(&mut self) -> Vec<i32> {
        std::mem::take(&mut self.clauses)
    }

    /// A variable that no clause has yet.
    pub(crate) fn fresh(&mut self) -> Literal {
        self.variables = self.variables.checked_add(1).expect("fewer than 2^31 variables");
        Literal(self.variables)
    }

    /// Adds the clause that one of the literals is true.
    pub(crate) fn add_clause(&mut self, literals: &[Literal]) {
        self.clauses.extend(literals.iter().map(|literal| literal.0));
        self.clauses.push(0);
    }

    /// `a & b`.
    pub(crate) fn and(&mut self, a: Literal, b: Literal) -> Literal {
        match (a, b) {
            (Literal::TRUE, other) | (other, Literal::TRUE) => other,
            (Literal::FALSE, _) | (_, Literal::FALSE) => Literal::FALSE,
            _ if a == b => a,
            _ if a == !b => Literal::FALSE,
            _ => self.gate(Gate::And(sorted([a, b]))),
        }
    }

    /// `a | b`.
    pub(crate) fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    /// True if all literals are. One variable, however many literals.
    pub(crate) fn all(&mut self, mut literals: Vec<Literal>) -> Literal {
        literals.sort_unstable_by_key(|literal| (literal.0.abs(), literal.0));
        literals.dedup();
        literals.retain(|&literal| literal != Literal::TRUE);
        if literals.contains(&Literal::FALSE) || literals.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Literal::FALSE;
        }
        if let [] | [_] | [_, _] = literals[..] {
            return literals.into_iter().fold(Literal::TRUE, |a, b| self.and(a, b));
        }
        let output = self.fresh();
        for &literal in &literals {
            self.add_clause(&[!output, literal]);
        }
        let inverted = literals.into_iter().map(Not::not).chain([output]);
        self.add_clause(&inverted.collect::<Vec<_>>());
        output
    }

    /// `a ^ b`.
    pub(crate) fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let is_inverted = a.is_negative() != b.is_negative();
        let (a, b) = (a.variable(), b.variable());
        let output = match (a, b) {
            (Literal::TRUE, other) | (other, Literal::TRUE) => !other,
            _ if a == b => Literal::FALSE,
            _ => self.gate(Gate::Xor(sorted([a, b]))),
        };
        output.negate_if(is_inverted)
    }

    /// `a ^ b ^ c`: the sum of a full adder.
    pub(crate) fn parity(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        let inputs = [a, b, c];
        if let Some(at) = inputs.iter().position(|input| input.is_constant()) {
            let rest = self.xor(inputs[(at + 1) % 3], inputs[(at + 2) % 3]);
            return self.xor(inputs[at], rest);
        }
        let is_inverted = inputs.iter().filter(|input| input.is_negative()).count() % 2 == 1;
        let inputs = sorted(inputs.map(Literal::variable));
        let output = match inputs {
            [a, b, c] if a == b => c,
            [a, b, c] if b == c => a,
            _ => self.gate(Gate::Parity(inputs)),
        };
        output.negate_if(is_inverted)
    }

    /// True if at least two of three are: the carry of a full adder.
    pub(crate) fn majority(&mut self, a: Literal, b: Literal, c: Literal) -> Literal {
        for (x, y, z) in [(a, b, c), (b, c, a), (c, a, b)] {
            match x {
                Literal::TRUE => return self.or(y, z),
                Literal::FALSE => return self.and(y, z),
                _ if x == y => return x,
                _ if x == !y => return z,
                _ => {}
            }
        }
        let inputs = sorted([a, b, c]);
        let is_inverted = inputs[0].is_negative();
        let inputs = inputs.map(|input| input.negate_if(is_inverted));
        self.gate(Gate::Majority(inputs)).negate_if(is_inverted)
    }

    /// `then` if `condition`, else `other`.
    pub(crate) fn multiplexer(&mut self, condition: Literal, then: Literal, other: Literal) -> Literal {
        if condition.is_negative() {
            return self.multiplexer(!condition, other, then);
        }
        if condition == Literal::TRUE || then == other {
            return then;
        }
        if then == !other {
            return !self.xor(condition, then);
        }
        match (then, other) {
            _ if then == Literal::TRUE || then == condition => self.or(condition, other),
            _ if then == Literal::FALSE || then == !condition => self.and(!condition, other),
            _ if other == Literal::TRUE || other == !condition => self.or(!condition, then),
            _ if other == Literal::FALSE || other == condition => self.and(condition, then),
            _ => {
                let is_inverted = then.is_negative();
                let (then, other) = (then.negate_if(is_inverted), other.negate_if(is_inverted));
                self.gate(Gate::Multiplexer([condition, then, other])).negate_if(is_inverted)
            }
        }
    }

    /// The output of a gate, which is made if it is new.
    fn gate(&mut self, gate: Gate) -> Literal {
        if let Some(&output) = self.outputs.get(&gate) {
            return output;
        }
        let output = self.fresh();
        self.outputs.insert(gate, output);
        self.define(gate, output);
        output
    }

    /// Adds the clauses that make a variable the output of a gate.
    fn define(&mut self, gate: Gate, o: Literal) {
        match gate {
            Gate::And([a, b]) => self.add_clauses(&[&[!o, a], &[!o, b], &[o, !a, !b]]),
            Gate::Xor([a, b]) => self.add_clauses(&[&[!o, a, b], &[!o, !a, !b], &[o, !a, b], &[o, a, !b]]),
            Gate::Parity([a, b, c]) => {
                for (x, y, z) in [(a, b, c), (a, !b, !c), (!a, b, !c), (!a, !b, c)] {
                    self.add_clauses(&[&[!o, x, y, z], &[o, !x, !y, !z]]);
                }
            }
            Gate::Majority([a, b, c]) => {
                for (x, y) in [(a, b), (b, c), (c, a)] {
                    self.add_clauses(&[&[!o, x, y], &[o, !x, !y]]);
                }
            }
            Gate::Multiplexer([s, a, b]) => {
                self.add_clauses(&[&[!s, !a, o], &[!s, a, !o], &[s, !b, o], &[s, b, !o]]);
                // Implied: equal branches decide the output before the condition is known.
                self.add_clauses(&[&[!a, !b, o], &[a, b, !o]]);
            }
        }
    }

    fn add_clauses(&mut self, clauses: &[&[Literal]]) {
        for clause in clauses {
            self.add_clause(clause);
        }
    }
}

/// Literals ordered by their variables.
fn sorted<const N: usize>(mut literals: [Literal; N]) -> [Literal; N] {
    literals.sort_unstable_by_key(|literal| literal.0.abs());
    literals
}

#[cfg(test)]
mod tests {
    use cadical::Solver;

    use super::*;

    /// A function of three inputs, as a gate and as its meaning.
    type Function = (fn(&mut Gates, [Literal; 3]) -> Literal, fn([bool; 3]) -> bool);

    const FUNCTIONS: [Function; 6] = [
        (|gates, [a, b, _]| gates.and(a, b), |[a, b, _]| a && b),
        (|gates, [a, b, _]| gates.xor(a, b), |[a, b, _]| a != b),
        (|gates, [a, b, c]| gates.parity(a, b, c), |[a, b, c]| a ^ b ^ c),
        (|gates, [a, b, c]| gates.majority(a, b, c), |[a, b, c]| u8::from(a) + u8::from(b) + u8::from(c) > 1),
        (|gates, [a, b, c]| gates.multiplexer(a, b, c), |[a, b, c]| if a { b } else { c }),
        (|gates, [a, b, c]| gates.all(vec![a, b, c, a]), |[a, b, c]| a && b && c),
    ];

    /// Every gate, with all inputs among three variables, their negations and the constants, under every
    /// assignment: the output has its value in all models.
    #[test]
    fn gates_have_their_meaning() {
        let mut gates = Gates::new();
        let variables = [gates.fresh(), gates.fresh(), gates.fresh()];
        let inputs: Vec<Literal> = variables.into_iter().chain([Literal::TRUE]).flat_map(|one| [one, !one]).collect();
        let mut outputs = Vec::new();
        for number in 0..inputs.len().pow(3) {
            let triple = [number % 8, number / 8 % 8, number / 64].map(|at| inputs[at]);
            outputs.extend(FUNCTIONS.map(|(build, meaning)| (build(&mut gates, triple), triple, meaning)));
        }
        let mut solver: Solver = Solver::new();
        for clause in gates.take_clauses().split(|&number| number == 0).filter(|clause| !clause.is_empty()) {
            solver.add_clause(clause.iter().copied());
        }
        for assignment in 0..8 {
            let assumed = [0, 1, 2].map(|at| variables[at].negate_if(assignment >> at & 1 == 0));
            let mut known = FxHashMap::default();
            for &(output, inputs, meaning) in &outputs {
                let is_true = |input| input == Literal::TRUE || assumed.contains(&input);
                let expected = output.negate_if(!meaning(inputs.map(is_true)));
                let first = *known.entry(output.variable()).or_insert(expected);
                assert_eq!(first, expected, "{inputs:?} of {assumed:?}");
            }
            for &expected in known.values() {
                let mut answer = |last| solver.solve_with(assumed.into_iter().chain([last]).map(Literal::number));
                assert_eq!((answer(expected), answer(!expected)), (Some(true), Some(false)), "{expected:?}");
            }
        }
    }
}
