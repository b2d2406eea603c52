//! Coverage of a program without violations: the code that no execution reached. A driver that tests nothing
//! looks like a proof.
//!
//! Engines execute every step of every state that they explore at least once, even where results of steps are
//! cached. So no execution reaches an instruction that was not executed ([`Reached`]). Reductions leave out
//! orders of steps, and states whose differences no step can detect, but never code that a thread executes.
//!
//! An *assertion* is a call that fails (`__assert_fail`, `reach_error`, `__VERIFIER_error`) after a branch
//! that decides about it. It is reached if one of the branches to it is executed, or one before them that is
//! of the same condition, which may have settled it (`&&`, `||`). A function that only
//! decides and fails, and returns nothing, like `__VERIFIER_assert`, stands for its calls: each call of it is
//! an assertion. Calls of a function that always fails are calls that fail.
//!
//! If the program begins in a function that the user named, other entries use other functions. Then only those
//! count that are called in some execution.
//!
//! Lines count if they have code and are the user's, i.e. neither in the system's headers nor in the support
//! library. Code that only runs when an assertion fails does not count.

use std::collections::{BTreeMap, BTreeSet};

use crate::interp::Reached;
use crate::ir::Program;
use crate::ir::ids::{FuncId, LocId, Pc, SiteId};
use crate::ir::instr::Instr;
use crate::ir::program::Function;
use crate::outcome::Place;
use crate::outcome::coverage::{Coverage, UncalledFunction};
use crate::system::library::{self, InAssertions};

/// The directory of the system's headers.
const SYSTEM: &str = "/usr/";

/// The coverage of a program, of which `reached` was executed.
#[must_use]
pub fn coverage(program: &Program, reached: &Reached) -> Coverage {
    let functions: Vec<_> = (0..program.functions.len()).map(FuncId::new).collect();
    let executed: Vec<_> = functions.iter().map(|&function| reached.instructions(program, function)).collect();
    let failing = Failing::of(program);
    let mut coverage = Coverage::default();
    let mut assertions: BTreeMap<Spot, bool> = BTreeMap::new();
    let mut lines: BTreeMap<(String, u32), bool> = BTreeMap::new();
    for (&id, executed) in functions.iter().zip(&executed) {
        let function = program.function(id);
        let is_called = executed.first().is_none_or(|&first| first);
        if program.has_named_entry && !is_called {
            continue;
        }
        let code = Code::of(function);
        let fails = code.failures(&failing);
        for (at, instr) in function.code.iter().enumerate() {
            let Some(spot) = spot(program, function.locations[at]) else { continue };
            if failing.is_check(instr) {
                *assertions.entry(spot.clone()).or_default() |= executed[at];
            } else if failing.fails(function, instr) && !failing.checks[id.index()] {
                let deciding = code.deciding(at);
                if !deciding.is_empty() {
                    *assertions.entry(spot).or_default() |= deciding.iter().any(|&branch| executed[branch]);
                }
                continue;
            }
            if !matches!(instr, Instr::Unreachable) && !fails[at] {
                *lines.entry((spot.0, spot.1)).or_default() |= executed[at];
            }
        }
        if let (false, Some((file, line, _))) = (is_called, spot(program, function.location)) {
            coverage.uncalled.push(UncalledFunction { name: function.shown_name(), place: Place { file, line } });
        }
    }
    coverage.assertions = assertions.len() as u64;
    coverage.lines = lines.len() as u64;
    let place = |file: &String, line: u32| Place { file: file.clone(), line };
    let missed = assertions.iter().filter(|(_, reached)| !**reached);
    coverage.missed_assertions = missed.map(|((file, line, _), _)| place(file, *line)).collect();
    let missed = lines.iter().filter(|(_, reached)| !**reached);
    coverage.missed_lines = missed.map(|((file, line), _)| place(file, *line)).collect();
    coverage
}

/// File, line and column.
type Spot = (String, u32, u32);

/// A place in the user's files.
fn spot(program: &Program, location: LocId) -> Option<Spot> {
    let location = program.locations[location.index()];
    let file = program.file(location);
    let is_users = location.line > 0 && !file.starts_with(SYSTEM);
    is_users.then(|| (file.to_owned(), location.line, location.column))
}

/// The functions that always fail, and those that only decide whether to fail.
struct Failing {
    always: Vec<bool>,
    checks: Vec<bool>,
}

impl Failing {
    fn of(program: &Program) -> Self {
        let none = vec![false; program.functions.len()];
        let mut failing = Self { always: none.clone(), checks: none };
        // A function that fails may call another one.
        loop {
            let fails = |function: &Function| {
                let end = Code::of(function).block(0).end;
                function.code.iter().take(end).any(|instr| failing.fails(function, instr))
            };
            let always: Vec<_> = program.functions.iter().map(fails).collect();
            if always == failing.always {
                break;
            }
            failing.always = always;
        }
        let is_called = directly_called(program);
        let functions = program.functions.iter().zip(is_called);
        failing.checks = functions.map(|(function, called)| called && failing.only_decides(function)).collect();
        failing
    }

    /// True if an instruction is a call that fails.
    fn fails(&self, function: &Function, instr: &Instr) -> bool {
        match *instr {
            Instr::Library { site } => in_assertions(function, site) == InAssertions::Fails,
            Instr::Call { function, .. } => self.always[function.index()],
            _ => false,
        }
    }

    /// True if an instruction is the call of a function that only decides.
    fn is_check(&self, instr: &Instr) -> bool {
        matches!(*instr, Instr::Call { function, .. } if self.checks[function.index()])
    }

    fn only_decides(&self, function: &Function) -> bool {
        let fails = function.code.iter().any(|instr| self.fails(function, instr));
        let is_allowed = |instr: &Instr| match instr {
            Instr::Library { site } => {
                self.fails(function, instr) || in_assertions(function, *site) == InAssertions::Ends
            }
            Instr::Call { .. } => self.fails(function, instr),
            Instr::CallIndirect { .. }
            | Instr::Load { .. }
            | Instr::Store { .. }
            | Instr::ReadModifyWrite { .. }
            | Instr::CompareExchange { .. }
            | Instr::Copy { .. }
            | Instr::Fill { .. }
            | Instr::Fence { .. } => false,
            _ => true,
        };
        fails
            && function.params > 0
            && function.results == 0
            && function.code.iter().all(is_allowed)
            && !self.fails_at_once(function)
    }

    fn fails_at_once(&self, function: &Function) -> bool {
        let end = Code::of(function).block(0).end;
        function.code[..end].iter().any(|instr| self.fails(function, instr))
    }
}

/// For each function, true if some line of the user calls it.
fn directly_called(program: &Program) -> Vec<bool> {
    let mut called = vec![false; program.functions.len()];
    for function in &program.functions {
        for (instr, &location) in function.code.iter().zip(&function.locations) {
            if let (Instr::Call { function, .. }, Some(_)) = (instr, spot(program, location)) {
                called[function.index()] = true;
            }
        }
    }
    called
}

/// The part in assertions of the modelled function that is called there.
fn in_assertions(caller: &Function, site: SiteId) -> InAssertions {
    library::function(caller.library[site.index()].function).in_assertions
}

/// A function's blocks.
struct Code<'f> {
    function: &'f Function,
    /// The first instructions of blocks, in order.
    starts: Vec<usize>,
    /// For each block, the ends of the blocks that lead to it.
    before: BTreeMap<usize, Vec<usize>>,
}

impl<'f> Code<'f> {
    fn of(function: &'f Function) -> Self {
        let mut starts: BTreeSet<usize> = function.edges.iter().map(|edge| edge.target.index()).collect();
        starts.insert(0);
        let mut before: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (at, instr) in function.code.iter().enumerate() {
            for edge in function.edges_of(instr) {
                before.entry(function.edge(edge).target.index()).or_default().push(at);
            }
        }
        Self { function, starts: starts.into_iter().collect(), before }
    }

    /// The block of an instruction, from its begin to its terminator.
    fn block(&self, at: usize) -> std::ops::Range<usize> {
        let next = self.starts.partition_point(|&start| start <= at);
        let end = self.starts.get(next).copied().unwrap_or(self.function.code.len());
        self.starts[next.saturating_sub(1)]..end
    }

    /// The branches that decide whether control reaches an instruction, and those before them at its own
    /// place in the source: they are of a condition with `&&` or `||`. Branches from which every path reaches
    /// it are left out.
    fn deciding(&self, at: usize) -> Vec<usize> {
        let is_here = |branch: usize| self.function.locations[branch] == self.function.locations[at];
        // The second part is true within the condition.
        let (mut deciding, mut queue) = (BTreeSet::new(), vec![(self.block(at).start, false)]);
        let mut seen = BTreeSet::new();
        while let Some((start, is_inside)) = queue.pop() {
            if !seen.insert(start) {
                continue;
            }
            for &end in self.before.get(&start).into_iter().flatten() {
                if matches!(self.function.code[end], Instr::Jump { .. }) {
                    queue.push((self.block(end).start, is_inside));
                } else if !is_inside || is_here(end) {
                    deciding.insert(end);
                    queue.extend(is_here(end).then(|| (self.block(end).start, true)));
                }
            }
        }
        deciding.into_iter().collect()
    }

    /// For each instruction, true if it is in a block that ends in a failed assertion.
    fn failures(&self, failing: &Failing) -> Vec<bool> {
        let mut all = Vec::with_capacity(self.function.code.len());
        for &start in &self.starts {
            let block = &self.function.code[self.block(start)];
            let fails = block.iter().any(|instr| failing.fails(self.function, instr));
            all.extend(std::iter::repeat_n(fails, block.len()));
        }
        all
    }
}

/// The begin of the innermost loop around an instruction, if there is one. A loop is the code between the
/// target of a jump back and the jump.
#[must_use]
pub fn loop_around(function: &Function, pc: Pc) -> Option<Pc> {
    let jumps = function.code.iter().enumerate().flat_map(|(at, instr)| {
        let edges = match *instr {
            Instr::Jump { edge } => vec![edge],
            Instr::Branch { yes, no, .. } => vec![yes, no],
            _ => Vec::new(),
        };
        edges.into_iter().map(move |edge| (at, function.edge(edge).target.index()))
    });
    let around = jumps.filter(|&(at, target)| target <= pc.index() && pc.index() <= at);
    around.min_by_key(|&(at, target)| at - target).map(|(_, target)| Pc::new(target))
}
