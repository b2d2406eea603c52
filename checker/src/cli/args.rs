//! What can be typed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgAction, ColorChoice, Parser, ValueEnum};
use rmc_runtime::{Model, OrderRules};

use super::store_args::StoreArgs;
use super::typed;
use crate::engine::Limits;
use crate::engine::capabilities::{self, Capabilities};
use crate::ir::load::Stub;
use crate::memory;
use crate::property::Property;
use crate::system::config::DataRange;
use crate::system::{Config, Leaks, Reduction, Reductions};

const AFTER_HELP: &str = "\
An option that is given again overrides the earlier one, unless several make up a list. --property is given once.

Exit codes: 0 holds, 1 violated, 2 wrong usage, input that does not compile, or an unsupported construct (named with its line), \
3 unknown (a limit or a bound was reached; nothing bounded is called a proof), 70 an error of rmc itself.

Environment: RMC_CLANG and RMC_OPT name clang and opt (clang-16, opt-16), RMC_PASS the pass plugin (librmc_pass.so beside this program).";

/// What a replay takes from the report, and what it does not do.
const OF_THE_REPORT: [&str; 32] = [
    "cross_check",
    "build",
    "stub",
    "relaxed_memory",
    "engine",
    "robustness",
    "buffer_bound",
    "weak_release",
    "no_local_memory",
    "reduce",
    "no_reduce",
    "svcomp",
    "leaks",
    "overflow",
    "property",
    "nondet_range",
    "spurious_wakeups",
    "races",
    "malloc_may_fail",
    "max_states",
    "max_memory",
    "timeout",
    "unroll",
    "jobs",
    "store",
    "store_file",
    "checkpoint",
    "checkpoint_interval",
    "resume",
    "keep_going",
    "report",
    "stats",
];

/// Finds the bugs that store buffers cause in C and C++ threads, or proves that there are none.
#[derive(Debug, Parser)]
#[command(name = "rmc-check", version, after_help = AFTER_HELP, args_override_self = true)]
pub struct Args {
    /// C or C++ source (.c .i .cc .cpp .cxx .C, or - for C on standard input), bitcode (.bc, .o), LLVM
    /// assembly (.ll) or archives of bitcode (.a), several are linked; or one task file of SV-COMP (.yml)
    #[arg(value_name = "INPUT", required_unless_present_any = ["replay", "build"])]
    pub inputs: Vec<PathBuf>,

    /// Memory model: sc has no store buffers, tso is x86's, pso also lets stores overtake each other
    #[arg(alias = "model", alias = "memory-model", long, value_name = "MODEL", default_value_t = Model::Tso, value_parser = model)]
    pub relaxed_memory: Model,

    /// How executions are explored [default: explicit, with --robustness dpor]
    #[arg(long, value_enum)]
    pub engine: Option<EngineName>,

    /// Executions that are not sequentially consistent are violations; shown as a cycle, with the fences that
    /// rule it out
    #[arg(long, conflicts_with_all = ["cross_check", "property", "witness"])]
    pub robustness: bool,

    /// Explore with both engines, explicit and dpor; if their verdicts, violations or final states differ,
    /// that is an error of rmc: exit code 70
    #[arg(long, conflicts_with = "engine")]
    pub cross_check: bool,

    /// Delayed stores a thread may have, 0 is unbounded; where a full buffer has to be flushed early, `holds`
    /// is not claimed [default: 32, and more where that is not enough]
    #[arg(long, value_name = "N")]
    pub buffer_bound: Option<usize>,

    /// Release stores and release fences order nothing under pso
    #[arg(long)]
    pub weak_release: bool,

    /// Treat all instrumented memory as shared, also where no other thread can know its address
    #[arg(long)]
    pub no_local_memory: bool,

    /// Use exactly these reductions of the explicit engine, separated by commas: dead, paths, stores,
    /// private, guarded, sleep, symmetry; none; all, which are the usual ones, guarded and sleep. Any list
    /// gives the same verdict, but for what README says of `private`
    #[arg(long, value_name = "LIST", conflicts_with = "no_reduce")]
    pub reduce: Option<Reductions>,

    /// Use the usual reductions without these
    #[arg(long, value_name = "LIST")]
    pub no_reduce: Option<Reductions>,

    /// Conventions of SV-COMP: __VERIFIER_assume, atomic sections, nondeterministic values
    #[arg(long)]
    pub svcomp: bool,

    /// Leaked heap memory is a violation: lost is memory that nothing leads to any more, all also what is
    /// left when the process ends
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "lost")]
    pub leaks: Option<Leaks>,

    /// Overflow of signed arithmetic is a violation; needs the program as C or C++
    #[arg(long)]
    pub overflow: bool,

    /// What is to be checked, by the competition's rules (implies --svcomp): a property file, or
    /// unreach-call, valid-memsafety, valid-memcleanup, no-overflow, no-data-race
    #[arg(long, value_name = "NAME|FILE.prp")]
    // A run checks one. Two that are given are no change of mind, so none overrides the other.
    pub property: Vec<String>,

    /// Values to try where a nondeterministic value has more than 16 bits, both ends included; `holds` is not
    /// claimed then
    #[arg(long, value_name = "MIN..MAX", allow_hyphen_values = true)]
    pub nondet_range: Option<DataRange>,

    /// Threads may also wake up from condition variables and futexes for no reason, which ends no deadlock
    #[arg(long)]
    pub spurious_wakeups: bool,

    /// Data races, in the sense of C11, are violations
    #[arg(long)]
    pub races: bool,

    /// Every allocation may also fail, with errno ENOMEM
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// Stop after this many states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,

    /// Stop when the search's tables, or all memory of the process, are this large: bytes, or with K, M, G
    /// [default: three quarters of the memory that is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,

    /// The limit on memory if none is given. It differs from run to run, and so is in no report.
    #[arg(skip)]
    pub free_memory: Option<u64>,

    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Workers that explore at the same time, each on a processor of its own. The states, the verdict and the
    /// length of a counterexample are the same for every number. Only with the explicit engine
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    pub jobs: usize,

    /// Where states are kept.
    #[command(flatten)]
    pub store: StoreArgs,

    /// Cut off executions in which a thread goes back to the beginning of a loop more often than this, each
    /// time it runs the loop; the verdict is then `unknown` unless something is wrong. Without it there is no
    /// bound until an execution has 20,000 events, and then one that grows until it is not met. Only with
    /// --engine dpor or dpor-source
    #[arg(long, value_name = "N", conflicts_with = "cross_check")]
    pub unroll: Option<u32>,

    /// Report every distinct violation and all final states, not only the first violation
    #[arg(long)]
    pub keep_going: bool,

    /// Write a report: a page for a browser if the name ends in .html, else JSON; - is JSON on standard
    /// output. May be given several times
    #[arg(long, value_name = "FILE")]
    pub report: Vec<PathBuf>,

    /// Write a witness of SV-COMP for the verdict; needs a property, or a task with one
    #[arg(long, value_name = "FILE.yml", conflicts_with = "replay")]
    pub witness: Option<PathBuf>,

    /// Say also where states come from, how fast the exploration was, and what memory went to
    #[arg(long, conflicts_with = "quiet")]
    pub stats: bool,

    /// Show a counterexample with all its events, also those about memory that one thread alone uses
    #[arg(long, conflicts_with = "quiet")]
    pub full: bool,

    /// Run exactly the counterexample in a report, with the report's options, and its inputs unless INPUT is
    /// given
    #[arg(long, value_name = "FILE.json", conflicts_with_all = OF_THE_REPORT)]
    pub replay: Option<PathBuf>,

    /// Define a macro for the compiler
    // Where it is a word of its own, `typed` keeps it in its place among the other options.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Add a directory to the compiler's search path for headers
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,

    /// Compile each source with the options that BUILD/compile_commands.json has for it, in the directory it
    /// names, but for -O, -g, -Werror and what says where output goes; options that are typed come after them
    #[arg(short = 'p', long, value_name = "BUILD")]
    pub build: Option<PathBuf>,

    /// The undefined function NAME returns VALUE and does nothing else: an integer, 0 for a pointer, no
    /// =VALUE if it returns nothing. May be given several times; the report says so
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub stub: Vec<Stub>,

    /// The language standard for the compiler; -std= works too
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,

    /// More options for the compiler, as a shell splits them. -O, -W, -f, -g, -m, -U, -l, -L, -pthread,
    /// -include, -isystem and the like can also be typed as they are; -O2 checks what the optimiser makes of
    /// the program
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, value_parser = words)]
    pub cflags: Vec<String>,

    /// One of those, or the value of one; see [`typed`].
    #[arg(long = typed::OPTION, hide = true, allow_hyphen_values = true)]
    pub compiler_option: Vec<String>,

    /// Print only the verdict
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print the commands that are run, and the compiler's warnings; twice (-vv): also how the stateless
    /// engine searches, which is long: its executions, races and plans, on standard error
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,

    /// Colours in the text
    #[arg(long, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,

    /// Do not show progress
    #[arg(long)]
    pub no_progress: bool,
}

/// Workers at most: each takes some megabytes before it begins.
const MOST_JOBS: usize = 256;

/// The engines by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// Explicit-state search with state matching, shortest counterexamples first
    Explicit,
    /// Stateless: one execution per Shasha-Snir trace (Optimal-DPOR); wins where few states repeat
    Dpor,
    /// Stateless, Source-DPOR: may explore more executions
    DporSource,
}

impl EngineName {
    /// What the engine can do.
    #[must_use]
    pub const fn capabilities(self) -> Capabilities {
        match self {
            Self::Explicit => capabilities::EXPLICIT,
            Self::Dpor => capabilities::DPOR,
            Self::DporSource => capabilities::DPOR_SOURCE,
        }
    }
}

impl Args {
    /// Parses the process's arguments; wrong ones end the process with a message and exit code 2.
    #[must_use]
    pub fn from_process() -> Self {
        let mut args = Self::parse_from(typed::arguments(std::env::args_os()));
        args.free_memory = memory::usual_limit();
        args
    }

    /// Options of the transition system.
    #[must_use]
    pub fn config(&self) -> Config {
        Config {
            rules: OrderRules { model: self.relaxed_memory, weak_release: self.weak_release },
            buffer_bound: self.buffer_bound.unwrap_or(Config::BUFFER_BOUND),
            bound_grows: self.buffer_bound.is_none(),
            ends_when_full: false,
            reductions: self.reductions(),
            svcomp: self.svcomp,
            races: self.races,
            property: Property::NONE,
            updates: false,
            robustness: false,
            keeps_numbers: self.cross_check,
            leaks: self.leaks.unwrap_or_default(),
            nondet_range: self.nondet_range,
            spurious_wakeups: self.spurious_wakeups,
            malloc_may_fail: self.malloc_may_fail,
            final_states: self.keep_going || self.cross_check,
            guards: crate::system::observe::guards::none(),
            contested: None,
        }
    }

    fn reductions(&self) -> Reductions {
        let asked = self.reduce.unwrap_or(Reductions::USUAL).without_all(self.no_reduce.unwrap_or(Reductions::NONE));
        if self.no_local_memory { asked.without(Reduction::Private) } else { asked }
    }

    /// Whether the reductions of the explicit engine are not the usual ones.
    #[must_use]
    pub const fn names_reductions(&self) -> bool {
        self.reduce.is_some() || self.no_reduce.is_some()
    }

    /// The engine that was named, or the usual one.
    #[must_use]
    pub fn engine(&self) -> EngineName {
        let usual = if self.robustness { EngineName::Dpor } else { EngineName::Explicit };
        self.engine.unwrap_or(usual)
    }

    /// When to stop.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            max_states: self.max_states,
            max_memory: self.max_memory.or(self.free_memory),
            timeout: self.timeout,
            unroll: self.unroll,
            jobs: self.jobs,
            keep_going: self.keep_going || self.cross_check,
            count_lines: self.stats || self.report.iter().any(|path| is_page(path)),
        }
    }

    /// What the compiler is given beside the input.
    #[must_use]
    pub fn compiler_options(&self) -> Vec<String> {
        let defines = self.define.iter().map(|define| format!("-D{define}"));
        let includes = self.include.iter().map(|include| format!("-I{include}"));
        let standard = self.std.iter().map(|standard| format!("-std={standard}"));
        let flags = self.cflags.iter().flat_map(|flags| shlex::split(flags).unwrap_or_default());
        let flags = self.compiler_option.iter().cloned().chain(flags);
        // The competition gives meanings to functions by their names, whatever their bodies are: the
        // optimiser must not look into them.
        let opaque = ["-fno-inline", "-fPIC", "-fsemantic-interposition"].map(str::to_owned);
        let opaque_functions = self.svcomp.then_some(opaque).into_iter().flatten();
        defines.chain(includes).chain(standard).chain(opaque_functions).chain(flags).collect()
    }
}

/// Whether a report of this name is a page for a browser.
#[must_use]
pub fn is_page(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("htm")
}

fn model(text: &str) -> Result<Model, String> {
    text.parse().map_err(|_| "the models are sc, tso and pso".to_owned())
}

/// Options in one text. They are split where they are used.
fn words(text: &str) -> Result<String, String> {
    let split = shlex::split(text).map(|_| text.to_owned());
    split.ok_or_else(|| "a quotation mark has no other one".to_owned())
}

fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        "T" | "TB" | "TIB" => 40,
        _ => return Err("a size is a number of bytes, or a number with K, M or G".to_owned()),
    };
    let number: u64 =
        digits.parse().map_err(|_| "a size is a number of bytes, or a number with K, M or G".to_owned())?;
    number.checked_mul(1 << shift).ok_or_else(|| "that is more than 64 bits can hold".to_owned())
}

fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=MOST_JOBS) => Ok(number),
        _ => Err(format!("the number of workers is between 1 and {MOST_JOBS}")),
    }
}

/// A time that was typed.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "a time is a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|_| "a time is a positive number of seconds".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("512"), Ok(512));
        assert_eq!(size("2K"), Ok(2048));
        assert_eq!(size("4GiB"), Ok(4 << 30));
        assert!(size("lots").is_err());
        assert!(size("99999999T").is_err());
    }

    #[test]
    fn options_are_consistent() {
        use clap::CommandFactory;
        Args::command().debug_assert();
    }
}
