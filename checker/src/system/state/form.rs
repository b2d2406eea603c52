//! The forms of allocation, by the function that made an object on the heap.

/// A form of allocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// `malloc` and its family.
    #[default]
    C,
    /// The library's `operator new` of single objects.
    Single,
    /// The library's `operator new[]`.
    Array,
    /// The library's `operator new` with an alignment.
    AlignedSingle,
    /// The library's `operator new[]` with an alignment.
    AlignedArray,
}

impl Form {
    /// All forms, by the number that encodes them.
    const ALL: [Self; 5] = [Self::C, Self::Single, Self::Array, Self::AlignedSingle, Self::AlignedArray];

    /// The form that this number encodes.
    ///
    /// # Panics
    /// If it encodes none.
    #[must_use]
    pub const fn decoded(number: u64) -> Self {
        Self::ALL[number as usize]
    }

    /// The function that makes such memory.
    #[must_use]
    pub const fn maker(self) -> &'static str {
        match self {
            Self::C => "malloc",
            Self::Single => "new",
            Self::Array => "new[]",
            Self::AlignedSingle => "new with an alignment",
            Self::AlignedArray => "new[] with an alignment",
        }
    }

    /// The function that ends such memory.
    #[must_use]
    pub const fn ender(self) -> &'static str {
        match self {
            Self::C => "free",
            Self::Single => "delete",
            Self::Array => "delete[]",
            Self::AlignedSingle => "delete with an alignment",
            Self::AlignedArray => "delete[] with an alignment",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn numbers_decode_to_their_forms() {
        for form in Form::ALL {
            assert_eq!(Form::decoded(form as u64), form);
        }
    }
}
