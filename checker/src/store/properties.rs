//! Property tests: the store returns the vectors that were stored, for random vectors, from trees and from
//! checkpoints.

use std::io::Seek;

use proptest::collection::vec;
use proptest::prelude::*;

use super::space::Space;
use super::states::{Identity, Reached};
use super::{Id, Interner, Reader, StateStore, States, Writer};

/// Vectors of few different components, so that their trees share nodes and some vectors are equal.
fn vectors() -> impl Strategy<Value = Vec<Vec<Id>>> {
    vec(vec(0..6_u32, 1..40), 1..60)
}

fn add(states: &mut States, vector: &[Id]) -> bool {
    let (name, len) = (states.fold(vector), states.len());
    states.insert(&[Reached { name, parent: 0, sleep_mark: 0 }], |_| ());
    states.len() > len
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_and_checkpoints_give_the_vectors_back(vectors in vectors()) {
        for identity in [Identity::Exact, Identity::Hashed] {
            let store = StateStore::new(1, identity, &Space::default());
            let mut states = States::new(&store, 0);
            let mut distinct: Vec<&[Id]> = Vec::new();
            for vector in &vectors {
                let is_new = !distinct.contains(&vector.as_slice());
                prop_assert_eq!(add(&mut states, vector), is_new);
                if is_new {
                    distinct.push(vector);
                }
            }
            let mut file = tempfile::tempfile().expect("a file");
            let mut writer = Writer::new(file.try_clone().expect("another handle"));
            store.save(&mut writer).and_then(|()| states.save(distinct.len(), &mut writer)).expect("written");
            writer.finish().expect("written");
            file.rewind().expect("the beginning");
            let store = StateStore::new(1, identity, &Space::default());
            let mut again = States::new(&store, 0);
            let mut reader = Reader::new(file).expect("a reader");
            store.load(&mut reader).and_then(|()| again.load(&mut reader)).expect("read");
            // The order is reversed, so that each vector is unfolded after another one than before.
            for (number, vector) in distinct.iter().enumerate().rev() {
                let number = number as Id;
                states.take(number);
                again.take(number);
                prop_assert_eq!([states.vector(), again.vector()], [*vector; 2]);
            }
            prop_assert!(!vectors.iter().any(|vector| add(&mut again, vector)));
        }
    }

    #[test]
    fn components_give_their_words_back(components in vec(vec(prop_oneof![0..3_u64, any::<u64>()], 0..12), 1..80)) {
        let mut interner = Interner::default();
        let ids: Vec<_> = components.iter().map(|words| interner.intern(words)).collect();
        for (one, &id) in components.iter().zip(&ids) {
            prop_assert_eq!(interner.get(id), one.as_slice());
            for (other, &other_id) in components.iter().zip(&ids) {
                prop_assert_eq!(one == other, id == other_id);
            }
        }
    }

    /// Lists of any length, numbers and items, in any order.
    #[test]
    fn a_file_gives_the_lists_back(lists in vec(vec(any::<u32>(), 0..9000), 0..6), number in any::<u64>()) {
        let mut file = tempfile::tempfile().expect("a file");
        let mut writer = Writer::new(file.try_clone().expect("another handle"));
        writer.number(number).expect("written");
        for list in &lists {
            writer.list(list.len(), list.iter().copied()).expect("written");
        }
        writer.finish().expect("written");
        file.rewind().expect("the beginning");
        let mut reader = Reader::new(file).expect("a reader");
        prop_assert_eq!(reader.number().expect("a number"), number);
        for list in &lists {
            let mut again = Vec::new();
            reader.list(|item: u32| again.push(item)).expect("a list");
            prop_assert_eq!(&again, list);
        }
        prop_assert!(reader.number().is_err(), "nothing is left");
    }
}
