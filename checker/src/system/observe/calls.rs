//! Announcements of calls of modelled functions, of output, and of inputs.

use std::fmt::Display;

use rmc_runtime::Bytes;

use crate::ir::instr::LibrarySite;
use crate::system::library::{Kind, LibraryFunction};
use crate::system::machine::Machine;

impl Machine<'_> {
    /// Announces a call of a modelled function, before its model runs.
    #[inline]
    pub(in crate::system) fn announce_model(&mut self, function: &LibraryFunction, site: &LibrarySite) {
        self.watch_call(function, site);
        self.note_call_begins();
    }

    /// Announces that a model has finished its call. The arguments of a jump are gone with its frame.
    #[inline]
    pub(in crate::system) fn model_finished(&mut self, function: &'static LibraryFunction, site: &LibrarySite) {
        if self.observers.recorder.is_some() && function.kind != Kind::Frame {
            let args = site.args.iter().map(|&arg| self.running.stack.get(self.program, arg).bits).collect();
            self.note_call(function, args);
        }
    }

    /// Announces what a call does. What it reads and writes announces itself.
    #[inline]
    pub(in crate::system) fn announce_call(&mut self, what: &str, detail: impl Display) {
        self.observe_call(what, detail);
    }

    /// Announces what a call does to the object at an address.
    #[inline]
    pub(in crate::system) fn announce_call_on(&mut self, what: &str, address: u64, detail: impl Display) {
        self.observe_call_on(what, address, detail);
    }

    /// Announces what a call does to the object at an address without writing to memory.
    #[inline]
    pub(super) fn announce_act(&mut self, what: &str, address: u64, detail: impl Display) {
        self.note_act();
        self.observe_call_on(what, address, detail);
    }

    /// Announces output of the program.
    #[inline]
    pub(in crate::system) fn announce_output(&mut self, text: &[u8]) {
        self.observe_output(text);
    }

    /// Announces that an input of the program was chosen. `bits` is what the program gets.
    #[inline]
    pub(in crate::system) fn announce_input(&mut self, what: &str, value: impl Display, bits: u64) {
        self.observe_call(what, value);
        self.watch_value(Bytes::defined(bits.into()));
    }

    /// Announces that a clock was read. A loop that reads clocks does not wait for memory alone.
    #[inline]
    pub(in crate::system) const fn announce_reading_of_clock(&mut self) {
        self.report.acted = true;
    }

    /// Announces that what is said of the execution depends on this value as a number.
    #[inline]
    pub(in crate::system) fn announce_number(&mut self, value: Bytes) {
        self.publish_bytes(value);
        self.watch_value(value);
    }

    /// Announces that the step tells threads apart by their numbers.
    #[inline]
    pub(in crate::system) fn announce_identity(&mut self) {
        self.mark_asymmetric();
    }
}
