//! LLVM assembly that a later compiler wrote, as LLVM 16 reads it.
//!
//! Bitcode of later versions cannot be read, but their text differs in few constructs. Each is replaced or
//! left out here, and the program means the same:
//!
//! | construct | since | here |
//! |---|---|---|
//! | debug records `#dbg_declare(...)` | 19 | calls of `llvm.dbg.declare`; records of other kinds, which follow variables in registers, are left out |
//! | `llvm.lifetime.start(ptr)` | 22 | has the size of the whole variable as its first argument |
//! | `splat (i32 1)` | 18 | the vector element by element |
//! | `llvm.ucmp`, `llvm.scmp` | 19 | functions that compare and subtract |
//! | `ptrtoaddr` | 22 | `ptrtoint`, which also says that the address may become a pointer again |
//! | flags `nuw`, `nusw`, `nsw`, `nneg`, `disjoint`, `samesign` of instructions that had none | 18 to 20 | left out: promises of the program |
//! | attributes `captures`, `range`, `initializes`, `writable`, `dead_on_unwind`, `dead_on_return`, `nocreateundeforpoison` | 18 to 22 | left out: promises, for the optimiser |
//! | `memory(...)` with kinds of memory that are new | 22 | left out: as above |
//! | `"expected"` among branch weights | 20 | left out: for the optimiser |
//! | 16-byte integers are aligned to 16 bytes in the data layout | 18 | to 8 bytes; rustc writes alignments and padding itself |
//!
//! A promise that is left out can be broken unnoticed, but only by code that is wrong: std's is optimised,
//! and the program's own is compiled without optimisation. Anything else that is new stays, and LLVM 16 names
//! it in the message with which it refuses the module.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// Attributes with a value in parentheses.
const VALUED: [&str; 4] = ["captures", "range", "initializes", "dead_on_return"];
/// Attributes without one.
const PLAIN: [&str; 4] = ["dead_on_unwind", "dead_on_return", "writable", "nocreateundeforpoison"];
/// Flags of instructions, and of constant expressions that are written like them.
const FLAGS: [(&str, &[&str]); 6] = [
    ("getelementptr", &["nusw", "nuw"]),
    ("trunc", &["nuw", "nsw"]),
    ("zext", &["nneg"]),
    ("uitofp", &["nneg"]),
    ("or", &["disjoint"]),
    ("icmp", &["samesign"]),
];
/// A flag of one of these instructions that is not new.
const OLD_FLAG: &str = " inbounds";
/// Kinds of memory in `memory(...)` that LLVM 16 does not know.
const NEW_MEMORY: [&str; 2] = ["errnomem", "target_mem"];
/// The layout of 16-byte integers in the data layout.
const WIDE_INTEGERS: &str = "-i128:128";
/// The declaration that debug records need.
const DECLARE: &str = "declare void @llvm.dbg.declare(metadata, metadata, metadata)\n";

/// Rewrites a file.
///
/// # Errors
/// It cannot be read or written.
pub fn rewrite_file(path: &Path) -> io::Result<()> {
    fs::write(path, for_llvm_16(&fs::read_to_string(path)?))
}

/// The module in the text of LLVM 16.
#[must_use]
pub fn for_llvm_16(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut comparisons, mut has_records) = (BTreeSet::new(), false);
    for line in text.lines() {
        let begin = line.trim_start();
        if begin.starts_with('#') {
            if let Some(call) = declaration(begin) {
                out.push_str(&call);
                has_records = true;
            }
        } else if begin.starts_with("target datalayout") {
            out.push_str(&line.replace(WIDE_INTEGERS, ""));
        } else if begin.starts_with('!') || begin.starts_with(';') {
            out.push_str(&line.replace("!\"expected\", ", ""));
        } else if let Some(comparison) = Comparison::declared(begin) {
            comparisons.insert(comparison);
        } else {
            rewrite(line, &mut out);
        }
        out.push('\n');
    }
    comparisons.iter().for_each(|comparison| comparison.define(&mut out));
    if has_records && !out.contains(DECLARE) {
        out.push_str(DECLARE);
    }
    out
}

/// The call for a debug record `#dbg_declare(ptr %x, !1, !DIExpression(), !2)`: a value, a variable, an
/// expression, and the place. None for others.
fn declaration(record: &str) -> Option<String> {
    let arguments = record.strip_prefix("#dbg_declare(")?.strip_suffix(')')?;
    let (rest, place) = arguments.rsplit_once(", ")?;
    let (rest, expression) = rest.split_at(rest.rfind(", !DIExpression(")?);
    let (value, variable) = rest.rsplit_once(", ")?;
    let expression = expression.strip_prefix(", ")?;
    Some(format!(
        "    call void @llvm.dbg.declare(metadata {value}, metadata {variable}, metadata {expression}), !dbg {place}"
    ))
}

/// Rewrites a line of a function, a declaration, an attribute group or a constant. Texts and names in quotes
/// stay.
fn rewrite(line: &str, out: &mut String) {
    let is_declaration = line.starts_with("declare");
    for (at, part) in line.split('"').enumerate() {
        if at > 0 {
            out.push('"');
        }
        if at % 2 == 1 {
            out.push_str(part);
            continue;
        }
        let mut part = part.to_owned();
        without_attributes(&mut part);
        without_flags(&mut part);
        with_elements(&mut part);
        with_sizes(&mut part, is_declaration);
        if part.contains("ptrtoaddr ") {
            part = part.replace("= ptrtoaddr ", "= ptrtoint ");
        }
        if part.contains("cmp.") {
            part = part.replace("@llvm.ucmp.", "@rmc.ucmp.").replace("@llvm.scmp.", "@rmc.scmp.");
        }
        out.push_str(&part);
    }
}

/// The position of a word, as far as what stands before and behind it does not belong to it.
fn find_word(text: &str, word: &str) -> Option<usize> {
    let is_part =
        |byte: Option<&u8>| byte.is_some_and(|&byte| byte.is_ascii_alphanumeric() || b"_.$%@-".contains(&byte));
    let bytes = text.as_bytes();
    let ends = |at: usize| !is_part(bytes.get(at + word.len()));
    text.match_indices(word).map(|(at, _)| at).find(|&at| !is_part(bytes[..at].last()) && ends(at))
}

/// Removes a part of the text, and a space behind it.
fn remove(text: &mut String, at: usize, end: usize) {
    let end = if text[end..].starts_with(' ') { end + 1 } else { end };
    text.replace_range(at..end, "");
}

/// The end of the parentheses that open at a position.
fn closes(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().skip(open) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn without_attributes(text: &mut String) {
    for name in VALUED.iter().chain(&["memory"]) {
        let mut from = 0;
        while let Some(at) = find_word(&text[from..], name).map(|at| from + at) {
            let open = at + name.len();
            let end = if text[open..].starts_with('(') { closes(text, open) } else { None };
            let is_new = |end: usize| *name != "memory" || NEW_MEMORY.iter().any(|kind| text[open..end].contains(kind));
            match end.filter(|&end| is_new(end)) {
                Some(end) => remove(text, at, end),
                None => from = open,
            }
        }
    }
    for name in PLAIN {
        while let Some(at) = find_word(text, name) {
            remove(text, at, at + name.len());
        }
    }
}

fn without_flags(text: &mut String) {
    for (instruction, flags) in FLAGS {
        let mut from = 0;
        while let Some(at) = find_word(&text[from..], instruction).map(|at| from + at) {
            from = at + instruction.len();
            if text[from..].starts_with(OLD_FLAG) {
                from += OLD_FLAG.len();
            }
            while let Some(flag) = flags.iter().find(|flag| find_word(&text[from..], flag) == Some(1)) {
                text.replace_range(from..=from + flag.len(), "");
            }
        }
    }
}

/// Writes vectors whose elements are equal as LLVM 16 does. The number of elements stands in the type before.
fn with_elements(text: &mut String) {
    while let Some(at) = text.find("splat (") {
        let open = at + "splat ".len();
        let count = text[..at].rfind('<').and_then(|at| text[at + 1..].split(' ').next()?.parse::<usize>().ok());
        let (Some(end), Some(count)) = (closes(text, open), count) else { return };
        let element = text[open + 1..end - 1].to_owned();
        text.replace_range(at..end, &format!("<{}>", vec![element; count].join(", ")));
    }
}

/// Gives the markers of a variable's lifetime its size: -1, all of it.
fn with_sizes(text: &mut String, is_declaration: bool) {
    for name in ["@llvm.lifetime.start.p0(ptr", "@llvm.lifetime.end.p0(ptr"] {
        if let Some(at) = text.find(name) {
            let size = if is_declaration { "i64 immarg, " } else { "i64 -1, " };
            text.insert_str(at + name.len() - "ptr".len(), size);
        }
    }
}

/// A comparison of two integers of a type with the result -1, 0 or 1: `llvm.ucmp.i8.i32`.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Comparison {
    /// `u` or `s`.
    sign: char,
    result: String,
    operands: String,
}

impl Comparison {
    /// The comparison that a line declares.
    fn declared(line: &str) -> Option<Self> {
        let name = line.strip_prefix("declare")?.split_once("@llvm.")?.1;
        let sign = name.chars().next().filter(|sign| "us".contains(*sign))?;
        let (result, rest) = name[1..].strip_prefix("cmp.")?.split_once('.')?;
        let operands = rest.split('(').next()?;
        let is_integer = |ty: &str| ty.strip_prefix('i').is_some_and(|width| width.parse::<u32>().is_ok());
        let is_known = is_integer(result) && is_integer(operands);
        is_known.then(|| Self { sign, result: result.to_owned(), operands: operands.to_owned() })
    }

    fn define(&self, out: &mut String) {
        let Self { sign, result, operands } = self;
        let _ = write!(
            out,
            "define internal {result} @rmc.{sign}cmp.{result}.{operands}({operands} %a, {operands} %b) alwaysinline \
             nounwind {{\n  \
             %greater = icmp {sign}gt {operands} %a, %b\n  %less = icmp {sign}lt {operands} %a, %b\n  \
             %one = zext i1 %greater to {result}\n  %other = zext i1 %less to {result}\n  \
             %difference = sub {result} %one, %other\n  ret {result} %difference\n}}\n"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(given: &str, expected: &str) {
        assert_eq!(for_llvm_16(given), format!("{expected}\n"));
    }

    #[test]
    fn what_is_not_new_stays() {
        for line in [
            "  %1 = or i64 %a, %b",
            "@text = constant [20 x i8] c\"or disjoint range(i8)\"",
            "  %2 = call i8 @\"range(i8 1, 2)\"(ptr %captures, i64 %range)",
            "attributes #0 = { nounwind memory(argmem: read) \"range\"=\"x\" }",
            "!1 = !DILocalVariable(name: \"splat (x)\", scope: !2)",
            "  %3 = getelementptr inbounds i8, ptr %x, i64 1",
            "  %4 = add nuw nsw i64 %a, %b",
        ] {
            check(line, line);
        }
    }

    #[test]
    fn promises_are_left_out() {
        check(
            "declare noundef range(i8 -1, 2) i8 @f(ptr captures(none) initializes((0, 8), (12, 16)) %x) #1",
            "declare noundef i8 @f(ptr %x) #1",
        );
        check(
            "attributes #1 = { nofree memory(argmem: read, target_mem0: none) nocreateundeforpoison }",
            "attributes #1 = { nofree }",
        );
        check(
            "define void @f(ptr dead_on_unwind noalias writable sret([8 x i8]) %0, ptr dead_on_return %1) {",
            "define void @f(ptr noalias sret([8 x i8]) %0, ptr %1) {",
        );
        check("  %1 = getelementptr inbounds nuw i8, ptr %x, i64 8", "  %1 = getelementptr inbounds i8, ptr %x, i64 8");
        check("  %1 = getelementptr nusw nuw i8, ptr %x, i64 8", "  %1 = getelementptr i8, ptr %x, i64 8");
        check(
            "  %1 = getelementptr nuw i8, ptr getelementptr inbounds nuw (i8, ptr @x, i64 24), i64 %y",
            "  %1 = getelementptr i8, ptr getelementptr inbounds (i8, ptr @x, i64 24), i64 %y",
        );
        check("  %1 = trunc nuw nsw i64 %x to i1", "  %1 = trunc i64 %x to i1");
        check("  %1 = icmp samesign ult i64 %x, 5", "  %1 = icmp ult i64 %x, 5");
        check("!9 = !{!\"branch_weights\", !\"expected\", i32 1, i32 2}", "!9 = !{!\"branch_weights\", i32 1, i32 2}");
    }

    #[test]
    fn constructs_are_replaced() {
        check("  store <2 x i64> splat (i64 -1), ptr %5", "  store <2 x i64> <i64 -1, i64 -1>, ptr %5");
        check("  call void @llvm.lifetime.end.p0(ptr %5)", "  call void @llvm.lifetime.end.p0(i64 -1, ptr %5)");
        check(
            "declare void @llvm.lifetime.end.p0(ptr captures(none)) #2",
            "declare void @llvm.lifetime.end.p0(i64 immarg, ptr ) #2",
        );
        check("  %1 = ptrtoaddr ptr %x to i64", "  %1 = ptrtoint ptr %x to i64");
        check("target datalayout = \"e-i64:64-i128:128-f80:128\"", "target datalayout = \"e-i64:64-f80:128\"");
    }

    #[test]
    fn records_become_calls() {
        let record = "    #dbg_declare(ptr %x, !744, !DIExpression(DW_OP_plus_uconst, 8), !745)";
        let call = "    call void @llvm.dbg.declare(metadata ptr %x, metadata !744, metadata \
                    !DIExpression(DW_OP_plus_uconst, 8)), !dbg !745";
        check(record, &format!("{call}\n{}", DECLARE.trim_end()));
        check("    #dbg_value(i32 0, !3, !DIExpression(), !4)", "");
    }

    #[test]
    fn comparisons_are_defined() {
        let given = "  %1 = call range(i8 -1, 2) i8 @llvm.scmp.i8.i64(i64 %a, i64 %b)\n\
                     declare range(i8 -1, 2) i8 @llvm.scmp.i8.i64(i64, i64) #27";
        let text = for_llvm_16(given);
        assert!(text.starts_with("  %1 = call i8 @rmc.scmp.i8.i64(i64 %a, i64 %b)\n"), "{text}");
        assert!(text.contains("define internal i8 @rmc.scmp.i8.i64(i64 %a, i64 %b)"), "{text}");
        assert!(text.contains("icmp sgt i64 %a, %b") && !text.contains("llvm.scmp"), "{text}");
        let vectors = "declare <4 x i8> @llvm.ucmp.v4i8.v4i32(<4 x i32>, <4 x i32>)";
        assert!(!for_llvm_16(vectors).contains("define"));
    }
}
