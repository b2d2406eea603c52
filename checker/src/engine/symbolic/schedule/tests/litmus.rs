//! Litmus tests: outcomes that every textbook has, and the sets of all outcomes against the machine.

use super::super::{Barrier, Model, Operation};
use super::builder::Builder;
use super::compare::{check, explore, is_possible};

const X: u32 = 0;
const Y: u32 = 1;

/// Compares with the machine, and the machine with the textbook: under which models the outcome is
/// possible, of the results in the order of threads and events.
#[track_caller]
fn litmus(mut builder: Builder, outcome: &[u128], allowed: &[Model]) {
    check(&mut builder);
    for model in [Model::Sc, Model::Tso, Model::Pso] {
        let ends = explore(&builder, model).ends;
        let has = ends.iter().any(|end| end.iter().flatten().flatten().eq(outcome));
        assert_eq!(has, allowed.contains(&model), "{model:?}");
    }
}

const NONE: &[Model] = &[];
const BUFFERED: &[Model] = &[Model::Tso, Model::Pso];
const PSO: &[Model] = &[Model::Pso];

#[derive(Clone, Copy)]
enum Between {
    Nothing,
    Fence(Barrier),
    /// A full barrier after the store.
    AfterStore,
}

fn store_buffering(between: Between) -> Builder {
    let mut b = Builder::new(2, 2);
    for (thread, mine, other) in [(0, X, Y), (1, Y, X)] {
        let after_full = matches!(between, Between::AfterStore);
        b.store_with(thread, &[mine], 1, after_full.then_some(Barrier::StoreStore), after_full);
        if let Between::Fence(barrier) = between {
            b.fence(thread, barrier);
        }
        b.load(thread, &[other]);
    }
    b
}

#[test]
fn store_buffering_without_fences() {
    litmus(store_buffering(Between::Nothing), &[0, 0], BUFFERED);
}

#[test]
fn store_buffering_with_fences() {
    litmus(store_buffering(Between::Fence(Barrier::Full)), &[0, 0], NONE);
    litmus(store_buffering(Between::Fence(Barrier::StoreStore)), &[0, 0], BUFFERED);
    litmus(store_buffering(Between::AfterStore), &[0, 0], NONE);
}

#[test]
fn store_buffering_with_two_fences_in_a_row() {
    let mut b = Builder::new(2, 2);
    for (thread, mine, other) in [(0, X, Y), (1, Y, X)] {
        b.store(thread, &[mine], 1);
        b.fence(thread, Barrier::Full);
        b.fence(thread, Barrier::Full);
        b.load(thread, &[other]);
    }
    litmus(b, &[0, 0], NONE);
}

#[test]
fn store_buffering_with_a_fence_before_an_event_that_is_passed_over() {
    let mut b = Builder::new(2, 2);
    for (thread, mine, other) in [(0, X, Y), (1, Y, X)] {
        let first = b.load(thread, &[other]);
        b.store(thread, &[mine], 1);
        b.fence(thread, Barrier::Full);
        b.load(thread, &[mine]);
        let nine = b.terms.constant(9, 8);
        b.program.threads[thread].events.last_mut().unwrap().guard = b.terms.eq(first, nine);
        b.load(thread, &[other]);
    }
    litmus(b, &[0, 0, 0, 0], NONE);
}

#[test]
fn store_buffering_with_exchanges() {
    let mut b = Builder::new(2, 2);
    for (thread, mine, other) in [(0, X, Y), (1, Y, X)] {
        b.swap(thread, &[mine], 1);
        b.load(thread, &[other]);
    }
    litmus(b, &[0, 0, 0, 0], NONE);
}

#[test]
fn store_buffering_of_three_threads() {
    let mut b = Builder::new(3, 3);
    for (thread, mine, other) in [(0, 0, 1), (1, 1, 2), (2, 2, 0)] {
        b.store(thread, &[mine], 1);
        b.load(thread, &[other]);
    }
    litmus(b, &[0, 0, 0], BUFFERED);
}

fn message_passing(fence: Option<Barrier>, before: Option<Barrier>) -> Builder {
    let mut b = Builder::new(2, 2);
    b.store(0, &[X], 1);
    if let Some(barrier) = fence {
        b.fence(0, barrier);
    }
    b.store_with(0, &[Y], 1, before, false);
    b.load(1, &[Y]);
    b.load(1, &[X]);
    b
}

#[test]
fn message_passing_needs_a_store_barrier_under_pso() {
    litmus(message_passing(None, None), &[1, 0], PSO);
    litmus(message_passing(Some(Barrier::StoreStore), None), &[1, 0], NONE);
    litmus(message_passing(Some(Barrier::Full), None), &[1, 0], NONE);
    litmus(message_passing(None, Some(Barrier::StoreStore)), &[1, 0], NONE);
    litmus(message_passing(None, Some(Barrier::Full)), &[1, 0], NONE);
}

#[test]
fn message_passing_with_a_thread_that_waits() {
    let mut b = Builder::new(2, 2);
    b.store(0, &[X], 1);
    b.store(0, &[Y], 1);
    b.wait(1, Y, 1, 2);
    b.load(1, &[X]);
    litmus(b, &[1, 0], PSO);
}

#[test]
fn readers_agree_on_the_order_of_independent_writes() {
    let mut b = Builder::new(2, 4);
    b.store(0, &[X], 1);
    b.store(1, &[Y], 1);
    for (thread, first, second) in [(2, X, Y), (3, Y, X)] {
        b.load(thread, &[first]);
        b.load(thread, &[second]);
    }
    litmus(b, &[1, 0, 1, 0], NONE);
}

/// Two threads write two cells each in opposite orders, and read both at the end, after a fence.
fn two_plus_two_writes(barrier: Option<Barrier>) -> Builder {
    let mut b = Builder::new(2, 2);
    for (thread, first, second) in [(0, X, Y), (1, Y, X)] {
        b.store(thread, &[first], 1 + 2 * thread as u128);
        if let Some(barrier) = barrier {
            b.fence(thread, barrier);
        }
        b.store(thread, &[second], 2 + 2 * thread as u128);
    }
    for (thread, last) in [(0, X), (1, Y)] {
        b.fence(thread, Barrier::Full);
        b.load(thread, &[last]);
    }
    b
}

#[test]
fn two_plus_two_writes_in_both_orders() {
    check(&mut two_plus_two_writes(None));
    check(&mut two_plus_two_writes(Some(Barrier::StoreStore)));
}

#[test]
fn two_plus_two_writes_seen_by_a_third_thread() {
    for (barrier, allowed) in [(None, PSO), (Some(Barrier::StoreStore), NONE)] {
        let mut b = Builder::new(3, 3);
        for (thread, first, second) in [(0, X, Y), (1, Y, X)] {
            b.store(thread, &[first], 1);
            if let Some(barrier) = barrier {
                b.fence(thread, barrier);
            }
            b.store(thread, &[second], 2);
            b.fence(thread, Barrier::Full);
        }
        // Each of the threads counts when its stores are in memory.
        b.swap(0, &[2], 1);
        b.wait(1, 2, 1, 2);
        b.wait(2, 2, 2, 3);
        b.load(2, &[X]);
        b.load(2, &[Y]);
        litmus(b, &[0, 1, 2, 1, 1], allowed);
    }
}

#[test]
fn load_buffering_never() {
    let mut b = Builder::new(2, 2);
    for (thread, mine, other) in [(0, X, Y), (1, Y, X)] {
        b.load(thread, &[mine]);
        b.store(thread, &[other], 1);
    }
    litmus(b, &[1, 1], NONE);
}

#[test]
fn the_shape_r() {
    let mut b = Builder::new(3, 2);
    b.store(0, &[X], 1);
    b.store(0, &[Y], 1);
    b.store(1, &[Y], 2);
    b.load(1, &[X]);
    b.fence(1, Barrier::Full);
    b.load(1, &[Y]);
    check(&mut b);
}

#[test]
fn the_shape_s() {
    let mut b = Builder::new(2, 2);
    b.store(0, &[X], 2);
    b.store(0, &[Y], 1);
    b.fence(0, Barrier::Full);
    b.load(0, &[X]);
    b.load(1, &[Y]);
    b.store(1, &[X], 1);
    b.fence(1, Barrier::Full);
    b.load(1, &[X]);
    // The write of 2 comes after that of 1 although the second thread saw what was written later.
    litmus(b, &[2, 1, 2], PSO);
}

#[test]
fn a_thread_sees_its_own_stores_early() {
    let mut b = Builder::new(2, 2);
    for (thread, mine, other) in [(0, X, Y), (1, Y, X)] {
        b.store(thread, &[mine], 1);
        b.load(thread, &[mine]);
        b.load(thread, &[other]);
    }
    litmus(b, &[1, 0, 1, 0], BUFFERED);
}

#[test]
fn a_thread_sees_its_own_stores_before_those_of_others() {
    let mut b = Builder::new(1, 2);
    for thread in [0, 1] {
        b.store(thread, &[X], 1 + thread as u128);
        b.load(thread, &[X]);
        b.load(thread, &[X]);
    }
    check(&mut b);
}

#[test]
fn many_stores_to_one_cell() {
    let mut b = Builder::new(1, 2);
    for value in 1..4 {
        b.store(0, &[X], value);
        b.load(1, &[X]);
    }
    litmus(b, &[1, 2, 3], &[Model::Sc, Model::Tso, Model::Pso]);
}

#[test]
fn a_store_of_two_cells_reaches_memory_at_once() {
    let mut b = Builder::new(2, 2);
    b.store(0, &[X, Y], 0x201);
    b.load(1, &[Y]);
    b.load(1, &[X]);
    litmus(b, &[2, 0], NONE);
}

#[test]
fn a_read_of_two_cells_takes_one_from_the_buffer() {
    let mut b = Builder::new(2, 2);
    for (thread, mine) in [(0, X), (1, Y)] {
        b.store(thread, &[mine], 1);
        b.load(thread, &[X, Y]);
    }
    litmus(b, &[0x001, 0x100], BUFFERED);
}

#[test]
fn stores_that_share_a_cell_stay_in_order() {
    let mut b = Builder::new(3, 2);
    b.store(0, &[0, 1], 0x101);
    b.store(0, &[1, 2], 0x202);
    b.load(1, &[2]);
    b.load(1, &[0]);
    litmus(b, &[2, 0], NONE);
}

#[test]
fn a_private_cell_orders_stores_too() {
    let mut b = Builder::new(4, 2);
    b.store(0, &[0, 1], 0x101);
    b.store(0, &[1], 7);
    b.store(0, &[1, 2], 0x202);
    b.load(0, &[1]);
    b.load(1, &[2]);
    b.load(1, &[0]);
    litmus(b, &[2, 2, 0], NONE);
}

/// The first thread is past its fence, so its store is in memory. The second one has not read it, and stops
/// where no other thread may run: the fence was not after it either.
#[test]
fn a_fence_is_not_between_glued_events() {
    for is_glued in [false, true] {
        for model in [Model::Tso, Model::Pso] {
            let mut b = Builder::new(1, 2);
            b.store(0, &[X], 1);
            b.fence(0, Barrier::Full);
            let value = b.load(1, &[X]);
            b.program.threads[1].events[0].is_glued = is_glued;
            b.wait(1, X, 9, 9);
            let zero = b.terms.constant(0, 8);
            let is_zero = b.terms.eq(value, zero);
            assert_eq!(is_possible(&mut b, model, &[(0, 1), (1, 0)], is_zero), !is_glued, "{model:?}");
        }
    }
}

#[test]
fn glued_events_have_no_other_thread_between() {
    for (is_glued, allowed) in [(false, &[Model::Sc, Model::Tso, Model::Pso][..]), (true, NONE)] {
        let mut b = Builder::new(1, 2);
        for thread in [0, 1] {
            let value = b.load(thread, &[X]);
            b.program.threads[thread].events[0].is_glued = is_glued;
            let (targets, result) = (b.at(&[X]), b.fresh(8));
            let (yes, blocked) = (b.terms.boolean(true), b.terms.boolean(false));
            let one = b.terms.constant(1, 8);
            let value = b.terms.add(value, one);
            b.event(thread, Operation::Atomic { targets, result, enabled: yes, stores: yes, value, blocked });
        }
        litmus(b, &[0, 0, 0, 1], allowed);
    }
}
