//! The memory models, the memory orders of C and LLVM, and the effect of each order in each model.
//!
//! | order of the access | TSO | PSO |
//! |---|---|---|
//! | plain, relaxed store | store | store |
//! | release store | store | store-store barrier, store |
//! | seq_cst store | store, full fence | store-store barrier, store, full fence |
//! | any load | load | load |
//! | any read-modify-write | full fence, atomic access | the same |
//! | acquire fence | nothing | nothing |
//! | release, acq_rel fence | nothing | store-store barrier |
//! | seq_cst fence | full fence | full fence |
//!
//! Under SC nothing is ever pending, so no barrier is needed. With `weak_release`, release stores and fences
//! do nothing under PSO, as in Nidhugg (Abdulla et al., *Stateless model checking for TSO and PSO*, TACAS
//! 2015), so that results can be compared; a seq_cst store keeps both of its barriers.

use std::fmt;
use std::str::FromStr;

use rmc_abi::MemoryOrder;

/// A memory model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Model {
    /// Sequential consistency: a store reaches memory at once.
    Sc,
    /// Total store order: one first-in first-out store buffer per thread.
    Tso,
    /// Partial store order: stores of a thread to different bytes may overtake each other.
    Pso,
}

impl Model {
    /// All models, strongest first.
    pub const ALL: [Model; 3] = [Model::Sc, Model::Tso, Model::Pso];
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Model::Sc => "sc",
            Model::Tso => "tso",
            Model::Pso => "pso",
        })
    }
}

/// A name that is none of `sc`, `tso`, `pso`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownModel(pub String);

impl fmt::Display for UnknownModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown memory model '{}' (expected sc, tso or pso)", self.0)
    }
}

impl std::error::Error for UnknownModel {}

impl FromStr for Model {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Self, UnknownModel> {
        Model::ALL.into_iter().find(|model| model.to_string() == name).ok_or_else(|| UnknownModel(name.to_owned()))
    }
}

fn releases(order: MemoryOrder) -> bool {
    matches!(order, MemoryOrder::Release | MemoryOrder::AcqRel)
}

/// The barrier of a thread beside an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Barrier {
    /// No barrier.
    None,
    /// [`store_barrier`](crate::Buffers::store_barrier): later stores of the thread stay behind its earlier
    /// ones.
    StoreStore,
    /// [`fence`](crate::Buffers::fence): earlier stores of the thread are in the past.
    Full,
}

/// The effects of the memory orders in one model. The table is in the header of this file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderRules {
    /// The model.
    pub model: Model,
    /// Release stores and release fences are plain under PSO.
    pub weak_release: bool,
}

impl OrderRules {
    /// The barrier before a store of this order.
    pub fn before_store(self, order: MemoryOrder) -> Barrier {
        let release = releases(order) && !self.weak_release;
        self.store_store(release || order == MemoryOrder::SeqCst)
    }

    /// The barrier after a store of this order.
    pub fn after_store(self, order: MemoryOrder) -> Barrier {
        self.full(order == MemoryOrder::SeqCst)
    }

    /// The barrier of a fence of this order.
    pub fn fence(self, order: MemoryOrder) -> Barrier {
        match self.full(order == MemoryOrder::SeqCst) {
            Barrier::None => self.store_store(releases(order) && !self.weak_release),
            full => full,
        }
    }

    fn store_store(self, wanted: bool) -> Barrier {
        if wanted && self.model == Model::Pso { Barrier::StoreStore } else { Barrier::None }
    }

    fn full(self, wanted: bool) -> Barrier {
        if wanted && self.model != Model::Sc { Barrier::Full } else { Barrier::None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for model in Model::ALL {
            assert_eq!(model.to_string().parse(), Ok(model));
        }
        assert_eq!("arm".parse::<Model>(), Err(UnknownModel("arm".to_owned())));
    }

    #[test]
    fn orders_mean_what_the_table_says() {
        use MemoryOrder::{AcqRel, Acquire, Plain, Relaxed, Release, SeqCst};
        let table = |model, weak_release| {
            let rules = OrderRules { model, weak_release };
            [Plain, Relaxed, Acquire, Release, AcqRel, SeqCst]
                .map(|order| (rules.before_store(order), rules.after_store(order), rules.fence(order)))
        };
        let nothing = (Barrier::None, Barrier::None, Barrier::None);
        let release = (Barrier::StoreStore, Barrier::None, Barrier::StoreStore);
        let strong = (Barrier::StoreStore, Barrier::Full, Barrier::Full);
        let tso_strong = (Barrier::None, Barrier::Full, Barrier::Full);
        assert_eq!(table(Model::Sc, false), [nothing; 6]);
        assert_eq!(table(Model::Tso, false), [nothing, nothing, nothing, nothing, nothing, tso_strong]);
        assert_eq!(table(Model::Pso, false), [nothing, nothing, nothing, release, release, strong]);
        assert_eq!(table(Model::Pso, true), [nothing, nothing, nothing, nothing, nothing, strong]);
    }
}
