//! How states look if one does not look at which thread has which number.

use std::hash::Hasher;

use fxhash::FxHasher;
use rmc_runtime::Buffers;

use super::{FIRST, slots};
use crate::interp::watch::is_telling;
use crate::store::Id;
use crate::system::directory::Directory;
use crate::system::machine::Machine;
use crate::system::threads;

impl Machine<'_> {
    /// A number that is the same for two states that differ in the numbers of threads only, and different for most others; `thread` has the same place in both.
    #[must_use]
    pub fn likeness(&self, vector: &[Id], thread: usize) -> u64 {
        let words = |id: Id| self.memory.components.get(id);
        let threads = Directory::threads_of(words(vector[0]));
        let frames = threads::words(&self.memory.components, slots(vector, thread));
        let stands = words(slots(vector, thread).top)[0];
        let own = hash(frames.chain([stands]));
        let others = (0..threads).map(|other| hash(threads::words(&self.memory.components, slots(vector, other))));
        let pages = vector[FIRST + 2 * threads..].iter().map(|&page| hash(words(page).iter().copied()));
        let mut buffers = Buffers::new(self.config.model());
        buffers.decode(words(vector[1]));
        let stores = buffers.pending().map(|store| {
            let place = u64::from(store.at.offset) << 8 | u64::from(store.at.len);
            hash([place, store.value.bits as u64, (store.value.bits >> 64) as u64, store.committed.into()].into_iter())
        });
        let all = others.chain(pages).chain(stores);
        all.fold(own, u64::wrapping_add)
    }
}

fn hash(words: impl Iterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    words.for_each(|word| hasher.write_u64(if is_telling(word) { u64::MAX } else { word }));
    hasher.finish()
}
