//! The text format: a file of histories.
//!
//! ```text
//! # Store buffering: both threads store, and then miss the other's store.
//! history SB
//!   T1: w x 1; r y 0
//!   T2: w y 1; r x 0
//!   expect sc no, tso yes, pso yes
//! ```
//!
//! Statements end at the end of the line or at `;`. What follows `#` is a comment.
//!
//! | statement | meaning |
//! |---|---|
//! | `history NAME` | begins a history; the name is optional; the first history needs no such line |
//! | `T1:` | the events after it are of thread `T1`; a thread may be continued, as in a log of all threads |
//! | `size x=4 y=2` | sizes of variables in bytes; without it, a variable has 8 bytes |
//! | `init x=1 y=2` | initial values; the others are 0 |
//! | `final x 1` | the value, or the source, in memory when all stores have reached it |
//! | `expect sc no, tso yes, pso yes` | whether the models should allow the history |
//!
//! | event | meaning |
//! |---|---|
//! | `r x 1`, `r x from T2:3` | a load: the value, or its source: the third event of thread `T2` |
//! | `r x from init` | a load from the initial memory |
//! | `w x 1`, `w x` | a store; the value is needed only if a load is given by its value |
//! | `rmw x 0 -> 1`, `rmw x from T2:3 -> 1` | a read-modify-write: what it read, and what it stored |
//! | `failed-cas x 1` | a compare-exchange that failed: a full fence and a load |
//! | `fence` | a full fence: `MFENCE` of x86, `MEMBAR #StoreLoad` of SPARC |
//! | `stbar` | a store-store barrier: `STBAR` of SPARC |
//! | `lock m from T2:3`, `lock m from init` | a mutex is locked, after that unlock, or as the first one |
//! | `unlock m` | a mutex is unlocked |
//!
//! `x+2/4` are the 4 bytes of `x` from byte 2, `x/4` are the first 4. Values are little-endian. A read with
//! several sources names the bytes of each: `r x/2 from T1:1 for x/1, init for x+1/1`. A value with a source
//! is checked: `r x 1 from T1:1`. Numbers are decimal, or hexadecimal with `0x`. Names are letters, digits,
//! `_` and `.`; others are quoted as in JSON: `w "a[3]" 1`.
//!
//! * `cursor`: characters with their positions,
//! * `parse`: from text,
//! * `print`: to text.
//!
//! Tests: `tests/messages.rs`; `tests/round_trip.rs`, also that no text makes the parser panic.

mod cursor;
mod parse;
mod print;

pub use parse::parse;
pub use print::print;
