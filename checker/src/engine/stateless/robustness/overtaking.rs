//! An execution under TSO in which a borderline load overtakes a store, made from a sequentially consistent one.
//!
//! The events up to the load, without it, are an execution under TSO. Those that do not happen-after the
//! store's update there (chronological traces: `execution.rs`) come first, then the load, then the others. Each
//! of these happens as before, since what it depends on comes first; no event depends on the load. The load
//! misses the store. Because the store happens-before an earlier operation of the load's thread in the
//! conflict graph, the graph has a cycle.

use super::Pending;
use super::cycle;
use super::replay::Again;
use super::sequential::Overtaking;
use crate::ir::Program;
use crate::outcome::ScheduleStep;
use crate::system::Config;

/// The schedule of an execution under TSO in which the load overtakes the store, up to where its cycle can be
/// seen. `sequential` is the schedule of the sequentially consistent execution, at least up to the load. The
/// result is `None` if no such execution was found, or it has no cycle.
#[must_use]
pub fn schedule(
    program: &Program,
    config: Config,
    sequential: &[ScheduleStep],
    Overtaking { load, missed }: Overtaking,
) -> Option<Vec<ScheduleStep>> {
    let again = Again::run(program, config, &sequential[..load]).ok()?;
    let is_after = |at: &usize| *at == missed || again.execution.happens_before(missed, *at);
    let (later, first): (Vec<_>, Vec<_>) = (0..load).partition(is_after);
    let thread = sequential[load].thread;
    if later.iter().any(|&at| sequential[at].thread == thread && sequential[at].update.is_none()) {
        return None;
    }
    let steps = |positions: &[usize]| positions.iter().map(|&at| sequential[at].clone()).collect::<Vec<_>>();
    let (first, later) = (steps(&first), steps(&later));
    // With another value the step may ask other questions, or be the last one.
    let unasked = ScheduleStep { choices: Vec::new(), ..sequential[load].clone() };
    let loads = [sequential[load].clone(), unasked];
    let candidates = [&later[..], &[]].into_iter().flat_map(|later| loads.iter().map(move |load| (load, later)));
    candidates.into_iter().find_map(|(load, later)| {
        let mut schedule = [&first[..], std::slice::from_ref(load), later].concat();
        let again = Again::run(program, config, &schedule).ok()?;
        let found = cycle::find(&again.execution, &Pending::of(&again.machine))?;
        schedule.truncate(found.until(&again.execution));
        Some(schedule)
    })
}
