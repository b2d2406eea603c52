//! The stores before loads of a thread: they seldom change from one load to the next.

use super::MonitorAccess;
use super::clock::{Clock, Stamp, Timestamp};
use super::thread::Thread;

/// The stores before some loads of a thread, between which it has learned, stored and fenced nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// The stores that happen-before them, the thread's own ones up to a number.
    pub hb: (Clock, u64),
    /// The stores that relaxed-happen-before them, the thread's own ones up to a number.
    pub rhb: (Clock, u64),
    /// The number of full fences of the thread before them.
    pub fences: u64,
    /// The position of one of them.
    pub position: u64,
}

impl Past {
    /// Of a load: the stores that happen-before it, and those that relaxed-happen-before it.
    pub fn new(access: MonitorAccess, sets: [&Timestamp; 2]) -> Self {
        let [hb, rhb] = sets.map(|set| (set.stamp().clock.clone(), set.stamp().own));
        Self { hb, rhb, fences: access.fences, position: access.position }
    }

    /// Of the next load of a thread.
    pub fn before(thread: &Thread) -> Self {
        let [hb, rhb] = [&thread.hb, &thread.loads].map(|set| (set.stamp().clock.clone(), set.stamp().own));
        Self { hb, rhb, fences: thread.fences, position: thread.accesses }
    }

    /// True if it is that of the next load of its thread, but for the position.
    pub fn is_of(&self, thread: &Thread) -> bool {
        let sets = [(&self.hb, &thread.hb), (&self.rhb, &thread.loads)];
        let is_same = |(clock, own): &(Clock, u64), now: Stamp<'_>| *own == now.own && clock.is_same(now.clock);
        self.fences == thread.fences && sets.iter().all(|(then, now)| is_same(then, now.stamp()))
    }

    /// Becomes what is before a later load.
    pub fn assign(&mut self, access: MonitorAccess, sets: [&Timestamp; 2]) {
        for ((clock, own), now) in [&mut self.hb, &mut self.rhb].into_iter().zip(sets) {
            clock.assign(now.stamp().clock);
            *own = now.stamp().own;
        }
        (self.fences, self.position) = (access.fences, access.position);
    }

    /// One of the sets, of a load of a thread.
    pub fn stamp((clock, own): &(Clock, u64), thread: u32) -> Stamp<'_> {
        Stamp { clock, thread: thread as usize, own: *own }
    }
}
