//! Stubs: functions that the user declares irrelevant. Each returns a value and does nothing else.
//!
//! Such a function has to be undefined: a defined or modelled function keeps its meaning. Its value has to
//! fit the type that the program declares it with.
//!
//! Tests: `tests/tests/inputs.rs`.

use std::str::FromStr;

use super::LoadError;
use super::constants::Symbols;
use super::function::{self, FindLibrary, Pool};
use super::undefined;
use crate::ir::ids::{LocId, Reg};
use crate::ir::instr::Instr;
use crate::ir::liveness;
use crate::ir::program::Function;
use crate::ir::value::Value;
use rmc_llvm::{TypeKind, Value as LlvmValue};

/// A stub, written `NAME=VALUE`, or `NAME` for a function without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stub {
    /// The function.
    pub name: String,
    /// The value it returns; `None` if it returns nothing.
    pub value: Option<i128>,
}

impl FromStr for Stub {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        if name.is_empty() {
            return Err("a stub is NAME=VALUE, or NAME if the function returns nothing".to_owned());
        }
        let number = |text: &str| {
            let (digits, is_negative) = text.strip_prefix('-').map_or((text, false), |rest| (rest, true));
            let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
            let number = match hexadecimal {
                Some(digits) => i128::from_str_radix(digits, 16),
                None => digits.parse(),
            };
            number.ok().filter(|&number| number >= 0).map(|number| if is_negative { -number } else { number })
        };
        let wrong = || "the value of a stub is a number, decimal or hexadecimal (0x..)".to_owned();
        let value = value.map(|text| number(text).ok_or_else(wrong)).transpose()?;
        Ok(Self { name: name.to_owned(), value })
    }
}

impl std::fmt::Display for Stub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.value {
            Some(value) => write!(f, "{}={value}", self.name),
            None => write!(f, "{}", self.name),
        }
    }
}

/// Checks that each stub names an undefined function of the program, once.
///
/// # Errors
/// [`LoadError::Stub`] names the first stub that does not.
pub fn check(symbols: &Symbols<'_>, find_library: FindLibrary<'_>) -> Result<(), LoadError> {
    for (at, stub) in symbols.stubs.iter().enumerate() {
        let refused = |what: &str| Err(LoadError::Stub { stub: stub.to_string(), what: what.to_owned() });
        if symbols.stubs[..at].iter().any(|other| other.name == stub.name) {
            return refused("there are two for this function");
        }
        let functions = symbols.module.functions();
        match functions.into_iter().find(|function| function.name() == stub.name) {
            None => return refused("the program declares and calls no function of this name"),
            Some(function) if !function.is_declaration() => {
                return refused("the function is defined, by the program or by the support library");
            }
            Some(function) if !undefined::is_undefined(&function.name(), find_library) => {
                return refused("the function is modelled");
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// The function that a stub stands for.
///
/// # Errors
/// [`LoadError::Stub`] if the value does not fit the function's type.
pub fn lower(stub: &Stub, pool: &mut Pool, declaration: LlvmValue<'_>) -> Result<Function, LoadError> {
    let result = declaration.value_type().result();
    let refused = |what: String| Err(LoadError::Stub { stub: stub.to_string(), what });
    let value = match (result.kind(), stub.value) {
        (TypeKind::LLVMVoidTypeKind, None) => Value::ZERO,
        (TypeKind::LLVMVoidTypeKind, Some(_)) => {
            return refused("the function returns nothing; leave out the value".to_owned());
        }
        (_, None) => return refused("the function returns something; say what".to_owned()),
        (TypeKind::LLVMPointerTypeKind, Some(0)) => Value::ZERO,
        (TypeKind::LLVMPointerTypeKind, Some(_)) => {
            return refused("the function returns a pointer, which can only be 0 here".to_owned());
        }
        (TypeKind::LLVMIntegerTypeKind, Some(value)) if result.bits() <= 64 => {
            let width = result.bits();
            if value < -(1 << (width - 1)) || value >= 1 << width {
                return refused(format!(
                    "the function returns an integer of {width} bits, which the value does not fit"
                ));
            }
            Value::new((value & ((1 << width) - 1)) as u64)
        }
        _ => {
            let what = "the function returns neither an integer of at most 64 bits nor a pointer; define it in C";
            return refused(what.to_owned());
        }
    };
    let mut function = function::signature(declaration);
    function.registers = function.params + u32::from(function.varargs) + 1;
    let (dst, a) = (Reg(function.registers - 1), pool.word(value));
    function.code = vec![Instr::Move { dst, a }, Instr::Return { value: a, words: function.results }];
    function.locations = vec![LocId(0); function.code.len()];
    let whole = 0..function.code.len();
    function.liveness = liveness::analyse(&function, std::slice::from_ref(&whole));
    Ok(function)
}
