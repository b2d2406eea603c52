//! Reports as files: JSON, and SARIF (Static Analysis Results Interchange Format, version 2.1.0, OASIS 2020).

use std::path::Path;

use serde_json::{Value, json};

use super::place::Frame;
use super::report::{Access, Report, Step, in_words};
use super::settings::Format;
use crate::monitor::Relation;

/// The text of a file with these reports.
pub(super) fn text(format: Format, reports: &[Report]) -> String {
    let value = match format {
        Format::Json => json!({
            "version": 1,
            "model": "tso",
            "reports": reports.iter().map(report).collect::<Vec<_>>(),
        }),
        Format::Sarif => sarif(reports),
    };
    format!("{value:#}\n")
}

fn access(access: &Access) -> Value {
    let Access { place, thread, kind } = access;
    let mut value = line(&place.innermost);
    value["kind"] = (*kind).into();
    value["thread"] = (*thread).into();
    if let Some(caller) = &place.caller {
        value["inlined_at"] = line(caller);
    }
    value
}

fn line(Frame { function, file, line }: &Frame) -> Value {
    json!({"file": file, "line": line, "function": function})
}

fn report(report: &Report) -> Value {
    let step = |step: &Step| {
        let mut value = access(&step.access);
        value["before_next"] = match step.relation {
            Relation::ProgramOrder => "po",
            Relation::ReadsFrom => "rf",
            Relation::Coherence => "co",
            Relation::FromRead => "fr",
            Relation::Synchronises => "sw",
        }
        .into();
        value
    };
    let fence = |(after, before)| json!({"after": access(after), "before": access(before)});
    json!({
        "load": access(&report.load),
        "missed": access(&report.missed),
        "cycle": report.cycle.iter().map(step).collect::<Vec<_>>(),
        "fences": report.fences().map(fence).collect::<Vec<_>>(),
    })
}

/// A place in SARIF. An access without a line has no physical location.
fn location(access: &Access, message: &str) -> Value {
    let place = &access.place.innermost;
    let caller = access.place.caller.iter().map(|caller| format!(", inlined at {caller}")).collect::<String>();
    let mut location = json!({
        "message": {"text": format!("{message}{caller}")},
        "logicalLocations": [{"name": place.function, "kind": "function"}],
    });
    if place.line > 0 {
        let scheme = if Path::new(&place.file).is_absolute() { "file://" } else { "" };
        location["physicalLocation"] = json!({
            "artifactLocation": {"uri": format!("{scheme}{}", uri(&place.file))},
            "region": {"startLine": place.line},
        });
    }
    location
}

/// A path with the characters escaped that a URI does not have (RFC 3986, section 2.3).
fn uri(path: &str) -> String {
    path.bytes().fold(String::new(), |uri, byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
            uri + &char::from(byte).to_string()
        }
        _ => uri + &format!("%{byte:02X}"),
    })
}

fn sarif(reports: &[Report]) -> Value {
    let result = |report: &Report| {
        let steps = report.cycle.iter().map(|step| {
            let message = format!("{} {}", step.access.kind, in_words(step.relation));
            json!({"location": location(&step.access, &message)})
        });
        let text = format!("{}; missing: a full fence {}", report.message(), report.advice().join(", and one "));
        let mut result = json!({
            "ruleId": "store-buffer",
            "level": "error",
            "message": {"text": text},
            "locations": [location(&report.load, "the load")],
            "relatedLocations": [location(&report.missed, "the store that it may miss")],
        });
        if !report.cycle.is_empty() {
            result["codeFlows"] = json!([{"threadFlows": [{"locations": steps.collect::<Vec<_>>()}]}]);
        }
        result
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "rmc",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [{
                    "id": "store-buffer",
                    "shortDescription": {"text": "A store buffer makes an execution that is not sequentially consistent"},
                }],
            }},
            "results": reports.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_are_escaped() {
        assert_eq!(uri("/a b/c%ü.c"), "/a%20b/c%25%C3%BC.c");
    }
}
