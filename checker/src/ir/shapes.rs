//! The types of memory in the source, to name the parts of an object: `.tail`, `.prod.head`, `[2][1]`.
//!
//! A part has a name if the access is to exactly that part: a member, an element, a whole structure. Any
//! other access is named by the smallest part around it, with the distance in bytes and the size of the
//! access: `.tail+2 (2 bytes)`. Bit-fields are accessed together with their neighbours: `.{busy, count}`.
//! Where several members of a union fit, all are named: `.(raw|next)`. Members without a name (anonymous
//! structures, base classes) add nothing to the names of their own members.
//!
//! Types come from debug information ([`super::load`]); nothing here is needed to run a program.

use std::fmt::Write;

super::ids::ids! {
    /// The index of a type in [`Shapes`].
    ShapeId
}

/// The division of a type's memory into parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number, a pointer, or anything else without parts.
    Scalar {
        /// Bytes.
        bytes: u64,
    },
    /// An array.
    Array {
        /// The type of its elements.
        element: ShapeId,
        /// The number of elements; `None` if the type does not say.
        count: Option<u64>,
    },
    /// A structure, a union or a class.
    Struct {
        /// Its tag, or else the name that a `typedef` gives it; empty if it has none.
        name: String,
        /// Bytes.
        bytes: u64,
        /// Its members, in the order of the source.
        members: Vec<Member>,
    },
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name; empty for anonymous ones.
    pub name: String,
    /// Its distance from the structure's begin, in bits.
    pub offset_bits: u64,
    /// Bits of a bit-field; `None` for any other member.
    pub bit_field: Option<u64>,
    /// Its type.
    pub shape: ShapeId,
}

/// The types of a program's memory.
#[derive(Debug, Default)]
pub struct Shapes {
    shapes: Vec<Shape>,
}

/// The part of memory that an access is to.
struct AccessedPart {
    path: String,
    /// The distance from the part's begin; `None` if the access is to exactly this part.
    rest: Option<u64>,
}

impl AccessedPart {
    const fn exact(path: String) -> Self {
        Self { path, rest: None }
    }
}

impl Shapes {
    /// Adds a type.
    pub fn add(&mut self, shape: Shape) -> ShapeId {
        self.shapes.push(shape);
        ShapeId::new(self.shapes.len() - 1)
    }

    /// A type.
    #[must_use]
    pub fn get(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.index()]
    }

    /// Bytes of a type; 0 if it is not known.
    #[must_use]
    pub fn bytes(&self, id: ShapeId) -> u64 {
        match self.get(id) {
            Shape::Scalar { bytes } | Shape::Struct { bytes, .. } => *bytes,
            Shape::Array { element, count } => self.bytes(*element).saturating_mul(count.unwrap_or(0)),
        }
    }

    /// The name of a structure type; empty for other types.
    #[must_use]
    pub fn struct_name(&self, id: ShapeId) -> &str {
        match self.get(id) {
            Shape::Struct { name, .. } => name,
            Shape::Scalar { .. } | Shape::Array { .. } => "",
        }
    }

    /// True if objects of the type may be larger than the type: an array of unknown length, or a structure
    /// that ends with an array.
    #[must_use]
    pub fn is_open(&self, id: ShapeId) -> bool {
        match self.get(id) {
            Shape::Scalar { .. } => false,
            Shape::Array { count, .. } => count.is_none(),
            Shape::Struct { members, .. } => members.last().is_some_and(|last| match self.get(last.shape) {
                Shape::Array { .. } => true,
                Shape::Struct { .. } => self.is_open(last.shape),
                Shape::Scalar { .. } => false,
            }),
        }
    }

    /// True if the type ends with a flexible array member, whose length only its objects know.
    #[must_use]
    pub fn is_flexible(&self, id: ShapeId) -> bool {
        match self.get(id) {
            Shape::Scalar { .. } => false,
            Shape::Array { count, .. } => count.is_none() || *count == Some(0),
            Shape::Struct { members, .. } => members.last().is_some_and(|last| self.is_flexible(last.shape)),
        }
    }

    /// The part that `len` bytes at `offset` are, in an array of this type; see [`Self::part`].
    #[must_use]
    pub fn element_part(&self, id: ShapeId, offset: u64, len: u64) -> String {
        let bytes = self.bytes(id).max(1);
        let (at, within) = (offset / bytes, offset % bytes);
        if within + len > bytes {
            return format!("+{offset} ({len} bytes)");
        }
        format!("[{at}]{}", self.part(id, within, len))
    }

    /// The part that `len` bytes at `offset` are, in an object of this type, as a suffix of the object's
    /// name. `len` 0 asks for the part that begins there.
    #[must_use]
    pub fn part(&self, id: ShapeId, offset: u64, len: u64) -> String {
        let part = if len == 0 { self.beginning(id, offset) } else { self.find(id, offset, len, true) };
        match part.rest {
            None => part.path,
            Some(0) if len == 0 => part.path,
            Some(rest) if len == 0 => format!("{}+{rest}", part.path),
            Some(rest) => format!("{}+{rest} ({len} bytes)", part.path),
        }
    }

    /// The largest part that begins at `offset`; at offset 0 the object itself.
    fn beginning(&self, id: ShapeId, offset: u64) -> AccessedPart {
        let mut part = self.find(id, offset, 1, true);
        if offset == 0 {
            return AccessedPart::exact(String::new());
        }
        if let Some(0) = part.rest {
            part.rest = None;
        }
        part
    }

    /// The smallest part around an access. `last` is true if this part ends where its object does, so that an
    /// array at its end may be longer than its type.
    fn find(&self, id: ShapeId, offset: u64, len: u64, last: bool) -> AccessedPart {
        let whole = offset == 0 && len == self.bytes(id);
        let here = AccessedPart { path: String::new(), rest: (!whole).then_some(offset) };
        match self.get(id) {
            Shape::Scalar { .. } => here,
            Shape::Array { element, count } => self.element(*element, *count, [offset, len], last).unwrap_or(here),
            Shape::Struct { members, .. } => self.member(members, offset, len, last).unwrap_or(here),
        }
    }

    fn element(
        &self,
        element: ShapeId,
        count: Option<u64>,
        [offset, len]: [u64; 2],
        last: bool,
    ) -> Option<AccessedPart> {
        let bytes = self.bytes(element);
        let at = offset.checked_div(bytes)?;
        let within = offset % bytes;
        let is_there = within + len <= bytes && (last || count.is_some_and(|count| at < count));
        let part = is_there.then(|| self.find(element, within, len, false))?;
        Some(AccessedPart { path: format!("[{at}]{}", part.path), ..part })
    }

    fn member(&self, members: &[Member], offset: u64, len: u64, last: bool) -> Option<AccessedPart> {
        let [first, end] = [offset * 8, (offset + len) * 8];
        let overlaps =
            |member: &Member, bits: u64| member.offset_bits < end && first < member.offset_bits.saturating_add(bits);
        let fields: Vec<_> =
            members.iter().filter(|member| member.bit_field.is_some_and(|bits| overlaps(member, bits))).collect();
        let open = |at: usize| last && at + 1 == members.len() && self.is_open_member(&members[at]);
        let contains = |&(at, member): &(usize, &Member)| {
            let bits = if open(at) { u64::MAX } else { self.bytes(member.shape).saturating_mul(8) };
            member.bit_field.is_none() && member.offset_bits <= first && end <= member.offset_bits.saturating_add(bits)
        };
        let around: Vec<_> = members.iter().enumerate().filter(contains).collect();
        if around.is_empty() {
            let others = members.iter().filter(|member| member.bit_field.is_none());
            let mut others = others.filter(|member| overlaps(member, self.bytes(member.shape).saturating_mul(8)));
            return (others.next().is_none()).then(|| named_fields(&fields)).flatten();
        }
        let parts = around.into_iter().map(|(at, member)| {
            let part = self.find(member.shape, offset - member.offset_bits / 8, len, open(at));
            let dot = if member.name.is_empty() { String::new() } else { format!(".{}", member.name) };
            AccessedPart { path: dot + &part.path, ..part }
        });
        alternatives(parts.collect())
    }

    fn is_open_member(&self, member: &Member) -> bool {
        matches!(self.get(member.shape), Shape::Array { .. }) || self.is_open(member.shape)
    }
}

/// The part among these that the access is to exactly; if the parts are of a union, all such parts. If no
/// part is exact and there is only one, that one.
fn alternatives(mut parts: Vec<AccessedPart>) -> Option<AccessedPart> {
    let is_exact = |part: &AccessedPart| part.rest.is_none() && !part.path.is_empty();
    if parts.len() == 1 {
        return parts.pop();
    }
    parts.retain(is_exact);
    parts.dedup_by(|one, other| one.path == other.path);
    match parts.as_slice() {
        [] => None,
        [_] => parts.pop(),
        several => {
            let paths: Vec<_> = several.iter().map(|part| part.path.trim_start_matches('.')).collect();
            Some(AccessedPart::exact(format!(".({})", paths.join("|"))))
        }
    }
}

/// The bit-fields that an access is to.
fn named_fields(fields: &[&Member]) -> Option<AccessedPart> {
    let names: Vec<_> = fields.iter().map(|field| field.name.as_str()).filter(|name| !name.is_empty()).collect();
    let mut path = String::from(".");
    match names.as_slice() {
        [] => return None,
        [one] => path.push_str(one),
        several => drop(write!(path, "{{{}}}", several.join(", "))),
    }
    Some(AccessedPart::exact(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, offset: u64, shape: ShapeId) -> Member {
        Member { name: name.to_owned(), offset_bits: offset * 8, bit_field: None, shape }
    }

    fn structure(shapes: &mut Shapes, bytes: u64, members: Vec<Member>) -> ShapeId {
        shapes.add(Shape::Struct { name: "s".to_owned(), bytes, members })
    }

    #[track_caller]
    fn check(shapes: &Shapes, id: ShapeId, expected: &[(u64, u64, &str)]) {
        for &(offset, len, name) in expected {
            assert_eq!(shapes.part(id, offset, len), name, "{len} bytes at {offset}");
        }
    }

    #[test]
    fn members_and_elements_have_names_and_what_fits_none_has_its_distance() {
        let mut shapes = Shapes::default();
        let (byte, int, long) = (scalar(&mut shapes, 1), scalar(&mut shapes, 4), scalar(&mut shapes, 8));
        let row = shapes.add(Shape::Array { element: int, count: Some(2) });
        let rows = shapes.add(Shape::Array { element: row, count: Some(3) });
        let inner = structure(&mut shapes, 8, vec![member("head", 0, int), member("tail", 4, int)]);
        let all = vec![member("n", 0, byte), member("prod", 8, inner), member("m", 16, rows), member("p", 40, long)];
        let outer = structure(&mut shapes, 48, all);
        check(
            &shapes,
            outer,
            &[
                (0, 1, ".n"),
                (1, 1, "+1 (1 bytes)"),
                (8, 4, ".prod.head"),
                (12, 4, ".prod.tail"),
                (8, 8, ".prod"),
                (14, 2, ".prod.tail+2 (2 bytes)"),
                (12, 8, "+12 (8 bytes)"),
                (16, 4, ".m[0][0]"),
                (28, 4, ".m[1][1]"),
                (24, 8, ".m[1]"),
                (44, 4, ".p+4 (4 bytes)"),
                (40, 8, ".p"),
                (0, 48, ""),
                (0, 8, "+0 (8 bytes)"),
                (0, 0, ""),
                (8, 0, ".prod.head"),
                (42, 0, ".p+2"),
            ],
        );
    }

    fn scalar(shapes: &mut Shapes, bytes: u64) -> ShapeId {
        shapes.add(Shape::Scalar { bytes })
    }

    #[test]
    fn anonymous_members_unions_and_wrappers() {
        let mut shapes = Shapes::default();
        let (int, long) = (scalar(&mut shapes, 4), scalar(&mut shapes, 8));
        let pair = structure(&mut shapes, 8, vec![member("index", 0, int), member("tag", 4, int)]);
        let union = structure(&mut shapes, 8, vec![member("raw", 0, long), member("", 0, pair)]);
        let outer = structure(&mut shapes, 16, vec![member("", 0, union), member("after", 8, long)]);
        check(
            &shapes,
            outer,
            &[(0, 8, ".raw"), (0, 4, ".index"), (4, 4, ".tag"), (8, 8, ".after"), (2, 2, "+2 (2 bytes)")],
        );
        let both = structure(&mut shapes, 8, vec![member("raw", 0, long), member("next", 0, long)]);
        check(&shapes, both, &[(0, 8, ".(raw|next)"), (0, 4, "+0 (4 bytes)")]);
        let wrapper = structure(&mut shapes, 4, vec![member("counter", 0, int)]);
        check(&shapes, wrapper, &[(0, 4, ".counter")]);
    }

    #[test]
    fn bit_fields_are_named_together() {
        let mut shapes = Shapes::default();
        let int = scalar(&mut shapes, 4);
        let field = |name: &str, at: u64, bits: u64| Member {
            name: name.to_owned(),
            offset_bits: at,
            bit_field: Some(bits),
            shape: int,
        };
        let id = structure(&mut shapes, 8, vec![field("busy", 0, 1), field("count", 1, 7), member("x", 4, int)]);
        check(&shapes, id, &[(0, 1, ".{busy, count}"), (0, 4, ".{busy, count}"), (4, 4, ".x"), (0, 8, "")]);
        check(&shapes, id, &[(2, 1, "+2 (1 bytes)")]);
    }

    #[test]
    fn an_array_at_the_end_goes_on() {
        let mut shapes = Shapes::default();
        let int = scalar(&mut shapes, 4);
        let flexible = shapes.add(Shape::Array { element: int, count: None });
        let id = structure(&mut shapes, 4, vec![member("n", 0, int), member("data", 4, flexible)]);
        assert!(shapes.is_open(id));
        check(&shapes, id, &[(0, 4, ".n"), (4, 4, ".data[0]"), (24, 4, ".data[5]")]);
        let variable = shapes.add(Shape::Array { element: id, count: None });
        check(&shapes, variable, &[(8, 4, "[2].n")]);
    }
}
