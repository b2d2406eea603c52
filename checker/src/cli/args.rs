//! The options of the command line.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{ArgAction, ColorChoice, Parser, ValueEnum};
use rmc_runtime::{Model, OrderRules};
use rmc_rust::options;

use super::order_args::OrderArgs;
use super::store_args::StoreArgs;
use super::symbolic_args::SymbolicArgs;
use super::typed;
use crate::engine::Limits;
use crate::engine::capabilities::{self, Capabilities};
use crate::ir::load::Stub;
use crate::memory;
use crate::property::Property;
use crate::report::repair::Goal;
use crate::report::text::Style;
use crate::system::config::DataRange;
use crate::system::{Clocks, Config, Inputs, Leaks, Reduction, Reductions};

const AFTER_HELP: &str = "\
If an option is given twice, the later one counts. --report, --entry, --stub, --cflags and the compiler's own \
options add up. Two different properties are refused.

Exit codes: 0 holds; 1 violated; 2 wrong usage, input that does not compile, or an unsupported construct \
(named with its line); 3 unknown, since a limit or a bound was reached, for example; 70 an error in rmc itself.

Environment: RMC_CLANG, RMC_RUSTC, RMC_OPT and RMC_LINK name clang, rustc, opt and llvm-link (clang-16, \
/usr/bin/rustc or else rustc, of version 1.63 or 1.95, opt-16, llvm-link-16), RMC_PASS the pass plugin \
(librmc_pass.so beside this program), RMC_CACHE a directory that keeps compiled inputs from run to run. The \
standard library of Rust is kept there, or else in the user's cache directory (~/.cache/rmc).";

/// The options that a replay takes from the report, or that do not apply to it.
const OF_THE_REPORT: [&str; 42] = [
    "test",
    "panic",
    "include_ignored",
    "order",
    "context_bound",
    "cross_check",
    "build",
    "stub",
    "entry",
    "relaxed_memory",
    "engine",
    "robustness",
    "fix",
    "count_classes",
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
    "clocks",
    "processors",
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

/// Finds the bugs that store buffers cause in C, C++ and Rust programs with threads, or proves that there are
/// none.
#[derive(Clone, Debug, Parser)]
#[command(name = "rmc-check", version, after_help = AFTER_HELP, args_override_self = true)]
pub struct Args {
    /// Source files, bitcode or archives of bitcode, which are linked; or one task file of SV-COMP
    ///
    /// C or C++ source is .c .i .cc .cpp .cxx .C, or - for C on standard input; Rust, of one crate, is .rs,
    /// compiled by rustc 1.63 or 1.95 with all of its standard library. Bitcode is .bc or .o, LLVM assembly
    /// .ll. Of an archive (.a), the members that the program needs are taken. A task file (.yml) names its
    /// program itself. A file whose name ends in .rs.bc (rustc 1.63) or .rs.ll (1.95) is a Rust program, as
    /// `cargo rmc` has it made, with the libraries that the file .rs.libraries beside it lists.
    #[arg(value_name = "INPUT", required_unless_present_any = ["replay", "build"])]
    pub inputs: Vec<PathBuf>,

    /// Let the program begin in the function NAME instead of main
    ///
    /// Several names, separated by commas or in several options, are checked one after the other, each as a
    /// program of its own with the same limits. NAME takes the parameters of main or none.
    #[arg(long, value_name = "NAME", value_delimiter = ',', conflicts_with = "witness")]
    pub entry: Vec<String>,

    /// Check the `#[test]` functions of a Rust program whose names contain FILTER, or all of them
    ///
    /// Each is a program of its own with the same limits. A test with `#[should_panic]` holds if it panics in
    /// every execution; tests with `#[ignore]` are left out.
    #[arg(
        long,
        value_name = "FILTER",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["entry", "witness", "property", "fix"]
    )]
    pub test: Option<String>,

    /// The end of a panic of a Rust program
    ///
    /// With `unwind`, destructors run, `catch_unwind` and `join` return errors, mutexes are poisoned, and
    /// only a panic that nobody catches is a violation: one that leaves `main` or a `#[test]` function.
    #[arg(long, value_name = "END", value_enum, default_value_t = PanicEnd::Abort)]
    pub panic: PanicEnd,

    /// Also check tests with `#[ignore]`
    #[arg(long, requires = "test")]
    pub include_ignored: bool,

    /// Memory model: sc, tso or pso
    ///
    /// sc has no store buffers, so what fails there is an ordinary bug of thread order. tso is x86: the
    /// stores of a thread reach memory late, but in order. Under pso, stores to different addresses also
    /// overtake each other: what holds there does not rely on the order in which plain stores become visible.
    #[arg(alias = "model", alias = "memory-model", long, value_name = "MODEL", default_value_t = Model::Tso, value_parser = model)]
    pub relaxed_memory: Model,

    /// Search algorithm [default: explicit; with --robustness or --fix dpor]
    ///
    /// If one engine runs out of memory or time, try the other. With --robustness and without --engine,
    /// attacks answers under tso where executions have no end.
    #[arg(long, value_enum)]
    pub engine: Option<EngineName>,

    /// Report executions that only store buffers make possible
    ///
    /// Every execution that is not sequentially consistent is a violation, whatever the program asserts. It
    /// is shown as a cycle of operations, with the fences that rule it out. Needs a stateless engine, dpor by
    /// default, or under tso the engine attacks, which ends on loops and knows no bound on buffers.
    #[arg(long, conflicts_with_all = ["property", "witness"])]
    pub robustness: bool,

    /// With --robustness, explore the executions under tso, and not those under sc
    ///
    /// Under tso, --robustness explores the executions without store buffers, each watched by a monitor of
    /// store buffers, wherever that is exact. This is the other way, to compare; --cross-check compares both.
    #[arg(long, requires = "robustness", conflicts_with = "cross_check")]
    pub no_monitor: bool,

    /// Propose fences after which the program is robust, as a diff for patch -p1
    ///
    /// The diff goes to FILE.diff if that is the next word (`--fix FILE.diff`), else to standard output after
    /// the report. With --fix=assertions, fences after which no violation is left that sc does not have. The
    /// fences are as few and cheap as possible; the changed program is compiled and explored before they are
    /// shown. --fix implies --robustness, and --fix=assertions does not. The exit code is that of the program
    /// as it is.
    #[arg(
        long,
        value_name = "GOAL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "robustness",
        conflicts_with_all = ["cross_check", "witness", "count_classes", "races", "spurious_wakeups"]
    )]
    pub fix: Option<Goal>,

    /// The file for the diff of `--fix`, as converted by [`typed`].
    #[arg(long = typed::DIFF, hide = true, requires = "fix")]
    pub fix_diff: Option<PathBuf>,

    /// Count the reads-from classes of the executions, with --engine dpor
    ///
    /// Two executions are of one class if their threads take the same steps and each reads from the same
    /// stores. Executions at whose end a thread waits in a loop for a value that comes do not count. Where
    /// the process ends while threads run, --keep-going also tells apart how far these have come, and counts
    /// more than --engine reads-from does. Takes memory for every class.
    #[arg(long)]
    pub count_classes: bool,

    /// Explore with the engines explicit, dpor and reads-from, and compare their results, to test rmc itself
    ///
    /// An engine that refuses the program is left out, which the report says.
    /// If the verdicts, violations or final states differ, that is an error in rmc, with exit code 70. With
    /// --robustness, compare the two ways of dpor: with the monitor, and with --no-monitor.
    /// Programs with nondeterministic integers have no final states to compare (see the reduction inputs).
    #[arg(long, conflicts_with = "engine")]
    pub cross_check: bool,

    /// Limit the delayed stores of a thread to N; 0 is no limit [default: 32, and more where needed]
    ///
    /// Where a full buffer has to be flushed early, `holds` is not claimed. Without this option the limit
    /// grows, up to 131,072, as long as the search stays small.
    #[arg(long, value_name = "N")]
    pub buffer_bound: Option<usize>,

    /// Let release stores and release fences order nothing under pso, to compare with Nidhugg
    ///
    /// Otherwise, stores before a release store or release fence reach memory before those after it.
    #[arg(long)]
    pub weak_release: bool,

    /// Treat all memory as shared, even where no other thread can know its address
    ///
    /// Slower. The same as --no-reduce private, in any engine.
    #[arg(long)]
    pub no_local_memory: bool,

    /// Use exactly these reductions of the explicit engine, separated by commas
    ///
    /// The default is dead,paths,stores,private,inputs. The others are guarded, sleep and symmetry; none is
    /// no reduction, all is all but symmetry. Every list gives the same verdict, with the exceptions that
    /// README.md names. If a search is too large, try all, or add symmetry where several threads do the same.
    #[arg(long, value_name = "LIST", conflicts_with = "no_reduce")]
    pub reduce: Option<Reductions>,

    /// Use the default reductions of the explicit engine except these, separated by commas
    ///
    /// In the stateless engines only inputs can be switched off.
    #[arg(long, value_name = "LIST")]
    pub no_reduce: Option<Reductions>,

    /// Follow the conventions of the software verification competition, SV-COMP
    ///
    /// The functions __VERIFIER_assume, __VERIFIER_atomic_* and __VERIFIER_nondet_* have their meaning there.
    #[arg(long)]
    pub svcomp: bool,

    /// Report heap memory that is never freed; --leaks alone means --leaks=lost
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "lost")]
    pub leaks: Option<Leaks>,

    /// Report overflow of signed arithmetic where it happens
    ///
    /// Otherwise it is a violation only if something depends on the result. Left shifts are not checked.
    /// Needs C or C++ source, not bitcode.
    #[arg(long)]
    pub overflow: bool,

    /// Check only this property of SV-COMP: a name, or a property file (.prp)
    ///
    /// The names are unreach-call, valid-memsafety, valid-memcleanup, no-overflow and no-data-race. Only what
    /// the property is about is a violation. Implies --svcomp.
    #[arg(long, value_name = "NAME|FILE.prp")]
    // A run checks one. Two that are given are no change of mind, so none overrides the other.
    pub property: Vec<String>,

    /// Try the values from MIN to MAX, both included, for nondeterministic values of more than 16 bits
    ///
    /// Without this option such a value makes the verdict `unknown`. With it, `holds` is not claimed where
    /// such a value was needed.
    #[arg(long, value_name = "MIN..MAX", allow_hyphen_values = true)]
    pub nondet_range: Option<DataRange>,

    /// Let the clocks that the program reads stand still or pass
    ///
    /// A program that reads a clock that stands still is `unknown` where nothing is wrong. A clock that passes
    /// goes on by any amount, for ten years, and never back, and is the same for all threads. `pass` only with
    /// the explicit engine.
    #[arg(long, value_enum, value_name = "HOW", default_value_t, hide_default_value = false)]
    pub clocks: Clocks,

    /// The number of processors that the program finds when it asks
    ///
    /// It changes nothing else: threads run in all interleavings. Without it, a program that asks is refused.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub processors: Option<u32>,

    /// Let threads also wake up from condition variables and futexes for no reason
    ///
    /// POSIX allows that, so a program must check its condition again. A deadlock that only such a wake-up
    /// could end is still reported. Only with the explicit engine.
    #[arg(long)]
    pub spurious_wakeups: bool,

    /// Report data races, in the sense of C11, in the executions of the chosen model
    ///
    /// Only with the explicit engine.
    #[arg(long)]
    pub races: bool,

    /// Let every allocation also fail, with errno ENOMEM; each failure is explored
    #[arg(long)]
    pub malloc_may_fail: bool,

    /// Stop after N states, with dpor after N events [default: no limit]
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,

    /// Stop at SIZE bytes of memory; SIZE may end in K, M or G [default: three quarters of the free memory]
    ///
    /// The limit is one of the search's tables, and of what the process takes beyond its first 32 MiB.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub max_memory: Option<u64>,

    /// The limit on memory if none is given. It differs from run to run, so it is in no report.
    #[arg(skip)]
    pub free_memory: Option<u64>,

    /// Stop after this many seconds [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,

    /// Explore with N workers, each on a processor of its own
    ///
    /// The verdict and the numbers of states or executions are the same for every number, and with the
    /// explicit engine the length of a counterexample, too. Only with the explicit engine and `reads-from`.
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    pub jobs: usize,

    /// The order of the explicit engine's search.
    #[command(flatten)]
    pub order: OrderArgs,

    /// Options of the explicit engine's store.
    #[command(flatten)]
    pub store: StoreArgs,

    /// Cut off executions in which a thread goes back to the beginning of a loop more than N times
    ///
    /// The turns are counted anew each time the thread enters the loop. If an execution was cut off, the
    /// verdict is `unknown` unless a violation was found. Without this option there is no bound until an
    /// execution has 20,000 events. Then bounds of 4, 8, 16 turns and so on are tried, until no execution
    /// reaches the bound. Only with dpor and dpor-source.
    #[arg(long, value_name = "N", conflicts_with = "cross_check")]
    pub unroll: Option<u32>,

    /// The bounds of the symbolic engine.
    #[command(flatten)]
    pub symbolic: SymbolicArgs,

    /// Report every distinct violation and all final states, not only the first violation
    ///
    /// Final states are left out in programs with nondeterministic integers, which are sets of values
    /// (--no-reduce inputs tries each value).
    #[arg(long)]
    pub keep_going: bool,

    /// Write a report to FILE: a page for a browser if the name ends in .html, else JSON
    ///
    /// The name - is JSON on standard output. May be given several times.
    #[arg(long, value_name = "FILE")]
    pub report: Vec<PathBuf>,

    /// Write a witness of SV-COMP for the verdict; needs a property, or a task with one
    #[arg(long, value_name = "FILE.yml", conflicts_with = "replay")]
    pub witness: Option<PathBuf>,

    /// Print statistics: which lines the states come from, how fast the search was, what took memory
    #[arg(long, conflicts_with = "quiet")]
    pub stats: bool,

    /// Show all events of a counterexample
    ///
    /// Otherwise events on memory that only one thread uses, loads that repeat the line before, and all but
    /// the last 400 lines are left out.
    #[arg(long, conflicts_with = "quiet")]
    pub full: bool,

    /// Run the counterexample of a JSON report again, with the report's options
    ///
    /// The report also names the inputs; INPUT overrides them.
    #[arg(long, value_name = "FILE.json", conflicts_with_all = OF_THE_REPORT)]
    pub replay: Option<PathBuf>,

    /// Define a macro
    // `typed` converts a `-D` at the beginning of a word, so that it keeps its place among the other options.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,

    /// Add a directory to the search path for headers
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,

    /// Compile each source with its options in BUILD/compile_commands.json
    ///
    /// It is compiled in the directory that is named there. -O, -g, -Werror and options about the output are
    /// left out. Options on the command line come after those of the build.
    #[arg(short = 'p', long, value_name = "BUILD")]
    pub build: Option<PathBuf>,

    /// Let the undefined function NAME return VALUE and do nothing else
    ///
    /// VALUE is an integer, 0 for a null pointer. Leave out =VALUE if NAME returns nothing. May be given
    /// several times. The report names the stubs.
    #[arg(long, value_name = "NAME[=VALUE]")]
    pub stub: Vec<Stub>,

    /// Language standard for the compiler, such as c11; -std=c11 works too
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,

    /// Pass these options to the compiler; they are split as by a shell
    ///
    /// For Rust, -DNAME is --cfg NAME, and --cflags passes on other options of rustc.
    /// -O, -W, -f, -g, -m, -U, -l, -L, -pthread, -include, -isystem and the like can also be given directly.
    /// With -O2, what the optimiser makes of the program is checked.
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, value_parser = words)]
    pub cflags: Vec<String>,

    /// The compiler's options as converted by [`typed`].
    #[arg(long = typed::OPTION, hide = true, allow_hyphen_values = true)]
    pub compiler_option: Vec<String>,

    /// Print only the verdict
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Print the commands that are run and the compiler's warnings; -vv also logs how dpor searches
    ///
    /// -v also prints a line a minute about the progress. -vv logs the executions, races and plans of dpor
    /// and dpor-source on standard error, which is long.
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,

    /// Print in colours
    #[arg(long, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,

    /// Do not show the line of progress
    #[arg(long)]
    pub no_progress: bool,
}

/// The largest number of workers; each takes some megabytes before it begins.
const MOST_JOBS: usize = 256;

/// The ends of panics by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PanicEnd {
    /// Every panic is a violation, where it begins
    Abort,
    /// It leaves functions until something catches it
    Unwind,
}

/// The engines by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// Explore every state once; for most programs: it ends on loops and finds shortest counterexamples
    Explicit,
    /// Explore one execution of all that differ only in the order of independent steps (Optimal-DPOR); takes
    /// hardly any memory, and is faster where states rarely repeat
    Dpor,
    /// Like dpor, with Source-DPOR instead of Optimal-DPOR, which may explore more executions
    DporSource,
    /// Explore one execution of all in which each load reads from the same store; often far fewer than with
    /// dpor. Atomic sections in which a thread waits are refused
    ReadsFrom,
    /// Solve formulas that cover all inputs and schedules within bounds that grow; finds bugs that depend on
    /// much data, and proves nothing
    Symbolic,
    /// Look for attacks: one thread delays its stores past a load, and the others make that a cycle. Decides
    /// --robustness under tso for buffers of any length, and ends on loops
    Attacks,
}

impl EngineName {
    /// The capabilities of the engine.
    #[must_use]
    pub const fn capabilities(self) -> Capabilities {
        match self {
            Self::Explicit => capabilities::EXPLICIT,
            Self::Dpor => capabilities::DPOR,
            Self::DporSource => capabilities::DPOR_SOURCE,
            Self::ReadsFrom => capabilities::READS_FROM,
            Self::Symbolic => capabilities::SYMBOLIC,
            Self::Attacks => capabilities::ATTACKS,
        }
    }
}

impl Args {
    /// Parses the process's arguments; wrong ones end the process with a message and exit code 2.
    #[must_use]
    pub fn from_process() -> Self {
        let mut args = Self::parse_from(typed::arguments(std::env::args_os()));
        args.free_memory = memory::usual_limit();
        args.robustness |= args.fix == Some(Goal::Robustness) || args.engine == Some(EngineName::Attacks);
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
            inputs: Inputs::Enumerated,
            robustness: false,
            reads_from: false,
            keeps_numbers: self.compares_engines(),
            sees_ends: false,
            leaks: self.leaks.unwrap_or_default(),
            nondet_range: self.nondet_range,
            clocks: self.clocks,
            processors: self.processors,
            spurious_wakeups: self.spurious_wakeups,
            malloc_may_fail: self.malloc_may_fail,
            all_violations: self.keep_going || self.compares_engines(),
            final_states: self.keep_going || self.compares_engines(),
            guards: crate::system::observe::guards::none(),
            contested: None,
            texts_in_order: false,
        }
    }

    fn reductions(&self) -> Reductions {
        let asked = self.reduce.unwrap_or(Reductions::USUAL).without_all(self.no_reduce.unwrap_or(Reductions::NONE));
        self.order.sound(if self.no_local_memory { asked.without(Reduction::Private) } else { asked })
    }

    /// True if reductions of the explicit engine are named on the command line.
    #[must_use]
    pub fn names_reductions(&self) -> bool {
        (self.reduce.is_some() || self.no_reduce.is_some()) && !self.names_inputs_only()
    }

    /// True if the command line names one reduction, that of inputs, which it switches off.
    #[must_use]
    pub fn names_inputs_only(&self) -> bool {
        self.reduce.is_none() && self.no_reduce == Some(Reductions::NONE.with(Reduction::Inputs))
    }

    /// True if two engines are to be compared. With `--robustness`, two ways of one engine are.
    #[must_use]
    pub const fn compares_engines(&self) -> bool {
        self.cross_check && !self.robustness
    }

    /// The engine that was named, or the usual one.
    #[must_use]
    pub fn engine(&self) -> EngineName {
        let usual = if self.robustness { EngineName::Dpor } else { EngineName::Explicit };
        self.engine.unwrap_or(usual)
    }

    /// The limits at which the exploration stops.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            max_states: self.max_states,
            max_memory: self.max_memory.or(self.free_memory),
            timeout: self.timeout,
            unroll: self.unroll,
            jobs: self.jobs,
            order: self.order.order(),
            context_bound: self.order.context_bound,
            keep_going: self.keep_going || self.compares_engines(),
            count_lines: self.stats || self.report.iter().any(|path| is_page(path)),
        }
    }

    /// The style of what is printed.
    #[must_use]
    pub fn style(&self) -> Style {
        let color = match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        Style { color, quiet: self.quiet, full: self.full }
    }

    /// The options for the compiler, without the input.
    #[must_use]
    pub fn compiler_options(&self) -> Vec<String> {
        let defines = self.define.iter().map(|define| format!("-D{define}"));
        let includes = self.include.iter().map(|include| format!("-I{include}"));
        let standard = self.std.iter().map(|standard| format!("-std={standard}"));
        let flags = self.cflags.iter().flat_map(|flags| shlex::split(flags).unwrap_or_default());
        let flags = self.compiler_option.iter().cloned().chain(flags);
        // In the competition, functions have meanings by their names, whatever their bodies are, so the
        // optimiser must not look into them.
        let opaque = ["-fno-inline", "-fPIC", "-fsemantic-interposition"].map(str::to_owned);
        let opaque_functions = self.svcomp.then_some(opaque).into_iter().flatten();
        let tests = self.test.iter().map(|_| options::TEST.to_owned());
        let panics = (self.panic == PanicEnd::Unwind).then(|| options::UNWINDING.to_owned());
        tests
            .chain(panics)
            .chain(defines)
            .chain(includes)
            .chain(standard)
            .chain(opaque_functions)
            .chain(flags)
            .collect()
    }
}

/// True if a report of this name is a page for a browser.
#[must_use]
pub fn is_page(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("htm")
}

fn model(text: &str) -> Result<Model, String> {
    text.parse().map_err(|_| "the models are sc, tso and pso".to_owned())
}

/// A parser of several options in one text; it only checks the quotation marks. They are split where they are
/// used.
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

/// A parser of a time in seconds.
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
