//! Accesses to memory: in the beginning, and to local variables, directly; else as events.

use super::claims::Nowhere;
use super::events::{Action, AtomicPlace, Logged};
use super::reads::Read;
use super::{Path, Stop, Unroller};
use crate::engine::symbolic::elsewhere::ELSEWHERE;
use crate::engine::symbolic::points::Points;
use crate::engine::symbolic::schedule::Barrier;
use crate::engine::symbolic::word::{Formulas, Symbolic, Word};
use crate::interp::atomic;
use crate::ir::address::ObjectId;
use crate::ir::ids::{Operand, SiteId};
use crate::ir::instr::{Bounds, Instr, IntCmp, IntOp, Promises, RmwOp, combining};
use rmc_abi::va_list::{self, NextPlaces};
use rmc_formula::TermId;
use rmc_runtime::MemoryOrder;

/// A place that an access may be at: whether it is there, the object and the offset.
type Candidate = (TermId, ObjectId, u32);

/// The most places that an access to local memory may be at.
const MOST_CANDIDATES: usize = 4096;

impl Unroller<'_> {
    /// Follows an instruction that accesses memory. False: it is no such instruction.
    pub(super) fn access(&mut self, path: &mut Path, instr: &Instr) -> Result<bool, Stop> {
        match *instr {
            Instr::RawLoad { dst, addr, at, len, width } => {
                let address = self.displaced(path, addr, at)?;
                let word = self.load_directly(path, address, len.into())?;
                // What is stored has whole bytes, of which the value has the lowest bits.
                let word = self.formulas.cast(crate::ir::instr::Cast::Truncate, 64, width.into(), word);
                let Ok(word) = word else { unreachable!("no number is refused") };
                path.registers[dst.index()] = word;
            }
            Instr::RawStore { addr, value, at, len } => {
                let (address, value) = (self.displaced(path, addr, at)?, self.word(path, value));
                self.suspect_open(path, value);
                self.store_directly(path, address, len.into(), value)?;
            }
            Instr::Load { len: 16, .. } | Instr::Store { len: 16, .. } | Instr::ReadModifyWrite { len: 16, .. } => {
                return self.refuse("an access of 16 bytes");
            }
            Instr::CompareExchange { len: 16, .. } => return self.refuse("an access of 16 bytes"),
            Instr::Load { dst, addr, len, .. } => {
                let address = self.defined_address(path, addr)?;
                self.demand_alive(path, address)?;
                path.registers[dst.index()] = self.load(path, address, len.into())?;
            }
            Instr::Store { addr, value, len, order } => {
                let (address, value) = (self.defined_address(path, addr)?, self.word(path, value));
                self.demand_alive(path, address)?;
                self.store(path, address, len.into(), value, order)?;
            }
            Instr::ReadModifyWrite { op, dst, addr, value, len, .. } => {
                let (address, value) = (self.defined_address(path, addr)?, self.word(path, value));
                self.demand_defined(path, value)?;
                self.demand_alive(path, address)?;
                let old = self.update(path, &[(address, len.into())], |unroller, old| {
                    let new = unroller.combined(op, len, old[0], value)?;
                    Ok(Update::unconditional(&mut unroller.formulas, vec![new]))
                })?;
                path.registers[dst.index()] = old[0];
            }
            Instr::CompareExchange { dst, site, len } => self.compare_exchange(path, dst, site, len)?,
            Instr::Fence { order } => self.fence(path, order)?,
            Instr::Copy { site } => self.copy(path, site)?,
            Instr::Fill { site } => self.fill(path, site)?,
            Instr::Alloca { dst, count, size, .. } => match self.word(path, count) {
                Word::Known(count) if count.is_defined() => {
                    self.make_local(path, dst, count.bits.saturating_mul(size.into()))?;
                }
                _ => return self.refuse("a local array whose size is not known"),
            },
            Instr::CalleeObject { dst, size, .. } => self.make_local(path, dst, size.into())?,
            Instr::VaStart { list, area, first } => {
                let (list, area) = (self.defined_address(path, list)?, self.word(path, area));
                self.start_arguments(path, list, area, first)?;
            }
            Instr::ThreadLocal { dst, global } => {
                let object = self.own_thread_local(path, global)?;
                path.registers[dst.index()] = Word::number(object.address(0));
            }
            // Uses of local variables that are out of scope are not looked for.
            Instr::LifetimeStart { .. } | Instr::LifetimeEnd { .. } => {}
            Instr::Library { site } => self.library(path, site)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The address in an operand, which must be defined.
    pub(super) fn defined_address(&mut self, path: &mut Path, operand: Operand) -> Result<Word, Stop> {
        let address = self.word(path, operand);
        self.demand_defined(path, address)?;
        if let Word::Term(symbolic) = address
            && self.elsewhere.contains(&self.place())
        {
            let points = self.formulas.intern(Points::anywhere());
            return Ok(Word::Term(Symbolic { points, ..symbolic }));
        }
        Ok(address)
    }

    fn displaced(&mut self, path: &mut Path, operand: Operand, at: u32) -> Result<Word, Stop> {
        let address = self.defined_address(path, operand)?;
        let computed = self.formulas.int(IntOp::Add, 64, Promises::NONE, address, Word::number(at.into()));
        Ok(computed.unwrap_or_else(|_| unreachable!("sums are followed")).word)
    }

    /// Initialises a `va_list` for the arguments in the memory at `area`.
    fn start_arguments(&mut self, path: &mut Path, list: Word, area: Word, first: NextPlaces) -> Result<(), Stop> {
        let stack = Word::number(va_list::VECTOR_END.into());
        let fields = [
            (va_list::GENERAL, Word::number(first.general.into())),
            (va_list::VECTOR, Word::number(first.vector.into())),
            (va_list::OVERFLOW, self.formulas.offset(area, stack, 64, 1, Bounds::None)),
            (va_list::SAVED, area),
        ];
        for ((at, len), value) in fields {
            let (at, len) = (at.into(), len.into());
            let field = self.formulas.offset(list, Word::number(at), 64, 1, Bounds::None);
            if self.beginning.is_going_on {
                self.store_directly(path, field, len, value)?;
            } else {
                let place = self.place();
                self.objects.publish(&self.formulas.points(value));
                self.unlogged_event(path, Action::Store { address: field, len, value, before: None }, place)?;
            }
        }
        Ok(())
    }

    /// The places of an access to memory of this path. Where it is at none of them, that is a claim.
    fn candidates(&mut self, path: &mut Path, address: Word, len: u32) -> Result<Vec<Candidate>, Stop> {
        let at = (path.guard, address, len);
        let few = match address {
            Word::Known(_) => None,
            Word::Term(_) => self.objects.few_places(self.program, &mut self.formulas, at, false),
        };
        if let Some((places, anywhere)) = few {
            self.demand_place(path, anywhere, Nowhere { address, len, writes: false })?;
            let candidates: Vec<_> =
                places.into_iter().map(|(there, (object, offset))| (there, object, offset)).collect();
            self.add_candidates(path, &candidates);
            return Ok(candidates);
        }
        let points = self.formulas.points(address);
        if points.is_anywhere() {
            return self.refuse(ELSEWHERE);
        }
        if points.is_loaded() {
            return self.refuse("an access to local memory through a pointer that other threads may have stored");
        }
        let mut candidates = Vec::new();
        let bits = self.formulas.bits(address);
        let mut anywhere = self.formulas.terms.boolean(false);
        let places = self.objects.places(self.program, &points, len, MOST_CANDIDATES);
        if places.len() > MOST_CANDIDATES {
            return self.refuse("an access that may be at so many places");
        }
        for (object, offset) in places {
            let there = self.formulas.terms.constant(object.address(offset).into(), 64);
            let is_there = self.formulas.terms.eq(bits, there);
            if !self.formulas.is_false(is_there) {
                anywhere = self.formulas.terms.or(anywhere, is_there);
                candidates.push((is_there, object, offset));
            }
        }
        self.demand_place(path, anywhere, Nowhere { address, len, writes: false })?;
        self.add_candidates(path, &candidates);
        Ok(candidates)
    }

    /// Adds objects to the path's memory.
    fn add_candidates(&mut self, path: &mut Path, candidates: &[Candidate]) {
        for &(_, object, _) in candidates {
            if !path.memory.has(object) {
                let initial = self.objects.get(object).expect("an object with places").initial.clone();
                path.memory.add_from(&self.beginning.memory, object, initial);
            }
        }
    }

    /// Loads from the path's own memory.
    pub(super) fn load_directly(&mut self, path: &mut Path, address: Word, len: u32) -> Result<Word, Stop> {
        let candidates = self.candidates(path, address, len)?;
        let mut loaded = None;
        for (is_there, object, offset) in candidates {
            let word = path.memory.load(&mut self.formulas, object, offset, len);
            loaded = Some(match loaded {
                None => word,
                Some(other) => self.formulas.choose(is_there, word, other),
            });
        }
        Ok(loaded.expect("the access is somewhere"))
    }

    /// Stores to the path's own memory.
    pub(super) fn store_directly(&mut self, path: &mut Path, address: Word, len: u32, value: Word) -> Result<(), Stop> {
        for (is_there, object, offset) in self.candidates(path, address, len)? {
            if self.objects.get(object).is_some_and(|object| object.is_constant) {
                let holds = self.formulas.not(is_there);
                self.demand(path, holds, false)?;
                continue;
            }
            let old = path.memory.load(&mut self.formulas, object, offset, len);
            let word = self.formulas.choose(is_there, value, old);
            path.memory.store(&mut self.formulas, object, offset, len, word);
        }
        Ok(())
    }

    /// Logs an operation that is no event.
    pub(super) fn log_silently(&mut self, path: &Path) {
        let place = self.place();
        self.log(path, place, Logged::Silent);
    }

    /// Loads at most 8 bytes.
    pub(super) fn load(&mut self, path: &mut Path, address: Word, len: u32) -> Result<Word, Stop> {
        if self.beginning.is_going_on {
            self.log_silently(path);
            return self.load_directly(path, address, len);
        }
        let Read { word, result, open, content } = self.read(path, address, len);
        self.event(path, Action::Load { address, len, result, open, content })?;
        Ok(word)
    }

    /// Loads at most 8 bytes as a part of an operation of the machine's, which is logged elsewhere.
    pub(super) fn load_unlogged(&mut self, path: &mut Path, address: Word, len: u32) -> Result<Word, Stop> {
        if self.beginning.is_going_on {
            return self.load_directly(path, address, len);
        }
        let Read { word, result, open, content } = self.read(path, address, len);
        let place = self.place();
        self.unlogged_event(path, Action::Load { address, len, result, open, content }, place)?;
        Ok(word)
    }

    /// Stores at most 8 bytes.
    pub(super) fn store(
        &mut self,
        path: &mut Path,
        address: Word,
        len: u32,
        value: Word,
        order: MemoryOrder,
    ) -> Result<(), Stop> {
        use rmc_runtime::Barrier as Needed;
        if self.beginning.is_going_on {
            self.log_silently(path);
            self.suspect_open(path, value);
            return self.store_directly(path, address, len, value);
        }
        let rules = self.config.rules;
        if rules.after_store(order) == Needed::Full {
            // Nobody can tell it from a write to memory with an empty buffer.
            let update = Update::unconditional(&mut self.formulas, vec![value]);
            return self.update(path, &[(address, len)], |_, _| Ok(update)).map(drop);
        }
        let before = (rules.before_store(order) == Needed::StoreStore).then_some(Barrier::StoreStore);
        self.suspect_open(path, value);
        self.assume_narrow(path, address, len, value)?;
        self.objects.publish(&self.formulas.points(value));
        self.event(path, Action::Store { address, len, value, before }).map(drop)
    }

    fn fence(&mut self, path: &Path, order: MemoryOrder) -> Result<(), Stop> {
        use rmc_runtime::Barrier as Needed;
        let barrier = match self.config.rules.fence(order) {
            _ if self.beginning.is_going_on => None,
            Needed::None => None,
            Needed::StoreStore => Some(Barrier::StoreStore),
            Needed::Full => Some(Barrier::Full),
        };
        match barrier {
            None => self.log_silently(path),
            Some(barrier) => drop(self.event(path, Action::Fence(barrier))?),
        }
        Ok(())
    }

    /// An atomic access at some places, of at most 16 bytes together. The path goes on where it is enabled.
    /// The result is what was there.
    pub(super) fn update(
        &mut self,
        path: &mut Path,
        places: &[(Word, u32)],
        update: impl FnOnce(&mut Self, &[Word]) -> Result<Update, Stop>,
    ) -> Result<Vec<Word>, Stop> {
        let at = self.place();
        if self.beginning.is_going_on {
            self.log(path, at, Logged::Silent);
            let mut old = Vec::with_capacity(places.len());
            for &(address, len) in places {
                old.push(self.load_directly(path, address, len)?);
            }
            let Update { enabled, stores, new, blocked } = update(self, &old)?;
            self.suspect_waiting(path, blocked);
            self.assume(path, enabled)?;
            for ((&(address, len), new), &old) in places.iter().zip(new).zip(&old) {
                let new = self.formulas.choose(stores, new, old);
                self.store_directly(path, address, len, new)?;
            }
            return Ok(old);
        }
        self.logged_update(path, places, Logged::Event, update)
    }

    /// The event of [`Self::update`], logged as `what` makes of its number. It is logged also where it is
    /// never possible: then the thread waits there.
    pub(super) fn logged_update(
        &mut self,
        path: &mut Path,
        places: &[(Word, u32)],
        what: impl FnOnce(usize) -> Logged,
        update: impl FnOnce(&mut Self, &[Word]) -> Result<Update, Stop>,
    ) -> Result<Vec<Word>, Stop> {
        let (at, event) = (self.place(), self.threads[self.thread].events.len());
        let updated = self.unlogged_update(path, places, update);
        if self.threads[self.thread].events.len() > event {
            self.log(path, at, what(event));
        }
        updated.map(|(_, old)| old)
    }

    /// The event of [`Self::update`], which is not logged.
    pub(super) fn unlogged_update(
        &mut self,
        path: &mut Path,
        places: &[(Word, u32)],
        update: impl FnOnce(&mut Self, &[Word]) -> Result<Update, Stop>,
    ) -> Result<(usize, Vec<Word>), Stop> {
        let at = self.place();
        let reads: Vec<Read> = places.iter().map(|&(address, len)| self.read(path, address, len)).collect();
        let old: Vec<Word> = reads.iter().map(|read| read.word).collect();
        let Update { mut enabled, stores, new, blocked } = update(self, &old)?;
        for ((&(_, len), read), &new) in places.iter().zip(&reads).zip(&new) {
            let (fits, reads_only) = (self.fits(&read.content, len, new), self.formulas.not(stores));
            let is_possible = self.formulas.terms.or(reads_only, fits);
            enabled = self.formulas.and(enabled, is_possible);
        }
        let (mut result, mut value): (Option<TermId>, Option<TermId>) = (None, None);
        let mut open = self.formulas.terms.boolean(false);
        let mut parts = Vec::with_capacity(places.len());
        for ((&(address, len), read), &new) in places.iter().zip(reads).zip(&new) {
            self.objects.publish(&self.formulas.points(new));
            let part = self.formulas.low(new, 8 * len);
            value = Some(value.map_or(part, |low| self.formulas.terms.concat(part, low)));
            result = Some(result.map_or(read.result, |low| self.formulas.terms.concat(read.result, low)));
            open = self.formulas.terms.or(open, read.open);
            let adds = !self.formulas.is_false(stores) && self.add(path, address, len, (read.word, new));
            parts.push(AtomicPlace { address, len, content: read.content, new, adds });
        }
        let (result, value) = (result.expect("a place"), value.expect("a place"));
        let action = Action::Atomic { places: parts, result, open, enabled, stores, value, blocked };
        let event = self.unlogged_event(path, action, at)?;
        self.assume(path, enabled)?;
        Ok((event, old))
    }

    fn combined(&mut self, op: RmwOp, len: u8, old: Word, operand: Word) -> Result<Word, Stop> {
        let width = u32::from(len) * 8;
        if let (Word::Known(old), Word::Known(operand)) = (old, operand) {
            return Ok(Word::Known(atomic::combine(op, width, old, operand)));
        }
        if op == RmwOp::Exchange {
            return Ok(operand);
        }
        let negates = op == RmwOp::Nand;
        let Some(op) = combining(if negates { RmwOp::And } else { op }) else {
            return self.refuse(format!("an atomic {op:?} of a value that is not known"));
        };
        let computed = self.formulas.int(op, width, Promises::NONE, old, operand);
        let Ok(computed) = computed else { return self.refuse(format!("an atomic {op:?}")) };
        if !negates {
            return Ok(computed.word);
        }
        let (bits, open) = (self.formulas.low(computed.word, width), self.formulas.open(computed.word));
        let bits = self.formulas.not(bits);
        Ok(self.formulas.word(bits, open, Points::default()))
    }

    fn compare_exchange(
        &mut self,
        path: &mut Path,
        dst: crate::ir::ids::Reg,
        site: SiteId,
        len: u8,
    ) -> Result<(), Stop> {
        let (function, _) = self.place();
        let exchange = self.program.function(function).exchanges[site.index()];
        let address = self.defined_address(path, exchange.addr)?;
        let (expected, new) = (self.word(path, exchange.expected), self.word(path, exchange.new));
        self.demand_defined(path, expected)?;
        self.demand_defined(path, new)?;
        self.demand_alive(path, address)?;
        let width = u32::from(len) * 8;
        let old = self.update(path, &[(address, len.into())], |unroller, old| {
            let is_equal = unroller.formulas.compare(IntCmp::Eq, width, old[0], expected);
            let stores = unroller.formulas.low(is_equal, 1);
            let new = unroller.exchanged(width, old[0], expected, new);
            Ok(Update::conditional(&mut unroller.formulas, stores, vec![new]))
        })?[0];
        self.demand_defined(path, old)?;
        path.registers[dst.index()] = old;
        path.registers[dst.index() + 1] = self.formulas.compare(IntCmp::Eq, width, old, expected);
        Ok(())
    }
}

/// The effect of an atomic access.
pub(super) struct Update {
    /// A bit: it is possible.
    pub enabled: TermId,
    /// Whether it stores.
    pub stores: TermId,
    /// What it stores at each place.
    pub new: Vec<Word>,
    /// A bit: the thread waits for other threads. It may be that it neither goes on nor waits: such
    /// executions are not followed.
    pub blocked: TermId,
}

impl Update {
    /// An access that is always possible, and stores.
    pub fn unconditional(formulas: &mut Formulas, new: Vec<Word>) -> Self {
        let stores = formulas.terms.boolean(true);
        Self::conditional(formulas, stores, new)
    }

    /// An access that is always possible, and stores under a condition.
    pub fn conditional(formulas: &mut Formulas, stores: TermId, new: Vec<Word>) -> Self {
        let enabled = formulas.terms.boolean(true);
        Self::waiting(formulas, enabled, stores, new)
    }

    /// An access for which the thread waits until it is possible.
    pub fn waiting(formulas: &mut Formulas, enabled: TermId, stores: TermId, new: Vec<Word>) -> Self {
        let blocked = formulas.not(enabled);
        Self { enabled, stores, new, blocked }
    }

    /// An access that only reads, at so many places, for which the thread waits until it is possible.
    pub fn waiting_read(formulas: &mut Formulas, enabled: TermId, places: usize) -> Self {
        let stores = formulas.terms.boolean(false);
        Self::waiting(formulas, enabled, stores, vec![Word::ZERO; places])
    }
}
