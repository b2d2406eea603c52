//! The types of newly allocated memory, from the source: the type that the result of an allocation points to.
//!
//! These uses of the result are asked in this order: the variable that the result is, the variable or member
//! that it is stored to, the result of the function that returns it, the parameter that it is passed as. A
//! use as pointer to `void` is ignored, a use as pointer to bytes counts only if there is no other. The
//! search follows casts, `phi`s and the calls that the pass put in place of stores. A result whose type is
//! unknown here (a function that returns `void *`) may get a type at a call of that function: each call that
//! returns a pointer is recorded, and reports take the innermost with a type.

use std::cell::RefCell;
use std::collections::VecDeque;

use super::constants::Symbols;
use super::debug_types::{Types, is_byte, pointee, pointer_at};
use crate::hash::{FxHashMap, FxHashSet};
use crate::ir::ids::Pc;
use crate::ir::program::Pointee;
use rmc_abi::Entry;
use rmc_llvm::{Metadata, Opcode, TypeKind, Value, ValueKind};

/// The largest number of values that are followed from one allocation.
const FOLLOWED: usize = 64;
/// The largest number of loads and additions that are followed to the variable an address comes from.
const DEEPEST: u32 = 8;

/// The debug information of a function about its values.
#[derive(Default)]
pub struct Described<'m> {
    /// The types of values that are variables.
    values: FxHashMap<Value<'m>, Metadata<'m>>,
    /// The types of variables, by their addresses.
    addresses: FxHashMap<Value<'m>, Metadata<'m>>,
    /// The calls that return a pointer, or store one where their first argument points, by place.
    calls: Vec<(Pc, Value<'m>)>,
}

/// The ranks of uses by how much they say about the memory; the least counts most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Variable,
    Stored,
    Returned,
    Passed,
}

impl<'m> Described<'m> {
    /// Records `llvm.dbg.declare` and `llvm.dbg.value`. Returns the type of the variable if it is declared at
    /// an address.
    pub fn describe(&mut self, name: &str, call: Value<'m>) -> Option<Metadata<'m>> {
        let value = call.operand(0).described()?;
        let ty = call.operand(1).as_metadata()?.variable_type()?;
        if name == "dbg.declare" {
            self.addresses.insert(value, ty);
            return Some(ty);
        }
        if value.ty().kind() == TypeKind::LLVMPointerTypeKind {
            self.values.entry(value).or_insert(ty);
        }
        None
    }

    /// Records a call that may return new memory.
    pub fn call(&mut self, pc: usize, name: &str, call: Value<'m>) {
        if call.ty().kind() == TypeKind::LLVMPointerTypeKind || name == "posix_memalign" {
            self.calls.push((Pc::new(pc), call));
        }
    }

    /// The known types of the memory that the function's calls return, by place.
    pub fn pointees(
        &self,
        symbols: &Symbols<'m>,
        types: &RefCell<Types<'m>>,
        function: Value<'m>,
    ) -> Vec<(Pc, Pointee)> {
        let result = function.subprogram().map_or_else(Vec::new, Metadata::signature).first().copied().flatten();
        let search = Search { described: self, symbols, result };
        let pointee = |call| match search.of_call(call) {
            ResultUse::Type(ty) => types.borrow_mut().shape(ty).map_or(Pointee::Unknown, Pointee::Shape),
            ResultUse::Returned => Pointee::Returned,
            ResultUse::Nothing => Pointee::Unknown,
        };
        self.calls.iter().map(|&(pc, call)| (pc, pointee(call))).filter(|(_, it)| *it != Pointee::Unknown).collect()
    }
}

struct Search<'a, 'm> {
    described: &'a Described<'m>,
    symbols: &'a Symbols<'m>,
    /// The type of the function's result.
    result: Option<Metadata<'m>>,
}

/// The type of a call's result according to its uses.
enum ResultUse<'m> {
    Type(Metadata<'m>),
    Returned,
    Nothing,
}

impl<'m> Search<'_, 'm> {
    fn of_call(&self, call: Value<'m>) -> ResultUse<'m> {
        if call.ty().kind() != TypeKind::LLVMPointerTypeKind {
            let stored = call.arguments().first().and_then(|&to| self.stored_at(to, 0)).and_then(pointee);
            return stored.map_or(ResultUse::Nothing, ResultUse::Type);
        }
        let mut is_returned = false;
        let mut found: Vec<(bool, Rank, Metadata<'m>)> = Vec::new();
        let (mut queue, mut seen) = (VecDeque::from([call]), FxHashSet::default());
        while let Some(value) = queue.pop_front().filter(|_| seen.len() < FOLLOWED) {
            if !seen.insert(value) {
                continue;
            }
            let mut add = |rank, ty: Option<Metadata<'m>>| {
                found.extend(ty.and_then(pointee).map(|ty| (is_byte(ty), rank, ty)));
            };
            add(Rank::Variable, self.described.values.get(&value).copied());
            for user in value.users() {
                let Some(opcode) = user.instruction_opcode() else { continue };
                match opcode {
                    opcode if is_copy(opcode) => queue.push_back(user),
                    Opcode::LLVMStore if user.operand(0) == value => {
                        add(Rank::Stored, self.stored_at(user.operand(1), 0));
                    }
                    Opcode::LLVMRet => {
                        is_returned = true;
                        add(Rank::Returned, self.result);
                    }
                    Opcode::LLVMCall | Opcode::LLVMInvoke => {
                        let (rank, ty) = self.argument(user, value);
                        add(rank, ty);
                    }
                    _ => {}
                }
            }
        }
        match found.into_iter().min_by_key(|&(is_byte, rank, _)| (is_byte, rank)) {
            Some((_, _, ty)) => ResultUse::Type(ty),
            None if is_returned => ResultUse::Returned,
            None => ResultUse::Nothing,
        }
    }

    /// The pointer's type as the argument of a call.
    fn argument(&self, call: Value<'m>, value: Value<'m>) -> (Rank, Option<Metadata<'m>>) {
        let arguments = call.arguments();
        let is_value = |argument: &Value<'m>| *argument == value;
        let callee = Some(call.callee()).filter(|callee| callee.kind() == ValueKind::LLVMFunctionValueKind);
        let Some(callee) = callee else { return (Rank::Passed, None) };
        if is_abi_store(&callee.name()) {
            let is_stored = arguments[1..].iter().any(is_value);
            return (Rank::Stored, is_stored.then(|| self.stored_at(arguments[0], 0)).flatten());
        }
        let signature = callee.subprogram().map_or_else(Vec::new, Metadata::signature);
        let at = arguments.iter().position(is_value);
        (Rank::Passed, at.and_then(|at| signature.get(at + 1).copied().flatten()))
    }

    /// The type of the pointer that is stored at an address.
    fn stored_at(&self, address: Value<'m>, depth: u32) -> Option<Metadata<'m>> {
        let (base, offset) = self.base_of(address);
        pointer_at(self.type_at(base, depth)?, offset)
    }

    /// The type of the object that begins at an address.
    fn type_at(&self, address: Value<'m>, depth: u32) -> Option<Metadata<'m>> {
        if let Some(&ty) = self.described.addresses.get(&address) {
            return Some(ty);
        }
        if address.kind() == ValueKind::LLVMGlobalVariableValueKind {
            return address.global_types().first().copied();
        }
        if let Some(&ty) = self.described.values.get(&address) {
            return pointee(ty);
        }
        if depth == DEEPEST {
            return None;
        }
        let loaded = match address.instruction_opcode()? {
            Opcode::LLVMLoad => address.operand(0),
            Opcode::LLVMCall if matches!(Entry::of(&address.callee().name()), Some(Entry::Load(_))) => {
                address.operand(0)
            }
            _ => return None,
        };
        pointee(self.stored_at(loaded, depth + 1)?)
    }

    /// The base address from which this one is computed, and the distance in bytes; elements of arrays count
    /// as the first.
    fn base_of(&self, address: Value<'m>) -> (Value<'m>, u64) {
        let (mut at, mut offset) = (address, 0_u64);
        for _ in 0..DEEPEST {
            let is_described = self.described.values.contains_key(&at) || self.described.addresses.contains_key(&at);
            let Some(opcode) = at.opcode().filter(|_| !is_described) else { break };
            match opcode {
                Opcode::LLVMGetElementPtr => {
                    offset = offset.wrapping_add(self.distance(at));
                    at = at.operand(0);
                }
                Opcode::LLVMIntToPtr | Opcode::LLVMPtrToInt | Opcode::LLVMBitCast | Opcode::LLVMFreeze => {
                    at = at.operand(0);
                }
                _ => break,
            }
        }
        (at, offset)
    }

    fn distance(&self, address: Value<'m>) -> u64 {
        let (mut ty, mut distance) = (address.gep_type(), 0_u64);
        for (at, index) in address.operands().into_iter().skip(1).enumerate() {
            let known = (index.kind() == ValueKind::LLVMConstantIntValueKind).then(|| index.int());
            if at > 0 && ty.kind() == TypeKind::LLVMStructTypeKind {
                let field = known.and_then(|field| u32::try_from(field).ok()).unwrap_or(0);
                distance = distance.wrapping_add(self.symbols.module.field_offset(ty, field));
                ty = ty.field(field);
                continue;
            }
            if at > 0 {
                ty = ty.element();
            }
            let bytes = known.unwrap_or(0).wrapping_mul(self.symbols.module.size(ty));
            distance = distance.wrapping_add(bytes);
        }
        distance
    }
}

/// True if an instruction's result is one of its operands.
const fn is_copy(opcode: Opcode) -> bool {
    use Opcode::*;
    matches!(opcode, LLVMBitCast | LLVMPtrToInt | LLVMIntToPtr | LLVMFreeze | LLVMPHI | LLVMSelect | LLVMAddrSpaceCast)
}

/// True if a function of the pass's ABI stores a word where its first argument points.
fn is_abi_store(name: &str) -> bool {
    matches!(Entry::of(name), Some(Entry::Store(_) | Entry::Rmw(_) | Entry::CmpXchg(_)))
}
