//! An execution that is not sequentially consistent, for people: its cycle of operations, and the places for
//! fences.

use std::fmt::Write;

use crate::outcome::Place;
use crate::outcome::cycle::{Call, Cycle, CycleOperation, Fence, FenceKind, Relation};

/// The lines about a cycle; `short` shortens the name of a file.
pub fn describe<'a>(cycle: &'a Cycle, short: impl Fn(&'a str) -> &'a str) -> String {
    let shown = |place: &'a Place| format!("{}:{}", short(&place.file), place.line);
    let mut out = "\n  each of these comes before the next, and the last before the first:\n".to_owned();
    let place = |operation: &'a CycleOperation| match operation {
        CycleOperation { line: 0, .. } => String::new(),
        CycleOperation { file, line, function, .. } => format!("{}:{line} in {function}", short(file)),
    };
    let width = cycle.operations.iter().map(|operation| place(operation).chars().count()).max().unwrap_or(0).max(23);
    for operation in &cycle.operations {
        let (thread, place) = (operation.thread, place(operation));
        let _ = writeln!(out, "        {thread:>6}  {place:<width$}  {}", what(operation));
        if !operation.calls.is_empty() {
            let calls = operation.calls.iter().map(|Call { place, .. }| shown(place));
            let _ = writeln!(out, "                called at {}", calls.collect::<Vec<_>>().join(", "));
        }
        let _ = writeln!(out, "                    {}", reason(operation.before_next));
    }
    out.push_str(match cycle.fences.len() {
        1 => "\n  a fence here rules it out:\n",
        _ => "\n  fences at all of these places rule it out, any one left open lets it happen:\n",
    });
    for Fence { thread, after, before, kind } in &cycle.fences {
        let fence = match kind {
            FenceKind::Full => "atomic_thread_fence(memory_order_seq_cst)",
            FenceKind::StoreStore => "atomic_thread_fence(memory_order_release), or a full fence",
        };
        let _ = writeln!(out, "     thread {thread}, after {} and before {}: {fence}", shown(after), shown(before));
    }
    out
}

fn what(operation: &CycleOperation) -> String {
    let CycleOperation { operation, address, value, .. } = operation;
    let assignment = if address.is_empty() || value.is_empty() { "" } else { "= " };
    let parts = [operation.clone(), address.clone(), format!("{assignment}{value}")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

const fn reason(relation: Relation) -> &'static str {
    match relation {
        Relation::ProgramOrder => "| comes first in the program",
        Relation::ReadsFrom => "| was read by",
        Relation::Coherence => "| was overwritten by",
        Relation::FromRead => "| did not see",
        Relation::Synchronises => "| happened before",
    }
}
