//! Analysis whether a thread may still allocate memory.
//!
//! A thread that will not has no use for the name of memory that it frees. From each place of a function, the
//! code that may run later is what comes behind it in the function, with the functions that this calls, and
//! the same for its callers; then what runs at the end of a thread. A call through a pointer may lead to each
//! function of its form whose address is known. Handlers of the end of the process are not considered.

use std::cell::OnceCell;

use super::creators::with_known_addresses;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::instr::Instr;
use crate::ir::program::Function;
use crate::system::library::facts::Kind;
use crate::system::machine::Machine;
use crate::system::state::threads;

/// For each function that may allocate memory, or call one that does, whether it may do so from each of its
/// instructions on.
#[derive(Debug, Default)]
pub(in crate::system) struct LaterAllocations(OnceCell<Vec<Option<Vec<bool>>>>);

impl Machine<'_> {
    /// True if the running thread may allocate memory after its current instruction.
    pub(super) fn may_allocate_later(&self) -> bool {
        let known = self.facts.later_allocations.0.get_or_init(|| analyse(self.program));
        let from = |(function, pc): (FuncId, Pc)| {
            let places = known[function.index()].as_ref();
            places.is_some_and(|places| follows(self.program.function(function), pc, |pc| places[pc.index()]))
        };
        let frames = self.running.stack.frames().iter().map(|frame| (frame.function, frame.pc));
        let below = threads::frames_below(&self.memory.components, self.running.rest);
        let at_end = self.program.thread_end.is_some_and(|end| known[end.index()].is_some());
        at_end || frames.chain(below).any(from)
    }
}

fn analyse(program: &Program) -> Vec<Option<Vec<bool>>> {
    let pointed: Vec<FuncId> = with_known_addresses(program).collect();
    let mut allocates = vec![false; program.functions.len()];
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for (at, function) in program.functions.iter().enumerate().filter(|(_, function)| !function.code.is_empty()) {
            if !allocates[at]
                && function.code.iter().any(|instr| may_allocate(program, function, instr, &allocates, &pointed))
            {
                (allocates[at], has_changed) = (true, true);
            }
        }
    }
    let places = |(function, allocates_at): (&Function, bool)| {
        allocates_at.then(|| places(function, |instr| may_allocate(program, function, instr, &allocates, &pointed)))
    };
    program.functions.iter().zip(allocates.iter().copied()).map(places).collect()
}

/// True if an instruction may allocate memory, with the functions that do.
fn may_allocate(program: &Program, function: &Function, instr: &Instr, allocates: &[bool], pointed: &[FuncId]) -> bool {
    match *instr {
        Instr::Library { site } => takes_names(super::function(function.library[site.index()].function)),
        Instr::Call { function, .. } => allocates[function.index()],
        Instr::CallIndirect { site, .. } => {
            let call = function.call(site);
            let has_form = |callee: &Function| {
                let is_variadic = call.varargs || callee.varargs;
                is_variadic || callee.params as usize == call.args.len() && callee.results == call.words
            };
            pointed.iter().any(|&callee| allocates[callee.index()] && has_form(program.function(callee)))
        }
        _ => false,
    }
}

/// True for functions that give names to new memory.
pub(super) fn takes_names(function: &super::LibraryFunction) -> bool {
    function.kind == Kind::Heap && (!function.frees || !function.sizes.is_empty())
}

/// For each instruction whether one of those from it on may allocate memory.
fn places(function: &Function, may_allocate: impl Fn(&Instr) -> bool) -> Vec<bool> {
    // A jump to a `setjmp` may come from anywhere below.
    if !function.resumes.is_empty() {
        return vec![true; function.code.len()];
    }
    let mut places: Vec<bool> = function.code.iter().map(may_allocate).collect();
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for at in (0..places.len()).rev() {
            if !places[at] && follows(function, Pc::new(at), |pc| places[pc.index()]) {
                (places[at], has_changed) = (true, true);
            }
        }
    }
    places
}

/// True if a place that may come right after another one is one of some places.
fn follows(function: &Function, pc: Pc, is_one: impl Fn(Pc) -> bool) -> bool {
    let instr = &function.code[pc.index()];
    let edges = function.edges_of(instr);
    let ends = !edges.is_empty() || matches!(instr, Instr::Return { .. } | Instr::Unreachable);
    let next = Pc::new(pc.index() + 1);
    let lands = function.landing(pc).map(|landing| landing.edge);
    !ends && next.index() < function.code.len() && is_one(next)
        || edges.into_iter().chain(lands).any(|edge| is_one(function.edge(edge).target))
}
