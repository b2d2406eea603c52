//! How full a hash index is, and how far its entries are from where they belong.

/// Slots that are looked at: hashing spreads entries evenly, so that these stand for all.
pub(super) const LOOKED_AT: usize = 1 << 22;

/// The measures of a hash index.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IndexMeasure {
    /// Slots that are taken.
    pub entries: usize,
    /// All slots.
    pub slots: usize,
    /// Slots that are looked at to find an entry that is there, on average.
    pub mean_probes: f64,
    /// The same for the entry that takes longest, of those that were looked at.
    pub longest_probe: usize,
    /// Bytes of the index.
    pub bytes: usize,
}

impl IndexMeasure {
    /// Of an index of so many slots and bytes from the number of probes of entries in it.
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

    /// Of several indices that together are one.
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
    /// What is in it.
    pub what: &'static str,
    /// Bytes of the entries.
    pub bytes: usize,
    /// The index.
    pub index: IndexMeasure,
}
