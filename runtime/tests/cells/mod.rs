//! A memory for the tests of buffers.

use std::collections::HashMap;

use rmc_runtime::{Access, Bytes, Memory};

/// Byte-addressed memory of all objects, 0 where never written. All bytes are initialised.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells(HashMap<(u32, u32), u8>);

impl Memory for Cells {
    fn read(&mut self, at: Access) -> Bytes {
        let byte = |i: u8| *self.0.get(&(at.object, at.offset + u32::from(i))).unwrap_or(&0);
        Bytes::defined((0..at.len).rev().fold(0, |bits, i| bits << 8 | u128::from(byte(i))))
    }

    fn write(&mut self, at: Access, value: Bytes) {
        for i in 0..at.len {
            self.0.insert((at.object, at.offset + u32::from(i)), (value.bits >> (8 * i)) as u8);
        }
    }
}
