//! The reductions of the explicit engine by name, each with its justification, its source and its place.
//!
//! A reduction leaves out states or steps that would show nothing new. Each can be switched off
//! (`--no-reduce`), alone or with others, to measure its effect, or to compare its result with that of a
//! search without it. Stateless engines know only `private`; the other ideas are part of how they work. Two
//! reductions also change what an answer means. Without `private`, a loop that waits but writes local memory
//! in every round counts as progress, so no deadlock is reported of it, and one that looks at local memory
//! alone counts as waiting. Without `paths`, the process may end between a thread's creation and an
//! assumption that rules the execution out, which adds final states.
//!
//! A use of memory that has ended is a fault at once with `paths` and in `dpor`, in the step before it, and
//! with `private` nobody else notices memory that takes the name again. Had the thread waited, its use might
//! have met that memory. Such an execution has the fault at an earlier moment, so the program is wrong in
//! any case; but final states and further violations that only such executions have are not found. The
//! explicit engine finds them without both reductions, and `reads-from` without `private`.
//!
//! * **dead**: registers that no path reads before writing them are not stored, and the content of a local
//!   variable that is out of scope is forgotten. The behaviour of a thread depends only on what it reads, so
//!   states that differ only there have the same future. This is classic live-variable analysis: Aho, Lam,
//!   Sethi, Ullman, *Compilers*, 2nd ed., 2006, section 9.2.5; for states: Bozga, Fernandez, Ghirvu, *State
//!   Space Reduction Based on Live Variables Analysis*, SAS 1999. In `ir/liveness.rs` and `step/lifetime.rs`.
//! * **paths**: a step goes on as long as no other thread can notice its operations. Operations that nobody
//!   else can notice commute with all steps of other threads and disable none. So every execution has the
//!   same observations as one in which they follow their predecessor at once. A step is cut after `BUDGET` of
//!   `step/mod.rs` jumps, so nothing is delayed for ever. Lipton, *Reduction: A Method of Proving Properties
//!   of Parallel Programs*, CACM 18(12), 1975; Godefroid, *Model Checking for Programming Languages using
//!   VeriSoft*, POPL 1997. Without it each operation on memory or of the library is a step. In `step/mod.rs`.
//! * **stores**: under TSO and PSO, stores into the buffer and store-store barriers are no scheduling points.
//!   They change only the buffer of their thread; the store has no place in the order of memory yet. A later
//!   load decides that place, with all the choices there were before (`rmc_runtime`). So these operations
//!   commute with all steps of other threads. Štill and Barnat, *Model Checking of C++ Programs under the
//!   x86-TSO Memory Model*, ICFEM 2018. Under SC stores are visible. In `step/access.rs` and `step/mod.rs`.
//! * **private**: accesses to memory are not visible while its address is in no place that another thread can
//!   read. A thread that cannot form the address cannot conflict with the access. The places of addresses are
//!   known from stores of whole pointers; an address that is disguised (`interp/disguise.rs`) counts as known
//!   to all. If an address travels in yet another way, the run notices when it is used, unless it was
//!   published since, and is repeated without the reduction. Štill and Barnat, section "Dynamic Local Memory
//!   Detection". In `step/lifetime.rs`.
//! * **guarded**: accesses to shared memory are not visible if all threads use that memory in a way that
//!   excludes conflicts: nobody writes it, one thread alone uses it, or all its users hold one mutex.
//!   Unlocking a mutex that nobody tries to lock without waiting is not visible either. Such operations move
//!   left over those of all other threads. The guards are guessed and checked during the search. If a guess
//!   was wrong, the search is repeated with fewer guesses. Stoller and Cohen, *Optimistic
//!   Synchronization-Based State-Space Reduction*, TACAS 2003. Nothing is guessed with `--races` or leaks,
//!   which look at all orders and all memory, nor for programs in which a detached thread ends.
//!   Counterexamples are shortest in steps, where steps go on over these operations. In `observe/guards.rs`,
//!   with the proof.
//! * **sleep**: of two steps that commute only one order is taken, by sleep sets that need no memory of their
//!   own. It saves steps, not states: the states are the same, at the same distances. Godefroid,
//!   *Partial-Order Methods for the Verification of Concurrent Systems*, LNCS 1032, 1996. In
//!   `engine/explicit/sleep.rs`, with the proof.
//! * **symmetry**: of states that differ only in the numbers of threads, one stands for all. Steps do the
//!   same whatever number a thread has. If the program tells numbers apart, the search notices, and is
//!   repeated without the reduction. `main` joins its threads only when all have ended, where it would do
//!   nothing else in between. Ip and Dill, *Better Verification Through Symmetry*, Formal Methods in System
//!   Design 9, 1996. In `analyses/symmetry/`, with the proof. It is not used with `--races` or leaks, and
//!   `sleep` is not used with it. Counterexamples are executions with the program's own numbers, of the same
//!   length as those found without the reduction, except for joins.
//! * **inputs**: the value of an input (`__VERIFIER_nondet_int`, say) is chosen only where the program tells
//!   values apart. A state then stands for all states in which the inputs have values of the sets that it
//!   keeps. In `system/inputs/`, with the proof. Not with `--races`, leaks, `--keep-going` and
//!   `--cross-check`; then `symmetry` is not used in programs with inputs.
//! * **subsumption**: of two states that differ only in what is known of inputs, one is not explored if the
//!   other one stands for all that it stands for. Barnat, Bauch, Havel, *Model Checking Parallel Programs
//!   with Inputs*, PDP 2014, where states match if they stand for the same. Only with `inputs`. In
//!   `engine/explicit/subsumption.rs`, with the proof.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reduction {
    /// Dead registers and out-of-scope local variables are not stored.
    Dead,
    /// A step goes on over operations that no other thread can notice.
    Paths,
    /// Stores into a buffer and store-store barriers are no scheduling points.
    Stores,
    /// Accesses to memory that no other thread can know are not visible.
    Private,
    /// Accesses to memory that a guard protects, and unlocks of most mutexes, are not visible.
    Guarded,
    /// Of two steps that commute only one order is taken.
    Sleep,
    /// Of states that differ only in the numbers of threads, one stands for all.
    Symmetry,
    /// Values of inputs are chosen only where the program tells them apart.
    Inputs,
    /// A state is not explored if another one, in which less is known of inputs, stands for all that it
    /// stands for.
    Subsumption,
}

impl Reduction {
    /// All reductions.
    pub const ALL: [Self; 9] = [
        Self::Dead,
        Self::Paths,
        Self::Stores,
        Self::Private,
        Self::Guarded,
        Self::Sleep,
        Self::Symmetry,
        Self::Inputs,
        Self::Subsumption,
    ];

    /// The name of the reduction on the command line.
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
            Self::Inputs => "inputs",
            Self::Subsumption => "subsumption",
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
    /// All reductions.
    pub const ALL: Self = Self((1 << Reduction::ALL.len()) - 1);
    /// The reductions that `all` stands for. `symmetry` has to be named, since `sleep` is not used with it.
    pub const TOGETHER: Self = Self::ALL.without(Reduction::Symmetry);
    /// The default reductions. `guarded` and `symmetry` are younger than the others, and have to be asked for
    /// until they have been compared as often. `sleep` saves steps, but next to no time, since steps are
    /// cached: see the table in `benches/benches/whole_runs.rs`.
    pub const USUAL: Self =
        Self::ALL.without(Reduction::Guarded).without(Reduction::Sleep).without(Reduction::Symmetry);

    /// True if the set has this reduction.
    #[inline]
    #[must_use]
    pub const fn has(self, one: Reduction) -> bool {
        self.0 >> one as u16 & 1 == 1
    }

    /// The set with one reduction added.
    #[must_use]
    pub const fn with(self, one: Reduction) -> Self {
        Self(self.0 | 1 << one as u16)
    }

    /// The reductions of a stateless engine for which these were asked for.
    #[must_use]
    pub const fn of_stateless(self) -> Self {
        let given = Self::NONE.with(Reduction::Dead).with(Reduction::Paths).with(Reduction::Stores);
        let given = if self.has(Reduction::Private) { given.with(Reduction::Private) } else { given };
        if self.has(Reduction::Inputs) { given.with(Reduction::Inputs) } else { given }
    }

    /// The set without one reduction.
    #[must_use]
    pub const fn without(self, one: Reduction) -> Self {
        Self(self.0 & !(1 << one as u16))
    }

    /// The union with another set.
    #[must_use]
    pub const fn with_all(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// The set without the reductions of another one.
    #[must_use]
    pub const fn without_all(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The reductions of the set, in the order of [`Reduction::ALL`].
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
