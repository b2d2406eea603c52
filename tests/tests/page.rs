//! The page that `--report FILE.html` writes, as a browser sees it.

use std::fs;
use std::path::Path;
use std::process::Command;

use rmc_tests::harness::process::{command, run};

const BROWSERS: [&str; 3] = ["chromium-headless-shell", "chromium", "chromium-shell"];

/// A page, and the document that a browser makes of it.
struct Page {
    source: String,
    dom: String,
}

impl Page {
    /// The page that a run writes. The run must end with this exit code.
    #[track_caller]
    fn of(code: i32, arguments: &[&str]) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = directory.path().join("report.html");
        let found = run(command(arguments).arg("--report").arg(&file));
        assert_eq!(found.code, Some(code), "{}", found.describe());
        let page = Self { source: fs::read_to_string(&file).expect("a page"), dom: dom(&file) };
        page.is_whole_in_itself();
        page
    }

    /// Checks that the page loads nothing, and that the browser had nothing to repair.
    #[track_caller]
    fn is_whole_in_itself(&self) {
        for foreign in ["<script", "<link", "<img", "<iframe", " src=", "url(", "@import", "://"] {
            assert!(!self.source.contains(foreign), "the page contains {foreign}");
        }
        let targets = self.dom.match_indices("href=\"").map(|(at, found)| &self.dom[at + found.len()..]);
        for target in targets.map(|rest| &rest[..rest.find('"').expect("an end")]) {
            let name = target.strip_prefix('#').unwrap_or_else(|| panic!("a link to {target}"));
            assert!(self.dom.contains(&format!("id=\"{name}\"")), "a link to #{name}, which is not there");
        }
        assert_eq!(tags(&self.source), tags(&self.dom), "the browser repaired something");
    }

    fn count(&self, text: &str) -> usize {
        self.dom.matches(text).count()
    }

    #[track_caller]
    fn shows(&self, texts: &[&str]) {
        for text in texts {
            assert!(self.dom.contains(text), "{text} is missing in\n{}", self.dom);
        }
    }
}

/// The document in Chromium after loading the page.
fn dom(file: &Path) -> String {
    let options = ["--headless", "--no-sandbox", "--disable-gpu", "--timeout=20000", "--dump-dom"];
    let url = format!("file://{}", file.display());
    let profile = tempfile::tempdir().expect("a temporary directory");
    let data = format!("--user-data-dir={}", profile.path().display());
    let start = |browser: &&str| Command::new(browser).args(options).args([&data, &url]).output().ok();
    let output = BROWSERS.iter().find_map(start).expect("no Chromium is installed: `make test` installs one");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The names of all tags, opening and closing, in order.
fn tags(text: &str) -> Vec<&str> {
    let name = |rest: &'_ str| rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '/').unwrap_or(rest.len());
    let starts = text.match_indices('<').map(|(at, _)| &text[at + 1..]);
    starts.filter(|rest| !rest.starts_with('!')).map(|rest| &rest[..name(rest)]).collect()
}

#[test]
fn a_lost_store_is_drawn() {
    let page = Page::of(1, &["examples/store_buffering.c"]);
    page.shows(&[
        "data-verdict=\"violated\"",
        "an assertion failed",
        "The machine is that of x86 processors",
        "is still in its store buffer",
        "store x = 1",
        "y = 1 leaves the buffer and reaches memory",
    ]);
    assert_eq!(page.count("class=\"lane thread"), 3);
    assert_eq!(page.count("class=\"lane buffer"), 3);
    assert_eq!(page.count("class=\"lane memory"), 1);
    // Two threads with two stores each, all of which reach memory.
    assert_eq!(page.count("class=\"waiting"), 4);
    assert_eq!(page.count("data-operation=\"flush\""), 4);
    assert_eq!(page.count("class=\"event end\""), 1);
    assert_eq!(page.count("class=\"event load t2 stale\""), 1);
    // The line of the assertion, and those of the stores, are marked in the source.
    assert_eq!(page.count("class=\"wrong\""), 1);
    assert!(page.count("class=\"active\"") >= 4);
}

#[test]
fn without_store_buffers_there_are_no_lanes_for_them() {
    let page = Page::of(1, &["--relaxed-memory", "sc", "tests/programs/patterns/dining_philosophers.c"]);
    page.shows(&["a deadlock", "waits in"]);
    assert_eq!(page.count("class=\"lane buffer"), 0);
    assert!(page.count("class=\"event end\"") >= 2, "every thread that waits is shown");
}

#[test]
fn a_proof_is_said_to_be_one() {
    let page = Page::of(0, &["-DFENCE", "examples/store_buffering.c"]);
    page.shows(&[
        "data-verdict=\"holds\"",
        "That is a proof",
        "States by distance",
        "What memory went to",
        "Hash tables",
    ]);
    assert_eq!(page.count("class=\"timeline\""), 0);
}

#[test]
fn a_limit_is_no_proof() {
    let page = Page::of(3, &["--relaxed-memory", "pso", "--buffer-bound", "1", "examples/message_passing.c"]);
    page.shows(&["data-verdict=\"unknown\"", "Neither a proof nor a mistake"]);
    assert!(!page.dom.contains("That is a proof"));
}

#[test]
fn the_stateless_engine_has_its_own_charts() {
    let page = Page::of(1, &["--engine", "dpor", "examples/peterson.c"]);
    page.shows(&["How executions ended", "races reversed", "data-operation=\"flush\""]);
    let page = Page::of(0, &["--engine", "dpor", "-DFENCE", "examples/peterson.c"]);
    page.shows(&["data-verdict=\"holds\"", "Lines with most events"]);
}

#[test]
fn frames_of_the_standard_library_are_folded() {
    let page = Page::of(1, &["tests/programs/cxx/atomic_of_freed_node.cpp"]);
    page.shows(&[">std::thread::_State_impl&lt;...&gt;::_M_run</code>", " and 4 more of the standard library"]);
}

#[test]
fn a_cycle_and_its_fences_are_shown() {
    let page = Page::of(1, &["--robustness", "tests/programs/robustness/store_buffering.c"]);
    page.shows(&["not robust", "did not see", "atomic_thread_fence(memory_order_seq_cst)"]);
    assert!(page.count("class=\"event") > 4);
}

#[test]
fn a_repair_is_shown_with_its_diff() {
    let page = Page::of(1, &["--fix", "examples/store_buffering.c"]);
    page.shows(&[
        "id=\"fix\"",
        "store_buffering.c:24: <code>atomic_thread_fence(memory_order_seq_cst)</code>, after this statement",
        "With this, the program is robust: it was compiled and explored again",
        "<code>--- a/examples/store_buffering.c</code>",
        "class=\"added\"><code>+  atomic_thread_fence(memory_order_seq_cst);</code>",
    ]);
    assert_eq!(page.count("class=\"added\""), page.count("</code>, after this statement"));
    let none = Page::of(0, &["--fix", "-DFENCE", "examples/store_buffering.c"]);
    none.shows(&["Fix: nothing to fix, the program is robust under tso"]);
    assert_eq!(none.count("<code>--- a/"), 0);
}

#[test]
fn text_of_the_program_is_text() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("script.c");
    let program = "#include <assert.h>\n#include <stdio.h>\nint main(void) {\n  puts(\"<b>bold</b>\");\n  \
                   assert(0 && \"<script>alert(1)</script>\");\n}\n";
    fs::write(&file, program).expect("a program");
    let page = Page::of(1, &[file.to_str().expect("UTF-8")]);
    page.shows(&["&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;b&gt;bold&lt;/b&gt;"]);
    // The source is found although it is outside of the working directory.
    assert!(!page.dom.contains("could not be read"), "{}", page.dom);
}

#[test]
fn several_reports_at_a_time() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let [page, json] = ["report.html", "report.json"].map(|name| directory.path().join(name));
    let found = run(command(["examples/store_buffering.c"]).arg("--report").arg(&page).arg("--report").arg(&json));
    assert_eq!(found.code, Some(1), "{}", found.describe());
    assert!(fs::read_to_string(&page).expect("a page").starts_with("<!DOCTYPE html>"));
    assert!(fs::read_to_string(&json).expect("a report").starts_with('{'));
    let twice = run(command(["examples/store_buffering.c"]).arg("--report").arg(&page).arg("--report").arg(&page));
    assert_eq!(twice.code, Some(2), "{}", twice.describe());
    assert!(twice.stderr.contains("name two files"), "{}", twice.describe());
}
