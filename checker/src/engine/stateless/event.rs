//! Events of an execution: steps of threads, and updates, by which buffered stores reach memory.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use crate::interp::Count;
use crate::ir::ids::{FuncId, Pc};
use crate::system::buffers::BufferedStore;
use crate::system::{EnablingRelease, FootprintEntry, Machine, StepReport};

/// The name of an event relative to a state: the next step of a thread, or the update of one of its stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The thread.
    pub thread: usize,
    /// For an update, the number of the store among the buffered stores of its thread.
    pub store: Option<u32>,
}

/// What an event touched: mostly one or two ranges.
pub type Touches = SmallVec<[FootprintEntry; 2]>;

/// What an event is, and all that decides which other events it commutes with.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub label: Label,
    /// The answers to the questions that the step asked.
    pub answers: Box<[u32]>,
    /// Whether other answers are to be explored only where something else calls for them.
    pub partly: bool,
    /// What it touched of what others may know. For an update, the bytes of its store.
    pub touches: Touches,
    /// Where those may be: events of different threads without a common bit do not conflict, unless one creates the other's thread. See [`Event::located`].
    pub places: u64,
    /// Whether it creates a thread.
    pub creates: bool,
    /// Whether it may conflict with the join of another thread than its own: it creates, joins or detaches one, say.
    pub meddles: bool,
    /// Whether it needed an empty buffer of its thread, so that the thread's updates come before it.
    pub fenced: bool,
    /// The numbers of the stores that it buffered.
    pub pushed: std::ops::Range<u32>,
    /// The stores of its thread that it dropped from the buffer, with their memory.
    pub dropped: Box<[BufferedStore]>,
    /// For an update, the group of its store: see `system/buffers/updates.rs`.
    pub group: u32,
    /// For an update, the copy of which its store is a piece, if it is one.
    pub copy: u32,
    /// For a step, the copy of which it loaded a piece, if the pieces that it had left were loaded in the
    /// usual order but need not be.
    pub copies: Option<(FuncId, Pc)>,
    /// For a step, whether it changed nothing but what its thread alone knows.
    pub idle: bool,
    /// Whether nothing can follow: the process ended, or went wrong.
    pub ends: bool,
    /// Whether it ends what others could have gone on with, so that all they did is ordered with it. The end of the last thread does not.
    pub cuts_off: bool,
    /// Whether it is the end of a process that waited until no other thread was left ([`super::dpor`]): it
    /// comes after everything else in every order.
    pub is_last: bool,
    /// For an update, whether its store reached nothing, because the object was gone.
    pub lost: bool,
    /// For a step, whether it began or ended within an atomic section, which other threads must not enter.
    pub in_section: bool,
    /// For a step, where its thread was.
    pub place: (FuncId, Pc),
    /// For a step, how often its thread went round in the loops it is in then; with `--unroll`.
    pub turns: Box<[Count]>,
}

impl Event {
    /// The event with its [`places`](Self::places), and whether it creates a thread.
    #[must_use]
    pub fn located(self) -> Self {
        let touched = self.touches.iter().fold(0, |places, touch| places | touch.places());
        let meddles = self.ends
            || self.in_section
            || self.touches.iter().any(|touch| touch.is_of_join() && !touch.is_end_of(self.label.thread));
        let creates = self.touches.iter().any(|touch| touch.created().is_some());
        // Some place at least, so that what conflicts with everything is found to do so.
        Self { places: if self.ends || self.in_section { u64::MAX } else { touched.max(1) }, creates, meddles, ..self }
    }

    /// The update of a store.
    pub fn update(thread: usize, store: &BufferedStore) -> Self {
        Self {
            label: Label { thread, store: Some(store.number) },
            answers: Box::default(),
            partly: false,
            touches: smallvec![FootprintEntry::of(store.at, true)],
            places: 0,
            creates: false,
            meddles: false,
            fenced: false,
            pushed: 0..0,
            dropped: Box::default(),
            group: store.group,
            copy: store.copy,
            copies: None,
            idle: false,
            ends: false,
            cuts_off: false,
            is_last: false,
            lost: store.lost,
            in_section: false,
            place: (FuncId(0), Pc(0)),
            turns: Box::default(),
        }
        .located()
    }

    /// The event of a step that the machine has just run, or attempted.
    pub fn step(machine: &Machine<'_>, report: &StepReport, thread: usize, place: (FuncId, Pc), ends: bool) -> Self {
        Self {
            label: Label { thread, store: None },
            answers: machine.script.answers().into(),
            partly: false,
            touches: report.footprint.as_slice().into(),
            places: 0,
            creates: false,
            meddles: false,
            fenced: report.fenced,
            pushed: 0..0,
            dropped: report.dropped.as_slice().into(),
            group: 0,
            copy: 0,
            copies: report.loaded_piece_of,
            idle: false,
            ends,
            cuts_off: ends && machine.live_threads().next().is_some(),
            is_last: false,
            lost: false,
            in_section: report.in_section,
            place,
            turns: machine.turns().counts().into(),
        }
        .located()
    }

    /// How an event of the same thread that comes later is ordered after this one, if it is.
    pub fn precedes_own(&self, later: &Self) -> bool {
        match (self.label.store, later.label.store) {
            (None, None) => true,
            (None, Some(store)) => self.pushed.contains(&store),
            (Some(_), None) => later.fenced,
            (Some(_), Some(_)) => later.group > self.group || self.touches_same(later),
        }
    }

    /// What this event gives up that a later one waited for, if it does: the later one cannot come right before it.
    pub fn hands_over_to(&self, later: &Self) -> Option<EnablingRelease> {
        self.touches.iter().find_map(|a| later.touches.iter().find_map(|b| a.hands_over_to(b)))
    }

    /// The event with what the step would have touched with other answers.
    #[must_use]
    pub fn touching(self: Rc<Self>, more: &[FootprintEntry]) -> Rc<Self> {
        if more.is_empty() {
            return self;
        }
        let imagined = more.iter().map(|touch| FootprintEntry { imagined: true, ..*touch });
        let touches = self.touches.iter().copied().chain(imagined).collect();
        Rc::new(Self { touches, ..Self::clone(&self) }.located())
    }

    /// Whether it answered its questions as another one. Most ask none, and to compare no bytes at all takes hundreds of cycles on processors where a masked load
    /// from an address without memory does.
    pub fn answers_as(&self, other: &Self) -> bool {
        self.answers.len() == other.answers.len() && (self.answers.is_empty() || self.answers == other.answers)
    }

    fn touches_same(&self, other: &Self) -> bool {
        self.touches.iter().any(|a| other.touches.iter().any(|b| a.overlaps(b)))
    }

    /// Whether this event and another one conflict. `other` happens second; `updated(thread, store)` says whether the update of a store came before
    /// the write of the two, if one of the two is a load.
    ///
    /// A load conflicts with the writes of other threads that come after the update of the thread's own newest store to the bytes; those before are hidden
    /// by it, and it does not matter on which side of the load they are (Abdulla et al., section 2, "Chronological traces for TSO").
    pub fn conflicts(&self, other: &Self, updated: impl Fn(usize, u32) -> bool) -> bool {
        if self.label.thread == other.label.thread {
            return self.precedes_own(other);
        }
        if self.places & other.places == 0 {
            return self.begins(other);
        }
        let steps = self.label.store.is_none() && other.label.store.is_none();
        if self.begins(other) || steps && (self.in_section || other.in_section) {
            return true;
        }
        let visible = |load: &FootprintEntry, thread: usize| load.own.is_none_or(|store| updated(thread, store));
        let meet = |a: &FootprintEntry, b: &FootprintEntry| {
            a.conflicts(b) && (a.write || visible(a, self.label.thread)) && (b.write || visible(b, other.label.thread))
        };
        self.cuts_off || other.cuts_off || self.touches.iter().any(|a| other.touches.iter().any(|b| meet(a, b)))
    }

    /// Whether this event creates the thread of another one.
    pub fn begins(&self, other: &Self) -> bool {
        self.creates
            && other.label.store.is_none()
            && self.touches.iter().any(|touch| touch.is_creation(other.label.thread))
    }

    /// Whether the order of this event and a later one that conflicts with it is given by the program: both are of one thread, or the first creates the
    /// thread of the second.
    pub fn is_in_order(&self, other: &Self) -> bool {
        self.label.thread == other.label.thread || self.begins(other)
    }
}
