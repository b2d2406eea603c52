//! Measures of a hash index: its load, and the lengths of its probe sequences.

/// The number of slots that are examined; hashing spreads entries evenly, so they represent all.
pub(super) const LOOKED_AT: usize = 1 << 22;

/// The measures of a hash index.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IndexMeasure {
    /// Occupied slots.
    pub entries: usize,
    /// All slots.
    pub slots: usize,
    /// The mean number of slots that a successful lookup probes.
    pub mean_probes: f64,
    /// The largest number of slots that a successful lookup probes, among those that were examined.
    pub longest_probe: usize,
    /// Bytes of the index.
    pub bytes: usize,
}

impl IndexMeasure {
    /// The measures of an index of `slots` slots and `bytes` bytes, from the numbers of probes of its
    /// entries.
    pub(super) fn new(entries: usize, slots: usize, bytes: usize, probes: impl Iterator<Item = usize>) -> Self {
        let (mut seen, mut sum, mut longest_probe) = (0_usize, 0_usize, 0);
        for probe in probes {
            seen += 1;
            sum += probe;
            longest_probe = longest_probe.max(probe);
        }
        let mean_probes = if seen == 0 { 0.0 } else { sum as f64 / seen as f64 };
        Self { entries, slots, mean_probes, longest_probe, bytes }
    }

    /// The measures of several indices that together are one.
    pub(super) fn sum(parts: impl Iterator<Item = Self>) -> Self {
        let sum = parts.fold(Self::default(), |sum, part| Self {
            entries: sum.entries + part.entries,
            slots: sum.slots + part.slots,
            mean_probes: sum.mean_probes + part.mean_probes * part.entries as f64,
            longest_probe: sum.longest_probe.max(part.longest_probe),
            bytes: sum.bytes + part.bytes,
        });
        Self { mean_probes: sum.mean_probes / sum.entries.max(1) as f64, ..sum }
    }
}

/// A table: entries, and the index that finds them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TableMeasure {
    /// The kind of its entries.
    pub what: &'static str,
    /// Bytes of the entries.
    pub bytes: usize,
    /// The index.
    pub index: IndexMeasure,
}
