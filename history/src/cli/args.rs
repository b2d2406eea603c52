//! The options of the command line.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use rmc_runtime::Model;

const AFTER_HELP: &str = "\
Example, in a file sb.hist (store buffering: both threads store, and then miss the other's store):

  history SB
    T1: w x 1; r y 0
    T2: w y 1; r x 0
    expect sc no, tso yes, pso yes

  $ rmc-history sb.hist
  SB: sc forbidden, as expected
  SB: tso allowed, as expected
  SB: pso allowed, as expected

  $ rmc-history --explain --model sc sb.hist      # why: a cycle of orderings
  $ my-tester | rmc-history --json -              # histories from another program

Events: r (load), w (store), rmw (read-modify-write: `rmw x 0 -> 1`), failed-cas, fence (full), stbar \
(store-store), lock, unlock. A load has its value, or its source: `r x from T2:3` is the third event of T2, \
`from init` the initial memory. `x+2/4` are 4 bytes of x from byte 2. Other statements: size x=4, init x=1, \
final x 1. A # begins a comment. All is in history/src/text/mod.rs; examples are in examples/histories.

Exit codes: 0 the answers are the expected ones, or nothing is expected; 1 an answer is not the expected one; \
2 wrong usage or bad input; 70 an error in rmc-history itself.";

/// Decides whether SC, TSO and PSO allow recorded histories: what each thread read and stored.
#[derive(Debug, Parser)]
#[command(name = "rmc-history", version, after_help = AFTER_HELP)]
pub struct Args {
    /// Files with histories; - is standard input
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Memory models to ask, separated by commas: sc, tso, pso [default: all]
    #[arg(long = "model", value_name = "MODELS", value_delimiter = ',', value_parser = model)]
    pub models: Vec<Model>,

    /// Show a witness for each history that is allowed, and the reason for each that is forbidden
    #[arg(long)]
    pub explain: bool,

    /// Answer in JSON
    #[arg(long)]
    pub json: bool,

    /// Decide N histories at a time [default: the number of processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZero<usize>>,

    /// Format of the input [default: json for files whose name ends with .json, else text]
    #[arg(long, value_enum)]
    pub format: Option<Format>,

    /// Print the histories in another format instead of deciding them
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["explain", "json", "models", "jobs"])]
    pub convert: Option<Format>,
}

/// The formats of histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The text format
    Text,
    /// JSON
    Json,
}

impl Args {
    /// The models to ask, each once, strongest first.
    pub fn models(&self) -> Vec<Model> {
        Model::ALL.into_iter().filter(|model| self.models.is_empty() || self.models.contains(model)).collect()
    }

    /// The number of histories to decide at a time.
    pub fn jobs(&self) -> NonZero<usize> {
        self.jobs.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN)
    }
}

fn model(name: &str) -> Result<Model, String> {
    name.parse().map_err(|error: rmc_runtime::UnknownModel| error.to_string())
}
