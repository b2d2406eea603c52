//! The content of memory objects in a working state: pages, copied when they are first written.
//!
//! A page is 8 data words (64 bytes), followed by as many words of undefined bits if any of its bits is
//! uninitialised. Pages of a state are interned components. A written page is in `dirty` until the step ends.

use std::cell::Cell;

use rmc_runtime::{Access, Bytes, StoreTag};

use crate::interp::watch::{is_telling, owner_of};
use crate::ir::address::{ObjectId, PAGE_BYTES, PAGE_WORDS};
use crate::ir::{Program, thread_name};
use crate::store::{Id, Interner};
use crate::system::state::decoded::Decoded;
use crate::system::state::object_table::{Object, ObjectTable, pages};
use crate::system::state::read_set::ReadSet;

/// The maximal number of threads of a state in which threads are exchanged. The numbers of so many fit into
/// one word.
pub const MOST_EXCHANGED: usize = 16;

/// The place of an object's bytes, and the accesses that are allowed.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The object.
    pub id: ObjectId,
    /// The size in bytes.
    pub size: u32,
    /// The place of the content.
    pub content: Content,
    /// True if other threads may know the address.
    pub shared: bool,
}

/// The kinds of places of an object's content.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// Pages of the state, from this one on.
    Pages(usize),
    /// The initial value of a constant global.
    Constant(usize),
}

struct DirtyPage {
    slot: usize,
    words: usize,
    data: [u64; PAGE_WORDS],
    undef: [u64; PAGE_WORDS],
}

/// Memory objects of the working state.
pub struct ObjectMemory<'p> {
    program: &'p Program,
    /// The components of all states.
    pub components: Interner,
    /// Threads and dynamic objects.
    pub table: Decoded<ObjectTable>,
    /// Components of the pages: shared globals first, then dynamic objects.
    pub pages: Vec<Id>,
    /// For each page, its number in `dirty` plus one, or 0.
    written: Vec<u32>,
    dirty: Vec<DirtyPage>,
    dirty_used: usize,
    /// The first page of each global. It is meaningless for globals that are not part of states.
    global_base: Vec<usize>,
    /// The number of pages of globals.
    pub global_pages: usize,
    scratch: Vec<u64>,
    /// The stores that reached memory, oldest first, if they are recorded.
    pub(in crate::system) arrivals: Option<Vec<Arrival>>,
    pub(in crate::system) log: ReadSet,
    /// True if operations that tell threads apart are detected; see [`crate::interp::watch`].
    pub(in crate::system) watches: bool,
    /// True if such an operation was detected.
    pub(in crate::system) asymmetric: Cell<bool>,
}

/// A store that reached memory.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The thread that made it.
    pub thread: usize,
    /// Its bytes.
    pub at: Access,
    /// Its name.
    pub tag: StoreTag,
    /// The fate of the store in memory since then.
    pub fate: Fate,
}

/// The kinds of fates of a store that reached memory.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// Memory has its value.
    Written,
    /// It was overwritten by the store of this thread and name. `None` if the order leaves open by which; it
    /// does not matter any more.
    Overwritten(Option<(usize, StoreTag)>),
}

impl<'p> ObjectMemory<'p> {
    /// Memory with the globals' initial content and no dynamic object.
    pub fn new(program: &'p Program, components: Interner) -> Self {
        let mut memory = Self {
            program,
            components,
            table: Decoded::default(),
            pages: Vec::new(),
            written: Vec::new(),
            dirty: Vec::new(),
            dirty_used: 0,
            global_base: vec![0; program.globals.len()],
            global_pages: 0,
            scratch: Vec::new(),
            arrivals: None,
            log: ReadSet::default(),
            watches: false,
            asymmetric: Cell::new(false),
        };
        for &global in &program.shared_globals {
            let global_data = &program.globals[global.index()];
            memory.global_base[global.index()] = memory.pages.len();
            for page in &global_data.pages {
                let id = memory.components.intern(page);
                memory.pages.push(id);
            }
        }
        memory.global_pages = memory.pages.len();
        memory.written = vec![0; memory.pages.len()];
        memory
    }

    /// Records the names of stores that reach memory from now on, for [`Self::take_arrivals`].
    pub fn keep_arrivals(&mut self) {
        self.arrivals = Some(Vec::new());
    }

    /// Takes the stores that reached memory since they were last taken.
    pub fn take_arrivals(&mut self) -> Vec<Arrival> {
        self.arrivals.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Restores memory from stored pages.
    pub fn reset(&mut self, pages: &[Id]) {
        for page in &self.dirty[..self.dirty_used] {
            if let Some(mark) = self.written.get_mut(page.slot) {
                *mark = 0;
            }
        }
        self.dirty_used = 0;
        self.arrivals.iter_mut().for_each(Vec::clear);
        self.pages.clear();
        self.pages.extend_from_slice(pages);
        self.written.resize(pages.len(), 0);
    }

    /// Interns the written pages.
    pub fn flush(&mut self) {
        for page in &self.dirty[..self.dirty_used] {
            let words = page.words;
            self.scratch.clear();
            self.scratch.extend_from_slice(&page.data[..words]);
            if page.undef[..words].iter().any(|&word| word != 0) {
                self.scratch.extend_from_slice(&page.undef[..words]);
            }
            self.pages[page.slot] = self.components.intern(&self.scratch);
            self.written[page.slot] = 0;
        }
        self.dirty_used = 0;
    }

    /// The object of this name, if it exists.
    #[inline]
    pub fn region(&self, id: ObjectId) -> Option<Region> {
        if id.owner() != 0 {
            let object = &self.table.objects[self.table.find(id)?];
            let content = Content::Pages(object.base);
            return Some(Region { id, size: object.size, content, shared: object.shared });
        }
        let at = id.global_index()?;
        let global = self.program.globals.get(at).filter(|global| global.defined && !global.thread_local)?;
        let content = if global.constant { Content::Constant(at) } else { Content::Pages(self.global_base[at]) };
        Some(Region { id, size: global.size, content, shared: true })
    }

    /// The dynamic object of this name.
    #[must_use]
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.table.find(id).map(|at| &self.table.objects[at])
    }

    /// The dynamic object of this name, for changes.
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        let at = self.table.find(id)?;
        Some(&mut self.table.objects[at])
    }

    /// Logs that the running step depends on an object's content. The object dies, and another object may get
    /// its name and, by chance, its content.
    pub fn see_content(&self, id: ObjectId) {
        if let Some(Region { size, content: Content::Pages(base), .. }) = self.region(id) {
            (base..base + pages(size)).for_each(|slot| self.log.page(slot, self.pages[slot]));
        }
    }

    /// Adds an object with the given pages.
    pub fn add(&mut self, mut object: Object, content: &[Id]) {
        object.base = self.pages.len();
        self.pages.extend_from_slice(content);
        self.written.resize(self.pages.len(), 0);
        self.table.insert(object);
    }

    /// The component of a page of `bytes` bytes, all uninitialised or all zero.
    pub fn fresh_page(&mut self, bytes: u32, initialised: bool) -> Id {
        let words = bytes.div_ceil(8) as usize;
        self.scratch.clear();
        self.scratch.resize(words, 0);
        if !initialised {
            self.scratch.resize(words * 2, u64::MAX);
            let rest = bytes % 8;
            if rest > 0 {
                self.scratch[words * 2 - 1] = crate::ir::value::mask(rest * 8);
            }
        }
        self.components.intern(&self.scratch)
    }

    /// Components of fresh pages for `size` bytes.
    pub fn fresh_pages(&mut self, size: u32, initialised: bool) -> Vec<Id> {
        (0..pages(size) as u32)
            .map(|page| self.fresh_page((size - page * PAGE_BYTES).min(PAGE_BYTES), initialised))
            .collect()
    }

    /// Components of pages with this content.
    pub fn intern_pages(&mut self, content: &[Vec<u64>]) -> Vec<Id> {
        content.iter().map(|page| self.components.intern(page)).collect()
    }

    /// A data word and its undefined bits.
    #[inline]
    fn word(&self, region: &Region, at: usize) -> (u64, u64) {
        let (page, word) = (at / PAGE_WORDS, at % PAGE_WORDS);
        let content: &[u64] = match region.content {
            Content::Constant(global) => &self.program.globals[global].pages[page],
            Content::Pages(base) => match self.written[base + page] {
                0 => {
                    let component = self.pages[base + page];
                    self.log.page(base + page, component);
                    self.components.get(component)
                }
                mark => {
                    let dirty = &self.dirty[mark as usize - 1];
                    return (dirty.data[word], dirty.undef[word]);
                }
            },
        };
        let words = page_words(region.size, page);
        (content[word], content.get(words + word).copied().unwrap_or(0))
    }

    /// Reads up to 16 bytes inside the object.
    #[inline]
    pub fn read(&self, region: &Region, offset: u32, len: u8) -> Bytes {
        if self.watches {
            self.watch_part(region, offset, len);
        }
        let (at, shift, width) = ((offset / 8) as usize, offset % 8 * 8, u32::from(len) * 8);
        let (bits, undef) = self.word(region, at);
        let (mut bits, mut undef) = (u128::from(bits) >> shift, u128::from(undef) >> shift);
        let mut have = 64 - shift;
        let mut next = at + 1;
        while have < width {
            let (more, more_undef) = self.word(region, next);
            bits |= u128::from(more) << have;
            undef |= u128::from(more_undef) << have;
            have += 64;
            next += 1;
        }
        let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
        Bytes { bits: bits & mask, undef: undef & mask }
    }

    /// Writes up to 16 bytes inside the object.
    ///
    /// # Panics
    /// If the object is constant: callers refuse that before.
    pub fn write(&mut self, region: &Region, offset: u32, len: u8, value: Bytes) {
        let Content::Pages(base) = region.content else { panic!("a constant is never written") };
        if self.watches {
            self.watch_part(region, offset, len);
            self.watch_value(offset, value);
        }
        let (mut done, total) = (0, u32::from(len));
        while done < total {
            let place = offset + done;
            let (word, shift) = ((place / 8) as usize, place % 8 * 8);
            let bytes = (total - done).min(8 - place % 8);
            let mask = crate::ir::value::mask(bytes * 8) << shift;
            let part = |bits: u128| ((bits >> (done * 8)) as u64) << shift & mask;
            let page = self.dirty_page(region, base, word / PAGE_WORDS);
            let at = word % PAGE_WORDS;
            page.data[at] = page.data[at] & !mask | part(value.bits);
            page.undef[at] = page.undef[at] & !mask | part(value.undef);
            done += bytes;
        }
        if self.watches {
            self.watch_part(region, offset, len);
        }
    }

    /// Detects an access to a part of a word that may tell threads apart. The upper three bytes of an address
    /// determine its owner. A constant has no such words; a word that looks like one must not be used as one.
    #[cold]
    fn watch_part(&self, region: &Region, offset: u32, len: u8) {
        let end = offset + u32::from(len);
        if let Content::Constant(_) = region.content {
            let mut words = (offset / 8..end.div_ceil(8)).map(|word| self.word(region, word as usize).0);
            self.asymmetric.set(self.asymmetric.get() || len >= 8 && words.any(is_telling));
            return;
        }
        let is_part = |word: u32| offset > word * 8 || end < word * 8 + 8;
        for word in (offset / 8..end.div_ceil(8)).filter(|&word| is_part(word)) {
            let (bits, _) = self.word(region, word as usize);
            let tells_owner = end > word * 8 + 5 && is_exchanged(bits);
            self.asymmetric.set(self.asymmetric.get() || thread_name::is_marked(bits) || tells_owner);
        }
    }

    /// Detects a write of telling words that are not whole words of memory, and of undefined bits that look
    /// like a name.
    fn watch_value(&self, offset: u32, value: Bytes) {
        let words = [value.bits as u64, (value.bits >> 64) as u64];
        let split = !offset.is_multiple_of(8) && words.into_iter().any(is_telling);
        let marked = thread_name::is_marked(value.undef as u64) || thread_name::is_marked((value.undef >> 64) as u64);
        self.asymmetric.set(self.asymmetric.get() || split || marked);
    }

    /// Makes the whole content of an object uninitialised.
    pub fn forget_content(&mut self, region: &Region) {
        let Content::Pages(base) = region.content else { return };
        for (at, id) in self.fresh_pages(region.size, false).into_iter().enumerate() {
            self.set_page(base + at, id);
        }
    }

    /// Replaces a page by a component.
    pub fn set_page(&mut self, slot: usize, id: Id) {
        if self.written[slot] != 0 {
            // The dirty page takes precedence over the component, so it must get the new content.
            let dirty = &mut self.dirty[self.written[slot] as usize - 1];
            let content = self.components.get(id);
            dirty.data[..dirty.words].copy_from_slice(&content[..dirty.words]);
            dirty.undef.fill(0);
            let undef = &content[dirty.words..];
            dirty.undef[..undef.len()].copy_from_slice(undef);
        }
        self.log.page(slot, self.pages[slot]);
        self.pages[slot] = id;
    }

    fn dirty_page(&mut self, region: &Region, base: usize, page: usize) -> &mut DirtyPage {
        let slot = base + page;
        if self.written[slot] == 0 {
            if self.dirty_used == self.dirty.len() {
                self.dirty.push(DirtyPage { slot: 0, words: 0, data: [0; PAGE_WORDS], undef: [0; PAGE_WORDS] });
            }
            let dirty = &mut self.dirty[self.dirty_used];
            self.dirty_used += 1;
            self.written[slot] = u32::try_from(self.dirty_used).expect("few pages");
            let words = page_words(region.size, page);
            self.log.page(slot, self.pages[slot]);
            let content = self.components.get(self.pages[slot]);
            (dirty.slot, dirty.words) = (slot, words);
            dirty.data[..words].copy_from_slice(&content[..words]);
            match content.get(words..2 * words) {
                Some(undef) => dirty.undef[..words].copy_from_slice(undef),
                None => dirty.undef[..words].fill(0),
            }
        }
        &mut self.dirty[self.written[slot] as usize - 1]
    }

    /// The region of an access of the memory model. The access was checked when it was made.
    fn region_of(&self, at: Access) -> Option<Region> {
        self.region(ObjectId(at.object))
    }
}

/// True if a word may be renamed in an exchange as if it was an address, even if the thread is gone by now.
pub(in crate::system) const fn is_exchanged(word: u64) -> bool {
    let owner = owner_of(word);
    owner > 1 && owner <= MOST_EXCHANGED as u32
}

/// The number of words of page `page` of an object of `size` bytes.
#[inline]
fn page_words(size: u32, page: usize) -> usize {
    (size.div_ceil(8) as usize - page * PAGE_WORDS).min(PAGE_WORDS)
}

impl rmc_runtime::Memory for ObjectMemory<'_> {
    fn read(&mut self, at: Access) -> Bytes {
        match self.region_of(at) {
            Some(region) => ObjectMemory::read(self, &region, at.offset, at.len),
            None => Bytes::uninitialised(at.len),
        }
    }

    fn write(&mut self, at: Access, value: Bytes) {
        // A pending store to memory is evicted when the memory dies, so the region exists.
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
