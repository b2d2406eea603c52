//! The `va_list` of x86-64, and the register save area to which it points (System V ABI, 3.5.7): variable
//! arguments that are passed in registers, at the places of these.

/// Bytes of a `va_list`.
pub const BYTES: u32 = 24;

/// Offset and bytes of the field with the place of the next argument in a general register.
pub const GENERAL: (u32, u8) = (0, 4);
/// Offset and bytes of the field with the place of the next argument in a vector register.
pub const VECTOR: (u32, u8) = (4, 4);
/// The field with the address of the next argument on the stack.
pub const OVERFLOW: (u32, u8) = (8, 8);
/// The field with the address of the register save area.
pub const SAVED: (u32, u8) = (16, 8);

/// Bytes of the place of a general register.
pub const GENERAL_BYTES: u32 = 8;
/// Bytes of the place of a vector register.
pub const VECTOR_BYTES: u32 = 16;
/// Where the places of general registers end in the save area, in bytes.
pub const GENERAL_END: u32 = 6 * GENERAL_BYTES;
/// Where the places of vector registers end, which is the length of the save area.
pub const VECTOR_END: u32 = GENERAL_END + 8 * VECTOR_BYTES;

/// The places in the save area of the next arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NextPlaces {
    /// That of the next general register, at most [`GENERAL_END`].
    pub general: u32,
    /// That of the next vector register, at most [`VECTOR_END`].
    pub vector: u32,
}

impl NextPlaces {
    /// Before the first argument of a call.
    pub const FIRST: Self = Self { general: 0, vector: GENERAL_END };

    /// Takes `words` general registers one after the other, if there are as many.
    pub const fn take_general(&mut self, words: u32) -> Option<u32> {
        let place = self.general;
        match place.checked_add(words * GENERAL_BYTES) {
            Some(end) if end <= GENERAL_END => self.general = end,
            _ => return None,
        }
        Some(place)
    }

    /// Takes a vector register, if there is one.
    pub const fn take_vector(&mut self) -> Option<u32> {
        let place = self.vector;
        match place.checked_add(VECTOR_BYTES) {
            Some(end) if end <= VECTOR_END => self.vector = end,
            _ => return None,
        }
        Some(place)
    }
}
