//! Events of an execution: steps of threads, and updates, by which buffered stores reach memory.

use std::ops::Range;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use smallvec::{SmallVec, smallvec};

use super::accesses::Accesses;
use crate::interp::Count;
use crate::ir::ids::{FuncId, Pc};
use crate::system::buffers::BufferedStore;
use crate::system::{EnablingRelease, FootprintEntry};

/// The name of an event relative to a state: the next step of a thread, or the update of one of its stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action {
    /// The thread.
    pub thread: usize,
    /// For an update, the number of the store among the buffered stores of its thread.
    pub store: Option<u32>,
}

impl Action {
    /// The next step of a thread.
    pub const fn step(thread: usize) -> Self {
        Self { thread, store: None }
    }

    /// The update of a store.
    pub const fn update(thread: usize, store: u32) -> Self {
        Self { thread, store: Some(store) }
    }

    /// True if it is an update.
    #[inline]
    pub const fn is_update(self) -> bool {
        self.store.is_some()
    }
}

/// The ranges that an event touched in memory that others may know. There are mostly one or two.
pub type EventFootprint = SmallVec<[FootprintEntry; 2]>;

/// An event, with everything that decides with which other events it commutes.
#[derive(Clone, Debug)]
pub struct Event {
    /// The name of the event.
    pub action: Action,
    /// The footprint. For an update, the bytes of its store.
    pub footprint: EventFootprint,
    /// A set of 64 bits in which the footprint is contained. Events of different threads without a common bit
    /// do not conflict, unless one creates the other's thread.
    pub footprint_mask: u64,
    /// The fields that only steps or only updates have.
    pub kind: EventKind,
    /// The accesses, if they were asked for.
    accesses: OnceLock<Result<Arc<Accesses>, &'static str>>,
}

/// The part of an event that depends on whether it is a step or an update.
#[derive(Clone, Debug)]
pub enum EventKind {
    /// A step of a thread.
    Step(StepEvent),
    /// A buffered store reaches memory.
    Update(UpdateEvent),
}

/// A step of a thread.
#[derive(Clone, Debug)]
pub struct StepEvent {
    /// The instruction at which the step begins.
    pub place: (FuncId, Pc),
    /// The answers to the questions that the step asked.
    pub answers: Box<[u32]>,
    /// True if the step stands for these answers only. Other answers are explored where another event
    /// requires them.
    pub fixed_choices: bool,
    /// True if the step creates a thread.
    pub creates: bool,
    /// True if the step may conflict with the join of another thread than its own, for example because it
    /// creates, joins or detaches a thread.
    pub conflicts_with_join: bool,
    /// True if the step needed an empty buffer of its thread, so that the thread's updates precede it. Where
    /// only sequentially consistent executions are explored, every step does.
    pub fenced: bool,
    /// True if the model says that the step needs an empty buffer.
    pub is_fence: bool,
    /// The numbers of the stores that the step buffered.
    pub pushed: Range<u32>,
    /// The stores of its thread that the step dropped from the buffer, because their memory ended.
    pub dropped: Box<[BufferedStore]>,
    /// The copy of which the step loaded a piece, if the remaining pieces were loaded in the usual order but
    /// need not be.
    pub piece_of: Option<(FuncId, Pc)>,
    /// True if the step changed only what its thread alone knows.
    pub idle: bool,
    /// The way in which the step ends the execution, if it does: by the end of the process, or by a
    /// violation.
    pub termination: Option<Termination>,
    /// True if the step began or ended within an atomic section, which other threads must not enter.
    pub in_section: bool,
    /// True if an atomic section began in the step. What it does in the section depends on the answers.
    pub begins_section: bool,
    /// The turns of the thread in the loops around the end of the step; counted with `--unroll` only.
    pub loop_counts: Box<[Count]>,
}

/// The end of an execution by a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Termination {
    /// True if the step ends the process while other threads live, so that it conflicts with all their
    /// events.
    pub of_others: bool,
    /// True if the process delayed its end until no other thread was left ([`super::termination`]), and the
    /// step did nothing else than wait for threads. It then comes after everything else in every order.
    pub is_last: bool,
}

/// A buffered store that reaches memory.
#[derive(Clone, Copy, Debug)]
pub struct UpdateEvent {
    /// The number of stores that the thread had buffered at the barrier before the store. Updates of one
    /// thread happen epoch by epoch (`system/buffers/updates.rs`).
    pub barrier_epoch: u32,
    /// The copy of which the store is a piece, or 0.
    pub copy: u32,
    /// True if the store reached no memory, because the object was gone.
    pub lost: bool,
}

impl StepEvent {
    /// A step that asks nothing, buffers nothing and ends nothing.
    pub fn at(place: (FuncId, Pc)) -> Self {
        Self {
            place,
            answers: Box::default(),
            fixed_choices: false,
            creates: false,
            conflicts_with_join: false,
            fenced: false,
            is_fence: false,
            pushed: 0..0,
            dropped: Box::default(),
            piece_of: None,
            idle: false,
            termination: None,
            in_section: false,
            begins_section: false,
            loop_counts: Box::default(),
        }
    }
}

impl Event {
    /// A step of a thread.
    pub fn step(thread: usize, footprint: EventFootprint, step: StepEvent) -> Self {
        Self {
            action: Action::step(thread),
            footprint,
            footprint_mask: 0,
            kind: EventKind::Step(step),
            accesses: OnceLock::new(),
        }
        .summarised()
    }

    /// The update of a store.
    pub fn update(thread: usize, store: &BufferedStore) -> Self {
        let update = UpdateEvent { barrier_epoch: store.group, copy: store.copy, lost: store.lost };
        Self {
            action: Action::update(thread, store.number),
            footprint: smallvec![FootprintEntry::of(store.at, true)],
            footprint_mask: 0,
            kind: EventKind::Update(update),
            accesses: OnceLock::new(),
        }
        .summarised()
    }

    /// The event with all fields that are computed from its footprint: the mask, whether it creates a thread,
    /// and whether it may conflict with a join.
    fn summarised(mut self) -> Self {
        let mut conflicts_with_all = false;
        if let EventKind::Step(step) = &mut self.kind {
            conflicts_with_all = step.termination.is_some() || step.in_section;
            let concerns_join = |touch: &FootprintEntry| touch.is_of_join() && !touch.is_end_of(self.action.thread);
            step.conflicts_with_join = conflicts_with_all || self.footprint.iter().any(concerns_join);
            step.creates = self.footprint.iter().any(|touch| touch.created().is_some());
        }
        let mask = self.footprint.iter().fold(0, |mask, touch| mask | touch.places());
        // There is at least one bit, so that an event that conflicts with everything is found.
        self.footprint_mask = if conflicts_with_all { u64::MAX } else { mask.max(1) };
        self
    }

    /// The step, unless the event is an update.
    #[inline]
    pub const fn as_step(&self) -> Option<&StepEvent> {
        match &self.kind {
            EventKind::Step(step) => Some(step),
            EventKind::Update(_) => None,
        }
    }

    /// The update, unless the event is a step.
    #[inline]
    pub const fn as_update(&self) -> Option<&UpdateEvent> {
        match &self.kind {
            EventKind::Step(_) => None,
            EventKind::Update(update) => Some(update),
        }
    }

    /// The event with another footprint, in the same bits of the mask.
    #[must_use]
    pub fn with_footprint(&self, footprint: EventFootprint) -> Self {
        Self { footprint, accesses: OnceLock::new(), ..self.clone() }
    }

    /// The accesses of a step as events of histories know them, or the reason why they mean nothing there.
    pub fn accesses(&self) -> Result<&Arc<Accesses>, &'static str> {
        self.accesses.get_or_init(|| Accesses::of(self).map(Arc::new)).as_ref().map_err(|what| *what)
    }

    /// True if it is an update.
    #[inline]
    pub const fn is_update(&self) -> bool {
        self.action.is_update()
    }

    /// The instruction at which the step begins. An update has none.
    #[inline]
    pub const fn place(&self) -> Option<(FuncId, Pc)> {
        match &self.kind {
            EventKind::Step(step) => Some(step.place),
            EventKind::Update(_) => None,
        }
    }

    /// The answers to the questions that the event asked. An update asks none.
    #[inline]
    pub fn answers(&self) -> &[u32] {
        self.as_step().map_or(&[], |step| &step.answers)
    }

    /// True if another event has the same answers. Mostly neither has any: memory is compared only otherwise,
    /// since processors are slow where there are no bytes at an address that is none.
    #[inline]
    pub fn has_answers_of(&self, other: &Self) -> bool {
        let (own, others) = (self.answers(), other.answers());
        own.len() == others.len() && (own.is_empty() || own == others)
    }

    /// True if the step asked a question in a section, so that its accesses depend on the answer. Elsewhere a
    /// step ends before it makes accesses that depend on one.
    pub fn asks_in_section(&self) -> bool {
        self.as_step().is_some_and(|step| (step.begins_section || step.in_section) && !step.answers.is_empty())
    }

    /// True if the event stands for its own answers only.
    #[inline]
    pub const fn has_fixed_choices(&self) -> bool {
        matches!(&self.kind, EventKind::Step(StepEvent { fixed_choices: true, .. }))
    }

    /// The event with fixed choices if it asked a question and `fixed` is true, else without.
    #[must_use]
    pub fn with_choices(mut self: Rc<Self>, fixed: bool) -> Rc<Self> {
        let fixed = fixed && !self.answers().is_empty();
        if self.has_fixed_choices() != fixed
            && let EventKind::Step(step) = &mut Rc::make_mut(&mut self).kind
        {
            step.fixed_choices = fixed;
        }
        self
    }

    /// True if it creates a thread.
    #[inline]
    pub const fn creates(&self) -> bool {
        matches!(&self.kind, EventKind::Step(StepEvent { creates: true, .. }))
    }

    /// True if it may conflict with the join of another thread than its own.
    #[inline]
    pub const fn conflicts_with_join(&self) -> bool {
        matches!(&self.kind, EventKind::Step(StepEvent { conflicts_with_join: true, .. }))
    }

    /// True if it needed an empty buffer of its thread.
    #[inline]
    pub const fn is_fenced(&self) -> bool {
        matches!(&self.kind, EventKind::Step(StepEvent { fenced: true, .. }))
    }

    /// True if it is a step that changed only what its thread alone knows.
    #[inline]
    pub const fn is_idle(&self) -> bool {
        matches!(&self.kind, EventKind::Step(StepEvent { idle: true, .. }))
    }

    /// True if it is a step that began or ended within an atomic section.
    #[inline]
    pub const fn in_section(&self) -> bool {
        matches!(&self.kind, EventKind::Step(StepEvent { in_section: true, .. }))
    }

    /// The way in which it ends the execution, if it does.
    #[inline]
    pub const fn termination(&self) -> Option<Termination> {
        match &self.kind {
            EventKind::Step(step) => step.termination,
            EventKind::Update(_) => None,
        }
    }

    /// True if nothing can follow it.
    #[inline]
    pub const fn ends(&self) -> bool {
        self.termination().is_some()
    }

    /// True if it ends the process while other threads live.
    #[inline]
    pub const fn terminates_others(&self) -> bool {
        matches!(self.termination(), Some(Termination { of_others: true, .. }))
    }

    /// True if it is the end of a process that waited until no other thread was left.
    #[inline]
    pub const fn is_last(&self) -> bool {
        matches!(self.termination(), Some(Termination { is_last: true, .. }))
    }

    /// True if it is the update of a store that reached nothing.
    #[inline]
    pub const fn is_lost(&self) -> bool {
        matches!(&self.kind, EventKind::Update(UpdateEvent { lost: true, .. }))
    }

    /// The numbers of the stores that it buffered.
    #[inline]
    pub fn pushed(&self) -> Range<u32> {
        self.as_step().map_or(0..0, |step| step.pushed.clone())
    }

    /// The copy of which it loaded a piece, if the remaining pieces need not be loaded in the usual order.
    #[inline]
    pub const fn piece_of(&self) -> Option<(FuncId, Pc)> {
        match &self.kind {
            EventKind::Step(step) => step.piece_of,
            EventKind::Update(_) => None,
        }
    }

    /// The stores that it dropped from the buffer of its thread.
    pub fn dropped(&self) -> &[BufferedStore] {
        self.as_step().map_or(&[], |step| &step.dropped)
    }

    /// True if program order puts this event before a later one of its thread.
    #[inline]
    pub fn precedes_own(&self, later: &Self) -> bool {
        match (&self.kind, &later.kind) {
            (EventKind::Step(_), EventKind::Step(_)) => true,
            (EventKind::Step(step), EventKind::Update(_)) => {
                later.action.store.is_some_and(|store| step.pushed.contains(&store))
            }
            (EventKind::Update(_), EventKind::Step(step)) => step.fenced,
            (EventKind::Update(first), EventKind::Update(second)) => {
                second.barrier_epoch > first.barrier_epoch || self.overlaps(later)
            }
        }
    }

    /// The kind of resource that this event releases and a later one waited for, if there is one. The later
    /// event then cannot come right before this one.
    pub fn enabling_release(&self, later: &Self) -> Option<EnablingRelease> {
        self.footprint.iter().find_map(|a| later.footprint.iter().find_map(|b| a.enabling_release(b)))
    }

    /// The event with a footprint that includes the ranges that the step would have touched with other
    /// answers.
    #[must_use]
    pub fn touching(self: Rc<Self>, more: &[FootprintEntry]) -> Rc<Self> {
        if more.is_empty() {
            return self;
        }
        let hypothetical = more.iter().map(|touch| FootprintEntry { hypothetical: true, ..*touch });
        let footprint = self.footprint.iter().copied().chain(hypothetical).collect();
        Rc::new(Self { footprint, ..Self::clone(&self) }.summarised())
    }

    /// The step with a footprint that includes what its thread looks at where it waits in an atomic section,
    /// for ever: it ends the execution.
    #[must_use]
    pub fn waiting_in_section(&self, looked_at: &[FootprintEntry]) -> Rc<Self> {
        let mut waiting = Self { accesses: OnceLock::new(), ..self.clone() };
        waiting.footprint = self.footprint.iter().chain(looked_at).copied().collect();
        if let EventKind::Step(step) = &mut waiting.kind {
            step.in_section = false;
            step.termination = Some(Termination { of_others: true, is_last: false });
        }
        Rc::new(waiting.summarised())
    }

    /// True if both events have the same answers.
    ///
    /// Most events have none, and these are not compared: on processors on which a masked load from an
    /// address without memory takes hundreds of cycles, comparing no bytes at all takes as long.
    pub fn has_same_answers(&self, other: &Self) -> bool {
        let (mine, others) = (self.answers(), other.answers());
        mine.len() == others.len() && (mine.is_empty() || mine == others)
    }

    /// True if a step conflicts with the same events as another one.
    pub fn has_same_conflicts(&self, other: &Self) -> bool {
        self.footprint == other.footprint
            && self.terminates_others() == other.terminates_others()
            && self.in_section() == other.in_section()
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.footprint.iter().any(|a| other.footprint.iter().any(|b| a.overlaps(b)))
    }

    /// True if this event conflicts with `other`, which happens second.
    ///
    /// If one of the two is a load, `updated(thread, store)` is true if the update of a store preceded the
    /// write of the two. A load conflicts with those writes of other threads that come after the update of
    /// the thread's own newest store to the bytes. That store hides the writes before it, so their order with
    /// the load does not matter (Abdulla et al., section 2, "Chronological traces for TSO").
    pub fn conflicts(&self, other: &Self, updated: impl Fn(usize, u32) -> bool) -> bool {
        if self.action.thread == other.action.thread {
            return self.precedes_own(other);
        }
        if self.footprint_mask & other.footprint_mask == 0 {
            return self.creates_thread_of(other);
        }
        if self.creates_thread_of(other) || self.in_section() || other.in_section() {
            return true;
        }
        let visible = |load: &FootprintEntry, thread: usize| load.own.is_none_or(|store| updated(thread, store));
        let meet = |a: &FootprintEntry, b: &FootprintEntry| {
            a.conflicts(b)
                && (a.write || visible(a, self.action.thread))
                && (b.write || visible(b, other.action.thread))
        };
        self.terminates_others()
            || other.terminates_others()
            || self.footprint.iter().any(|a| other.footprint.iter().any(|b| meet(a, b)))
    }

    /// True if it only waits for the end of a thread, or ends one. A step that detaches a thread, or joins it
    /// if it has ended, touches the same and does not wait.
    pub fn is_join(&self) -> bool {
        let thread = self.action.thread;
        let waits_for = |joined: usize| self.footprint.iter().any(|touch| touch.awaited() == Some(joined));
        let is_ordered = |touch: &FootprintEntry| touch.of_thread().is_none_or(|of| of == thread || waits_for(of));
        let touches = &self.footprint;
        !self.in_section() && touches.iter().all(|touch| touch.is_of_join() && is_ordered(touch))
    }

    /// True if this event creates the thread of a step.
    #[inline]
    pub fn creates_thread_of(&self, other: &Self) -> bool {
        self.creates()
            && !other.is_update()
            && self.footprint.iter().any(|touch| touch.is_creation(other.action.thread))
    }

    /// True if the program orders this event before a later one that conflicts with it: both are of one
    /// thread, or the first creates the thread of the second.
    pub fn is_ordered_by_program(&self, other: &Self) -> bool {
        self.action.thread == other.action.thread || self.creates_thread_of(other)
    }
}
