//! Stores that are without effect: of what the thread's newest pending store to the same bytes stores
//! already.
//!
//! A loop that waits and stores in every round, `do s.cache = load(&flag); while (!s.cache);`, fills its
//! buffer with such stores. They are left out where the thread is the only one that writes the bytes, which
//! is a guard (`guards.rs`): guessed, and checked at every access of the search.
//!
//! **Why that is exact.** Let `N` store the value `v` to the bytes `B`, and let `A` be the newest pending
//! store of the same thread that has a byte of `B`, also of `v` to exactly `B`. While several threads exist
//! no other thread writes a byte of `B` or ends their memory, and no store of another thread to one is
//! pending. Compare the textbook machine's executions with and without `N`:
//!
//! * *What memory contains.* `A` is before `N` in every order, and no write to `B` comes between them, of its
//!   own thread or of another. So `N` reaches memory where `B` is `v` already.
//! * *What loads see.* Its own thread sees `v` in `B` after `N`, from `A` or from memory, until it stores
//!   there again; others see memory.
//! * *What waits for what.* What is ordered behind `N` is ordered behind `A` and whatever is before `N`:
//!   under TSO since a later store follows all earlier ones, pieces of copies included; under PSO since a
//!   later store to a byte of `B` follows `A` as well, and one behind a barrier follows all that was before
//!   the barrier. So `N` can be added to an execution without it, reaching memory as soon as what is before
//!   it has; a fence waits for no more than that. And it can be taken out of any.
//! * *The end of the memory.* If another thread ended it, `N` could be late and `A` not. That is a write,
//!   against the guard.
//!
//! Without the guard it is wrong: in `x = 1; x = 1;` beside `x = 2;` a third thread may see 1, 2, 1.
//!
//! That a guard is broken in some execution is found though such stores are left out: take a shortest
//! execution that breaks one; all before its last access keeps the guards, so the search has it without the
//! stores that are without effect.
//!
//! The guess costs executions, and few programs need it. So it is made when a buffer was full for the first
//! time (`engine/explicit/mod.rs`), or if it cannot be. No store is left out with `--races`, which orders
//! events by stores that were read, and with update events, where a loop whose rounds have an effect goes on
//! for ever, with or without this.
//!
//! Tests: `tests/programs/termination/stores_in_waiting_loop.c`; `pipeline_differential.rs` compares with the
//! textbook machine.

use rmc_runtime::Bytes;

use crate::system::machine::Machine;
use crate::system::step::access::Target;

impl Machine<'_> {
    /// Whether a store into the running thread's buffer would be without effect.
    pub(in crate::system) fn repeats_newest(&self, target: &Target, value: Bytes) -> bool {
        if self.config.updates
            || self.observers.races.is_some()
            || !self.config.guards.has_writer(target.at, self.running.thread)
        {
            return false;
        }
        let mut newest = None;
        for store in self.buffers.pending().filter(|store| store.at.overlaps(target.at)) {
            if store.thread != self.running.thread {
                return false;
            }
            newest = Some(store);
        }
        newest.is_some_and(|store| store.at == target.at && store.value == value)
    }
}
