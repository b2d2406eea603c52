//! Histories with a reads-from relation, and whether SC, TSO and PSO allow them.
//!
//! A history says what each thread did, in program order, and which store each load read. A memory model
//! allows it if there is an order of the events, and of the arrivals of delayed stores in memory, in which
//! each load reads just that ([`decide()`]). The answer is such an order, a *witness*, or a reason.
//!
//! Source: T. L. Bui, K. Chatterjee, T. Gautam, A. Pavlogiannis, V. Toman, "The Reads-From Equivalence for
//! the TSO and PSO Memory Models", OOPSLA 2021, section 4: polynomial time for a fixed number of threads.
//! Accesses may have different sizes, where the source has variables.
//!
//! * `history`: events, places and sources,
//! * `cells`: memory, divided so that each access touches whole cells,
//! * `problem`: a history under a model, as an index. Models differ only in which stores are delayed, and in
//!   which order those of a thread reach memory,
//! * `closure`: orderings that every witness has (section 4.3),
//! * `search`: the search for a witness (algorithms 1 and 2), with the bounds on its time,
//! * `decide`: which of the two comes first,
//! * `reason`: why there is no witness.
//!
//! Tests: `tests/textbook/` compares with all executions of small programs on textbook machines.
//!
//! Nothing here knows programs, values or engines.
//!
//! # Examples
//!
//! ```
//! use rmc_consistency::{Answer, Event, History, Place, Source, decide};
//! use rmc_runtime::Model;
//!
//! // Store buffering: both threads store, and then miss the other's store.
//! let [x, y] = [Place::new(0, 0, 4), Place::new(1, 0, 4)];
//! let history = History {
//!     threads: vec![
//!         vec![Event::store(x), Event::load(y, Source::Initial)],
//!         vec![Event::store(y), Event::load(x, Source::Initial)],
//!     ],
//! };
//! assert!(matches!(decide(&history, Model::Sc).unwrap(), Answer::Forbidden(_)));
//! assert!(matches!(decide(&history, Model::Tso).unwrap(), Answer::Allowed(_)));
//! ```

mod cells;
mod closure;
mod decide;
mod history;
mod problem;
mod reason;
mod search;

pub use decide::{Answer, Strategy, decide, decide_by};
pub use history::{Event, EventId, EventKind, History, HistoryError, Place, Read, Source};
pub use reason::{Cause, Node, Ordering, Reason};
pub use search::WitnessStep;
