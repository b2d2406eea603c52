//! The outcomes of a litmus test, computed by the textbook machine.

use std::collections::BTreeSet;

use super::shape::Operation;
use super::variant::Test;
use super::{Layout, Outcome, digits};
use crate::harness::expectation::Model;
use crate::oracle::{self, Op};

/// Every outcome that `model` allows for `test`, in the order of its [`Layout`].
pub fn outcomes(test: &Test, model: Model) -> BTreeSet<Outcome> {
    let layout = Layout::of(test);
    let program = translate(test, &layout);
    let explored = oracle::outcomes(&program, machine_model(model));
    explored.outcomes.iter().map(|outcome| observed(&program, outcome)).collect()
}

fn machine_model(model: Model) -> oracle::Model {
    match model {
        Model::Sc => oracle::Model::Sc,
        Model::Tso => oracle::Model::Tso,
        Model::Pso => oracle::Model::Pso,
    }
}

/// The program of the textbook machine. Each variable is one byte, at its place in the layout; each value
/// read has a register of its own.
fn translate(test: &Test, layout: &Layout) -> oracle::Program {
    let mut registers = 0..;
    let mut fresh = || registers.next().expect("numbers do not end");
    let address = |variable| layout.variables.iter().position(|of| *of == variable).expect("it is in the layout");
    let mut operation = |operation: &Operation| match *operation {
        Operation::Store(variable, value) => Op::Store { addr: address(variable), len: 1, value },
        Operation::Load(variable) => Op::Load { addr: address(variable), len: 1, reg: fresh() },
        Operation::Exchange(variable, value) => Op::Exchange { addr: address(variable), len: 1, value, reg: fresh() },
        Operation::StoreBarrier => Op::StoreBarrier,
        Operation::Fence => Op::Fence,
    };
    test.threads.iter().map(|thread| thread.iter().map(&mut operation).collect()).collect()
}

fn observed(program: &oracle::Program, outcome: &oracle::Outcome) -> Outcome {
    let read =
        |thread: &oracle::Thread| digits(thread.iter().filter_map(Op::register).map(|reg| outcome.registers[reg]));
    program.iter().map(read).chain(outcome.memory.iter().copied().map(u64::from)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::litmus::shape::shapes;
    use crate::litmus::variant::tests;

    #[test]
    fn weaker_models_allow_more() {
        for test in shapes().iter().flat_map(tests) {
            let [sc, tso, pso] = Model::ALL.map(|model| outcomes(&test, model));
            assert!(sc.is_subset(&tso) && tso.is_subset(&pso), "{test}");
        }
    }

    #[test]
    fn store_buffering_shows_both_old_values_under_tso_only() {
        let plain = &tests(&shapes()[0])[0];
        let both_old = vec![0, 0, 1, 1];
        assert!(!outcomes(plain, Model::Sc).contains(&both_old));
        assert!(outcomes(plain, Model::Tso).contains(&both_old));
        assert_eq!(outcomes(plain, Model::Sc).len(), 3);
    }
}
