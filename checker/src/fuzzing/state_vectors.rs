//! Test: state vectors hold everything that a step depends on. A fresh machine that unpacks a vector behaves
//! as the machine that packed it.

use proptest::collection::vec;
use proptest::prelude::*;

use super::programs;
use crate::system::{Config, Machine, StepEnd};

/// Takes a step of a thread with the `answers`-th combination of answers to its choices.
fn step(machine: &mut Machine<'_>, vector: &[u32], thread: usize, answers: usize) -> StepEnd {
    machine.choices.clear();
    machine.unpack(vector);
    let mut end = machine.step(thread).end;
    for _ in 0..answers {
        if !machine.choices.advance() {
            break;
        }
        machine.unpack(vector);
        end = machine.step(thread).end;
    }
    end
}

fn configs() -> [Config; 4] {
    [(false, false), (true, false), (false, true), (true, true)].map(|(updates, races)| {
        let mut config = Config { updates, races: races && !updates, malloc_may_fail: true, ..programs::config() };
        config.rules.model = rmc_runtime::Model::Pso;
        config
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_vector_is_the_whole_state(schedule in vec((0..4_usize, 0..4_usize), 1..25)) {
        for config in configs() {
            let mut machine = Machine::new(programs::program(), config);
            let (mut vector, mut next, mut again) = (Vec::new(), Vec::new(), Vec::new());
            machine.pack(&mut vector);
            for &(thread, answers) in &schedule {
                machine.unpack(&vector);
                let threads: Vec<_> = machine.schedulable_threads().collect();
                let Some(&thread) = threads.get(thread % threads.len().max(1)) else { break };
                let end = step(&mut machine, &vector, thread, answers);
                let mut other = Machine::with_components(programs::program(), config, machine.components().clone());
                prop_assert_eq!(&step(&mut other, &vector, thread, answers), &end);
                if end == StepEnd::Done {
                    machine.pack(&mut next);
                    other.pack(&mut again);
                    prop_assert_eq!(&next, &again);
                    std::mem::swap(&mut vector, &mut next);
                }
            }
        }
    }
}
