//! Archives of object files (`ar`), as GNU and LLVM write them: the members by name.
//!
//! The format is a magic line, then for each member a header of 60 characters and its content, padded to an
//! even length. The members `/` and `/SYM64/` are an index of symbols. `//` has the names that are longer
//! than 15 characters, which `/N` refers to by their offset. A thin archive has only the headers: its members
//! are files of their own, named from the archive's directory. BSD writes long names before the content
//! (`#1/LENGTH`).
//!
//! Source: the manual of GNU binutils; `llvm/lib/Object/Archive.cpp`. Tests: below and
//! `tests/tests/inputs.rs`.

const WHOLE: &[u8] = b"!<arch>\n";
const THIN: &[u8] = b"!<thin>\n";
const HEADER: usize = 60;

/// An object file in an archive.
#[derive(Debug, PartialEq, Eq)]
pub struct Member {
    /// Its name in the archive.
    pub name: String,
    /// Its bytes, or the file that has them.
    pub content: Content,
}

/// The place of a member's bytes.
#[derive(Debug, PartialEq, Eq)]
pub enum Content {
    /// In the archive.
    Here(Vec<u8>),
    /// In a file, named from the archive's directory.
    File(String),
}

/// The members of an archive in their order.
///
/// # Errors
/// A description of the damage.
pub fn members(bytes: &[u8]) -> Result<Vec<Member>, String> {
    let is_thin = bytes.starts_with(THIN);
    if !is_thin && !bytes.starts_with(WHOLE) {
        return Err("does not begin as an archive does (!<arch>)".to_owned());
    }
    let (mut at, mut names, mut found) = (WHOLE.len(), &[][..], Vec::new());
    while at < bytes.len() {
        let start = at;
        let damaged = || format!("the archive is damaged at byte {start}");
        let header = bytes.get(at..at + HEADER).filter(|header| header.ends_with(b"`\n")).ok_or_else(damaged)?;
        let field = |range: std::ops::Range<usize>| String::from_utf8_lossy(&header[range]).trim_end().to_owned();
        let (name, size) = (field(0..16), field(48..58).parse::<usize>().map_err(|_| damaged())?);
        let is_table = matches!(name.as_str(), "/" | "//" | "/SYM64/");
        let begin = at + HEADER;
        let stored = if is_thin && !is_table { 0 } else { size };
        let content = bytes.get(begin..).and_then(|rest| rest.get(..stored)).ok_or_else(damaged)?;
        at = (begin + stored).next_multiple_of(2);
        if name == "//" {
            names = content;
        }
        if is_table {
            continue;
        }
        let (name, content) = match name.strip_prefix("#1/") {
            Some(length) => {
                let length = length.parse().map_err(|_| damaged())?;
                let (name, content) = content.split_at_checked(length).ok_or_else(damaged)?;
                (String::from_utf8_lossy(name).trim_end_matches('\0').to_owned(), content)
            }
            None => (full_name(&name, names).ok_or_else(damaged)?, content),
        };
        if name.starts_with("__.SYMDEF") {
            continue;
        }
        let content = if is_thin { Content::File(name.clone()) } else { Content::Here(content.to_vec()) };
        found.push(Member { name, content });
    }
    Ok(found)
}

/// The name of a member, from its header or from the table of long names.
fn full_name(name: &str, names: &[u8]) -> Option<String> {
    let Some(place) = name.strip_prefix('/').filter(|place| !place.is_empty()) else {
        return Some(name.strip_suffix('/').unwrap_or(name).to_owned());
    };
    let rest = names.get(place.parse::<usize>().ok()?..)?;
    let end = rest.iter().position(|&byte| byte == b'\n')?;
    let name = String::from_utf8_lossy(&rest[..end]);
    Some(name.strip_suffix('/').unwrap_or(&name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(name: &str, size: usize) -> Vec<u8> {
        format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644).into_bytes()
    }

    fn member(name: &str, content: &[u8]) -> Vec<u8> {
        let padding: &[u8] = if content.len() % 2 == 1 { b"\n" } else { b"" };
        [header(name, content.len()), content.to_vec(), padding.to_vec()].concat()
    }

    fn here(name: &str, content: &[u8]) -> Member {
        Member { name: name.to_owned(), content: Content::Here(content.to_vec()) }
    }

    #[test]
    fn names_are_short_long_or_before_the_content() {
        let table = member("//", b"a_name_of_some_length.o/\n");
        let bytes = [WHOLE.to_vec(), member("/", b"index"), table, member("a.o/", b"one"), member("/0", b"two")];
        let bytes = [bytes.concat(), member("#1/4", b"c.o\0three")].concat();
        let expected = [here("a.o", b"one"), here("a_name_of_some_length.o", b"two"), here("c.o", b"three")];
        assert_eq!(members(&bytes).expect("a whole archive"), expected);
    }

    #[test]
    fn members_of_thin_archives_are_files() {
        let bytes = [THIN.to_vec(), member("//", b"sub/a.o/\n"), header("/0", 1000)].concat();
        let name = || "sub/a.o".to_owned();
        assert_eq!(members(&bytes), Ok(vec![Member { name: name(), content: Content::File(name()) }]));
    }

    #[test]
    fn every_beginning_of_an_archive_is_read_or_refused() {
        let bytes = [WHOLE.to_vec(), member("//", b"long.o/\n"), member("/0", b"12"), member("b.o/", b"3")].concat();
        for end in 0..bytes.len() {
            drop(members(&bytes[..end]));
        }
        assert!(members(&bytes[..bytes.len() - 2]).is_err());
        assert!(members(b"text").is_err());
    }
}
