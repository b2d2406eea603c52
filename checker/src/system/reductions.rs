//! The reductions of the explicit engine by name, each with why it may be made, its source and its place.
//!
//! A reduction leaves states or steps out that would show nothing new. Each can be switched off
//! (`--no-reduce`), alone or with others, to measure what it gives, or to let its result be compared with
//! what is found without it. Stateless engines know only `private`; the other ideas are part of how they
//! work. Two are part of what an answer means: without `private` a loop that waits but writes local memory in
//! every round counts as doing something, so that no deadlock is reported of it; without `paths` the process
//! may end between a thread's creation and an assumption that rules the execution out, which adds final
//! states.
//!
//! * **dead**: registers that no path reads before it writes them are not stored, and the content of a local
//!   variable that is out of scope is forgotten. What a thread does depends only on what it reads, so states
//!   that differ there alone have the same future. Classic live-variable analysis: Aho, Lam, Sethi, Ullman,
//!   *Compilers*, 2nd ed., 2006, section 9.2.5; for states: Bozga, Fernandez, Ghirvu, *State Space Reduction
//!   Based on Live Variables Analysis*, SAS 1999. In `ir/liveness.rs` and `lifetime.rs`.
//! * **paths**: a step goes on as long as no other thread can notice what it does. Operations nobody else can
//!   notice commute with all steps of the others and disable none, so every execution has the same
//!   observations as one in which they follow their predecessor at once; a step is cut after `BUDGET` of
//!   `step.rs` jumps, so nothing is put off for ever. Lipton, *Reduction: A Method of Proving Properties of
//!   Parallel Programs*, CACM 18(12), 1975; Godefroid, *Model Checking for Programming Languages using
//!   VeriSoft*, POPL 1997. Without it each operation on memory or of the library is a step. In `step.rs`.
//! * **stores**: under TSO and PSO stores into the buffer and store-store barriers are no scheduling points.
//!   They change the buffer of their thread only, and that the store has no place in the order of memory yet;
//!   whoever looks later decides it then, with all the choices there were before (`rmc_runtime`). So they
//!   commute with all steps of the others. Štill and Barnat, *Model Checking of C++ Programs under the
//!   x86-TSO Memory Model*, ICFEM 2018. Under SC stores are visible. In `access.rs` and `step.rs`.
//! * **private**: accesses to memory are not visible while its address is in no place that another thread can
//!   read. Who cannot form the address cannot conflict with the access. It is known from stores of addresses,
//!   whole pointers at a time; where an address travels otherwise the run notices when it is used, and is
//!   repeated without the reduction. Štill and Barnat, section "Dynamic Local Memory Detection". In
//!   `lifetime.rs`.
//! * **guarded**: accesses to shared memory are not visible where all threads use it so that others stay out:
//!   nobody writes it, one thread alone uses it, or all who do hold one mutex. Nor is the unlocking of a
//!   mutex that nobody tries to lock without waiting. Such operations move left over those of all other
//!   threads. What is used how is guessed, checked during the search, and the search repeated with fewer
//!   guesses if one was wrong. Stoller and Cohen, *Optimistic Synchronization-Based State-Space Reduction*,
//!   TACAS 2003. Nothing is guessed with `--races` or leaks, which look at all orders and all memory, nor of
//!   programs in which a detached thread ends. Counterexamples are shortest in steps that go on over these
//!   operations. In `guards.rs`, with why.
//! * **sleep**: of two steps that commute only one order is taken, by sleep sets that need no memory of their
//!   own. It saves steps, not states: these are the same, and at the same distances. Godefroid,
//!   *Partial-Order Methods for the Verification of Concurrent Systems*, LNCS 1032, 1996. In
//!   `engine/explicit/sleep.rs`, with why.
//! * **symmetry**: of states that differ only in which thread has which number one stands for all. Steps do
//!   the same whatever number a thread has; what tells numbers apart is noticed, and the program is explored
//!   again without. `main` joins its threads only when all have ended, where it would do nothing else in
//!   between. Ip and Dill, *Better Verification Through Symmetry*, Formal Methods in System Design 9, 1996.
//!   In `symmetry/`, with why. Not with `--races` or leaks; where it is used `sleep` is not. Counterexamples
//!   are executions with the program's own numbers, of the same length as those found without, but for joins.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reduction {
    /// Dead registers and local variables are not stored.
    Dead,
    /// A step goes on over operations that no other thread can notice.
    Paths,
    /// Stores into a buffer and store-store barriers are no scheduling points.
    Stores,
    /// Accesses to memory that no other thread can know are not visible.
    Private,
    /// Accesses to memory that is used so that other threads stay out, and unlocks of most mutexes, are not
    /// visible.
    Guarded,
    /// Of two steps that commute only one order is taken.
    Sleep,
    /// Of states that differ only in which thread has which number, one stands for all.
    Symmetry,
}

impl Reduction {
    /// All reductions.
    pub const ALL: [Self; 7] =
        [Self::Dead, Self::Paths, Self::Stores, Self::Private, Self::Guarded, Self::Sleep, Self::Symmetry];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dead => "dead",
            Self::Paths => "paths",
            Self::Stores => "stores",
            Self::Private => "private",
            Self::Guarded => "guarded",
            Self::Sleep => "sleep",
            Self::Symmetry => "symmetry",
        }
    }
}

/// A set of reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Reduction>", into = "Vec<Reduction>")]
pub struct Reductions(u16);

impl Reductions {
    /// No reduction.
    pub const NONE: Self = Self(0);
    /// All of them.
    pub const ALL: Self = Self((1 << Reduction::ALL.len()) - 1);
    /// Those that `all` stands for: `symmetry` has to be named, since `sleep` is not used with it.
    pub const TOGETHER: Self = Self::ALL.without(Reduction::Symmetry);
    /// Those that are used if nothing else is asked for. `guarded` and `symmetry` are younger than the
    /// others, and have to be asked for until they were compared as often. `sleep` saves steps, but next to
    /// no time, as steps are remembered; see the table in `benches/benches/whole_runs.rs`.
    pub const USUAL: Self =
        Self::ALL.without(Reduction::Guarded).without(Reduction::Sleep).without(Reduction::Symmetry);

    /// Whether a reduction is among them.
    #[inline]
    #[must_use]
    pub const fn has(self, one: Reduction) -> bool {
        self.0 >> one as u16 & 1 == 1
    }

    /// These and one more.
    #[must_use]
    pub const fn with(self, one: Reduction) -> Self {
        Self(self.0 | 1 << one as u16)
    }

    /// What a stateless engine has in place of these.
    #[must_use]
    pub const fn of_stateless(self) -> Self {
        let given = Self::NONE.with(Reduction::Dead).with(Reduction::Paths).with(Reduction::Stores);
        if self.has(Reduction::Private) { given.with(Reduction::Private) } else { given }
    }

    /// These without one.
    #[must_use]
    pub const fn without(self, one: Reduction) -> Self {
        Self(self.0 & !(1 << one as u16))
    }

    /// These and some more.
    #[must_use]
    pub const fn with_all(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// These without some.
    #[must_use]
    pub const fn without_all(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Those of the set, in the order of [`Reduction::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Reduction> {
        Reduction::ALL.into_iter().filter(move |&one| self.has(one))
    }
}

impl Default for Reductions {
    fn default() -> Self {
        Self::USUAL
    }
}

impl From<Vec<Reduction>> for Reductions {
    fn from(list: Vec<Reduction>) -> Self {
        list.into_iter().fold(Self::NONE, Self::with)
    }
}

impl From<Reductions> for Vec<Reduction> {
    fn from(set: Reductions) -> Self {
        set.iter().collect()
    }
}

impl fmt::Display for Reductions {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NONE {
            return out.write_str("none");
        }
        let names: Vec<_> = self.iter().map(Reduction::name).collect();
        out.write_str(&names.join(","))
    }
}

impl FromStr for Reductions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',').try_fold(Self::NONE, |set, name| match name {
            "none" => Ok(set),
            "all" => Ok(set.with_all(Self::TOGETHER)),
            _ => {
                let known = Reduction::ALL.into_iter().find(|one| one.name() == name);
                let unknown = || format!("`{name}` is no reduction; there are {}, and none and all", Self::ALL);
                known.map(|one| set.with(one)).ok_or_else(unknown)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_come_back() {
        for set in [Reductions::NONE, Reductions::ALL, Reductions::NONE.with(Reduction::Paths).with(Reduction::Dead)] {
            assert_eq!(set.to_string().parse(), Ok(set));
        }
        assert_eq!("all".parse(), Ok(Reductions::TOGETHER));
        assert_eq!("all,symmetry".parse(), Ok(Reductions::ALL));
        assert_eq!("none,dead".parse(), Ok(Reductions::NONE.with(Reduction::Dead)));
        assert!("dead,".parse::<Reductions>().is_err());
        let message = "ample".parse::<Reductions>().expect_err("there is none of this name");
        assert!(message.contains("dead,paths,stores,private,guarded,sleep,symmetry"), "{message}");
    }
}
