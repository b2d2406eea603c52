//! The objects of an unrolled program.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rmc_formula::TermId;

use super::super::memory::Initial;
use super::super::points::{Offsets, Points};
use super::super::word::{Formulas, Word};
use super::lifetimes::LIVES;
use super::{Path, Stop, Unroller};
use crate::hash::FxHashMap;
use crate::ir::Program;
use crate::ir::address::{self, MAX_INDEX, MAX_OBJECT, ObjectId};
use crate::ir::ids::GlobalId;

/// The object with the [`Flag`]s of all threads. The program cannot name it.
pub const FLAGS: ObjectId = ObjectId::new(127, 1);

/// What is known of each thread in memory of its own.
#[derive(Clone, Copy, Debug)]
pub enum Flag {
    /// 1 if the thread was created: a byte.
    Created = 0,
    /// 1 if the thread has ended: a byte.
    Ended = 1,
    /// Its result: 8 bytes.
    Result = 8,
    /// Where it waits: 8 bytes, see `library/conditions.rs`.
    Waits = 16,
}

impl Flag {
    /// The address of a thread's flag.
    #[must_use]
    pub fn of(self, thread: usize) -> Word {
        Word::number(FLAGS.address(u32::try_from(thread).expect("few threads") * Self::STRIDE + self as u32))
    }

    /// The distance between the flags of neighbouring threads, in bytes.
    pub const STRIDE: u32 = 24;
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its size in bytes.
    pub size: u32,
    /// The content that it begins with.
    pub initial: Rc<Initial>,
    /// True if it must not be written.
    pub is_constant: bool,
}

/// Places, each with the condition that an access is there.
pub type ConditionedPlaces = Vec<(TermId, (ObjectId, u32))>;

/// All objects that the unrolled threads may access.
#[derive(Debug, Default)]
pub struct Objects {
    objects: BTreeMap<ObjectId, Object>,
    /// The number of objects that each thread made.
    made: FxHashMap<usize, u32>,
    thread_locals: FxHashMap<(usize, GlobalId), ObjectId>,
    /// The objects that `malloc` and its like made.
    allocated: BTreeSet<ObjectId>,
    /// Where the pointers in shared memory may point to.
    published: Points,
}

impl Objects {
    /// An object, if there is one of that name.
    #[must_use]
    pub fn get(&self, object: ObjectId) -> Option<&Object> {
        self.objects.get(&object)
    }

    /// Records that an object was allocated.
    pub fn allocated(&mut self, object: ObjectId) {
        self.allocated.insert(object);
    }

    /// True if `malloc` or its like made the object.
    #[must_use]
    pub fn is_allocated(&self, object: ObjectId) -> bool {
        self.allocated.contains(&object)
    }

    /// The places at which an access of `len` bytes may be: objects and offsets, at most `most` and one. An
    /// access that may be anywhere is at a multiple of its length.
    pub fn places(&mut self, program: &Program, points: &Points, len: u32, most: usize) -> Vec<(ObjectId, u32)> {
        let mut places = Vec::new();
        if points.is_anywhere() {
            let globals = (0..program.globals.len()).map(ObjectId::global);
            let made = self.objects.keys().copied().filter(|object| ![LIVES, FLAGS].contains(object));
            let all: BTreeSet<ObjectId> = globals.chain(made).collect();
            let aligned = Offsets { first: 0, stride: len.into() };
            for object in all {
                let room = (most + 1).saturating_sub(places.len());
                let size = self.find(program, object).map_or(0, |object| object.size);
                places.extend(aligned.within(size, len).take(room).map(|offset| (object, offset)));
            }
            return places;
        }
        for (id, offsets) in points.objects() {
            let Some(size) = self.find(program, id).map(|object| object.size) else { continue };
            if id == LIVES && offsets.stride > 0 {
                places.extend(self.allocated.iter().map(|object| (LIVES, object.0)));
            } else {
                let room = (most + 1).saturating_sub(places.len());
                places.extend(offsets.within(size, len).take(room).map(|offset| (id, offset)));
            }
        }
        places
    }

    /// The places at which an access may be where a guard holds, each with the condition that it is there,
    /// and the condition that it is at one of them; nothing if the address does not have few values.
    pub fn few_places(
        &mut self,
        program: &Program,
        formulas: &mut Formulas,
        (guard, address, len): (TermId, Word, u32),
        writes: bool,
    ) -> Option<(ConditionedPlaces, TermId)> {
        let values = formulas.values_under(guard, address)?;
        let bits = formulas.bits(address);
        let code = formulas.code(bits, &values);
        let found: Vec<_> = values.iter().map(|value| self.place(program, value, len, writes)).collect();
        let mut places = Vec::new();
        for (row, place) in found.iter().enumerate() {
            if let Some(place) = place {
                let rows: Vec<bool> = (0..found.len()).map(|other| other == row).collect();
                places.push((formulas.condition(&code, &rows), *place));
            }
        }
        let is_place: Vec<bool> = found.iter().map(Option::is_some).collect();
        Some((places, formulas.condition(&code, &is_place)))
    }

    /// The place at an address, if an access of `len` bytes may be there.
    pub fn place(&mut self, program: &Program, address: u64, len: u32, writes: bool) -> Option<(ObjectId, u32)> {
        let (id, offset) = address::split(address)?;
        let object = self.find(program, id)?;
        let fits = u64::from(offset) + u64::from(len) <= object.size.into();
        let is_allowed = fits && !(writes && object.is_constant);
        (is_allowed && (id != LIVES || self.allocated.contains(&ObjectId(offset)))).then_some((id, offset))
    }

    /// Adds places to which a pointer in shared memory may point.
    pub fn publish(&mut self, points: &Points) {
        self.published.extend(points);
    }

    /// An object of the program, if there is one of that name.
    pub fn find(&mut self, program: &Program, id: ObjectId) -> Option<&Object> {
        if let Entry::Vacant(entry) = self.objects.entry(id) {
            let global = &program.globals[program.global_at(id)?.index()];
            if !global.defined || global.thread_local {
                return None;
            }
            let initial = Rc::new(Initial::Pages(global.pages.clone()));
            entry.insert(Object { size: global.size, initial, is_constant: global.constant });
        }
        self.objects.get(&id)
    }

    /// Where the pointers may point to that were stored in shared memory.
    #[must_use]
    pub const fn published(&self) -> &Points {
        &self.published
    }
}

impl Unroller<'_> {
    /// Makes an object of the thread.
    pub(super) fn make(&mut self, path: &mut Path, size: u64, initial: Initial) -> Result<ObjectId, Stop> {
        let made = self.objects.made.entry(self.thread).or_insert(0);
        *made += 1;
        let (index, owner) = (*made, u32::try_from(self.thread).expect("few threads") + 1);
        if index > MAX_INDEX {
            return self.refuse("so many objects of one thread");
        }
        let Some(size) = u32::try_from(size).ok().filter(|&size| u64::from(size) <= MAX_OBJECT) else {
            return self.refuse(format!("an object of {size} bytes"));
        };
        let (id, initial) = (ObjectId::new(owner, index), Rc::new(initial));
        path.memory.add(id, Rc::clone(&initial));
        self.objects.objects.insert(id, Object { size, initial, is_constant: false });
        Ok(id)
    }

    /// Makes the object of all threads' flags, when all threads are known.
    pub(super) fn make_flags(&mut self) {
        let size = Flag::STRIDE * u32::try_from(self.threads.len()).expect("few threads");
        self.make_internal(FLAGS, size);
    }

    /// Makes an object of zeros that the program cannot name.
    pub(super) fn make_internal(&mut self, id: ObjectId, size: u32) {
        let object = Object { size, initial: Rc::new(Initial::Zero), is_constant: false };
        self.objects.objects.insert(id, object);
    }

    /// The thread's own copy of a thread-local variable.
    pub(super) fn own_thread_local(&mut self, path: &mut Path, global: GlobalId) -> Result<ObjectId, Stop> {
        if let Some(&own) = self.objects.thread_locals.get(&(self.thread, global)) {
            return Ok(own);
        }
        let variable = &self.program.globals[global.index()];
        let own = self.make(path, variable.size.into(), Initial::Pages(variable.pages.clone()))?;
        // Paths on which it is not used have it, too.
        let initial = self.objects.objects[&own].initial.clone();
        path.memory.add_from(&self.beginning.memory, own, initial);
        self.objects.thread_locals.insert((self.thread, global), own);
        Ok(own)
    }
}
