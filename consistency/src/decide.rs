//! The decision: a short search first, then the closure, then a search that respects it.
//!
//! A history that is allowed mostly has a witness that the search finds without a wrong decision, and the
//! closure would only cost time; one that is forbidden is mostly refused by the closure, where the search
//! would exhaust all prefixes (Bui et al., section 6.1, "effect of closure").

use rmc_runtime::Model;

use crate::closure::{Closed, Closure};
use crate::history::{History, HistoryError};
use crate::problem::Problem;
use crate::reason::Reason;
use crate::search::{Found, Search, WitnessStep};

/// Wrong decisions that a search may make before the closure is computed: so many, or one for so many events. A
/// search costs little more than the events that it takes, the closure nearly the square of their number.
const SHORT: u64 = 8;
const EVENTS_OF_ONE: u64 = 16;

/// The answer to the question whether a model allows a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It does, as this witness shows.
    Allowed(Vec<WitnessStep>),
    /// It does not.
    Forbidden(Reason),
}

impl Answer {
    /// True if the model allows the history.
    #[must_use]
    pub const fn is_allowed(&self) -> bool {
        matches!(self, Self::Allowed(_))
    }
}

/// The ways to decide. They differ in time only, and in the reason of a refusal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// A short search, then the closure, then a search that respects it.
    #[default]
    Mixed,
    /// The closure, then a search that respects it.
    ClosureFirst,
    /// The search alone.
    SearchAlone,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Self; 3] = [Self::Mixed, Self::ClosureFirst, Self::SearchAlone];
}

/// Decides whether a model allows a history.
///
/// # Errors
/// The history means nothing.
pub fn decide(history: &History, model: Model) -> Result<Answer, HistoryError> {
    decide_by(Strategy::Mixed, history, model)
}

/// Decides in a given way whether a model allows a history.
///
/// # Errors
/// The history means nothing.
pub fn decide_by(strategy: Strategy, history: &History, model: Model) -> Result<Answer, HistoryError> {
    let problem = Problem::new(history, model)?;
    let most = match strategy {
        Strategy::Mixed => SHORT.max(history.threads.iter().map(Vec::len).sum::<usize>() as u64 / EVENTS_OF_ONE),
        Strategy::ClosureFirst => 0,
        Strategy::SearchAlone => u64::MAX,
    };
    match Search::new(&problem, None).run(most) {
        Found::Witness(witness) => return Ok(Answer::Allowed(witness)),
        Found::Nothing { dead_ends } if strategy == Strategy::SearchAlone => {
            return Ok(Answer::Forbidden(Reason::Exhausted { prefixes: dead_ends }));
        }
        Found::Nothing { .. } | Found::GaveUp => {}
    }
    let closed = Closure::of(&problem);
    let order = match &closed {
        Closed::Order(order) => Some(order),
        Closed::Cycle(cycle) => return Ok(Answer::Forbidden(Reason::Cycle(cycle.clone()))),
        Closed::TooLarge => None,
    };
    Ok(match Search::new(&problem, order).run(u64::MAX) {
        Found::Witness(witness) => Answer::Allowed(witness),
        Found::Nothing { dead_ends } => Answer::Forbidden(Reason::Exhausted { prefixes: dead_ends }),
        Found::GaveUp => unreachable!("there is no limit"),
    })
}
