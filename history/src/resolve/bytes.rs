//! Variables as objects of memory, and the bytes of each that accesses divide it into.

use std::collections::HashMap;

use rmc_consistency::Place;

use super::Failure;
use crate::error::Problem;
use crate::located::Item;
use crate::recorded::{Bytes, Operation, Part, Recorded, USUAL_SIZE};

/// The variables and mutexes of a history.
#[derive(Debug)]
pub struct Variables<'e> {
    numbers: HashMap<&'e str, u32>,
    /// For each object its size in bytes, and its bounds: where some access begins or ends, ascending.
    objects: Vec<(u32, Vec<u32>)>,
    initial: HashMap<u32, u64>,
}

/// Bytes of a variable that each access touches as a whole or not at all. So all have one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The object.
    pub object: u32,
    /// The first byte.
    pub offset: u32,
    /// The number of bytes.
    pub len: u32,
}

impl Cell {
    /// The value of the cell, where the bytes from `offset` on have this value, little-endian.
    #[must_use]
    pub const fn value_of(self, offset: u32, value: u64) -> u64 {
        let distance = self.offset - offset;
        let value = if distance < 8 { value >> (8 * distance) } else { 0 };
        if self.len < 8 { value & ((1 << (8 * self.len)) - 1) } else { value }
    }

    /// The cell as a place.
    #[must_use]
    pub const fn place(self) -> Place {
        Place::new(self.object, self.offset, self.len)
    }
}

impl<'e> Variables<'e> {
    /// The variables and mutexes of a history.
    pub fn of(recorded: &'e Recorded) -> Result<Self, Failure> {
        let mut variables = Self { numbers: HashMap::new(), objects: Vec::new(), initial: HashMap::new() };
        let mutexes = variables.add_mutexes(recorded);
        for (item, operation) in operations(recorded) {
            let stored = operation.stores();
            let loaded = operation.load().map(|load| (&load.part, load.value));
            for (part, value) in stored.into_iter().chain(loaded) {
                variables.add(recorded, mutexes, part, value).map_err(|problem| (item, problem))?;
            }
            for part in operation.load().into_iter().flat_map(|load| &load.from).filter_map(|from| from.part.as_ref()) {
                variables.add(recorded, mutexes, part, None).map_err(|problem| (item, problem))?;
            }
        }
        for (number, load) in recorded.finals.iter().enumerate() {
            let parts = load.from.iter().filter_map(|from| from.part.as_ref());
            let parts = parts.map(|part| (part, None)).chain([(&load.part, load.value)]);
            for (part, value) in parts {
                variables.add(recorded, mutexes, part, value).map_err(|problem| (Item::Final(number), problem))?;
            }
        }
        for (_, bounds) in &mut variables.objects {
            bounds.sort_unstable();
            bounds.dedup();
        }
        variables.add_initial(recorded, mutexes)?;
        Ok(variables)
    }

    /// Makes objects of the mutexes. Returns their number: theirs are the first ones.
    fn add_mutexes(&mut self, recorded: &'e Recorded) -> u32 {
        for mutex in operations(recorded).filter_map(|(_, operation)| operation.mutex()) {
            let next = self.objects.len() as u32;
            if *self.numbers.entry(mutex).or_insert(next) == next {
                self.objects.push((1, vec![0, 1]));
            }
        }
        self.objects.len() as u32
    }

    /// Adds the bounds of a part, which has a value if it is known.
    fn add(&mut self, recorded: &Recorded, mutexes: u32, part: &'e Part, value: Option<u64>) -> Result<(), Problem> {
        let next = self.objects.len() as u32;
        let number = *self.numbers.entry(&part.variable).or_insert(next);
        if number < mutexes {
            return Err(Problem::MutexAccessed(part.variable.clone()));
        }
        if number == next {
            let size = recorded.sizes.get(&part.variable).copied().unwrap_or(USUAL_SIZE);
            self.objects.push((size, Vec::new()));
        }
        let place = self.place(part)?;
        if let Some(value) = value.filter(|value| place.len < 8 && value >> (8 * place.len) != 0) {
            return Err(Problem::TooWide { value, part: part.clone(), len: place.len });
        }
        let bounds = &mut self.objects[number as usize].1;
        // Most accesses repeat the last bounds.
        if !bounds.ends_with(&[place.offset, place.offset + place.len]) {
            bounds.extend([place.offset, place.offset + place.len]);
        }
        Ok(())
    }

    fn add_initial(&mut self, recorded: &'e Recorded, mutexes: u32) -> Result<(), Failure> {
        for (variable, &value) in &recorded.initial {
            let part = Part { variable: variable.clone(), bytes: None };
            let len = recorded.sizes.get(variable).copied().unwrap_or(USUAL_SIZE);
            if len < 8 && value >> (8 * len) != 0 {
                return Err((Item::Whole, Problem::TooWide { value, part, len }));
            }
            match self.numbers.get(variable.as_str()) {
                Some(&number) if number < mutexes => {
                    return Err((Item::Whole, Problem::MutexAccessed(variable.clone())));
                }
                Some(&number) => drop(self.initial.insert(number, value)),
                None => {}
            }
        }
        Ok(())
    }

    /// The number of objects.
    pub fn count(&self) -> u32 {
        self.objects.len() as u32
    }

    /// The place of a mutex of the history.
    pub fn mutex(&self, name: &str) -> Place {
        Place::new(self.numbers[name], 0, 1)
    }

    /// The place of a part of a variable of the history.
    pub fn place(&self, part: &Part) -> Result<Place, Problem> {
        let number = self.numbers[part.variable.as_str()];
        let size = self.objects[number as usize].0;
        let Bytes { offset, len } = part.bytes.unwrap_or(Bytes { offset: 0, len: size });
        let end = u64::from(offset) + u64::from(len);
        if len == 0 {
            return Err(Problem::NoBytes(part.clone()));
        }
        if end > u64::from(size) {
            return Err(Problem::Outside { part: part.clone(), size, end });
        }
        Ok(Place::new(number, offset, len))
    }

    /// The cells of a place.
    pub fn cells(&self, place: Place) -> impl Iterator<Item = Cell> + use<'_, 'e> {
        let bounds = &self.objects[place.object as usize].1;
        let first = bounds.partition_point(|&bound| bound < place.offset);
        let inside = bounds[first..].windows(2).take_while(move |pair| u64::from(pair[1]) <= place.end());
        inside.map(move |pair| Cell { object: place.object, offset: pair[0], len: pair[1] - pair[0] })
    }

    /// The name of an object, and its size in bytes.
    pub fn name_and_size(&self, object: u32) -> (&'e str, u32) {
        let name = self.numbers.iter().find(|&(_, &number)| number == object).map_or("", |(name, _)| name);
        (name, self.objects[object as usize].0)
    }

    /// The initial value of a cell.
    pub fn initial(&self, cell: Cell) -> u64 {
        cell.value_of(0, self.initial.get(&cell.object).copied().unwrap_or(0))
    }
}

/// All events of a history.
pub fn operations(recorded: &Recorded) -> impl Iterator<Item = (Item, &Operation)> {
    let threads = recorded.threads.iter().enumerate();
    threads.flat_map(|(thread, events)| {
        let events = events.events.iter().enumerate();
        events.map(move |(event, operation)| (Item::Event(thread, event), operation))
    })
}
