//! The other places that matter to a violation: where memory came from and where it ended, who acted on a
//! lock before.
//!
//! Nothing of this is in a state. It is noted while a schedule is run again for a report
//! ([`Recorder`](crate::system::observe::Recorder)), and so costs an exploration nothing. Objects are known
//! by name; a name that was taken again tells of the newer object, as everywhere in the checker. Calls of
//! library functions are kept with their arguments: an operation on a lock or another synchronisation object
//! is a call that wrote to memory and had its address as an argument, whichever family it belongs to.

use rmc_runtime::StoreTag;

use crate::hash::FxHashMap;
use crate::ir::address::{self, ObjectId};
use crate::ir::ids::{FuncId, Pc};
use crate::ir::instr::Instr;
use crate::ir::program::Location;
use crate::outcome::event::RelatedPlace;
use crate::outcome::{Fault, ViolationKind};
use crate::system::analyses::races::records::{Kind, Range, Record};
use crate::system::machine::Machine;
use crate::system::state::object_table::ObjectKind;
use crate::system::state::threads;

/// What a recorder remembers of the steps so far, beside their events.
#[derive(Debug, Default)]
pub(in crate::system) struct History {
    /// The last object of each name.
    lives: FxHashMap<ObjectId, Life>,
    /// Calls of library functions that came to their end, oldest first.
    calls: Vec<Call>,
    /// By thread: where it last read something uninitialised, and the object.
    unwritten: FxHashMap<usize, (ObjectId, RelatedPlace)>,
    /// Accesses to memory that others may know, oldest first, with `--races`.
    accesses: Vec<Access>,
    /// The other access of a data race, and the object.
    race: Option<(ObjectId, RelatedPlace)>,
    /// The delayed store for which memory ended too early.
    late: Option<StoreTag>,
    /// Whether the library call under way wrote to memory, or acted on its object otherwise.
    pub(in crate::system) wrote: bool,
}

#[derive(Debug)]
struct Access {
    at: Range,
    kind: Kind,
    /// The thread, until it is gone.
    owner: Option<usize>,
    place: RelatedPlace,
}

#[derive(Debug)]
struct Life {
    kind: ObjectKind,
    born: RelatedPlace,
    died: Option<RelatedPlace>,
}

#[derive(Debug)]
struct Call {
    name: &'static str,
    args: Vec<u64>,
    wrote: bool,
    place: RelatedPlace,
}

impl Machine<'_> {
    fn history(&mut self) -> Option<&mut History> {
        self.observers.recorder.as_mut().map(|recorder| &mut recorder.history)
    }

    /// Where the running thread is: its innermost frame whose line is known.
    fn place(&self, what: impl Into<String>) -> RelatedPlace {
        let here = self.running.stack.frames().iter().rev().map(|frame| (frame.function, frame.pc));
        let below = threads::frames_below(&self.memory.components, self.running.rest);
        self.place_in(here.chain(below), self.running.thread, what)
    }

    /// The line of the variable that the running function makes, or else that of the function.
    fn declaration(&self, what: String) -> RelatedPlace {
        let frame = self.running.stack.top();
        let function = self.program.function(frame.function);
        let known = Some(self.program.location(frame.function, frame.pc)).filter(|location| location.line > 0);
        let location = known.unwrap_or(self.program.locations[function.location.index()]);
        self.located(location, self.running.thread, what, function.shown_name())
    }

    /// What the running thread does where no line of the program is under way.
    fn library_function(&self) -> Option<String> {
        let here = self.running.stack.frames().iter().map(|frame| frame.function);
        let below = threads::frames_below(&self.memory.components, self.running.rest).map(|(function, _)| function);
        let is_end = here.chain(below).any(|function| Some(function) == self.program.thread_end);
        is_end.then(|| "the destructors of thread-specific data".to_owned())
    }

    fn place_in(
        &self,
        mut frames: impl Iterator<Item = (FuncId, Pc)>,
        thread: usize,
        what: impl Into<String>,
    ) -> RelatedPlace {
        let known = frames.find(|&(function, pc)| self.program.location(function, pc).line > 0);
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

    /// The running thread made an object.
    pub(in crate::system) fn note_birth(&mut self, id: ObjectId, kind: ObjectKind, size: u32) {
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
        self.history().expect("a recorder").lives.insert(id, Life { kind, born, died: None });
    }

    /// Where an object was made and where it ended, as far as that is known.
    pub(in crate::system) fn life_in_words(&self, id: ObjectId) -> Option<String> {
        let life = self.observers.recorder.as_ref().and_then(|recorder| recorder.history.lives.get(&id))?;
        let places = std::iter::once(&life.born).chain(&life.died);
        Some(places.map(RelatedPlace::clause).collect::<Vec<_>>().join(", "))
    }

    /// The running thread ended an object's life.
    pub(in crate::system) fn note_death(&mut self, id: ObjectId) {
        let Some(life) = self.history().and_then(|history| history.lives.get(&id)) else { return };
        let what = match life.kind {
            ObjectKind::Heap => "freed",
            ObjectKind::Stack => "its function or block ended",
            ObjectKind::ThreadLocal => "its thread ended",
        };
        let died = self.place(what);
        self.history().and_then(|history| history.lives.get_mut(&id)).expect("it was there").died = Some(died);
    }

    /// A local variable is back in scope.
    pub(in crate::system) fn note_revival(&mut self, id: ObjectId) {
        if let Some(life) = self.history().and_then(|history| history.lives.get_mut(&id)) {
            life.died = None;
        }
    }

    /// The running thread read something uninitialised.
    pub(in crate::system) fn note_unwritten(&mut self, id: ObjectId) {
        if self.observers.recorder.is_some() {
            let (thread, place) = (self.running.thread, self.place("read, and not written before"));
            self.history().expect("a recorder").unwritten.insert(thread, (id, place));
        }
    }

    /// Memory ends while this store of another thread to it is delayed.
    pub(in crate::system) fn note_late_store(&mut self, tag: StoreTag) {
        if let Some(history) = self.history() {
            history.late = Some(tag);
        }
    }

    /// The running thread accesses memory that may race.
    pub(in crate::system) fn note_access(&mut self, at: Range, kind: Kind) {
        if self.observers.recorder.is_some() {
            let place = self.place(format!("the other access, {kind}"));
            let access = Access { at, kind, owner: Some(self.running.thread), place };
            self.history().expect("a recorder").accesses.push(access);
        }
    }

    /// The number of a thread is free.
    pub(in crate::system) fn note_thread_gone(&mut self, thread: usize) {
        let accesses = self.history().into_iter().flat_map(|history| &mut history.accesses);
        accesses.filter(|access| access.owner == Some(thread)).for_each(|access| access.owner = None);
    }

    /// The access under way races with this one.
    pub(in crate::system) fn note_race(&mut self, other: &Record) {
        let Some(history) = self.history() else { return };
        let wanted = (other.at, other.kind, other.owner);
        let found = history.accesses.iter().rev().find(|access| (access.at, access.kind, access.owner) == wanted);
        history.race = found.map(|access| (ObjectId(access.at.object), access.place.clone()));
    }

    /// A library call begins.
    pub(in crate::system) fn note_call_begins(&mut self) {
        if let Some(history) = self.history() {
            history.wrote = false;
        }
    }

    /// The library call under way acts on its object, though it writes nothing.
    pub(in crate::system) fn note_act(&mut self) {
        if let Some(history) = self.history() {
            history.wrote = true;
        }
    }

    /// A library call came to its end. `args` are its argument words.
    pub(in crate::system) fn note_call(&mut self, name: &'static str, args: Vec<u64>) {
        if self.observers.recorder.is_some() {
            let place = self.place(format!("`{name}`"));
            let history = self.history().expect("a recorder");
            let wrote = history.wrote;
            history.calls.push(Call { name, args, wrote, place });
        }
    }

    /// The other places that matter to the fault of the thread that has just made its step, nearest first.
    /// Empty without a recorder.
    #[must_use]
    pub fn related(&self, fault: &Fault) -> Vec<RelatedPlace> {
        distinct(self.all_related(fault))
    }

    fn all_related(&self, fault: &Fault) -> Vec<RelatedPlace> {
        let Some(history) = self.observers.recorder.as_ref().map(|recorder| &recorder.history) else {
            return Vec::new();
        };
        if let Some((id, _)) = fault.subject.and_then(address::split) {
            return self.life_of(history, id);
        }
        let args = self.call_under_way();
        match fault.kind {
            ViolationKind::UninitialisedBranch
            | ViolationKind::UninitialisedDereference
            | ViolationKind::UninitialisedArgument => self.unwritten(history),
            ViolationKind::JoinTwice => {
                let ends = |call: &&Call| call.name.contains("join") || call.name.contains("detach");
                let same = history.calls.iter().rev().filter(ends).find(|call| call.args.first() == args.first());
                same.map(|call| call.place.clone()).into_iter().collect()
            }
            ViolationKind::DataRace => {
                let other = history.race.iter().map(|(_, place)| place.clone());
                let object = history.race.iter().flat_map(|(id, _)| self.life_of(history, *id));
                other.chain(object).collect()
            }
            ViolationKind::Assertion | ViolationKind::Abort | ViolationKind::ReachError => Vec::new(),
            _ => self.misuse(history, &args),
        }
    }

    /// The end of an object, a store that comes too late for it, and where it came from.
    fn life_of(&self, history: &History, id: ObjectId) -> Vec<RelatedPlace> {
        let late = history.late.filter(|tag| tag.0 > 0).map(|tag| {
            let stored = &self.observers.recorder.as_ref().expect("a recorder").stores[tag.0 as usize - 1].event;
            RelatedPlace {
                what: "stored, and still in a store buffer".to_owned(),
                file: stored.file.as_str().to_owned(),
                line: stored.line,
                thread: stored.thread,
                function: stored.function.as_str().to_owned(),
            }
        });
        let life = history.lives.get(&id);
        let died = life.and_then(|life| life.died.clone());
        late.into_iter().chain(died).chain(life.map(|life| life.born.clone())).collect()
    }

    /// Where the thread read what was never written, unless that is where it went wrong, and where that
    /// memory came from.
    fn unwritten(&self, history: &History) -> Vec<RelatedPlace> {
        let Some((id, read)) = history.unwritten.get(&self.running.thread) else { return Vec::new() };
        let here = self.place("");
        let elsewhere = (here.line != read.line || here.file != read.file).then(|| read.clone());
        elsewhere.into_iter().chain(self.life_of(history, *id)).collect()
    }

    /// What was done before to the objects that the failing call is about: the last operation on each, its
    /// initialisation, or else the memory it is in.
    fn misuse(&self, history: &History, args: &[u64]) -> Vec<RelatedPlace> {
        let mut places = Vec::new();
        for &object in args {
            let Some((id, _)) = address::split(object) else { continue };
            let last = operations(history, object).next();
            let initialised = operations(history, object).find(|call| call.name.ends_with("_init"));
            let known = last.into_iter().chain(initialised).map(|call| call.place.clone());
            places.extend(known);
            if last.is_none() {
                places.extend(self.life_of(history, id));
            }
        }
        places
    }

    /// The arguments of the library call that the running thread stands at; none if it stands elsewhere.
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

    /// Where each live thread waits, and what was last done to what it waits for.
    #[must_use]
    pub fn waits(&mut self) -> Vec<RelatedPlace> {
        let threads: Vec<_> = self.live_threads().collect();
        let mut places = Vec::new();
        for thread in threads {
            let (what, frames) = self.wait_of(thread);
            places.push(self.place_in(frames.into_iter(), thread, format!("waits in {what}")));
            let args = self.call_under_way();
            places.extend(self.taken(thread, &args));
        }
        distinct(places)
    }

    /// The last operation on the object that a thread waits for, and on the other objects of its call where
    /// another thread acted on them.
    fn taken(&self, thread: usize, args: &[u64]) -> Vec<RelatedPlace> {
        let Some(history) = self.observers.recorder.as_ref().map(|recorder| &recorder.history) else {
            return Vec::new();
        };
        let objects = args.iter().enumerate().filter(|(_, object)| address::split(**object).is_some());
        let last = objects.filter_map(|(at, &object)| {
            let call = operations(history, object).next();
            call.filter(|call| at == 0 || call.place.thread != thread)
        });
        let place = |call: &Call| {
            let what = format!("`{}`, the last operation on what thread {thread} waits for", call.name);
            RelatedPlace { what, ..call.place.clone() }
        };
        last.map(place).collect()
    }
}

/// The places without those that were named before.
fn distinct(places: Vec<RelatedPlace>) -> Vec<RelatedPlace> {
    let mut kept: Vec<RelatedPlace> = Vec::new();
    for place in places {
        if !kept.contains(&place) {
            kept.push(place);
        }
    }
    kept
}

/// The calls that wrote to memory and were given this address, newest first; if there is none, those that did
/// not write.
fn operations(history: &History, object: u64) -> impl Iterator<Item = &Call> {
    let about = move |call: &&Call| call.args.contains(&object);
    let any_wrote = history.calls.iter().filter(about).any(|call| call.wrote);
    history.calls.iter().rev().filter(about).filter(move |call| call.wrote == any_wrote)
}
