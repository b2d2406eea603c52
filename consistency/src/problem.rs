//! A history under a memory model, with everything that the algorithms ask for many times as an index.
//!
//! * Events have numbers thread by thread. Each write of an event is a *store*, with numbers in the same
//!   order.
//! * A *slot* is a cell as one store wrote it; the first slots are the cells as they were initially. A read
//!   is a list of slots.
//! * A delayed store is made by its event and reaches memory later, in the order that the model gives the
//!   stores of a thread: those of an earlier *epoch* come first, and of those that share a cell the earlier
//!   one. Other stores reach memory with their event.

use std::ops::Range;

use rmc_runtime::Model;
use smallvec::SmallVec;

use crate::cells::{Cell, Cells};
use crate::history::{Event, EventId, EventKind, History, HistoryError, Place, Source};

/// The number of an event.
pub type EventNumber = usize;
/// The number of a store.
pub type StoreNumber = usize;
/// The number of a slot.
pub type Slot = u32;

/// A read of one cell.
#[derive(Clone, Copy, Debug)]
pub struct CellRead {
    /// The cell.
    pub cell: Cell,
    /// The slot that is read.
    pub slot: Slot,
    /// The newest store to the cell before the read in its own thread.
    pub own: Option<u32>,
}

/// A store.
#[derive(Clone, Copy, Debug)]
pub struct Store {
    /// Its event.
    pub event: u32,
    /// The number of the write in its event, if it is delayed.
    pub write: u32,
    /// The first of its slots, one for each of its cells in order.
    pub first_slot: Slot,
    /// Its cells.
    pub first_cell: Cell,
    /// The number of its cells.
    pub cells: u32,
    /// True if it reaches memory later than its event happens.
    pub delayed: bool,
    /// Its epoch in its thread.
    pub epoch: u32,
    /// A cell and the slot that it has to have when the store reaches memory; else the store has no effect.
    pub life: Option<(Cell, Slot)>,
    /// True if it may have no effect.
    pub may_be_lost: bool,
}

impl Store {
    /// Its cells and slots.
    #[inline]
    pub fn slots(&self) -> impl Iterator<Item = (Cell, Slot)> + use<> {
        (self.first_cell..self.first_cell + self.cells).zip(self.first_slot..)
    }
}

/// A history under a memory model.
#[derive(Debug)]
pub struct Problem {
    /// The events of each thread.
    pub threads: Vec<Range<EventNumber>>,
    /// The kind of each event.
    pub kinds: Vec<EventKind>,
    /// The stores of each event: from this number to that of the next event.
    stores_from: Vec<u32>,
    /// The reads of each event, likewise.
    reads_from: Vec<u32>,
    reads: Vec<CellRead>,
    /// The stores.
    pub stores: Vec<Store>,
    /// The number of cells.
    pub cells: usize,
    /// The store of each slot; `None` for the initial ones, which have the numbers of their cells.
    pub slot_stores: Vec<Option<u32>>,
    /// The number of reads of each slot.
    pub readers: Vec<u32>,
    /// Pairs of stores of which the first has to reach memory before the second: a later event of the first
    /// one's thread reads a cell from the second, and the first is the newest of its thread to that cell.
    pub hidden: Vec<(u32, u32)>,
    /// True if a read can have its source under no model: a later store of its own thread, or one that a
    /// newer store of its own thread hides.
    pub is_absurd: bool,
    /// True if every two accesses touch the same cells or none in common.
    pub is_uniform: bool,
    /// True if the stores of each thread that have reached memory are always a prefix of its stores. Never
    /// under PSO.
    pub is_fifo: bool,
}

impl Problem {
    /// A history under a model.
    ///
    /// # Errors
    /// The history means nothing.
    pub fn new(history: &History, model: Model) -> Result<Self, HistoryError> {
        let cells = Cells::of(checked_places(history)?);
        let mut problem = Self::with_stores(history, model, &cells);
        problem.add_reads(history, &cells)?;
        problem.add_lives(history, &cells)?;
        problem.check_at_once()?;
        problem.find_order(model);
        Ok(problem)
    }

    fn with_stores(history: &History, model: Model, cells: &Cells) -> Self {
        let mut slot_stores = vec![None; cells.count()];
        let (mut threads, mut kinds, mut stores_from, mut stores) = (Vec::new(), Vec::new(), vec![0], Vec::new());
        let mut is_uniform = true;
        for events in &history.threads {
            let first = kinds.len();
            // Each barrier begins an epoch, and so does each larger number that an event gives.
            let (mut epoch, mut given) = (0, 0);
            for event in events {
                // Those at once come first, so that under TSO the stores in memory are the first ones of
                // their thread, unless some do not wait for the buffer.
                let at_once = event.at_once.iter().map(|&place| (place, 0, false));
                let is_plain = event.kind != EventKind::Atomic;
                let writes = event.writes.iter().zip(0..).map(|(&place, write)| (place, write, is_plain));
                for (place, write, is_delayed) in at_once.chain(writes) {
                    let range = cells.of_place(place);
                    is_uniform &= range.len() == 1;
                    let store = stores.len() as u32;
                    let first_slot = slot_stores.len() as Slot;
                    slot_stores.extend(range.clone().map(|_| Some(store)));
                    let life = event.lives.get(write as usize).copied().flatten().filter(|_| is_delayed);
                    let number = event.epochs.get(write as usize).copied().filter(|_| is_delayed);
                    epoch += u32::from(number.map_or(is_delayed && model == Model::Tso, |number| number > given));
                    given = given.max(number.unwrap_or(0));
                    stores.push(Store {
                        event: kinds.len() as u32,
                        write,
                        first_slot,
                        first_cell: range.start,
                        cells: range.len() as u32,
                        delayed: is_delayed && (model != Model::Sc || number.is_some()),
                        epoch,
                        life: None,
                        may_be_lost: life.is_some(),
                    });
                }
                epoch += u32::from(event.kind == EventKind::StoreBarrier);
                kinds.push(event.kind);
                stores_from.push(stores.len() as u32);
            }
            threads.push(first..kinds.len());
        }
        Self {
            threads,
            kinds,
            stores_from,
            reads_from: Vec::new(),
            reads: Vec::new(),
            stores,
            cells: cells.count(),
            readers: vec![0; slot_stores.len()],
            slot_stores,
            hidden: Vec::new(),
            is_absurd: false,
            is_uniform,
            is_fifo: true,
        }
    }

    /// Finds the slots that delayed stores depend on.
    fn add_lives(&mut self, history: &History, cells: &Cells) -> Result<(), HistoryError> {
        for number in 0..self.stores.len() {
            let Store { event, write, delayed, .. } = self.stores[number];
            let event = event as EventNumber;
            let life = history.event(self.id(event)).lives.get(write as usize).copied().flatten();
            let Some(place) = life.filter(|_| delayed) else { continue };
            let range = cells.of_place(place);
            let mut own = self.stores_of(event).rev().map(|store| &self.stores[store]).filter(|store| !store.delayed);
            if let Some(slot) = own.find_map(|store| store.slots().find(|&(cell, _)| cell == range.start)) {
                self.stores[number].life = Some(slot);
                continue;
            }
            let read = self.reads_of(event).iter().find(|read| read.cell == range.start && range.len() == 1);
            let read = read.ok_or_else(|| HistoryError::UnreadLife(self.id(event)))?;
            self.stores[number].life = Some((read.cell, read.slot));
        }
        let lives: Vec<Cell> = self.stores.iter().filter_map(|store| Some(store.life?.0)).collect();
        let mut delayed = self.stores.iter().filter(|store| store.delayed);
        match delayed.find(|store| store.slots().any(|(cell, _)| lives.contains(&cell))) {
            Some(store) => Err(HistoryError::DelayedLife(self.id(store.event as EventNumber))),
            None => Ok(()),
        }
    }

    /// Checks that no thread writes at once, without waiting for its buffer, what it stored before with
    /// delay, unless it ends what that store depends on.
    fn check_at_once(&self) -> Result<(), HistoryError> {
        for events in &self.threads {
            let mut delayed: Vec<&Store> = Vec::new();
            for event in events.clone() {
                if self.waits_for_buffer(event) {
                    delayed.clear();
                }
                for store in self.stores_of(event).map(|store| &self.stores[store]) {
                    if store.delayed {
                        delayed.push(store);
                        continue;
                    }
                    let overlaps = |earlier: &&&Store| {
                        earlier.first_cell < store.first_cell + store.cells
                            && store.first_cell < earlier.first_cell + earlier.cells
                    };
                    let mut found = delayed.iter().filter(overlaps);
                    if let Some(earlier) = found.find(|earlier| !self.ends(store.event, earlier)) {
                        return Err(HistoryError::DelayedAndAtOnce(self.id(earlier.event as EventNumber)));
                    }
                }
            }
        }
        Ok(())
    }

    /// True if an event writes at once what the effect of a store depends on.
    fn ends(&self, event: u32, store: &Store) -> bool {
        let mut stores = self.stores_of(event as EventNumber).map(|store| &self.stores[store]);
        store
            .life
            .is_some_and(|(life, _)| stores.any(|store| !store.delayed && store.slots().any(|(cell, _)| cell == life)))
    }

    /// Finds out whether stores of a thread reach memory in program order. Under PSO it is not asked whether
    /// barriers happen to be everywhere.
    fn find_order(&mut self, model: Model) {
        let is_free = |store: &Store| !store.delayed && !self.waits_for_buffer(store.event as EventNumber);
        self.is_fifo = model != Model::Pso
            && (0..self.threads.len()).all(|thread| {
                let stores = &self.stores[self.stores_of_thread(thread)];
                let mut delayed = stores.iter().filter(|store| store.delayed).map(|store| store.epoch);
                let has_delayed = stores.iter().any(|store| store.delayed);
                delayed.by_ref().is_sorted_by(|one, other| one < other) && !(has_delayed && stores.iter().any(is_free))
            });
    }

    fn add_reads(&mut self, history: &History, cells: &Cells) -> Result<(), HistoryError> {
        let mut newest: Vec<Option<u32>> = vec![None; self.cells];
        let mut written: Vec<Cell> = Vec::new();
        self.reads_from.push(0);
        for (thread, events) in history.threads.iter().enumerate() {
            for (index, event) in events.iter().enumerate() {
                let number = self.threads[thread].start + index;
                let first = self.reads.len();
                for read in &event.reads {
                    let range = cells.of_place(read.place);
                    self.is_uniform &= range.len() == 1;
                    for cell in range {
                        let slot = self.slot(history, read.source, cell, number)?;
                        self.add_read(number, CellRead { cell, slot, own: newest[cell as usize] });
                    }
                }
                let mine = &self.reads[first..];
                if mine.iter().enumerate().any(|(at, read)| mine[..at].iter().any(|other| other.cell == read.cell)) {
                    return Err(HistoryError::ReadsTwice(self.id(number)));
                }
                self.reads_from.push(self.reads.len() as u32);
                for store in self.stores_of(number) {
                    for (cell, _) in self.stores[store].slots() {
                        newest[cell as usize] = Some(store as u32);
                        written.push(cell);
                    }
                }
            }
            written.drain(..).for_each(|cell| newest[cell as usize] = None);
        }
        self.hidden.sort_unstable();
        self.hidden.dedup();
        Ok(())
    }

    /// The slot of a cell that an event reads from a source.
    fn slot(&self, history: &History, source: Source, cell: Cell, reader: EventNumber) -> Result<Slot, HistoryError> {
        let Some(id) = source.event() else { return Ok(cell) };
        let events = history.threads.get(id.thread as usize).map_or(0, Vec::len);
        if id.index as usize >= events {
            return Err(HistoryError::NoSuchSource(self.id(reader)));
        }
        let stores = self.stores_of(self.number(id));
        let at_once = stores.start + history.event(id).at_once.len();
        let meant = match source {
            Source::Write(_, write) => {
                let only = at_once + write as usize;
                only.min(stores.end)..(only + 1).min(stores.end)
            }
            Source::AtOnce(_) => stores.start..at_once,
            Source::Event(_) | Source::Initial => stores,
        };
        let writes = |store: &StoreNumber| self.stores[*store].slots().any(|(written, _)| written == cell);
        let store = meant.rev().find(writes);
        let store = store.ok_or_else(|| HistoryError::SourceWritesElsewhere(self.id(reader)))?;
        let store = &self.stores[store];
        Ok(store.first_slot + (cell - store.first_cell))
    }

    fn add_read(&mut self, reader: EventNumber, read: CellRead) {
        self.readers[read.slot as usize] += 1;
        self.reads.push(read);
        let source = self.slot_stores[read.slot as usize];
        let is_later = source.is_some_and(|store| {
            let event = self.stores[store as usize].event as EventNumber;
            self.thread_of(event) == self.thread_of(reader) && event >= reader
        });
        // A store that may be lost hides nothing then.
        match (read.own.filter(|&own| !self.stores[own as usize].may_be_lost), source) {
            (Some(own), Some(store)) if own != store => {
                self.hidden.push((own, store));
                let thread = |store: u32| self.thread_of(self.stores[store as usize].event as EventNumber);
                self.is_absurd |= thread(own) == thread(store);
            }
            (Some(_), None) => self.is_absurd = true,
            _ => {}
        }
        self.is_absurd |= is_later;
    }

    /// The reads of an event.
    #[inline]
    pub fn reads_of(&self, event: EventNumber) -> &[CellRead] {
        &self.reads[self.reads_from[event] as usize..self.reads_from[event + 1] as usize]
    }

    /// The stores of an event.
    #[inline]
    pub fn stores_of(&self, event: EventNumber) -> Range<StoreNumber> {
        self.stores_from[event] as usize..self.stores_from[event + 1] as usize
    }

    /// The stores of a thread.
    #[inline]
    pub fn stores_of_thread(&self, thread: usize) -> Range<StoreNumber> {
        self.stores_of_range(&self.threads[thread])
    }

    /// The stores of some events.
    #[inline]
    pub fn stores_of_range(&self, events: &Range<EventNumber>) -> Range<StoreNumber> {
        self.stores_from[events.start] as usize..self.stores_from[events.end] as usize
    }

    /// The number of events.
    #[inline]
    pub const fn events(&self) -> usize {
        self.kinds.len()
    }

    /// The thread of an event.
    #[inline]
    pub fn thread_of(&self, event: EventNumber) -> usize {
        self.threads.partition_point(|events| events.end <= event)
    }

    /// The position of an event.
    pub fn id(&self, event: EventNumber) -> EventId {
        let thread = self.thread_of(event);
        EventId::new(thread as u32, (event - self.threads[thread].start) as u32)
    }

    /// The number of the event at a position.
    pub fn number(&self, id: EventId) -> EventNumber {
        self.threads[id.thread as usize].start + id.index as usize
    }

    /// True if an event waits until the buffer of its thread is empty.
    #[inline]
    pub fn waits_for_buffer(&self, event: EventNumber) -> bool {
        matches!(self.kinds[event], EventKind::Fence | EventKind::Atomic)
    }
}

/// All places of a history.
fn checked_places(history: &History) -> Result<Vec<Place>, HistoryError> {
    let mut places = Vec::new();
    for id in history.positions() {
        let Event { kind, reads, writes, at_once, lives: _, epochs: _ } = history.event(id);
        let written = writes.iter().chain(at_once).copied();
        let mine: SmallVec<[Place; 2]> = reads.iter().map(|read| read.place).chain(written).collect();
        if *kind == EventKind::StoreBarrier && !mine.is_empty() {
            return Err(HistoryError::BarrierTouches(id));
        }
        if mine.iter().any(|place| place.len == 0 || place.end() > 1 << 32) {
            return Err(HistoryError::BadPlace(id));
        }
        places.extend(mine);
    }
    Ok(places)
}
