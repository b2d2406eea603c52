//! Memory as the store buffers see it ([`rmc_runtime::Memory`]), and a record of the stores that have reached
//! it, which race detection needs.
//!
//! Tests: `tests/tests/races_differential.rs`, and the programs in `tests/programs/races/`.

use rmc_runtime::{Access, Bytes, Memory, StoreTag};

use super::{ObjectMemory, Region};
use crate::ir::address::ObjectId;

/// A store that has reached memory.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The thread that made it.
    pub thread: usize,
    /// Its bytes.
    pub at: Access,
    /// Its name.
    pub tag: StoreTag,
    /// Its fate in memory.
    pub fate: Fate,
}

/// The kinds of fates of a store that has reached memory.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// Its value is written to memory.
    Written,
    /// It was overwritten in memory by the store of this thread and name, so its value is never written.
    /// `None` if the known order of stores leaves open by which store.
    Overwritten(Option<(usize, StoreTag)>),
}

impl ObjectMemory<'_> {
    /// Records the stores that reach memory from now on, for [`Self::take_arrivals`].
    pub fn keep_arrivals(&mut self) {
        self.arrivals = Some(Vec::new());
    }

    /// Takes the stores that have reached memory since the last call, oldest first.
    pub fn take_arrivals(&mut self) -> Vec<Arrival> {
        self.arrivals.as_mut().map(std::mem::take).unwrap_or_default()
    }

    fn region_of(&self, at: Access) -> Option<Region> {
        self.region(ObjectId(at.object))
    }
}

/// Accesses are not checked here: they were when the program made them.
impl Memory for ObjectMemory<'_> {
    fn read(&mut self, at: Access) -> Bytes {
        match self.region_of(at) {
            Some(region) => ObjectMemory::read(self, &region, at.offset, at.len),
            None => Bytes::uninitialised(at.len),
        }
    }

    fn write(&mut self, at: Access, value: Bytes) {
        // The pending stores to an object are evicted when it dies, so the region exists.
        if let Some(region) = self.region_of(at) {
            ObjectMemory::write(self, &region, at.offset, at.len, value);
        }
    }

    fn arrives(&mut self, thread: usize, at: Access, tag: StoreTag) {
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.push(Arrival { thread, at, tag, fate: Fate::Written });
        }
    }

    fn overwritten(&mut self, thread: usize, at: Access, tag: StoreTag, next: Option<(usize, StoreTag)>) {
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.push(Arrival { thread, at, tag, fate: Fate::Overwritten(next) });
        }
    }
}
