//! The final state: the globals as an observer sees them after every ended thread, and the thread that ends
//! the process, has drained its buffer.
//!
//! Of the stores that other live threads still delay, any that the model allows may have reached memory
//! before the end; the rest is lost with the process. Where stores that reached memory are still unordered,
//! the observer's loads ask which came last. So every possible final state is found. Leaks depend on the same
//! questions.

use std::collections::BTreeMap;

use rmc_runtime::{Access, Bytes};

use crate::hash::FxHashSet;
use crate::ir::Program;
use crate::ir::address::ObjectId;
use crate::ir::program::Global;
use crate::outcome::{FinalState, GlobalValue};
use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::observe::vector_queries::Layout;
use crate::system::step::choices::ChoiceSequence;

impl Machine<'_> {
    /// Ends the process: decides with the step's choices which stores are in memory, as far as an option
    /// depends on it.
    pub(in crate::system) fn end_process(&mut self, exit: i64) {
        let leaks = self.looks_for_leaks();
        if !leaks && !self.config.final_states {
            return;
        }
        if self.config.reads_from && leaks {
            self.touch_positions();
        }
        if self.config.reads_from && self.config.final_states {
            observed_globals(self.program).for_each(|global| self.touch_whole(global.object.0, global.size));
        }
        let seen: FxHashSet<u32> = observed_globals(self.program).map(|global| global.object.0).collect();
        if leaks {
            self.decide_stores();
        } else {
            let Self { buffers, memory, choices, .. } = self;
            buffers.finish(memory, choices, |at| seen.contains(&at.object));
        }
        match () {
            () if !self.config.final_states => {}
            // With update events the engine calls `observe_final_state` itself, since most final states were
            // seen before.
            () if self.buffers.has_updates() => {}
            () => self.report.final_state = Some(self.observe_final_state(exit)),
        }
    }

    /// The pages of globals after a step that ended the process, with update events. Final states with the
    /// same pages and status are equal.
    pub fn final_pages(&mut self) -> &[Id] {
        self.memory.intern_dirty_pages();
        &self.memory.pages[..self.memory.global_pages]
    }

    /// The pages of globals in a state vector.
    #[must_use]
    pub fn global_pages_in<'v>(&self, vector: &'v [Id], layout: Layout) -> &'v [Id] {
        &vector[layout.pages()..][..self.memory.global_pages]
    }

    /// Logs that the result of the running step depends on all that memory holds.
    pub fn see_final_memory(&self) {
        observed_globals(self.program).for_each(|global| self.memory.log_content(global.object));
    }

    /// Decides which of the delayed stores reached memory, and which of those to the same place came last.
    /// With update events both are decided already.
    pub(in crate::system) fn decide_stores(&mut self) {
        if self.buffers.has_updates() {
            return;
        }
        self.announce_decision();
        let mut choices = std::mem::take(&mut self.choices);
        self.report.lost_stores = self.buffers.finish(&mut self.memory, &mut choices, |_| true);
        self.order_stores(&mut choices);
        self.choices = choices;
        self.stores_decided();
    }

    /// Decides which store came last where several stores that reached memory went to the same place.
    pub(in crate::system) fn order_stores(&mut self, order: &mut ChoiceSequence) {
        let ranges: Vec<Access> = self.buffers.pending().map(|store| store.at).collect();
        for at in ranges {
            if self.buffers.overlaps(at) {
                self.buffers.load(&mut self.memory, None, at, order);
            }
        }
    }

    /// The state that an observer sees after a step that ended the process.
    pub fn observe_final_state(&mut self, exit: i64) -> FinalState {
        let mut globals = BTreeMap::new();
        for global in observed_globals(self.program) {
            let bytes = self.observe_bytes(global.object, global.size);
            globals.insert(global.name.clone(), value(&bytes, global.element));
        }
        FinalState { exit, globals }
    }

    fn observe_bytes(&mut self, object: ObjectId, size: u32) -> Vec<Option<u8>> {
        let mut bytes = Vec::new();
        while bytes.len() < size as usize {
            let offset = u32::try_from(bytes.len()).expect("an object is small");
            let len = (size - offset).min(8) as u8;
            let at = Access { object: object.0, offset, len };
            let Self { buffers, memory, choices, .. } = self;
            let committed = buffers.pending().any(|store| store.committed && store.at.overlaps(at));
            let loaded: Bytes = if committed {
                buffers.load(memory, None, at, choices).value
            } else {
                rmc_runtime::Memory::read(memory, at)
            };
            self.announce_number(loaded);
            bytes.extend((0..len).map(|k| {
                let part = |bits: u128| (bits >> (u32::from(k) * 8)) as u8;
                (part(loaded.undef) == 0).then(|| part(loaded.bits))
            }));
        }
        bytes
    }
}

/// The mutable globals of a program.
fn observed_globals(program: &Program) -> impl Iterator<Item = &Global> {
    // The last global holds the arguments of `main`: no variable of the program.
    let own = program.globals.len() - 1;
    let globals = program.shared_globals.iter().filter(move |global| global.index() < own);
    globals.map(|global| &program.globals[global.index()]).filter(|global| !global.is_support())
}

/// A number, a list of numbers, or bytes if the value is neither or not wholly initialised.
fn value(bytes: &[Option<u8>], element: u32) -> GlobalValue {
    let defined: Option<Vec<u8>> = bytes.iter().copied().collect();
    if let Some(defined) = defined.filter(|_| element > 0) {
        let number = |part: &[u8]| {
            let bits = part.iter().rev().fold(0, |value, &byte| value << 8 | u64::from(byte));
            crate::ir::value::signed(bits, element * 8)
        };
        let mut numbers: Vec<_> = defined.chunks(element as usize).map(number).collect();
        return if numbers.len() == 1 { GlobalValue::Number(numbers.remove(0)) } else { GlobalValue::Numbers(numbers) };
    }
    let digit = |value: u8| char::from_digit(value.into(), 16).expect("half a byte");
    let hex = bytes.iter().flat_map(|byte| byte.map_or(['-', '-'], |byte| [digit(byte >> 4), digit(byte & 15)]));
    GlobalValue::Bytes(hex.collect())
}
