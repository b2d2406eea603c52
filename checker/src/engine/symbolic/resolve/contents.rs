//! What is at each place: what was there in the beginning, and what events write.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Access;
use super::cells::{Cells, all_cells};
use crate::engine::symbolic::memory::Memory;
use crate::engine::symbolic::unroll::Objects;
use crate::engine::symbolic::values::Values;
use crate::engine::symbolic::values::table::{Added, Content, Range, Table};
use crate::engine::symbolic::word::{Formulas, Word};
use crate::ir::value::mask;

/// What may be at each place that is accessed.
pub(super) fn contents<'a>(
    formulas: &mut Formulas,
    objects: &Objects,
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
            let constant = objects.get(object).filter(|object| object.is_constant);
            let first = match (constant, &cells.of((object, offset), access.len)[..]) {
                (Some(constant), _) => {
                    let mut memory = Memory::default();
                    memory.add(object, Rc::clone(&constant.initial));
                    let word = memory.load(formulas, object, offset, access.len);
                    formulas.content(word, access.len)
                }
                (None, &[cell]) if !parts.contains(&cell) => formulas.content(initial[cell], access.len),
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
