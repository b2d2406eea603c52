//! The rounds of threads at barriers, in a run on the machine.
//!
//! There the lowest thread of a round that reads the result of its call chooses the serial thread when it
//! leaves, and the others that read it leave after it. In the formula the last thread to arrive is the serial
//! one, and threads leave in any order. Leaving does nothing else, and is possible as soon as the round is
//! complete. So all threads that read their result leave then, in the machine's order.

use std::collections::{BTreeMap, BTreeSet};

/// The threads at barriers.
#[derive(Debug, Default)]
pub struct RoundsAtBarriers {
    /// For each barrier's address the threads that have arrived in the round under way, and whether they read
    /// the result.
    arrived: BTreeMap<u64, BTreeMap<usize, bool>>,
    /// The threads that have left and whose departure was not looked at yet.
    left: BTreeSet<usize>,
}

/// A departure: the thread, and the answers to the machine's questions.
pub type Departure = (usize, Vec<u32>);

impl RoundsAtBarriers {
    /// A thread arrives. If it is the last one, the departures that are to happen now, in order.
    pub fn arrive(&mut self, barrier: u64, thread: usize, reads: bool, is_last: bool) -> Vec<Departure> {
        self.arrived.entry(barrier).or_default().insert(thread, reads);
        if !is_last {
            return Vec::new();
        }
        let round = self.arrived.remove(&barrier).unwrap_or_default();
        let readers: Vec<usize> = round.into_iter().filter(|&(_, reads)| reads).map(|(thread, _)| thread).collect();
        self.left.extend(&readers);
        // The chooser is asked for itself, each of the others, and nobody of these.
        let serial = readers.iter().position(|&reader| reader == thread).unwrap_or(readers.len());
        let answer = u32::try_from(serial).expect("few threads");
        let departures = readers.into_iter().enumerate();
        departures.map(|(at, reader)| (reader, if at == 0 { vec![answer] } else { Vec::new() })).collect()
    }

    /// True if a thread has left already that is to leave now.
    pub fn has_left(&mut self, thread: usize) -> bool {
        self.left.remove(&thread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_reader_names_the_serial_thread() {
        let mut rounds = RoundsAtBarriers::default();
        assert_eq!(rounds.arrive(8, 3, true, false), []);
        assert_eq!(rounds.arrive(8, 1, true, false), []);
        assert_eq!(rounds.arrive(8, 2, false, false), []);
        assert_eq!(rounds.arrive(8, 4, true, true), [(1, vec![2]), (3, vec![]), (4, vec![])]);
        assert!(rounds.has_left(3) && !rounds.has_left(3) && !rounds.has_left(2));
        assert_eq!(rounds.arrive(8, 1, true, false), []);
        assert_eq!(rounds.arrive(8, 2, false, true), [(1, vec![1])], "the serial thread does not ask");
    }
}
