//! From addresses to cells: the places of each event, and the pieces of memory that accesses tell apart.
//!
//! A *cell* is a largest range of bytes that every access reads and writes as a whole or not at all. A cell
//! that may be uninitialised has a cell of one bit beside it, which says so.

use std::collections::{BTreeMap, BTreeSet};

use rmc_formula::TermId;

use super::memory::{Initial, Memory};
use super::points::Points;
use super::schedule::{self, Cell, CellId, Operation, SharedProgram, Target};
use super::unroll::{Action, AtomicPlace, Claim, Event, LIVES, Objects, Unrolled};
use super::values::Values;
use super::values::table::{Added, Content, Range, Table};
use super::word::{Formulas, Word};
use crate::ir::Program;
use crate::ir::address::ObjectId;
use crate::ir::value::mask;

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

/// A reason for which addresses cannot be resolved.
pub enum Unresolved {
    /// Something is not followed: what it is, and the instruction.
    Refused(String, super::unroll::Place),
    /// A load may find what it was not unrolled with: what is at the places.
    Other(Table),
}

/// An access as an event has it: the address, the length, what a read was unrolled with, and what is written.
type Accessed = (Word, u32, Option<Content>, Option<(TermId, Word)>);

/// The place of an access: the object and the offset.
type At = (ObjectId, u32);

/// The places of one access of an event.
struct Access {
    len: u32,
    /// What a read was unrolled with.
    content: Option<Content>,
    /// What a write writes, and the condition. Nothing if it adds, or only reads.
    written: Option<(TermId, Word)>,
    /// Each with the condition that it is there.
    places: Vec<(TermId, At)>,
}

/// The ranges of objects that are cells, by their beginnings: the length in bytes and the number.
#[derive(Default)]
struct Cells {
    ranges: BTreeMap<At, (u32, usize)>,
    /// The cells with a bit that says whether they are uninitialised.
    flagged: BTreeSet<usize>,
    /// For each cell the bits that matter, as a mask.
    masks: Vec<u64>,
}

impl Cells {
    /// The cells of an access at a place, lowest first.
    fn of(&self, (object, offset): At, len: u32) -> Vec<usize> {
        self.ranges.range((object, offset)..(object, offset + len)).map(|(_, &(_, number))| number).collect()
    }

    /// The bits that matter of an access at a place.
    fn mask_of(&self, (object, offset): At, len: u32) -> u64 {
        let cells = self.ranges.range((object, offset)..(object, offset + len));
        cells.fold(0, |mask, (&(_, at), &(_, number))| mask | self.masks[number] << (8 * (at - offset)))
    }
}

/// Resolves the addresses of all events.
///
/// # Errors
/// [`Unresolved`]: an access may be at too many places, or in ways that do not fit together.
pub fn resolve(program: &Program, unrolled: &mut Unrolled) -> Result<Resolved, Unresolved> {
    let published = unrolled.published(program);
    let mut resolver = Resolver { program, published, claims: Vec::new(), constraints: Vec::new() };
    let Unrolled { formulas, threads, objects, memory, added, .. } = unrolled;
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
    let found = || accesses.iter().flatten().flat_map(|event: &Found| &event.accesses);
    let needed = contents(formulas, &cells, &initial, found(), added);
    let is_known = |access: &Access| {
        let Some(own) = &access.content else { return true };
        let mut ranges = access.places.iter().map(|&(_, (object, offset))| (object, offset, access.len));
        ranges.all(|range| needed.get(range).is_some_and(|content| content.is_within(own)))
    };
    if !found().all(is_known) {
        return Err(Unresolved::Other(needed));
    }
    cells.masks = masks(&cells, || found());
    let mut shared = SharedProgram { cells: Vec::new(), threads: Vec::new() };
    let (data, flags) = add_cells(formulas, &mut shared, &cells, &initial);
    for (thread, of_thread) in threads.iter().zip(&accesses) {
        let mut events = Vec::with_capacity(thread.events.len());
        for (event, found) in thread.events.iter().zip(of_thread) {
            events.push(resolver.operation(formulas, &cells, (&data, &flags), event, found));
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
        let (addresses, writes): (Vec<Accessed>, bool) = match &event.action {
            Action::Load { address, len, content, .. } => (vec![(*address, *len, Some(content.clone()), None)], false),
            Action::Store { address, len, value, .. } => {
                (vec![(*address, *len, None, Some((event.guard, *value)))], true)
            }
            Action::Atomic { places, stores, .. } => {
                let condition = formulas.and(event.guard, *stores);
                let writes = !formulas.is_false(*stores);
                let accessed = |AtomicPlace { address, len, content, new, adds }: &AtomicPlace| {
                    (*address, *len, Some(content.clone()), Some((condition, *new)).filter(|_| writes && !adds))
                };
                (places.iter().map(accessed).collect(), writes)
            }
            Action::Fence(_) => (Vec::new(), false),
        };
        let mut guard = event.guard;
        let mut accesses = Vec::with_capacity(addresses.len());
        for (address, len, content, written) in addresses {
            let places = self.places(formulas, objects, (event.guard, address, len), writes);
            let Some((places, anywhere)) = places else {
                let what = "an access that may be at very many places".to_owned();
                return Err(Unresolved::Refused(what, event.place));
            };
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
            accesses.push(Access { len, content, written, places });
        }
        Ok(Found { accesses, guard })
    }

    fn places(
        &self,
        formulas: &mut Formulas,
        objects: &mut Objects,
        (guard, address, len): (TermId, Word, u32),
        writes: bool,
    ) -> Option<(Vec<(TermId, At)>, TermId)> {
        if let Some(few) = objects.few_places(self.program, formulas, (guard, address, len), writes) {
            return Some(few);
        }
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
        let mut anywhere = formulas.terms.boolean(false);
        for &(condition, _) in &places {
            anywhere = formulas.terms.or(anywhere, condition);
        }
        Some((places, anywhere))
    }

    /// The event on cells.
    fn operation(
        &mut self,
        formulas: &mut Formulas,
        cells: &Cells,
        (data, flags): (&[Option<CellId>], &BTreeMap<usize, CellId>),
        event: &Event,
        found: &Found,
    ) -> schedule::Event {
        let Found { accesses, guard } = found;
        let targets = targets(formulas, cells, (data, flags), accesses);
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
                let result = gathered(formulas, cells, accesses, *result);
                Operation::Load { targets, result: self.result(formulas, result, *open, count) }
            }
            Action::Store { len, value, before, .. } => {
                let (data, open) = (formulas.low(*value, 8 * len), formulas.open(*value));
                let data = gathered(formulas, cells, accesses, data);
                let value = with_flags(formulas, data, open, count);
                Operation::Store { targets, value, before: *before, after_full: false }
            }
            Action::Fence(barrier) => Operation::Fence(*barrier),
            Action::Atomic { result, open, enabled, stores, value, .. } => {
                let result = gathered(formulas, cells, accesses, *result);
                let result = self.result(formulas, result, *open, count);
                let defined = formulas.terms.boolean(false);
                let value = gathered(formulas, cells, accesses, *value);
                let value = with_flags(formulas, value, defined, count);
                Operation::Atomic { targets, result, enabled: *enabled, stores: *stores, value }
            }
        };
        schedule::Event { guard: *guard, operation, is_glued: event.is_glued }
    }

    /// The variable for all that an event reads: its result, and above it the flags.
    fn result(&mut self, formulas: &mut Formulas, result: Option<TermId>, open: TermId, flags: usize) -> TermId {
        if flags == 0 {
            let defined = formulas.not(open);
            self.constraints.push(defined);
            // Where no bit matters, the term is not used.
            return result.unwrap_or(open);
        }
        let flags = u32::try_from(flags).expect("few flags");
        let above = formulas.variable(flags);
        let none = formulas.terms.constant(0, flags);
        let is_open = formulas.terms.ne(above, none);
        self.constraints.push(formulas.terms.eq(open, is_open));
        result.map_or(above, |data| formulas.terms.concat(above, data))
    }
}

/// A value, and above it as many flags.
fn with_flags(formulas: &mut Formulas, data: Option<TermId>, open: TermId, flags: usize) -> TermId {
    // Where no bit matters, the term is not used.
    let value = (0..flags).fold(data, |value, _| Some(value.map_or(open, |value| formulas.terms.concat(open, value))));
    value.unwrap_or(open)
}

/// The bits that matter of what accesses read or write, all of them together; nothing if none does.
fn gathered(formulas: &mut Formulas, cells: &Cells, accesses: &[Access], whole: TermId) -> Option<TermId> {
    let (mut result, mut begin) = (None, 0);
    for access in accesses {
        let mask = match access.places.first() {
            Some(&(_, at)) => cells.mask_of(at, access.len),
            None => 0,
        };
        for bit in (0..8 * access.len).filter(|bit| mask >> bit & 1 == 1) {
            let bit = formulas.terms.extract(whole, begin + bit, 1);
            result = Some(result.map_or(bit, |low| formulas.terms.concat(bit, low)));
        }
        begin += 8 * access.len;
    }
    result
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
    (ids, flags): (&[Option<CellId>], &BTreeMap<usize, CellId>),
    accesses: &[Access],
) -> Vec<Target> {
    let mut combined: Vec<(TermId, Vec<CellId>, Vec<CellId>)> = Vec::new();
    for (nth, access) in accesses.iter().enumerate() {
        let mut next = Vec::new();
        for &(condition, at) in &access.places {
            let numbers = cells.of(at, access.len);
            let own_flags: Vec<_> = numbers.iter().filter_map(|number| flags.get(number).copied()).collect();
            let data: Vec<_> = numbers.into_iter().filter_map(|number| ids[number]).collect();
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
                return Err(Unresolved::Refused(what, event.place));
            }
        }
    }
    Ok(())
}

/// The cells of each place of an access.
fn all_cells(cells: &Cells, access: &Access) -> Vec<Vec<usize>> {
    access.places.iter().map(|&(_, at)| cells.of(at, access.len)).collect()
}

/// What may be at each place that is accessed.
fn contents<'a>(
    formulas: &mut Formulas,
    cells: &Cells,
    initial: &[Word],
    accesses: impl Iterator<Item = &'a Access> + Clone,
    added: &BTreeMap<Range, BTreeMap<usize, Added>>,
) -> Table {
    let mut table = Table::default();
    let parts: BTreeSet<usize> =
        accesses.clone().flat_map(|access| all_cells(cells, access)).filter(|own| own.len() > 1).flatten().collect();
    for access in accesses {
        let written = access.written.map(|(condition, word)| {
            let mut content = formulas.content(word, access.len);
            if let Some(values) = formulas.values_under(condition, word) {
                content.values = Values::of(values.iter().map(|value| value & mask(8 * access.len)));
            }
            content
        });
        for &(_, (object, offset)) in &access.places {
            let range = (object, offset, access.len);
            let first = match cells.of((object, offset), access.len)[..] {
                [cell] if !parts.contains(&cell) => formulas.content(initial[cell], access.len),
                _ => Content::ANY,
            };
            table.add(range, &first);
            if let Some(written) = &written {
                table.add(range, written);
            }
        }
    }
    table.change(|range, content| match added.get(&range) {
        Some(threads) => content.after(&threads.values().copied().collect::<Vec<_>>(), range.2),
        None => content.clone(),
    });
    table
}

/// For each cell the bits that matter: those that tell apart what reads find there, and the same ones of all
/// cells of an access. Cells that are a part of an access have all bits.
fn masks<'a, I: Iterator<Item = &'a Access>>(cells: &Cells, accesses: impl Fn() -> I) -> Vec<u64> {
    let mut masks = vec![0; cells.ranges.len()];
    let mut is_split = vec![false; masks.len()];
    loop {
        let before = (masks.clone(), is_split.clone());
        for access in accesses() {
            let own = match &access.content {
                None => 0,
                Some(Content { values: None, .. }) => mask(8 * access.len),
                Some(Content { values: Some(values), .. }) => values.telling(),
            };
            let all = all_cells(cells, access);
            let is_part = all.iter().any(|cells| cells.len() > 1 || cells.iter().any(|&cell| is_split[cell]));
            let own = if is_part { mask(8 * access.len) } else { own };
            let common = all.iter().flatten().fold(own, |common, &cell| common | masks[cell]);
            for &cell in all.iter().flatten() {
                masks[cell] |= common;
                is_split[cell] |= is_part;
            }
        }
        if before == (masks.clone(), is_split.clone()) {
            break;
        }
    }
    for &(len, number) in cells.ranges.values() {
        masks[number] = if is_split[number] { mask(8 * len) } else { masks[number] & mask(8 * len) };
    }
    masks
}

/// Adds all cells: the data, by their numbers, then the flags. A cell of which no bit matters is left out.
fn add_cells(
    formulas: &mut Formulas,
    shared: &mut SharedProgram,
    cells: &Cells,
    initial: &[Word],
) -> (Vec<Option<CellId>>, BTreeMap<usize, CellId>) {
    let mut data = Vec::with_capacity(initial.len());
    for (&mask, &word) in cells.masks.iter().zip(initial) {
        let whole = formulas.bits(word);
        let mut value: Option<TermId> = None;
        for bit in (0..64).filter(|bit| mask >> bit & 1 == 1) {
            let bit = formulas.terms.extract(whole, bit, 1);
            value = Some(value.map_or(bit, |low| formulas.terms.concat(bit, low)));
        }
        data.push(value.map(|initial| {
            shared.cells.push(Cell { width: mask.count_ones(), initial });
            CellId(u32::try_from(shared.cells.len() - 1).expect("few cells"))
        }));
    }
    let mut flags = BTreeMap::new();
    for &number in &cells.flagged {
        let initial = formulas.open(initial[number]);
        flags.insert(number, CellId(u32::try_from(shared.cells.len()).expect("few cells")));
        shared.cells.push(Cell { width: 1, initial });
    }
    (data, flags)
}
