//! Which members of archives belong to a program: those that define what is undefined, as a linker has it.
//!
//! A member is taken if it defines a symbol that what was taken before uses and nobody defines; a weak
//! reference takes none. Archives are looked through until nothing is added, in their order and whatever
//! their place among the inputs, as `lld` does and `ld` between `--start-group` and `--end-group`. `main` is
//! used by what starts the program.
//!
//! Tests: `tests/tests/inputs.rs`.

use crate::ir::load::{self, Input, Linkage, LoadError};

/// Adds to `inputs` what they need of `members`.
///
/// # Errors
/// [`LoadError::Unreadable`].
pub fn add_needed(inputs: &mut Vec<Input>, members: Vec<Input>) -> Result<(), LoadError> {
    if members.is_empty() {
        return Ok(());
    }
    let mut linked = Linkage::default();
    linked.uses("main");
    for input in &*inputs {
        linked.add(&load::linkage(input)?);
    }
    let members = members.into_iter().map(|member| Ok((load::linkage(&member)?, member)));
    let mut left = members.collect::<Result<Vec<_>, LoadError>>()?;
    while let Some(at) = left.iter().position(|(linkage, _)| linked.needs(linkage)) {
        let (linkage, member) = left.remove(at);
        linked.add(&linkage);
        inputs.push(member);
    }
    Ok(())
}
