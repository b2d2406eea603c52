//! From addresses to cells: the places of each event, and the pieces of memory that accesses tell apart.
//!
//! A *cell* is a largest range of bytes that every access reads and writes as a whole or not at all. A cell
//! that may be uninitialised has a cell of one bit beside it, its *flag*, which says so.
//!
//! * `cells`: which cells there are,
//! * `contents`: what may be in them,
//! * `operations`: events on cells.

mod cells;
mod contents;
mod operations;

use rmc_formula::TermId;

use cells::{Cells, add_cells, masks};
use contents::contents;

use super::points::Points;
use super::schedule::{self, SharedProgram};
use super::unroll::{Action, AtomicPlace, Claim, Event, LIVES, Nowhere, Objects, Unrolled};
use super::values::table::{Content, Table};
use super::word::{Formulas, Word};
use crate::ir::Program;
use crate::ir::address::ObjectId;

/// The most places that an event may be at.
const MOST_PLACES: usize = 1 << 12;

/// An unrolled program with its events on cells.
pub struct Resolved {
    /// The events.
    pub shared: SharedProgram,
    /// The claims that every access is somewhere.
    pub claims: Vec<Claim>,
    /// Conditions that hold.
    pub constraints: Vec<TermId>,
}

/// A reason for which addresses cannot be resolved.
pub enum Unresolved {
    /// Something is not followed: what it is, and the instruction.
    Refused(String, super::unroll::Place),
    /// A load may find what it was not unrolled with: what is at the places.
    Other(Table),
}

/// An access as an event has it: the address, the length, what a read was unrolled with, and what is written.
type Accessed = (Word, u32, Option<Content>, Option<(TermId, Word)>);

/// The place of an access: the object and the offset.
type At = (ObjectId, u32);

/// The places of one access of an event.
struct Access {
    len: u32,
    /// What a read was unrolled with.
    content: Option<Content>,
    /// What a write writes, and the condition. Nothing if it adds, or only reads.
    written: Option<(TermId, Word)>,
    /// Each with the condition that it is there.
    places: Vec<(TermId, At)>,
}

/// Resolves the addresses of all events.
///
/// # Errors
/// [`Unresolved`]: an access may be at too many places, or in ways that do not fit together.
pub fn resolve(program: &Program, unrolled: &mut Unrolled, width: Option<u32>) -> Result<Resolved, Unresolved> {
    let published = unrolled.published(program);
    let mut resolver = Resolver { program, published, claims: Vec::new(), constraints: Vec::new() };
    let Unrolled { formulas, threads, objects, memory, added, .. } = unrolled;
    let mut accesses = Vec::with_capacity(threads.len());
    for (thread, unrolled) in threads.iter().enumerate() {
        let mut of_thread = Vec::with_capacity(unrolled.events.len());
        for (number, event) in unrolled.events.iter().enumerate() {
            of_thread.push(resolver.accesses(formulas, objects, (thread, number), event)?);
        }
        accesses.push(of_thread);
    }
    let events = threads.iter().zip(&accesses).flat_map(|(thread, of_thread)| thread.events.iter().zip(of_thread));
    let events: Vec<_> = events.collect();
    let (mut cells, initial) = Cells::of_events(formulas, (objects, memory), &events);
    let found = || accesses.iter().flatten().flat_map(|event: &Found| &event.accesses);
    let needed = contents(formulas, objects, &cells, &initial, found(), added);
    let is_known = |access: &Access| {
        let Some(own) = &access.content else { return true };
        let mut ranges = access.places.iter().map(|&(_, (object, offset))| (object, offset, access.len));
        ranges.all(|range| needed.get(range).is_some_and(|content| content.is_within(own)))
    };
    if !found().all(is_known) {
        return Err(Unresolved::Other(needed));
    }
    let fits = |cell: usize, len, width| is_narrow(formulas, initial[cell], len, width);
    cells.masks = masks(&cells, found, width, fits);
    let mut shared = SharedProgram { cells: Vec::new(), threads: Vec::new() };
    let (data, flags) = add_cells(formulas, &mut shared, &cells, &initial);
    for (thread, of_thread) in threads.iter().zip(&accesses) {
        let mut events = Vec::with_capacity(thread.events.len());
        for (event, found) in thread.events.iter().zip(of_thread) {
            events.push(resolver.operation(formulas, &cells, (&data, &flags), event, found));
        }
        shared.threads.push(schedule::Thread { events });
    }
    Ok(Resolved { shared, claims: resolver.claims, constraints: resolver.constraints })
}

/// True if a word is certainly a number of `width` bits.
fn is_narrow(formulas: &mut Formulas, word: Word, len: u32, width: u32) -> bool {
    let is_narrow = formulas.is_narrow(word, len, width);
    formulas.terms.as_constant(is_narrow) == Some(1)
}

/// An event's accesses, and the condition that each of them is somewhere.
struct Found {
    accesses: Vec<Access>,
    guard: TermId,
}

struct Resolver<'p> {
    program: &'p Program,
    published: Points,
    claims: Vec<Claim>,
    constraints: Vec<TermId>,
}

impl Resolver<'_> {
    fn accesses(
        &mut self,
        formulas: &mut Formulas,
        objects: &mut Objects,
        (thread, after): (usize, usize),
        event: &Event,
    ) -> Result<Found, Unresolved> {
        let (addresses, writes): (Vec<Accessed>, bool) = match &event.action {
            Action::Load { address, len, content, .. } => (vec![(*address, *len, Some(content.clone()), None)], false),
            Action::Store { address, len, value, .. } => {
                (vec![(*address, *len, None, Some((event.guard, *value)))], true)
            }
            Action::Atomic { places, stores, .. } => {
                let condition = formulas.and(event.guard, *stores);
                let writes = !formulas.is_false(*stores);
                let accessed = |AtomicPlace { address, len, content, new, adds }: &AtomicPlace| {
                    (*address, *len, Some(content.clone()), Some((condition, *new)).filter(|_| writes && !adds))
                };
                (places.iter().map(accessed).collect(), writes)
            }
            Action::Fence(_) => (Vec::new(), false),
        };
        let mut guard = event.guard;
        let mut accesses = Vec::with_capacity(addresses.len());
        for (address, len, content, written) in addresses {
            let places = self.places(formulas, objects, (event.guard, address, len), writes);
            let Some((places, anywhere)) = places else {
                let what = "an access that may be at very many places".to_owned();
                return Err(Unresolved::Refused(what, event.place));
            };
            let nowhere = formulas.not(anywhere);
            let violated = formulas.and(guard, nowhere);
            if let Action::Load { result, .. } = event.action
                && formulas.points(address).is_to(LIVES)
            {
                // The object was not allocated, so it is not freed.
                let zero = formulas.terms.constant(0, 8 * len);
                let is_alive = formulas.terms.eq(result, zero);
                let is_allocated = formulas.not(violated);
                self.constraints.push(formulas.terms.or(is_allocated, is_alive));
            } else if !formulas.is_false(violated) {
                self.claims.push(Claim {
                    thread,
                    after,
                    violated,
                    place: event.place,
                    is_doubtful: false,
                    uses_open: false,
                    waits: false,
                    nowhere: Some(Nowhere { address, len, writes }),
                });
            }
            guard = formulas.and(guard, anywhere);
            accesses.push(Access { len, content, written, places });
        }
        Ok(Found { accesses, guard })
    }

    fn places(
        &self,
        formulas: &mut Formulas,
        objects: &mut Objects,
        (guard, address, len): (TermId, Word, u32),
        writes: bool,
    ) -> Option<(Vec<(TermId, At)>, TermId)> {
        if let Some(few) = objects.few_places(self.program, formulas, (guard, address, len), writes) {
            return Some(few);
        }
        let points = formulas.points(address).resolved(&self.published);
        let bits = formulas.bits(address);
        let mut places = Vec::new();
        let candidates = objects.places(self.program, &points, len, MOST_PLACES);
        if candidates.len() > MOST_PLACES {
            return None;
        }
        for (id, offset) in candidates {
            if writes && objects.get(id).is_some_and(|object| object.is_constant) {
                continue;
            }
            let there = formulas.terms.constant(id.address(offset).into(), 64);
            let is_there = formulas.terms.eq(bits, there);
            if !formulas.is_false(is_there) {
                places.push((is_there, (id, offset)));
            }
        }
        let mut anywhere = formulas.terms.boolean(false);
        for &(condition, _) in &places {
            anywhere = formulas.terms.or(anywhere, condition);
        }
        Some((places, anywhere))
    }
}
