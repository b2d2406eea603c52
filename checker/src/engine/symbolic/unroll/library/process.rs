//! The end of the process, reports of the compiler's checks, atomic sections, and output.

use super::{Call, Path, Stop, Unroller, Word};
use crate::outcome::ViolationKind;
use crate::property::Meaning;
use crate::system::library::idle;

pub(super) fn exit(_: &mut Unroller<'_>, _: &mut Path, _: Call<'_>) -> Result<Word, Stop> {
    Err(Stop::Dead)
}

/// The machine does not follow the path.
pub(super) fn unsupported(unroller: &mut Unroller<'_>, path: &mut Path, _: Call<'_>) -> Result<Word, Stop> {
    unroller.cut(path);
    Err(Stop::Dead)
}

/// A check that only the machine makes.
pub(super) fn nothing(_: &mut Unroller<'_>, _: &mut Path, _: Call<'_>) -> Result<Word, Stop> {
    Ok(Word::ZERO)
}

pub(super) fn number(_: &mut Unroller<'_>, _: &mut Path, _: Call<'_>) -> Result<Word, Stop> {
    Ok(Word::number(idle::PROCESS))
}

pub(super) fn processors(unroller: &mut Unroller<'_>, _: &mut Path, _: Call<'_>) -> Result<Word, Stop> {
    Ok(Word::number(unroller.config.processors.unwrap_or(0).into()))
}

pub(super) fn parent(_: &mut Unroller<'_>, _: &mut Path, _: Call<'_>) -> Result<Word, Stop> {
    Ok(Word::number(idle::PARENT))
}

pub(super) fn thread_number(unroller: &mut Unroller<'_>, _: &mut Path, _: Call<'_>) -> Result<Word, Stop> {
    Ok(Word::number(idle::PROCESS + unroller.thread as u64))
}

pub(super) fn print(unroller: &mut Unroller<'_>, path: &mut Path, call: Call<'_>) -> Result<Word, Stop> {
    // The number of characters is not computed.
    unroller.is_coarse |= unroller.is_read(call);
    unroller.log_silently(path);
    let (_, result) = unroller.input(64);
    Ok(result)
}

pub(super) fn begin_section(unroller: &mut Unroller<'_>, path: &mut Path, _: Call<'_>) -> Result<Word, Stop> {
    path.sections += 1;
    if path.sections > 1 {
        unroller.log_silently(path);
    } else {
        unroller.full_fence(path)?;
    }
    Ok(Word::ZERO)
}

pub(super) fn end_section(unroller: &mut Unroller<'_>, path: &mut Path, _: Call<'_>) -> Result<Word, Stop> {
    match path.sections {
        0 => return unroller.fail(path),
        1 => {
            path.sections = 0;
            unroller.full_fence(path)?;
        }
        _ => {
            path.sections -= 1;
            unroller.log_silently(path);
        }
    }
    Ok(Word::ZERO)
}

impl Unroller<'_> {
    /// The end of the path by a violation, if it is one of the property.
    pub(super) fn ends_with(&mut self, path: &mut Path, kind: ViolationKind) -> Result<Word, Stop> {
        match self.config.property.meaning(kind) {
            Meaning::Violates => self.fail(path),
            Meaning::Ends | Meaning::Undefined => Err(Stop::Dead),
        }
    }
}
