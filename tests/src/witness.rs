//! A validator of witnesses of the software verification competition, by the rules of their YAML format,
//! versions 2.0 to 2.2, in our words.
//!
//! Source: <https://gitlab.com/sosy-lab/benchmarking/sv-witnesses>, the formats of violation and of
//! correctness witnesses; `thread_id`, and several targets in the last segment, are of 2.2. The validator
//! does not check that a witness leads another tool to the violation.

use std::path::Path;

use serde_norway::{Mapping, Value};

type Rule = Result<(), String>;

/// Checks a witness file. Files named in it are looked up in `directory`.
///
/// # Errors
/// The first rule that is broken, and the place.
pub fn validate(text: &str, directory: &Path) -> Rule {
    let file: Value = serde_norway::from_str(text).map_err(|error| error.to_string())?;
    let entries = list(&file, "the file")?;
    require(!entries.is_empty(), "the file has no entry")?;
    entries.iter().try_for_each(|entry| validate_entry(entry, directory))
}

fn validate_entry(entry: &Value, directory: &Path) -> Rule {
    let entry = fields(entry, "entry", &["entry_type", "metadata", "content"], &[])?;
    let (version, inputs) = metadata(&entry["metadata"])?;
    match text(&entry["entry_type"], "entry_type")? {
        "violation_sequence" => violation(&entry["content"], &Context { version, inputs, directory }),
        "invariant_set" => list(&entry["content"], "content")?.iter().try_for_each(invariant),
        other => Err(format!("entry_type `{other}`")),
    }
}

fn metadata(value: &Value) -> Result<(&str, Vec<&str>), String> {
    let metadata = fields(value, "metadata", &["format_version", "uuid", "creation_time", "producer", "task"], &[])?;
    let version = text(&metadata["format_version"], "format_version")?;
    require(["2.0", "2.1", "2.2"].contains(&version), "format_version")?;
    require(is_uuid(text(&metadata["uuid"], "uuid")?), "uuid")?;
    require(is_time(text(&metadata["creation_time"], "creation_time")?), "creation_time")?;
    let optional = ["configuration", "command_line", "description"];
    let producer = fields(&metadata["producer"], "producer", &["name", "version"], &optional)?;
    producer.values().try_for_each(|value| text(value, "producer").map(drop))?;
    let keys = ["input_files", "input_file_hashes", "specification", "data_model", "language"];
    let task = fields(&metadata["task"], "task", &keys, &[])?;
    let inputs = list(&task["input_files"], "input_files")?;
    let inputs = inputs.iter().map(|input| text(input, "input_files")).collect::<Result<Vec<_>, _>>()?;
    require(!inputs.is_empty(), "input_files is empty")?;
    let hashes = fields(&task["input_file_hashes"], "input_file_hashes", &inputs, &[])?;
    for hash in hashes.values() {
        let hash = text(hash, "hash")?;
        require(hash.len() == 64 && hash.chars().all(|c| c.is_ascii_hexdigit()), "a hash has 64 digits")?;
    }
    let formulas = text(&task["specification"], "specification")?.lines().collect::<Vec<_>>();
    let is_formula = |line: &&str| line.starts_with("CHECK( init(main()), LTL(G ") && line.ends_with(") )");
    require(!formulas.is_empty() && formulas.iter().all(is_formula), "specification")?;
    require(["ILP32", "LP64"].contains(&text(&task["data_model"], "data_model")?), "data_model")?;
    require(text(&task["language"], "language")? == "C", "language")?;
    Ok((version, inputs))
}

/// `8-4-4-4-12` hexadecimal digits, RFC 4122.
fn is_uuid(text: &str) -> bool {
    let lengths: Vec<_> = text.split('-').map(str::len).collect();
    lengths == [8, 4, 4, 4, 12] && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

/// `YYYY-MM-DDThh:mm:ssZ`, ISO 8601.
fn is_time(text: &str) -> bool {
    let pattern = "dddd-dd-ddTdd:dd:ddZ";
    let fits = |(c, p): (char, char)| if p == 'd' { c.is_ascii_digit() } else { c == p };
    text.len() == pattern.len() && text.chars().zip(pattern.chars()).all(fits)
}

fn invariant(value: &Value) -> Rule {
    let element = fields(value, "content", &["invariant"], &[])?;
    let invariant = fields(&element["invariant"], "invariant", &["type", "location", "value", "format"], &[])?;
    require(
        ["loop_invariant", "location_invariant"].contains(&text(&invariant["type"], "type")?),
        "type of an invariant",
    )
}

struct Context<'a> {
    version: &'a str,
    inputs: Vec<&'a str>,
    directory: &'a Path,
}

fn violation(content: &Value, context: &Context<'_>) -> Rule {
    let segments = list(content, "content")?;
    let Some(last) = segments.len().checked_sub(1) else { return Err("content is empty".to_owned()) };
    let mut threads = 0;
    for (number, segment) in segments.iter().enumerate() {
        let segment = fields(segment, "content", &["segment"], &[])?;
        let waypoints = list(&segment["segment"], "segment")?;
        let waypoints = waypoints.iter().map(|waypoint| self::waypoint(waypoint, context, &mut threads));
        let waypoints = waypoints.collect::<Result<Vec<_>, _>>()?;
        let targets = waypoints.iter().filter(|(kind, _)| *kind == "target").count();
        let follows = waypoints.iter().filter(|(_, action)| *action == "follow").count();
        let at = |what: &str| format!("segment {number}: {what}");
        require(waypoints.last().is_some_and(|(_, action)| *action == "follow"), &at("must end with `follow`"))?;
        require((targets > 0) == (number == last), &at("only the last segment has a target, and it must"))?;
        let is_race = context.version == "2.2" && targets == 2 && follows == 2;
        require(follows == 1 || is_race, &at("several waypoints to follow"))?;
    }
    Ok(())
}

/// The type and the action of a waypoint. `threads` counts the threads created so far.
fn waypoint<'a>(value: &'a Value, context: &Context<'_>, threads: &mut u64) -> Result<(&'a str, &'a str), String> {
    let element = fields(value, "segment", &["waypoint"], &[])?;
    let waypoint =
        fields(&element["waypoint"], "waypoint", &["type", "action", "location"], &["constraint", "thread_id"])?;
    let (kind, action) = (text(&waypoint["type"], "type")?, text(&waypoint["action"], "action")?);
    require(action == "follow" || action == "avoid" && kind != "target", "action")?;
    let line = location(&waypoint["location"], context)?;
    if let Some(thread) = waypoint.get("thread_id") {
        require(context.version == "2.2", "thread_id before version 2.2")?;
        let thread = thread.as_u64().ok_or("thread_id is no number")?;
        require(thread <= *threads, &format!("thread {thread} does not exist yet"))?;
    }
    constraint(kind, waypoint.get("constraint"))?;
    if kind == "function_enter" && line.contains("_create") {
        *threads += 1;
    }
    Ok((kind, action))
}

fn constraint(kind: &str, constraint: Option<&Value>) -> Rule {
    let Some(constraint) = constraint else {
        return require(
            ["target", "function_enter"].contains(&kind),
            &format!("a waypoint of type `{kind}` without constraint"),
        );
    };
    let constraint = fields(constraint, "constraint", &["value"], &["format"])?;
    let value = text(&constraint["value"], "value")?;
    let format = constraint.get("format").and_then(Value::as_str);
    let is_result = || {
        let number = value.strip_prefix("\\result ").and_then(|rest| rest.split_once(' '));
        number.is_some_and(|(op, number)| {
            ["==", "!=", "<", "<=", ">", ">="].contains(&op) && number.parse::<f64>().is_ok()
        })
    };
    match kind {
        "assumption" => require(format == Some("c_expression"), "an assumption is a c_expression"),
        "function_return" => require(format == Some("acsl_expression") && is_result(), "constraint of function_return"),
        "branching" => require(format.is_none(), "a branching has only a value"),
        _ => Err(format!("a waypoint of type `{kind}` with a constraint")),
    }
}

/// The text of the line that a location names.
fn location(value: &Value, context: &Context<'_>) -> Result<String, String> {
    let location = fields(value, "location", &["file_name", "line"], &["column", "function"])?;
    let file = text(&location["file_name"], "file_name")?;
    require(context.inputs.contains(&file), &format!("file_name `{file}` is no input"))?;
    let source = std::fs::read_to_string(context.directory.join(file)).map_err(|error| format!("{file}: {error}"))?;
    let number = location["line"].as_u64().and_then(|line| usize::try_from(line).ok()).ok_or("line is no number")?;
    let line = number.checked_sub(1).and_then(|index| source.lines().nth(index));
    line.map(str::to_owned).ok_or_else(|| format!("line {number} is not in {file}"))
}

fn require(holds: bool, rule: &str) -> Rule {
    if holds { Ok(()) } else { Err(rule.to_owned()) }
}

fn text<'a>(value: &'a Value, what: &str) -> Result<&'a str, String> {
    value.as_str().ok_or_else(|| format!("{what} is no text"))
}

fn list<'a>(value: &'a Value, what: &str) -> Result<&'a Vec<Value>, String> {
    value.as_sequence().ok_or_else(|| format!("{what} is no list"))
}

/// The mapping with all of `required`, possibly some of `optional`, and nothing else.
fn fields<'a>(value: &'a Value, what: &str, required: &[&str], optional: &[&str]) -> Result<&'a Mapping, String> {
    let mapping = value.as_mapping().ok_or_else(|| format!("{what} is no mapping"))?;
    for key in required {
        require(mapping.contains_key(*key), &format!("{what} has no `{key}`"))?;
    }
    for key in mapping.keys() {
        let known = key.as_str().is_some_and(|key| required.contains(&key) || optional.contains(&key));
        require(known, &format!("{what} has a key {key:?}"))?;
    }
    Ok(mapping)
}
