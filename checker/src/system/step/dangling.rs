//! Pointers to memory that has ended.
//!
//! New memory takes the lowest free name, so a dangling pointer leads to it from then on, as after a real
//! `malloc`. Before, it leads nowhere, and its use is a violation. An operation that others notice may let a
//! thread go on that has such a pointer. So a step does not go on from such an operation to one that gives
//! the name away again: between the two is a state. This is about the names of memory that others knew when
//! it ended (`ObjectTable::dangling`). They stay what they are when they are given away, since old pointers
//! stay. So new memory on the heap is never private: others may find it before it is published, and before
//! its first stores are in memory. If a new variable is taken for private, and an old pointer leads another
//! thread to it, the search is repeated without [`Reduction::Private`].
//!
//! In the explicit engine, while one thread is alone, pointers are in memory and in its registers only. When
//! it creates another thread, names in no pointer are forgotten, so that the next threads do not meet more
//! states than the first ones. A pointer in disguise, to which the name still leads, meets the memory that
//! has it then: with [`Reduction::Private`] that is noticed as above.

use crate::interp::Effect;
use crate::ir::address;
use crate::system::analyses::leaks::Reachable;
use crate::system::library;
use crate::system::machine::Machine;
use crate::system::reductions::Reduction;
use crate::system::state::object_table::{Object, ObjectKind};
use crate::system::state::threads;

impl Machine<'_> {
    /// Notes that an object has ended to which others may have pointers.
    pub(super) fn leaves_pointers(&mut self, object: &Object) {
        if object.shared {
            self.memory.table.dangles(object.id);
        }
    }

    /// True if an effect gives a name to memory with which others may have dangling pointers, or brings a
    /// variable back into scope to which they may have pointers.
    pub(super) fn revives_dangling(&self, effect: &Effect) -> bool {
        if self.is_alone() || self.in_section() {
            return false;
        }
        let owner = u32::try_from(self.running.thread).expect("few threads") + 1;
        match effect {
            Effect::Alloca { .. } | Effect::CalleeObject { .. } => {
                self.memory.table.next_is_dangling(owner, ObjectKind::Stack)
            }
            Effect::LifetimeStart { addr, .. } => {
                let object = address::split(*addr).and_then(|(id, _)| self.memory.object(id));
                object.is_some_and(|object| object.dead && object.shared)
            }
            Effect::Library { site } => {
                library::takes_memory(self, *site) && self.memory.table.next_is_dangling(owner, ObjectKind::Heap)
            }
            _ => false,
        }
    }

    /// True if others cannot notice an effect, now or later.
    pub(super) fn goes_unnoticed(&self, effect: &Effect) -> bool {
        match effect {
            Effect::Load { .. }
            | Effect::RawLoad { .. }
            | Effect::RawStore { .. }
            | Effect::Alloca { .. }
            | Effect::CalleeObject { .. }
            | Effect::VaStart { .. }
            | Effect::ThreadLocal { .. }
            | Effect::LifetimeStart { .. } => true,
            Effect::Store { addr, .. } => {
                let object = address::split(*addr).and_then(|(id, _)| self.memory.object(id));
                object.is_some_and(|object| !object.shared)
            }
            _ => false,
        }
    }

    /// Forgets the dangling names that are in no pointer, before the running thread creates another one, if
    /// it is alone.
    pub(in crate::system) fn forget_dangling(&mut self) {
        let is_apt = self.is_alone() && !self.config.updates && self.config.reduces(Reduction::Private);
        if !is_apt || self.memory.table.dangling.is_empty() {
            return;
        }
        let mut mentioned = Reachable::default();
        let slots = self.threads.slots.iter().flat_map(|&slots| threads::words(&self.memory.components, slots));
        let below = threads::words_of_list(&self.memory.components, self.running.rest);
        let registers = self.running.stack.values().map(|value| value.bits);
        slots.chain(below).chain(registers).for_each(|word| mentioned.word(word));
        self.buffers.pending().for_each(|store| mentioned.bytes(store.value, 16));
        let globals = self.program.shared_globals.iter().map(|global| self.program.globals[global.index()].object);
        for id in globals.chain(self.memory.table.objects.iter().map(|object| object.id)) {
            let region = self.memory.region(id).expect("the object exists");
            self.scan(&region, &mut mentioned);
        }
        self.memory.table.dangling.retain(|id| mentioned.all.contains(id));
        self.memory.table.kept.retain(|id| mentioned.all.contains(&id));
    }
}
