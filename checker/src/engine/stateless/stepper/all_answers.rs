//! Steps that ask questions in an atomic section: which accesses they make depends on the answers. Elsewhere
//! a step ends before it makes such an access.
//!
//! The event of such a step stands for the step with any answers: whether others commute with it is asked
//! before its other answers are explored. So its footprint includes what the step touches with the others.
//! That is found by taking it with all of them, once for each state.

use std::rc::Rc;

use super::attempt::{Attempt, Request};
use super::{Prefix, StateId, Stepper};
use crate::engine::EngineError;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::learned::Learned;
use crate::hash::FxHashMap;
use crate::system::FootprintEntry;

/// The ranges that steps touch with any answers, by the state before the step and its thread.
#[derive(Default)]
pub(super) struct TouchedByAny {
    known: FxHashMap<(StateId, usize), Rc<[FootprintEntry]>>,
}

/// The number of steps that are kept before all are forgotten.
const MOST: usize = 1 << 12;

impl TouchedByAny {
    /// Forgets all: states have other ids from now on.
    pub fn forget(&mut self) {
        self.known.clear();
    }
}

impl Stepper<'_> {
    /// A step that was taken with the answers of the last run, with what it touches with any, and `more`.
    pub(super) fn with_all_answers(
        &mut self,
        (prefix, request, learned): (&Prefix, Request<'_>, &mut Learned),
        (event, reached): (Rc<Event>, Option<StateId>),
        mut more: Vec<FootprintEntry>,
    ) -> Result<Attempt, EngineError> {
        let step = (prefix.last(), request.action.thread);
        if let Some(touched) = self.touched_by_any.known.get(&step) {
            more.extend(touched.iter().filter(|touch| !event.footprint.contains(touch)));
            return Ok(Attempt::Taken(event.touching(&more), reached));
        }
        let answers = self.machine.choices.answers().to_vec();
        let mut touched = Vec::new();
        self.machine.choices.clear();
        loop {
            match self.attempt_once(prefix, request, learned)? {
                Attempt::Taken(event, _) | Attempt::Ended(event, _) | Attempt::Waits(event, _) => {
                    let new: Vec<_> =
                        event.footprint.iter().filter(|touch| !touched.contains(*touch)).copied().collect();
                    touched.extend(new);
                }
                Attempt::Cut => {}
            }
            if self.is_halted() {
                return Ok(Attempt::Cut);
            }
            if !self.machine.choices.advance() {
                break;
            }
        }
        if self.touched_by_any.known.len() >= MOST {
            self.touched_by_any.forget();
        }
        self.touched_by_any.known.insert(step, touched.into());
        // Again, for the state that it leads to and the answers that are left.
        self.machine.choices.prescribe(&answers);
        match self.attempt_once(prefix, request, learned)? {
            Attempt::Taken(event, reached) => self.with_all_answers((prefix, request, learned), (event, reached), more),
            other => Ok(other),
        }
    }
}
