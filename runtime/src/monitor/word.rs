//! Eight bytes of memory as the monitor sees them: the versions that stores gave their bytes, and the loads
//! of the newest version.

use super::clock::Clock;
use super::{MonitorAccess, Relation};

/// A set of bytes of a word, one bit each.
pub(super) type Mask = u8;

/// A store to some bytes of the word.
#[derive(Clone, Debug)]
pub(super) struct Version {
    pub mask: Mask,
    pub access: MonitorAccess,
    /// Its number among the stores of its thread, from 1.
    pub number: u32,
    /// True if it waits in a store buffer until it reaches memory, false for a read-modify-write.
    pub is_buffered: bool,
    /// The stores that happen-before it, and it.
    pub hb: Clock,
    /// The stores that reach memory before it in every execution with this trace, and it.
    pub rhb: Clock,
}

/// A load of some bytes of the word that have not been overwritten since.
#[derive(Clone, Debug)]
struct Reader {
    mask: Mask,
    access: MonitorAccess,
    hb: Clock,
    rhb: Clock,
}

/// The word.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    /// The stores to the word, oldest first.
    versions: Vec<Version>,
    readers: Vec<Reader>,
}

/// An earlier access with which another one conflicts.
pub(super) struct Earlier<'w> {
    pub access: MonitorAccess,
    /// The kind of the conflict.
    pub relation: Relation,
    /// True if a thread may read the store from its own buffer.
    pub is_buffered: bool,
    pub hb: &'w Clock,
    pub rhb: &'w Clock,
}

impl Word {
    /// The newest store to each of these bytes, each store once, and the way in which it precedes a load or a
    /// store of them.
    pub fn newest(&self, mask: Mask, relation: Relation) -> impl Iterator<Item = Earlier<'_>> {
        let mut rest = mask;
        let is_newest = move |version: &&Version| {
            let found = version.mask & rest;
            rest &= !version.mask;
            found != 0
        };
        self.versions.iter().rev().filter(is_newest).map(move |version| Earlier {
            access: version.access,
            relation,
            is_buffered: version.is_buffered,
            hb: &version.hb,
            rhb: &version.rhb,
        })
    }

    /// The loads of the newest versions of these bytes.
    pub fn readers(&self, mask: Mask) -> impl Iterator<Item = Earlier<'_>> {
        self.readers.iter().filter(move |reader| reader.mask & mask != 0).map(|reader| Earlier {
            access: reader.access,
            relation: Relation::FromRead,
            is_buffered: false,
            hb: &reader.hb,
            rhb: &reader.rhb,
        })
    }

    /// For each of these bytes, the newest store in a set; each store once.
    pub fn newest_in(&self, mask: Mask, set: &Clock) -> impl Iterator<Item = &Version> {
        let mut rest = mask;
        self.versions.iter().rev().filter(move |version| {
            let is_newest = version.mask & rest != 0 && version.number <= set.get(version.access.thread);
            if is_newest {
                rest &= !version.mask;
            }
            is_newest
        })
    }

    /// Adds a load of some bytes. Later loads of a thread come after all that its earlier ones come after.
    pub fn read(&mut self, mask: Mask, access: MonitorAccess, [hb, rhb]: [&Clock; 2]) {
        self.readers.retain(|reader| reader.access.thread != access.thread || reader.mask & !mask != 0);
        self.readers.push(Reader { mask, access, hb: hb.clone(), rhb: rhb.clone() });
    }

    /// Adds a store. Loads of the bytes that it overwrites are before it, so that no later store needs them.
    pub fn write(&mut self, version: Version) {
        self.readers.iter_mut().for_each(|reader| reader.mask &= !version.mask);
        self.readers.retain(|reader| reader.mask != 0);
        self.versions.push(version);
    }
}
