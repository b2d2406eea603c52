//! Eight bytes of memory as the monitor sees them: the versions that stores gave their bytes, and the loads
//! of the newest version.

use smallvec::SmallVec;

use super::clock::{Clock, Stamp, Timestamp};
use super::kept::Kept;
use super::reader::Reader;
use super::{AccessKind, MonitorAccess, Relation};

/// A set of bytes of a word, one bit each.
pub(super) type Mask = u8;

/// The number of loads of a word from which on those of the same bytes are merged.
const MERGED_READERS: usize = 16;

/// A store to some bytes of the word.
#[derive(Clone, Debug)]
pub(super) struct Version {
    /// Its bytes, but for those of newer stores if a store between was forgotten.
    pub mask: Mask,
    pub access: MonitorAccess,
    /// Its number among the stores of its thread, from 1.
    pub number: u64,
    /// The stores of other threads that happen-before it. So do all earlier ones of its thread.
    pub hb: Clock,
    /// The stores of other threads that reach memory before it in every execution with this trace. So do all
    /// earlier ones of its thread.
    pub rhb: Clock,
}

impl Version {
    /// The stores that happen-before it, and it.
    fn hb(&self) -> Stamp<'_> {
        Stamp { clock: &self.hb, thread: self.access.thread as usize, own: self.number }
    }

    /// The stores that reach memory before it in every execution with this trace, and it.
    fn rhb(&self) -> Stamp<'_> {
        Stamp { clock: &self.rhb, thread: self.access.thread as usize, own: self.number }
    }
}

/// The word.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    /// The stores to the word, oldest first.
    versions: SmallVec<[Version; 1]>,
    readers: SmallVec<[Reader; 1]>,
    /// The threads that keep a reader of these bytes.
    keepers: SmallVec<[Keeper; 1]>,
}

/// A thread that keeps a reader of some bytes. The slot is here, too, since who looks for it should not touch
/// what the thread uses.
#[derive(Clone, Debug)]
struct Keeper {
    slot: u32,
    mask: Mask,
    kept: &'static Kept,
}

/// An earlier access with which another one conflicts.
pub(super) struct Earlier<'w> {
    pub access: MonitorAccess,
    /// The kind of the conflict.
    pub relation: Relation,
    /// For a store, its number among those of its thread. Who knows it, knows all that it comes after.
    pub number: Option<u64>,
    /// True if a thread may read the store from its own buffer.
    pub is_buffered: bool,
    pub hb: Stamp<'w>,
    pub rhb: Stamp<'w>,
}

impl Word {
    /// The newest store to each of these bytes, each store once, and the way in which it precedes a load or a
    /// store of them.
    pub fn newest(&self, mask: Mask, relation: Relation) -> impl Iterator<Item = Earlier<'_>> {
        let mut rest = mask;
        let newest = self.versions.iter().rev().map_while(move |version| {
            let is_newest = version.mask & rest != 0;
            (rest != 0).then(|| {
                rest &= !version.mask;
                is_newest.then_some(version)
            })
        });
        newest.flatten().map(move |version| Earlier {
            access: version.access,
            relation,
            number: Some(version.number),
            is_buffered: version.access.kind == AccessKind::Store,
            hb: version.hb(),
            rhb: version.rhb(),
        })
    }

    /// The loads of the newest versions of these bytes.
    pub fn readers(&self, mask: Mask) -> impl Iterator<Item = Earlier<'_>> {
        self.readers.iter().filter(move |reader| reader.mask & mask != 0).map(|reader| Earlier {
            access: reader.access,
            relation: Relation::FromRead,
            number: None,
            is_buffered: false,
            hb: reader.hb(),
            rhb: reader.rhb(),
        })
    }

    /// For each of these bytes, the newest store in a set; each store once.
    pub fn newest_in(&self, mask: Mask, set: &Timestamp) -> impl Iterator<Item = &Version> {
        let mut rest = mask;
        let newest = self.versions.iter().rev().map_while(move |version| {
            let is_newest = version.mask & rest != 0 && version.number <= set.get(version.access.thread as usize);
            (rest != 0).then(|| {
                if is_newest {
                    rest &= !version.mask;
                }
                is_newest.then_some(version)
            })
        });
        newest.flatten()
    }

    /// Adds a load of bytes that the thread has loaded before, and nobody has overwritten since. Returns the
    /// number of its accesses since then, and how often it has done this. Adds nothing if it is another load.
    pub fn read_again(&mut self, mask: Mask, access: MonitorAccess, sets: [&Timestamp; 2]) -> Option<(u64, u32)> {
        let same = self.readers.iter_mut().find(|reader| reader.is_of(access.thread) && reader.mask == mask)?;
        Some((same.again(access, sets), same.repeats))
    }

    /// Adds a load of some bytes. Later loads of a thread come after all that its earlier ones come after.
    pub fn read(&mut self, mask: Mask, access: MonitorAccess, sets: [&Timestamp; 2]) {
        if self.read_again(mask, access, sets).is_some() {
            return;
        }
        let is_own = |reader: &Reader| reader.is_of(access.thread);
        self.readers.retain(|reader| !is_own(reader) || reader.mask & !mask != 0);
        if self.readers.len() >= MERGED_READERS {
            self.merge_readers();
        }
        add(&mut self.readers, Reader::new(mask, access, sets));
    }

    /// Hands the reader of a load out to its thread, if there is room for one more.
    pub fn hand_out(&mut self, at: u64, mask: Mask, kept: &'static Kept) {
        if self.keepers.len() < MERGED_READERS
            && let Some(place) = self.readers.iter().position(|reader| reader.is_of(kept.slot) && reader.mask == mask)
            && kept.keep(at, &self.readers[place])
        {
            self.readers.remove(place);
            self.keepers.push(Keeper { slot: kept.slot, mask, kept });
        }
    }

    /// Takes the readers of some bytes back from the threads that keep them, by the thread of a slot, if
    /// it is one.
    pub fn take_back(&mut self, at: u64, mask: Mask, by: Option<u32>) {
        self.take_back_if(at, by, |_, bytes| bytes & mask != 0);
    }

    /// Takes the readers of a thread back whose bytes it loads now.
    pub fn take_own_back(&mut self, at: u64, mask: Mask, thread: u32) {
        self.take_back_if(at, Some(thread), |slot, bytes| slot == thread && bytes & !mask == 0);
    }

    fn take_back_if(&mut self, at: u64, by: Option<u32>, is_taken: impl Fn(u32, Mask) -> bool) {
        let readers = &mut self.readers;
        self.keepers.retain(|&mut Keeper { slot, mask, kept }| {
            let is_taken = is_taken(slot, mask);
            if is_taken && let Some(reader) = kept.give_back(at, mask, by) {
                add(readers, reader);
            }
            !is_taken
        });
    }

    /// Merges two loads of the same bytes, if there are such. A later store comes after both of them, and so
    /// after what either comes after.
    fn merge_readers(&mut self) {
        let mask = |at: usize| self.readers[at].mask;
        let pairs = (0..self.readers.len()).flat_map(|one| (0..one).map(move |other| (other, one)));
        if let Some((first, second)) = pairs.into_iter().find(|&(first, second)| mask(first) == mask(second)) {
            let merged = self.readers.remove(second);
            self.readers[first].merge(&merged);
        }
    }

    /// Adds a store. Loads of the bytes that it overwrites are before it, so that no later store needs them.
    /// Of the stores that are the newest of no byte, the word keeps at least `history`; it forgets others,
    /// the oldest first.
    pub fn write(&mut self, version: Version, history: usize) {
        self.readers.iter_mut().for_each(|reader| reader.mask &= !version.mask);
        self.readers.retain(|reader| reader.mask != 0);
        self.versions.push(version);
        // A word has at most eight newest stores. So the work is done once in `history` stores.
        if self.versions.len() > history.saturating_mul(2).saturating_add(8) {
            self.forget_oldest(history);
        }
    }

    fn forget_oldest(&mut self, history: usize) {
        let (mut covered, mut kept, mut forgotten) = (0, 0, 0);
        for version in self.versions.iter_mut().rev() {
            version.mask &= !forgotten;
            let is_newest = version.mask & !covered != 0;
            covered |= version.mask;
            kept += usize::from(!is_newest);
            if !is_newest && kept > history {
                // Nothing older may stand for it.
                forgotten |= version.mask;
                version.mask = 0;
            }
        }
        self.versions.retain(|version| version.mask != 0);
    }

    /// Forgets the stores and loads that come after nothing but stores in a set.
    pub fn forget_within(&mut self, at: u64, known: &Clock) {
        self.take_back(at, Mask::MAX, None);
        self.versions.retain(|version| !version.hb().is_within(known) || !version.rhb().is_within(known));
        self.readers.retain(|reader| !reader.hb().is_within(known) || !reader.rhb().is_within(known));
    }

    /// Forgets all about some bytes.
    pub fn forget_bytes(&mut self, at: u64, mask: Mask) {
        self.take_back(at, mask, None);
        self.versions.iter_mut().for_each(|version| version.mask &= !mask);
        self.versions.retain(|version| version.mask != 0);
        self.readers.iter_mut().for_each(|reader| reader.mask &= !mask);
        self.readers.retain(|reader| reader.mask != 0);
    }

    /// True if nothing is known of the word.
    pub fn is_empty(&self) -> bool {
        self.versions.is_empty() && self.readers.is_empty() && self.keepers.is_empty()
    }
}

/// Adds a reader to those of a word, which are in the order of their threads.
fn add(readers: &mut SmallVec<[Reader; 1]>, reader: Reader) {
    let key = |reader: &Reader| (reader.access.thread, reader.mask);
    let place = readers.iter().position(|other| key(other) > key(&reader)).unwrap_or(readers.len());
    readers.insert(place, reader);
}
