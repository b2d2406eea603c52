//! The table of existing threads and dynamic memory objects. It is the component of a state that changes
//! least.

use std::ops::RangeInclusive;

use super::form::Form;
use super::kept_names::{KeptName, KeptNames};
use crate::ir::address::{MAX_INDEX, MAX_OBJECT, ObjectId, PAGE_BYTES, PAGE_WORDS};
use crate::ir::symbol::Symbol;
use crate::system::symbols::table::SymbolTable;

/// The kinds of memory objects, by the operation that makes and ends them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// `malloc` and its family.
    Heap,
    /// A local variable.
    Stack,
    /// A thread's own copy of a thread-local variable.
    ThreadLocal,
}

impl ObjectKind {
    /// The names of such objects within their owner. The heap has names of its own, so that the name in a
    /// dangling pointer determines the kind of object.
    #[must_use]
    pub const fn names(self) -> RangeInclusive<u32> {
        match self {
            Self::Heap => 1..=MAX_INDEX / 2,
            Self::Stack | Self::ThreadLocal => MAX_INDEX / 2 + 1..=MAX_INDEX,
        }
    }

    /// True if an object of this name is or was on the heap.
    #[must_use]
    pub const fn is_heap_name(id: ObjectId) -> bool {
        id.index() <= MAX_INDEX / 2
    }
}

/// The bytes that an object has beyond those that are stored (`system/inputs/sizes.rs`). All of them are
/// uninitialised, or all are zero ([`Object::zeroed`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// None: all are stored.
    #[default]
    Stored,
    /// Those up to this size of the whole object, which is larger than what is stored.
    Known(u32),
    /// Those up to the value of this symbol of 64 bits, which is at most [`MAX_OBJECT`], and not below the
    /// number of bytes that are stored.
    Open(Symbol),
}

/// A dynamic memory object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name.
    pub id: ObjectId,
    /// The number of bytes that are stored; the size, unless `extent` says otherwise.
    pub size: u32,
    /// The bytes beyond those.
    pub extent: Extent,
    /// True if the bytes that are not stored are zero.
    pub zeroed: bool,
    /// The kind of the object.
    pub kind: ObjectKind,
    /// The form of its allocation, for an object on the heap.
    pub form: Form,
    /// True if a thread other than its holder may know its address.
    pub shared: bool,
    /// The number of the thread, plus one, that took it over from the one that made it; 0 if none did.
    pub taker: u8,
    /// True if it is a local variable out of scope.
    pub dead: bool,
    /// For a local variable, the depth of the frame that owns it.
    pub depth: u32,
    /// Its first page in the working state. Not part of the state.
    pub base: usize,
}

impl Object {
    /// The greatest number of a thread, plus one, that may take over an object.
    pub const MOST_TAKER: usize = (1 << (SHARED.trailing_zeros() - TAKER)) - 1;

    /// The number of the thread, plus one, that accesses it without scheduling points unless it is shared.
    #[must_use]
    pub const fn holder(&self) -> u32 {
        if self.taker == 0 { self.id.owner() } else { self.taker as u32 }
    }

    /// A number of bytes that its size does not exceed.
    #[must_use]
    pub const fn most_bytes(&self) -> u32 {
        match self.extent {
            Extent::Stored => self.size,
            Extent::Known(size) => size,
            Extent::Open(_) => MAX_OBJECT as u32,
        }
    }
}

impl Extent {
    /// The bits of an object's second word.
    #[must_use]
    pub fn encoded(self) -> u64 {
        let (kind, value) = match self {
            Self::Stored => (0, 0),
            Self::Known(size) => (1, size),
            Self::Open(symbol) => (2, symbol.0.into()),
        };
        kind << EXTENT | u64::from(value) << EXTENT_VALUE
    }

    /// The inverse of [`Self::encoded`], of the whole word.
    const fn decoded(word: u64) -> Self {
        let value = (word >> EXTENT_VALUE) as u32;
        match word >> EXTENT & 3 {
            0 => Self::Stored,
            1 => Self::Known(value),
            _ => Self::Open(Symbol(value as u16)),
        }
    }

    /// The symbol of the size, if it is one.
    #[must_use]
    pub const fn symbol(self) -> Option<Symbol> {
        match self {
            Self::Open(symbol) => Some(symbol),
            Self::Stored | Self::Known(_) => None,
        }
    }
}

/// The kinds of states of a thread's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadState {
    /// No thread has this number now.
    Free,
    /// The thread exists, and will be joined.
    Joinable,
    /// The thread exists, and frees itself when it ends.
    Detached,
}

/// A thread that waits until another one wakes it, for example at a condition variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parked {
    /// The thread.
    pub thread: usize,
    /// The address at which it waits.
    pub at: u64,
    /// Further data on the wait, for example the mutex that belongs to it.
    pub with: u64,
}

/// Threads by number, and objects in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectTable {
    /// The states of threads. The last one is not free.
    pub threads: Vec<ThreadState>,
    /// The threads that wait to be woken, ascending. Their order of arrival is not kept: any may be woken
    /// first.
    pub parked: Vec<Parked>,
    /// The dynamic objects, ascending by name.
    pub objects: Vec<Object>,
    /// The names of objects that others knew when they ended: others may have dangling pointers with them,
    /// also when other objects have these names. Ascending.
    pub dangling: Vec<ObjectId>,
    /// The names that threads keep for their next objects.
    pub kept: KeptNames,
    /// The thread that is inside an atomic section. No other may take a step.
    pub atomic: Option<usize>,
    /// The number of atomic sections that it is inside within the outermost one.
    pub nested: u8,
    /// The barriers at which rounds were completed, by their addresses, with the number of rounds. Kept with
    /// update events only.
    pub rounds: Vec<(u64, u16)>,
    /// The inputs that are not chosen yet.
    pub symbols: SymbolTable,
}

/// The kind of an entry behind the objects: a dangling name, or one that a thread keeps.
const NAME: u64 = 3;
/// The position of the taker in an object's second word. Below it is the kind.
const TAKER: u32 = 2;
const SHARED: u64 = 1 << 8;
const DEAD: u64 = 1 << 9;
const ZEROED: u64 = 1 << 10;
/// The position of the kind of the extent in an object's second word.
const EXTENT: u32 = 11;
/// The position of the number or symbol of the extent, which has 32 bits.
const EXTENT_VALUE: u32 = 13;
/// The position of the form, which has 3 bits.
const FORM: u32 = 45;
/// The position of the depth, which has 16 bits.
const DEPTH: u32 = 48;
/// Where the first word has the number of words that describe symbols; below it is the number of threads.
const SYMBOLS: u32 = 8;
/// The position of the atomic thread, plus one, in the first word.
const ATOMIC: u32 = 32;
/// The position of the number of parked threads in the first word.
const PARKED: u32 = 40;
/// The position of the number of nested atomic sections in the first word.
const NESTED: u32 = 48;
/// The position of the number of barriers with rounds in the first word.
const ROUNDS: u32 = 56;
/// The position of the number of rounds in the word of such a barrier. Below it is the address.
const ROUND: u32 = 48;
/// The position of the number of a parked thread in its first word. Below it is the address.
const PARKED_THREAD: u32 = 48;

/// True if the second word of an entry is that of a name without an object.
const fn is_name(word: u64) -> bool {
    word & ((1 << TAKER) - 1) == NAME
}

/// The number of pages that `size` bytes take.
#[must_use]
pub const fn pages(size: u32) -> usize {
    size.div_ceil(PAGE_BYTES) as usize
}

/// The number of data words of the page with index `page` of an object of `size` bytes.
#[inline]
pub(super) fn page_words(size: u32, page: usize) -> usize {
    (size.div_ceil(8) as usize - page * PAGE_WORDS).min(PAGE_WORDS)
}

/// The number of data words of each page of an object of `size` bytes.
pub fn words_of_pages(size: u32) -> impl Iterator<Item = usize> {
    (0..pages(size)).map(move |page| page_words(size, page))
}

impl ObjectTable {
    /// Appends the canonical form to `out`.
    pub fn encode(&self, out: &mut Vec<u64>) {
        let atomic = self.atomic.map_or(0, |thread| thread as u64 + 1);
        let nested = u64::from(self.nested) << NESTED;
        let rounds = (self.rounds.len() as u64) << ROUNDS;
        let head = out.len();
        out.push(self.threads.len() as u64 | atomic << ATOMIC | (self.parked.len() as u64) << PARKED | nested | rounds);
        out.extend(self.threads.iter().map(|&state| state as u64));
        out.extend(self.parked.iter().flat_map(|one| [(one.thread as u64) << PARKED_THREAD | one.at, one.with]));
        out.extend(self.rounds.iter().map(|&(at, count)| u64::from(count) << ROUND | at));
        let begin = out.len();
        self.symbols.encode(out);
        let symbols = out.len() - begin;
        assert!(symbols < 1 << (ATOMIC - SYMBOLS), "a state has few symbols with few ranges");
        out[head] |= (symbols as u64) << SYMBOLS;
        for object in &self.objects {
            let flag = |is_set: bool, flag: u64| if is_set { flag } else { 0 };
            let flags = flag(object.shared, SHARED) | flag(object.dead, DEAD) | flag(object.zeroed, ZEROED);
            assert!(object.depth < 1 << (64 - DEPTH), "the depth of frames is bounded");
            out.push(u64::from(object.id.0) << 32 | u64::from(object.size));
            let places =
                (object.form as u64) << FORM | u64::from(object.depth) << DEPTH | u64::from(object.taker) << TAKER;
            out.push(object.kind as u64 | flags | object.extent.encoded() | places);
        }
        out.extend(self.dangling.iter().flat_map(|id| [u64::from(id.0) << 32, NAME]));
        for [name, thread] in self.kept.iter().map(KeptName::encoded) {
            out.extend([name, thread | NAME]);
        }
    }

    /// The inverse of [`ObjectTable::encode`]. Pages are laid out in order from page `base`.
    pub fn decode(&mut self, words: &[u64], mut base: usize) {
        self.threads.clear();
        self.parked.clear();
        self.rounds.clear();
        self.objects.clear();
        self.dangling.clear();
        self.kept.clear();
        let (count, objects) = Self::parts(words[0]);
        let symbols = objects - Self::symbol_words(words[0]);
        let rounds = symbols - (words[0] >> ROUNDS) as usize;
        self.nested = (words[0] >> NESTED) as u8;
        self.atomic = usize::from((words[0] >> ATOMIC) as u8).checked_sub(1);
        self.threads.extend(words[1..=count].iter().map(|&word| match word {
            0 => ThreadState::Free,
            1 => ThreadState::Joinable,
            _ => ThreadState::Detached,
        }));
        self.parked.extend(words[1 + count..rounds].chunks_exact(2).map(|pair| Parked {
            thread: (pair[0] >> PARKED_THREAD) as usize,
            at: pair[0] & ((1 << PARKED_THREAD) - 1),
            with: pair[1],
        }));
        self.symbols.decode(&words[symbols..objects]);
        let counts = words[rounds..symbols].iter();
        self.rounds.extend(counts.map(|&word| (word & ((1 << ROUND) - 1), (word >> ROUND) as u16)));
        for pair in words[objects..].chunks_exact(2) {
            let (id, size) = (ObjectId((pair[0] >> 32) as u32), pair[0] as u32);
            if is_name(pair[1]) {
                match KeptName::decoded([pair[0], pair[1]]) {
                    Some(kept) => _ = self.kept.keep(kept),
                    None => self.dangling.push(id),
                }
                continue;
            }
            self.objects.push(Object {
                id,
                size,
                kind: match pair[1] & ((1 << TAKER) - 1) {
                    0 => ObjectKind::Heap,
                    1 => ObjectKind::Stack,
                    _ => ObjectKind::ThreadLocal,
                },
                form: Form::decoded(pair[1] >> FORM & 7),
                shared: pair[1] & SHARED != 0,
                taker: ((pair[1] & (SHARED - 1)) >> TAKER) as u8,
                dead: pair[1] & DEAD != 0,
                extent: Extent::decoded(pair[1]),
                zeroed: pair[1] & ZEROED != 0,
                depth: (pair[1] >> DEPTH) as u32,
                base,
            });
            base += pages(size);
        }
    }

    /// The number of threads for which an encoded object table has room.
    #[must_use]
    pub const fn threads_of(words: &[u64]) -> usize {
        words[0] as u8 as usize
    }

    /// True if a thread of an encoded object table exists.
    #[must_use]
    pub fn has_thread(words: &[u64], thread: usize) -> bool {
        thread < Self::threads_of(words) && words[1 + thread] != ThreadState::Free as u64
    }

    /// The thread inside an atomic section in an encoded object table.
    #[must_use]
    pub fn atomic_of(words: &[u64]) -> Option<usize> {
        usize::from((words[0] >> ATOMIC) as u8).checked_sub(1)
    }

    /// The names of the objects in an encoded object table, each with its number of pages.
    pub fn objects_of(words: &[u64]) -> impl Iterator<Item = (ObjectId, usize)> {
        let (_, objects) = Self::parts(words[0]);
        let pairs = words[objects..].chunks_exact(2).take_while(|pair| !is_name(pair[1]));
        pairs.map(|pair| (ObjectId((pair[0] >> 32) as u32), pages(pair[0] as u32)))
    }

    /// True if an encoded object table has symbols.
    #[must_use]
    pub const fn has_symbols(words: &[u64]) -> bool {
        Self::symbol_words(words[0]) > 0
    }

    /// The encoded symbols of an encoded object table.
    #[must_use]
    pub fn symbols_of(words: &[u64]) -> &[u64] {
        let (_, objects) = Self::parts(words[0]);
        &words[objects - Self::symbol_words(words[0])..objects]
    }

    /// The number of threads, and the index of the first object, in an encoded object table with this first
    /// word.
    const fn parts(first: u64) -> (usize, usize) {
        let (threads, parked) = (first as u8 as usize, (first >> PARKED) as u8 as usize);
        (threads, 1 + threads + 2 * parked + (first >> ROUNDS) as usize + Self::symbol_words(first))
    }

    /// How many words describe symbols in an encoded object table with this first word.
    const fn symbol_words(first: u64) -> usize {
        (first as u32 >> SYMBOLS) as usize
    }

    /// The index of the object of this name, if it exists.
    #[inline]
    #[must_use]
    pub fn find(&self, id: ObjectId) -> Option<usize> {
        self.objects.binary_search_by_key(&id, |object| object.id).ok()
    }

    /// The lowest free name of an owner for an object of this kind; `None` if all are taken.
    #[must_use]
    pub fn free_name(&self, owner: u32, kind: ObjectKind) -> Option<ObjectId> {
        let names = kind.names();
        let first = self.objects.partition_point(|object| object.id < ObjectId::new(owner, *names.start()));
        let mut taken = self.objects[first..].iter().map(|object| object.id).peekable();
        let mut names = names.map(|index| ObjectId::new(owner, index));
        names.find(|name| taken.next_if_eq(name).is_none() && !self.kept.has(*name))
    }

    /// The threads, plus one each, whose names are taken or dangling in an encoded object table.
    pub fn owners_of(words: &[u64]) -> impl Iterator<Item = u32> {
        let (_, objects) = Self::parts(words[0]);
        words[objects..].iter().step_by(2).map(|&word| ObjectId((word >> 32) as u32).owner())
    }

    /// True if others may have dangling pointers with the name that the next object of an owner gets.
    #[must_use]
    pub fn next_is_dangling(&self, owner: u32, kind: ObjectKind) -> bool {
        let keeps_name = || kind == ObjectKind::Heap && self.kept.of(owner as usize - 1).is_some();
        !self.dangling.is_empty()
            && (keeps_name() || self.free_name(owner, kind).is_some_and(|id| self.is_dangling(id)))
    }

    /// True if others may have dangling pointers with a name.
    #[must_use]
    pub fn is_dangling(&self, id: ObjectId) -> bool {
        self.dangling.binary_search(&id).is_ok()
    }

    /// Notes that others may have dangling pointers with a name from now on.
    pub fn dangles(&mut self, id: ObjectId) {
        if let Err(at) = self.dangling.binary_search(&id) {
            self.dangling.insert(at, id);
        }
    }

    /// Adds an object.
    pub fn insert(&mut self, object: Object) {
        let at = self.objects.partition_point(|other| other.id < object.id);
        self.objects.insert(at, object);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::symbols::ranges::Ranges;

    fn object(owner: u32, index: u32, size: u32) -> Object {
        let id = ObjectId::new(owner, index);
        let extent = Extent::Stored;
        Object {
            id,
            size,
            extent,
            zeroed: false,
            kind: ObjectKind::Heap,
            form: Form::Array,
            shared: true,
            taker: 0,
            dead: false,
            depth: 3,
            base: 0,
        }
    }

    #[test]
    fn encoding_comes_back() {
        let mut symbols = SymbolTable::default();
        symbols.input(32, Ranges::from_to(3, 77)).expect("there is room");
        let mut table = ObjectTable {
            threads: vec![ThreadState::Joinable, ThreadState::Detached],
            atomic: Some(1),
            nested: 3,
            rounds: vec![(5, 1), ((1 << 47) - 1, u16::MAX)],
            symbols,
            ..ObjectTable::default()
        };
        table.parked.push(Parked { thread: 1, at: (1 << 47) - 1, with: 7 });
        table.insert(object(2, 1, 300));
        table.insert(object(1, 2, 8));
        table.insert(Object { extent: Extent::Known(u32::MAX), depth: 4097, ..object(3, 1, 8) });
        let symbol = Symbol(Symbol::MOST as u16 - 1);
        table.insert(Object { extent: Extent::Open(symbol), zeroed: true, ..object(3, 2, 0) });
        table.insert(Object { taker: Object::MOST_TAKER as u8, ..object(3, 3, 8) });
        [(7, 2), (1, 9)].into_iter().for_each(|(owner, index)| table.dangles(ObjectId::new(owner, index)));
        table.kept.keep(KeptName { thread: 5, id: ObjectId::new(1, 9), size: 24 });
        table.kept.keep(KeptName { thread: 0, id: ObjectId::new(7, 2), size: 0 });
        let mut words = Vec::new();
        table.encode(&mut words);
        let mut back = ObjectTable::default();
        back.decode(&words, 5);
        assert_eq!(back.objects.iter().map(|object| object.base).collect::<Vec<_>>(), [5, 6, 11, 12, 12]);
        assert_eq!(ObjectTable::objects_of(&words).map(|(_, pages)| pages).sum::<usize>(), 8);
        assert_eq!(ObjectTable::objects_of(&words).count(), 5);
        assert_eq!(ObjectTable::owners_of(&words).collect::<Vec<_>>(), [1, 2, 3, 3, 3, 1, 7, 7, 1]);
        back.objects.iter_mut().for_each(|object| object.base = 0);
        assert_eq!(back, table);
    }

    #[test]
    fn names_are_the_lowest_free_ones() {
        let mut table = ObjectTable::default();
        table.insert(object(1, 1, 8));
        table.insert(object(1, 3, 8));
        table.insert(object(2, 1, 8));
        assert_eq!(table.free_name(1, ObjectKind::Heap), Some(ObjectId::new(1, 2)));
        assert_eq!(table.free_name(2, ObjectKind::Heap), Some(ObjectId::new(2, 2)));
        assert_eq!(table.free_name(3, ObjectKind::Heap), Some(ObjectId::new(3, 1)));
        table.kept.keep(KeptName { thread: 6, id: ObjectId::new(3, 1), size: 8 });
        assert_eq!(table.free_name(3, ObjectKind::Heap), Some(ObjectId::new(3, 2)));
        table.dangles(ObjectId::new(1, 2));
        assert!(table.next_is_dangling(1, ObjectKind::Heap) && !table.next_is_dangling(1, ObjectKind::Stack));
        table.insert(object(1, 2, 8));
        assert!(table.is_dangling(ObjectId::new(1, 2)) && !table.next_is_dangling(1, ObjectKind::Heap));
        let stack = table.free_name(1, ObjectKind::Stack).expect("names are left");
        assert!(!ObjectKind::is_heap_name(stack));
    }
}
