//! Random programs from seeds.

use super::{FLAGS, MEMORY, Order, Place, Program, Statement};
use crate::generated::random::Random;

const DATA: usize = 4 * FLAGS;
const WHOLE: Place = Place { offset: DATA, len: MEMORY - DATA };

/// A program of two or three threads. Half of the programs are free in form; in the other half the data is
/// passed from thread to thread, with sufficient or insufficient memory orders.
pub fn program(random: &mut Random) -> Program {
    let threads = 2 + random.below(2);
    if random.below(2) == 0 {
        return (0..threads).map(|_| thread(random, if threads == 2 { 5 } else { 3 })).collect();
    }
    let relays = (2..threads).map(|_| if random.below(4) == 0 { intruder(random) } else { relay(random) }).collect();
    [vec![sender(random)], relays, vec![receiver(random)]].concat()
}

/// Writes the data, then a flag, perhaps twice.
fn sender(random: &mut Random) -> Vec<Statement> {
    let mut statements = vec![Statement::Write(WHOLE)];
    maybe_fence(random, &mut statements);
    statements.push(put(random, 0, 1));
    if random.below(2) == 0 {
        maybe_fence(random, &mut statements);
        statements.push(put(random, 0, 2));
    }
    statements
}

/// Writes a flag, without reading it.
fn intruder(random: &mut Random) -> Vec<Statement> {
    let value = random.pick(&[1, 2, 3]);
    vec![put(random, 0, value)]
}

/// Reads a flag until it was written, and writes it again, or the other one.
fn relay(random: &mut Random) -> Vec<Statement> {
    let mut statements = vec![get(random, 0)];
    maybe_fence(random, &mut statements);
    statements.push(Statement::When(random.pick(&[0, 1, 1, 1])));
    let flag = random.below(FLAGS);
    statements.push(put(random, flag, 2));
    statements
}

/// Reads a flag until it was written, and accesses the data.
fn receiver(random: &mut Random) -> Vec<Statement> {
    let flag = random.pick(&[0, 0, 1]);
    let mut statements = vec![get(random, flag)];
    maybe_fence(random, &mut statements);
    statements.push(Statement::When(1 + random.pick(&[0, 1])));
    statements.push(random.pick(&[Statement::Read(WHOLE), Statement::Write(WHOLE)]));
    statements
}

fn maybe_fence(random: &mut Random, statements: &mut Vec<Statement>) {
    if random.below(3) == 0 {
        statements.push(Statement::Fence(order(random, &[Order::Acquire, Order::Release, Order::AcqRel])));
    }
}

fn put(random: &mut Random, flag: usize, value: u64) -> Statement {
    let order = order(random, &[Order::Relaxed, Order::Release]);
    match random.below(4) {
        0 => Statement::Add(flag, 1, order),
        1 => Statement::CompareExchange(flag, [value - 1, value], order),
        _ => Statement::Store(flag, value, order),
    }
}

fn get(random: &mut Random, flag: usize) -> Statement {
    let order = order(random, &[Order::Relaxed, Order::Acquire, Order::Acquire]);
    if random.below(6) == 0 { Statement::Add(flag, 0, order) } else { Statement::Load(flag, order) }
}

/// One or two plain accesses, with statements before, between and behind them that may order them.
fn thread(random: &mut Random, length: usize) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut plain = 1 + random.below(2) / random.pick(&[1, 2]);
    let mut locked = false;
    while statements.len() < length && (plain > 0 || random.below(3) > 0) {
        match random.below(12) {
            0..=3 if plain > 0 => {
                plain -= 1;
                if statements.iter().any(is_atomic_read) && random.below(4) > 0 {
                    statements.push(Statement::When(1 + random.pick(&[0, 1])));
                }
                statements.push(access(random));
            }
            4 if random.below(3) == 0 => {
                statements.push(if locked { Statement::Unlock } else { Statement::Lock });
                locked = !locked;
            }
            5 => statements.push(Statement::Fence(order(random, &[Order::Acquire, Order::Release, Order::AcqRel]))),
            6..=8 => statements.push(Statement::Store(
                random.below(4) / 3,
                1 + random.pick(&[0, 1]),
                order(random, &[Order::Relaxed, Order::Release, Order::Release]),
            )),
            9 => statements.push(update(random)),
            _ => statements.push(Statement::Load(
                random.below(4) / 3,
                order(random, &[Order::Relaxed, Order::Acquire, Order::Acquire]),
            )),
        }
    }
    if locked {
        statements.push(Statement::Unlock);
    }
    statements
}

fn is_atomic_read(statement: &Statement) -> bool {
    matches!(statement, Statement::Load(..) | Statement::Add(..) | Statement::CompareExchange(..))
}

/// A plain access, mostly of the data, whole or in half; seldom of a flag.
fn access(random: &mut Random) -> Statement {
    let place = match random.below(16) {
        0 => Place::flag(random.below(FLAGS)),
        1 | 2 => Place { offset: DATA, len: 4 },
        3 | 4 => Place { offset: DATA + 4, len: 4 },
        _ => WHOLE,
    };
    if random.below(3) == 0 { Statement::Read(place) } else { Statement::Write(place) }
}

fn update(random: &mut Random) -> Statement {
    let flag = random.below(4) / 3;
    let order = order(random, &[Order::Relaxed, Order::Relaxed, Order::Acquire, Order::Release, Order::AcqRel]);
    match random.below(2) {
        0 => Statement::Add(flag, 1, order),
        _ => Statement::CompareExchange(flag, [random.pick(&[0, 1, 1]), 1 + random.pick(&[0, 1])], order),
    }
}

/// One of these orders, or seldom the sequentially consistent one.
fn order(random: &mut Random, orders: &[Order]) -> Order {
    if random.below(8) == 0 { Order::SeqCst } else { random.pick(orders) }
}
