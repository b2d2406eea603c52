//! The bytes that steps of the search write, and the branches that nobody needs unless some others are
//! written.
//!
//! A step may read more than it writes, as the lock of a mutex does, 24 bytes and 8. Where its write is in
//! the way of another one, its first cells have their sources, and the other sources of the rest can be found
//! only without the step. If no step of the search writes a byte of the rest, or the only one that does comes
//! before, as where the mutex was initialised, there are none. So such a branch is left out, and if another
//! step writes a byte of its rest later, the search starts over and knows.
//!
//! Nothing is missed: if a class needs a branch that was left out, its execution has another write to the
//! rest. Of the executions by which the search would find the class, consider the first one that has another
//! write to the rest of a branch that was left out. No branch that was left out is needed for what is before
//! it. Nor for itself: such a branch is needed only to revisit its step from a write to its rest, and there
//! is none before. So the search finds that execution, and the write.

use rmc_consistency::Place;

use super::histories::HistoryId;
use super::trace::common;
use crate::engine::stateless::accesses::without;
use crate::hash::FxHashMap;

/// The writers of bytes in the whole search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writers {
    /// One step writes them, at once: the last one of this history.
    One(HistoryId),
    /// Several steps write them, or one with a delayed store.
    Any,
}

/// The bytes that a search and those before it wrote, and the reads for which it left out branches.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The bytes that are written, by object. No byte is in two places.
    objects: FxHashMap<u32, Vec<(Place, Writers)>>,
    left_out: FxHashMap<u32, Vec<Place>>,
    is_incomplete: bool,
}

impl Written {
    /// The same for the next search, which has left out nothing yet.
    pub fn again(self) -> Self {
        Self { objects: self.objects, ..Self::default() }
    }

    /// Notes a write. Returns false if it was known.
    pub fn note(&mut self, place: Place, writers: Writers) -> bool {
        let known = self.objects.entry(place.object).or_default();
        if known.iter().any(|&(known, by)| known.covers(place) && (by == writers || by == Writers::Any)) {
            return false;
        }
        let mut changed = vec![place];
        let mut now = Vec::new();
        for &(known, by) in known.iter() {
            let Some(both) = common(known, place) else {
                now.push((known, by));
                continue;
            };
            now.extend(without(known, place).into_iter().map(|rest| (rest, by)));
            let is_same = by == writers || by == Writers::Any;
            now.push((both, if is_same { by } else { Writers::Any }));
            let rest = changed.into_iter().flat_map(|part| without(part, known)).collect();
            changed = rest;
            if !is_same && self.left_out.get(&both.object).is_some_and(|out| out.iter().any(|out| out.overlaps(both))) {
                self.is_incomplete = true;
            }
        }
        let left_out = self.left_out.get(&place.object).into_iter().flatten();
        self.is_incomplete |= left_out.into_iter().any(|out| changed.iter().any(|part| part.overlaps(*out)));
        now.extend(changed.into_iter().map(|part| (part, writers)));
        *known = now;
        true
    }

    /// The bytes of some places that are written, with their writers.
    pub fn writers_of(&self, places: &[Place]) -> Vec<(Place, Writers)> {
        let of = |place: &Place| {
            let known = self.objects.get(&place.object).into_iter().flatten();
            known.filter_map(|&(known, by)| Some((common(known, *place)?, by))).collect::<Vec<_>>()
        };
        places.iter().flat_map(of).collect()
    }

    /// True if branches were left out for all of these places.
    pub fn has_left_out(&self, places: &[Place]) -> bool {
        let is_known = |place: &Place| {
            let mut known = self.left_out.get(&place.object).into_iter().flatten();
            known.any(|known| known.covers(*place))
        };
        places.iter().all(is_known)
    }

    /// Notes that branches are left out for these places.
    pub fn note_left_out(&mut self, places: &[Place]) {
        for &place in places {
            let known = self.left_out.entry(place.object).or_default();
            if !known.iter().any(|known| known.covers(place)) {
                known.push(place);
            }
        }
    }

    /// True if a branch can be left out that is needed only to find other writes to these places than those
    /// for which `is_before` is true. It is left out then.
    pub fn leave_out(&mut self, rest: &[Place], is_before: impl Fn(HistoryId) -> bool) -> bool {
        let is_free = |&place: &Place| {
            let mut known = self.objects.get(&place.object).into_iter().flatten();
            !known
                .any(|&(known, by)| known.overlaps(place) && !matches!(by, Writers::One(history) if is_before(history)))
        };
        let is_free = rest.iter().all(is_free);
        if is_free {
            self.note_left_out(rest);
        }
        is_free
    }

    /// True if a byte was written for which a branch was left out.
    pub const fn is_incomplete(&self) -> bool {
        self.is_incomplete
    }
}
