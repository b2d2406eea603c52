//! Undefined functions: a list of all of them, with the places of their calls.
//!
//! A program that never calls them is fine, so they are no error before a call is reached. The message then
//! lists the others, too, so that one run shows everything that is missing.
//!
//! Tests: `tests/tests/inputs.rs`.

use std::collections::BTreeMap;

use super::function::FindLibrary;
use crate::ir::demangle;
use rmc_abi::Entry;
use rmc_llvm::{Block, Module, Place, Value, ValueKind};

/// The advice for giving an irrelevant function a result.
const WAY_OUT: &str = "--stub NAME=VALUE has one return VALUE and do nothing else";

/// The functions that are called directly and neither defined nor modelled, each with the place of its first
/// call.
#[derive(Debug, Default)]
pub struct Undefined {
    places: BTreeMap<String, String>,
}

impl Undefined {
    /// The undefined functions of a module. `name_of` gives the file of a place.
    pub fn of(module: Module<'_>, find_library: FindLibrary<'_>, name_of: impl Fn(&Place) -> String) -> Self {
        let mut places = BTreeMap::new();
        for function in module.functions() {
            for call in function.blocks().into_iter().flat_map(Block::instructions).filter(|one| one.is_call()) {
                let callee = call.callee();
                let is_declared = callee.kind() == ValueKind::LLVMFunctionValueKind && callee.is_declaration();
                if is_declared && is_undefined(&callee.name(), find_library) {
                    places.entry(callee.name()).or_insert_with(|| place(call, function, &name_of));
                }
            }
        }
        Self { places }
    }

    /// The message for a call of `name`.
    pub fn message(&self, name: &str) -> String {
        let mut text = format!("function {}, which is neither defined in the program nor modelled", quoted(name));
        let others = self.places.iter().filter(|(other, _)| *other != name);
        let others: Vec<_> = others.map(|(other, place)| format!("\n    {}, called {place}", quoted(other))).collect();
        if !others.is_empty() {
            text += "\n  undefined as well:";
            text += &others.concat();
        }
        format!("{text}\n  give the file that defines it; {WAY_OUT}")
    }
}

/// True if a declared function of this name is neither modelled nor treated in another way.
pub fn is_undefined(name: &str, find_library: FindLibrary<'_>) -> bool {
    let is_ours = name.starts_with("llvm.") || name == super::entry::RUN_DESTRUCTORS || Entry::of(name).is_some();
    let is_block_function = matches!(name, "memcpy" | "memmove" | "memset");
    !is_ours && !is_block_function && find_library(name, false).is_none()
}

/// The name for people, followed by the linker's name if that differs.
fn quoted(name: &str) -> String {
    let shown = demangle::shown(name);
    if shown == name { format!("`{name}`") } else { format!("`{shown}` (`{name}`)") }
}

fn place(call: Value<'_>, function: Value<'_>, name_of: impl Fn(&Place) -> String) -> String {
    match call.place() {
        Some(place) => format!("at {}:{}", name_of(&place), place.line),
        None => format!("in `{}`", function.name()),
    }
}
