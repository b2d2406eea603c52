//! The sources of reads, from what a history says of them: the sources themselves, or values.
//!
//! A value is compared cell by cell, as all bytes of a cell have one source. A read has every source that
//! could have given it the value, the initial memory included; there must be exactly one. Of several, those
//! that no model allows do not count: the read's own event, and events after it in its thread. That changes no
//! answer: a history with values is allowed if it is allowed with some choice of sources.

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

    /// What an event or a final value reads, with sources.
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
        let read = |cell: Cell| {
            let source = self.only_source(item, load, cell, cell.value_of(place.offset, value))?;
            Ok(Read { place: cell.place(), source })
        };
        self.variables.cells(place).map(read).collect()
    }

    /// The only source that gives a cell a value.
    fn only_source(&self, item: Item, load: &Load, cell: Cell, value: u64) -> Result<Source, Problem> {
        let stores = self.by_value.get(&(cell, value)).map_or(&[][..], Vec::as_slice);
        let initial = self.variables.initial(cell);
        let all = || {
            let initial = Some(Source::Initial).filter(|_| initial == value);
            initial.into_iter().chain(stores.iter().map(|&store| Source::Event(store)))
        };
        let example = |source: Source| self.with_source(item, load, cell, source);
        if let Some(&store) = self.unknown.get(&cell) {
            let source_event = self.described(Source::Event(store));
            return Err(Problem::ValueUnknown {
                part: self.part(cell),
                source_event,
                example: example(Source::Event(store)),
            });
        }
        let possible = || all().filter(|&source| is_before(source, item));
        let mut sources = possible();
        match (sources.next(), sources.next()) {
            (Some(source), None) => Ok(source),
            (Some(first), Some(second)) => Err(Problem::Ambiguous(Box::new(Ambiguity {
                part: self.part(cell),
                value,
                first: self.described(first),
                second: self.described(second),
                example: example(second),
            }))),
            (None, _) => all().next().ok_or_else(|| Problem::NoSuchValue { part: self.part(cell), value, initial }),
        }
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
            Source::Event(id) => self.stored(id, cell)?,
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

    /// What an event stores to a cell.
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
            Source::Event(id) => SourceName::Event(self.entry.event_name(id.thread as usize, id.index as usize)),
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
            Source::Event(id) => self.entry.described(id.thread as usize, id.index as usize),
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
