//! Deadlocks: executions after which each thread has ended or waits for others, when everything delayed has
//! arrived. A thread that was not created waits for that, which alone is none.
//!
//! They are a question of their own, about the executions of the same formula, after that for other
//! violations. Threads that wait in loops of the program, or for an unknown number of turns, are not looked
//! for.
//!
//! Tests: `tests/programs/symbolic/deadlocks/`; against the textbook machine, `schedule/tests/`.

use rmc_formula::{Session, TermId};

use super::schedule::Encoded;
use super::unroll::Unrolled;

/// The question for a deadlock.
pub struct Deadlock {
    /// A bit: there is one.
    pub holds: TermId,
    /// For each thread the events at which it may wait then, and whether it does.
    waits: Vec<Vec<(usize, TermId)>>,
}

impl Deadlock {
    /// The question about the executions of an unrolled program; nothing if no thread may wait for ever.
    pub fn new(unrolled: &mut Unrolled, encoded: &Encoded) -> Option<Self> {
        let Unrolled { threads, formulas, .. } = unrolled;
        let terms = &mut formulas.terms;
        let (mut holds, mut is_some) = (terms.boolean(true), terms.boolean(false));
        let mut waits = Vec::with_capacity(threads.len());
        for (thread, unrolled) in threads.iter().enumerate() {
            let mut is_done = terms.boolean(false);
            for &end in &unrolled.ends {
                let is_past = terms.and(encoded.executed[thread][end], unrolled.events[end].guard);
                is_done = terms.or(is_done, is_past);
            }
            let mut of_thread = Vec::new();
            for &(event, waits) in &encoded.waiting.events[thread] {
                is_done = terms.or(is_done, waits);
                let is_beginning = thread > 0 && event == 0;
                if !is_beginning {
                    is_some = terms.or(is_some, waits);
                    of_thread.push((event, waits));
                }
            }
            waits.push(of_thread);
            holds = terms.and(holds, is_done);
        }
        holds = terms.and(holds, is_some);
        if terms.as_constant(holds) == Some(0) {
            return None;
        }
        for &presupposed in &encoded.waiting.presupposed {
            holds = terms.and(holds, presupposed);
        }
        Some(Self { holds, waits })
    }

    /// The threads that wait in a solution, each with its event.
    pub fn waiting(&self, unrolled: &Unrolled, session: &Session) -> Vec<(usize, usize)> {
        let threads = self.waits.iter().enumerate();
        let waiting =
            threads.flat_map(|(thread, waits)| waits.iter().map(move |&(event, waits)| (thread, event, waits)));
        let is_it = |waits| session.value(&unrolled.formulas.terms, waits) == 1;
        waiting.filter(|&(.., waits)| is_it(waits)).map(|(thread, event, _)| (thread, event)).collect()
    }
}
