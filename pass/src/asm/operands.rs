//! The constraint string of inline assembly: which operand is which argument or result of the call.
//!
//! Source: LLVM Language Reference 16, "Inline Asm Constraint String". Operands are numbered in the order of the
//! string; indirect ones (`*`) and inputs take the arguments of the call in that order, direct outputs its results.

/// One operand.
#[derive(Debug)]
pub enum Operand {
    /// A register the assembly sets; `constraint` without `=` and `&`.
    Output { result: usize, constraint: String },
    /// A value given to the assembly. A digit as `constraint` ties it to the output of that number.
    Input { argument: u32, constraint: String },
    /// Memory at the address in `argument`, read or written.
    Memory { argument: u32 },
}

/// All operands, by their number in the template.
#[derive(Debug)]
pub struct Operands(Vec<Operand>);

/// Reads a constraint string. `None`: it has labels or alternatives.
pub fn parse(constraints: &str) -> Option<Operands> {
    let mut operands = Vec::new();
    let (mut arguments, mut results) = (0.., 0..);
    for one in constraints.split(',').filter(|one| !one.is_empty()) {
        if one.starts_with('~') {
            continue;
        }
        if one.starts_with('!') || one.contains('|') {
            return None;
        }
        let letters = one.trim_start_matches(['=', '&', '%']);
        operands.push(if letters.starts_with('*') {
            Operand::Memory { argument: arguments.next()? }
        } else if one.starts_with('=') {
            Operand::Output { result: results.next()?, constraint: letters.to_owned() }
        } else {
            Operand::Input { argument: arguments.next()?, constraint: letters.to_owned() }
        });
    }
    Some(Operands(operands))
}

impl Operands {
    /// The operand `$number`.
    pub fn get(&self, number: usize) -> Option<&Operand> {
        self.0.get(number)
    }

    /// What the direct outputs hold before the first instruction: the input in the same register, if there is one.
    pub fn initial_registers(&self) -> Vec<Option<super::Source>> {
        let outputs = self.0.iter().zip(0..).filter_map(|(operand, number)| match operand {
            Operand::Output { constraint, .. } => Some((number, constraint)),
            Operand::Input { .. } | Operand::Memory { .. } => None,
        });
        outputs
            .map(|(number, constraint)| {
                let argument = self.input_in(number, constraint)?;
                Some(super::Source::Argument(argument))
            })
            .collect()
    }

    /// The argument in the register of output `number`: tied to it or naming the same register.
    fn input_in(&self, number: usize, register: &str) -> Option<u32> {
        let number = number.to_string();
        self.0.iter().find_map(|operand| match operand {
            Operand::Input { argument, constraint } => {
                let same = *constraint == number || (constraint == register && constraint.starts_with('{'));
                same.then_some(*argument)
            }
            Operand::Output { .. } | Operand::Memory { .. } => None,
        })
    }

    /// The result that is the accumulator (rax and its parts).
    pub fn accumulator_output(&self) -> Option<usize> {
        self.0.iter().find_map(|operand| match operand {
            Operand::Output { result, constraint } if is_accumulator(constraint) => Some(*result),
            _ => None,
        })
    }

    /// The argument that is given in the accumulator.
    pub fn accumulator_input(&self) -> Option<u32> {
        let tied = self.0.iter().zip(0..).find_map(|(operand, number)| match operand {
            Operand::Output { constraint, .. } if is_accumulator(constraint) => self.input_in(number, constraint),
            _ => None,
        });
        tied.or_else(|| {
            self.0.iter().find_map(|operand| match operand {
                Operand::Input { argument, constraint } if is_accumulator(constraint) => Some(*argument),
                _ => None,
            })
        })
    }

    /// The results that are a flag (`=@ccz`), each with the name of its condition.
    pub fn flag_outputs(&self) -> impl Iterator<Item = (usize, &str)> {
        self.0.iter().filter_map(|operand| match operand {
            Operand::Output { result, constraint } => {
                let name = constraint.strip_prefix("{@cc")?.strip_suffix('}')?;
                Some((*result, name))
            }
            Operand::Input { .. } | Operand::Memory { .. } => None,
        })
    }
}

fn is_accumulator(constraint: &str) -> bool {
    matches!(constraint, "{ax}" | "{al}" | "{eax}" | "{rax}")
}
