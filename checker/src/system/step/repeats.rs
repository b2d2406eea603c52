//! Stores without effect: stores of a value that the thread's newest pending store to the same bytes already
//! has.
//!
//! A loop that waits and stores in every round, `do s.cache = load(&flag); while (!s.cache);`, fills its
//! buffer with such stores. They are left out if the thread is the only one that writes the bytes. That claim
//! is a guard (`guards.rs`): it is guessed, and checked at every access of the search.
//!
//! **Proof that this is exact.** Let `N` store the value `v` to the bytes `B`, and let `A` be the newest
//! pending store of the same thread that has a byte of `B`, also of `v` to exactly `B`. While several threads
//! exist no other thread writes a byte of `B` or ends their memory, and no store of another thread to one is
//! pending. Compare the textbook machine's executions with and without `N`:
//!
//! * *The content of memory.* `A` precedes `N` in every order, and no write to `B` comes between them, of its
//!   own thread or of another. So `N` reaches memory where `B` is `v` already.
//! * *The values of loads.* Its own thread reads `v` in `B` after `N`, from `A` or from memory, until it
//!   stores there again; others read memory.
//! * *The order of stores.* Every store that is ordered after `N` is ordered after `A` and after everything
//!   before `N`. Under TSO this is so because a later store follows all earlier ones, pieces of copies
//!   included. Under PSO a later store to a byte of `B` follows `A` as well, and one after a barrier follows
//!   everything before the barrier. So `N` can be added to an execution without it, reaching memory as soon
//!   as everything before it has; a fence waits for no more than that. And it can be removed from any
//!   execution.
//! * *The end of the memory.* If another thread ended it, `N` could be late and `A` not. That end is a write
//!   against the guard.
//!
//! Without the guard this is wrong: in `x = 1; x = 1;` beside `x = 2;` a third thread may read 1, 2, 1.
//!
//! A guard that is broken in some execution is found although such stores are left out. Take a shortest
//! execution that breaks one. Everything before its last access keeps the guards, so the search has that
//! execution without the stores that are without effect.
//!
//! The guess costs executions, and few programs need it. So it is made when a buffer was full for the first
//! time (`engine/explicit/bound.rs`), or before the first search if buffers are unbounded. No store is left
//! out with `--races`, which orders events by stores that were read, nor with update events, where a loop
//! whose rounds have an effect goes on for ever in any case.
//!
//! Tests: `tests/programs/termination/stores_in_waiting_loop.c`; `pipeline_differential.rs` compares with the
//! textbook machine.

use rmc_runtime::Bytes;

use crate::system::machine::Machine;
use crate::system::step::access::Target;

impl Machine<'_> {
    /// True if a store into the running thread's buffer would be without effect.
    pub(in crate::system) fn repeats_newest(&mut self, target: &Target, value: Bytes) -> bool {
        if self.config.updates || self.config.races || !self.config.guards.has_writer(target.at, self.running.thread) {
            return false;
        }
        let mut newest = None;
        for store in self.buffers.pending().filter(|store| store.at.overlaps(target.at)) {
            if store.thread != self.running.thread {
                return false;
            }
            newest = Some(store);
        }
        let Some(store) = newest.filter(|store| store.at == target.at) else { return false };
        !self.are_different(store.value != value)
    }
}
