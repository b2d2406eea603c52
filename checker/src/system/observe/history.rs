//! Related places of a violation: where memory was allocated and where it ended, and who acted on a lock
//! before.
//!
//! None of this is in a state. It is recorded while a schedule is run again for a report (`recorder.rs`), so
//! it costs an exploration nothing. Objects are identified by name; if a name was reused, it stands for the
//! newer object, as everywhere in the checker. Calls of library functions are kept with their arguments: an
//! operation on a lock or another synchronisation object is a call that wrote to memory and had the object's
//! address as an argument, whichever family it belongs to.

use rmc_runtime::StoreTag;

use super::races::records::{Kind, Range, Record};
use crate::hash::FxHashMap;
use crate::ir::address::{self, ObjectId};
use crate::ir::ids::{FuncId, Pc};
use crate::ir::instr::Instr;
use crate::ir::program::Location;
use crate::outcome::event::RelatedPlace;
use crate::outcome::{Fault, ViolationKind};
use crate::system::library::LibraryFunction;
use crate::system::machine::Machine;
use crate::system::state::object_table::ObjectKind;
use crate::system::state::threads;

/// The memory of a recorder beside the events of the steps so far.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The newest object of each name.
    lifetimes: FxHashMap<ObjectId, Lifetime>,
    /// The finished calls of library functions, oldest first.
    calls: Vec<Call>,
    /// For each thread, the place where it last read something uninitialised, and the object.
    unwritten: FxHashMap<usize, (ObjectId, RelatedPlace)>,
    /// The accesses to memory that others may know, oldest first, with `--races`.
    accesses: Vec<Access>,
    /// The other access of a data race, and the object.
    race: Option<(ObjectId, RelatedPlace)>,
    /// The delayed store whose memory ended before the store reached it.
    late_store: Option<StoreTag>,
    /// True if the library call under way wrote to memory, or acted on its object otherwise.
    pub(super) wrote: bool,
}

#[derive(Debug)]
struct Access {
    at: Range,
    kind: Kind,
    /// The thread of the access, until its number is free.
    owner: Option<usize>,
    place: RelatedPlace,
}

#[derive(Debug)]
struct Lifetime {
    kind: ObjectKind,
    born: RelatedPlace,
    died: Option<RelatedPlace>,
}

#[derive(Debug)]
struct Call {
    function: &'static LibraryFunction,
    args: Vec<u64>,
    wrote: bool,
    place: RelatedPlace,
}

impl Machine<'_> {
    fn history(&mut self) -> Option<&mut History> {
        self.observers.recorder.as_mut().map(|recorder| &mut recorder.history)
    }

    /// The position of the running thread: its innermost frame whose line is known.
    fn place(&self, what: impl Into<String>) -> RelatedPlace {
        let here = self.running.stack.frames().iter().rev().map(|frame| (frame.function, frame.pc));
        let below = threads::frames_below(&self.memory.components, self.running.rest);
        self.place_in(here.chain(below), self.running.thread, what)
    }

    /// The line of the variable that the running function creates, or else the line of the function.
    fn declaration(&self, what: String) -> RelatedPlace {
        let frame = self.running.stack.top();
        let function = self.program.function(frame.function);
        let known = Some(self.program.location(frame.function, frame.pc)).filter(|location| location.line > 0);
        let location = known.unwrap_or(self.program.locations[function.location.index()]);
        self.located(location, self.running.thread, what, function.shown_name())
    }

    /// A description of what the running thread does where it is at no line of the program.
    fn library_function(&self) -> Option<String> {
        let here = self.running.stack.frames().iter().map(|frame| frame.function);
        let below = threads::frames_below(&self.memory.components, self.running.rest).map(|(function, _)| function);
        let is_end = here.chain(below).any(|function| Some(function) == self.program.thread_end);
        is_end.then(|| "the destructors of thread-specific data".to_owned())
    }

    fn place_in(
        &self,
        frames: impl Iterator<Item = (FuncId, Pc)>,
        thread: usize,
        what: impl Into<String>,
    ) -> RelatedPlace {
        let known = self.program.shown_frame(frames);
        let location = known.map(|(function, pc)| self.program.location(function, pc)).unwrap_or_default();
        let function = known.map(|(function, _)| self.program.function(function).shown_name());
        let function = function.or_else(|| self.library_function()).unwrap_or_default();
        self.located(location, thread, what, function)
    }

    fn located(&self, location: Location, thread: usize, what: impl Into<String>, function: String) -> RelatedPlace {
        let file = if location.line > 0 { self.program.file(location) } else { "" };
        let (what, file) = (what.into(), file.to_owned());
        RelatedPlace { what, file, line: location.line, thread, function }
    }

    /// Records that the running thread made an object.
    pub(super) fn note_birth(&mut self, id: ObjectId, kind: ObjectKind, size: u32) {
        if self.observers.recorder.is_none() {
            return;
        }
        if kind == ObjectKind::ThreadLocal {
            self.observe_thread_local(id);
        }
        let what = match kind {
            ObjectKind::Heap => format!("allocated ({size} bytes)"),
            ObjectKind::Stack => format!("declared ({size} bytes)"),
            ObjectKind::ThreadLocal => "the thread began, with its own copy".to_owned(),
        };
        let born = if kind == ObjectKind::Stack { self.declaration(what) } else { self.place(what) };
        self.history().expect("a recorder").lifetimes.insert(id, Lifetime { kind, born, died: None });
    }

    /// A description of where an object was made and where it ended, as far as that is known.
    pub(super) fn describe_lifetime(&self, id: ObjectId) -> Option<String> {
        let lifetime = self.observers.recorder.as_ref().and_then(|recorder| recorder.history.lifetimes.get(&id))?;
        let places = std::iter::once(&lifetime.born).chain(&lifetime.died);
        Some(places.map(RelatedPlace::clause).collect::<Vec<_>>().join(", "))
    }

    /// Records that the running thread ended an object's life.
    pub(super) fn note_death(&mut self, id: ObjectId) {
        let Some(lifetime) = self.history().and_then(|history| history.lifetimes.get(&id)) else { return };
        let what = match lifetime.kind {
            ObjectKind::Heap => "freed",
            ObjectKind::Stack => "its function or block ended",
            ObjectKind::ThreadLocal => "its thread ended",
        };
        let died = self.place(what);
        self.history().and_then(|history| history.lifetimes.get_mut(&id)).expect("it was there").died = Some(died);
    }

    /// Records that a local variable is back in scope.
    pub(super) fn note_revival(&mut self, id: ObjectId) {
        if let Some(lifetime) = self.history().and_then(|history| history.lifetimes.get_mut(&id)) {
            lifetime.died = None;
        }
    }

    /// Records that the running thread read something uninitialised.
    pub(super) fn note_unwritten(&mut self, id: ObjectId) {
        if self.observers.recorder.is_some() {
            let (thread, place) = (self.running.thread, self.place("read, and not written before"));
            self.history().expect("a recorder").unwritten.insert(thread, (id, place));
        }
    }

    /// Records that memory ends while this store of another thread to it is delayed.
    pub(super) fn note_late_store(&mut self, tag: StoreTag) {
        if let Some(history) = self.history() {
            history.late_store = Some(tag);
        }
    }

    /// Records an access of the running thread to memory that may race.
    pub(super) fn note_access(&mut self, at: Range, kind: Kind) {
        if self.observers.recorder.is_some() {
            let place = self.place(format!("the other access, {kind}"));
            let access = Access { at, kind, owner: Some(self.running.thread), place };
            self.history().expect("a recorder").accesses.push(access);
        }
    }

    /// Records that the number of a thread is free.
    pub(super) fn note_thread_gone(&mut self, thread: usize) {
        let accesses = self.history().into_iter().flat_map(|history| &mut history.accesses);
        accesses.filter(|access| access.owner == Some(thread)).for_each(|access| access.owner = None);
    }

    /// Records that the access under way races with this one.
    pub(super) fn note_race(&mut self, other: &Record) {
        let Some(history) = self.history() else { return };
        let wanted = (other.at, other.kind, other.owner);
        let found = history.accesses.iter().rev().find(|access| (access.at, access.kind, access.owner) == wanted);
        history.race = found.map(|access| (ObjectId(access.at.object), access.place.clone()));
    }

    /// Records that a library call begins.
    pub(super) fn note_call_begins(&mut self) {
        if let Some(history) = self.history() {
            history.wrote = false;
        }
    }

    /// Records that the library call under way acts on its object, though it writes nothing.
    pub(super) fn note_act(&mut self) {
        if let Some(history) = self.history() {
            history.wrote = true;
        }
    }

    /// Records that a library call ended. `args` are its argument words.
    pub(super) fn note_call(&mut self, function: &'static LibraryFunction, args: Vec<u64>) {
        if self.observers.recorder.is_some() {
            let place = self.place(format!("`{}`", function.public_name()));
            let history = self.history().expect("a recorder");
            let wrote = history.wrote;
            history.calls.push(Call { function, args, wrote, place });
        }
    }

    /// The related places of the fault of the thread that has just made its step, nearest first. Empty
    /// without a recorder.
    #[must_use]
    pub fn related(&self, fault: &Fault) -> Vec<RelatedPlace> {
        distinct(self.all_related(fault))
    }

    fn all_related(&self, fault: &Fault) -> Vec<RelatedPlace> {
        let Some(history) = self.observers.recorder.as_ref().map(|recorder| &recorder.history) else {
            return Vec::new();
        };
        if let Some((id, _)) = fault.subject.and_then(address::split) {
            return self.lifetime_places(history, id);
        }
        let args = self.call_under_way();
        match fault.kind {
            ViolationKind::UninitialisedBranch
            | ViolationKind::UninitialisedDereference
            | ViolationKind::UninitialisedArgument => self.unwritten(history),
            ViolationKind::JoinTwice => {
                let ends = |call: &&Call| call.function.on_threads.frees_number();
                let same = history.calls.iter().rev().filter(ends).find(|call| call.args.first() == args.first());
                same.map(|call| call.place.clone()).into_iter().collect()
            }
            ViolationKind::DataRace => {
                let other = history.race.iter().map(|(_, place)| place.clone());
                let object = history.race.iter().flat_map(|(id, _)| self.lifetime_places(history, *id));
                other.chain(object).collect()
            }
            ViolationKind::Assertion
            | ViolationKind::Abort
            | ViolationKind::UncaughtException
            | ViolationKind::Panic
            | ViolationKind::ReachError => Vec::new(),
            _ => self.misuse(history, &args),
        }
    }

    /// The places of the end of an object, of a delayed store that comes too late for it, and of its
    /// creation.
    fn lifetime_places(&self, history: &History, id: ObjectId) -> Vec<RelatedPlace> {
        let late_store = history.late_store.filter(|tag| tag.0 > 0).map(|tag| {
            let stored = &self.observers.recorder.as_ref().expect("a recorder").stores[tag.0 as usize - 1].event;
            RelatedPlace {
                what: "stored, and still in a store buffer".to_owned(),
                file: stored.file.as_str().to_owned(),
                line: stored.line,
                thread: stored.thread,
                function: stored.function.as_str().to_owned(),
            }
        });
        let lifetime = history.lifetimes.get(&id);
        let died = lifetime.and_then(|lifetime| lifetime.died.clone());
        late_store.into_iter().chain(died).chain(lifetime.map(|lifetime| lifetime.born.clone())).collect()
    }

    /// The place where the thread read uninitialised memory, unless the fault is there, and the places of
    /// that memory's life.
    fn unwritten(&self, history: &History) -> Vec<RelatedPlace> {
        let Some((id, read)) = history.unwritten.get(&self.running.thread) else { return Vec::new() };
        let here = self.place("");
        let elsewhere = (here.line != read.line || here.file != read.file).then(|| read.clone());
        elsewhere.into_iter().chain(self.lifetime_places(history, *id)).collect()
    }

    /// The places of earlier operations on the objects that the failing call is about: the last operation on
    /// each, its initialisation, or else the life of the memory it is in.
    fn misuse(&self, history: &History, args: &[u64]) -> Vec<RelatedPlace> {
        let mut places = Vec::new();
        for &object in args {
            let Some((id, _)) = address::split(object) else { continue };
            let last = operations(history, object).next();
            let initialised = operations(history, object).find(|call| call.function.name.ends_with("_init"));
            let known = last.into_iter().chain(initialised).map(|call| call.place.clone());
            places.extend(known);
            if last.is_none() {
                places.extend(self.lifetime_places(history, id));
            }
        }
        places
    }

    /// The arguments of the library call that the running thread is at; empty if it is elsewhere.
    fn call_under_way(&self) -> Vec<u64> {
        let frame = self.running.stack.top();
        let function = self.program.function(frame.function);
        match function.code[frame.pc.index()] {
            Instr::Library { site } => {
                let args = &function.library[site.index()].args;
                args.iter().map(|&arg| self.running.stack.get(self.program, arg).bits).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The place where each live thread waits, and the last operation on the object that it waits for.
    #[must_use]
    pub fn blocked_places(&mut self) -> Vec<RelatedPlace> {
        let threads: Vec<_> = self.live_threads().collect();
        let mut places = Vec::new();
        for thread in threads {
            let (what, frames) = self.wait_of(thread);
            places.push(self.place_in(frames.into_iter(), thread, format!("waits in {what}")));
            let args = self.call_under_way();
            places.extend(self.last_operations(thread, &args));
        }
        distinct(places)
    }

    /// The last operation on the object that a thread waits for, and the last operations on the other objects
    /// of its call if another thread made them.
    fn last_operations(&self, thread: usize, args: &[u64]) -> Vec<RelatedPlace> {
        let Some(history) = self.observers.recorder.as_ref().map(|recorder| &recorder.history) else {
            return Vec::new();
        };
        let objects = args.iter().enumerate().filter(|(_, object)| address::split(**object).is_some());
        let last = objects.filter_map(|(at, &object)| {
            let call = operations(history, object).next();
            call.filter(|call| at == 0 || call.place.thread != thread)
        });
        let place = |call: &Call| {
            let what =
                format!("`{}`, the last operation on what thread {thread} waits for", call.function.public_name());
            RelatedPlace { what, ..call.place.clone() }
        };
        last.map(place).collect()
    }
}

/// The places without repetitions.
fn distinct(places: Vec<RelatedPlace>) -> Vec<RelatedPlace> {
    let mut kept: Vec<RelatedPlace> = Vec::new();
    for place in places {
        if !kept.contains(&place) {
            kept.push(place);
        }
    }
    kept
}

/// The calls that wrote to memory and were given this address, newest first; if there is none, the calls that
/// were given it and did not write.
fn operations(history: &History, object: u64) -> impl Iterator<Item = &Call> {
    let about = move |call: &&Call| call.args.contains(&object);
    let any_wrote = history.calls.iter().filter(about).any(|call| call.wrote);
    history.calls.iter().rev().filter(about).filter(move |call| call.wrote == any_wrote)
}
