//! From addresses to cells: the places of each event, and the pieces of memory that accesses tell apart.
//!
//! A *cell* is a largest range of bytes that every access reads and writes as a whole or not at all. A cell
//! that may be uninitialised has a cell of one bit beside it, which says so.

use std::collections::{BTreeMap, BTreeSet};

use rmc_formula::TermId;

use super::memory::{Initial, Memory};
use super::points::Points;
use super::schedule::{self, Cell, CellId, Operation, SharedProgram, Target};
use super::unroll::{Action, Claim, Event, LIVES, Objects, Unrolled};
use super::word::{Formulas, Word};
use crate::ir::Program;
use crate::ir::address::ObjectId;

/// The most places that an event may be at.
const MOST_PLACES: usize = 1 << 12;

/// An unrolled program with its events on cells.
pub struct Resolved {
    /// The events.
    pub shared: SharedProgram,
    /// The claims that every access is somewhere.
    pub claims: Vec<Claim>,
    /// Conditions that hold.
    pub constraints: Vec<TermId>,
}

/// A reason for which addresses cannot be resolved: what it is, and the event.
pub struct Unresolved {
    /// What is not followed.
    pub what: String,
    /// The instruction.
    pub place: super::unroll::Place,
}

/// The place of an access: the object and the offset.
type At = (ObjectId, u32);

/// The places of one access of an event.
struct Access {
    len: u32,
    /// Each with the condition that it is there.
    places: Vec<(TermId, At)>,
}

/// The ranges of objects that are cells, by their beginnings: the length in bytes and the number.
#[derive(Default)]
struct Cells {
    ranges: BTreeMap<At, (u32, usize)>,
    /// The cells with a bit that says whether they are uninitialised.
    flagged: BTreeSet<usize>,
}

impl Cells {
    /// The cells of an access at a place, lowest first.
    fn of(&self, (object, offset): At, len: u32) -> Vec<usize> {
        self.ranges.range((object, offset)..(object, offset + len)).map(|(_, &(_, number))| number).collect()
    }
}

/// Resolves the addresses of all events.
///
/// # Errors
/// [`Unresolved`]: an access may be at too many places, or in ways that do not fit together.
pub fn resolve(program: &Program, unrolled: &mut Unrolled) -> Result<Resolved, Unresolved> {
    let published = unrolled.published(program);
    let mut resolver = Resolver { program, published, claims: Vec::new(), constraints: Vec::new() };
    let Unrolled { formulas, threads, objects, memory, .. } = unrolled;
    let mut accesses = Vec::with_capacity(threads.len());
    for (thread, unrolled) in threads.iter().enumerate() {
        let mut of_thread = Vec::with_capacity(unrolled.events.len());
        for (number, event) in unrolled.events.iter().enumerate() {
            of_thread.push(resolver.accesses(formulas, objects, (thread, number), event)?);
        }
        accesses.push(of_thread);
    }
    let mut cells = cells_of(accesses.iter().flatten().flat_map(|event| &event.accesses));
    let initial = initial_words(formulas, objects, memory, &cells);
    let stores = threads.iter().zip(&accesses).flat_map(|(thread, of_thread)| thread.events.iter().zip(of_thread));
    flag(formulas, &mut cells, &initial, stores)?;
    let mut shared = SharedProgram { cells: Vec::new(), threads: Vec::new() };
    let flags = add_cells(formulas, &mut shared, &cells, &initial);
    for (thread, of_thread) in threads.iter().zip(&accesses) {
        let mut events = Vec::with_capacity(thread.events.len());
        for (event, found) in thread.events.iter().zip(of_thread) {
            events.push(resolver.operation(formulas, &cells, &flags, event, found));
        }
        shared.threads.push(schedule::Thread { events });
    }
    Ok(Resolved { shared, claims: resolver.claims, constraints: resolver.constraints })
}

/// An event's accesses, and the condition that each of them is somewhere.
struct Found {
    accesses: Vec<Access>,
    guard: TermId,
}

struct Resolver<'p> {
    program: &'p Program,
    published: Points,
    claims: Vec<Claim>,
    constraints: Vec<TermId>,
}

impl Resolver<'_> {
    fn accesses(
        &mut self,
        formulas: &mut Formulas,
        objects: &mut Objects,
        (thread, after): (usize, usize),
        event: &Event,
    ) -> Result<Found, Unresolved> {
        let (addresses, writes): (Vec<(Word, u32)>, bool) = match &event.action {
            Action::Load { address, len, .. } => (vec![(*address, *len)], false),
            Action::Store { address, len, .. } => (vec![(*address, *len)], true),
            Action::Atomic { places, stores, .. } => (places.clone(), !formulas.is_false(*stores)),
            Action::Fence(_) => (Vec::new(), false),
        };
        let mut guard = event.guard;
        let mut accesses = Vec::with_capacity(addresses.len());
        for (address, len) in addresses {
            let places = self.places(formulas, objects, address, len, writes);
            let Some(places) = places else {
                let what = "an access that may be at very many places".to_owned();
                return Err(Unresolved { what, place: event.place });
            };
            let mut anywhere = formulas.terms.boolean(false);
            for &(condition, _) in &places {
                anywhere = formulas.terms.or(anywhere, condition);
            }
            let nowhere = formulas.not(anywhere);
            let violated = formulas.and(guard, nowhere);
            if let Action::Load { result, .. } = event.action
                && formulas.points(address).is_to(LIVES)
            {
                // The object was not allocated, so it is not freed.
                let zero = formulas.terms.constant(0, 8 * len);
                let is_alive = formulas.terms.eq(result, zero);
                let is_allocated = formulas.not(violated);
                self.constraints.push(formulas.terms.or(is_allocated, is_alive));
            } else if !formulas.is_false(violated) {
                self.claims.push(Claim { thread, after, violated, place: event.place, is_doubtful: false });
            }
            guard = formulas.and(guard, anywhere);
            accesses.push(Access { len, places });
        }
        Ok(Found { accesses, guard })
    }

    fn places(
        &self,
        formulas: &mut Formulas,
        objects: &mut Objects,
        address: Word,
        len: u32,
        writes: bool,
    ) -> Option<Vec<(TermId, At)>> {
        let points = formulas.points(address).resolved(&self.published);
        let bits = formulas.bits(address);
        let mut places = Vec::new();
        let candidates = objects.places(self.program, &points, len, MOST_PLACES);
        if candidates.len() > MOST_PLACES {
            return None;
        }
        for (id, offset) in candidates {
            if writes && objects.get(id).is_some_and(|object| object.is_constant) {
                continue;
            }
            let there = formulas.terms.constant(id.address(offset).into(), 64);
            let is_there = formulas.terms.eq(bits, there);
            if !formulas.is_false(is_there) {
                places.push((is_there, (id, offset)));
            }
        }
        Some(places)
    }

    /// The event on cells.
    fn operation(
        &mut self,
        formulas: &mut Formulas,
        cells: &Cells,
        flags: &BTreeMap<usize, CellId>,
        event: &Event,
        found: &Found,
    ) -> schedule::Event {
        let Found { accesses, guard } = found;
        let targets = targets(formulas, cells, flags, accesses);
        let count = accesses.iter().map(|access| flagged_cells(cells, access)).sum::<usize>();
        if targets.is_empty() && !matches!(event.action, Action::Fence(_)) {
            // It is nowhere, which is a claim.
            let never = formulas.terms.boolean(false);
            return schedule::Event {
                guard: never,
                operation: Operation::Fence(schedule::Barrier::Full),
                is_glued: event.is_glued,
            };
        }
        let operation = match &event.action {
            Action::Load { result, open, .. } => {
                Operation::Load { targets, result: self.result(formulas, *result, *open, count) }
            }
            Action::Store { len, value, before, .. } => {
                let (data, open) = (formulas.low(*value, 8 * len), formulas.open(*value));
                let value = with_flags(formulas, data, open, count);
                Operation::Store { targets, value, before: *before, after_full: false }
            }
            Action::Fence(barrier) => Operation::Fence(*barrier),
            Action::Atomic { result, open, enabled, stores, value, .. } => {
                let result = self.result(formulas, *result, *open, count);
                let defined = formulas.terms.boolean(false);
                let value = with_flags(formulas, *value, defined, count);
                Operation::Atomic { targets, result, enabled: *enabled, stores: *stores, value }
            }
        };
        schedule::Event { guard: *guard, operation, is_glued: event.is_glued }
    }

    /// The variable for all that an event reads: its result, and above it the flags.
    fn result(&mut self, formulas: &mut Formulas, result: TermId, open: TermId, flags: usize) -> TermId {
        let width = formulas.terms.width(result);
        if flags == 0 {
            let defined = formulas.not(open);
            self.constraints.push(defined);
            return result;
        }
        let flags = u32::try_from(flags).expect("few flags");
        let whole = formulas.variable(width + flags);
        let (data, above) = (formulas.terms.extract(whole, 0, width), formulas.terms.extract(whole, width, flags));
        let none = formulas.terms.constant(0, flags);
        let is_open = formulas.terms.ne(above, none);
        let same = [formulas.terms.eq(result, data), formulas.terms.eq(open, is_open)];
        self.constraints.extend(same);
        whole
    }
}

/// A value, and above it as many flags.
fn with_flags(formulas: &mut Formulas, data: TermId, open: TermId, flags: usize) -> TermId {
    (0..flags).fold(data, |value, _| formulas.terms.concat(open, value))
}

/// The number of flagged cells of an access, which is the same for all its places.
fn flagged_cells(cells: &Cells, access: &Access) -> usize {
    let Some(&(_, at)) = access.places.first() else { return 0 };
    cells.of(at, access.len).iter().filter(|cell| cells.flagged.contains(cell)).count()
}

/// The places of an event: every combination of those of its accesses, first all data, then the flags.
fn targets(
    formulas: &mut Formulas,
    cells: &Cells,
    flags: &BTreeMap<usize, CellId>,
    accesses: &[Access],
) -> Vec<Target> {
    let mut combined: Vec<(TermId, Vec<CellId>, Vec<CellId>)> = Vec::new();
    for (nth, access) in accesses.iter().enumerate() {
        let mut next = Vec::new();
        for &(condition, at) in &access.places {
            let numbers = cells.of(at, access.len);
            let own_flags: Vec<_> = numbers.iter().filter_map(|number| flags.get(number).copied()).collect();
            let data = numbers.into_iter().map(|number| CellId(u32::try_from(number).expect("few cells")));
            let data: Vec<_> = data.collect();
            if nth == 0 {
                next.push((condition, data, own_flags));
                continue;
            }
            for (before, data_before, flags_before) in &combined {
                let both = formulas.and(*before, condition);
                if !formulas.is_false(both) {
                    let data = data_before.iter().chain(&data).copied().collect();
                    next.push((both, data, flags_before.iter().chain(&own_flags).copied().collect()));
                }
            }
        }
        combined = next;
    }
    let target = |(condition, data, flags): (TermId, Vec<CellId>, Vec<CellId>)| Target {
        condition,
        cells: data.into_iter().chain(flags).collect(),
    };
    combined.into_iter().map(target).collect()
}

/// The cells that these accesses tell apart.
fn cells_of<'a>(accesses: impl Iterator<Item = &'a Access>) -> Cells {
    let mut ends: BTreeMap<ObjectId, BTreeMap<u32, i64>> = BTreeMap::new();
    for access in accesses {
        for &(_, (object, offset)) in &access.places {
            let ends = ends.entry(object).or_default();
            *ends.entry(offset).or_insert(0) += 1;
            *ends.entry(offset + access.len).or_insert(0) -= 1;
        }
    }
    let mut cells = Cells::default();
    for (object, ends) in ends {
        let mut covering = 0;
        for (&begin, &end) in ends.keys().zip(ends.keys().skip(1)) {
            covering += ends[&begin];
            if covering > 0 {
                let number = cells.ranges.len();
                cells.ranges.insert((object, begin), (end - begin, number));
            }
        }
    }
    cells
}

/// What each cell has at the end of the beginning.
fn initial_words(formulas: &mut Formulas, objects: &Objects, memory: &Memory, cells: &Cells) -> Vec<Word> {
    let mut words = vec![Word::ZERO; cells.ranges.len()];
    for (&(object, offset), &(len, number)) in &cells.ranges {
        words[number] = if memory.has(object) {
            memory.load(formulas, object, offset, len)
        } else {
            let initial = &objects.get(object).expect("an object with cells").initial;
            let mut fresh = Memory::default();
            fresh.add(object, std::rc::Rc::<Initial>::clone(initial));
            fresh.load(formulas, object, offset, len)
        };
    }
    words
}

/// Decides which cells need a flag: those that may be uninitialised, and those that an access cannot tell from
/// them.
fn flag<'a>(
    formulas: &mut Formulas,
    cells: &mut Cells,
    initial: &[Word],
    events: impl Iterator<Item = (&'a Event, &'a Found)>,
) -> Result<(), Unresolved> {
    let events: Vec<_> = events.collect();
    for (number, &word) in initial.iter().enumerate() {
        let open = formulas.open(word);
        if !formulas.is_false(open) {
            cells.flagged.insert(number);
        }
    }
    for (event, found) in &events {
        if let Action::Store { value, .. } = &event.action {
            let open = formulas.open(*value);
            if !formulas.is_false(open) {
                let own = found.accesses.iter().flat_map(|access| all_cells(cells, access)).flatten();
                let own: Vec<_> = own.collect();
                cells.flagged.extend(own);
            }
        }
    }
    loop {
        let before = cells.flagged.len();
        for access in events.iter().flat_map(|(_, found)| &found.accesses) {
            let all = all_cells(cells, access);
            let counts: BTreeSet<_> =
                all.iter().map(|own| own.iter().filter(|cell| cells.flagged.contains(cell)).count()).collect();
            if counts.len() > 1 {
                cells.flagged.extend(all.into_iter().flatten());
            }
        }
        if cells.flagged.len() == before {
            break;
        }
    }
    for (event, found) in &events {
        for access in &found.accesses {
            let counts: BTreeSet<_> = all_cells(cells, access)
                .iter()
                .map(|own| own.iter().filter(|cell| cells.flagged.contains(cell)).count())
                .collect();
            if counts.len() > 1 {
                let what = "accesses of different sizes to memory that may be uninitialised".to_owned();
                return Err(Unresolved { what, place: event.place });
            }
        }
    }
    Ok(())
}

/// The cells of each place of an access.
fn all_cells(cells: &Cells, access: &Access) -> Vec<Vec<usize>> {
    access.places.iter().map(|&(_, at)| cells.of(at, access.len)).collect()
}

/// Adds all cells: the data, by their numbers, then the flags, whose cells are returned.
fn add_cells(
    formulas: &mut Formulas,
    shared: &mut SharedProgram,
    cells: &Cells,
    initial: &[Word],
) -> BTreeMap<usize, CellId> {
    let mut widths = vec![0; initial.len()];
    cells.ranges.values().for_each(|&(len, number)| widths[number] = 8 * len);
    for (&width, &word) in widths.iter().zip(initial) {
        let initial = formulas.low(word, width);
        shared.cells.push(Cell { width, initial });
    }
    let mut flags = BTreeMap::new();
    for &number in &cells.flagged {
        let initial = formulas.open(initial[number]);
        flags.insert(number, CellId(u32::try_from(shared.cells.len()).expect("few cells")));
        shared.cells.push(Cell { width: 1, initial });
    }
    flags
}
