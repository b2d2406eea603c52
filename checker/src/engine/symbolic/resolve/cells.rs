//! The cells of a program: which there are, which may be uninitialised, and which of their bits matter.

use std::collections::{BTreeMap, BTreeSet};

use rmc_formula::TermId;

use super::{Access, At, Found};
use crate::engine::symbolic::memory::{Initial, Memory};
use crate::engine::symbolic::schedule::{Cell, CellId, SharedProgram};
use crate::engine::symbolic::unroll::{Action, Event, Objects, narrowed};
use crate::engine::symbolic::values::table::Content;
use crate::engine::symbolic::word::{Formulas, Word};
use crate::ir::address::ObjectId;
use crate::ir::value::mask;

/// The ranges of objects that are cells, by their beginnings: the length in bytes and the number.
#[derive(Default)]
pub(super) struct Cells {
    pub(super) ranges: BTreeMap<At, (u32, usize)>,
    /// The cells with a bit that says whether they are uninitialised.
    pub(super) flagged: BTreeSet<usize>,
    /// For each cell the bits that matter, as a mask.
    pub(super) masks: Vec<u64>,
}

impl Cells {
    /// The cells of events, and what each has at the end of the beginning. An access has the same number of
    /// flags wherever it is: where it would not, its places are divided alike.
    pub(super) fn of_events(
        formulas: &mut Formulas,
        (objects, memory): (&Objects, &Memory),
        events: &[(&Event, &Found)],
    ) -> (Self, Vec<Word>) {
        let accesses = || events.iter().flat_map(|(_, found)| &found.accesses);
        let mut cuts = BTreeSet::new();
        loop {
            let mut cells = cells_between(accesses(), &cuts);
            let initial = initial_words(formulas, objects, memory, &cells);
            flag(formulas, &mut cells, &initial, events);
            let uneven: Vec<_> = accesses().filter(|access| !has_as_many_flags_everywhere(&cells, access)).collect();
            if uneven.is_empty() {
                return (cells, initial);
            }
            cuts.extend(uneven.into_iter().flat_map(|access| cuts_everywhere(&cells, access)));
        }
    }

    /// The cells of an access at a place, lowest first.
    pub(super) fn of(&self, (object, offset): At, len: u32) -> Vec<usize> {
        self.ranges.range((object, offset)..(object, offset + len)).map(|(_, &(_, number))| number).collect()
    }

    /// The bits that matter of an access at a place.
    pub(super) fn mask_of(&self, (object, offset): At, len: u32) -> u64 {
        let cells = self.ranges.range((object, offset)..(object, offset + len));
        cells.fold(0, |mask, (&(_, at), &(_, number))| mask | self.masks[number] << (8 * (at - offset)))
    }
}

/// The cells that these accesses tell apart, and no larger ones than between these cuts.
fn cells_between<'a>(accesses: impl Iterator<Item = &'a Access>, cuts: &BTreeSet<At>) -> Cells {
    let mut ends: BTreeMap<ObjectId, BTreeMap<u32, i64>> = BTreeMap::new();
    for &(object, offset) in cuts {
        ends.entry(object).or_default().insert(offset, 0);
    }
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

/// The content of each cell at the end of the beginning, by its number.
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

/// Decides which cells need a flag: those that may be uninitialised, and those that an access cannot tell
/// from them.
fn flag(formulas: &mut Formulas, cells: &mut Cells, initial: &[Word], events: &[(&Event, &Found)]) {
    for (number, &word) in initial.iter().enumerate() {
        let open = formulas.open(word);
        if !formulas.is_false(open) {
            cells.flagged.insert(number);
        }
    }
    for (event, found) in events {
        if let Action::Store { value, .. } = &event.action {
            let open = formulas.open(*value);
            if !formulas.is_false(open) {
                let own: Vec<_> = found.accesses.iter().flat_map(|access| all_cells(cells, access)).flatten().collect();
                cells.flagged.extend(own);
            }
        }
    }
    loop {
        let before = cells.flagged.len();
        for access in events.iter().flat_map(|(_, found)| &found.accesses) {
            if !has_as_many_flags_everywhere(cells, access) {
                cells.flagged.extend(all_cells(cells, access).into_iter().flatten());
            }
        }
        if cells.flagged.len() == before {
            return;
        }
    }
}

/// True if an access has the same number of flags at each of its places.
fn has_as_many_flags_everywhere(cells: &Cells, access: &Access) -> bool {
    let all = all_cells(cells, access);
    let flags = |own: &Vec<usize>| own.iter().filter(|cell| cells.flagged.contains(cell)).count();
    let mut counts = all.iter().map(flags);
    counts.next().is_none_or(|first| counts.all(|count| count == first))
}

/// The cuts that divide all places of an access as each of them is divided.
fn cuts_everywhere<'a>(cells: &'a Cells, access: &'a Access) -> impl Iterator<Item = At> + 'a {
    let begins = |&(_, (object, offset)): &(TermId, At)| {
        let within = cells.ranges.range((object, offset)..(object, offset + access.len));
        within.map(|(&(_, at), _)| at - offset).collect::<Vec<_>>()
    };
    let distances: BTreeSet<u32> = access.places.iter().flat_map(begins).collect();
    access.places.iter().flat_map(move |&(_, (object, offset))| {
        distances.clone().into_iter().map(move |distance| (object, offset + distance))
    })
}

/// The cells of each place of an access.
pub(super) fn all_cells(cells: &Cells, access: &Access) -> Vec<Vec<usize>> {
    access.places.iter().map(|&(_, at)| cells.of(at, access.len)).collect()
}

/// For each cell the bits that matter: those that tell apart what reads find there, and the same ones of all
/// cells of an access. Cells that are a part of an access have all bits.
pub(super) fn masks<'a, I: Iterator<Item = &'a Access>>(
    cells: &Cells,
    accesses: impl Fn() -> I,
    width: Option<u32>,
    mut begins_narrow: impl FnMut(usize, u32, u32) -> bool,
) -> Vec<u64> {
    let mut masks = vec![0; cells.ranges.len()];
    let mut is_split = vec![false; masks.len()];
    loop {
        let before = (masks.clone(), is_split.clone());
        for access in accesses() {
            let own_cells = all_cells(cells, access);
            let own = match &access.content {
                None => 0,
                Some(content @ Content { values: None, .. }) => match narrowed(width, content, access.len) {
                    Some(width) if own_cells.iter().flatten().all(|&cell| begins_narrow(cell, access.len, width)) => {
                        mask(width)
                    }
                    _ => mask(8 * access.len),
                },
                Some(Content { values: Some(values), .. }) => values.telling(),
            };
            let all = own_cells;
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
pub(super) fn add_cells(
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
