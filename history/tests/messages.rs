//! The messages about bad input, word by word: the place, the problem and the way out.

use rmc_history::error::InputError;
use rmc_history::located::{Entry, Located};
use rmc_history::resolve::resolve;
use rmc_history::{json, text};

fn first_error(read: Result<Vec<Located>, InputError>, file: &str) -> Option<InputError> {
    let histories = match read {
        Ok(histories) => histories,
        Err(error) => return Some(error),
    };
    let mut entries = histories.iter().zip(1..).map(|(located, number)| Entry { file, number, located });
    entries.find_map(|entry| resolve(entry).err())
}

/// Checks the message about a text.
#[track_caller]
fn check(input: &str, message: &str) {
    let error = first_error(text::parse(input, "a.hist"), "a.hist").expect("it is bad input");
    assert_eq!(error.to_string(), message);
}

/// Checks the message about JSON with these events of a thread `T1`.
#[track_caller]
fn check_json(events: &str, message: &str) {
    let input = format!("{{\"histories\": [{{\"threads\": [{{\"name\": \"T1\", \"events\": [{events}]}}]}}]}}");
    let error = first_error(json::parse(&input, "a.json"), "a.json").expect("it is bad input");
    assert_eq!(error.to_string(), message);
}

#[test]
fn files_without_histories() {
    let way_out = "a history has threads with events: `T1: w x 1; r y 0`";
    check("# nothing\n", &format!("a.hist: there is no history here\n  {way_out}"));
    let error = first_error(json::parse("{\"histories\": []}", "a.json"), "a.json").expect("it is bad input");
    assert_eq!(error.to_string(), format!("a.json: there is no history here\n  {way_out}"));
}

#[test]
fn statements() {
    check(
        "T1: w x 1\n  read x 1",
        "a.hist:2:3: `read` is neither an event nor a statement\n  events are r, w, rmw, failed-cas, fence, stbar, lock and unlock; statements are history, size, init, final and expect; `T1:` begins a thread",
    );
    check(
        "history SB\n  w x 1",
        "a.hist:2:3: this event is in no thread\n  write the name of its thread before it: `T1: w x 1`",
    );
    check("T1: w x 1 r y 0", "a.hist:1:11: expected the end of the line or `;`, found `r`\n  as in `T1: w x 1; r y 0`");
    check(
        "T1: w x 1 | r y 0",
        "a.hist:1:11: expected the end of the line or `;`, found `|`\n  as in `T1: w x 1; r y 0`",
    );
    check("T1: w", "a.hist:1:6: expected a variable, found the end of the statement\n  as in `w x 1`");
    check("T1: w \"x 1", "a.hist:1:7: expected a variable, found `\"x`\n  as in `w x 1`");
    check(
        "T-1: w x 1",
        "a.hist:1:1: expected a name of letters, digits, `_` and `.`, found T-1\n  as in `\"my thread\": w x 1`",
    );
    check("\"T 1\" w x 1", "a.hist:1:7: expected `:` after the name of a thread, found `w`\n  as in `T1: w x 1`");
    check(
        "history two words",
        "a.hist:1:13: expected the end of the line or `;`, found `words`\n  as in `T1: w x 1; r y 0`",
    );
}

#[test]
fn what_is_expected() {
    check(
        "expect sc maybe",
        "a.hist:1:11: expected yes or no, found `maybe`\n  as in `expect sc no, tso yes, pso yes`",
    );
    check(
        "expect arm no",
        "a.hist:1:8: expected a model: sc, tso or pso, found `arm`\n  as in `expect sc no, tso yes, pso yes`",
    );
    check("expect sc no, sc no", "a.hist:1:1: the expectation for sc is given a second time\n  leave one of them out");
}

#[test]
fn numbers_and_sizes() {
    let way_out = "numbers are decimal (`12`) or hexadecimal (`0xC`)";
    check("T1: w x 1a", &format!("a.hist:1:9: `1a` is no number of at most 64 bits\n  {way_out}"));
    check("T1: w x+4294967296/1 1", &format!("a.hist:1:9: `4294967296` is no number of at most 32 bits\n  {way_out}"));
    check(
        "T1: r x 1 from T1:x",
        "a.hist:1:19: expected a number, found `x`\n  as in `r x/2 from T1:1 for x/1, init for x+1/1`",
    );
    check("init x=1 x=2", "a.hist:1:10: the initial value of x is given a second time\n  leave one of them out");
    check("size x 4", "a.hist:1:8: expected `=`, found `4`\n  as in `size x=4`");
    check(
        "T1: w x+1 1",
        "a.hist:1:7: `x+1` does not say how many bytes\n  a part is a variable, a distance and a size: `x+1/1` is one byte",
    );
    check("T1: w x/0 1", "a.hist:1:5: x/0 has no bytes\n  sizes are at least 1");
    check(
        "T1: w x+6/4 1",
        "a.hist:1:5: x+6/4 is not inside of x, which has 8 bytes\n  give the variable another size: `size x=10`",
    );
    check(
        "size x=1; T1: r x 256",
        "a.hist:1:15: the value 256 does not fit into x, which has 1 byte\n  give the variable another size: `size x=8`",
    );
}

#[test]
fn reads_without_a_source() {
    check(
        "T1: rmw x -> 1",
        "a.hist:1:5: `rmw x` says neither what it reads nor from where\n  give the value (`rmw x 1`) or the source (`rmw x from T1:1`, `rmw x from init`)",
    );
    check(
        "T1: w x 1\nT2: r x 2",
        "a.hist:2:5: no store gives x the value 2, and initially it is 0\n  a value that no store explains is forbidden by every model; if a store is missing, add it",
    );
    check(
        "T1: w x\nT2: r x 2",
        "a.hist:2:5: x is read by its value, but T1:1 (`w x`, line 1) stores no value there\n  give the store a value, or the read a source: `r x 2 from T1:1`",
    );
}

#[test]
fn values_that_several_stores_give() {
    check(
        "T1: w x 1\nT2: w x 1\nT3: r x 1",
        "a.hist:3:5: x has the value 1 from T1:1 (`w x 1`, line 1) and from T2:1 (`w x 1`, line 2), so the value does not tell the source\n  name the source: `r x 1 from T2:1`",
    );
    check(
        "T1: w x 0\nT3: rmw x 0 -> 1",
        "a.hist:2:5: x has the value 0 from the initial memory and from T1:1 (`w x 0`, line 1), so the value does not tell the source\n  name the source: `rmw x 0 from T1:1 -> 1`",
    );
    check(
        "size x=2; T1: w x 1; w x/1 2; T2: r x 2",
        "a.hist:1:35: x+1/1 has the value 0 from the initial memory and from T1:1 (`w x 1`, line 1), so the value does not tell the source\n  name the source: `r x 2 from T1:1 for x+1/1, ...`",
    );
}

#[test]
fn sources_that_are_none() {
    check("T1: r x from T2:1", "a.hist:1:5: there is no thread T2\n  the threads are T1");
    check("T1: r x from T1:2", "a.hist:1:5: there is no event T1:2\n  thread T1 has 1 event; the first has number 1");
    check("T1: r x from T1:0", "a.hist:1:5: there is no event T1:0\n  thread T1 has 1 event; the first has number 1");
    let way_out = "`from` names a store or a read-modify-write of all bytes that are read from it; `for` divides them: `from T1:1 for x/1, T2:1 for x+1/1`";
    check("T1: w y 1; r x from T1:1", &format!("a.hist:1:12: T1:1 (`w y 1`, line 1) does not store to x\n  {way_out}"));
    check(
        "size x=2; T1: w x/1 1; r x from T1:1",
        &format!("a.hist:1:24: T1:1 (`w x/1 1`, line 1) does not store to x+1/1\n  {way_out}"),
    );
    check(
        "T1: w x 1; r x 2 from T1:1",
        "a.hist:1:12: x is 2 here, but 1 in T1:1 (`w x 1`, line 1)\n  one of the values or the source is wrong",
    );
}

#[test]
fn several_sources() {
    let way_out = "`for` divides a read among its sources: `r x/2 from T1:1 for x/1, T2:1 for x+1/1`";
    check(
        "T1: w x; r x from T1:1, init",
        "a.hist:1:10: `r x from T1:1, init` has several sources and does not say which bytes are from which\n  say it with `for`: `r x/2 from T1:1 for x/1, T2:1 for x+1/1`",
    );
    check(
        "T1: r x/2 from init for x/1",
        &format!("a.hist:1:5: x+1/1 of `r x/2 from init for x/1` has no source\n  {way_out}"),
    );
    check(
        "T1: r x/2 from init for x/2, init for x/1",
        &format!("a.hist:1:5: x/1 of `r x/2 from init for x/2, init for x/1` has two sources\n  {way_out}"),
    );
    check(
        "T1: r x/2 from init for x/2, init for x+2/1",
        &format!(
            "a.hist:1:5: x+2/1 of `r x/2 from init for x/2, init for x+2/1` has a source, but is not read\n  {way_out}"
        ),
    );
}

#[test]
fn mutexes() {
    check(
        "T1: lock m",
        "a.hist:1:5: `lock m` does not say which unlock is before it\n  give it: `lock m from T1:2`, or `lock m from init` if there is none",
    );
    check(
        "T1: lock m from init\nT2: lock m from T1:1",
        "a.hist:2:5: T1:1 (`lock m from init`, line 1) does not unlock `m`\n  a lock reads from the unlock before it, or from init",
    );
    check(
        "T1: lock m from init; r m 0",
        "a.hist:1:23: `m` is a mutex, and an event reads or writes it\n  mutexes are only locked and unlocked; to record how one is made, use rmw and w instead of lock and unlock",
    );
}

#[test]
fn final_values() {
    check(
        "T1: w x 1\nfinal x/1 1; final x 1",
        "a.hist:2:14: the final value of x is given a second time\n  leave one of them out",
    );
    check(
        "T1: w x 1\nfinal x 2",
        "a.hist:2:1: no store gives x the value 2, and initially it is 0\n  a value that no store explains is forbidden by every model; if a store is missing, add it",
    );
}

#[test]
fn reports_of_the_checker() {
    let report = "{\"schema\": \"rmc.report.v1\", \"violations\": []}";
    let error = first_error(json::parse(report, "a.json"), "a.json").expect("it is bad input");
    let message = "a.json: this is a report of rmc-check, whose traces do not say enough to be histories: locks have no object there, atomic updates no source, and writes of library functions are left out\n  write down the events of interest as a history; see --help";
    assert_eq!(error.to_string(), message);
}

#[test]
fn json_events() {
    check_json(
        "{\"op\": \"w\", \"variable\": \"x\", \"reads\": 1}",
        "a.json: history 1, event T1:1: an event `w` has the field `reads`\n  w has `variable`, and may have `value`, `offset` and `bytes`",
    );
    check_json(
        "{\"op\": \"fence\"}, {\"op\": \"r\", \"reads\": 1}",
        "a.json: history 1, event T1:2: an event `r` has no `variable`\n  r has `variable`, `reads` or `from`, and may have `offset` and `bytes`",
    );
    check_json(
        "{\"op\": \"r\", \"variable\": \"x\", \"from\": \"T1\"}",
        "a.json: history 1, event T1:1: `T1` is no source\n  a source is `init`, or a thread and the number of its event, from 1: `T2:3`",
    );
    check_json(
        "{\"op\": \"r\", \"variable\": \"x\", \"from\": \"T2:1\"}",
        "a.json: history 1, event T1:1: there is no thread T2\n  the threads are T1",
    );
    check_json(
        "{\"op\": \"r\", \"variable\": \"x\", \"form\": 1}",
        "a.json:1:89: unknown field `form`, expected one of `op`, `variable`, `mutex`, `offset`, `bytes`, `reads`, `from`, `value`\n  the JSON format is described by an example in history/src/json/mod.rs",
    );
}
