//! A strict partial order over the indices `0..len`, as a bit matrix that is always transitively closed.
//!
//! Row `i` holds the indices that come after `i`; a row has `words` words, one while there are at most 64
//! indices. Indices are positions: inserting or removing one shifts those behind it. Removing an index keeps
//! what followed from it between the others.

/// See the header of the file.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    len: usize,
    /// Words per row; 64 * words >= len. May be more than needed after removals.
    words: usize,
    /// Row `i` is `rows[i * words..][..words]`. Bits at and above `len` are zero.
    rows: Vec<u64>,
    /// A row's worth of room for [`insert_after`](Order::insert_after).
    scratch: Vec<u64>,
}

impl Order {
    pub(crate) fn new() -> Self {
        Order { len: 0, words: 1, rows: Vec::new(), scratch: Vec::new() }
    }

    /// `len` indices, none before another.
    pub(crate) fn reset(&mut self, len: usize) {
        self.len = len;
        self.words = words_for(len);
        self.rows.clear();
        self.rows.resize(len * self.words, 0);
    }

    pub(crate) fn precedes(&self, i: usize, j: usize) -> bool {
        self.rows[i * self.words + j / 64] >> (j % 64) & 1 != 0
    }

    /// The words of row `i` that can have a bit set.
    pub(crate) fn row(&self, i: usize) -> &[u64] {
        &self.rows[i * self.words..][..words_for(self.len)]
    }

    /// The inverse of [`row`](Order::row). The caller sets all rows, of an order that is transitively closed.
    pub(crate) fn set_row_word(&mut self, i: usize, word: usize, bits: u64) {
        self.rows[i * self.words + word] = bits;
    }

    /// A new index `k`, after every index (of the new numbering) for which `is_before` holds and what
    /// precedes those.
    pub(crate) fn insert_after(&mut self, k: usize, is_before: impl Fn(usize) -> bool) {
        self.open_gap(k);
        self.scratch.clear();
        self.scratch.resize(self.words, 0);
        for i in (0..self.len).filter(|&i| i != k && is_before(i)) {
            self.scratch[i / 64] |= 1 << (i % 64);
        }
        for i in 0..self.len {
            let before = self.scratch[i / 64] >> (i % 64) & 1 != 0;
            let row = &mut self.rows[i * self.words..][..self.words];
            if before || row.iter().zip(&self.scratch).any(|(r, s)| r & s != 0) {
                row[k / 64] |= 1 << (k % 64);
            }
        }
    }

    /// Adds `i` before `j`, and what follows from it. The caller knows that `j` does not precede `i`.
    pub(crate) fn relate(&mut self, i: usize, j: usize) {
        debug_assert!(i != j && !self.precedes(j, i), "the order stays acyclic");
        if self.precedes(i, j) {
            return;
        }
        for p in 0..self.len {
            if p == i || self.precedes(p, i) {
                for w in 0..self.words {
                    self.rows[p * self.words + w] |= self.rows[j * self.words + w];
                }
                self.rows[p * self.words + j / 64] |= 1 << (j % 64);
            }
        }
    }

    /// Forgets index `k`.
    pub(crate) fn remove(&mut self, k: usize) {
        self.rows.drain(k * self.words..(k + 1) * self.words);
        self.len -= 1;
        for row in self.rows.chunks_exact_mut(self.words) {
            remove_bit(row, k);
        }
    }

    fn open_gap(&mut self, k: usize) {
        if self.len == 64 * self.words {
            self.widen();
        }
        for row in self.rows.chunks_exact_mut(self.words) {
            insert_zero_bit(row, k);
        }
        self.len += 1;
        let at = k * self.words;
        self.rows.splice(at..at, std::iter::repeat_n(0, self.words));
    }

    /// One more word per row.
    fn widen(&mut self) {
        let old = std::mem::take(&mut self.rows);
        for row in old.chunks_exact(self.words) {
            self.rows.extend_from_slice(row);
            self.rows.push(0);
        }
        self.words += 1;
    }
}

/// Words that `len` bits need; at least one, so that rows exist.
fn words_for(len: usize) -> usize {
    len.div_ceil(64).max(1)
}

fn insert_zero_bit(row: &mut [u64], k: usize) {
    let low = (1 << (k % 64)) - 1;
    let first = row[k / 64];
    row[k / 64] = first & low | (first & !low) << 1;
    let mut carry = first >> 63;
    for word in &mut row[k / 64 + 1..] {
        (*word, carry) = (*word << 1 | carry, *word >> 63);
    }
}

fn remove_bit(row: &mut [u64], k: usize) {
    let low = (1 << (k % 64)) - 1;
    let mut carry = 0;
    for word in row[k / 64 + 1..].iter_mut().rev() {
        (*word, carry) = (*word >> 1 | carry << 63, *word & 1);
    }
    let first = row[k / 64];
    row[k / 64] = first & low | (first >> 1) & !low | carry << 63;
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A total order of `n` indices that was built from the outside in, then thinned: exercises both bit
    /// shifts across words.
    fn thinned_chain(n: usize) {
        let mut order = Order::new();
        for k in 0..n {
            order.insert_after(k / 2, |i| i < k / 2);
        }
        for i in 0..n - 1 {
            order.relate(i, i + 1);
        }
        for k in (0..n / 2).rev() {
            order.remove(2 * k);
        }
        let left = n - n / 2;
        for (i, j) in (0..left).flat_map(|i| (0..left).map(move |j| (i, j))) {
            assert_eq!(order.precedes(i, j), i < j, "{n}: {i} {j}");
        }
    }

    #[test]
    fn bits_move_across_words() {
        for n in [1, 2, 3, 64, 65, 66, 127, 128, 129, 200] {
            thinned_chain(n);
        }
    }

    #[test]
    fn relating_closes_transitively() {
        let mut order = Order::new();
        order.reset(4);
        order.relate(2, 3);
        order.relate(0, 1);
        order.relate(1, 2);
        assert!(order.precedes(0, 3) && order.precedes(1, 3) && !order.precedes(3, 0));
        order.remove(1);
        assert!(order.precedes(0, 1), "what followed from the forgotten index stays");
    }

    #[test]
    fn a_new_index_is_after_what_precedes_its_predecessors() {
        let mut order = Order::new();
        order.reset(3);
        order.relate(0, 2);
        order.insert_after(1, |i| i == 3);
        assert!(order.precedes(0, 1) && order.precedes(3, 1) && !order.precedes(2, 1));
    }
}
