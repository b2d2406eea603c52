//! The members of archives that belong to a program: those that define undefined symbols, as in a linker.
//!
//! A member is taken if it defines a symbol that the inputs and members taken so far use and do not define. A
//! weak reference takes no member. Archives are searched until nothing is added, in their order and whatever
//! their place among the inputs, as `lld` does and `ld` between `--start-group` and `--end-group`. The
//! functions in which the program begins count as used, by the code that starts it.
//!
//! Tests: `tests/tests/inputs.rs`.

use crate::ir::load::{self, Input, Linkage, LoadError};

/// Adds to `inputs` those of `members` that they need. `begins` are the functions in which the program begins.
///
/// # Errors
/// [`LoadError::Unreadable`].
pub fn add_needed(inputs: &mut Vec<Input>, members: Vec<Input>, begins: &[String]) -> Result<(), LoadError> {
    if members.is_empty() {
        return Ok(());
    }
    let mut linked = Linkage::default();
    for name in begins {
        linked.uses(name);
    }
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
