//! Analysis whether a thread may still allocate memory.
//!
//! A thread that will not has no use for the name of memory that it frees, and neither has a program that
//! tells no addresses apart ([`super::telling`]): with another name it does the same.
//!
//! From each place of a function, the code that may run later is what comes behind it in the function, with
//! the functions that this calls, and the same for its callers; then what runs at the end of a thread,
//! and at the end of the process, of which it may be the last thread. A call through a pointer may lead to
//! each function of its form whose address is known.

use std::cell::OnceCell;

use super::LibraryFunction;
use super::creators::with_known_addresses;
use super::facts::Kind;
use super::telling;
use crate::hash::FxHashSet;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::instr::Instr;
use crate::ir::program::Function;
use crate::system::machine::Machine;
use crate::system::state::threads;

/// For each function that may allocate memory, or call one that does, whether it may do so from each of its
/// instructions on. Nothing for a program that tells no addresses apart.
#[derive(Debug, Default)]
pub(in crate::system) struct LaterAllocations(OnceCell<Vec<Option<Vec<bool>>>>);

impl Machine<'_> {
    /// True if the running thread may allocate memory after its current instruction, and it may matter which
    /// address that has.
    pub(super) fn may_allocate_later(&self) -> bool {
        let known = self.facts.later_allocations.0.get_or_init(|| analyse(self.program));
        let from = |(function, pc): (FuncId, Pc)| {
            let places = known.get(function.index())?.as_ref()?;
            follows(self.program.function(function), pc, |pc| places[pc.index()]).then_some(())
        };
        let frames = self.running.stack.frames().iter().map(|frame| (frame.function, frame.pc));
        let below = threads::frames_below(&self.memory.components, self.running.rest);
        let at_end = self.program.thread_end.and_then(|end| known.get(end.index())?.as_ref());
        at_end.is_some() || self.epilogue_allocates(known) || frames.chain(below).find_map(from).is_some()
    }

    /// True if what runs at the end of the process may allocate memory.
    fn epilogue_allocates(&self, known: &[Option<Vec<bool>>]) -> bool {
        let epilogue = self.program.entry.zip(self.program.epilogue);
        let places = epilogue.and_then(|(entry, pc)| Some(known.get(entry.index())?.as_ref()?[pc.index()]));
        places.unwrap_or(false)
    }
}

/// True for functions that give names to new memory.
pub(super) fn takes_names(function: &LibraryFunction) -> bool {
    function.kind == Kind::Heap && (!function.frees || !function.sizes.is_empty())
}

fn analyse(program: &Program) -> Vec<Option<Vec<bool>>> {
    if !telling::tells_addresses(program) {
        return Vec::new();
    }
    let mut found = Allocating { functions: vec![false; program.functions.len()], ..Allocating::default() };
    let pointed: FxHashSet<FuncId> = with_known_addresses(program).collect();
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for at in 0..program.functions.len() {
            let id = FuncId::new(at);
            let function = program.function(id);
            if !found.functions[at] && function.code.iter().any(|instr| found.may_be_in(function, instr)) {
                has_changed = true;
                found.add(id, function, pointed.contains(&id));
            }
        }
    }
    let places = |(function, is_one): (&Function, &bool)| is_one.then(|| found.places(function));
    program.functions.iter().zip(&found.functions).map(places).collect()
}

/// The functions that may allocate memory, as far as they are known.
#[derive(Debug, Default)]
struct Allocating {
    /// Whether a function is one of them.
    functions: Vec<bool>,
    /// The numbers of parameters and results of those whose addresses are known.
    forms: FxHashSet<(usize, u32)>,
    /// True if a variadic one has a known address.
    is_variadic: bool,
}

impl Allocating {
    fn add(&mut self, id: FuncId, function: &Function, is_pointed: bool) {
        self.functions[id.index()] = true;
        if is_pointed {
            self.forms.insert((function.params as usize, function.results));
            self.is_variadic |= function.varargs;
        }
    }

    /// True if an instruction may allocate memory, or call a function that does.
    fn may_be_in(&self, function: &Function, instr: &Instr) -> bool {
        match *instr {
            Instr::Library { site } => takes_names(super::function(function.library[site.index()].function)),
            Instr::Call { function, .. } => self.functions[function.index()],
            Instr::CallIndirect { site, .. } => {
                let call = function.call(site);
                let of_its_form = || self.forms.contains(&(call.args.len(), call.words));
                self.is_variadic || if call.varargs { !self.forms.is_empty() } else { of_its_form() }
            }
            _ => false,
        }
    }

    /// For each instruction whether one of those from it on may allocate memory.
    fn places(&self, function: &Function) -> Vec<bool> {
        // A jump to a `setjmp` may come from anywhere below.
        if !function.resumes.is_empty() {
            return vec![true; function.code.len()];
        }
        let mut places: Vec<bool> = function.code.iter().map(|instr| self.may_be_in(function, instr)).collect();
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
