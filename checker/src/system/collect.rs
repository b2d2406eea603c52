//! Removes the components that no state needs any more. The memory of a stateless exploration is then bounded
//! by the states on its stack.

use crate::hash::FxHashMap;
use crate::store::{Id, Interner};
use crate::system::machine::Machine;
use crate::system::observe::vector_queries::Layout;

/// Components that are being moved from one table to another.
struct Moving {
    from: Interner,
    to: Interner,
    /// For each old id the new id plus one; 0 if the component was not moved yet. A component may be both the
    /// content of a page and a list of frames. It then becomes two components.
    moved: Vec<Id>,
    moved_lists: FxHashMap<Id, Id>,
}

impl Moving {
    fn plain(&mut self, id: Id) -> Id {
        if self.moved[id as usize] == 0 {
            self.moved[id as usize] = self.to.intern(self.from.get(id)) + 1;
        }
        self.moved[id as usize] - 1
    }

    /// Moves a list of frames, which refers to other components: see `threads.rs`.
    fn list(&mut self, id: Id, ends: [Id; 2]) -> Id {
        if ends.contains(&id) {
            return self.plain(id);
        }
        if let Some(&moved) = self.moved_lists.get(&id) {
            return moved;
        }
        let pair = self.from.get(id)[0];
        let (frame, below) = (self.plain((pair >> 32) as Id), self.list(pair as Id, ends));
        let moved = self.to.intern(&[u64::from(frame) << 32 | u64::from(below)]);
        self.moved_lists.insert(id, moved);
        moved
    }
}

impl Machine<'_> {
    /// Keeps only the components of these states, which are state vectors of update events, and gives them
    /// new ids. The working state is lost.
    pub fn collect<'v>(&mut self, states: impl Iterator<Item = &'v mut [Id]>) {
        let from = std::mem::take(&mut self.memory.components);
        let moved = vec![0; from.len()];
        let mut moving = Moving { from, to: Interner::default(), moved, moved_lists: FxHashMap::default() };
        let ends = [self.encoding.empty, self.encoding.ended];
        for state in states {
            let layout = Layout::of(&moving.from, state);
            let is_list = |at: usize| (Layout::thread(0)..layout.queue(0)).contains(&at) && at % 2 == 1;
            for (at, id) in state.iter_mut().enumerate() {
                *id = if is_list(at) { moving.list(*id, ends) } else { moving.plain(*id) };
            }
        }
        (self.encoding.empty, self.encoding.ended) =
            (moving.plain(self.encoding.empty), moving.plain(self.encoding.ended));
        self.memory.components = moving.to;
        self.forget_components();
    }
}
