//! Formats that number their arguments (`%2$d`, `%1$*3$d`), and the types of these arguments.
//!
//! Source: POSIX.1-2017, `fprintf`: either all conversions except `%%` are numbered or none is. Every
//! argument up to the last one that is mentioned must be mentioned, since its type is not known otherwise.
//! Test: `tests/programs/language/positions.c`.

use super::format::{Conversion, Piece, Problem, Wanted};

/// The type of an argument, and a conversion that determines it.
pub(super) type Numbered<'a> = (&'a Conversion, Wanted);

/// The types of the arguments of a format in their order; `None` if the format does not number them. The
/// error says why the format is undefined.
pub(super) fn in_order(pieces: &[Result<Piece, Problem>]) -> Option<Result<Vec<Numbered<'_>>, String>> {
    let conversions = pieces.iter().filter_map(|piece| match piece {
        Ok(Piece::Conversion(conversion)) => Some(conversion),
        _ => None,
    });
    let conversions: Vec<_> = conversions.collect();
    let is_numbered = |conversion: &&Conversion| conversion.position.is_some();
    if !conversions.iter().any(is_numbered) {
        return None;
    }
    Some(match conversions.iter().find(|conversion| !is_numbered(conversion)) {
        Some(other) => Err(format!("a format that numbers its arguments has `{}`, which has no number", other.text)),
        None => types(&conversions),
    })
}

fn types<'a>(conversions: &[&'a Conversion]) -> Result<Vec<Numbered<'a>>, String> {
    let mentions = conversions.iter().flat_map(|&conversion| {
        let stars = conversion.stars().iter().map(|star| (star.position, Wanted::Integer(32)));
        let all = stars.chain([(conversion.position, conversion.wanted())]);
        all.filter_map(move |(position, wanted)| Some((position? - 1, (conversion, wanted)))).collect::<Vec<_>>()
    });
    let mut mentions: Vec<(usize, Numbered<'a>)> = mentions.collect();
    mentions.sort_by_key(|&(at, _)| at);
    let mut types: Vec<Numbered<'a>> = Vec::new();
    for (at, (conversion, wanted)) in mentions {
        match types.get(at) {
            None if at > types.len() => {
                return Err(format!("no conversion says of which type argument {} of a format is", types.len() + 1));
            }
            None => types.push((conversion, wanted)),
            Some((_, known)) if known.is_like(wanted) => {}
            Some((other, _)) => {
                return Err(format!(
                    "argument {} of a format is converted by `{}` and by `{}`, which take different types",
                    at + 1,
                    other.text,
                    conversion.text
                ));
            }
        }
    }
    Ok(types)
}
