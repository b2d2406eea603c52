//! Histories from text, by recursive descent: a function for each kind of statement.

use rmc_runtime::Model;

use super::cursor::Cursor;
use crate::error::{InputError, Position, Problem};
use crate::located::{Located, Positions};
use crate::recorded::{
    Bytes, EventName, Load, Operation, Origin, Part, Recorded, SourceName, Store, Thread, is_plain_name,
};

/// The words with which events begin.
const EVENTS: [&str; 8] = ["r", "w", "rmw", "failed-cas", "fence", "stbar", "lock", "unlock"];

/// Reads the histories of a file.
///
/// # Errors
/// The text is not in the format.
pub fn parse(text: &str, file: &str) -> Result<Vec<Located>, InputError> {
    let mut parser = Parser { cursor: Cursor::new(text), histories: Vec::new(), thread: None };
    parser.parse().map_err(|(at, problem)| InputError { place: format!("{file}:{at}"), problem })?;
    if parser.histories.is_empty() {
        return Err(InputError { place: file.to_owned(), problem: Problem::NoHistory });
    }
    Ok(parser.histories)
}

/// A problem at a position.
type Failure = (Position, Problem);

struct Parser<'t> {
    cursor: Cursor<'t>,
    histories: Vec<Located>,
    /// The thread that events belong to, in the last history.
    thread: Option<usize>,
}

impl Parser<'_> {
    fn parse(&mut self) -> Result<(), Failure> {
        loop {
            self.cursor.skip_separators();
            if self.cursor.peek().is_none() {
                return Ok(());
            }
            self.statement()?;
        }
    }

    /// One statement, or the name of a thread with its colon.
    fn statement(&mut self) -> Result<(), Failure> {
        let at = self.cursor.position();
        if self.cursor.peek() == Some('"') {
            let name = self.name("the name of a thread", "T1: w x 1")?;
            self.expect_symbol(":", "`:` after the name of a thread", "T1: w x 1")?;
            self.begin_thread(name, at);
            return Ok(());
        }
        let word = self.cursor.word();
        if !word.is_empty() && self.cursor.take(":") {
            if !is_plain_name(word) {
                return Err((at, expected("a name of letters, digits, `_` and `.`", word, "\"my thread\": w x 1")));
            }
            self.begin_thread(word.to_owned(), at);
            return Ok(());
        }
        if EVENTS.contains(&word) {
            let operation = self.event(word, at)?;
            self.end()?;
            return self.add_event(operation, at);
        }
        self.thread = None;
        match word {
            "history" => self.history(at)?,
            "size" => self.sizes(at)?,
            "init" => self.initial_values(at)?,
            "final" => self.final_value(at)?,
            "expect" => self.expectation(at)?,
            _ => {
                let found = if word.is_empty() { self.cursor.found() } else { word.to_owned() };
                return Err((at, Problem::UnknownWord(found.trim_matches('`').to_owned())));
            }
        }
        self.end()
    }

    fn history(&mut self, at: Position) -> Result<(), Failure> {
        let name = if self.cursor.is_at_end() {
            None
        } else {
            let found = self.cursor.found();
            let name = self.cursor.history_name();
            Some(name.ok_or_else(|| {
                (self.cursor.position(), expected("the name of a history", &found, "history \"store buffering\""))
            })?)
        };
        let recorded = Recorded { name, ..Recorded::default() };
        self.histories.push(Located { recorded, positions: Positions::at(at) });
        Ok(())
    }

    /// The history that statements belong to.
    fn current(&mut self, at: Position) -> &mut Located {
        if self.histories.is_empty() {
            self.histories.push(Located { recorded: Recorded::default(), positions: Positions::at(at) });
        }
        self.histories.last_mut().expect("there is one now")
    }

    fn begin_thread(&mut self, name: String, at: Position) {
        let current = self.current(at);
        let threads = &mut current.recorded.threads;
        let number = threads.iter().position(|thread| thread.name == name).unwrap_or(threads.len());
        if number == threads.len() {
            threads.push(Thread { name, events: Vec::new() });
            current.positions.events.push(Vec::new());
        }
        self.thread = Some(number);
    }

    fn add_event(&mut self, operation: Operation, at: Position) -> Result<(), Failure> {
        let Some(thread) = self.thread else { return Err((at, Problem::NoThread(operation.to_string()))) };
        let current = self.current(at);
        current.recorded.threads[thread].events.push(operation);
        current.positions.events[thread].push(at);
        Ok(())
    }

    fn event(&mut self, word: &str, at: Position) -> Result<Operation, Failure> {
        Ok(match word {
            "r" => Operation::Load(self.load(word, at)?),
            "w" => Operation::Store(Store { part: self.part("w x 1")?, value: self.value()? }),
            "rmw" => {
                let load = self.load(word, at)?;
                let value = if self.cursor.take("->") { Some(self.number(64, "rmw x 0 -> 1")?) } else { None };
                Operation::Update(load, value)
            }
            "failed-cas" => Operation::FailedExchange(self.load(word, at)?),
            "fence" => Operation::Fence,
            "stbar" => Operation::StoreBarrier,
            "lock" => {
                let mutex = self.name("a mutex", "lock m from T1:2")?;
                if !self.cursor.take_word("from") {
                    return Err((at, Problem::NoUnlock(mutex)));
                }
                Operation::Lock { mutex, from: self.source("lock m from T1:2")? }
            }
            _ => Operation::Unlock { mutex: self.name("a mutex", "unlock m")? },
        })
    }

    /// A part, and its value or sources.
    fn load(&mut self, word: &str, at: Position) -> Result<Load, Failure> {
        let (part, value) = (self.part("r x 1")?, self.value()?);
        let mut from = Vec::new();
        if self.cursor.take_word("from") {
            from.push(self.origin()?);
            while self.cursor.take(",") {
                from.push(self.origin()?);
            }
        }
        if value.is_none() && from.is_empty() {
            return Err((at, Problem::NothingRead(format!("{word} {part}"))));
        }
        Ok(Load { part, value, from })
    }

    fn origin(&mut self) -> Result<Origin, Failure> {
        let example = "r x/2 from T1:1 for x/1, init for x+1/1";
        let source = self.source(example)?;
        let part = if self.cursor.take_word("for") { Some(self.part(example)?) } else { None };
        Ok(Origin { source, part })
    }

    fn source(&mut self, example: &'static str) -> Result<SourceName, Failure> {
        let name = self.name("a source", example)?;
        if name == "init" && !self.cursor.take(":") {
            return Ok(SourceName::Initial);
        }
        if name != "init" {
            self.expect_symbol(":", "`:` and the number of the event", example)?;
        }
        let number = self.number(32, example)? as u32;
        Ok(SourceName::Event(EventName { thread: name, number }))
    }

    fn part(&mut self, example: &'static str) -> Result<Part, Failure> {
        self.cursor.skip_blanks();
        let at = self.cursor.position();
        let variable = self.name("a variable", example)?;
        let offset = if self.cursor.take("+") { Some(self.number(32, "r x+2/4 1")? as u32) } else { None };
        let len = if self.cursor.take("/") { Some(self.number(32, "r x+2/4 1")? as u32) } else { None };
        let bytes = match (offset, len) {
            (None, None) => None,
            (Some(offset), None) => return Err((at, Problem::NoPartSize(format!("{variable}+{offset}")))),
            (offset, Some(len)) => Some(Bytes { offset: offset.unwrap_or(0), len }),
        };
        Ok(Part { variable, bytes })
    }

    fn value(&mut self) -> Result<Option<u64>, Failure> {
        if self.cursor.is_at_number() { self.number(64, "w x 1").map(Some) } else { Ok(None) }
    }

    fn sizes(&mut self, at: Position) -> Result<(), Failure> {
        self.assignments("size x=4", 32, |parser, variable, size| {
            let twice = Problem::Twice(format!("the size of {variable}"));
            let known = parser.current(at).recorded.sizes.insert(variable, size as u32);
            known.map_or(Ok(()), |_| Err(twice))
        })
    }

    fn initial_values(&mut self, at: Position) -> Result<(), Failure> {
        self.assignments("init x=1", 64, |parser, variable, value| {
            let twice = Problem::Twice(format!("the initial value of {variable}"));
            let known = parser.current(at).recorded.initial.insert(variable, value);
            known.map_or(Ok(()), |_| Err(twice))
        })
    }

    /// Variables with numbers.
    fn assignments(
        &mut self,
        example: &'static str,
        bits: u32,
        mut assign: impl FnMut(&mut Self, String, u64) -> Result<(), Problem>,
    ) -> Result<(), Failure> {
        loop {
            self.cursor.skip_blanks();
            let at = self.cursor.position();
            let variable = self.name("a variable", example)?;
            self.expect_symbol("=", "`=`", example)?;
            let number = self.number(bits, example)?;
            assign(self, variable, number).map_err(|problem| (at, problem))?;
            self.cursor.take(",");
            if self.cursor.is_at_end() {
                return Ok(());
            }
        }
    }

    fn final_value(&mut self, at: Position) -> Result<(), Failure> {
        let load = self.load("final", at)?;
        let current = self.current(at);
        current.recorded.finals.push(load);
        current.positions.finals.push(at);
        Ok(())
    }

    fn expectation(&mut self, at: Position) -> Result<(), Failure> {
        let example = "expect sc no, tso yes, pso yes";
        loop {
            let model = self.choice("a model: sc, tso or pso", example, |word| word.parse::<Model>().ok())?;
            let is_allowed = self.choice("yes or no", example, |word| match word {
                "yes" => Some(true),
                "no" => Some(false),
                _ => None,
            })?;
            let known = self.current(at).recorded.expect.of_mut(model).replace(is_allowed);
            if known.is_some() {
                return Err((at, Problem::Twice(format!("the expectation for {model}"))));
            }
            self.cursor.take(",");
            if self.cursor.is_at_end() {
                return Ok(());
            }
        }
    }

    /// A word that means something.
    fn choice<T>(
        &mut self,
        what: &'static str,
        example: &'static str,
        meaning: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Failure> {
        let found = self.cursor.found();
        let at = self.cursor.position();
        meaning(self.cursor.word()).ok_or_else(|| (at, expected(what, &found, example)))
    }

    fn name(&mut self, what: &'static str, example: &'static str) -> Result<String, Failure> {
        let name = self.cursor.name();
        name.ok_or_else(|| (self.cursor.position(), expected(what, &self.cursor.found(), example)))
    }

    fn number(&mut self, bits: u32, example: &'static str) -> Result<u64, Failure> {
        let is_number = self.cursor.is_at_number();
        let at = self.cursor.position();
        if !is_number {
            return Err((at, expected("a number", &self.cursor.found(), example)));
        }
        self.cursor.number(bits).map_err(|problem| (at, problem))
    }

    fn expect_symbol(&mut self, symbol: &str, what: &'static str, example: &'static str) -> Result<(), Failure> {
        if self.cursor.take(symbol) {
            return Ok(());
        }
        Err((self.cursor.position(), expected(what, &self.cursor.found(), example)))
    }

    /// The end of a statement.
    fn end(&mut self) -> Result<(), Failure> {
        if self.cursor.is_at_end() {
            return Ok(());
        }
        let found = self.cursor.found();
        Err((self.cursor.position(), expected("the end of the line or `;`", &found, "T1: w x 1; r y 0")))
    }
}

fn expected(expected: &'static str, found: &str, example: &'static str) -> Problem {
    Problem::Expected { expected, found: found.to_owned(), example }
}
