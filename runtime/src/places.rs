//! An index of the pending stores by their bytes.
//!
//! A store is compared with those that share a byte with it. Among few stores a linear search is fastest. If
//! there are many, they are first sorted by place, so that a comparison takes time in proportion to the
//! stores at that place: 16,384 stores of one copy are written in 0.01 seconds instead of 0.7.

use crate::access::MAX_ACCESS;
use crate::buffer::Entry;
use crate::{Access, Buffers};

/// The largest number of stores for which a linear search is used.
const FEW: usize = 64;

/// The pending stores in the order of their first bytes: object, offset, canonical index. It is empty if
/// there are few. It is stale once a store is added or removed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Vec<(u32, u32, usize)>);

impl Places {
    /// Sorts the pending stores.
    pub(crate) fn fill(&mut self, entries: &[Entry]) {
        self.0.clear();
        if entries.len() > FEW {
            self.0.extend(entries.iter().enumerate().map(|(i, e)| (e.at.object, e.at.offset, i)));
            self.0.sort_unstable();
        }
    }

    /// A superset of the stores that share a byte with the range, in no particular order; empty if there are
    /// few stores.
    fn near(&self, at: Access) -> &[(u32, u32, usize)] {
        let first = (at.object, at.offset.saturating_sub(MAX_ACCESS.into()), 0);
        let rest = &self.0[self.0.partition_point(|&place| place < first)..];
        let is_near = |&(object, offset, _): &(u32, u32, usize)| object == at.object && u64::from(offset) < at.end();
        &rest[..rest.partition_point(is_near)]
    }
}

impl Buffers {
    /// The indices of the pending stores that share a byte with the range, each once, in no particular order.
    /// `places` must be up to date.
    pub(crate) fn rivals<'a>(&'a self, places: &'a Places, at: Access) -> impl Iterator<Item = usize> + 'a {
        let all = if places.0.is_empty() { 0..self.entries.len() } else { 0..0 };
        let near = places.near(at).iter().map(|&(_, _, i)| i);
        all.chain(near).filter(move |&i| self.entries[i].at.overlaps(at))
    }
}
