//! Saving the store's tables to a checkpoint, and loading them from one.
//!
//! Numbers of components and tree nodes are assigned in the order of insertion, so tables that are filled in
//! that order have the same numbers. Indices are not saved; they are rebuilt.

use std::io;

use super::Id;
use super::index::hash;
use super::interner::Interner;
use super::pairs::{Table, split};
use super::saved::{Reader, Writer, damaged};
use super::states::{StateStore, States};
use super::sync::lock;
use super::tree::Nodes;
use crate::hash::FxHashSet;

impl Interner {
    /// Writes all components.
    ///
    /// # Errors
    /// The file's.
    pub fn save(&self, out: &mut Writer) -> io::Result<()> {
        out.number(self.len() as u64)?;
        (0..self.len() as Id).try_for_each(|id| {
            let words = self.get(id);
            out.number(words.len() as u64)?;
            out.items(words)
        })
    }

    /// Reads components into a table that is empty or has only the first of them.
    ///
    /// # Errors
    /// The file's.
    pub fn load(&mut self, input: &mut Reader) -> io::Result<()> {
        for id in 0..input.number()? {
            let len = usize::try_from(input.number()?).map_err(|_| damaged())?;
            if u64::from(self.intern(&input.items(len)?)) != id {
                return Err(damaged());
            }
        }
        Ok(())
    }
}

impl<const W: usize> Table<W> {
    fn save(&self, out: &mut Writer) -> io::Result<()> {
        out.list(self.len() * W, (0..self.len()).flat_map(|id| self.get(id as Id)))
    }

    fn load(&self, input: &mut Reader) -> io::Result<()> {
        let mut entry = [0; W];
        let mut at = 0;
        input.list(|word| {
            entry[at % W] = word;
            at += 1;
            if at % W == 0 {
                self.insert(entry, hash(&entry));
            }
        })?;
        if self.len() * W == at { Ok(()) } else { Err(damaged()) }
    }
}

impl Nodes {
    fn save(&self, out: &mut Writer) -> io::Result<()> {
        self.inner.save(out)?;
        self.heads.save(out)?;
        self.tails.save(out)
    }

    fn load(&self, input: &mut Reader) -> io::Result<()> {
        self.inner.load(input)?;
        self.heads.load(input)?;
        self.tails.load(input)
    }
}

impl StateStore {
    /// Writes the trees.
    ///
    /// # Errors
    /// The file's.
    pub fn save(&self, out: &mut Writer) -> io::Result<()> {
        lock(&self.nodes).save(out)
    }

    /// Reads trees into an empty store.
    ///
    /// # Errors
    /// The file's.
    pub fn load(&self, input: &mut Reader) -> io::Result<()> {
        lock(&self.nodes).load(input)
    }
}

impl States {
    /// Writes the states before a position, and leaves out those behind it.
    ///
    /// # Errors
    /// The file's.
    pub fn save(&mut self, len: usize, out: &mut Writer) -> io::Result<()> {
        let behind: FxHashSet<u64> = (len..self.len()).map(|at| self.key_at(at)).collect();
        out.list(len, self.known.iter().filter(|key| !behind.contains(key)))?;
        out.list(len, (0..len).map(|at| self.parents.get(at)))?;
        out.list(len, (0..len).map(|at| self.fingerprints.get(at)))?;
        out.number(self.explored as u64)?;
        out.list(len - self.explored, (self.explored..len).map(|at| self.frontier.get(at)))
    }

    /// Reads states into an empty part, whose trees were read before. Their sleep marks are not saved.
    ///
    /// # Errors
    /// The file's, and [`io::ErrorKind::InvalidData`] for keys and roots that no state has.
    pub fn load(&mut self, input: &mut Reader) -> io::Result<()> {
        let roots = self.roots();
        let Self { known, parents, fingerprints, frontier, .. } = self;
        let mut exist = true;
        input.list(|key| {
            exist &= known.fits(key);
            if exist {
                known.add(key);
            }
        })?;
        input.list(|parent| parents.push(parent))?;
        input.list(|fingerprint| fingerprints.push(fingerprint))?;
        let explored = usize::try_from(input.number()?).ok().filter(|&explored| explored <= parents.len());
        let explored = explored.ok_or_else(damaged)?;
        frontier.begin_at(explored);
        input.list(|root| {
            exist &= is_below(split(root), roots);
            frontier.push(root);
        })?;
        if !exist || [fingerprints.len(), frontier.len()] != [parents.len(); 2] {
            return Err(damaged());
        }
        self.retire(explored);
        Ok(())
    }

    /// The numbers of heads and of tails.
    fn roots(&self) -> (usize, usize) {
        let nodes = lock(&self.store.nodes);
        (nodes.heads.len(), nodes.tails.len())
    }
}

/// True if both numbers of a root exist: they are below the numbers of heads and of tails.
const fn is_below((head, tail): (Id, Id), (heads, tails): (usize, usize)) -> bool {
    (head as usize) < heads && (tail as usize) < tails
}

#[cfg(test)]
mod tests {
    use std::io::Seek;

    use super::super::space::Space;
    use super::super::states::{Identity, Reached};
    use super::*;

    #[test]
    fn a_store_comes_back_without_what_is_behind() {
        for identity in [Identity::Exact, Identity::Hashed] {
            let new = || StateStore::new(1, identity, &Space::default());
            let vectors: Vec<Vec<Id>> = (0..3000).map(|at| vec![at % 7, at / 7, 3, at, 5]).collect();
            let (store, mut file) = (new(), tempfile::tempfile().expect("a file"));
            let mut states = States::new(&store, 0);
            let add = |states: &mut States, vector: &[Id], parent| {
                let (name, len) = (states.fold(vector), states.len());
                states.insert(&[Reached { name, parent, sleep_mark: 1 }], |_| ());
                states.len() > len
            };
            assert!((0..).zip(&vectors).all(|(parent, vector)| add(&mut states, vector, parent)));
            states.retire(2000);
            let mut writer = Writer::new(file.try_clone().expect("another handle"));
            store.save(&mut writer).and_then(|()| states.save(2500, &mut writer)).expect("written");
            writer.finish().expect("written");
            file.rewind().expect("the beginning");
            let store = new();
            let mut states = States::new(&store, 0);
            let mut reader = Reader::new(file).expect("a reader");
            store.load(&mut reader).and_then(|()| states.load(&mut reader)).expect("read");
            assert!((2000..2500).all(|state| {
                states.take(state);
                states.vector() == vectors[state as usize]
            }));
            assert!((0..2500).all(|state| states.parent(state) == state));
            let is_new: Vec<_> = vectors.iter().map(|vector| add(&mut states, vector, 0)).collect();
            assert!(is_new.iter().enumerate().all(|(at, &is_new)| is_new == (at >= 2500)));
        }
    }

    /// True if states with these keys, this number of explored states and these roots can be read, into a
    /// store with one head and one tail.
    fn loads(identity: Identity, keys: &[u64], explored: u64, roots: &[u64]) -> bool {
        let store = StateStore::new(1, identity, &Space::default());
        States::new(&store, 0).fold(&[1, 2, 3]);
        let mut file = tempfile::tempfile().expect("a file");
        let mut writer = Writer::new(file.try_clone().expect("another handle"));
        let mut write = || {
            writer.list(keys.len(), keys.iter().copied())?;
            writer.list(keys.len(), keys.iter().map(|_| 0_u32))?;
            writer.list(keys.len(), keys.iter().map(|_| 0_u16))?;
            writer.number(explored)?;
            writer.list(roots.len(), roots.iter().copied())
        };
        write().and_then(|()| writer.finish()).expect("written");
        file.rewind().expect("the beginning");
        States::new(&store, 0).load(&mut Reader::new(file).expect("a reader")).is_ok()
    }

    /// Regression test: the search for a key with more bits than keys have did not end.
    #[test]
    fn keys_and_roots_that_no_state_has_are_refused() {
        assert!(loads(Identity::Hashed, &[5, 6], 1, &[0]));
        assert!(!loads(Identity::Hashed, &[5, u64::MAX], 1, &[0]), "a key has fewer bits");
        assert!(!loads(Identity::Exact, &[5, 6], 1, &[1]), "there is one tail");
        assert!(!loads(Identity::Exact, &[5, 6], 1, &[1 << 32]), "there is one head");
        assert!(!loads(Identity::Exact, &[5, 6], u64::MAX, &[0]), "more are explored than there are");
        assert!(!loads(Identity::Exact, &[5, 6], 0, &[0]), "a state has no root");
    }

    #[test]
    fn components_keep_their_numbers() {
        let mut file = tempfile::tempfile().expect("a file");
        let mut components = Interner::default();
        let words = |at: u64| vec![at; at as usize % 5];
        let ids: Vec<_> = (0..500).map(|at| components.intern(&words(at))).collect();
        let mut writer = Writer::new(file.try_clone().expect("another handle"));
        components.save(&mut writer).expect("written");
        writer.finish().expect("written");
        file.rewind().expect("the beginning");
        let mut again = Interner::default();
        again.load(&mut Reader::new(file).expect("a reader")).expect("read");
        assert!((0..500).zip(ids).all(|(at, id)| again.intern(&words(at)) == id));
    }
}
