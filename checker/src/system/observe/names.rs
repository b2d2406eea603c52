//! Names of memory in reports.
//!
//! A variable has its name in the source. A heap object has the name of its structure and a number, `node#3`,
//! or else the place where it was allocated, `heap(main.c:168 #3)`. The name is followed by the accessed
//! part, where debug information knows the type ([`Shapes`](crate::ir::shapes::Shapes)): `queue.tail`,
//! `node#3->next`. Where nothing is known, or the object is not as large as its type, it is followed by the
//! distance in bytes: `queue+12`.

use rmc_runtime::Access;

use super::races::records::Range;
use crate::ir::address::{self, ObjectId};
use crate::ir::ids::{GlobalId, SiteId};
use crate::ir::program::{Function, Pointee};
use crate::ir::shapes::ShapeId;
use crate::system::machine::Machine;
use crate::system::state::memory::Region;
use crate::system::state::object_table::{Extent, Object, ObjectKind};
use crate::system::state::threads;
use crate::system::step::access::Target;

/// The name of the object in which variable arguments are passed.
const VARIABLE_ARGUMENTS: &str = "variable arguments";

/// The name and layout of an object in a recorder.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// The name of the object as a whole.
    name: String,
    layout: Layout,
}

/// The kinds of layout of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    Unknown,
    /// The object is a variable of this type.
    Variable(ShapeId),
    /// The object is no variable, is reached only through pointers, and is one of this type.
    Pointee(ShapeId),
    /// The object is reached only through pointers, and is an array of this type.
    Elements(ShapeId),
}

impl Machine<'_> {
    /// Gives a local variable its name.
    pub(super) fn observe_variable(&mut self, address: u64, site: SiteId) {
        if self.observers.recorder.is_none() {
            return;
        }
        let Some((id, _)) = address::split(address) else { return };
        let local = &self.program.function(self.here().0).allocas[site.index()];
        let name = self.distinct(&local.name, id);
        let layout = local.shape.map_or(Layout::Unknown, |shape| self.variable_layout(shape, self.object_size(id)));
        self.observers.recorder.as_mut().expect("a recorder").names.insert(id, Named { name, layout });
    }

    /// The name of a local variable. Its thread is added if a global or another thread's variable has the
    /// same name.
    fn distinct(&self, name: &str, id: ObjectId) -> String {
        let is_global = self.program.globals.iter().any(|global| global.shown_name() == name);
        let names = self.observers.recorder.iter().flat_map(|recorder| &recorder.names);
        let mut others = names.filter(|(other, _)| other.owner() != id.owner() && !ObjectKind::is_heap_name(**other));
        let is_taken = is_global || others.any(|(_, named)| named.name == name);
        if is_taken { format!("{name} (of thread {})", id.owner().saturating_sub(1)) } else { name.to_owned() }
    }

    /// Names a heap object after its type or after the place where it was allocated. A number distinguishes
    /// objects with the same name.
    pub(super) fn observe_allocation(&mut self, address: u64) {
        if self.observers.recorder.is_none() {
            return;
        }
        let Some((id, _)) = address::split(address) else { return };
        let layout = self.pointee_here().map_or(Layout::Unknown, |shape| self.heap_layout(shape, self.object_size(id)));
        let place = self.program.place(self.source_location());
        let place = place.rsplit('/').next().unwrap_or_default();
        let shapes = &self.program.shapes;
        let kind = match layout {
            Layout::Pointee(shape) | Layout::Elements(shape) => shapes.struct_name(shape),
            Layout::Unknown | Layout::Variable(_) => "",
        };
        let recorder = self.observers.recorder.as_mut().expect("a recorder");
        let made = recorder.allocations.entry(if kind.is_empty() { place } else { kind }.to_owned()).or_default();
        *made += 1;
        let name = match (kind, *made) {
            ("", 1) => format!("heap({place})"),
            ("", made) => format!("heap({place} #{made})"),
            (kind, made) => format!("{kind}#{made}"),
        };
        recorder.names.insert(id, Named { name, layout });
    }

    /// The type of the object that the call under way allocates, as given by the innermost frame that does
    /// not just return the object.
    fn pointee_here(&self) -> Option<ShapeId> {
        let here = self.running.stack.frames().iter().rev().map(|frame| (frame.function, frame.pc));
        let below = threads::frames_below(&self.memory.components, self.running.rest);
        let said = here.chain(below).map(|(function, pc)| self.program.pointee(function, pc));
        match said.into_iter().find(|said| *said != Pointee::Returned)? {
            Pointee::Shape(shape) => Some(shape),
            Pointee::Unknown | Pointee::Returned => None,
        }
    }

    fn object_size(&self, id: ObjectId) -> u32 {
        self.memory.table.find(id).map_or(0, |at| self.memory.table.objects[at].size)
    }

    fn variable_layout(&self, shape: ShapeId, size: u32) -> Layout {
        let (shapes, size) = (&self.program.shapes, u64::from(size));
        let bytes = shapes.bytes(shape);
        let fits = bytes == size || (shapes.is_open(shape) && bytes <= size);
        if fits { Layout::Variable(shape) } else { Layout::Unknown }
    }

    fn heap_layout(&self, shape: ShapeId, size: u32) -> Layout {
        let (shapes, size) = (&self.program.shapes, u64::from(size));
        let bytes = shapes.bytes(shape);
        match size {
            _ if bytes == 0 || size < bytes => Layout::Unknown,
            _ if size == bytes || shapes.is_flexible(shape) || !size.is_multiple_of(bytes) => Layout::Pointee(shape),
            _ => Layout::Elements(shape),
        }
    }

    /// Keeps the name of a thread's own copy of a variable. The name is derived from the object's place among
    /// the living copies.
    pub(super) fn observe_thread_local(&mut self, id: ObjectId) {
        let named = self.generic_name(id);
        if let Some(recorder) = &mut self.observers.recorder {
            recorder.names.insert(id, named);
        }
    }

    /// Names the object in which a caller passes variable arguments, or a structure by value.
    pub(super) fn observe_argument(&mut self, address: u64, variadic: bool) {
        if let (Some(recorder), Some((id, _))) = (&mut self.observers.recorder, address::split(address)) {
            let name = if variadic { VARIABLE_ARGUMENTS } else { "an argument passed by value" }.to_owned();
            recorder.names.insert(id, Named { name, layout: Layout::Unknown });
        }
    }

    /// True if an access is to memory that the program does not know: the support library's own variables,
    /// and the object in which variable arguments are passed.
    pub(in crate::system) fn is_internal(&self, at: Access) -> bool {
        let id = ObjectId(at.object);
        if let Some(global) = self.program.global_at(id).or_else(|| self.thread_local_at(id)) {
            return self.program.globals[global.index()].is_internal();
        }
        let named = self.observers.recorder.as_ref().and_then(|recorder| recorder.names.get(&id));
        named.is_some_and(|named| named.name == VARIABLE_ARGUMENTS)
    }

    /// The variable of which a living object is a thread's own copy, if it is one.
    fn thread_local_at(&self, id: ObjectId) -> Option<GlobalId> {
        let objects = &self.memory.table.objects;
        let is_copy = |object: &&Object| object.id.owner() == id.owner() && object.kind == ObjectKind::ThreadLocal;
        let mut own = objects.iter().filter(is_copy);
        own.position(|object| object.id == id).map(|at| self.program.thread_locals[at])
    }

    pub(in crate::system) fn name(&self, target: &Target) -> String {
        self.range_name(target.at.into())
    }

    /// The name of an accessed range: the object and the part of it.
    pub(in crate::system) fn range_name(&self, at: Range) -> String {
        self.part_name(ObjectId(at.object), at.offset, at.len)
    }

    /// The name of the part that begins at an offset in an object.
    pub(in crate::system) fn place_name(&self, id: ObjectId, offset: u32) -> String {
        self.part_name(id, offset, 0)
    }

    /// The name of the part of an object that has `len` bytes at `offset`, or that begins there if `len` is
    /// 0.
    pub(in crate::system) fn part_name(&self, id: ObjectId, offset: u32, len: u32) -> String {
        let Named { name, layout } = self.known_name(id);
        let (shapes, offset, len) = (&self.program.shapes, u64::from(offset), u64::from(len));
        match layout {
            Layout::Unknown if offset == 0 => name,
            Layout::Unknown => format!("{name}+{offset}"),
            Layout::Variable(shape) => name + &shapes.part(shape, offset, len),
            Layout::Elements(shape) if offset > 0 || len > 0 => name + &shapes.element_part(shape, offset, len),
            Layout::Elements(_) => name,
            Layout::Pointee(shape) => {
                let part = shapes.part(shape, offset, len);
                match part.strip_prefix('.') {
                    Some(member) => format!("{name}->{member}"),
                    None => name + &part,
                }
            }
        }
    }

    pub(in crate::system) fn object_name(&self, id: ObjectId) -> String {
        self.known_name(id).name
    }

    fn known_name(&self, id: ObjectId) -> Named {
        if let Some(global) = self.program.global_at(id) {
            return self.named_global(global, None);
        }
        let known = self.observers.recorder.as_ref().and_then(|recorder| recorder.names.get(&id)).cloned();
        known.unwrap_or_else(|| self.generic_name(id))
    }

    fn named_global(&self, global: GlobalId, thread: Option<u32>) -> Named {
        let global = &self.program.globals[global.index()];
        let thread = thread.map_or_else(String::new, |thread| format!(" (of thread {thread})"));
        let layout = global.shape.map_or(Layout::Unknown, |shape| self.variable_layout(shape, global.size));
        Named { name: format!("{}{thread}", global.shown_name()), layout }
    }

    fn generic_name(&self, id: ObjectId) -> Named {
        let thread = id.owner().saturating_sub(1);
        if let Some(global) = self.thread_local_at(id) {
            return self.named_global(global, Some(thread));
        }
        let kind = self.memory.table.find(id).map(|at| self.memory.table.objects[at].kind);
        let name = match kind {
            Some(ObjectKind::Heap) => format!("a heap object of thread {thread}"),
            _ => format!("a local variable of thread {thread}"),
        };
        Named { name, layout: Layout::Unknown }
    }

    /// A message about an access at an address in an object that does not exist any more. The object can only
    /// be named while names are recorded.
    pub(in crate::system) fn gone(&self, id: ObjectId, addr: u64) -> String {
        let (owner, offset) = (id.owner() - 1, addr - id.address(0));
        if self.observers.recorder.as_ref().is_none_or(|recorder| !recorder.names.contains_key(&id)) {
            return format!("the memory that thread {owner} had at {addr:#x} is gone");
        }
        let part = self.place_name(id, u32::try_from(offset).unwrap_or(0));
        match self.describe_lifetime(id) {
            Some(life) => format!("`{part}` is gone: {life}"),
            None => format!("`{part}` is gone"),
        }
    }

    /// An object with its size, for messages.
    pub(in crate::system) fn describe(&self, region: &Region) -> String {
        let size = match self.memory.object(region.id).map(|object| object.extent) {
            None | Some(Extent::Stored) => region.size.to_string(),
            Some(Extent::Known(size)) => size.to_string(),
            Some(Extent::Open(_)) => format!("{} or more", region.size),
        };
        format!("`{}` ({size} bytes)", self.object_name(region.id))
    }

    /// The name of the function at an address, or of the living object there and the part of it that begins
    /// there.
    pub(in crate::system) fn pointee_name(&self, address: u64) -> Option<String> {
        let (id, offset) = address::split(address)?;
        let program = self.program;
        if let Some(function) = id.function_index(program.globals.len()) {
            return (offset == 0).then(|| program.functions.get(function).map(Function::shown_name))?;
        }
        let size = match program.global_at(id) {
            Some(global) => program.globals[global.index()].size,
            None => self.memory.object(id)?.most_bytes(),
        };
        (offset < size).then(|| self.place_name(id, offset))
    }
}
