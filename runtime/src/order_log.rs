//! The known order in which named stores reach memory, for reports.
//!
//! The log is kept small: a pair is left out if both stores are linked through stores between them. A reader
//! can still follow it from store to store. A buffer of n stores in program order has n pairs, not n².

use crate::{Buffers, StoreTag};

/// The largest number of a store's successors that are used to leave others out; more would cost more time
/// than they save.
const LINKS: usize = 8;

impl Buffers {
    /// Starts recording the order in which named stores reach memory, for
    /// [`known_order`](Buffers::known_order).
    pub fn log_order(&mut self) {
        self.order_log = Some(Vec::new());
    }

    /// The order of named stores that was decided since [`log_order`](Buffers::log_order): pairs, with the
    /// store that reaches memory earlier first. Pairs that follow from several others are left out. A pair
    /// may appear more than once.
    pub fn known_order(&self) -> Vec<(StoreTag, StoreTag)> {
        let mut pairs = self.order_log.clone().unwrap_or_default();
        for i in 0..self.len() {
            self.link_after(i, &mut pairs);
        }
        pairs
    }

    /// Records the order between entry `i`, which is about to be removed, and the others.
    pub(crate) fn note_order(&mut self, i: usize) {
        let Some(mut pairs) = self.order_log.take() else { return };
        self.link_after(i, &mut pairs);
        self.link_before(i, &mut pairs);
        self.order_log = Some(pairs);
    }

    /// Adds the pairs of entry `i` and its successors.
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

    /// Adds the pairs of entry `i` and its predecessors.
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
