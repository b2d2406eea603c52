//! The symbols that modules define for each other, and those that they use of each other.

use std::collections::BTreeSet;

use rmc_llvm::Context;

use super::{DESTRUCTORS, Input, LoadError};
use rmc_llvm::{Bitcode, Module, Value};

/// The symbols of a module, or of several that are linked. Symbols of linkage `static` are left out.
#[derive(Clone, Debug, Default)]
pub struct Linkage {
    /// Functions and variables that others may use.
    defined: BTreeSet<String>,
    /// Symbols that are used here. Some of them may be defined here, too.
    used: BTreeSet<String>,
    /// Symbols that are used weakly: they may be missing.
    used_weakly: BTreeSet<String>,
}

impl Linkage {
    /// Adds a use of this symbol.
    pub fn uses(&mut self, name: &str) {
        self.used.insert(name.to_owned());
    }

    /// Adds the symbols of `other`, which is linked to the same program.
    pub fn add(&mut self, other: &Self) {
        self.defined.extend(other.defined.iter().cloned());
        self.used.extend(other.used.iter().cloned());
        self.used_weakly.extend(other.used_weakly.iter().cloned());
    }

    /// True if `other` defines a symbol that is used and not defined here.
    #[must_use]
    pub fn needs(&self, other: &Self) -> bool {
        self.used.difference(&self.defined).any(|name| other.defined.contains(name))
    }

    /// The functions and variables that are defined here for others.
    #[must_use]
    pub const fn defined(&self) -> &BTreeSet<String> {
        &self.defined
    }

    /// The functions and variables that are used, strongly or weakly, and not defined.
    #[must_use]
    pub fn undefined(&self) -> BTreeSet<String> {
        self.used.union(&self.used_weakly).filter(|name| !self.defined.contains(*name)).cloned().collect()
    }

    fn of(module: Module<'_>) -> Self {
        let mut linkage = Self::default();
        let is_defined = |global: &Value<'_>| global.initializer().is_some();
        let functions = module.functions().into_iter().map(|function| (function, !function.is_declaration()));
        let globals = module.globals().into_iter().map(|global| (global, is_defined(&global)));
        let aliases = module.aliases().into_iter().map(|alias| (alias, true));
        let chosen = module.indirect_functions().into_iter().map(|function| (function, true));
        for (value, is_defined) in functions.chain(globals).chain(aliases).chain(chosen) {
            let set = match () {
                () if is_defined && value.is_static() => continue,
                () if is_defined => &mut linkage.defined,
                () if value.is_absent_weak() => &mut linkage.used_weakly,
                () => &mut linkage.used,
            };
            set.insert(value.name());
        }
        linkage
    }
}

/// The symbols of an input.
///
/// # Errors
/// [`LoadError::Unreadable`].
pub fn linkage(input: &Input) -> Result<Linkage, LoadError> {
    let context = Context::create();
    let unreadable = |message| LoadError::Unreadable { file: input.file.clone(), message };
    let bitcode = Bitcode::parse_names(&context, &input.bytes, &input.file).map_err(unreadable)?;
    Ok(Linkage::of(bitcode.module()))
}

/// The symbols of inputs that are linked to one program. `exit` counts as used if they have destructors.
///
/// # Errors
/// [`LoadError::Unreadable`].
pub fn linked(inputs: &[Input]) -> Result<Linkage, LoadError> {
    let mut all = Linkage::default();
    for input in inputs {
        all.add(&linkage(input)?);
    }
    if all.defined.contains(DESTRUCTORS) {
        all.uses("exit");
    }
    Ok(all)
}

/// The functions and variables that an input defines for others.
///
/// # Errors
/// [`LoadError::Unreadable`].
pub fn defined(input: &Input) -> Result<BTreeSet<String>, LoadError> {
    linkage(input).map(|linkage| linkage.defined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_bitcode_is_refused() {
        let whole = super::super::assemble(b"define void @f() { ret void }").expect("it is a module");
        let linkage_of = |bytes: &[u8]| linkage(&Input { file: "f.bc".to_owned(), bytes: bytes.to_vec() });
        assert!(linkage_of(&whole).expect("it is whole").defined().contains("f"));
        for damaged in [&whole[..whole.len() / 2], b"no bitcode"] {
            assert!(matches!(linkage_of(damaged), Err(LoadError::Unreadable { .. })));
        }
    }
}
