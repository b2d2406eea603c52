//! Description of a cycle in terms of the source: its execution is run again and recorded, the cycle is found
//! again, and its operations are looked up in the records.

use std::rc::Rc;

use rmc_runtime::{Model, StoreTag};

use super::Pending;
use super::cycle::{self, Cycle as Found};
use super::graph::{Operation, Site};
use crate::engine::counterexample::{Counterexample, Mismatch, run_step};
use crate::engine::stateless::event::Event;
use crate::engine::stateless::execution::Execution;
use crate::engine::stateless::stepper::event_of_step;
use crate::hash::FxHashMap;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::program::is_standard_library;
use crate::outcome::cycle::{Call, Cycle, CycleOperation, Fence, FenceKind, Relation};
use crate::outcome::event::TraceEvent;
use crate::outcome::text::Text;
use crate::outcome::{Fault, Place, ScheduleStep, Violation, ViolationKind};
use crate::system::{Config, FootprintEntry, Machine, StepEnd};

/// Runs the schedule of an execution that is not sequentially consistent.
///
/// # Errors
/// [`Mismatch`] if it cannot be run, or is sequentially consistent.
pub fn replay(program: &Program, config: Config, violation: &Violation) -> Result<Counterexample, Mismatch> {
    let again = Again::run(program, config, &violation.schedule)?;
    let steps = violation.schedule.len();
    let found = cycle::find(&again.execution, &Pending::of(&again.machine)).ok_or(Mismatch { step: steps })?;
    Ok(again.counterexample(&found))
}

/// True if the execution of a schedule is not sequentially consistent.
///
/// # Errors
/// [`Mismatch`] if it cannot be run.
pub fn has_cycle(program: &Program, config: Config, schedule: &[ScheduleStep]) -> Result<bool, Mismatch> {
    let again = Again::run(program, config, schedule)?;
    Ok(cycle::find(&again.execution, &Pending::of(&again.machine)).is_some())
}

/// An execution that was run again.
pub(super) struct Again<'p> {
    pub machine: Machine<'p>,
    pub execution: Execution,
    /// The names of buffered stores in the records.
    pub stores: FxHashMap<(usize, u32), StoreTag>,
    pub names: Vec<EventNames>,
    vector: Vec<crate::store::Id>,
}

/// The names of an event. An update has none.
#[derive(Default)]
pub(super) struct EventNames {
    /// The names of its touched ranges.
    touches: Vec<String>,
    /// The innermost function and place.
    function: String,
    place: Place,
    /// The frames of its thread where its step began, innermost first.
    frames: Frames,
}

/// The frames of a thread, the innermost first.
pub(super) type Frames = Vec<(FuncId, Pc)>;

impl<'p> Again<'p> {
    fn new(program: &'p Program, config: Config) -> Self {
        let mut machine = Machine::new(program, config);
        machine.record();
        let mut vector = Vec::new();
        machine.pack(&mut vector);
        let execution = Execution::new(config.model() != Model::Pso);
        Self { machine, execution, stores: FxHashMap::default(), names: Vec::new(), vector }
    }

    /// Runs a schedule.
    ///
    /// # Errors
    /// [`Mismatch`] if it cannot be run.
    pub fn run(program: &'p Program, config: Config, schedule: &[ScheduleStep]) -> Result<Self, Mismatch> {
        let mut again = Self::new(program, config);
        for (at, step) in schedule.iter().enumerate() {
            let end = again.step(step, at + 1)?;
            // The last step may have ended the process, or may have a violation.
            if end != StepEnd::Done && at + 1 < schedule.len() || end == StepEnd::Blocked {
                return Err(Mismatch { step: at + 1 });
            }
        }
        Ok(again)
    }

    fn step(&mut self, step: &ScheduleStep, number: usize) -> Result<StepEnd, Mismatch> {
        let tags = self.machine.buffers().tags();
        self.machine.unpack(&self.vector);
        self.machine.set_tags(&tags);
        let thread = step.thread;
        if !self.machine.live_threads().any(|live| live == thread) && step.update.is_none() {
            return Err(Mismatch { step: number });
        }
        let (end, event) = match step.update {
            Some(store) => {
                let waiting = self.machine.waiting(thread).iter().find(|waiting| waiting.number == store);
                let waiting = *waiting.ok_or(Mismatch { step: number })?;
                self.names.push(EventNames::default());
                (run_step(&mut self.machine, step, number)?.end, Event::update(thread, &waiting))
            }
            None => self.thread_step(step, number)?,
        };
        self.execution.push(Rc::new(event));
        let waiting = self.machine.waiting(thread);
        self.stores.extend(waiting.iter().map(|waiting| ((thread, waiting.number), waiting.tag)));
        if end == StepEnd::Done {
            self.machine.pack(&mut self.vector);
        }
        Ok(end)
    }

    fn thread_step(&mut self, step: &ScheduleStep, number: usize) -> Result<(StepEnd, Event), Mismatch> {
        let thread = step.thread;
        let frames = self.machine.backtrace(thread);
        let pushed = self.machine.pushed(thread);
        let report = run_step(&mut self.machine, step, number)?;
        let event = event_of_step(&self.machine, &report, thread, frames[0], pushed);
        let touches = event.footprint.iter().map(|touch| self.machine.touch_name(touch)).collect();
        let program = self.machine.program();
        let (function, place) = (program.innermost_function(&frames).shown_name(), program.first_place(&frames));
        self.names.push(EventNames { touches, function, place, frames });
        Ok((report.end, event))
    }

    fn counterexample(mut self, found: &Found) -> Counterexample {
        // The names of stores are dropped with the recording.
        let stores: Vec<_> = found.operations.iter().map(|operation| self.recorded_store(operation)).collect();
        let frames: Vec<_> = found.operations.iter().map(|operation| self.own_frames(operation.site)).collect();
        let output = self.machine.recorded_output();
        let events = self.machine.recorded();
        let operations = found.operations.iter().zip(stores).zip(&found.relations);
        let operations = operations.map(|((operation, store), &relation)| match store {
            Some(store) => described(store, relation),
            None => self.step_operation(&events, operation, relation),
        });
        let calls = frames.iter().map(|frames| self.calls(frames));
        let operations = operations.zip(calls).map(|(operation, calls)| CycleOperation { calls, ..operation });
        let operations: Vec<_> = operations.collect();
        let fences = found.delays.iter().map(|&at| self.fence(found, &operations, &frames, at)).collect();
        let first = &operations[0];
        let place = place(first);
        let message = format!(
            "no order of the threads' operations explains it: {} operations wait for each other",
            operations.len()
        );
        Counterexample {
            fault: Fault::new(ViolationKind::NotRobust, message),
            thread: first.thread,
            stack: vec![(first.function.clone(), format!("{}:{}", place.file, place.line))],
            place,
            cycle: Some(Cycle { operations, fences }),
            events,
            related: Vec::new(),
            output,
        }
    }

    pub fn recorded_store(&self, operation: &Operation) -> Option<TraceEvent> {
        let tag = self.stores.get(&(operation.site.thread, operation.site.store?))?;
        self.machine.recorded_store(*tag)
    }

    /// The operation of a step. It is described by the recorded event on the memory in question, else by the
    /// step's first recorded event, else by the facts that are known without records.
    fn step_operation(&self, events: &[TraceEvent], operation: &Operation, before_next: Relation) -> CycleOperation {
        let site = operation.site;
        let EventNames { function, place, .. } = &self.names[site.step];
        let name = self.name_of(operation);
        let is_buffered = |event: &TraceEvent| {
            let same = |text: &Text| text.starts_with(&format!("thread {}: {} = ", site.thread, event.address));
            event.operation.starts_with("store") && event.buffers.iter().any(same)
        };
        let mut own = events.iter().filter(|event| {
            event.step == site.step + 1
                && event.thread == site.thread
                && event.operation != "flush"
                && !is_buffered(event)
        });
        let same = own.clone().find(|event| !name.is_empty() && event.address == name);
        match same.or_else(|| own.next()) {
            Some(event) => described(event.clone(), before_next),
            None => CycleOperation {
                thread: site.thread,
                file: place.file.clone(),
                line: place.line,
                function: function.clone(),
                operation: if operation.touch.write { "end of memory" } else { "read" }.to_owned(),
                address: name.to_owned(),
                value: String::new(),
                calls: Vec::new(),
                before_next,
            },
        }
    }

    /// The name of the memory that the operation of a step touches; empty if it has none.
    pub fn name_of(&self, operation: &Operation) -> &str {
        let step = operation.site.step;
        let touches = self.execution.event(step).footprint.iter().zip(&self.names[step].touches);
        let is_it = |touch: &FootprintEntry| touch.overlaps(&operation.touch) && touch.write == operation.touch.write;
        touches.into_iter().find(|(touch, _)| is_it(touch)).map_or("", |(_, name)| name.as_str())
    }

    /// The frames of the thread of an operation where it happens.
    pub fn frames(&self, site: Site) -> Frames {
        let tag = site.store.and_then(|store| self.stores.get(&(site.thread, store)));
        match tag {
            Some(&tag) => self.machine.frames_of_store(tag),
            None => self.names[site.step].frames.clone(),
        }
    }

    /// Those of the frames that are in the program's own text.
    fn own_frames(&self, site: Site) -> Frames {
        let program = self.machine.program();
        let is_own = |&(function, pc): &(FuncId, Pc)| {
            let location = program.location(function, pc);
            let is_known = location.line > 0 && program.entry != Some(function);
            is_known && !is_standard_library(program.file(location))
        };
        self.frames(site).into_iter().filter(is_own).collect()
    }

    /// The calls around the innermost of some frames.
    fn calls(&self, frames: &Frames) -> Vec<Call> {
        let program = self.machine.program();
        let call = |&(function, pc): &(FuncId, Pc)| Call {
            function: program.function(function).shown_name(),
            place: program.first_place(&[(function, pc)]),
        };
        frames.iter().skip(1).map(call).collect()
    }

    fn fence(&self, found: &Found, operations: &[CycleOperation], frames: &[Frames], at: usize) -> Fence {
        let next = (at + 1) % operations.len();
        // From the outermost function on, the first in which both are not in the same call.
        let apart = frames[at].iter().rev().zip(frames[next].iter().rev()).find(|(one, other)| one != other);
        let program = self.machine.program();
        let [after, before] = match apart {
            Some((&one, &other)) => [one, other].map(|frame| program.first_place(&[frame])),
            None => [at, next].map(|operation| place(&operations[operation])),
        };
        let kind = self.fence_before(&found.operations[next]);
        Fence { thread: operations[at].thread, after, before, kind }
    }

    /// The weakest kind of fence that keeps a store before this operation.
    pub fn fence_before(&self, next: &Operation) -> FenceKind {
        let enough = next.site.store.is_some() && !self.machine.config().rules.weak_release;
        if enough { FenceKind::StoreStore } else { FenceKind::Full }
    }
}

fn place(operation: &CycleOperation) -> Place {
    Place { file: operation.file.clone(), line: operation.line }
}

fn described(event: TraceEvent, before_next: Relation) -> CycleOperation {
    let TraceEvent { thread, file, line, function, operation, address, value, .. } = event;
    let [file, function, operation, address, value] =
        [file, function, operation, address, value].map(|text| text.as_str().to_owned());
    CycleOperation { thread, file, line, function, operation, address, value, calls: Vec::new(), before_next }
}
