//! The picture of an execution: time goes down, each thread has a lane, and beside it its store buffer;
//! memory is on the right. A store is drawn where its thread issues it, as a bar while it waits in the
//! buffer, and where it reaches memory.

use maud::{Markup, html};

use super::lanes::{BufferSpan, Lane, buffer_spans, lanes};
use super::source::Lines;
use crate::outcome::ViolationKind;
use crate::outcome::event::TraceEvent;
use crate::report::events::{Unseen, is_buffered, unseen, what_happens};
use crate::report::json::{Report, ReportedViolation};
use crate::report::names;

/// The largest number of events that are drawn; of longer executions the last ones are drawn.
const MOST_ROWS: usize = 1500;

// Sizes in pixels.
const ROW: usize = 28;
const HEAD: usize = 58;
const GUTTER: usize = 44;
const CHARACTER: f64 = 7.25;
const BADGE: usize = 38;
const MEMORY: usize = 160;
const GAP: usize = 8;
/// The narrowest and widest cell, in characters.
const CELL: [usize; 2] = [14, 32];
/// The narrowest and widest slot of a store buffer, in characters.
const SLOT: [usize; 2] = [8, 20];
/// The width of a slot in a store buffer where many stores wait side by side; their text is vertical.
const NARROW: usize = 24;
/// The least width of a store buffer, so that its name fits.
const NAMED: usize = 52;
/// A store buffer that would be wider than this gets narrow slots.
const WIDE: usize = 250;

/// A lane with its position in the picture.
struct Column {
    lane: Lane,
    /// The left edge of the thread's lane, and its width.
    left: usize,
    width: usize,
    /// The left edge of its buffer, and the width of each slot.
    buffer: usize,
    slot: usize,
}

impl Column {
    fn buffer_width(&self) -> usize {
        self.lane.slots.map_or(0, |slots| (slots * self.slot + GAP).max(NAMED))
    }

    fn slot_left(&self, slot: usize) -> usize {
        self.buffer + GAP / 2 + slot * self.slot
    }
}

/// The data of a picture.
struct Picture<'r> {
    violation: &'r ReportedViolation,
    events: &'r [TraceEvent],
    /// The number of events before the first one that is drawn.
    left_out: usize,
    waiting: Vec<BufferSpan>,
    columns: Vec<Column>,
    /// The left edge of the lane of memory.
    memory: usize,
    lines: &'r Lines<'r>,
}

/// The picture of a violation's execution; `lines` are the source lines that are shown beside it.
pub fn timeline(violation: &ReportedViolation, report: &Report, lines: &Lines<'_>) -> Markup {
    let left_out = violation.trace.len().saturating_sub(MOST_ROWS);
    let events = &violation.trace[left_out..];
    let waiting = buffer_spans(events);
    let ends = ends(violation);
    let lanes = lanes(events, ends.iter().map(|(thread, ..)| *thread), &waiting, report.model != "sc");
    let (columns, memory) = place(lanes, events, &waiting, &ends);
    let picture = Picture { violation, events, left_out, waiting, columns, memory, lines };
    picture.draw(&ends)
}

/// The end of the execution: for each thread that is involved, a description and the line.
fn ends(violation: &ReportedViolation) -> Vec<(usize, String, u32)> {
    if violation.kind == ViolationKind::Deadlock {
        let waits = violation.related.iter().filter(|place| place.what.starts_with("waits in"));
        return waits.map(|place| (place.thread, place.what.clone(), place.line)).collect();
    }
    let what = match violation.kind {
        ViolationKind::NotRobust => "no order explains this",
        kind => kind.describe(),
    };
    vec![(violation.thread, what.to_owned(), violation.line)]
}

/// The positions of the lanes, and the left edge of memory. A lane is as wide as its content, within limits.
fn place(
    lanes: Vec<Lane>,
    events: &[TraceEvent],
    waiting: &[BufferSpan],
    ends: &[(usize, String, u32)],
) -> (Vec<Column>, usize) {
    let pixels = |characters: usize, [least, most]: [usize; 2]| {
        (characters.clamp(least, most) as f64 * CHARACTER).ceil() as usize + GAP
    };
    let mut left = GUTTER;
    let column = |lane: Lane| {
        let thread = lane.thread;
        let own = events.iter().filter(|event| event.thread == thread && event.operation != "flush");
        let end = ends.iter().filter(|(other, ..)| *other == thread).map(|(_, text, _)| text.chars().count() + 2);
        let longest = own.map(|event| short(event).chars().count()).chain(end).max().unwrap_or(0);
        let stores = waiting.iter().filter(|waiting| waiting.thread == thread);
        let longest_store = stores.map(|waiting| waiting.text.chars().count()).max().unwrap_or(0);
        let width = pixels(longest, CELL) + BADGE + GAP;
        let slot = pixels(longest_store, SLOT);
        let slot = if slot * lane.slots.unwrap_or(0) > WIDE { NARROW } else { slot };
        let column = Column { lane, left, width, buffer: left + width, slot };
        left = column.buffer + column.buffer_width() + GAP;
        column
    };
    let columns = lanes.into_iter().map(column).collect();
    (columns, left)
}

/// The event in few words.
fn short(event: &TraceEvent) -> String {
    let TraceEvent { operation, address, value, .. } = event;
    match operation.as_str() {
        "load" => format!("load {address} = {value}"),
        _ => what_happens(event),
    }
}

fn cut(text: &str, pixels: usize) -> String {
    let most = (pixels as f64 / CHARACTER) as usize;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// The y coordinate of the top of a row.
const fn top(row: usize) -> usize {
    HEAD + row * ROW
}

const fn middle(row: usize) -> usize {
    top(row) + ROW / 2
}

impl Picture<'_> {
    fn column(&self, thread: usize) -> &Column {
        self.columns.iter().find(|column| column.lane.thread == thread).expect("every thread has a lane")
    }

    fn draw(&self, ends: &[(usize, String, u32)]) -> Markup {
        let (width, height) = (self.memory + MEMORY + GAP, top(self.events.len() + 1) + GAP);
        html! {
            @if self.left_out > 0 {
                p.note { "The first " (self.left_out) " events are not drawn; the JSON report has them all." }
            }
            div.timeline {
                svg width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) } role="img"
                    aria-label="The execution as a picture; the list below says the same in words" {
                    (self.heads(height))
                    @for waiting in &self.waiting { (self.bar(waiting)) }
                    @for (row, event) in self.events.iter().enumerate() { (self.row(row, event)) }
                    @for (thread, text, line) in ends { (self.end(*thread, text, *line)) }
                }
            }
        }
    }

    /// The headings and backgrounds of the lanes.
    fn heads(&self, height: usize) -> Markup {
        let bottom = height - HEAD;
        html! {
            text.head x="4" y="40" { "step" }
            @for column in &self.columns {
                @let thread = column.lane.thread;
                g class={ "lane thread t" (thread % 8) } data-thread=(thread) {
                    rect x=(column.left) y=(HEAD) width=(column.width) height=(bottom) {}
                    text.head x=(column.left + GAP) y="24" { "thread " (thread) }
                    text.sub x=(column.left + GAP) y="44" { (self.name(thread)) }
                }
                @if column.lane.slots.is_some() {
                    g class={ "lane buffer t" (thread % 8) } data-thread=(thread) {
                        rect x=(column.buffer) y=(HEAD) width=(column.buffer_width()) height=(bottom) {}
                        text.sub x=(column.buffer + GAP / 2) y="24" { "store" }
                        text.sub x=(column.buffer + GAP / 2) y="44" { "buffer" }
                    }
                }
            }
            g class="lane memory" {
                rect x=(self.memory) y=(HEAD) width=(MEMORY) height=(bottom) {}
                text.head x=(self.memory + GAP) y="24" { "memory" }
                text.sub x=(self.memory + GAP) y="44" { "all threads see it" }
            }
        }
    }

    /// The heading of a thread: `runs main`, or the first function of the program that it is seen in.
    fn name(&self, thread: usize) -> String {
        let event = self.events.iter().find(|event| event.thread == thread && !event.function.starts_with("__"));
        match event {
            _ if thread == 0 => "runs main".to_owned(),
            Some(event) => format!("in {}", names::short(&event.function)),
            None => String::new(),
        }
    }

    /// The bar of a store while it waits in a buffer.
    fn bar(&self, waiting: &BufferSpan) -> Markup {
        let column = self.column(waiting.thread);
        let (left, width) = (column.slot_left(waiting.slot), column.slot - GAP / 2);
        let bottom = waiting.to.map_or(top(self.events.len() + 1), |row| top(row) + ROW / 2 + 10);
        let start = top(waiting.from) + 4;
        let fate = match waiting {
            BufferSpan { to: None, .. } => "is still there at the end",
            BufferSpan { arrives: true, .. } => "reaches memory where the bar ends",
            _ => "goes away with the memory it is for",
        };
        html! {
            g class={ "waiting t" (waiting.thread % 8) } data-thread=(waiting.thread) {
                title { (waiting.text) " waits in the store buffer of thread " (waiting.thread) ", and " (fate) }
                rect x=(left) y=(start) width=(width) height=(bottom - start) rx="5" {}
                @if column.slot == NARROW {
                    text transform={ "translate(" (left + 6) " " (start + 6) ") rotate(90)" } { (cut(&waiting.text, bottom - start - 8)) }
                } @else {
                    text x=(left + 5) y=(middle(waiting.from) + 4) { (cut(&waiting.text, width - 6)) }
                }
            }
        }
    }

    fn row(&self, row: usize, event: &TraceEvent) -> Markup {
        let before = row.checked_sub(1).map(|at| &self.events[at]);
        let changes = before.is_none_or(|before| before.thread != event.thread);
        html! {
            @if changes && row > 0 { line.switch x1="0" x2=(self.memory + MEMORY) y1=(top(row)) y2=(top(row)) {} }
            @if before.is_none_or(|before| before.step != event.step) {
                text.step x="4" y=(middle(row) + 4) { (event.step) }
            }
            @if event.operation == "flush" { (self.flush(row, event)) } @else { (self.event(row, event)) }
        }
    }

    /// The drawing of a store that leaves its buffer.
    fn flush(&self, row: usize, event: &TraceEvent) -> Markup {
        let left = self.waiting.iter().find(|waiting| waiting.to == Some(row));
        let column = self.column(event.thread);
        let start = left.map_or(column.buffer, |waiting| column.slot_left(waiting.slot) + column.slot - GAP / 2);
        html! {
            g class={ "event flush t" (event.thread % 8) } data-operation="flush" data-thread=(event.thread) {
                title { "step " (event.step) ", thread " (event.thread) ": " (what_happens(event)) }
                (self.to_memory(row, start, event))
            }
        }
    }

    /// The arrow of a value that reaches memory, from `start`.
    fn to_memory(&self, row: usize, start: usize, event: &TraceEvent) -> Markup {
        let (y, end) = (middle(row), self.memory + GAP / 2);
        let text = format!("{} = {}", event.address, event.value);
        html! {
            line.arrow x1=(start) x2=(end - 6) y1=(y) y2=(y) {}
            path.tip d={ "M" (end) " " (y) " l-7 -4 v8 z" } {}
            g class="arrival" {
                rect x=(end) y=(y - 10) width=(MEMORY - GAP) height="20" rx="4" {}
                text x=(end + 6) y=(y + 4) { (cut(&text, MEMORY - 2 * GAP)) }
            }
        }
    }

    fn event(&self, row: usize, event: &TraceEvent) -> Markup {
        let column = self.column(event.thread);
        let kind = event.operation.split([' ', '(']).next().unwrap_or_default();
        let unseen = unseen(event);
        let buffered = is_buffered(event);
        let writes = (event.operation.starts_with("store") && !buffered) || event.operation == "atomic update";
        let class = format!("event {kind} t{}{}", event.thread % 8, if unseen.is_some() { " stale" } else { "" });
        html! {
            g class=(class) data-operation=(event.operation) data-thread=(event.thread) {
                title { (words(event)) }
                @if let Some(unseen) = &unseen { (self.missed(row, event.thread, unseen)) }
                @if writes { (self.to_memory(row, column.buffer, event)) }
                @if buffered || event.source.starts_with("its own buffer") { (self.beside(row, column, buffered)) }
                (self.cell(row, column, &short(event), event.line, &event.file))
            }
        }
    }

    /// A cell in a thread's lane, with its line.
    fn cell(&self, row: usize, column: &Column, text: &str, line: u32, file: &str) -> Markup {
        let (left, y) = (column.left + GAP / 2, top(row) + 4);
        let width = column.width - GAP;
        html! {
            rect.cell x=(left) y=(y) width=(width) height=(ROW - 8) rx="4" {}
            @match self.lines.anchor(file, line) {
                Some(anchor) => a href={ "#" (anchor) } { text.line x=(left + 4) y=(y + 14) { ":" (line) } },
                None => @if line > 0 { text.line x=(left + 4) y=(y + 14) { ":" (line) } },
            }
            text.what x=(left + BADGE) y=(y + 14) { (cut(text, width - BADGE)) }
        }
    }

    /// An arrow between a thread and its own buffer.
    fn beside(&self, row: usize, column: &Column, into: bool) -> Markup {
        let stored = self.waiting.iter().find(|waiting| waiting.from == row);
        let right = stored.map_or(column.buffer + GAP / 2, |waiting| column.slot_left(waiting.slot));
        let (y, left) = (middle(row), column.buffer - GAP / 2);
        html! {
            line.arrow x1=(left) x2=(right) y1=(y) y2=(y) {}
            @if into { path.tip d={ "M" (right) " " (y) " l-6 -4 v8 z" } {} } @else { path.tip d={ "M" (left) " " (y) " l6 -4 v8 z" } {} }
        }
    }

    /// The mark at a store in another thread's buffer that a load does not see.
    fn missed(&self, row: usize, thread: usize, unseen: &Unseen<'_>) -> Markup {
        let is_one = |waiting: &&BufferSpan| {
            let lasts = waiting.to.is_none_or(|to| to > row);
            let fits = unseen.thread == waiting.thread && unseen.stores.contains(&waiting.text.as_str());
            fits && waiting.from < row && lasts
        };
        let Some(waiting) = self.waiting.iter().find(is_one) else { return html! {} };
        let (own, their) = (self.column(thread), self.column(unseen.thread));
        let bar = their.slot_left(waiting.slot);
        let (from, to) =
            if bar < own.left { (own.left + GAP / 2, bar + their.slot - GAP / 2) } else { (own.buffer - GAP / 2, bar) };
        let y = middle(row);
        html! {
            line.missed x1=(from) x2=(to) y1=(y) y2=(y) {}
            path.missed d={ "M" (to.saturating_sub(4)) " " (y - 4) " l8 8 m-8 0 l8 -8" } {}
        }
    }

    /// The end of the execution for one thread.
    fn end(&self, thread: usize, text: &str, line: u32) -> Markup {
        let column = self.column(thread);
        html! {
            g class="event end" data-thread=(thread) {
                title { "thread " (thread) ": " (text) }
                (self.cell(self.events.len(), column, &format!("✗ {text}"), line, &self.end_file(thread)))
            }
        }
    }

    fn end_file(&self, thread: usize) -> String {
        let waits = self.violation.related.iter();
        let place = waits.filter(|place| place.what.starts_with("waits in")).find(|place| place.thread == thread);
        place.map_or(&self.violation.file, |place| &place.file).clone()
    }
}

/// A full description of an event.
pub fn words(event: &TraceEvent) -> String {
    let file = event.file.rsplit('/').next().unwrap_or_default();
    let line = if event.line == 0 { String::new() } else { format!(" at {file}:{}", event.line) };
    let place = if event.function.is_empty() { line } else { format!(" in {}{line}", event.function) };
    let mut text = format!("step {}, thread {},{place}: {}", event.step, event.thread, what_happens(event));
    if is_buffered(event) {
        text += " (it waits in the store buffer, other threads do not see it yet)";
    }
    if let Some(unseen) = unseen(event) {
        text += &format!(" (thread {}'s {} still in its store buffer)", unseen.thread, unseen.describe());
    }
    text
}

/// The legend of the pictures.
pub fn legend() -> Markup {
    html! {
        section.legend {
            h2 { "How to read the pictures" }
            ul {
                li { "Time goes down. Each row is one thing that happens, in the lane of the thread that does it. The number before it is its line in the source." }
                li {
                    "A " em { "store" } " goes to its thread's store buffer and waits there: that is the bar beside the lane. Where the bar ends, an arrow shows how the value reaches memory. "
                    "Until then no other thread sees it."
                }
                li {
                    "A " em { "load" } " sees the newest store of its own thread that is still in its buffer, else what is in memory. One that is " span.stale { "marked" }
                    " would have seen another value, had the store it is joined with been in memory already: look there first."
                }
                li { "A number that looks like " code { "0x10004000020" } " is an address; what is there is said when you point at it." }
                li { span.end { "✗" } " is where it goes wrong." }
            }
        }
    }
}
