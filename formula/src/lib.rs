//! Formulas over bit-vectors, decided by a SAT solver.
//!
//! A formula is a term of 1 bit over variables and constants of 1 to [`MAX_WIDTH`] bits. Terms have the
//! operators and the meaning of the theory of fixed-size bit-vectors of SMT-LIB (C. Barrett, P. Fontaine,
//! C. Tinelli, "The SMT-LIB Standard, Version 2.6", 2017, logic QF_BV). Three ideas make queries cheap:
//!
//! * Terms are hash-consed: equal terms have equal ids. The constructors simplify, so that many formulas are
//!   constants before a solver sees them ([`Terms`]).
//! * Terms are translated to clauses bit by bit, with the encoding of G. S. Tseitin ("On the Complexity of
//!   Derivation in Propositional Calculus", 1968). Gates are hash-consed too and fold constants; every query
//!   of a session shares them (`blast.rs`, `gates.rs`).
//! * The solver is incremental: what it learns in one query holds in the next ([`Session`]). It is CaDiCaL
//!   (A. Biere, T. Faller, K. Fazekas, M. Fleury, N. Froleyks, F. Pollitt, "CaDiCaL 2.0", CAV 2024), through
//!   the crate `cadical`, which has version 1.9.5.
//!
//! The translation is exact: there is no approximation and no bound. An answer is [`Answer::Interrupted`]
//! only if the caller sets a limit or asks for the end.
//!
//! * `term`: the arena, and the kinds of terms,
//! * `build`: the constructors, one file per family,
//! * `semantics`: the value of one operator,
//! * `evaluate`: the value of a term under an assignment,
//! * `gates`, `blast`: clauses,
//! * `solver`: sessions,
//! * `dimacs`: clauses as text, for other solvers.
//!
//! Tests: `formula/tests`, which compare with 128-bit arithmetic and with enumeration. Nothing here knows
//! programs, memory or schedules.
//!
//! # Examples
//!
//! ```
//! use rmc_formula::{Answer, Least, Session, Terms};
//!
//! let mut terms = Terms::new();
//! let x = terms.variable(0, 32);
//! let y = terms.variable(1, 32);
//! let sum = terms.add(x, y);
//! let hundred = terms.constant(100, 32);
//! let is_hundred = terms.eq(sum, hundred);
//! let is_less = terms.ult(sum, x);
//!
//! let mut session = Session::new();
//! session.assert(&terms, is_hundred);
//! assert_eq!(session.check(&terms, &[is_less]), Answer::Sat);
//! assert_eq!((session.value(&terms, x) + session.value(&terms, y)) % (1 << 32), 100);
//! // The sum wraps around only if x is above 100.
//! assert_eq!(session.least(&mut terms, x, &[is_less]), Least::Value(101));
//! ```

mod blast;
mod build;
pub mod dimacs;
mod evaluate;
mod gates;
mod semantics;
mod solver;
mod term;

pub use evaluate::Evaluator;
pub use solver::{Answer, Least, Session};
pub use term::{MAX_WIDTH, Term, TermId, Terms};
