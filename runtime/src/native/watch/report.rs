//! A report: a load that may miss a store, in the words of the source.

use std::fmt;

use super::place::Place;
use crate::monitor::{AccessKind, Borderline, CycleEdge, MonitorAccess, Relation};

/// An access of a report.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub place: Place,
    /// The monitor's number of the thread. Threads of different times may have the same one.
    pub thread: usize,
    pub kind: &'static str,
}

/// An access of a cycle, and how it is before the next one.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub access: Access,
    pub relation: Relation,
    /// True if the access is a store that may be delayed until after the next one, a load.
    pub is_delay: bool,
}

/// A report.
#[derive(Clone, Debug)]
pub(super) struct Report {
    pub load: Access,
    pub missed: Access,
    /// The accesses of a cycle, which begins with the load; the last one is before the load. Empty if some of
    /// them were forgotten.
    pub cycle: Vec<Step>,
}

impl Report {
    /// The report of a load, with its cycle if it is known.
    pub fn of(borderline: &Borderline, cycle: Option<&[CycleEdge]>) -> Self {
        let steps = cycle.into_iter().flatten().map(|edge| Step {
            access: Access::of(edge.from),
            relation: edge.relation,
            is_delay: edge.is_delay(),
        });
        let [load, missed] = [borderline.load, borderline.missed].map(Access::of);
        Self { load, missed, cycle: steps.collect() }
    }

    /// The pairs of accesses between which a full fence is missing. With fences in all of them the cycle is
    /// impossible.
    pub fn fences(&self) -> impl Iterator<Item = (&Access, &Access)> {
        let next = self.cycle.iter().skip(1).map(|step| &step.access).chain([&self.load]);
        self.cycle.iter().zip(next).filter(|(step, _)| step.is_delay).map(|(step, next)| (&step.access, next))
    }

    /// One sentence of what may happen.
    pub fn message(&self) -> String {
        format!(
            "under tso the load in {} may miss the store at {}",
            self.load.place.innermost.function, self.missed.place
        )
    }

    /// The fences that rule it out.
    pub fn advice(&self) -> Vec<String> {
        let between = |(first, second): (&Access, &Access)| {
            format!("between the {} at {} and the {} at {}", first.kind, first.place, second.kind, second.place)
        };
        let mut advice: Vec<_> = self.fences().map(between).collect();
        advice.sort_unstable();
        advice.dedup();
        if advice.is_empty() {
            advice.push(format!("before the load at {}, after the stores of its thread", self.load.place));
        }
        advice
    }
}

impl Access {
    fn of(access: MonitorAccess) -> Self {
        let kind = match access.kind {
            AccessKind::Load => "load",
            AccessKind::Store => "store",
            AccessKind::Update => "read-modify-write",
            AccessKind::Fence => "fence",
        };
        Self { place: Place::of(access.site), thread: access.thread as usize, kind }
    }
}

/// How an access is before the next one of a cycle.
pub(super) fn in_words(relation: Relation) -> &'static str {
    match relation {
        Relation::ProgramOrder => "precedes in its thread",
        Relation::ReadsFrom => "is read by",
        Relation::Coherence => "is overwritten by",
        Relation::FromRead => "reads a value older than that of",
        Relation::Synchronises => "synchronises with",
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rmc monitor: {}", self.message())?;
        writeln!(f, "  load:   {} (thread {})", self.load.place, self.load.thread)?;
        writeln!(f, "  missed: {} (thread {})", self.missed.place, self.missed.thread)?;
        writeln!(f, "  so that each of these would be before the next one, and the last one before the first one:")?;
        if self.cycle.is_empty() {
            writeln!(f, "    the load, the store, and accesses that are too long ago to be known")?;
        }
        for Step { access, relation, is_delay } in &self.cycle {
            let Access { place, thread, kind } = access;
            let delay = if *is_delay { ", but may be delayed until after it" } else { "" };
            writeln!(f, "    {kind} at {place} (thread {thread}) {}{delay}", in_words(*relation))?;
        }
        let advice = self.advice();
        let fences =
            if advice.len() > 1 { "full fences rule this out, all of them" } else { "a full fence rules this out" };
        writeln!(f, "  {fences}:")?;
        advice.iter().try_for_each(|place| writeln!(f, "    {place}"))
    }
}
