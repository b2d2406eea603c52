//! Options that not every engine supports. They are refused before anything is compiled, with the same
//! message for all.

use super::args::Args;
use crate::engine::capabilities::{self, Capabilities, Feature};
use crate::system::{Config, Leaks};

/// An option that was given and that an engine does not support.
#[derive(Debug, thiserror::Error)]
#[error("{option} works with --engine {} only{}", capabilities::names_with(*feature), hint(*feature))]
pub struct NotOfEngine {
    option: &'static str,
    feature: Feature,
}

const fn hint(feature: Feature) -> &'static str {
    match feature {
        Feature::LoopBound => "; loops need no bound in the explicit engine, which ends when no state is new",
        _ => "",
    }
}

/// Checks the options against the engines that are to run.
///
/// # Errors
/// The first option that one of several engines does not support. When engines are compared, an option that
/// changes only how an engine explores need only be supported by one of them.
pub fn check(args: &Args, config: &Config, engines: &[Capabilities]) -> Result<(), NotOfEngine> {
    let bounds = args.symbolic.given();
    let of_all = [
        (config.races, "--races", Feature::Races),
        (config.spurious_wakeups, "--spurious-wakeups", Feature::SpuriousWakeups),
        (args.robustness, "--robustness", Feature::Robustness),
        (args.unroll.is_some(), "--unroll", Feature::LoopBound),
        (bounds.is_some(), bounds.unwrap_or_default(), Feature::ScheduleBounds),
        (args.keep_going, "--keep-going", Feature::KeepGoing),
        (config.leaks != Leaks::Ignored, "the search for leaks", Feature::Leaks),
        (args.max_states.is_some(), "--max-states", Feature::StateLimit),
    ];
    let store = args.store.given();
    let of_some = [
        (args.names_reductions(), "--reduce or --no-reduce", Feature::Reductions),
        (args.names_inputs_only(), "--no-reduce inputs", Feature::OpenInputs),
        (args.jobs > 1, "--jobs", Feature::Workers),
        (store.is_some(), store.unwrap_or_default(), Feature::StateStore),
    ];
    let lacks = |feature| move |engine: &&Capabilities| !engine.has(feature);
    let unfit = of_all.into_iter().find(|&(given, _, feature)| given && engines.iter().any(|one| lacks(feature)(&one)));
    let unfit = unfit.or_else(|| {
        of_some.into_iter().find(|&(given, _, feature)| given && engines.iter().all(|one| lacks(feature)(&one)))
    });
    match unfit {
        Some((_, option, feature)) => Err(NotOfEngine { option, feature }),
        None => Ok(()),
    }
}
