//! Work on many items in parallel, with results in the order of the items.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Batches that each of those who work takes, at least, where there are enough items; more share the work
/// better.
const BATCHES: usize = 16;
/// Items in a batch, at most.
const LARGEST_BATCH: usize = 64;

/// Calls `work` for each item, for as many at a time as there are `jobs`, and `take` with each result, in the
/// order of the items. Ends early if `take` returns false.
pub fn in_order<I: Sync, R: Send>(
    jobs: NonZero<usize>,
    items: &[I],
    work: impl Fn(&I) -> R + Sync,
    take: impl FnMut(R) -> bool,
) {
    let jobs = jobs.get().min(items.len());
    if jobs <= 1 {
        items.iter().map(work).all(take);
        return;
    }
    let batches: Vec<&[I]> = items.chunks((items.len() / (jobs * BATCHES)).clamp(1, LARGEST_BATCH)).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        // A small channel: those who work wait for the one who takes, and not the results in memory.
        let (sender, receiver) = mpsc::sync_channel(jobs * 4);
        for _ in 0..jobs {
            let (sender, next, work, batches) = (sender.clone(), &next, &work, &batches);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(batch) = batches.get(number) else { return };
                    let results: Vec<R> = batch.iter().map(work).collect();
                    if sender.send((number, results)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        take_in_order(receiver, take);
    });
}

/// Takes batches of results in the order of their numbers.
fn take_in_order<R>(receiver: mpsc::Receiver<(usize, Vec<R>)>, mut take: impl FnMut(R) -> bool) {
    let (mut early, mut expected) = (BTreeMap::new(), 0);
    for (number, results) in receiver {
        early.insert(number, results);
        while let Some(results) = early.remove(&expected) {
            expected += 1;
            if !results.into_iter().all(&mut take) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..1000).collect();
        for jobs in [1, 2, 7] {
            let mut results = Vec::new();
            // The first items take longest.
            let work =
                |&item: &u64| (0..(1000 - item) * 20).fold(item, |sum, one| sum ^ std::hint::black_box(one) ^ one);
            in_order(NonZero::new(jobs).unwrap(), &items, work, |result| {
                results.push(result);
                true
            });
            assert_eq!(results, items, "{jobs} jobs");
        }
    }

    #[test]
    fn taking_may_end_early() {
        let items: Vec<u64> = (0..10_000).collect();
        for jobs in [1, 3] {
            let mut taken = 0;
            in_order(
                NonZero::new(jobs).unwrap(),
                &items,
                |&item| item,
                |item| {
                    taken += 1;
                    item < 9
                },
            );
            assert_eq!(taken, 10, "{jobs} jobs");
        }
    }
}
