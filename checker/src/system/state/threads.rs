//! Threads in a state: the top frame as one component, the frames below as a linked list of components.
//!
//! ```text
//! top frame:   [function << 32 | pc,  depth | UNDEF?,  live registers …,  their undefined bits … if UNDEF]
//! other frame: [frame component << 32 | list component below]     the empty list is the component []
//! ended:       [value, undefined bits]                         and the component [ENDED] for the other frames
//! ```
//!
//! Only live registers are stored ([`crate::ir::liveness`]): those live before the instruction for the top
//! frame, and those live across the call for the frames below. Without [`crate::system::Reduction::Dead`] all
//! registers are stored.

use crate::interp::{Frame, Stack};
use crate::ir::ids::{FuncId, Pc, Reg};
use crate::ir::program::Program;
use crate::ir::value::Value;
use crate::store::{Id, Interner};

/// The components of a thread in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadSlots {
    /// The top frame, or the result of an ended thread.
    pub top: Id,
    /// The frames below.
    pub rest: Id,
}

/// The word of the component that ended threads have in place of their other frames.
pub const ENDED: u64 = u64::MAX;
const UNDEF: u64 = 1 << 32;

/// The program, and the choice of the registers that are stored.
#[derive(Clone, Copy)]
pub struct Code<'p> {
    /// The program.
    pub program: &'p Program,
    /// True if registers that are not live are stored, too.
    pub with_dead: bool,
}

impl<'p> Code<'p> {
    fn before(self, function: FuncId, pc: Pc) -> &'p [Reg] {
        let liveness = &self.program.function(function).liveness;
        if self.with_dead { liveness.all() } else { liveness.before(pc) }
    }

    fn across(self, function: FuncId, pc: Pc) -> &'p [Reg] {
        let liveness = &self.program.function(function).liveness;
        if self.with_dead { liveness.all() } else { liveness.across(pc) }
    }
}

/// The result of an ended thread.
#[must_use]
pub const fn result(words: &[u64]) -> Value {
    Value { bits: words[0], undef: words[1] }
}

/// The function and instruction of an encoded top frame that runs.
#[must_use]
pub fn position(words: &[u64]) -> (FuncId, Pc) {
    (FuncId((words[0] >> 32) as u32), Pc(words[0] as u32))
}

/// Appends a frame to `out`. `live` are the registers to keep.
fn encode_frame(stack: &Stack, frame: Frame, depth: u32, live: &[Reg], out: &mut Vec<u64>) {
    out.push(u64::from(frame.function.0) << 32 | u64::from(frame.pc.0));
    out.push(depth.into());
    let mut has_undef = false;
    for &reg in live {
        let value = stack.register(frame, reg);
        out.push(value.bits);
        has_undef |= value.undef != 0;
    }
    if has_undef {
        out[1] |= UNDEF;
        out.extend(live.iter().map(|&reg| stack.register(frame, reg).undef));
    }
}

/// Calls `set` for each stored register of a frame.
fn decode_registers(words: &[u64], live: &[Reg], mut set: impl FnMut(Reg, Value)) {
    let has_undef = words[1] & UNDEF != 0;
    for (at, &reg) in live.iter().enumerate() {
        let undef = if has_undef { words[2 + live.len() + at] } else { 0 };
        set(reg, Value { bits: words[2 + at], undef });
    }
}

/// Interns the decoded frames. `rest` is the list below them.
pub fn encode(
    code: Code<'_>,
    components: &mut Interner,
    stack: &Stack,
    rest: Id,
    scratch: &mut Vec<u64>,
) -> ThreadSlots {
    let (top, callers) = stack.frames().split_last().expect("a running thread has a frame");
    let (mut rest, mut depth) = (rest, stack.below);
    for caller in callers {
        scratch.clear();
        let live = code.across(caller.function, caller.pc);
        encode_frame(stack, *caller, depth, live, scratch);
        let frame = components.intern(scratch);
        rest = components.intern(&joined_list(frame, rest));
        depth += 1;
    }
    scratch.clear();
    let live = code.before(top.function, top.pc);
    encode_frame(stack, *top, depth, live, scratch);
    ThreadSlots { top: components.intern(scratch), rest }
}

/// Puts the top frame of a running thread into an empty stack.
pub fn decode(code: Code<'_>, words: &[u64], stack: &mut Stack) {
    stack.clear();
    let (function, pc) = position(words);
    stack.below = words[1] as u32;
    stack.push_bare(function, pc, code.program.function(function).registers);
    decode_registers(words, code.before(function, pc), |reg, value| stack.set(reg, value));
}

/// Inserts the next frame of the list `rest` below the decoded ones. Returns the list that remains.
///
/// # Panics
/// If the list is empty.
pub fn decode_caller(code: Code<'_>, components: &Interner, rest: Id, stack: &mut Stack) -> Id {
    let pair = components.get(rest)[0];
    let words = components.get((pair >> 32) as Id);
    let (function, pc) = position(words);
    stack.insert_caller(function, pc, code.program.function(function).registers);
    decode_registers(words, code.across(function, pc), |reg, value| stack.set_lowest(reg, value));
    pair as Id
}

/// The words that a thread holds in the registers of all its frames, or its result.
pub fn words(components: &Interner, slots: ThreadSlots) -> impl Iterator<Item = u64> {
    let ended = components.get(slots.rest) == [ENDED];
    let top = components.get(slots.top).iter().skip(if ended { 0 } else { 2 });
    top.copied().chain(words_of_list(components, slots.rest))
}

/// The words in the registers of a list of frames.
pub fn words_of_list(components: &Interner, mut list: Id) -> impl Iterator<Item = u64> {
    let frames = std::iter::from_fn(move || {
        let (frame, below) = split_list(components, list)?;
        list = below;
        Some(components.get(frame).iter().skip(2).copied())
    });
    frames.flatten()
}

/// The first frame of a list and the list below it.
pub fn split_list(components: &Interner, list: Id) -> Option<(Id, Id)> {
    let pair = *components.get(list).first().filter(|&&pair| pair != ENDED)?;
    Some(((pair >> 32) as Id, pair as Id))
}

/// The inverse of [`split_list`].
#[must_use]
pub fn joined_list(frame: Id, below: Id) -> [u64; 1] {
    [u64::from(frame) << 32 | u64::from(below)]
}

/// The values of the registers in an encoded frame, without their undefined bits.
pub fn registers(words: &mut [u64]) -> &mut [u64] {
    let len = if words[1] & UNDEF != 0 { (words.len() - 2) / 2 } else { words.len() - 2 };
    &mut words[2..2 + len]
}

/// Replaces the value of each register in an encoded frame by what `map` makes of it.
pub fn map_registers(words: &mut Vec<u64>, mut map: impl FnMut(Value) -> Value) {
    let len = registers(words).len();
    words.resize(2 + 2 * len, 0);
    for at in 2..2 + len {
        let value = map(Value { bits: words[at], undef: words[len + at] });
        (words[at], words[len + at]) = (value.bits, value.undef);
    }
    let has_undef = words[2 + len..].iter().any(|&undef| undef != 0);
    words[1] = words[1] & !UNDEF | if has_undef { UNDEF } else { 0 };
    if !has_undef {
        words.truncate(2 + len);
    }
}

/// The functions and instructions of a thread's frames, innermost first.
#[must_use]
pub fn backtrace(components: &Interner, slots: ThreadSlots) -> Vec<(FuncId, Pc)> {
    let top = position(components.get(slots.top));
    std::iter::once(top).chain(frames_below(components, slots.rest)).collect()
}

/// The functions and calls of the frames in the list `rest`, innermost first.
pub fn frames_below(components: &Interner, mut rest: Id) -> impl Iterator<Item = (FuncId, Pc)> {
    std::iter::from_fn(move || {
        let pair = *components.get(rest).first()?;
        rest = pair as Id;
        Some(position(components.get((pair >> 32) as Id)))
    })
}
