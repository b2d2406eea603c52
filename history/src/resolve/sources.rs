//! The sources of reads, from what a history says of them: the sources themselves, or values.
//!
//! A value is compared cell by cell, as all bytes of a cell have one source. A read has every source that
//! could have given it the value, the initial memory included; there must be exactly one. Of several, those
//! that no model allows do not count. That changes no answer: a history with values is allowed if it is
//! allowed with some choice of sources. They are
//!
//! * the read's own event, and events after it in its thread,
//! * the initial memory, if another cell of the read is from a store to this cell, too: that store overwrote
//!   the initial memory.

use std::collections::HashMap;

use rmc_consistency::{EventId, Place, Read, Source};

use super::Failure;
use super::bytes::{Cell, Variables, operations};
use crate::error::{Ambiguity, Problem};
use crate::located::{Entry, Item};
use crate::recorded::{Bytes, EventName, Load, Operation, Origin, Part, Recorded, SourceName};

/// The stores of a history, by their values.
pub struct Sources<'v> {
    entry: Entry<'v>,
    variables: &'v Variables<'v>,
    /// The stores that give a cell a value.
    by_value: HashMap<(Cell, u64), Vec<EventId>>,
    /// A store to each cell whose value is not known, if there is one.
    unknown: HashMap<Cell, EventId>,
}

/// The value that a store gives a cell.
enum Stored {
    Nothing,
    Unknown,
    Value(u64),
}

/// The sources that may have given a cell its value.
struct Possible {
    value: u64,
    first: Source,
    second: Option<Source>,
    /// The number of them without the first.
    others: usize,
}

impl Possible {
    /// The only one, if there is no other.
    fn only(&self) -> Option<Source> {
        (self.others == 0).then_some(self.first)
    }

    /// Leaves out the initial memory, if there is one other source.
    fn drop_initial(&mut self) {
        if let (Source::Initial, Some(second), 1) = (self.first, self.second, self.others) {
            (self.first, self.others) = (second, 0);
        }
    }
}

impl<'v> Sources<'v> {
    /// The stores of a history.
    pub fn of<'e: 'v>(entry: Entry<'e>, variables: &'v Variables<'e>) -> Result<Self, Failure> {
        let (mut by_value, mut unknown) = (HashMap::<_, Vec<EventId>>::new(), HashMap::new());
        for (item, operation) in operations(&entry.located.recorded) {
            let Some((part, value)) = operation.stores() else { continue };
            let place = variables.place(part).map_err(|problem| (item, problem))?;
            for cell in variables.cells(place) {
                match value {
                    Some(value) => {
                        let stores = by_value.entry((cell, cell.value_of(place.offset, value))).or_default();
                        stores.push(id(item));
                    }
                    None => drop(unknown.insert(cell, id(item))),
                }
            }
        }
        Ok(Self { entry, variables, by_value, unknown })
    }

    /// The reads of an event or a final value, with sources.
    pub fn of_load(
        &self,
        item: Item,
        load: &Load,
        find: impl Fn(&EventName) -> Result<EventId, Problem>,
    ) -> Result<Vec<Read>, Failure> {
        let reads = if load.from.is_empty() { self.by_value(item, load) } else { self.by_origin(item, load, find) };
        let mut reads = reads.map_err(|problem| (item, problem))?;
        reads.dedup_by(|next, read| {
            let joins = next.source == read.source && u64::from(next.place.offset) == read.place.end();
            read.place.len += if joins { next.place.len } else { 0 };
            joins
        });
        Ok(reads)
    }

    fn by_value(&self, item: Item, load: &Load) -> Result<Vec<Read>, Problem> {
        let place = self.variables.place(&load.part)?;
        let value = load.value.ok_or_else(|| Problem::NothingRead(self.text(item)))?;
        let possible = |cell: Cell| self.possible(item, load, cell, cell.value_of(place.offset, value));
        let sure: Vec<Source> = self.variables.cells(place).filter_map(|cell| possible(cell).ok()?.only()).collect();
        let read = |cell: Cell| {
            let mut sources = possible(cell)?;
            // Among the sources of other cells is one that overwrote the initial memory here.
            if sources.others > 0 && sure.iter().any(|&source| self.writes(source, cell)) {
                sources.drop_initial();
            }
            let source = sources.only().ok_or_else(|| self.ambiguous(item, load, cell, &sources))?;
            Ok(Read { place: cell.place(), source })
        };
        self.variables.cells(place).map(read).collect()
    }

    /// The sources that may have given a cell a value.
    fn possible(&self, item: Item, load: &Load, cell: Cell, value: u64) -> Result<Possible, Problem> {
        let initial = self.variables.initial(cell);
        if let Some(&store) = self.unknown.get(&cell) {
            let source = Source::Event(store);
            let source_event = self.described(source);
            let example = self.with_source(item, load, cell, source);
            return Err(Problem::ValueUnknown { part: self.part(cell), source_event, example });
        }
        let stores = self.by_value.get(&(cell, value)).map_or(&[][..], Vec::as_slice);
        let all = || {
            let initial = Some(Source::Initial).filter(|_| initial == value);
            initial.into_iter().chain(stores.iter().map(|&store| Source::Event(store)))
        };
        let mut sources = all().filter(|&source| is_before(source, item)).fuse();
        let (first, second) = (sources.next(), sources.next());
        let first = first.or_else(|| all().next());
        let first = first.ok_or_else(|| Problem::NoSuchValue { part: self.part(cell), value, initial })?;
        Ok(Possible { value, first, second, others: usize::from(second.is_some()) + sources.count() })
    }

    fn ambiguous(&self, item: Item, load: &Load, cell: Cell, sources: &Possible) -> Problem {
        let second = sources.second.expect("there are several");
        Problem::Ambiguous(Box::new(Ambiguity {
            part: self.part(cell),
            value: sources.value,
            first: self.described(sources.first),
            second: self.described(second),
            example: self.with_source(item, load, cell, second),
        }))
    }

    /// True for a store to a cell.
    fn writes(&self, source: Source, cell: Cell) -> bool {
        let Source::Event(id) = source else { return false };
        self.stored(id, cell).is_ok_and(|stored| !matches!(stored, Stored::Nothing))
    }

    fn by_origin(
        &self,
        item: Item,
        load: &Load,
        find: impl Fn(&EventName) -> Result<EventId, Problem>,
    ) -> Result<Vec<Read>, Problem> {
        let place = self.variables.place(&load.part)?;
        if load.from.len() > 1 && load.from.iter().any(|origin| origin.part.is_none()) {
            return Err(Problem::NotDivided(self.text(item)));
        }
        let mut origins = Vec::new();
        for origin in &load.from {
            let source = match &origin.source {
                SourceName::Initial => Source::Initial,
                SourceName::Event(name) => Source::Event(find(name)?),
            };
            let part = origin.part.as_ref().map_or(Ok(place), |part| self.variables.place(part))?;
            let is_inside = part.object == place.object && part.offset >= place.offset && part.end() <= place.end();
            if let Some(outside) = origin.part.clone().filter(|_| !is_inside) {
                return Err(Problem::BadDivision(outside, self.text(item), "a source, but is not read"));
            }
            origins.push((part, source));
        }
        let read = |cell: Cell| {
            let mut covering = origins.iter().filter(|(part, _)| part.overlaps(cell.place()));
            let bad = |what| Problem::BadDivision(self.part(cell), self.text(item), what);
            let &(_, source) = covering.next().ok_or_else(|| bad("no source"))?;
            if covering.next().is_some() {
                return Err(bad("two sources"));
            }
            self.check_source(load, place, cell, source)?;
            Ok(Read { place: cell.place(), source })
        };
        self.variables.cells(place).map(read).collect()
    }

    /// Checks that a source writes a cell, and with the value that is read there, if both are known.
    fn check_source(&self, load: &Load, place: Place, cell: Cell, source: Source) -> Result<(), Problem> {
        let stored = match source {
            Source::Initial => Stored::Value(self.variables.initial(cell)),
            Source::Event(id) | Source::Write(id, _) | Source::AtOnce(id) => self.stored(id, cell)?,
        };
        match (stored, load.value.map(|value| cell.value_of(place.offset, value))) {
            (Stored::Nothing, _) => {
                Err(Problem::StoresElsewhere { source_event: self.described(source), part: self.part(cell) })
            }
            (Stored::Value(stored), Some(value)) if stored != value => {
                Err(Problem::OtherValue { part: self.part(cell), value, stored, source_event: self.described(source) })
            }
            _ => Ok(()),
        }
    }

    /// The value that an event stores to a cell.
    fn stored(&self, id: EventId, cell: Cell) -> Result<Stored, Problem> {
        let Some((part, value)) = self.operation(id).stores() else { return Ok(Stored::Nothing) };
        let place = self.variables.place(part)?;
        if !place.overlaps(cell.place()) {
            return Ok(Stored::Nothing);
        }
        Ok(value.map_or(Stored::Unknown, |value| Stored::Value(cell.value_of(place.offset, value))))
    }

    fn recorded(&self) -> &Recorded {
        &self.entry.located.recorded
    }

    fn operation(&self, id: EventId) -> &Operation {
        self.entry.event(id.thread as usize, id.index as usize)
    }

    /// The text of an event or of a final value.
    fn text(&self, item: Item) -> String {
        match item {
            Item::Whole => self.entry.title(),
            Item::Event(thread, event) => self.entry.event(thread, event).to_string(),
            Item::Final(number) => format!("final {}", self.recorded().finals[number]),
        }
    }

    /// The text of an event or of a final value, with a source for a cell of what it reads.
    fn with_source(&self, item: Item, load: &Load, cell: Cell, source: Source) -> String {
        let source = match source {
            Source::Initial => SourceName::Initial,
            Source::Event(id) | Source::Write(id, _) | Source::AtOnce(id) => {
                SourceName::Event(self.entry.event_name(id.thread as usize, id.index as usize))
            }
        };
        let is_whole = self.variables.place(&load.part).is_ok_and(|place| place == cell.place());
        let part = (!is_whole).then(|| self.part(cell));
        let load = Load { from: vec![Origin { source, part }], ..load.clone() };
        let more = if is_whole { "" } else { ", ..." };
        match item {
            Item::Event(thread, event) => match self.entry.event(thread, event) {
                Operation::Update(_, value) => {
                    let value = value.map(|value| format!(" -> {value}")).unwrap_or_default();
                    format!("rmw {load}{more}{value}")
                }
                Operation::FailedExchange(_) => format!("failed-cas {load}{more}"),
                _ => format!("r {load}{more}"),
            },
            _ => format!("final {load}{more}"),
        }
    }

    fn described(&self, source: Source) -> String {
        match source {
            Source::Initial => "the initial memory".to_owned(),
            Source::Event(id) | Source::Write(id, _) | Source::AtOnce(id) => {
                self.entry.described(id.thread as usize, id.index as usize)
            }
        }
    }

    /// A cell as a part of its variable.
    fn part(&self, cell: Cell) -> Part {
        let (variable, size) = self.variables.name_and_size(cell.object);
        let is_whole = cell.offset == 0 && cell.len == size;
        let bytes = (!is_whole).then_some(Bytes { offset: cell.offset, len: cell.len });
        Part { variable: variable.to_owned(), bytes }
    }
}

/// The position of an event of a history.
fn id(item: Item) -> EventId {
    match item {
        Item::Event(thread, event) => EventId::new(thread as u32, event as u32),
        Item::Whole | Item::Final(_) => unreachable!("only events are listed"),
    }
}

/// True unless a source is the reader itself or comes after it in its thread.
fn is_before(source: Source, reader: Item) -> bool {
    match (source, reader) {
        (Source::Event(id), Item::Event(thread, event)) => id.thread as usize != thread || (id.index as usize) < event,
        _ => true,
    }
}
