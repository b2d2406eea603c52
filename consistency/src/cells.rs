//! Memory divided into cells: the largest ranges that every access touches as a whole or not at all.
//!
//! Where all accesses to a variable have its size, it is one cell. With accesses of mixed sizes a variable
//! has several, and an access touches several. What is true of the bytes of a cell is true of the cell,
//! because each store writes all of it: so the algorithms of the source, which are for variables, work on
//! cells.

use crate::history::Place;

/// The number of a cell, from 0.
pub type Cell = u32;

/// The cells that some places are divided into.
#[derive(Debug)]
pub struct Cells {
    /// The first byte of each cell as `(object, offset)`, ascending, and its end.
    starts: Vec<(u32, u32)>,
    ends: Vec<u64>,
}

impl Cells {
    /// The cells of these places. Each place has at least one byte.
    pub fn of(mut places: Vec<Place>) -> Self {
        places.sort_unstable();
        places.dedup();
        let (mut starts, mut ends) = (Vec::with_capacity(places.len()), Vec::with_capacity(places.len()));
        let mut at = 0;
        while at < places.len() {
            // A cluster: places of which each overlaps one before it.
            let (first, object, mut end) = (at, places[at].object, places[at].end());
            at += 1;
            while at < places.len() && places[at].object == object && u64::from(places[at].offset) < end {
                end = end.max(places[at].end());
                at += 1;
            }
            let mut bounds: Vec<u64> =
                places[first..at].iter().flat_map(|place| [u64::from(place.offset), place.end()]).collect();
            bounds.sort_unstable();
            bounds.dedup();
            for pair in bounds.windows(2) {
                starts.push((object, pair[0] as u32));
                ends.push(pair[1]);
            }
        }
        Self { starts, ends }
    }

    /// The number of cells.
    pub const fn count(&self) -> usize {
        self.starts.len()
    }

    /// The cells of a place, which is one of those that the cells were made of.
    pub fn of_place(&self, place: Place) -> std::ops::Range<Cell> {
        let first = self.starts.partition_point(|&start| start < (place.object, place.offset));
        let mut end = first;
        while self.starts.get(end).is_some_and(|start| start.0 == place.object) && self.ends[end] <= place.end() {
            end += 1;
        }
        first as Cell..end as Cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_one_size_are_cells() {
        let places = [(1, 0, 4), (0, 8, 4), (0, 8, 4), (0, 4, 4)].map(|(object, at, len)| Place::new(object, at, len));
        let cells = Cells::of(places.to_vec());
        assert_eq!(cells.count(), 3);
        assert_eq!(cells.of_place(places[0]), 2..3);
        assert_eq!(cells.of_place(places[1]), 1..2);
        assert_eq!(cells.of_place(places[3]), 0..1);
    }

    #[test]
    fn overlapping_places_are_divided() {
        let [whole, middle, apart] = [Place::new(0, 0, 8), Place::new(0, 2, 4), Place::new(0, 8, 1)];
        let cells = Cells::of(vec![whole, middle, apart]);
        assert_eq!(cells.count(), 4);
        assert_eq!(cells.of_place(whole), 0..3);
        assert_eq!(cells.of_place(middle), 1..2);
        assert_eq!(cells.of_place(apart), 3..4);
    }

    #[test]
    fn the_last_byte_of_an_object_is_a_cell() {
        let place = Place::new(3, u32::MAX, 1);
        assert_eq!(Cells::of(vec![place]).of_place(place), 0..1);
    }
}
