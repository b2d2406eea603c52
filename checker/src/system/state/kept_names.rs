//! Names of freed memory that threads keep for themselves.
//!
//! The name of an object belongs to the thread that made it, and comes back to that thread when the object is
//! freed. A thread that frees an object of another one may keep the name instead: its next object of the same
//! size has it. It keeps one name at most; one that it kept before goes back then.

use crate::ir::address::ObjectId;

/// A name that a thread keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptName {
    /// The thread.
    pub thread: usize,
    /// The name. No object has it.
    pub id: ObjectId,
    /// The size of the object that had it, in bytes.
    pub size: u32,
}

/// The names that threads keep, ascending by thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptNames(Vec<KeptName>);

/// The position of the number of the thread, plus one, in the second word of a name.
const THREAD: u32 = 2;

impl KeptNames {
    /// The name that a thread keeps.
    #[must_use]
    pub fn of(&self, thread: usize) -> Option<ObjectId> {
        self.0.iter().find(|kept| kept.thread == thread).map(|kept| kept.id)
    }

    /// True if some thread keeps this name.
    #[must_use]
    pub fn has(&self, id: ObjectId) -> bool {
        self.0.iter().any(|kept| kept.id == id)
    }

    /// The name that a thread keeps for an object of a size.
    #[must_use]
    pub fn name_for(&self, thread: usize, size: u32) -> Option<ObjectId> {
        self.0.iter().find(|kept| kept.thread == thread && kept.size == size).map(|kept| kept.id)
    }

    /// Adds a name. Returns the one that its thread kept before.
    pub fn keep(&mut self, kept: KeptName) -> Option<ObjectId> {
        let before = self.remove_of(kept.thread);
        let at = self.0.partition_point(|other| other.thread < kept.thread);
        self.0.insert(at, kept);
        before
    }

    /// Removes the name that a thread keeps, and returns it.
    pub fn remove_of(&mut self, thread: usize) -> Option<ObjectId> {
        let at = self.0.iter().position(|kept| kept.thread == thread)?;
        Some(self.0.remove(at).id)
    }

    /// Removes the names for which `stays` is false.
    pub fn retain(&mut self, stays: impl Fn(ObjectId) -> bool) {
        self.0.retain(|kept| stays(kept.id));
    }

    /// Removes all names.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The names.
    pub fn iter(&self) -> impl Iterator<Item = KeptName> + '_ {
        self.0.iter().copied()
    }

    /// Gives threads and names other numbers.
    pub fn rename(&mut self, to: impl Fn(KeptName) -> KeptName) {
        self.0.iter_mut().for_each(|kept| *kept = to(*kept));
        self.0.sort_unstable_by_key(|kept| kept.thread);
    }
}

impl KeptName {
    /// Two words, of which the second is not 0 above its two lowest bits, which are 0.
    #[must_use]
    pub fn encoded(self) -> [u64; 2] {
        [u64::from(self.id.0) << 32 | u64::from(self.size), (self.thread as u64 + 1) << THREAD]
    }

    /// The inverse of [`Self::encoded`], whatever the two lowest bits of the second word are. `None`: the
    /// words are no such name.
    #[must_use]
    pub fn decoded(words: [u64; 2]) -> Option<Self> {
        let thread = (words[1] >> THREAD).checked_sub(1)? as usize;
        Some(Self { thread, id: ObjectId((words[0] >> 32) as u32), size: words[0] as u32 })
    }
}
