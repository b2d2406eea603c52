//! Constants: every constant of a program has a fixed value, because objects of globals and functions have
//! fixed addresses.

use std::cell::RefCell;

use num_bigint::BigUint;

use super::debug_types::Types;
use super::stubs::Stub;
use super::types;
use super::undefined::Undefined;
use crate::hash::FxHashMap;
use crate::ir::address::{ObjectId, PAGE_BYTES, is_near};
use crate::ir::ids::{FuncId, GlobalId};
use crate::ir::instr::{Elements, Format, IntCmp, IntOp};
use crate::ir::value::{Poison, Value};
use crate::ir::{int, wide};
use rmc_llvm::{IntPredicate, Module, Opcode, Type, TypeKind, Value as LlvmValue, ValueKind};

/// The module with the numbers of its functions and globals.
pub struct Symbols<'m> {
    /// The module.
    pub module: Module<'m>,
    /// Functions by LLVM value.
    pub functions: FxHashMap<LlvmValue<'m>, FuncId>,
    /// Globals by LLVM value.
    pub globals: FxHashMap<LlvmValue<'m>, GlobalId>,
    /// The types of its memory from debug information.
    pub types: RefCell<Types<'m>>,
    /// Functions that are called and neither defined nor modelled.
    pub undefined: Undefined,
    /// The stubs that replace some of them.
    pub stubs: &'m [Stub],
}

/// A description of a constant that cannot be evaluated.
pub type Unsupported = String;

impl<'m> Symbols<'m> {
    /// The stub that replaces a declared function, if there is one.
    pub fn stub(&self, function: LlvmValue<'m>) -> Option<&'m Stub> {
        let name = Some(function).filter(|function| function.is_declaration()).map(LlvmValue::name);
        self.stubs.iter().find(|stub| Some(&stub.name) == name.as_ref())
    }

    /// The number of globals of the program: those of the module and the one that holds `main`'s arguments.
    fn global_count(&self) -> usize {
        self.globals.len() + 1
    }

    /// The words of a constant.
    pub fn words(&self, constant: LlvmValue<'m>) -> Result<Vec<Value>, Unsupported> {
        let ty = constant.ty();
        match constant.kind() {
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => Ok(undefined(ty)),
            _ if constant.is_null() => Ok(vec![Value::ZERO; types::words(ty)]),
            _ => match types::scalar(ty) {
                Some(format) => self.scalar(constant, format),
                None => {
                    let element = |at| constant.aggregate_element(at).ok_or_else(|| constant.print());
                    let parts = (0..ty.count()).map(|at| self.words(element(at)?));
                    Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
                }
            },
        }
    }

    fn scalar(&self, constant: LlvmValue<'m>, format: Format) -> Result<Vec<Value>, Unsupported> {
        match constant.kind() {
            ValueKind::LLVMConstantIntValueKind if format.bits() <= 64 => Ok(vec![Value::new(constant.int())]),
            ValueKind::LLVMConstantIntValueKind => wide_int(constant, format.bits()),
            ValueKind::LLVMConstantFPValueKind => float(constant, format),
            ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind
            | ValueKind::LLVMBlockAddressValueKind
            | ValueKind::LLVMConstantExprValueKind => {
                let value = self.expression(constant)?;
                Ok(std::iter::once(value).chain((1..types::format_words(format)).map(|_| Value::ZERO)).collect())
            }
            _ => Err(format!("constant `{}`", constant.print())),
        }
    }

    /// A constant of one word that may be an address or an expression.
    fn expression(&self, constant: LlvmValue<'m>) -> Result<Value, Unsupported> {
        match constant.kind() {
            _ if constant.is_absent_weak() && self.module.assembly().contains(&constant.name()) => {
                Err(format!("symbol `{}`, which assembly outside of functions may define", constant.name()))
            }
            _ if constant.is_absent_weak() => Ok(Value::ZERO),
            ValueKind::LLVMFunctionValueKind => {
                let function = self.functions[&constant];
                Ok(Value::new(ObjectId::function(function.index(), self.global_count()).address(0)))
            }
            ValueKind::LLVMBlockAddressValueKind => {
                let (function, block) = (constant.operand(0), constant.operand(1).as_block());
                let number = function.blocks().into_iter().position(|one| one == block);
                Ok(Value::new(self.label_address(function, number.expect("a label is in its function"))))
            }
            ValueKind::LLVMGlobalVariableValueKind if constant.is_thread_local() => {
                Err(format!("address of the thread-local `{}` in a constant", constant.name()))
            }
            ValueKind::LLVMGlobalVariableValueKind => {
                Ok(Value::new(ObjectId::global(self.globals[&constant].index()).address(0)))
            }
            ValueKind::LLVMGlobalAliasValueKind => self.expression(constant.aliasee()),
            ValueKind::LLVMConstantExprValueKind => self.operation(constant),
            _ => self.words(constant).map(|words| words[0]),
        }
    }

    /// The address of a label: a distinct address for each block, in the object that stands for its function.
    pub fn label_address(&self, function: LlvmValue<'m>, block: usize) -> u64 {
        let object = ObjectId::function(self.functions[&function].index(), self.global_count());
        object.address(u32::try_from(block).expect("few blocks") + 1)
    }

    fn operation(&self, constant: LlvmValue<'m>) -> Result<Value, Unsupported> {
        let width = |value: LlvmValue<'m>| types::scalar(value.ty()).map_or(64, Format::bits);
        let operand = |at| self.expression(constant.operand(at));
        let binary = |op| Ok(int::binary(op, width(constant), operand(0)?, operand(1)?).unwrap_or_default());
        let Some(opcode) = constant.opcode() else { return Err(format!("constant `{}`", constant.print())) };
        match opcode {
            Opcode::LLVMGetElementPtr => {
                let indices = constant.operands()[1..].to_vec();
                let offset = self.constant_offset(constant.gep_type(), &indices)?;
                let base = operand(0)?.bits;
                let address = base.wrapping_add_signed(offset);
                let is_far = constant.is_inbounds() && !is_near(base, address);
                Ok(if is_far { Value::poison(Poison::FarPointer) } else { Value::new(address) })
            }
            Opcode::LLVMBitCast if types::scalar(constant.operand(0).ty()).is_none() => {
                let source = constant.operand(0);
                let Some((from, whole)) = types::vector(source.ty()).filter(|(_, whole)| whole.width <= 64) else {
                    return Err(format!("constant expression `{}`", constant.print()));
                };
                Ok(wide::repack(from, whole, &self.words(source)?)[0])
            }
            Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMBitCast => {
                let value = operand(0)?;
                Ok(if value.is_poison() { value } else { Value::partial(value.bits, value.undef, width(constant)) })
            }
            Opcode::LLVMSExt => {
                let value = operand(0)?;
                let (from, to) = (width(constant.operand(0)), width(constant));
                Ok(if value.is_poison() { value } else { int::sign_extend(value, from, to) })
            }
            Opcode::LLVMAddrSpaceCast => operand(0),
            Opcode::LLVMAdd => binary(IntOp::Add),
            Opcode::LLVMSub => binary(IntOp::Sub),
            Opcode::LLVMMul => binary(IntOp::Mul),
            Opcode::LLVMAnd => binary(IntOp::And),
            Opcode::LLVMOr => binary(IntOp::Or),
            Opcode::LLVMXor => binary(IntOp::Xor),
            Opcode::LLVMShl => binary(IntOp::Shl),
            Opcode::LLVMLShr => binary(IntOp::LShr),
            Opcode::LLVMAShr => binary(IntOp::AShr),
            Opcode::LLVMICmp => {
                let op = int_compare(constant.int_predicate());
                Ok(int::compare(op, width(constant.operand(0)), operand(0)?, operand(1)?))
            }
            Opcode::LLVMSelect => operand(if operand(0)?.bits & 1 == 1 { 1 } else { 2 }),
            _ => Err(format!("constant expression `{}`", constant.print())),
        }
    }

    /// The byte offset that constant `getelementptr` indices select.
    pub fn constant_offset(&self, ty: Type<'m>, indices: &[LlvmValue<'m>]) -> Result<i64, Unsupported> {
        let (mut ty, mut offset) = (ty, 0_i64);
        for (at, &index) in indices.iter().enumerate() {
            let value = self.expression(index)?;
            let number = crate::ir::value::signed(value.bits, types::scalar(index.ty()).map_or(64, Format::bits));
            let far = || format!("index {number} in a constant");
            let scaled = |ty| number.checked_mul(self.module.size(ty).cast_signed()).ok_or_else(far);
            let step = match ty.kind() {
                _ if at == 0 => scaled(ty)?,
                TypeKind::LLVMStructTypeKind => {
                    let field = u32::try_from(number).map_err(|_| "a negative field index".to_owned())?;
                    let offset = self.module.field_offset(ty, field);
                    ty = ty.field(field);
                    offset.cast_signed()
                }
                _ => {
                    ty = ty.element();
                    scaled(ty)?
                }
            };
            offset = offset.checked_add(step).ok_or_else(far)?;
        }
        Ok(offset)
    }

    /// The initial content of a global as pages of data words, each followed by undefined-bit words if it has
    /// any.
    pub fn image(&self, size: u32, initializer: Option<LlvmValue<'m>>) -> Result<Vec<Vec<u64>>, Unsupported> {
        let mut image = Image::new(size);
        if let Some(value) = initializer {
            self.fill(&mut image, value, 0)?;
        }
        Ok(image.into_pages())
    }

    /// Writes the elements of a vector, which lie in memory without padding.
    fn fill_vector(
        &self,
        image: &mut Image,
        constant: LlvmValue<'m>,
        elements: Elements,
        offset: u32,
    ) -> Result<(), Unsupported> {
        let words = self.words(constant)?;
        if let Some(why) = words.iter().find_map(|word| word.why_poison()) {
            return Err(format!("{} (`{}`)", why.describe(), constant.print()));
        }
        let count = (elements.count * elements.width).div_ceil(8);
        let bytes = wide::repack(elements, Elements { count, width: 8 }, &words);
        (0..).zip(bytes).for_each(|(at, byte)| image.put(offset + at, byte.bits as u8));
        Ok(())
    }

    fn fill(&self, image: &mut Image, constant: LlvmValue<'m>, offset: u32) -> Result<(), Unsupported> {
        let ty = constant.ty();
        if constant.is_null() {
            return Ok(());
        }
        if let Some((elements, _)) = types::vector(ty)
            && constant.kind() != ValueKind::LLVMUndefValueValueKind
        {
            return self.fill_vector(image, constant, elements, offset);
        }
        if types::scalar(ty).is_none() && constant.kind() != ValueKind::LLVMUndefValueValueKind {
            return (0..ty.count()).try_for_each(|at| {
                let inner = constant.aggregate_element(at).ok_or_else(|| constant.print())?;
                let place = match ty.kind() {
                    TypeKind::LLVMStructTypeKind => self.module.field_offset(ty, at),
                    _ => u64::from(at) * self.module.size(ty.element()),
                };
                self.fill(image, inner, offset + u32::try_from(place).map_err(|_| "a huge constant".to_owned())?)
            });
        }
        // A static object's undefined padding and members read as zero: C initialises them so.
        if constant.kind() == ValueKind::LLVMUndefValueValueKind {
            return Ok(());
        }
        if constant.kind() == ValueKind::LLVMPoisonValueKind {
            return Err(format!("constant `{}`, the result of an undefined operation,", constant.print()));
        }
        let words = self.words(constant)?;
        if let Some(why) = words.iter().find_map(|word| word.why_poison()) {
            return Err(format!("{} (`{}`)", why.describe(), constant.print()));
        }
        let bytes = u32::try_from(self.module.store_size(ty)).map_err(|_| "a huge constant".to_owned())?;
        (0..bytes).for_each(|at| image.put(offset + at, (words[at as usize / 8].bits >> (at % 8 * 8)) as u8));
        Ok(())
    }
}

/// The comparison of the register code for a predicate of LLVM.
pub fn int_compare(predicate: IntPredicate) -> IntCmp {
    match predicate {
        IntPredicate::LLVMIntEQ => IntCmp::Eq,
        IntPredicate::LLVMIntNE => IntCmp::Ne,
        IntPredicate::LLVMIntUGT => IntCmp::Ugt,
        IntPredicate::LLVMIntUGE => IntCmp::Uge,
        IntPredicate::LLVMIntULT => IntCmp::Ult,
        IntPredicate::LLVMIntULE => IntCmp::Ule,
        IntPredicate::LLVMIntSGT => IntCmp::Sgt,
        IntPredicate::LLVMIntSGE => IntCmp::Sge,
        IntPredicate::LLVMIntSLT => IntCmp::Slt,
        IntPredicate::LLVMIntSLE => IntCmp::Sle,
    }
}

fn undefined(ty: Type<'_>) -> Vec<Value> {
    if let Some(format) = types::scalar(ty) {
        let bits = format.bits();
        return (0..bits.div_ceil(64)).map(|word| Value::undefined((bits - word * 64).min(64))).collect();
    }
    let part = |at| undefined(if ty.kind() == TypeKind::LLVMStructTypeKind { ty.field(at) } else { ty.element() });
    (0..ty.count()).flat_map(part).collect()
}

/// An integer wider than 64 bits: LLVM's C API gives it only as text.
fn wide_int(constant: LlvmValue<'_>, bits: u32) -> Result<Vec<Value>, Unsupported> {
    let text = constant.print();
    let number = text.rsplit(' ').next().unwrap_or_default();
    let magnitude: BigUint = number.trim_start_matches('-').parse().map_err(|_| format!("constant `{text}`"))?;
    let modulus = BigUint::from(1_u8) << bits;
    let value = if number.starts_with('-') { modulus - magnitude } else { magnitude };
    let mut words = value.to_u64_digits();
    words.resize(bits.div_ceil(64) as usize, 0);
    Ok(words.into_iter().map(Value::new).collect())
}

/// A floating-point constant. LLVM prints formats other than `float` and `double` as their bits, most
/// significant first.
fn float(constant: LlvmValue<'_>, format: Format) -> Result<Vec<Value>, Unsupported> {
    let text = constant.print();
    let digits = text.rsplit(' ').next().unwrap_or_default();
    let hex = |from: usize, to: usize| {
        let part = digits.get(from..to).and_then(|part| u64::from_str_radix(part, 16).ok());
        part.ok_or_else(|| format!("constant `{text}`"))
    };
    Ok(match format {
        // `float` and `double` constants are both printed as a double's value, which is exact.
        Format::Single => vec![Value::new(u64::from((constant.float() as f32).to_bits()))],
        Format::Double => vec![Value::new(constant.float().to_bits())],
        Format::Half | Format::BFloat => vec![Value::new(hex(3, 7)?)],
        Format::X87 => vec![Value::new(hex(7, 23)?), Value::new(hex(3, 7)?)],
        Format::Quad => vec![Value::new(hex(3, 19)?), Value::new(hex(19, 35)?)],
        Format::Int(_) => return Err(format!("constant `{text}`")),
    })
}

/// Zeroed bytes of a global, cut into pages.
struct Image {
    size: u32,
    words: Vec<u64>,
}

impl Image {
    fn new(size: u32) -> Self {
        Self { size, words: vec![0; size.div_ceil(8) as usize] }
    }

    fn put(&mut self, at: u32, byte: u8) {
        if at < self.size {
            self.words[at as usize / 8] |= u64::from(byte) << (at % 8 * 8);
        }
    }

    fn into_pages(self) -> Vec<Vec<u64>> {
        self.words.chunks(PAGE_BYTES as usize / 8).map(<[u64]>::to_vec).collect()
    }
}
