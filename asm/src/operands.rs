//! The constraint string of inline assembly: the argument or result of the call for each operand, and its
//! register.
//!
//! Source: LLVM Language Reference 16, "Inline Asm Constraint String". Operands are numbered in the order of
//! the string. Indirect ones (`*`) and inputs take the arguments of the call in that order, direct outputs
//! its results.
//!
//! An indirect output whose constraint leaves the choice between a register and memory (`=*rm`) is in memory
//! in LLVM 16, unless an input is tied to it. In that case it is in a register
//! (`TargetLowering::ChooseConstraint`), which is stored to the output's place after the assembly. A
//! constraint that is neither understood as a general register nor as memory has no [`Role`], so a template
//! that names its operand is not understood.

/// A general register: one that the constraints or the template name, or one that the compiler chooses for an
/// operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    A,
    B,
    C,
    D,
    /// `si`, `di`, `bp` or `r8` to `r15`, by its index in [`OTHERS`].
    Other(usize),
    /// The register that the compiler chooses for the operand of this number.
    Of(usize),
}

/// The role of an operand in the template.
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
    /// A register that the assembly sets.
    Output(Output),
    /// A value passed to the assembly. A digit as `constraint` ties it to the output of that number.
    Input {
        argument: u32,
        constraint: String,
    },
    Memory {
        argument: u32,
    },
}

#[derive(Debug)]
struct Output {
    /// The constraint without `=`, `&` and `*`.
    constraint: String,
    /// True if it is an early clobber: it shares its register with no input except one that is tied to it.
    early: bool,
    /// The argument with the place to which the register is stored afterwards; `None` if it is a result of
    /// the call.
    place: Option<u32>,
}

/// All operands, by their number in the template.
#[derive(Debug)]
pub struct Operands {
    all: Vec<Operand>,
    /// Registers in which the compiler keeps no value.
    clobbered: Vec<Register>,
}

/// The sharing of an output's register with inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// No input shares it: the register is early-clobbered, or only the assembly uses it.
    None,
    /// An input is in the register; another one may be there too if it has the same value.
    Equal,
    /// Any input or address may be there.
    Any,
}

/// Reads a constraint string. `None` if it has labels or alternatives, or an indirect operand of a form that
/// is not understood.
pub fn parse(constraints: &str) -> Option<Operands> {
    let mut operands = Operands { all: Vec::new(), clobbered: Vec::new() };
    let mut arguments = 0..;
    let tied: Vec<usize> = constraints.split(',').filter_map(|one| one.parse().ok()).collect();
    for one in constraints.split(',').filter(|one| !one.is_empty()) {
        if let Some(clobber) = one.strip_prefix('~') {
            operands.clobbered.extend(named(clobber).and_then(register_named).map(|(register, _)| register));
            continue;
        }
        if one.starts_with('!') || one.contains('|') {
            return None;
        }
        let letters = one.trim_start_matches(['=', '&', '%']);
        let (constraint, indirect) = (letters.trim_start_matches('*'), letters.starts_with('*'));
        let output = |place| {
            let early = one.contains('&');
            Operand::Output(Output { constraint: constraint.to_owned(), early, place })
        };
        let operand = match (one.starts_with('='), indirect) {
            (true, false) => output(None),
            (true, true) if tied.contains(&operands.all.len()) => {
                let place = arguments.next()?;
                is_register(constraint).then(|| output(Some(place)))?
            }
            (_, true) => {
                let argument = arguments.next()?;
                is_memory(constraint).then_some(Operand::Memory { argument })?
            }
            (false, false) => Operand::Input { argument: arguments.next()?, constraint: constraint.to_owned() },
        };
        operands.all.push(operand);
    }
    Some(operands)
}

impl Operands {
    /// The operand `$number`.
    pub fn get(&self, number: usize) -> Option<Role> {
        match self.all.get(number)? {
            Operand::Memory { argument } => Some(Role::Memory { argument: *argument }),
            operand => {
                let constraint = match operand.constraint()?.parse::<usize>() {
                    Ok(tied) => self.all.get(tied)?.constraint()?,
                    Err(_) => operand.constraint()?,
                };
                is_register(constraint).then(|| self.place_of(number).map(Role::Register))?
            }
        }
    }

    /// The registers that hold an argument before the first instruction. `None` if one is tied to an operand
    /// that is no register.
    pub fn inputs(&self) -> Option<Vec<(Register, u32)>> {
        let inputs = self.all.iter().enumerate().filter_map(|(number, operand)| match operand {
            Operand::Input { argument, .. } => Some((number, *argument)),
            Operand::Output(_) | Operand::Memory { .. } => None,
        });
        inputs.map(|(number, argument)| Some((self.place_of(number)?, argument))).collect()
    }

    /// The registers of the results, in their order.
    pub fn results(&self) -> impl Iterator<Item = Register> {
        self.outputs().filter(|(_, output)| output.place.is_none()).map(|(register, _)| register)
    }

    /// The registers that are stored afterwards, each with the argument that has its place.
    pub fn stored(&self) -> impl Iterator<Item = (Register, u32)> {
        self.outputs().filter_map(|(register, output)| Some((register, output.place?)))
    }

    /// The results that are a flag (`=@ccz`), each with the name of its condition.
    pub fn flag_outputs(&self) -> impl Iterator<Item = (Register, &str)> {
        self.outputs()
            .filter_map(|(register, output)| Some((register, named(&output.constraint)?.strip_prefix("@cc")?)))
    }

    /// The values that may share `register` with the one that the assembly puts there. `None` if the assembly
    /// must not change it.
    pub fn sharing(&self, register: Register) -> Option<Sharing> {
        let output = self.outputs().find(|&(one, _)| one == register);
        match output {
            Some((_, output)) if output.early => Some(Sharing::None),
            Some(_) if self.inputs()?.iter().any(|&(one, _)| one == register) => Some(Sharing::Equal),
            Some(_) => Some(Sharing::Any),
            None => self.clobbered.contains(&register).then_some(Sharing::None),
        }
    }

    fn outputs(&self) -> impl Iterator<Item = (Register, &Output)> {
        self.all.iter().enumerate().filter_map(|(number, operand)| match operand {
            Operand::Output(output) => Some((self.register_of(&output.constraint, number), output)),
            Operand::Input { .. } | Operand::Memory { .. } => None,
        })
    }

    /// The register of the operand `number`; `None` for memory.
    fn place_of(&self, number: usize) -> Option<Register> {
        let constraint = self.all.get(number)?.constraint()?;
        match constraint.parse() {
            Ok(tied) => match self.all.get(tied)? {
                Operand::Output(output) => Some(self.register_of(&output.constraint, tied)),
                Operand::Input { .. } | Operand::Memory { .. } => None,
            },
            Err(_) => Some(self.register_of(constraint, number)),
        }
    }

    /// The register that `constraint` names, or else the one of the operand `number`. Operands whose
    /// constraints name the same register, one that [`Register`] has no variant for, have the register of the
    /// first of them.
    fn register_of(&self, constraint: &str, number: usize) -> Register {
        let Some(name) = named(constraint) else {
            return Register::Of(number);
        };
        let first = || self.all.iter().position(|operand| operand.constraint() == Some(constraint));
        let same = || Register::Of(first().unwrap_or(number));
        register_named(name).map_or_else(same, |(register, _)| register)
    }
}

impl Operand {
    fn constraint(&self) -> Option<&str> {
        match self {
            Operand::Output(Output { constraint, .. }) | Operand::Input { constraint, .. } => Some(constraint),
            Operand::Memory { .. } => None,
        }
    }
}

/// The name in `{name}`.
fn named(constraint: &str) -> Option<&str> {
    constraint.strip_prefix('{')?.strip_suffix('}')
}

/// True if a constraint can be met by a general register, and by nothing that a template would name in
/// another way. Constants are written like registers and read alike.
fn is_register(constraint: &str) -> bool {
    match named(constraint) {
        Some(name) => register_named(name).is_some(),
        None => {
            let is_only_memory = constraint.chars().all(|letter| letter == 'm');
            !is_only_memory && constraint.chars().all(|letter| "rqQRlimneZIJKLMNO".contains(letter))
        }
    }
}

fn is_memory(constraint: &str) -> bool {
    constraint.contains('m') && constraint.chars().all(|letter| "rqQRlimneoV".contains(letter))
}

/// The 64-bit names of the general registers beside the first four, in this order; those from `r8` on follow.
const OTHERS: [&str; 3] = ["rsi", "rdi", "rbp"];

/// The register of this name and the number of its bytes that the name covers: `eax` is four bytes of the
/// accumulator.
pub fn register_named(name: &str) -> Option<(Register, u64)> {
    if let Some(number) = name.strip_prefix('r').filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit())) {
        let digits = number.trim_end_matches(['d', 'w', 'b']);
        let width = match &number[digits.len()..] {
            "" => 8,
            "d" => 4,
            "w" => 2,
            "b" => 1,
            _ => return None,
        };
        let index = digits.parse::<usize>().ok().filter(|index| (8..16).contains(index))?;
        return Some((Register::Other(OTHERS.len() + index - 8), width));
    }
    if let Some(index) = OTHERS.iter().position(|other| name.trim_end_matches('l').ends_with(&other[1..])) {
        let width = match (name.len(), name.as_bytes()) {
            (3, [b'r', ..]) => 8,
            (3, [b'e', ..]) => 4,
            (3, [.., b'l']) => 1,
            (2, _) => 2,
            _ => return None,
        };
        return Some((Register::Other(index), width));
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_take_arguments_in_their_order() {
        let operands = parse("=*m,=r,{ax},1,*m,~{memory},~{rcx}").expect("operands");
        assert_eq!(operands.get(0), Some(Role::Memory { argument: 0 }));
        assert_eq!(operands.get(1), Some(Role::Register(Register::Of(1))));
        assert_eq!(operands.get(4), Some(Role::Memory { argument: 3 }));
        assert_eq!(operands.get(5), None, "clobbers are no operands");
        assert_eq!(operands.inputs(), Some(vec![(Register::A, 1), (Register::Of(1), 2)]));
        assert_eq!(operands.results().collect::<Vec<_>>(), [Register::Of(1)]);
        assert_eq!(operands.sharing(Register::Of(1)), Some(Sharing::Equal));
        assert_eq!(operands.sharing(Register::C), Some(Sharing::None));
        assert_eq!(operands.sharing(Register::A), None, "an input must be left alone");
    }

    #[test]
    fn what_is_not_understood_has_no_operands() {
        assert!(parse("r|m").is_none());
        assert!(parse("!i").is_none());
        assert!(parse("=*x").is_none());
        assert!(parse("9").is_some_and(|operands| operands.get(0).is_none() && operands.inputs().is_none()));
    }

    #[test]
    fn registers_have_widths() {
        let named = |name| register_named(name);
        assert_eq!(["rax", "eax", "ax", "al"].map(named), [8, 4, 2, 1].map(|width| Some((Register::A, width))));
        assert_eq!(["rsi", "esi", "si", "sil"].map(named), [8, 4, 2, 1].map(|width| Some((Register::Other(0), width))));
        assert_eq!(["r15", "r8w"].map(named), [Some((Register::Other(10), 8)), Some((Register::Other(3), 2))]);
        assert_eq!(["r16", "r7", "r8x", "ah", "xmm0", "", "l"].map(named), [None; 7]);
    }
}
