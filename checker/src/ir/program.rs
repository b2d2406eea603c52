//! A loaded program: functions in register code, globals with their initial bytes, and names for reports.

use super::address::ObjectId;
use super::demangle;
use super::ids::{EdgeId, FuncId, GlobalId, LocId, Operand, Pc, Reg, SiteId};
use super::instr::{CallSite, CompareExchange, CopySite, FillSite, Instr, LibrarySite, SwitchSite, Wide};
use super::landing::Landing;
use super::shapes::{ShapeId, Shapes};
use super::value::Value;
use crate::outcome::Place;

/// A whole program, immutable while it is explored.
#[derive(Debug, Default)]
pub struct Program {
    /// Functions; those without code are declarations without a model.
    pub functions: Vec<Function>,
    /// Global variables, thread-local ones included.
    pub globals: Vec<Global>,
    /// Words of constants that instructions refer to.
    pub constants: Vec<Value>,
    /// Source locations; the first is "unknown".
    pub locations: Vec<Location>,
    /// Source file names, as the compiler was given them.
    pub files: Vec<String>,
    /// The synthetic function that runs constructors, `main` and `exit`.
    pub entry: Option<FuncId>,
    /// True if the entry function runs another function instead of `main`, one that the user named.
    pub has_named_entry: bool,
    /// The place in the entry function where it continues after `main` has returned, if it then runs
    /// functions. The end of the last thread continues there, too.
    pub epilogue: Option<Pc>,
    /// The function of the support library that a thread runs at its end, if it is linked. It takes the
    /// thread's result and returns it.
    pub thread_end: Option<FuncId>,
    /// Mutable, not thread-local globals in state order.
    pub shared_globals: Vec<GlobalId>,
    /// Thread-local globals in the order in which each thread makes its own.
    pub thread_locals: Vec<GlobalId>,
    /// The types of variables and of memory, for names in reports.
    pub shapes: Shapes,
}

/// A place in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Location {
    /// Index into [`Program::files`].
    pub file: u32,
    /// Line, 1 is the first; 0 if unknown.
    pub line: u32,
    /// The column, 1 is the first; 0 if unknown.
    pub column: u32,
}

/// A global variable.
#[derive(Debug)]
pub struct Global {
    /// Its name in the source.
    pub name: String,
    /// Its size in bytes.
    pub size: u32,
    /// Its type, if debug information has it.
    pub shape: Option<ShapeId>,
    /// Bytes of an element of an array of numbers, or of a single number; 0 for other types.
    pub element: u32,
    /// Initial content as pages ([`super::address::PAGE_WORDS`]).
    pub pages: Vec<Vec<u64>>,
    /// True if writing it is a violation.
    pub constant: bool,
    /// True if each thread has its own.
    pub thread_local: bool,
    /// True if the global has an initial value; one without is declared elsewhere.
    pub defined: bool,
    /// Its object; meaningless for a thread-local one.
    pub object: ObjectId,
}

/// The prefix of the support library's names that are not of C or POSIX.
pub const SUPPORT_PREFIX: &str = "__rmc_";
/// The support library's `errno`.
pub const ERRNO: &str = "__rmc_errno";

impl Global {
    /// True if the name of the variable has the support library's prefix.
    #[must_use]
    pub fn is_support(&self) -> bool {
        self.name.starts_with(SUPPORT_PREFIX)
    }

    /// True if the variable is internal to the support library. The program cannot name it, unlike `errno`.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        self.is_support() && self.name != ERRNO
    }

    /// The name for people: `errno` for the support library's `__rmc_errno`, and a demangled name for C++.
    #[must_use]
    pub fn shown_name(&self) -> String {
        demangle::shown(self.name.strip_prefix(SUPPORT_PREFIX).unwrap_or(&self.name))
    }
}

/// A function.
#[derive(Debug, Default)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Words of its parameters, in the first registers.
    pub params: u32,
    /// Words of its result.
    pub results: u32,
    /// True if it takes variable arguments; the register after the parameters then holds the address of their
    /// area.
    pub varargs: bool,
    /// Number of registers.
    pub registers: u32,
    /// Code; empty for a declaration.
    pub code: Vec<Instr>,
    /// The location of each instruction.
    pub locations: Vec<LocId>,
    /// The line of the function itself.
    pub location: LocId,
    /// True if frames of this function can own stack objects.
    pub has_objects: bool,
    /// Control flow edges.
    pub edges: Vec<Edge>,
    /// Local variables in memory, for names in reports.
    pub allocas: Vec<Local>,
    /// The known types of the memory that calls return, for names in reports, by place.
    pub pointees: Vec<(Pc, Pointee)>,
    /// Side tables of instructions with many parts.
    pub calls: Vec<CallSite>,
    /// `switch` tables.
    pub switches: Vec<SwitchSite>,
    /// Operations on several words.
    pub wides: Vec<Wide>,
    /// `cmpxchg` operands.
    pub exchanges: Vec<CompareExchange>,
    /// `memcpy` operands.
    pub copies: Vec<CopySite>,
    /// `memset` operands.
    pub fills: Vec<FillSite>,
    /// Descriptions of the calls that do not match the called function.
    pub mismatches: Vec<String>,
    /// Calls of modelled functions.
    pub library: Vec<LibrarySite>,
    /// The landing pads of calls, by place.
    pub landings: Vec<(Pc, Landing)>,
    /// True if no exception may leave the function, which was compiled so.
    pub keeps_exceptions: bool,
    /// The calls that may return more than once (`setjmp`).
    pub resumes: Vec<Pc>,
    /// Descriptions of the unsupported instructions.
    pub unsupported: Vec<String>,
    /// The registers that are live where a thread can stop.
    pub liveness: super::liveness::Liveness,
}

/// A local variable in memory.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name in the source.
    pub name: String,
    /// Its type, if debug information has it.
    pub shape: Option<ShapeId>,
}

impl Local {
    /// The name of variables that have none in the source.
    pub const UNNAMED: &'static str = "a local variable";

    /// A variable of unknown type.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), shape: None }
    }
}

/// The known type of the memory that a call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointee {
    /// The type is unknown.
    Unknown,
    /// The memory is of this type, or an array of it.
    Shape(ShapeId),
    /// The type is unknown here, but the function returns the memory, so its caller may know more.
    Returned,
}

/// An edge between blocks, with the moves that its target's `phi`s make.
#[derive(Clone, Debug)]
pub struct Edge {
    /// First instruction of the target block.
    pub target: Pc,
    /// The moves. If `parallel`, all sources are read before any target is written.
    pub moves: Vec<(Reg, Operand)>,
    /// True if a move's target is a later move's source.
    pub parallel: bool,
}

impl Function {
    /// The name for people: without the support library's prefix, and demangled.
    #[must_use]
    pub fn shown_name(&self) -> String {
        demangle::shown(self.name.strip_prefix(SUPPORT_PREFIX).unwrap_or(&self.name))
    }

    /// The call site table entry `site`.
    #[must_use]
    pub fn call(&self, site: SiteId) -> &CallSite {
        &self.calls[site.index()]
    }

    /// The edge `edge`.
    #[must_use]
    pub fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.index()]
    }

    /// The landing pad of the call at a place.
    #[must_use]
    pub fn landing(&self, pc: Pc) -> Option<&Landing> {
        self.landings.binary_search_by_key(&pc, |&(at, _)| at).ok().map(|at| &self.landings[at].1)
    }

    /// The edges that an instruction may take, except those that exceptions take.
    #[must_use]
    pub fn edges_of(&self, instr: &Instr) -> Vec<EdgeId> {
        match *instr {
            Instr::Jump { edge } => vec![edge],
            Instr::Branch { yes, no, .. } => vec![yes, no],
            Instr::Switch { site } => {
                let switch = &self.switches[site.index()];
                switch.cases.iter().map(|&(_, edge)| edge).chain([switch.default]).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// True for the path of a file of the standard library of C++ or Rust.
#[must_use]
pub fn is_standard_library(path: &str) -> bool {
    let is_rust = || path.split_once("/rustc").is_some_and(|(_, rest)| rest.contains("/library/"));
    path.contains("/include/c++/") || path.starts_with("/rust/deps/") || is_rust()
}

impl Program {
    /// The function `function`.
    #[must_use]
    pub fn function(&self, function: FuncId) -> &Function {
        &self.functions[function.index()]
    }

    /// The location of an instruction.
    #[must_use]
    pub fn location(&self, function: FuncId, pc: Pc) -> Location {
        let location = self.function(function).locations.get(pc.index()).copied();
        self.locations[location.unwrap_or(LocId(0)).index()]
    }

    /// The location of the frame that is shown for these, innermost first: see [`Self::shown_frame`]. Unknown
    /// if no frame has one.
    #[must_use]
    pub fn innermost_location(&self, frames: &[(FuncId, Pc)]) -> Location {
        let shown = self.shown_frame(frames.iter().copied());
        shown.map_or_else(Location::default, |(function, pc)| self.location(function, pc))
    }

    /// The innermost of these frames that is in the program's own text, or, if none is, that has a location:
    /// frames of the support library have none, and what the language's standard library does there is an
    /// operation of the program that calls it.
    pub fn shown_frame(&self, frames: impl Iterator<Item = (FuncId, Pc)>) -> Option<(FuncId, Pc)> {
        let mut first = None;
        for (function, pc) in frames {
            let location = self.location(function, pc);
            if location.line > 0 && !is_standard_library(self.file(location)) {
                return Some((function, pc));
            }
            first = first.or((location.line > 0).then_some((function, pc)));
        }
        first
    }

    /// The function of the frame that is shown for these, innermost first: see [`Self::shown_frame`]. The
    /// innermost function if no line is known.
    ///
    /// # Panics
    /// If there is no frame.
    #[must_use]
    pub fn innermost_function(&self, frames: &[(FuncId, Pc)]) -> &Function {
        self.function(self.shown_frame(frames.iter().copied()).unwrap_or(frames[0]).0)
    }

    /// True if an instruction is one of a header with this file name.
    #[must_use]
    pub fn is_of_header(&self, (function, pc): (FuncId, Pc), header: &str) -> bool {
        let location = self.location(function, pc);
        let file = std::path::Path::new(self.file(location)).file_name();
        location.line > 0 && file.is_some_and(|name| name == header)
    }

    /// The file name of a location, empty if unknown.
    #[must_use]
    pub fn file(&self, location: Location) -> &str {
        self.files.get(location.file as usize).map_or("", String::as_str)
    }

    /// `file:line`, or `?` if unknown.
    #[must_use]
    pub fn place(&self, location: Location) -> String {
        if location.line == 0 { "?".to_owned() } else { format!("{}:{}", self.file(location), location.line) }
    }

    /// The place of the innermost of these frames that has one.
    #[must_use]
    pub fn first_place(&self, frames: &[(FuncId, Pc)]) -> Place {
        let location = self.innermost_location(frames);
        let file = if location.line == 0 { "" } else { self.file(location) };
        Place { file: file.to_owned(), line: location.line }
    }

    /// The type from debug information of the memory that the call at this place returns.
    #[must_use]
    pub fn pointee(&self, function: FuncId, pc: Pc) -> Pointee {
        let pointees = &self.function(function).pointees;
        pointees.binary_search_by_key(&pc, |&(at, _)| at).map_or(Pointee::Unknown, |at| pointees[at].1)
    }

    /// The function whose address is `object`, if it is one.
    #[must_use]
    pub fn function_at(&self, object: ObjectId) -> Option<FuncId> {
        let at = object.function_index(self.globals.len())?;
        (at < self.functions.len()).then(|| FuncId::new(at))
    }

    /// The global whose object is `object`.
    #[must_use]
    pub fn global_at(&self, object: ObjectId) -> Option<GlobalId> {
        let at = object.global_index()?;
        (at < self.globals.len()).then(|| GlobalId::new(at))
    }
}
