//! The constraint string of inline assembly: which operand is which argument or result of the call, and in which register.
//!
//! Source: LLVM Language Reference 16, "Inline Asm Constraint String". Operands are numbered in the order of the
//! string; indirect ones (`*`) and inputs take the arguments of the call in that order, direct outputs its results.

/// A general register: one that the constraints or the template name, or one of the compiler's choice for an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    A,
    B,
    C,
    D,
    /// That of the operand of this number.
    Of(usize),
}

/// What an operand stands for in the template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Register(Register),
    /// Memory at the address in `argument`, read or written.
    Memory {
        argument: u32,
    },
}

#[derive(Debug)]
enum Operand {
    /// A register the assembly sets; `constraint` without `=` and `&`.
    Output {
        constraint: String,
    },
    /// A value given to the assembly. A digit as `constraint` ties it to the output of that number.
    Input {
        argument: u32,
        constraint: String,
    },
    Memory {
        argument: u32,
    },
}

/// All operands, by their number in the template.
#[derive(Debug)]
pub struct Operands(Vec<Operand>);

/// Reads a constraint string. `None`: it has labels or alternatives.
pub fn parse(constraints: &str) -> Option<Operands> {
    let mut operands = Vec::new();
    let mut arguments = 0..;
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
            Operand::Output { constraint: letters.to_owned() }
        } else {
            Operand::Input { argument: arguments.next()?, constraint: letters.to_owned() }
        });
    }
    Some(Operands(operands))
}

impl Operands {
    /// The operand `$number`.
    pub fn get(&self, number: usize) -> Option<Role> {
        Some(match self.0.get(number)? {
            Operand::Output { constraint } => Role::Register(self.register_of(constraint, number)),
            Operand::Input { constraint, .. } => Role::Register(match constraint.parse() {
                Ok(tied) => match self.0.get(tied)? {
                    Operand::Output { constraint } => self.register_of(constraint, tied),
                    Operand::Input { .. } | Operand::Memory { .. } => return None,
                },
                Err(_) => self.register_of(constraint, number),
            }),
            Operand::Memory { argument } => Role::Memory { argument: *argument },
        })
    }

    /// The registers that hold an argument before the first instruction.
    pub fn inputs(&self) -> impl Iterator<Item = (Register, u32)> {
        self.0.iter().enumerate().filter_map(|(number, operand)| match (operand, self.get(number)?) {
            (Operand::Input { argument, .. }, Role::Register(register)) => Some((register, *argument)),
            _ => None,
        })
    }

    /// The registers of the results, in their order.
    pub fn results(&self) -> impl Iterator<Item = Register> {
        self.outputs().map(|(register, _)| register)
    }

    /// The results that are a flag (`=@ccz`), each with the name of its condition.
    pub fn flag_outputs(&self) -> impl Iterator<Item = (Register, &str)> {
        self.outputs().filter_map(|(register, constraint)| {
            let name = constraint.strip_prefix("{@cc")?.strip_suffix('}')?;
            Some((register, name))
        })
    }

    fn outputs(&self) -> impl Iterator<Item = (Register, &str)> {
        self.0.iter().enumerate().filter_map(|(number, operand)| match operand {
            Operand::Output { constraint } => Some((self.register_of(constraint, number), constraint.as_str())),
            Operand::Input { .. } | Operand::Memory { .. } => None,
        })
    }

    /// The register that `constraint` names, or that of the operand `number`. Operands in the same register, one of those
    /// without a name here, are those of the first.
    fn register_of(&self, constraint: &str, number: usize) -> Register {
        let Some(name) = constraint.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
            return Register::Of(number);
        };
        let first = || self.0.iter().position(|operand| operand.constraint() == Some(constraint));
        let same = || Register::Of(first().unwrap_or(number));
        register_named(name).map_or_else(same, |(register, _)| register)
    }
}

impl Operand {
    fn constraint(&self) -> Option<&str> {
        match self {
            Operand::Output { constraint } | Operand::Input { constraint, .. } => Some(constraint),
            Operand::Memory { .. } => None,
        }
    }
}

/// The register of this name and its bytes under it: `eax` is four bytes of the accumulator.
pub fn register_named(name: &str) -> Option<(Register, u64)> {
    let (width, letter) = match name.as_bytes() {
        [b'r', letter, b'x'] => (8, letter),
        [b'e', letter, b'x'] => (4, letter),
        [letter, b'x'] => (2, letter),
        [letter, b'l'] => (1, letter),
        _ => return None,
    };
    let register = match letter {
        b'a' => Register::A,
        b'b' => Register::B,
        b'c' => Register::C,
        b'd' => Register::D,
        _ => return None,
    };
    Some((register, width))
}
