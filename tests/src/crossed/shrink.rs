//! The smallest part of a program that still has a property: statements are removed one by one as long as the
//! rest has it.

use super::program::{Home, Program, Statement};

/// A minimal part of `program` for which `shows` is true: it is false if any statement is removed. It must be
/// true for the whole.
pub fn shrink(program: &Program, shows: impl Fn(&Program) -> bool) -> Program {
    let mut program = program.clone();
    if program.home != Home::Global {
        let simpler = Program { home: Home::Global, ..program.clone() };
        program = if shows(&simpler) { simpler } else { program };
    }
    let mut at = 0;
    while let Some(parts) = without(&program, at) {
        match parts.into_iter().find(&shows) {
            // An earlier statement may have become removable.
            Some(part) => {
                program = part;
                at = 0;
            }
            None => at += 1,
        }
    }
    program
}

/// The program without its statement number `at`, and the program with the bodies of that statement in its
/// place. `None` if there is no such statement.
fn without(program: &Program, at: usize) -> Option<Vec<Program>> {
    let replaced = |with: fn(Statement) -> Vec<Statement>| {
        let (mut program, mut left) = (program.clone(), at);
        program.threads.iter_mut().any(|body| replace(body, &mut left, with)).then_some(program)
    };
    let gone = replaced(|_| Vec::new())?;
    let opened = replaced(|mut statement| statement.bodies().into_iter().flat_map(std::mem::take).collect());
    Some([Some(gone.clone()), opened.filter(|opened| *opened != gone)].into_iter().flatten().collect())
}

/// Replaces statement number `left`, counted from the outside in. True if there is one.
fn replace(body: &mut Vec<Statement>, left: &mut usize, with: fn(Statement) -> Vec<Statement>) -> bool {
    for at in 0..body.len() {
        if *left == 0 {
            let statement = body.remove(at);
            body.splice(at..at, with(statement));
            return true;
        }
        *left -= 1;
        if body[at].bodies().into_iter().any(|body| replace(body, left, with)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crossed::program::Lock;
    use crate::crossed::program::Taking::Wait;

    #[test]
    fn what_is_needed_stays() {
        use Statement::{Coin, Holding, Repeat, Yield};
        let threads = vec![vec![Coin, Repeat(2, vec![Coin, Holding(Lock::Spin, Wait, vec![Yield, Coin])])], vec![Coin]];
        let program = Program { home: Home::Heap, semaphore: 0, threads };
        let shows = |program: &Program| format!("{program:?}").contains("Yield");
        let expected = Program { home: Home::Global, semaphore: 0, threads: vec![vec![Yield], vec![]] };
        assert_eq!(shrink(&program, shows), expected);
    }
}
