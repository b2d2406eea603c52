//! The answers to the questions a step asks, and the enumeration of all of them.

use rmc_runtime::Choose;

/// Answers given so far, and how many alternatives there were.
///
/// A step is run with the answers prescribed; where they end, the first alternative is taken.
/// [`ChoiceSequence::advance`] prescribes the next answers in lexicographic order, until every combination
/// was run.
#[derive(Clone, Debug, Default)]
pub struct ChoiceSequence {
    answers: Vec<u32>,
    alternatives: Vec<(u32, ChoiceKind)>,
    asked: usize,
    /// The question that [`Self::advance`] last gave another answer.
    advanced: ChoiceKind,
}

/// What is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChoiceKind {
    /// When delayed stores reach memory.
    #[default]
    Flush,
    /// Which thread goes on.
    Schedule,
    /// Which value an input has, or whether something fails.
    Data,
}

impl ChoiceSequence {
    /// A script that prescribes these answers.
    #[must_use]
    pub fn prescribed(answers: &[u32]) -> Self {
        Self { answers: answers.to_vec(), ..Self::default() }
    }

    /// Forgets everything: the next run takes first alternatives.
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

    /// Prescribes the next combination after a run. False if there is none.
    pub fn advance(&mut self) -> bool {
        let last = (0..self.asked).rev().find(|&at| self.answers[at] + 1 < self.alternatives[at].0);
        let Some(last) = last else { return false };
        self.answers.truncate(last + 1);
        self.answers[last] += 1;
        self.advanced = self.alternatives[last].1;
        true
    }

    /// What the question is about that has another answer since the last [`Self::advance`].
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

    /// Whether a question with several answers was asked in this run so far.
    #[must_use]
    pub fn has_branched(&self) -> bool {
        self.alternatives.iter().any(|&(alternatives, _)| alternatives > 1)
    }

    /// Whether a prescribed answer was out of range in the last run: the schedule does not belong to this
    /// program.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        self.asked == self.answers.len() && self.answers.iter().zip(&self.alternatives).all(|(a, (n, _))| a < n)
    }

    /// Asks a question with `n` answers, and gives the number of the answer.
    pub fn ask(&mut self, question: ChoiceKind, n: usize) -> usize {
        let n = u32::try_from(n).expect("few alternatives");
        if self.asked == self.answers.len() {
            self.answers.push(0);
        }
        let answer = self.answers[self.asked].min(n - 1);
        self.alternatives.push((n, question));
        self.asked += 1;
        answer as usize
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
        let (mut script, mut runs) = (ChoiceSequence::default(), Vec::new());
        loop {
            script.rewind();
            let first = script.choose(2);
            // The second question is asked only after the first answer 1.
            let second = if first == 1 { script.choose(3) } else { 9 };
            runs.push((first, second));
            if !script.advance() {
                break;
            }
        }
        assert_eq!(runs, [(0, 9), (1, 0), (1, 1), (1, 2)]);
    }
}
