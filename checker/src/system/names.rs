//! What memory is called in reports: global and local variables by their names, heap objects by where they were allocated.

use super::access::Target;
use super::directory::ObjectKind;
use super::machine::Machine;
use super::memory::Region;
use super::races::records::Range;
use crate::ir::address::{self, ObjectId};
use crate::ir::ids::SiteId;

impl Machine<'_> {
    /// Gives a local variable its name.
    pub(super) fn observe_variable(&mut self, address: u64, site: SiteId) {
        let (function, _) = self.here();
        let name = &self.program.function(function).allocas[site.index()];
        if let (Some(recorder), Some((id, _))) = (&mut self.recorder, address::split(address)) {
            recorder.names.insert(id, name.clone());
        }
    }

    /// Gives a heap object a name that says where it was allocated; the second one of a line is told from the first.
    pub(super) fn observe_allocation(&mut self, address: u64) {
        let place = self.program.place(self.source_location());
        if let (Some(recorder), Some((id, _))) = (&mut self.recorder, address::split(address)) {
            let place = place.rsplit('/').next().unwrap_or_default();
            let made = recorder.allocations.entry(place.to_owned()).or_default();
            *made += 1;
            let name = if *made == 1 { format!("heap({place})") } else { format!("heap({place} #{made})") };
            recorder.names.insert(id, name);
        }
    }

    pub(super) fn name(&self, target: &Target) -> String {
        self.range_name(target.at.into())
    }

    pub(super) fn range_name(&self, at: Range) -> String {
        self.place_name(ObjectId(at.object), at.offset)
    }

    /// An object and an offset in it: `queue+12`.
    pub(super) fn place_name(&self, id: ObjectId, offset: u32) -> String {
        let base = self.object_name(id);
        if offset == 0 { base } else { format!("{base}+{offset}") }
    }

    fn object_name(&self, id: ObjectId) -> String {
        if let Some(global) = self.program.global_at(id) {
            return self.program.globals[global.index()].shown_name().to_owned();
        }
        let known = self.recorder.as_ref().and_then(|recorder| recorder.names.get(&id)).cloned();
        known.unwrap_or_else(|| self.generic_name(id))
    }

    fn generic_name(&self, id: ObjectId) -> String {
        let thread = id.owner().saturating_sub(1);
        let kind = self.memory.directory.find(id).map(|at| self.memory.directory.objects[at].kind);
        match kind {
            Some(ObjectKind::ThreadLocal) => {
                let own = self.memory.directory.objects.iter().filter(|object| {
                    object.id.owner() == id.owner() && object.kind == ObjectKind::ThreadLocal && object.id < id
                });
                let global = self.program.thread_locals[own.count()];
                format!("{} (of thread {thread})", self.program.globals[global.index()].shown_name())
            }
            Some(ObjectKind::Heap) => format!("a heap object of thread {thread}"),
            _ => format!("a local variable of thread {thread}"),
        }
    }

    /// An object with its size, for messages.
    pub(super) fn describe(&self, region: &Region) -> String {
        format!("`{}` ({} bytes)", self.object_name(region.id), region.size)
    }

    /// The function or the living object at an address, and the offset in it.
    pub(super) fn pointee_name(&self, address: u64) -> Option<String> {
        let (id, offset) = address::split(address)?;
        let program = self.program;
        if let Some(function) = id.function_index(program.globals.len()) {
            return (offset == 0).then(|| program.functions.get(function).map(|one| one.name.clone()))?;
        }
        let size = match program.global_at(id) {
            Some(global) => program.globals[global.index()].size,
            None => self.memory.directory.objects[self.memory.directory.find(id)?].size,
        };
        (offset < size).then(|| self.place_name(id, offset))
    }
}
