//! The answers to the questions a step asks, and the enumeration of all of them.

use rmc_runtime::Choose;

/// The answers given so far, and the number of alternatives of each.
///
/// A step is run with the prescribed answers. After these, the first alternative is taken.
/// [`ChoiceSequence::advance`] prescribes the next answers in lexicographic order, until every combination
/// was run.
#[derive(Clone, Debug, Default)]
pub struct ChoiceSequence {
    answers: Vec<u32>,
    alternatives: Vec<(Alternatives, ChoiceKind)>,
    asked: usize,
    /// The kind of the question to which [`Self::advance`] last gave another answer.
    advanced: ChoiceKind,
}

/// The possible answers to a question, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Alternatives {
    /// All numbers below this one.
    Below(u32),
    /// These. There is at least one.
    Named(Box<[u32]>),
}

impl Alternatives {
    /// The first answer after one that was given.
    fn after(&self, answer: u32) -> Option<u32> {
        match self {
            Self::Below(count) => Some(answer + 1).filter(|next| next < count),
            Self::Named(names) => names.iter().copied().find(|&name| name > answer),
        }
    }

    fn contains(&self, answer: u32) -> bool {
        match self {
            Self::Below(count) => answer < *count,
            Self::Named(names) => names.binary_search(&answer).is_ok(),
        }
    }

    fn has_several(&self) -> bool {
        match self {
            Self::Below(count) => *count > 1,
            Self::Named(names) => names.len() > 1,
        }
    }
}

/// The kinds of questions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChoiceKind {
    /// The moment at which delayed stores reach memory.
    #[default]
    Flush,
    /// The choice of a thread.
    Schedule,
    /// The value of an input, or whether something fails.
    Data,
    /// Which part of its values an input is in.
    Input,
    /// Where the values of inputs are given: whether two equal values were known to be equal while they were
    /// open.
    Equality,
}

impl ChoiceSequence {
    /// A sequence that prescribes these answers.
    #[must_use]
    pub fn prescribed(answers: &[u32]) -> Self {
        Self { answers: answers.to_vec(), ..Self::default() }
    }

    /// Clears everything. The next run takes first alternatives.
    pub fn clear(&mut self) {
        self.answers.clear();
        self.alternatives.clear();
        self.asked = 0;
    }

    /// Prescribes other answers, and forgets everything else.
    pub fn prescribe(&mut self, answers: &[u32]) {
        self.clear();
        self.answers.extend_from_slice(answers);
    }

    /// Begins a run.
    pub fn rewind(&mut self) {
        self.asked = 0;
        self.alternatives.clear();
    }

    /// Prescribes the next combination after a run. The result is false if there is none.
    pub fn advance(&mut self) -> bool {
        let next = |at: usize| self.alternatives[at].0.after(self.answers[at]).map(|next| (at, next));
        let Some((last, next)) = (0..self.asked).rev().find_map(next) else { return false };
        self.answers.truncate(last + 1);
        self.answers[last] = next;
        self.advanced = self.alternatives[last].1;
        true
    }

    /// The kind of the question to which the last [`Self::advance`] gave another answer.
    #[must_use]
    pub const fn advanced(&self) -> ChoiceKind {
        self.advanced
    }

    /// The answers prescribed for the next run.
    #[must_use]
    pub fn prescribed_answers(&self) -> &[u32] {
        &self.answers
    }

    /// The answers of the last run.
    #[must_use]
    pub fn answers(&self) -> &[u32] {
        &self.answers[..self.asked]
    }

    /// The answers of the last run to questions that are not about the values of inputs, each with the number
    /// of answers before it.
    pub fn answers_but_of_inputs(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        let asked = self.alternatives.iter().zip(self.answers()).enumerate();
        asked.filter(|(_, ((_, kind), _))| *kind != ChoiceKind::Input).map(|(at, (_, &answer))| (at, answer))
    }

    /// True if a question with several answers was asked in this run so far.
    #[must_use]
    pub fn has_branched(&self) -> bool {
        let branches = |(alternatives, kind): &(Alternatives, ChoiceKind)| {
            alternatives.has_several() && *kind != ChoiceKind::Equality
        };
        self.alternatives.iter().any(branches)
    }

    /// True if this run asked so far which part of its values an input is in.
    #[must_use]
    pub fn has_asked_of_inputs(&self) -> bool {
        self.alternatives.iter().any(|(_, kind)| *kind == ChoiceKind::Input)
    }

    /// True if the last run asked as many questions as there are prescribed answers, and all answers were in
    /// range. Otherwise the schedule does not belong to this program.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        self.asked == self.answers.len() && self.is_in_range()
    }

    /// True if all answers of the last run were in range.
    #[must_use]
    pub fn is_in_range(&self) -> bool {
        self.answers.iter().zip(&self.alternatives).all(|(&answer, (alternatives, _))| alternatives.contains(answer))
    }

    /// Asks a question with `n` answers, and returns the number of the answer.
    pub fn ask(&mut self, question: ChoiceKind, n: usize) -> usize {
        let n = u32::try_from(n).expect("few alternatives");
        if self.asked == self.answers.len() {
            self.answers.push(0);
        }
        let answer = self.answers[self.asked].min(n - 1);
        self.alternatives.push((Alternatives::Below(n), question));
        self.asked += 1;
        answer as usize
    }

    /// Asks a question whose possible answers are these numbers, ascending, and returns the answer. `None`:
    /// the prescribed answer is not possible.
    ///
    /// # Panics
    /// If there is no answer.
    pub fn ask_named(&mut self, question: ChoiceKind, names: &[u32]) -> Option<u32> {
        if self.asked == self.answers.len() {
            self.answers.push(names[0]);
        }
        let answer = self.answers[self.asked];
        self.alternatives.push((Alternatives::Named(names.into()), question));
        self.asked += 1;
        names.contains(&answer).then_some(answer)
    }
}

impl Choose for ChoiceSequence {
    fn choose(&mut self, n: usize) -> usize {
        self.ask(ChoiceKind::Flush, n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_run_once() {
        let (mut choices, mut runs) = (ChoiceSequence::default(), Vec::new());
        loop {
            choices.rewind();
            let first = choices.choose(2);
            // The second question is only asked after the first answer 1.
            let second = if first == 1 { choices.choose(3) } else { 9 };
            runs.push((first, second));
            if !choices.advance() {
                break;
            }
        }
        assert_eq!(runs, [(0, 9), (1, 0), (1, 1), (1, 2)]);
    }

    #[test]
    fn named_answers_are_given_in_order_and_only_where_they_are_possible() {
        let (mut choices, mut runs) = (ChoiceSequence::default(), Vec::new());
        loop {
            choices.rewind();
            let first = choices.ask_named(ChoiceKind::Input, &[1, 7]);
            let second = choices.ask_named(ChoiceKind::Input, if first == Some(1) { &[0] } else { &[0, 5] });
            runs.push((first, second));
            if !choices.advance() {
                break;
            }
        }
        let expected = [(1, 0), (7, 0), (7, 5)].map(|(first, second)| (Some(first), Some(second)));
        assert_eq!(runs, expected);
        choices.prescribe(&[3]);
        choices.rewind();
        assert_eq!(choices.ask_named(ChoiceKind::Input, &[1, 7]), None);
        assert!(!choices.is_consistent());
    }
}
