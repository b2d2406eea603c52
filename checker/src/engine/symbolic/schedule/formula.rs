//! Constraints under construction.

use rmc_formula::{TermId, Terms};

/// The numbers of variables that are not in use.
#[derive(Clone, Copy, Debug, Default)]
pub struct NewVariables {
    next: u32,
}

impl NewVariables {
    /// A number that was not handed out before.
    pub fn fresh(&mut self) -> u32 {
        let number = self.next;
        self.next = number.checked_add(1).expect("fewer than 2^32 variables");
        number
    }
}

/// Terms, new variables, and the constraints so far.
pub struct Formula<'a> {
    /// The arena.
    pub terms: &'a mut Terms,
    variables: &'a mut NewVariables,
    constraints: Vec<TermId>,
}

impl<'a> Formula<'a> {
    /// No constraints.
    pub fn new(terms: &'a mut Terms, variables: &'a mut NewVariables) -> Self {
        Self { terms, variables, constraints: Vec::new() }
    }

    /// The constraints.
    pub fn into_constraints(self) -> Vec<TermId> {
        self.constraints
    }

    /// A new variable.
    pub fn fresh(&mut self, width: u32) -> TermId {
        self.terms.variable(self.variables.fresh(), width)
    }

    /// Demands that a term of 1 bit is 1.
    pub fn assert(&mut self, constraint: TermId) {
        if !self.is_true(constraint) {
            self.constraints.push(constraint);
        }
    }

    /// Demands `conclusion` if all premises hold.
    pub fn assert_implied(&mut self, premises: &[TermId], conclusion: TermId) {
        let premise = self.all(premises);
        let premise = self.terms.not(premise);
        let implied = self.terms.or(premise, conclusion);
        self.assert(implied);
    }

    /// True if all terms of 1 bit are.
    pub fn all(&mut self, terms: &[TermId]) -> TermId {
        let yes = self.terms.boolean(true);
        terms.iter().fold(yes, |all, &term| self.terms.and(all, term))
    }

    /// True if some term of 1 bit is.
    pub fn any(&mut self, terms: &[TermId]) -> TermId {
        let no = self.terms.boolean(false);
        terms.iter().fold(no, |any, &term| self.terms.or(any, term))
    }

    /// True if the term is the constant 1.
    pub fn is_true(&self, term: TermId) -> bool {
        self.terms.as_constant(term) == Some(1)
    }

    /// True if the term is the constant 0.
    pub fn is_false(&self, term: TermId) -> bool {
        self.terms.as_constant(term) == Some(0)
    }
}
