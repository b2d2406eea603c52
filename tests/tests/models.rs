//! The structures that workers of the explicit engine share, in every order of their operations that the
//! memory model of Rust allows (loom).
//!
//! The sources are those of the checker; loom's locks and atomic words replace those of the standard library.

use std::sync::Arc;

use libtest_mimic::{Arguments, Trial};
use loom::thread;
use parallel::{Barrier, Mailbox};
use store::pairs::Table;

/// The parts of `checker/src/store` that workers share.
#[allow(dead_code, unused_imports, missing_docs)]
#[path = "../../checker/src/store"]
mod store {
    pub mod cells;
    pub mod index;
    pub mod mapped;
    pub mod measure;
    pub mod pairs;
    pub mod shards;
    pub mod space;
    pub mod words;

    pub type Id = u32;

    pub mod sync {
        pub use std::sync::OnceLock;

        pub use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};
        pub use loom::sync::{Mutex, MutexGuard};

        /// The number of words that the tests use; it is small because loom tracks each of them.
        const FEW: usize = 4;

        pub type Zeros = Box<[AtomicU64]>;

        pub fn zeros(_: &super::space::Space, len: usize) -> Zeros {
            (0..len.min(FEW)).map(|_| AtomicU64::new(0)).collect()
        }

        pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
            mutex.lock().expect("no worker failed")
        }
    }
}

/// `checker/src/engine/explicit/parallel`.
#[allow(dead_code, unused_imports, missing_docs)]
#[path = "../../checker/src/engine/explicit/parallel"]
mod parallel {
    mod barrier;
    mod mailbox;

    pub use barrier::Barrier;
    pub use mailbox::Mailbox;

    mod sync {
        pub use loom::sync::Mutex;
        pub use loom::sync::atomic::{AtomicU32, AtomicU64, Ordering};

        pub use crate::store::sync::lock;

        pub fn pause(_: &mut u32) {
            loom::thread::yield_now();
        }
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let test = |name: &str, model: fn()| {
        Trial::test(name, move || {
            loom::model(model);
            Ok(())
        })
    };
    let tests = vec![
        test("a pair has one number", a_pair_has_one_number),
        test("who is told a number finds the pair", who_is_told_a_number_finds_the_pair),
        test("batches are there after a barrier", batches_are_there_after_a_barrier),
        test("workers agree at a barrier", workers_agree_at_a_barrier),
    ];
    libtest_mimic::run(&arguments, tests).exit();
}

/// Two workers insert the same pair, and one other pair each.
fn a_pair_has_one_number() {
    let table: Arc<Table<1>> = Arc::default();
    let add = |table: &Table<1>, pairs: [u64; 2]| pairs.map(|pair| table.insert([pair], pair << 40));
    let other = Arc::clone(&table);
    let worker = thread::spawn(move || add(&other, [7, 8]));
    let [same, mine] = add(&table, [7, 9]);
    let [same_again, others] = worker.join().expect("the worker ends");
    assert_eq!(same, same_again);
    assert_eq!([same, mine, others].map(|number| table.get(number)), [[7], [9], [8]]);
}

/// A worker receives a number by mail and reads the pair without a lock.
fn who_is_told_a_number_finds_the_pair() {
    let (table, mail): (Arc<Table<2>>, Arc<Mailbox<u32>>) = Default::default();
    let (others, letters) = (Arc::clone(&table), Arc::clone(&mail));
    let worker = thread::spawn(move || letters.put(others.insert([5, 6], 0)));
    for number in mail.take() {
        assert_eq!(table.get(number), [5, 6]);
    }
    worker.join().expect("the worker ends");
    assert!(mail.take().into_iter().all(|number| table.get(number) == [5, 6]));
}

/// Two workers send each other batches and wait for each other. In the end no batch is missing, and nobody
/// received one of the next round.
fn batches_are_there_after_a_barrier() {
    let shared: Arc<([Mailbox<u32>; 2], Barrier)> = Arc::new((Default::default(), Barrier::new(2)));
    let work = |worker: usize, (mail, barrier): &([Mailbox<u32>; 2], Barrier)| {
        for round in 0..2 {
            mail[1 - worker].put(round);
            barrier.wait(|| 0, || ());
            assert_eq!(mail[worker].take(), [round]);
            barrier.wait(|| 0, || ());
        }
    };
    let other = Arc::clone(&shared);
    let worker = thread::spawn(move || work(1, &other));
    work(0, &shared);
    worker.join().expect("the worker ends");
}

/// The last worker to arrive decides by what the others did before, and all get the same answer, each time.
fn workers_agree_at_a_barrier() {
    use loom::sync::atomic::{AtomicU64, Ordering};
    let shared: Arc<(AtomicU64, Barrier)> = Arc::new((AtomicU64::new(0), Barrier::new(2)));
    let work = |(sum, barrier): &(AtomicU64, Barrier)| {
        [1, 2].map(|_| {
            sum.fetch_add(1, Ordering::Relaxed);
            barrier.wait(|| sum.load(Ordering::Relaxed), || ())
        })
    };
    let other = Arc::clone(&shared);
    let worker = thread::spawn(move || work(&other));
    assert_eq!(work(&shared), [2, 4]);
    assert_eq!(worker.join().expect("the worker ends"), [2, 4]);
}
