//! The delays of an execution in terms of the source, for a repair.
//!
//! A store and a later operation of its thread are a *delay* of the execution if nothing keeps them in order
//! and both are on a common cycle of its conflict graph. An execution with the same trace exists as long as
//! every cycle has a delay that no fence forbids: orders between operations that are on no common cycle take
//! part in none. So an execution is ruled out only by a fence on the way of one of its delays, which is what
//! [`Delays::all`] has; and fences on all delays of one cycle are enough to rule it out
//! ([`Delays::of_cycle`]).

use super::Pending;
use super::cycle;
use super::graph::{Graph, Operation, Site};
use super::replay::Again;
use crate::engine::counterexample::Mismatch;
use crate::engine::inputs::{self, WithValues};
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::delay::{Delay, Delays, SourcePoint, Stack};
use crate::outcome::{Violation, ViolationKind};
use crate::system::Config;

/// The delays of the execution of a violation.
///
/// # Errors
/// [`Mismatch`] if its schedule cannot be run.
pub fn delays(program: &Program, config: Config, violation: &Violation) -> Result<Delays, Mismatch> {
    let with_values = match violation.fault.kind {
        ViolationKind::NotRobust => WithValues { config, schedule: violation.schedule.clone() },
        _ => inputs::with_values(program, config, violation)?,
    };
    let again = Again::run(program, with_values.config, &with_values.schedule)?;
    let pending = Pending::of(&again.machine);
    let Some(cycle) = cycle::find(&again.execution, &pending) else { return Ok(Delays::default()) };
    let graph = Graph::new(&again.execution, &pending);
    let describe = |from: &Operation, to: &Operation| delay(&again, &graph, from, to);
    let of_cycle = cycle.delays.iter().map(|&at| {
        let next = (at + 1) % cycle.operations.len();
        describe(&cycle.operations[at], &cycle.operations[next])
    });
    let all = longest(&again, &graph, &pending);
    Ok(Delays {
        of_cycle: of_cycle.collect(),
        all: all.iter().map(|&(from, to)| describe(graph.operation(from), graph.operation(to))).collect(),
    })
}

/// For each store, and each kind of fence that is enough, the last operation that it may be delayed after and
/// that is on a common cycle with it.
fn longest(again: &Again<'_>, graph: &Graph, pending: &[Pending]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let stores = graph.operations().filter(|&at| graph.operation(at).site.store.is_some());
    for store in stores {
        let first = graph.operation(store);
        let later = graph.later_own(store);
        let delays = later.filter(|&at| cycle::is_delay(&again.execution, pending, first, graph.operation(at)));
        let delays: Vec<_> = delays.collect();
        let ends = |stores: bool| {
            let mut of_kind = delays.iter().rev().filter(|&&at| graph.operation(at).site.store.is_some() == stores);
            of_kind.find(|&&at| graph.reaches(at, store)).map(|&at| (store, at))
        };
        found.extend(ends(false));
        found.extend(ends(true));
    }
    found
}

fn delay(again: &Again<'_>, graph: &Graph, from: &Operation, to: &Operation) -> Delay {
    let own = graph.operations().map(|at| graph.operation(at)).filter(|at| at.site.thread == from.site.thread);
    let mut sites: Vec<_> = own.map(|at| at.site).skip_while(|site| *site != from.site).collect();
    let end = sites.iter().rposition(|site| *site == to.site);
    sites.truncate(end.map_or(0, |end| end + 1));
    let variable = |operation: &Operation| match again.recorded_store(operation) {
        Some(store) => store.address.as_str().to_owned(),
        None => again.name_of(operation).to_owned(),
    };
    Delay {
        kind: again.fence_before(to),
        path: sites.into_iter().map(|site| stack(again, site)).collect(),
        variables: [variable(from), variable(to)],
    }
}

fn stack(again: &Again<'_>, site: Site) -> Stack {
    let program = again.machine.program();
    let frames = again.frames(site);
    let known = frames.iter().rev().filter_map(|&(function, pc)| point(program, function, pc));
    known.collect()
}

fn point(program: &Program, function: FuncId, pc: Pc) -> Option<SourcePoint> {
    let location = program.location(function, pc);
    let place = || SourcePoint {
        file: program.file(location).to_owned(),
        line: location.line,
        column: location.column,
        code: (function.0, pc.0),
    };
    (location.line > 0).then(place)
}
