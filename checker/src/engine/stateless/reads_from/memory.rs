//! The memory of an execution: the writer of each byte, and the writes and reads of each object.

use rmc_consistency::Place;
use smallvec::SmallVec;

use crate::engine::stateless::sources::Writer;
use crate::hash::FxHashMap;

/// Bytes of one writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The bytes.
    pub place: Place,
    /// Their writer.
    pub writer: Writer,
    /// In a read, false if the order of steps decides which writer it is, and other reads decide that order.
    pub is_open: bool,
}

impl Part {
    /// The bytes that a place does not have.
    pub fn without(self, place: Place) -> impl Iterator<Item = Self> {
        crate::engine::stateless::accesses::without(self.place, place)
            .into_iter()
            .map(move |place| Self { place, ..self })
    }
}

/// Bytes with their writers. Bytes that have none are initial.
pub type Parts = SmallVec<[Part; 4]>;

/// A read with its source, and its step by thread and number.
pub type Reader = (Part, (usize, u32));

/// The memory of an execution, with its writes and reads, by object.
#[derive(Default)]
pub struct Memory {
    objects: FxHashMap<u32, Object>,
}

#[derive(Default)]
struct Object {
    /// The writers of the bytes.
    parts: Parts,
    /// All writes, in order.
    writes: Vec<Part>,
    /// The positions of writes that come after all before them, in every execution with these sources.
    after_all: Vec<u32>,
    /// All reads, in order.
    reads: Vec<Reader>,
}

/// An earlier or later version of the bytes that a write changed.
pub struct Version {
    object: u32,
    /// True if the write comes after all writes of the object before it, in every execution with these
    /// sources.
    is_after_all: bool,
    bytes: Bytes,
}

enum Bytes {
    /// The writer of a part, by its position in its object.
    Writer { at: u32, writer: Writer },
    /// All of the object.
    Object(Box<Parts>),
    /// There were no bytes of this part, by its position in its object.
    None { at: u32 },
}

impl Memory {
    /// The largest number of reads that [`Self::last_reads`] returns.
    const MOST: usize = 32;

    /// Writes a place. Returns what was there. `comes_after` tells whether the write comes after another one
    /// in every execution with these sources, and whatever comes before that.
    pub fn write(&mut self, place: Place, writer: Writer, comes_after: impl FnOnce(Writer) -> bool) -> Version {
        let object = place.object;
        let known = self.objects.entry(object).or_default();
        let is_after_all = match known.writes.last() {
            None => true,
            Some(last) => known.is_last_after_all() && comes_after(last.writer),
        };
        known.add_write(Part { place, writer, is_open: true }, is_after_all);
        let parts = &mut known.parts;
        match parts.binary_search_by_key(&place.offset, |part| part.place.offset) {
            Ok(at) if parts[at].place == place => {
                let writer = std::mem::replace(&mut parts[at].writer, writer);
                return Version { object, is_after_all, bytes: Bytes::Writer { at: at as u32, writer } };
            }
            Err(at) if !parts[at.saturating_sub(1)..].iter().take(2).any(|part| part.place.overlaps(place)) => {
                parts.insert(at, Part { place, writer, is_open: true });
                return Version { object, is_after_all, bytes: Bytes::None { at: at as u32 } };
            }
            Ok(_) | Err(_) => {}
        }
        let before = std::mem::take(parts);
        let rest = before.iter().flat_map(|part| part.without(place));
        *parts = rest.chain([Part { place, writer, is_open: true }]).collect();
        parts.sort_unstable_by_key(|part| part.place.offset);
        Version { object, is_after_all, bytes: Bytes::Object(Box::new(before)) }
    }

    /// Takes back the last write to an object, and exchanges its bytes for what was there before. Returns it.
    pub fn take_back(&mut self, version: &mut Version) -> Part {
        let known = self.exchange(version);
        if let Bytes::None { at } = version.bytes {
            known.parts.remove(at as usize);
        }
        if version.is_after_all {
            known.after_all.pop();
        }
        known.writes.pop().expect("the object was written")
    }

    /// Writes again what was taken back.
    pub fn write_again(&mut self, version: &mut Version, write: Part) {
        let is_after_all = version.is_after_all;
        let known = self.exchange(version);
        if let Bytes::None { at } = version.bytes {
            known.parts.insert(at as usize, write);
        }
        known.add_write(write, is_after_all);
    }

    /// Exchanges bytes for another version of them, if there is one. Returns their object.
    fn exchange(&mut self, Version { object, bytes, .. }: &mut Version) -> &mut Object {
        let known = self.objects.get_mut(object).expect("the object was written");
        match bytes {
            Bytes::Writer { at, writer } => std::mem::swap(&mut known.parts[*at as usize].writer, writer),
            Bytes::Object(parts) => std::mem::swap(&mut known.parts, &mut **parts),
            Bytes::None { .. } => {}
        }
        known
    }

    /// True if all bytes of a part have its writer.
    pub fn has_last(&self, part: &Part) -> bool {
        match self.only_writer(part.place) {
            Some(writer) => writer == part.writer,
            None => self.read(part.place).iter().all(|there| there.writer == part.writer),
        }
    }

    /// The writer of all bytes of a place, if it wrote that place.
    pub fn only_writer(&self, place: Place) -> Option<Writer> {
        let parts = &self.objects.get(&place.object)?.parts;
        let at = parts.binary_search_by_key(&place.offset, |part| part.place.offset).ok()?;
        (parts[at].place == place).then(|| parts[at].writer)
    }

    /// The writers of the bytes of a place, in order.
    pub fn read(&self, place: Place) -> Parts {
        let mut parts = Parts::new();
        self.add_sources(place, true, &mut parts);
        merged(parts)
    }

    /// Adds the writers of the bytes of a place, in order, as the sources of a read. Some may have bytes side
    /// by side.
    pub fn add_sources(&self, place: Place, is_open: bool, parts: &mut Parts) {
        let mut next = place.offset;
        let end = place.offset + place.len;
        let known = self.objects.get(&place.object).map_or(&[] as &[Part], |object| &object.parts);
        let first = known.partition_point(|part| part.place.offset + part.place.len <= place.offset);
        for part in known[first..].iter().take_while(|part| part.place.offset < end) {
            let (from, to) = (part.place.offset.max(next), (part.place.offset + part.place.len).min(end));
            if from > next {
                parts.push(Part { is_open, ..initial(place, next, from) });
            }
            parts.push(Part { place: Place { offset: from, len: to - from, ..place }, writer: part.writer, is_open });
            next = to;
        }
        if next < end {
            parts.push(Part { is_open, ..initial(place, next, end) });
        }
    }

    /// The writes that have bytes of a place.
    pub fn writes_to(&self, place: Place) -> impl Iterator<Item = &Part> + '_ {
        let object = self.objects.get(&place.object).into_iter();
        object.flat_map(|object| &object.writes).filter(move |part| part.place.overlaps(place))
    }

    /// The writes that have bytes of a place, the last one first.
    pub fn writes_down(&self, place: Place) -> impl Iterator<Item = &Part> + '_ {
        let object = self.objects.get(&place.object).into_iter();
        object.flat_map(|object| object.writes.iter().rev()).filter(move |part| part.place.overlaps(place))
    }

    /// The writes to a cell's object from the last one to the cell on that comes after all before it and of
    /// which this is true, or all.
    pub fn writes_since(&self, cell: Place, is_it: impl Fn(&Part) -> bool) -> &[Part] {
        let Some(Object { writes, after_all, .. }) = self.objects.get(&cell.object) else { return &[] };
        let is_last = |&at: &u32| writes[at as usize].place.overlaps(cell) && is_it(&writes[at as usize]);
        let first = after_all.iter().rev().copied().find(is_last);
        &writes[first.unwrap_or(0) as usize..]
    }

    /// The last write to an object, if it comes after all before it.
    pub fn last_after_all(&self, object: u32) -> Option<&Part> {
        let known = self.objects.get(&object)?;
        known.writes.last().filter(|_| known.is_last_after_all())
    }

    /// Adds a read.
    pub fn add_read(&mut self, part: Part, step: (usize, u32)) {
        self.objects.entry(part.place.object).or_default().reads.push((part, step));
    }

    /// Adds a read after those of the object's reads that come before it.
    pub fn insert_read(&mut self, part: Part, step: (usize, u32), is_before: impl Fn((usize, u32)) -> bool) {
        let reads = &mut self.objects.entry(part.place.object).or_default().reads;
        let later = reads.iter().rev().take_while(|&&(_, reader)| !is_before(reader)).count();
        reads.insert(reads.len() - later, (part, step));
    }

    /// Removes the last read of an object by a step.
    pub fn take_read(&mut self, object: u32, step: (usize, u32)) {
        let reads = self.objects.get_mut(&object).map(|object| &mut object.reads);
        let read = reads.and_then(|reads| Some((reads.iter().rposition(|&(_, reader)| reader == step)?, reads)));
        let (at, reads) = read.expect("the step has read the object");
        reads.remove(at);
    }

    /// Removes the last read of an object.
    pub fn remove_read(&mut self, object: u32) {
        let popped = self.objects.get_mut(&object).and_then(|object| object.reads.pop());
        debug_assert!(popped.is_some(), "the object was read");
    }

    /// The last reads of a place's object, the last one first.
    pub fn last_reads(&self, place: Place) -> impl Iterator<Item = &Reader> + '_ {
        let object = self.objects.get(&place.object).into_iter();
        object.flat_map(|object| object.reads.iter().rev().take(Self::MOST))
    }
}

impl Object {
    fn add_write(&mut self, write: Part, is_after_all: bool) {
        if is_after_all {
            self.after_all.push(self.writes.len() as u32);
        }
        self.writes.push(write);
    }

    /// True if the last write comes after all before it, in every execution with these sources.
    fn is_last_after_all(&self) -> bool {
        self.after_all.last().is_some_and(|&at| at as usize + 1 == self.writes.len())
    }
}

/// Parts in which no two have bytes of one writer side by side. They are in order.
pub fn merged(mut parts: Parts) -> Parts {
    let goes_on = |last: &Part, part: &Part| {
        last.place.object == part.place.object
            && last.place.offset + last.place.len == part.place.offset
            && (last.writer, last.is_open) == (part.writer, part.is_open)
    };
    if parts.windows(2).any(|pair| goes_on(&pair[0], &pair[1])) {
        parts.dedup_by(|part, last| {
            let is_more = goes_on(last, part);
            last.place.len += if is_more { part.place.len } else { 0 };
            is_more
        });
    }
    parts
}

fn initial(place: Place, from: u32, to: u32) -> Part {
    Part { place: Place { offset: from, len: to - from, ..place }, writer: Writer::Initial, is_open: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places of one object of 8 bytes: new ones, the same again, and parts of earlier ones.
    const PLACES: [(u32, u32); 9] = [(0, 4), (6, 2), (0, 4), (4, 2), (2, 4), (0, 8), (5, 1), (5, 1), (1, 6)];

    #[test]
    fn writes_are_taken_back_and_written_again() {
        let mut memory = Memory::default();
        let place = |offset, len| Place::new(1, offset, len);
        let all = place(0, 8);
        let (mut before, mut versions) = (Vec::new(), Vec::new());
        for (at, (offset, len)) in (0..).zip(PLACES) {
            before.push(memory.read(all));
            let writer = Writer::Step(0, at);
            versions.push(memory.write(place(offset, len), writer, |_| true));
            assert_eq!(memory.only_writer(place(offset, len)), Some(writer));
            assert!(memory.read(place(offset, len)).iter().all(|part| part.writer == writer));
        }
        let after = memory.read(all);
        for _ in 0..2 {
            let taken = versions.iter_mut().zip(&before).rev().map(|(version, before)| {
                let write = memory.take_back(version);
                assert_eq!(memory.read(all), *before);
                write
            });
            let mut writes: Vec<Part> = taken.collect();
            writes.reverse();
            assert_eq!(writes.iter().map(|write| (write.place.offset, write.place.len)).collect::<Vec<_>>(), PLACES);
            versions.iter_mut().zip(writes).for_each(|(version, write)| memory.write_again(version, write));
            assert_eq!(memory.read(all), after);
        }
    }

    #[test]
    fn reads_are_inserted_between_others() {
        let mut memory = Memory::default();
        let part = Part { place: Place::new(1, 0, 4), writer: Writer::Initial, is_open: true };
        (0..3).for_each(|step| memory.add_read(part, (0, step)));
        memory.insert_read(part, (1, 0), |reader| reader < (0, 1));
        let steps = |memory: &Memory| memory.last_reads(part.place).map(|(_, step)| *step).collect::<Vec<_>>();
        assert_eq!(steps(&memory), [(0, 2), (0, 1), (1, 0), (0, 0)]);
        memory.take_read(1, (1, 0));
        assert_eq!(steps(&memory), [(0, 2), (0, 1), (0, 0)]);
    }
}
