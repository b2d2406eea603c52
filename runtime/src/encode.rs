//! The canonical form: buffers as words, such that equal situations are equal words.
//!
//! Entries are named by thread and position, never by history. Layout, nothing at all for empty buffers:
//!
//! ```text
//! word 0            in a section << 63 | number n of entries
//! 3 words per entry object << 32 | offset
//!                   thread << 48 | after the beginning of the section << 47 | barrier << 46 | undef << 45 | committed << 44 | (len - 1) << 40
//!                   | order row, if n <= 40
//!                   low half of the value
//! then per entry    high half of the value, if len > 8; uninitialised bits (1 or 2 words), if undef
//! then per entry    order row, if n > 40: the number of its ranges, and each as first << 32 | end
//! ```
//!
//! Almost every situation has few, narrow, initialised stores: 3n + 1 words.

use crate::buffer::{Entry, StoreTag};
use crate::{Access, Buffers, Bytes};

/// The largest number of entries for which the order fits beside the flags.
const ROW_BITS: usize = 40;
const COMMITTED: u64 = 1 << 44;
const UNDEF: u64 = 1 << 45;
const FENCED: u64 = 1 << 46;
const IN_SECTION: u64 = 1 << 47;
/// In word 0.
const SECTION: u64 = 1 << 63;

impl Buffers {
    /// Appends the canonical form to `out`; appends nothing if nothing is pending.
    pub fn encode(&self, out: &mut Vec<u64>) {
        let n = self.len();
        if n == 0 {
            return;
        }
        out.push(n as u64 | if self.section { SECTION } else { 0 });
        for (i, entry) in self.entries.iter().enumerate() {
            let row = if n <= ROW_BITS { self.order.word(i) } else { 0 };
            out.push(u64::from(entry.at.object) << 32 | u64::from(entry.at.offset));
            out.push(flags(entry) | row);
            out.push(low(entry.value.bits));
        }
        for entry in &self.entries {
            let wide = entry.at.len > 8;
            if wide {
                out.push(high(entry.value.bits));
            }
            if entry.value.undef != 0 {
                out.push(low(entry.value.undef));
            }
            if wide && entry.value.undef != 0 {
                out.push(high(entry.value.undef));
            }
        }
        if n > ROW_BITS {
            for i in 0..n {
                let ranges = self.order.ranges(i);
                out.push(ranges.len() as u64);
                out.extend(ranges.iter().map(|&(from, to)| u64::from(from) << 32 | u64::from(to)));
            }
        }
    }

    /// The number of pending stores in an encoding.
    #[must_use]
    pub fn encoded_len(words: &[u64]) -> usize {
        words.first().map_or(0, |&n| (n & !SECTION) as usize)
    }

    /// The inverse of [`encode`](Buffers::encode), with every tag 0. The buffers must have been made for the
    /// same model.
    ///
    /// # Panics
    /// If the words are not those of one call of `encode`.
    pub fn decode(&mut self, words: &[u64]) {
        self.clear();
        let mut words = words.iter().copied();
        let Some(n) = words.next() else { return };
        self.section = n & SECTION != 0;
        let n = usize::try_from(n & !SECTION).expect("a number of entries");
        let mut next = || words.next().expect("all words of the encoding");
        self.order.reset(n);
        for i in 0..n {
            let (place, flags, bits) = (next(), next(), next());
            self.entries.push(entry(place, flags, bits));
            if n <= ROW_BITS {
                self.order.set_word(i, flags & ((1 << ROW_BITS) - 1));
            }
            // The flag says that uninitialised bits follow below; they are read there.
            self.entries[i].value.undef = u128::from(flags & UNDEF != 0);
        }
        for entry in &mut self.entries {
            let wide = entry.at.len > 8;
            let has_undef = entry.value.undef != 0;
            let bits_high = if wide { next() } else { 0 };
            let undef_low = if has_undef { next() } else { 0 };
            let undef_high = if wide && has_undef { next() } else { 0 };
            entry.value.bits |= u128::from(bits_high) << 64;
            entry.value.undef = u128::from(undef_high) << 64 | u128::from(undef_low);
        }
        if n > ROW_BITS {
            for i in 0..n {
                let ranges = next();
                self.order.set(i, (0..ranges).map(|_| next()).map(|range| ((range >> 32) as u32, range as u32)));
            }
        }
        assert!(words.next().is_none(), "one encoding");
    }
}

fn flags(entry: &Entry) -> u64 {
    let flag = |set, bit| if set { bit } else { 0 };
    u64::from(entry.thread) << 48
        | flag(entry.in_section, IN_SECTION)
        | flag(entry.fenced, FENCED)
        | flag(entry.value.undef != 0, UNDEF)
        | flag(entry.committed, COMMITTED)
        | u64::from(entry.at.len - 1) << ROW_BITS
}

fn entry(place: u64, flags: u64, bits: u64) -> Entry {
    Entry {
        value: Bytes::defined(u128::from(bits)),
        at: Access { object: (place >> 32) as u32, offset: place as u32, len: (flags >> ROW_BITS & 15) as u8 + 1 },
        tag: StoreTag(0),
        thread: (flags >> 48) as u16,
        committed: flags & COMMITTED != 0,
        fenced: flags & FENCED != 0,
        in_section: flags & IN_SECTION != 0,
        is_gone: false,
    }
}

fn low(value: u128) -> u64 {
    value as u64
}

fn high(value: u128) -> u64 {
    (value >> 64) as u64
}
