//! The content of memory objects in the working state, as pages that are copied when they are first written.
//!
//! A page is 8 data words (64 bytes), followed by as many words of undefined bits if any of its bits is
//! uninitialised. The last page of an object has only as many words as the object needs. The pages of a state
//! are interned components, and never change. A page that the running step has written is a copy in `dirty`,
//! which takes precedence over its component until the copies are interned
//! ([`ObjectMemory::intern_dirty_pages`]). So a step costs as much as the pages that it writes, and an
//! unchanged page keeps its component.
//!
//! Every page that a step reads, or changes without reading it, is logged in the step's read set, with the
//! component that it had before. Constants are no part of states and are not logged.
//!
//! Bounds are not checked here: callers access only bytes inside an object (`system/step/access.rs`).
//!
//! * `arrivals.rs`: memory as the store buffers see it, and the stores that have reached it.
//! * `growth.rs`: objects of which only the first bytes are stored.
//! * `disguise.rs`: pointers that are accessed in part.
//! * `watch.rs`: detection of accesses that tell threads apart.
//!
//! Tests: `fuzzing/state_vectors.rs` compares machines that unpack a state with the one that packed it;
//! `tests/tests/pipeline_differential.rs` has accesses of several sizes that overlap; programs in
//! `tests/programs/memory/` and `tests/programs/undefined/`.

mod arrivals;
mod disguise;
mod growth;
mod watch;

use std::cell::{Cell, RefCell};

use rmc_runtime::Bytes;

pub use self::arrivals::{Arrival, Fate};
pub use self::watch::MOST_EXCHANGED;
use crate::ir::Program;
use crate::ir::address::{ObjectId, PAGE_BYTES, PAGE_WORDS};
use crate::store::{Id, Interner};
use crate::system::state::decoded::Decoded;
use crate::system::state::object_table::{Extent, Object, ObjectTable, page_words, pages};
use crate::system::state::read_set::ReadSet;

/// An object as accesses see it.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The object.
    pub id: ObjectId,
    /// The number of bytes that are stored.
    pub size: u32,
    /// True if it has, or may have, more bytes than those (`growth.rs`).
    pub grows: bool,
    /// The place of its bytes.
    pub content: Content,
    /// True if other threads may know the address.
    pub shared: bool,
    /// The number of the thread, plus one, that alone knows the address unless it is shared.
    pub holder: u32,
}

/// The kinds of places of an object's bytes.
#[derive(Clone, Copy, Debug)]
pub enum Content {
    /// Pages of the state. The number is the slot of the first one.
    Pages(usize),
    /// The program, for a constant global with this index.
    Constant(usize),
}

/// The copy of a page that was written and is not interned yet.
struct DirtyPage {
    /// Its index in [`ObjectMemory::pages`].
    slot: usize,
    /// The number of its words. What follows them in `data` and `undef` is meaningless.
    words: usize,
    data: [u64; PAGE_WORDS],
    /// The undefined bits of each data word.
    undef: [u64; PAGE_WORDS],
}

/// Memory objects of the working state.
pub struct ObjectMemory<'p> {
    program: &'p Program,
    /// The components of all states.
    pub components: Interner,
    /// Threads and dynamic objects.
    pub table: Decoded<ObjectTable>,
    /// The components of the pages: those of shared globals first, then those of dynamic objects. An index is
    /// called a slot. The component of a dirty page is the one before it was written.
    pub pages: Vec<Id>,
    /// For each slot, the index of its copy in `dirty` plus one; 0 if the page is not dirty.
    dirty_of: Vec<u32>,
    /// The dirty pages, `dirty_used` of them. The others are kept for use by later steps.
    dirty: Vec<DirtyPage>,
    dirty_used: usize,
    /// The first slot of each global. It is meaningless for globals that are not part of states.
    global_base: Vec<usize>,
    /// The number of pages of globals.
    pub global_pages: usize,
    scratch: Vec<u64>,
    /// The stores that reached memory, oldest first, if they are recorded.
    pub(in crate::system) arrivals: Option<Vec<Arrival>>,
    /// The items that the running step read.
    pub(in crate::system) log: ReadSet,
    /// True if operations that tell threads apart are detected; see [`crate::interp::watch`].
    pub(in crate::system) watches: bool,
    /// True if such an operation was detected.
    pub(in crate::system) asymmetric: Cell<bool>,
    /// The objects to which pointers point that were accessed in part; see `disguise.rs`.
    disguised: RefCell<Vec<ObjectId>>,
}

impl<'p> ObjectMemory<'p> {
    /// Memory with the globals' initial content and no dynamic object.
    pub fn new(program: &'p Program, components: Interner) -> Self {
        let mut memory = Self {
            program,
            components,
            table: Decoded::default(),
            pages: Vec::new(),
            dirty_of: Vec::new(),
            dirty: Vec::new(),
            dirty_used: 0,
            global_base: vec![0; program.globals.len()],
            global_pages: 0,
            scratch: Vec::new(),
            arrivals: None,
            log: ReadSet::default(),
            watches: false,
            asymmetric: Cell::new(false),
            disguised: RefCell::default(),
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
        memory.dirty_of = vec![0; memory.pages.len()];
        memory
    }

    /// Replaces all pages by those of a state. Dirty pages are dropped.
    pub fn reset(&mut self, pages: &[Id]) {
        for page in &self.dirty[..self.dirty_used] {
            if let Some(number) = self.dirty_of.get_mut(page.slot) {
                *number = 0;
            }
        }
        self.dirty_used = 0;
        self.arrivals.iter_mut().for_each(Vec::clear);
        self.pages.clear();
        self.pages.extend_from_slice(pages);
        self.dirty_of.resize(pages.len(), 0);
    }

    /// Interns the dirty pages, so that `pages` describes the whole content.
    pub fn intern_dirty_pages(&mut self) {
        for page in &self.dirty[..self.dirty_used] {
            let words = page.words;
            self.scratch.clear();
            self.scratch.extend_from_slice(&page.data[..words]);
            if page.undef[..words].iter().any(|&word| word != 0) {
                self.scratch.extend_from_slice(&page.undef[..words]);
            }
            self.pages[page.slot] = self.components.intern(&self.scratch);
            self.dirty_of[page.slot] = 0;
        }
        self.dirty_used = 0;
    }

    /// The object of this name, if it exists: a dynamic object, a global of the state, or a constant.
    #[inline]
    pub fn region(&self, id: ObjectId) -> Option<Region> {
        if id.owner() != 0 {
            let object = &self.table.objects[self.table.find(id)?];
            let content = Content::Pages(object.base);
            let grows = object.extent != Extent::Stored;
            let (shared, holder) = (object.shared, object.holder());
            return Some(Region { id, size: object.size, grows, content, shared, holder });
        }
        let at = id.global_index()?;
        let global = self.program.globals.get(at).filter(|global| global.defined && !global.thread_local)?;
        let content = if global.constant { Content::Constant(at) } else { Content::Pages(self.global_base[at]) };
        Some(Region { id, size: global.size, grows: false, content, shared: true, holder: 0 })
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

    /// Logs that the running step depends on the whole content of an object, although it does not read it. An
    /// object that dies is such a case: in the next state another object may have its name.
    pub fn log_content(&self, id: ObjectId) {
        if let Some(Region { size, content: Content::Pages(base), .. }) = self.region(id) {
            (base..base + pages(size)).for_each(|slot| self.log.page(slot, self.pages[slot]));
        }
    }

    /// Adds an object with these components of pages.
    pub fn add(&mut self, mut object: Object, content: &[Id]) {
        object.base = self.pages.len();
        self.pages.extend_from_slice(content);
        self.dirty_of.resize(self.pages.len(), 0);
        self.table.insert(object);
    }

    /// The component of a page of `bytes` bytes, which are zero if `initialised` and else uninitialised.
    fn fresh_page(&mut self, bytes: u32, initialised: bool) -> Id {
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

    /// The components of the pages of a new object of `size` bytes, which are zero if `initialised` and else
    /// uninitialised.
    pub fn fresh_pages(&mut self, size: u32, initialised: bool) -> Vec<Id> {
        (0..pages(size) as u32)
            .map(|page| self.fresh_page((size - page * PAGE_BYTES).min(PAGE_BYTES), initialised))
            .collect()
    }

    /// The components of pages with this content.
    pub fn intern_pages(&mut self, content: &[Vec<u64>]) -> Vec<Id> {
        content.iter().map(|page| self.components.intern(page)).collect()
    }

    /// A data word of an object, and its undefined bits. `at` is the index of the word in the object.
    #[inline]
    fn word(&self, region: &Region, at: usize) -> (u64, u64) {
        let (page, word) = (at / PAGE_WORDS, at % PAGE_WORDS);
        let content: &[u64] = match region.content {
            Content::Constant(global) => &self.program.globals[global].pages[page],
            Content::Pages(base) => match self.dirty_of[base + page] {
                0 => {
                    let component = self.pages[base + page];
                    self.log.page(base + page, component);
                    self.components.get(component)
                }
                number => {
                    let dirty = &self.dirty[number as usize - 1];
                    return (dirty.data[word], dirty.undef[word]);
                }
            },
        };
        let words = page_words(region.size, page);
        (content[word], content.get(words + word).copied().unwrap_or(0))
    }

    /// Reads up to 16 bytes, which must be inside the object.
    #[inline]
    pub fn read(&self, region: &Region, offset: u32, len: u8) -> Bytes {
        if self.watches {
            self.watch_part(region, offset, len);
        }
        let (at, shift, width) = ((offset / 8) as usize, offset % 8 * 8, u32::from(len) * 8);
        let (bits, undef) = self.word(region, at);
        if shift != 0 || width < 64 {
            self.note_part(bits);
        }
        let (mut bits, mut undef) = (u128::from(bits) >> shift, u128::from(undef) >> shift);
        let mut have = 64 - shift;
        let mut next = at + 1;
        while have < width {
            let (more, more_undef) = self.word(region, next);
            bits |= u128::from(more) << have;
            undef |= u128::from(more_undef) << have;
            have += 64;
            if have > width {
                self.note_part(more);
            }
            next += 1;
        }
        let mask = if width == 128 { u128::MAX } else { (1 << width) - 1 };
        Bytes { bits: bits & mask, undef: undef & mask }
    }

    /// Writes up to 16 bytes, which must be inside the object.
    ///
    /// # Panics
    /// If the object is constant: callers refuse such writes.
    pub fn write(&mut self, region: &Region, offset: u32, len: u8, value: Bytes) {
        let Content::Pages(base) = region.content else { panic!("a constant is never written") };
        // A word that is written in part may be telling before the write, or be so after it.
        if self.watches {
            self.watch_part(region, offset, len);
            self.watch_value(offset, value);
        }
        if !offset.is_multiple_of(8) && len >= 8 {
            self.note_misaligned(value);
        }
        let (mut done, total) = (0, u32::from(len));
        while done < total {
            let next = offset + done;
            let (word, shift) = ((next / 8) as usize, next % 8 * 8);
            let bytes = (total - done).min(8 - next % 8);
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

    /// Makes the whole content of an object uninitialised. A constant stays as it is.
    pub fn forget_content(&mut self, region: &Region) {
        let Content::Pages(base) = region.content else { return };
        for (at, id) in self.fresh_pages(region.size, false).into_iter().enumerate() {
            self.set_page(base + at, id);
        }
    }

    /// Gives a page the content of a component.
    pub fn set_page(&mut self, slot: usize, id: Id) {
        if self.dirty_of[slot] != 0 {
            // The copy takes precedence over the component, so it must get the new content.
            let dirty = &mut self.dirty[self.dirty_of[slot] as usize - 1];
            let content = self.components.get(id);
            dirty.data[..dirty.words].copy_from_slice(&content[..dirty.words]);
            dirty.undef.fill(0);
            let undef = &content[dirty.words..];
            dirty.undef[..undef.len()].copy_from_slice(undef);
        }
        self.log.page(slot, self.pages[slot]);
        self.pages[slot] = id;
    }

    /// The copy of a page, which is made if the page is not dirty yet. `base` is the object's first slot, and
    /// `page` the index of the page in the object.
    fn dirty_page(&mut self, region: &Region, base: usize, page: usize) -> &mut DirtyPage {
        let slot = base + page;
        if self.dirty_of[slot] == 0 {
            if self.dirty_used == self.dirty.len() {
                self.dirty.push(DirtyPage { slot: 0, words: 0, data: [0; PAGE_WORDS], undef: [0; PAGE_WORDS] });
            }
            let dirty = &mut self.dirty[self.dirty_used];
            self.dirty_used += 1;
            self.dirty_of[slot] = u32::try_from(self.dirty_used).expect("few pages");
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
        &mut self.dirty[self.dirty_of[slot] as usize - 1]
    }
}
