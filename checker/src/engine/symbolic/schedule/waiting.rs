//! Threads that wait at the end of an execution.
//!
//! A thread waits at an event if it comes there, does not execute it, and the event says that it is not
//! possible with what is in memory when everything delayed has arrived. Of the results of an event that is
//! not executed nothing is demanded otherwise, so they are what is in memory then: these are the conditions
//! of [`Waiting`], which hold only where somebody asks. A thread that waits behind a glued event is left out:
//! nothing of others arrives then.

use rmc_formula::TermId;

use super::access::Access;
use super::events::CellId;
use super::formula::Formula;

/// A memory whose delayed writes can arrive all at once.
pub trait Settled {
    /// The value of a cell when everything delayed has arrived.
    fn settled(&self, f: &mut Formula, cell: CellId) -> TermId;
}

/// Where threads wait at the end.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// For each thread the events at which it may wait: their positions, and whether it does, 1 bit.
    pub events: Vec<Vec<(usize, TermId)>>,
    /// Bits that are assumed where these conditions are used.
    pub presupposed: Vec<TermId>,
}

impl Waiting {
    /// The waiting threads of executions that are past the events in `executed` at their ends.
    pub fn new(f: &mut Formula, accesses: &[Vec<Access>], executed: &[Vec<TermId>], memory: &impl Settled) -> Self {
        let mut waiting = Self::default();
        for (accesses, executed) in accesses.iter().zip(executed) {
            let mut reached = f.terms.boolean(true);
            let mut of_thread = Vec::new();
            for (event, (access, &executed)) in accesses.iter().zip(executed).enumerate() {
                let before = std::mem::replace(&mut reached, executed);
                let Some(blocked) = access.blocked.filter(|&blocked| !f.is_false(blocked)) else { continue };
                let is_open = f.terms.not(executed);
                let is_free = f.terms.not(access.follows_glue);
                let is_next = f.all(&[before, is_open, access.guard, is_free]);
                for read in &access.reads {
                    let settled = memory.settled(f, read.cell);
                    let is_settled = f.terms.eq(read.result, settled);
                    let is_read = f.terms.and(is_next, read.condition);
                    let is_none = f.terms.not(is_read);
                    waiting.presupposed.push(f.terms.or(is_none, is_settled));
                }
                of_thread.push((event, f.terms.and(is_next, blocked)));
            }
            waiting.events.push(of_thread);
        }
        waiting
    }
}
