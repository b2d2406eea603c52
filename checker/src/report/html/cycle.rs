//! An execution that is not sequentially consistent: its cycle of operations, and the fences that break it.

use maud::{Markup, html};

use crate::outcome::cycle::{Call, Cycle, CycleOperation, FenceKind, Relation};

/// The cycle, and the places for fences.
pub fn describe(cycle: &Cycle) -> Markup {
    html! {
        h3 { "Each of these comes before the next, and the last before the first" }
        ol.cycle {
            @for operation in &cycle.operations {
                li {
                    (what(operation))
                    p.relation { "↓ " (reason(operation.before_next)) }
                }
            }
            li.again { "the first one again" }
        }
        h3 { @if cycle.fences.len() == 1 { "A fence here rules it out" } @else { "Fences at all of these places rule it out" } }
        ul.fences {
            @for fence in &cycle.fences {
                li {
                    "thread " (fence.thread) ", after line " (fence.after.line) " and before line " (fence.before.line) " of " (fence.after.file) ": "
                    code { (match fence.kind {
                        FenceKind::Full => "atomic_thread_fence(memory_order_seq_cst)",
                        FenceKind::StoreStore => "atomic_thread_fence(memory_order_release)",
                    }) }
                }
            }
        }
    }
}

fn what(operation: &CycleOperation) -> Markup {
    let CycleOperation { thread, file, line, operation, address, value, calls, .. } = operation;
    html! {
        span class={ "badge t" (thread % 8) } { "thread " (thread) } " "
        code { (operation) " " (address) @if !value.is_empty() { " = " (value) } }
        @if *line > 0 { " at " (file) ":" (line) }
        @for Call { place, function } in calls { ", called at " (place.file) ":" (place.line) " in " (function) }
    }
}

const fn reason(relation: Relation) -> &'static str {
    match relation {
        Relation::ProgramOrder => "comes first in the program, before",
        Relation::ReadsFrom => "was read by",
        Relation::Coherence => "was overwritten by",
        Relation::FromRead => "did not see",
        Relation::Synchronises => "happened before",
    }
}
