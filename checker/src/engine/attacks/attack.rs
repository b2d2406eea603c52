//! An attack that is under way: who attacks, and what is known to come after the attacker's loads.

use std::rc::Rc;

use rmc_runtime::Access;
use smallvec::SmallVec;

use super::marks::Marks;
use crate::system::FootprintEntry;

/// The stages of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The attacker delays its stores and goes on. Marks are those of all its loads since.
    Delaying,
    /// The attacker has made the load past which its stores are delayed. Marks are those of that load.
    Closing,
}

/// The events of a helper that come after a load of the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Reached {
    /// None.
    No,
    /// Stores of this copy, among which there is no program order.
    Copy(u32),
    /// Something that is before all of its further operations in program order.
    Yes,
}

/// An attack under way. It is a part of the state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attack {
    /// The attacker.
    pub thread: usize,
    /// The stage.
    pub stage: Stage,
    marks: Marks,
    /// For each thread, what was reached of it. The last entry is not [`Reached::No`].
    reached: Vec<Reached>,
}

/// An event of a thread: a step, or the update of a store.
#[derive(Clone, Copy, Debug)]
pub struct Event<'e> {
    /// The thread.
    pub thread: usize,
    /// The bytes or the resource that it touches.
    pub footprint: &'e [FootprintEntry],
    /// For the update of a piece of a copy, the number of the copy, else 0.
    pub copy: u32,
    /// The number of stores that the thread had buffered before the event.
    pub buffered: u32,
}

/// The result of an event of a helper.
pub enum Followed {
    /// The event comes after no load of the attacker. It could as well have happened before the attack.
    Unrelated,
    /// The event comes after one.
    Related(Attack),
    /// It touches a delayed store, too. So it comes before that store, and the cycle is closed.
    Closed,
}

impl Attack {
    /// The attack of a thread that delays its stores from now on.
    pub const fn begun_by(thread: usize) -> Self {
        Self { thread, stage: Stage::Delaying, marks: Marks::new(), reached: Vec::new() }
    }

    /// The attack after the attacker has touched this while it delays its stores.
    #[must_use]
    pub fn after(mut self, touches: &[FootprintEntry]) -> Self {
        touches.iter().for_each(|touch| self.marks.add(touch));
        self
    }

    /// The attack after the load past which the stores are delayed.
    #[must_use]
    pub fn at_load(&self, touches: &[FootprintEntry]) -> Self {
        Self { stage: Stage::Closing, ..Self::begun_by(self.thread) }.after(touches)
    }

    /// The attack after an event of a helper. `delayed` are the delayed stores.
    pub fn follow(&self, event: Event<'_>, delayed: &[Access]) -> Followed {
        let mut next = self.clone();
        let mut is_reached = next.is_reached(event.thread, event.copy);
        let mut is_closed = false;
        let operations = operations(&event);
        let has_operation = !operations.is_empty();
        for operation in operations {
            let touches = || operation.iter().copied();
            is_reached |= touches().any(|touch| next.marks.precede(touch));
            if is_reached {
                is_closed |= self.stage == Stage::Closing && touches().any(|touch| is_of_any(touch, delayed));
                touches().for_each(|touch| next.marks.add(touch));
                touches().filter_map(FootprintEntry::created).for_each(|thread| next.reach(thread, 0));
            }
        }
        if is_reached && has_operation {
            next.reach(event.thread, event.copy);
        }
        match is_reached {
            false => Followed::Unrelated,
            true if is_closed => Followed::Closed,
            true => Followed::Related(next),
        }
    }

    /// True if something that comes before an operation of this copy (0: of none) in program order was
    /// reached.
    fn is_reached(&self, thread: usize, copy: u32) -> bool {
        match self.reached.get(thread) {
            None | Some(Reached::No) => false,
            Some(Reached::Copy(reached)) => *reached != copy,
            Some(Reached::Yes) => true,
        }
    }

    fn reach(&mut self, thread: usize, copy: u32) {
        if self.reached.len() <= thread {
            self.reached.resize(thread + 1, Reached::No);
        }
        let reached = &mut self.reached[thread];
        *reached = match *reached {
            Reached::No if copy > 0 => Reached::Copy(copy),
            Reached::Copy(same) if same == copy => Reached::Copy(copy),
            _ => Reached::Yes,
        };
    }

    /// The bytes that the attack takes.
    pub fn bytes(&self) -> usize {
        size_of::<Rc<Self>>() + size_of::<Self>() + self.marks.bytes() + self.reached.len() * size_of::<Reached>()
    }
}

/// The operations of an event, in program order. Loads come first, then writes by the number of stores that
/// their thread had buffered before.
fn operations<'e>(event: &Event<'e>) -> SmallVec<[SmallVec<[&'e FootprintEntry; 4]>; 1]> {
    let place = |touch: &FootprintEntry| touch.own.filter(|_| touch.write).unwrap_or(event.buffered);
    let touched = || event.footprint.iter().filter(|touch| !touch.hypothetical);
    let mut places: SmallVec<[_; 2]> = touched().map(place).collect();
    places.sort_unstable();
    places.dedup();
    places.iter().map(|&here| touched().filter(|touch| place(touch) == here).collect()).collect()
}

fn is_of_any(touch: &FootprintEntry, stores: &[Access]) -> bool {
    stores.iter().any(|&store| FootprintEntry::of(store, true).overlaps(touch))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(object: u32, write: bool) -> FootprintEntry {
        FootprintEntry::of(at(object), write)
    }

    const fn at(object: u32) -> Access {
        Access { object, offset: 0, len: 4 }
    }

    const X: u32 = 1;
    const Y: u32 = 2;
    const Z: u32 = 3;

    fn followed(attack: &Attack, thread: usize, touch: FootprintEntry, copy: u32) -> Followed {
        attack.follow(Event { thread, footprint: &[touch], copy, buffered: 0 }, &[at(X)])
    }

    #[track_caller]
    fn related(followed: Followed) -> Attack {
        match followed {
            Followed::Related(attack) => attack,
            Followed::Unrelated => panic!("the event is not related"),
            Followed::Closed => panic!("the cycle is closed"),
        }
    }

    #[test]
    fn store_buffering_is_an_attack() {
        // The attacker delays its store to x past its load of y; the helper stores to y and loads x.
        let attack = Attack::begun_by(0).at_load(&[touch(Y, false)]);
        let attack = related(followed(&attack, 1, touch(Y, true), 0));
        assert!(matches!(followed(&attack, 2, touch(X, false), 0), Followed::Unrelated));
        assert!(matches!(followed(&attack, 1, touch(X, false), 0), Followed::Closed));
    }

    #[test]
    fn nothing_is_closed_before_the_load() {
        let attack = Attack::begun_by(0).after(&[touch(Y, false)]);
        let attack = related(followed(&attack, 1, touch(Y, true), 0));
        assert!(matches!(followed(&attack, 1, touch(X, false), 0), Followed::Related(_)));
        // The load decides; what came before it does not count any more.
        let attack = attack.at_load(&[touch(Z, false)]);
        assert!(matches!(followed(&attack, 1, touch(X, false), 0), Followed::Unrelated));
    }

    #[test]
    fn pieces_of_a_copy_have_no_program_order() {
        let attack = Attack::begun_by(0).at_load(&[touch(Y, false)]);
        let attack = related(followed(&attack, 1, touch(Y, true), 5));
        assert!(matches!(followed(&attack, 1, touch(X, true), 5), Followed::Unrelated));
        assert!(matches!(followed(&attack, 1, touch(X, true), 6), Followed::Closed));
    }
}
