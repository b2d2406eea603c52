//! The numbers that the histories of a worker have in the table of all workers.

use crate::engine::stateless::reads_from::histories::{Histories, HistoryId};
use crate::engine::stateless::reads_from::sequences::Sequences;

/// The number of a history in the table of all workers. 0 is that of the history without steps.
pub type SharedId = u32;

/// The numbers of the histories of a worker, as far as they were asked for.
#[derive(Default)]
pub struct Numbers {
    /// For each history its number in the table, or 0.
    shared: Vec<SharedId>,
    /// Histories whose numbers are being found.
    open: Vec<HistoryId>,
}

impl Numbers {
    /// The number of a history in the table.
    pub fn shared(&mut self, histories: &Histories, table: &Sequences, id: HistoryId) -> SharedId {
        if self.known(id).is_none() {
            self.find(histories, table, id);
        }
        self.known(id).expect("it was found")
    }

    /// The histories of threads by their numbers in the table.
    pub fn all_shared(&mut self, histories: &Histories, table: &Sequences, ids: &[HistoryId]) -> Vec<SharedId> {
        ids.iter().map(|&id| self.shared(histories, table, id)).collect()
    }

    fn known(&self, id: HistoryId) -> Option<SharedId> {
        if id == 0 {
            return Some(0);
        }
        self.shared.get(id as usize).copied().filter(|&shared| shared != 0)
    }

    /// Finds the number of a history, after those of the histories that it names.
    fn find(&mut self, histories: &Histories, table: &Sequences, id: HistoryId) {
        let mut open = std::mem::take(&mut self.open);
        open.push(id);
        while let Some(&id) = open.last() {
            let before = open.len();
            open.extend(histories.named(id).filter(|&named| self.known(named).is_none()));
            if open.len() > before {
                continue;
            }
            open.pop();
            if self.known(id).is_some() {
                continue;
            }
            let name = histories.renamed(id, |named| self.known(named).expect("it was found before"));
            let (shared, _) = table.insert(name);
            if self.shared.len() <= id as usize {
                self.shared.resize(id as usize + 1, 0);
            }
            self.shared[id as usize] = shared;
        }
        self.open = open;
    }
}
