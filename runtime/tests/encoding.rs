//! The canonical form of buffers comes back as it was, after any operations.

mod cells;

use cells::Cells;
use proptest::prelude::*;
use rmc_runtime::{Access, Buffers, Bytes, Choose, Model, StoreTag};

/// Threads of the buffers.
const THREADS: usize = 3;

/// Answers every question by the same number.
struct Answer(usize);

impl Choose for Answer {
    fn choose(&mut self, n: usize) -> usize {
        self.0 % n
    }
}

#[derive(Clone, Debug)]
enum Operation {
    Store(Access, u128, u128),
    Load(Access, usize),
    Fence,
    Barrier,
}

fn operation() -> impl Strategy<Value = Operation> {
    let place = (1..4_u32, 0..3_u32, 0..5_u32).prop_map(|(object, word, power)| {
        let len = 1_u8 << power;
        Access { object, offset: word * 16, len }
    });
    let store = (place.clone(), any::<u128>(), prop_oneof![3 => Just(0), 1 => any::<u128>()]);
    let store = store.prop_map(|(at, bits, undef)| Operation::Store(at, bits, undef));
    let load = (place, 0..4_usize).prop_map(|(at, answer)| Operation::Load(at, answer));
    prop_oneof![12 => store, 2 => load, 1 => Just(Operation::Fence), 1 => Just(Operation::Barrier)]
}

fn run(buffers: &mut Buffers, memory: &mut Cells, thread: usize, operation: &Operation) {
    match *operation {
        Operation::Store(at, bits, undef) => {
            let mask = if at.len == 16 { u128::MAX } else { (1 << (8 * at.len)) - 1 };
            let value = Bytes { bits: bits & mask & !undef, undef: undef & mask };
            buffers.store(memory, thread, at, value, StoreTag(0));
        }
        Operation::Load(at, answer) => drop(buffers.load(memory, Some(thread), at, &mut Answer(answer))),
        Operation::Fence => buffers.fence(memory, thread),
        Operation::Barrier => buffers.store_barrier(thread),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// More than 40 and more than 64 pending stores come up: both forms of a row, in the words and in the order.
    #[test]
    fn buffers_come_back(
        is_pso in any::<bool>(),
        operations in proptest::collection::vec((0..THREADS, operation()), 0..120),
    ) {
        let model = if is_pso { Model::Pso } else { Model::Tso };
        let (mut buffers, mut memory, mut decoded) = (Buffers::new(model), Cells::default(), Buffers::new(model));
        for (thread, operation) in &operations {
            run(&mut buffers, &mut memory, *thread, operation);
            let (mut words, mut again) = (Vec::new(), Vec::new());
            buffers.encode(&mut words);
            decoded.decode(&words);
            prop_assert!(decoded == buffers, "{:?}\n{:?}", decoded, buffers);
            decoded.encode(&mut again);
            prop_assert_eq!(&again, &words);
            prop_assert_eq!(Buffers::encoded_len(&words), buffers.pending().count());
        }
    }
}
