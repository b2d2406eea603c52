//! What becomes known of the order in which named stores reach memory, for reports.
//!
//! The log is as small as it may be while a reader can follow it from store to store: that a store precedes
//! another one is left out where both are linked through stores between them. A buffer of n stores in program
//! order has n pairs, not n².

use crate::{Buffers, StoreTag};

/// So many successors of a store are used to leave others out; more would take longer than it saves.
const LINKS: usize = 8;

impl Buffers {
    /// From now on, notes in which order named stores reach memory, for
    /// [`known_order`](Buffers::known_order).
    pub fn log_order(&mut self) {
        self.order_log = Some(Vec::new());
    }

    /// What was decided about the order of named stores since [`log_order`](Buffers::log_order): pairs, the
    /// store that reaches memory earlier first. What follows from several pairs together is left out. A pair
    /// may appear more than once.
    pub fn known_order(&self) -> Vec<(StoreTag, StoreTag)> {
        let mut pairs = self.order_log.clone().unwrap_or_default();
        for i in 0..self.len() {
            self.link_after(i, &mut pairs);
        }
        pairs
    }

    /// Notes the order of entry `i`, which goes away, and the others.
    pub(crate) fn note_order(&mut self, i: usize) {
        let Some(mut pairs) = self.order_log.take() else { return };
        self.link_after(i, &mut pairs);
        self.link_before(i, &mut pairs);
        self.order_log = Some(pairs);
    }

    /// Pairs of entry `i` with what follows it.
    fn link_after(&self, i: usize, pairs: &mut Vec<(StoreTag, StoreTag)>) {
        if !self.is_named(i) {
            return;
        }
        let mut later: Vec<_> = (0..self.len()).filter(|&j| self.is_named(j) && self.order.precedes(i, j)).collect();
        later.sort_by_key(|&j| self.order.count_before(j));
        let mut links: Vec<usize> = Vec::new();
        for j in later {
            if links.iter().any(|&link| self.order.precedes(link, j)) {
                continue;
            }
            if links.len() < LINKS {
                links.push(j);
            }
            pairs.push((self.entries[i].tag, self.entries[j].tag));
        }
    }

    /// Pairs of entry `i` with what precedes it.
    fn link_before(&self, i: usize, pairs: &mut Vec<(StoreTag, StoreTag)>) {
        if !self.is_named(i) {
            return;
        }
        let mut earlier = Vec::new();
        self.order.each_before(i, |j| earlier.push(j));
        earlier.retain(|&j| self.is_named(j));
        earlier.sort_by_key(|&j| std::cmp::Reverse(self.order.count_before(j)));
        let mut links: Vec<usize> = Vec::new();
        for j in earlier {
            if links.iter().any(|&link| self.order.precedes(j, link)) {
                continue;
            }
            if links.len() < LINKS {
                links.push(j);
            }
            pairs.push((self.entries[j].tag, self.entries[i].tag));
        }
    }

    fn is_named(&self, i: usize) -> bool {
        self.entries[i].tag.0 != 0
    }
}
