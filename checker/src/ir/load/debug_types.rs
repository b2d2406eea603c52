//! Converts the types of debug information to [`Shapes`].
//!
//! LLVM's C interface does not give the tags of nodes. A pointer differs from a qualified type or a `typedef`
//! by its size, which these do not have. A structure differs from an array by its elements.

use crate::hash::FxHashMap;
use crate::ir::shapes::{Member, Shape, ShapeId, Shapes};
use rmc_llvm::{Metadata, MetadataKind};

/// Types nested deeper than this are taken for numbers. C's limit on nesting is 63; damaged debug information
/// may be cyclic.
const DEEPEST: u32 = 64;

/// Types of the library whose members are left out, because they are not of the program.
const OPAQUE: [&str; 8] = [
    "pthread_mutex_t",
    "pthread_cond_t",
    "pthread_rwlock_t",
    "pthread_barrier_t",
    "pthread_attr_t",
    "sem_t",
    "mtx_t",
    "cnd_t",
];

/// The types that were needed so far.
#[derive(Default)]
pub struct Types<'m> {
    /// The shapes of all of them.
    pub shapes: Shapes,
    known: FxHashMap<Metadata<'m>, ShapeId>,
}

impl<'m> Types<'m> {
    /// The shape of a type that has a size.
    pub fn shape(&mut self, ty: Metadata<'m>) -> Option<ShapeId> {
        let id = self.nested(ty, 0);
        let has_parts = self.shapes.bytes(id) > 0 || self.shapes.is_open(id);
        has_parts.then_some(id)
    }

    fn nested(&mut self, ty: Metadata<'m>, depth: u32) -> ShapeId {
        if let Some(&id) = self.known.get(&ty) {
            return id;
        }
        let (plain, name) = unqualified(ty);
        let id = match plain {
            Some(plain)
                if plain.kind() == MetadataKind::Composite && depth < DEEPEST && !OPAQUE.contains(&name.as_str()) =>
            {
                self.composite(plain, name, depth + 1)
            }
            plain => self.shapes.add(Shape::Scalar { bytes: plain.map_or(0, |plain| plain.bits() / 8) }),
        };
        self.known.insert(ty, id);
        id
    }

    /// The shape of a structure, union, class or array. `name` is that of the innermost `typedef`.
    fn composite(&mut self, ty: Metadata<'m>, name: String, depth: u32) -> ShapeId {
        let elements = ty.elements();
        if !elements.is_empty() && elements.iter().all(|element| element.kind() == MetadataKind::Subrange) {
            let Some(base) = ty.base() else { return self.shapes.add(Shape::Scalar { bytes: ty.bits() / 8 }) };
            let element = self.nested(base, depth);
            let dimensions = elements.iter().rev();
            return dimensions.fold(element, |element, dimension| {
                self.shapes.add(Shape::Array { element, count: dimension.count() })
            });
        }
        let members: Vec<_> = elements
            .into_iter()
            .filter(|member| member.kind() == MetadataKind::Derived && !member.is_static_member())
            .filter_map(|member| self.member(member, depth))
            .collect();
        if members.is_empty() {
            return self.shapes.add(Shape::Scalar { bytes: ty.bits() / 8 });
        }
        let own = ty.name();
        let name = if own.is_empty() { name } else { own };
        self.shapes.add(Shape::Struct { name, bytes: ty.bits() / 8, members })
    }

    /// A member of a structure; a base class is a member without a name.
    fn member(&mut self, member: Metadata<'m>, depth: u32) -> Option<Member> {
        let shape = self.nested(member.base()?, depth);
        let bit_field = member.is_bit_field().then(|| member.bits());
        Some(Member { name: member.name(), offset_bits: member.offset_bits(), bit_field, shape })
    }
}

/// A type without qualifiers and `typedef`s, with the name of the innermost `typedef`; `None` is `void`.
fn unqualified(ty: Metadata<'_>) -> (Option<Metadata<'_>>, String) {
    let (mut at, mut name) = (ty, String::new());
    for _ in 0..DEEPEST {
        if at.kind() != MetadataKind::Derived || at.bits() > 0 {
            break;
        }
        let own = at.name();
        name = if own.is_empty() { name } else { own };
        match at.base() {
            Some(base) => at = base,
            None => return (None, name),
        }
    }
    (Some(at), name)
}

/// The type that a pointer points to; `None` for a pointer to `void` and for other types.
pub fn pointee(ty: Metadata<'_>) -> Option<Metadata<'_>> {
    let pointer = unqualified(ty).0.filter(|plain| plain.kind() == MetadataKind::Derived && plain.bits() > 0)?;
    let to = pointer.base()?;
    unqualified(to).0.map(|_| to)
}

/// True if the type is a single byte: memory of other types is often declared so.
pub fn is_byte(ty: Metadata<'_>) -> bool {
    unqualified(ty).0.is_none_or(|plain| plain.kind() == MetadataKind::Basic && plain.bits() == 8)
}

/// The type of the pointer at an offset in bytes within a type, if there is a pointer.
pub fn pointer_at(ty: Metadata<'_>, offset: u64) -> Option<Metadata<'_>> {
    pointer_within(ty, offset, 0)
}

fn pointer_within(ty: Metadata<'_>, offset: u64, depth: u32) -> Option<Metadata<'_>> {
    let plain = unqualified(ty).0.filter(|_| depth < DEEPEST)?;
    if plain.kind() != MetadataKind::Composite {
        return (offset == 0 && pointee(plain).is_some()).then_some(plain);
    }
    let elements = plain.elements();
    if elements.first().is_some_and(|element| element.kind() == MetadataKind::Subrange) {
        let base = plain.base()?;
        let bytes = size(base, depth + 1);
        return pointer_within(base, offset.checked_rem(bytes)?, depth + 1);
    }
    elements.into_iter().filter(|member| member.kind() == MetadataKind::Derived).find_map(|member| {
        let within = offset.checked_sub(member.offset_bits() / 8)?;
        pointer_within(member.base()?, within, depth + 1)
    })
}

/// The size of a type in bytes.
fn size(ty: Metadata<'_>, depth: u32) -> u64 {
    match unqualified(ty).0 {
        Some(plain) if depth < DEEPEST => plain.bits() / 8,
        _ => 0,
    }
}
