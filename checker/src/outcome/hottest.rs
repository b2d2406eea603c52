//! The place of most of the work of a search whose verdict is `unknown`, and advice about it.

use serde::{Deserialize, Serialize};

use super::{Place, Unknown};

/// The loop or line in which most steps of a search were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hottest {
    /// The first line of the loop, or the line itself.
    pub place: Place,
    /// The function.
    pub function: String,
    /// The kind of code there.
    pub work: Work,
    /// The number of steps made there: steps between states, or events of executions. Large numbers are
    /// estimated from a sample.
    pub count: u64,
    /// The number of all steps, estimated in the same way.
    pub of: u64,
    /// Advice to the user, in a sentence.
    pub advice: String,
}

/// The kinds of code that much work is spent in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// A line outside of all loops.
    Line,
    /// A loop.
    Loop,
    /// A loop without an exit.
    EndlessLoop,
    /// A waiting loop with a counter: it reads memory and changes only its counter.
    CountingWait,
}

impl Work {
    /// The advice for a search that ended for this reason.
    #[must_use]
    pub fn advice(self, reason: Unknown) -> String {
        let limit = match reason {
            Unknown::StateLimit => "raise --max-states",
            Unknown::MemoryLimit => "raise --max-memory, or keep tables in a file with --store-file",
            Unknown::Timeout => "raise --timeout",
            Unknown::Interrupted => "let it run longer",
            Unknown::StoreFile => "put --store-file on a larger disk",
            Unknown::BufferBound => {
                return "raise --buffer-bound, or put a fence where many stores follow each other".to_owned();
            }
            Unknown::StackDepth => return "bound the depth of the recursion in the test driver".to_owned(),
            Unknown::AllocationLimit => return "free memory, or allocate in fewer rounds".to_owned(),
            Unknown::ThreadLimit => return "join threads before others are created, or create fewer".to_owned(),
            Unknown::TextLength => return "print less at once".to_owned(),
            Unknown::LoopBound => {
                return "raise --unroll, or leave it out if the loop ends or only waits".to_owned();
            }
            Unknown::Nondet | Unknown::DataRange => {
                return "choose the values that matter with --nondet-range MIN..MAX, or with rmc_choose".to_owned();
            }
            Unknown::CopyOrder => {
                return "move the memory under a lock, or through a copy that no other thread knows".to_owned();
            }
            Unknown::Clock => {
                return "add --clocks pass, or define the function that reads the clock in the test driver".to_owned();
            }
            Unknown::Time => return "leave out --clocks pass to explore the rest with standing clocks".to_owned(),
            Unknown::Hashes => return "use a BTreeMap, or a hasher without random keys".to_owned(),
            Unknown::OtherViolation => return "leave out --property to see what is undefined".to_owned(),
            Unknown::SymbolicBounds => return "raise --unroll and --rounds, or leave them out".to_owned(),
            Unknown::ContextBound => "raise --context-bound",
            Unknown::Assumptions => return "check what is assumed before threads begin".to_owned(),
            Unknown::HashCompaction => return "leave out --store compact for a proof".to_owned(),
        };
        match self {
            Self::EndlessLoop => {
                "nothing leaves this loop: bound its rounds in the test driver, or try --engine dpor --unroll N"
                    .to_owned()
            }
            Self::CountingWait => {
                format!("a loop that waits and counts its rounds makes a new state in each: do not count, or {limit}")
            }
            Self::Loop => {
                format!("fewer rounds of it, fewer threads or fewer values make the search smaller; or {limit}")
            }
            Self::Line => format!("fewer threads, operations or values make the search smaller; or {limit}"),
        }
    }
}

impl Hottest {
    /// A description without the advice; `unit` names the steps that are counted.
    #[must_use]
    pub fn describe(&self, unit: &str) -> String {
        let file = self.place.file.rsplit('/').next().unwrap_or_default();
        let what = if self.work == Work::Line { "line" } else { "loop" };
        let about = if self.of > 1000 { "about " } else { "" };
        let (count, of) = (indicatif::HumanCount(self.count), indicatif::HumanCount(self.of));
        format!(
            "{about}{count} of {of} {unit} were made in the {what} at {file}:{} in {}",
            self.place.line, self.function
        )
    }
}
