//! Sets of few numbers, and the bits that tell their members apart.

/// The most numbers in a set.
pub const MOST_VALUES: usize = 64;

/// A set of at most [`MOST_VALUES`] numbers of 64 bits, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Values(Vec<u64>);

impl Values {
    /// No number.
    pub const NONE: Self = Self(Vec::new());

    /// The set of some numbers, or nothing if they are too many.
    pub fn of(numbers: impl IntoIterator<Item = u64>) -> Option<Self> {
        let mut set = Vec::new();
        for number in numbers {
            if let Err(at) = set.binary_search(&number) {
                if set.len() == MOST_VALUES {
                    return None;
                }
                set.insert(at, number);
            }
        }
        Some(Self(set))
    }

    /// The set of one number.
    #[must_use]
    pub fn one(number: u64) -> Self {
        Self(vec![number])
    }

    /// The members, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied()
    }

    /// The number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if the number is a member.
    #[must_use]
    pub fn has(&self, number: u64) -> bool {
        self.0.binary_search(&number).is_ok()
    }

    /// True if all members are members of another set.
    #[must_use]
    pub fn is_within(&self, other: &Self) -> bool {
        self.iter().all(|number| other.has(number))
    }

    /// The members for which something holds.
    #[must_use]
    pub fn filtered(&self, mut holds: impl FnMut(u64) -> bool) -> Self {
        Self(self.iter().filter(|&number| holds(number)).collect())
    }

    /// The members of both sets, or nothing if they are too many.
    #[must_use]
    pub fn join(&self, other: &Self) -> Option<Self> {
        Self::of(self.iter().chain(other.iter()))
    }

    /// Bits that tell any two members apart, as a mask. Each is one that tells most of the pairs apart that
    /// those before it do not.
    #[must_use]
    pub fn telling(&self) -> u64 {
        let mut mask = 0;
        loop {
            let mut classes: Vec<u64> = self.iter().map(|number| number & mask).collect();
            classes.sort_unstable();
            classes.dedup();
            if classes.len() == self.len() {
                return mask;
            }
            let apart = |bit: u32| -> usize {
                let counts = classes.iter().map(|&class| {
                    let own = self.0.iter().filter(|&&number| number & mask == class);
                    let (all, ones) = own.fold((0, 0), |(all, ones), number| (all + 1, ones + (number >> bit & 1)));
                    (ones * (all - ones)) as usize
                });
                counts.sum()
            };
            let best = (0..64).max_by_key(|&bit| (apart(bit), std::cmp::Reverse(bit))).expect("a bit");
            mask |= 1 << best;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn few_bits_tell_members_apart() {
        let telling = |numbers: &[u64]| Values::of(numbers.iter().copied()).expect("few").telling();
        assert_eq!(telling(&[7]), 0);
        assert_eq!(telling(&[0, 1, 2, 0xFFFF_FFFF]), 3);
        assert_eq!(telling(&[1 << 32, 2 << 32, 3 << 32]).count_ones(), 2);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Property: members that agree in these bits are one.
        #[test]
        fn telling_bits_tell(numbers in prop::collection::vec(any::<u64>(), 0..20)) {
            let set = Values::of(numbers.iter().copied()).expect("few");
            let mask = set.telling();
            prop_assert!(mask.count_ones() < 20);
            for (at, a) in set.iter().enumerate() {
                prop_assert!(set.iter().skip(at + 1).all(|b| a & mask != b & mask));
            }
        }
    }
}
