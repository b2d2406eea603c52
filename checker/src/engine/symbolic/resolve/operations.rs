//! Events on cells.

use std::collections::BTreeMap;

use rmc_formula::TermId;

use super::cells::Cells;
use super::{Access, Found, Resolver};
use crate::engine::symbolic::schedule::{self, CellId, Operation, Target};
use crate::engine::symbolic::unroll::{Action, Event};
use crate::engine::symbolic::word::Formulas;

impl Resolver<'_> {
    /// The event on cells.
    pub(super) fn operation(
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
            Action::Atomic { result, open, enabled, stores, value, blocked, .. } => {
                let result = gathered(formulas, cells, accesses, *result);
                let result = self.result(formulas, result, *open, count);
                let defined = formulas.terms.boolean(false);
                let value = gathered(formulas, cells, accesses, *value);
                let value = with_flags(formulas, value, defined, count);
                let (enabled, stores, blocked) = (*enabled, *stores, *blocked);
                Operation::Atomic { targets, result, enabled, stores, value, blocked }
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
