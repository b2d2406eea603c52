//! The readers that a thread keeps, in eight bytes each: a thread may keep many, and uses them often.

use std::collections::HashMap;

use crate::monitor::hash::WordHasher;
use crate::monitor::past::Past;
use crate::monitor::reader::Reader;
use crate::monitor::thread::Thread;
use crate::monitor::word::Mask;

/// The number of words whose readers are beside each other.
const GROUP: usize = 128;
/// The numbers of bits of the parts of an entry.
const MASK: u32 = Mask::BITS;
const PAST: u32 = 24;
const SITE: u32 = 32;
/// The number of pasts, beside two for each reader, from which on those that no reader has are given up.
const SPARE_PASTS: usize = 1 << 10;
/// The greatest number of readers, whose pasts have numbers.
const MOST: usize = (1 << (PAST - 1)) - SPARE_PASTS;

/// Readers of words, at most one for each.
#[derive(Debug, Default)]
pub(in crate::monitor) struct Table {
    /// For each group of words in which there is a reader, its place in `entries`.
    groups: HashMap<u64, u32, WordHasher>,
    entries: Vec<Entry>,
    /// The number of readers of each group.
    counts: Vec<u32>,
    /// The places without a reader.
    free: Vec<u32>,
    /// The stores before the loads.
    pasts: Vec<Past>,
    /// The past of the newest load that was repeated.
    newest: usize,
    /// A site that those of all readers are near to.
    base: u64,
    /// The number of readers.
    len: usize,
}

/// A reader: its bytes, no bytes for none; its past; its site, counted from `base`.
#[derive(Clone, Copy, Debug, Default)]
struct Entry(u64);

impl Entry {
    fn new(mask: Mask, past: usize, offset: u64) -> Self {
        Self(offset << (MASK + PAST) | (past as u64) << MASK | u64::from(mask))
    }

    fn mask(self) -> Mask {
        self.0 as Mask
    }

    fn past(self) -> usize {
        (self.0 >> MASK) as usize & ((1 << PAST) - 1)
    }

    fn offset(self) -> u64 {
        self.0 >> (MASK + PAST)
    }
}

/// The place of a reader.
#[derive(Clone, Copy, Debug)]
pub(in crate::monitor) struct Place(usize);

/// The group of a word, and its number in the group.
fn parts(at: u64) -> (u64, usize) {
    (at / GROUP as u64, (at % GROUP as u64) as usize)
}

impl Table {
    /// The reader of some bytes of a word.
    pub fn find(&self, at: u64, mask: Mask) -> Option<Place> {
        let (group, word) = parts(at);
        let place = GROUP * *self.groups.get(&group)? as usize + word;
        (self.entries[place].mask() == mask).then_some(Place(place))
    }

    /// True if the load of a reader may be at a site.
    pub fn has_room_for(&self, site: u64) -> bool {
        self.offset(site) >> SITE == 0
    }

    /// The thread repeats the load of a reader, at a site for which there is room.
    pub fn load_again(&mut self, Place(place): Place, thread: &Thread, site: u64) {
        if self.pasts.get(self.newest).is_none_or(|past| !past.is_of(thread)) {
            self.newest = self.add_past(Past::before(thread));
        }
        self.entries[place] = Entry::new(self.entries[place].mask(), self.newest, self.offset(site));
    }

    /// Adds a reader of a word. Returns false if there is no room for it.
    pub fn add(&mut self, at: u64, reader: &Reader) -> bool {
        let site = reader.access.site;
        if self.len == 0 {
            self.base = site.wrapping_sub(1 << (SITE - 1));
        }
        if !self.has_room_for(site) || self.len == MOST {
            return false;
        }
        let place = self.make_place(at);
        if self.entries[place].mask() != 0 {
            return false;
        }
        let past = self.add_past(reader.past.clone());
        self.entries[place] = Entry::new(reader.mask, past, self.offset(site));
        self.counts[place / GROUP] += 1;
        self.len += 1;
        true
    }

    /// Takes the reader of a word, by a thread, away. It has been repeated so many times.
    pub fn take(&mut self, at: u64, Place(place): Place, thread: u32, repeats: u32) -> Reader {
        let entry = std::mem::take(&mut self.entries[place]);
        let site = self.base.wrapping_add(entry.offset());
        let count = &mut self.counts[place / GROUP];
        *count -= 1;
        if *count == 0 {
            self.groups.remove(&parts(at).0);
            self.free.push((place / GROUP) as u32);
        }
        self.len -= 1;
        Reader::repeated(entry.mask(), (thread, site), repeats, self.pasts[entry.past()].clone())
    }

    /// True if there is no reader.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn offset(&self, site: u64) -> u64 {
        site.wrapping_sub(self.base)
    }

    /// The place for a reader of a word.
    fn make_place(&mut self, at: u64) -> usize {
        let Self { groups, entries, counts, free, .. } = self;
        let (group, word) = parts(at);
        let group = groups.entry(group).or_insert_with(|| {
            free.pop().unwrap_or_else(|| {
                entries.resize(entries.len() + GROUP, Entry::default());
                counts.push(0);
                counts.len() as u32 - 1
            })
        });
        GROUP * *group as usize + word
    }

    fn add_past(&mut self, past: Past) -> usize {
        if self.pasts.len() >= 2 * self.len + SPARE_PASTS {
            self.give_up_pasts();
        }
        self.pasts.push(past);
        self.pasts.len() - 1
    }

    /// Gives up the pasts that no reader has, but for the newest one.
    fn give_up_pasts(&mut self) {
        let mut old = std::mem::take(&mut self.pasts);
        let mut numbers = vec![None; old.len()];
        let mut number = |past: usize| {
            *numbers[past].get_or_insert_with(|| {
                self.pasts.push(std::mem::take(&mut old[past]));
                self.pasts.len() - 1
            })
        };
        self.newest = number(self.newest);
        for entry in self.entries.iter_mut().filter(|entry| entry.mask() != 0) {
            *entry = Entry::new(entry.mask(), number(entry.past()), entry.offset());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_its_parts() {
        let entry = Entry::new(0xf0, 0xab_cdef, 0xffff_fffe);
        assert_eq!((entry.mask(), entry.past(), entry.offset()), (0xf0, 0xab_cdef, 0xffff_fffe));
    }
}
