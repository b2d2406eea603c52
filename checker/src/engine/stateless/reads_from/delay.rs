//! The events that have to come later if a write does.

use rmc_consistency::Place;
use smallvec::SmallVec;

use super::memory::Part;
use super::occurrences::Occurrence;
use crate::engine::stateless::sources::Writer;

/// The most writes that come later at the same time.
const MOST: usize = 8;

/// The events that come after some writes if these come as late as possible: by the sources of reads, the
/// order of a thread's steps and stores, and since they overwrite what another one reads. There may be more:
/// stores of a thread to different places are taken to be in order.
pub struct Delay {
    /// The writers of the first writes.
    first: SmallVec<[Writer; 4]>,
    /// The writes of the events.
    writes: SmallVec<[Part; 16]>,
    /// The places that the events read from other writes than these.
    reads: SmallVec<[Place; 16]>,
    /// The first steps of threads.
    steps: SmallVec<[(usize, u32); 8]>,
    /// The threads whose stores are among the events.
    stores: SmallVec<[usize; 8]>,
    /// A write that comes after one of the events, and before another one, which reads it.
    between: Option<Writer>,
}

impl Delay {
    /// The events that stay, and those that come later if a write does. `None`: that is not known.
    pub fn of<'a, 'b>(
        writer: Writer,
        events: &[&'b Occurrence<'a>],
    ) -> Option<(Vec<&'b Occurrence<'a>>, Vec<&'b Occurrence<'a>>)> {
        let mut first = SmallVec::from_slice(&[writer]);
        for _ in 0..MOST {
            let mut delay = Self {
                first,
                writes: SmallVec::new(),
                reads: SmallVec::new(),
                steps: SmallVec::new(),
                stores: SmallVec::new(),
                between: None,
            };
            let (kept, delayed) = events.iter().partition(|event| !delay.concerns(event));
            let Some(between) = delay.between else { return Some((kept, delayed)) };
            first = delay.first;
            first.push(between);
        }
        None
    }

    /// True if an event is one of those, which are asked for in order.
    fn concerns(&mut self, occurrence: &Occurrence<'_>) -> bool {
        let Occurrence { event, step: (thread, number), writes, .. } = occurrence;
        let is_after_step = self.steps.iter().any(|(of, first)| of == thread && first <= number);
        let waits = event.is_update() || event.is_fenced();
        let has_written = |part: &Part| self.writes.iter().any(|write| write.writer == part.writer);
        let concerns = is_after_step
            || waits && self.stores.contains(thread)
            || writes.iter().any(|write| self.first.contains(&write.writer))
            || self.reads.iter().any(|&read| occurrence.overwrites(read))
            || occurrence.reads().any(has_written);
        if concerns {
            for read in occurrence.reads().filter(|read| !has_written(read)) {
                self.reads.push(read.place);
                let is_before = |write: &Part| write.place.overlaps(read.place);
                self.between = self.between.or(self.writes.iter().any(is_before).then_some(read.writer));
            }
            self.writes.extend(writes.iter().copied());
            match event.is_update() {
                true => self.stores.push(*thread),
                false if !is_after_step => self.steps.push((*thread, *number)),
                false => {}
            }
        }
        concerns
    }
}
