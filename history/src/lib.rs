//! `rmc-history` decides whether SC, TSO and PSO allow recorded histories.
//!
//! * `recorded`: histories as they are written down,
//! * `text`: the text format,
//! * `json`: the same in JSON,
//! * `located`: where the parts of a history are in a file,
//! * `error`: what can be wrong with an input,
//! * `resolve`: names and values become numbers and sources,
//! * `explain`: witnesses and reasons in words,
//! * `answer`: the answers about a history, as text and as JSON,
//! * `cli`: the command line, and many histories in parallel.
//!
//! The decision itself is in the package `rmc-consistency`.

pub mod answer;
pub mod cli;
pub mod error;
pub mod explain;
pub mod json;
pub mod located;
pub mod recorded;
pub mod resolve;
pub mod text;
