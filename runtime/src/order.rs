//! A strict partial order over the indices `0..len`, always transitively closed.
//!
//! Row `i` holds the indices that come before `i`. Up to 64 indices, which nearly all situations have, a row
//! is a word. For more indices, it is a list of ranges. In a thread's stores in program order, each row is
//! one range; among stores that may overtake each other, the rows are empty. So a row has few ranges whatever
//! the number of indices. Inserting a last index takes time in proportion to the number of ranges before it;
//! with rows of successors, every row would change.
//!
//! Indices are positions: inserting or removing one shifts those behind it. Removing an index keeps the
//! relations between the others that followed from it.

/// The indices from the first (inclusive) to the second (exclusive); not empty.
pub(crate) type Range = (u32, u32);

#[derive(Clone, Debug)]
enum Rows {
    Words(Vec<u64>),
    /// The ranges of a row are ascending, with a gap between any two.
    Ranges(Vec<Vec<Range>>),
}

/// The order; see the header of the file.
#[derive(Clone, Debug)]
pub(crate) struct Order {
    rows: Rows,
    /// A buffer for [`retain`](Order::retain): the number of indices below each that are kept.
    scratch: Vec<u32>,
}

/// The largest number of indices for which rows are words.
const WORD: usize = 64;

impl Order {
    pub(crate) fn new() -> Self {
        Order { rows: Rows::Words(Vec::new()), scratch: Vec::new() }
    }

    fn len(&self) -> usize {
        match &self.rows {
            Rows::Words(rows) => rows.len(),
            Rows::Ranges(rows) => rows.len(),
        }
    }

    /// Resets to `len` indices, none before another.
    pub(crate) fn reset(&mut self, len: usize) {
        match &mut self.rows {
            Rows::Words(rows) if len <= WORD => {
                rows.clear();
                rows.resize(len, 0);
            }
            _ if len <= WORD => self.rows = Rows::Words(vec![0; len]),
            _ => self.rows = Rows::Ranges(vec![Vec::new(); len]),
        }
    }

    pub(crate) fn precedes(&self, i: usize, j: usize) -> bool {
        match &self.rows {
            Rows::Words(rows) => rows[j] >> i & 1 != 0,
            Rows::Ranges(rows) => has(&rows[j], index(i)),
        }
    }

    /// The indices before `i`, as a word of bits. There are at most 64 indices.
    pub(crate) fn word(&self, i: usize) -> u64 {
        match &self.rows {
            Rows::Words(rows) => rows[i],
            Rows::Ranges(rows) => {
                rows[i].iter().flat_map(|&(from, to)| from..to).fold(0, |word, index| word | 1 << index)
            }
        }
    }

    /// The number of indices before `i`.
    pub(crate) fn count_before(&self, i: usize) -> u32 {
        match &self.rows {
            Rows::Words(rows) => rows[i].count_ones(),
            Rows::Ranges(rows) => rows[i].iter().map(|&(from, to)| to - from).sum(),
        }
    }

    /// Calls `visit` with each index that comes before `i`, in ascending order.
    pub(crate) fn each_before(&self, i: usize, mut visit: impl FnMut(usize)) {
        match &self.rows {
            Rows::Words(rows) => {
                let mut rest = rows[i];
                while rest != 0 {
                    visit(rest.trailing_zeros() as usize);
                    rest &= rest - 1;
                }
            }
            Rows::Ranges(rows) => rows[i].iter().flat_map(|&(from, to)| from..to).for_each(|i| visit(i as usize)),
        }
    }

    /// The indices before `i`, as the least number of ranges.
    pub(crate) fn ranges(&self, i: usize) -> Vec<Range> {
        match &self.rows {
            Rows::Words(rows) => as_ranges(rows[i]),
            Rows::Ranges(rows) => rows[i].clone(),
        }
    }

    /// Sets the indices before `i`, as ascending ranges that may touch. The caller sets them for all indices,
    /// to an order that is transitively closed.
    pub(crate) fn set(&mut self, i: usize, before: impl Iterator<Item = Range>) {
        match &mut self.rows {
            Rows::Words(rows) => {
                rows[i] = before.flat_map(|(from, to)| from..to).fold(0, |word, index| word | 1 << index);
            }
            Rows::Ranges(rows) => {
                rows[i].clear();
                before.for_each(|range| append(&mut rows[i], range));
            }
        }
    }

    /// Sets the indices before `i`, as a word of bits. There are at most 64 indices.
    pub(crate) fn set_word(&mut self, i: usize, word: u64) {
        self.set(i, as_ranges(word).into_iter());
    }

    /// Inserts an index `k` after those in these ranges (of the new numbering, ascending, without `k`) and
    /// their predecessors.
    pub(crate) fn insert_after(&mut self, k: usize, before: &[Range]) {
        self.open_gap(k);
        match &mut self.rows {
            Rows::Words(rows) => {
                let direct = before.iter().flat_map(|&(from, to)| from..to).fold(0_u64, |word, i| word | 1 << i);
                let (mut all, mut rest) = (direct, direct);
                // The predecessors of an examined index are included already, by transitivity.
                while rest != 0 {
                    let i = 63 - rest.leading_zeros();
                    all |= rows[i as usize];
                    rest &= !(rows[i as usize] | 1 << i);
                }
                rows[k] = all;
            }
            Rows::Ranges(rows) => {
                let (mut all, mut rest) = (Vec::new(), before.to_vec());
                before.iter().for_each(|&range| append(&mut all, range));
                while let Some((_, end)) = rest.last_mut() {
                    *end -= 1;
                    let row = &rows[*end as usize];
                    if !row.is_empty() {
                        all = union(&all, row);
                        rest = without(&rest, row);
                    }
                    while rest.last().is_some_and(|&(from, to)| from >= to) {
                        rest.pop();
                    }
                }
                rows[k] = all;
            }
        }
    }

    /// Adds `i` before `j`, and the relations that follow. The caller knows that `j` does not precede `i`.
    pub(crate) fn relate(&mut self, i: usize, j: usize) {
        debug_assert!(i != j && !self.precedes(j, i), "the order stays acyclic");
        if self.precedes(i, j) {
            return;
        }
        match &mut self.rows {
            Rows::Words(rows) => {
                let before = rows[i] | 1 << i;
                for (p, row) in rows.iter_mut().enumerate() {
                    if p == j || *row >> j & 1 != 0 {
                        *row |= before;
                    }
                }
            }
            Rows::Ranges(rows) => {
                let mut before = rows[i].clone();
                insert(&mut before, index(i));
                for (p, row) in rows.iter_mut().enumerate() {
                    if p == j || has(row, index(j)) {
                        *row = union(row, &before);
                    }
                }
            }
        }
    }

    /// Removes index `k`.
    pub(crate) fn remove(&mut self, k: usize) {
        match &mut self.rows {
            Rows::Words(rows) => {
                rows.remove(k);
                let low = (1 << k) - 1;
                rows.iter_mut().for_each(|row| *row = *row & low | (*row >> 1) & !low);
            }
            Rows::Ranges(rows) => {
                rows.remove(k);
                rows.iter_mut().for_each(|row| remove(row, index(k)));
            }
        }
    }

    /// Removes all indices except those that `keep` accepts.
    pub(crate) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        if let Rows::Words(_) = &self.rows {
            (0..self.len()).rev().filter(|&i| !keep(i)).for_each(|i| self.remove(i));
            return;
        }
        let len = self.len();
        let Order { rows: Rows::Ranges(rows), scratch: below } = self else { return };
        below.clear();
        below.push(0);
        for i in 0..len {
            below.push(below[i] + u32::from(keep(i)));
        }
        let mut old = std::mem::take(rows);
        for (_, row) in old.iter_mut().enumerate().filter(|&(i, _)| below[i + 1] > below[i]) {
            let mut kept = Vec::with_capacity(row.len());
            let moved = row.iter().map(|&(from, to)| (below[from as usize], below[to as usize]));
            moved.filter(|&(from, to)| from < to).for_each(|range| append(&mut kept, range));
            rows.push(kept);
        }
    }

    /// Inserts an index `k` that is unrelated to the others.
    fn open_gap(&mut self, k: usize) {
        if let Rows::Words(rows) = &self.rows
            && rows.len() == WORD
        {
            self.rows = Rows::Ranges(rows.iter().map(|&row| as_ranges(row)).collect());
        }
        match &mut self.rows {
            Rows::Words(rows) => {
                let low = (1 << k) - 1;
                rows.iter_mut().for_each(|row| *row = *row & low | (*row & !low) << 1);
                rows.insert(k, 0);
            }
            Rows::Ranges(rows) => {
                // No index moves if the new one is the last one.
                if k < rows.len() {
                    let moves = |row: &&mut Vec<Range>| row.last().is_some_and(|&(_, to)| to > index(k));
                    rows.iter_mut().filter(moves).for_each(|row| part(row, index(k)));
                }
                rows.insert(k, Vec::new());
            }
        }
    }
}

fn index(i: usize) -> u32 {
    u32::try_from(i).expect("fewer than 2^32 pending stores")
}

fn as_ranges(mut word: u64) -> Vec<Range> {
    let mut ranges = Vec::new();
    while word != 0 {
        let from = word.trailing_zeros();
        let ones = (word >> from).trailing_ones();
        ranges.push((from, from + ones));
        word = if from + ones == u64::BITS { 0 } else { word >> (from + ones) << (from + ones) };
    }
    ranges
}

fn has(row: &[Range], i: u32) -> bool {
    let at = row.partition_point(|&(_, to)| to <= i);
    row.get(at).is_some_and(|&(from, _)| from <= i)
}

/// Appends a range that does not begin before the last one.
fn append(row: &mut Vec<Range>, (from, to): Range) {
    match row.last_mut() {
        Some((_, end)) if *end >= from => *end = to.max(*end),
        _ => row.push((from, to)),
    }
}

fn insert(row: &mut Vec<Range>, i: u32) {
    // In most cases `i` is behind the last range.
    if row.last().is_none_or(|&(_, to)| to <= i) {
        append(row, (i, i + 1));
    } else if !has(row, i) {
        *row = union(row, &[(i, i + 1)]);
    }
}

fn union(one: &[Range], other: &[Range]) -> Vec<Range> {
    let (mut all, mut one, mut other) = (Vec::with_capacity(one.len() + other.len()), one, other);
    loop {
        let next = match (one.first(), other.first()) {
            (Some(a), Some(b)) if a.0 <= b.0 => &mut one,
            (Some(_), None) => &mut one,
            (_, Some(_)) => &mut other,
            (None, None) => return all,
        };
        append(&mut all, next[0]);
        *next = &next[1..];
    }
}

/// The difference of two lists of ranges: the indices in `one` that are not in `other`.
fn without(one: &[Range], other: &[Range]) -> Vec<Range> {
    let (mut left, mut gone) = (Vec::with_capacity(one.len()), other.iter().peekable());
    for &(mut from, to) in one {
        while gone.next_if(|&&(_, end)| end <= from).is_some() {}
        while let Some(&&(start, end)) = gone.peek().filter(|&&&(start, _)| start < to) {
            if from < start {
                left.push((from, start));
            }
            from = end.min(to);
            if end >= to {
                break;
            }
            gone.next();
        }
        if from < to {
            left.push((from, to));
        }
    }
    left
}

/// Makes index `k` free in a row: indices from it on move up by one.
fn part(row: &mut Vec<Range>, k: u32) {
    let at = row.partition_point(|&(_, to)| to <= k);
    let split = row.get(at).is_some_and(|&(from, _)| from < k);
    if split {
        row.insert(at + 1, (k, row[at].1));
        row[at].1 = k;
    }
    row[at + usize::from(split)..].iter_mut().for_each(|(from, to)| (*from, *to) = (*from + 1, *to + 1));
}

/// Removes index `k` from a row: indices behind it move down by one.
fn remove(row: &mut Vec<Range>, k: u32) {
    let at = row.partition_point(|&(_, to)| to <= k);
    for (from, to) in &mut row[at..] {
        (*from, *to) = (*from - u32::from(*from > k), *to - 1);
    }
    if row.get(at).is_some_and(|&(from, to)| from == to) {
        row.remove(at);
    }
    // The ranges on both sides may touch now.
    let touches = |at: usize| at > 0 && row.get(at).is_some_and(|&(from, _)| row[at - 1].1 == from);
    if let Some(at) = [at, at + 1].into_iter().find(|&at| touches(at)) {
        row[at - 1].1 = row[at].1;
        row.remove(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a total order of `n` indices from the outside in, then thins it out; this covers both bit
    /// shifts across words.
    fn thinned_chain(n: usize) {
        let mut order = Order::new();
        for k in 0..n {
            let before = [(0, index(k / 2))];
            order.insert_after(k / 2, if k > 1 { &before } else { &[] });
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
        let sizes: &[usize] = if cfg!(miri) { &[1, 2, 3, 66] } else { &[1, 2, 3, 64, 65, 66, 127, 128, 129, 200] };
        sizes.iter().copied().for_each(thinned_chain);
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
        order.insert_after(1, &[(3, 4)]);
        assert!(order.precedes(0, 1) && order.precedes(3, 1) && !order.precedes(2, 1));
    }

    /// The number of random operations. Under Miri they are few, because each takes long there; this file has
    /// no unsafe code.
    const ROUNDS: usize = if cfg!(miri) { 200 } else { 700 };

    /// Compares random operations on up to `most` indices with a matrix that is closed after each of them.
    fn compare_with_a_matrix(most: usize) {
        let mut seed = most as u64;
        let mut below = move |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        let (mut order, mut matrix) = (Order::new(), Vec::<Vec<bool>>::new());
        for round in 0..ROUNDS {
            let len = matrix.len();
            match below(8) {
                0..=3 if len < most => {
                    let (k, step) = (below(len + 1), 1 + below(9));
                    let is_before = |i: usize| i != k && i.is_multiple_of(step);
                    matrix.iter_mut().for_each(|row| row.insert(k, false));
                    matrix.insert(k, vec![false; len + 1]);
                    for i in (0..=len).filter(|&i| is_before(i)) {
                        matrix[i][k] = true;
                        (0..=len)
                            .filter(|&p| matrix[p][i])
                            .collect::<Vec<_>>()
                            .iter()
                            .for_each(|&p| matrix[p][k] = true);
                    }
                    let before: Vec<_> =
                        (0..=len).filter(|&i| is_before(i)).map(|i| (index(i), index(i) + 1)).collect();
                    order.insert_after(k, &before);
                }
                4 | 5 if len > 1 => {
                    let (i, j) = (below(len), below(len));
                    if i != j && !matrix[j][i] {
                        order.relate(i, j);
                        let after: Vec<_> = (0..len).filter(|&a| a == j || matrix[j][a]).collect();
                        for p in (0..len).filter(|&p| p == i || matrix[p][i]).collect::<Vec<_>>() {
                            after.iter().for_each(|&a| matrix[p][a] = true);
                        }
                    }
                }
                6 if len > most - 20 => {
                    let k = below(len);
                    order.remove(k);
                    matrix.remove(k);
                    for row in &mut matrix {
                        row.remove(k);
                    }
                }
                7 if len > most - 10 && below(4) == 0 => {
                    let keep = |i: usize| i % 5 != 2;
                    order.retain(keep);
                    let kept = |row: Vec<bool>| {
                        row.into_iter().enumerate().filter(|&(i, _)| keep(i)).map(|(_, bit)| bit).collect()
                    };
                    let rows = std::mem::take(&mut matrix).into_iter().enumerate().filter(|&(i, _)| keep(i));
                    matrix = rows.map(|(_, row)| kept(row)).collect();
                }
                _ => {}
            }
            if cfg!(miri) && round % 50 != 0 {
                continue;
            }
            for (i, row) in matrix.iter().enumerate() {
                for (j, &bit) in row.iter().enumerate() {
                    assert_eq!(order.precedes(i, j), bit, "round {round}: {i} {j} of {}", matrix.len());
                }
                let ranges = order.ranges(i);
                assert!(ranges.windows(2).all(|two| two[0].1 < two[1].0), "as few ranges as possible: {ranges:?}");
            }
        }
        assert!(matrix.len() > most - 26, "most rounds have many indices");
    }

    #[test]
    fn ranges_say_what_a_matrix_says() {
        compare_with_a_matrix(if cfg!(miri) { 70 } else { 90 });
    }

    #[test]
    fn words_say_what_a_matrix_says() {
        let sizes: &[usize] = if cfg!(miri) { &[26] } else { &[26, 40, 64] };
        sizes.iter().copied().for_each(compare_with_a_matrix);
    }
}
