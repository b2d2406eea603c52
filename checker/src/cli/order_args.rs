//! Options about the order in which the explicit engine explores.

use clap::Args;

use crate::engine::SearchOrder;
use crate::engine::explicit::preemptions::UNSOUND;
use crate::system::Reductions;

/// Options about the order of the search.
#[derive(Clone, Debug, Args)]
pub struct OrderArgs {
    /// Explore in this order, which decides what counterexample is found [default: steps]
    ///
    /// A preemption is a switch from a thread that could go on; a thread that waits for a lock cannot, one
    /// that goes round in a waiting loop can. Stores reach memory freely. With preemptions the reductions
    /// guarded, sleep, symmetry, inputs and subsumption are not used, and no checkpoints are saved. Only with
    /// the explicit engine.
    #[arg(long, value_enum, value_name = "ORDER", conflicts_with_all = ["cross_check", "checkpoint", "resume"])]
    order: Option<SearchOrder>,

    /// Explore executions with at most N preemptions; implies --order preemptions
    ///
    /// If the bound left anything out, the verdict is `unknown` unless a violation was found.
    #[arg(long, value_name = "N", conflicts_with_all = ["cross_check", "checkpoint", "resume"])]
    pub context_bound: Option<u32>,
}

impl OrderArgs {
    /// The order of the search.
    #[must_use]
    pub fn order(&self) -> SearchOrder {
        if self.context_bound.is_some() { SearchOrder::Preemptions } else { self.order.unwrap_or_default() }
    }

    /// The option that was given and that needs the order of preemptions, if any.
    #[must_use]
    pub fn given(&self) -> Option<&'static str> {
        let order = (self.order == Some(SearchOrder::Preemptions)).then_some("--order preemptions");
        self.context_bound.map(|_| "--context-bound").or(order)
    }

    /// True if the order is named, and is not the one that the bound needs.
    #[must_use]
    pub fn contradict(&self) -> bool {
        self.context_bound.is_some() && self.order == Some(SearchOrder::Steps)
    }

    /// The reductions of `asked` that are sound in this order.
    #[must_use]
    pub fn sound(&self, asked: Reductions) -> Reductions {
        match self.order() {
            SearchOrder::Steps => asked,
            SearchOrder::Preemptions => asked.without_all(UNSOUND),
        }
    }
}
