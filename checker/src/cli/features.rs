//! The refusal of options that an engine does not support, before anything is compiled.
//!
//! [`crate::engine::capabilities`] knows which engine has which feature; this file knows which option needs
//! which feature. All refusals have the same words: the option, and the engines that support it.
//!
//! Tests: `tests/tests/cli.rs`, `options_that_an_engine_cannot_do_are_refused` and
//! `robustness_is_refused_where_it_means_nothing`.

use super::args::Args;
use crate::engine::capabilities::{self, Capabilities, Feature};
use crate::report::repair::Goal;
use crate::system::{Clocks, Config, Leaks};

/// An option that was given, and that an engine of the run does not support.
#[derive(Debug, thiserror::Error)]
#[error("{option} works with --engine {} only{}", capabilities::names_with(*feature), hint(*feature))]
pub struct UnsupportedOption {
    option: &'static str,
    /// The feature that the option needs.
    feature: Feature,
}

/// The end of the message: advice for options that are not needed with other engines.
const fn hint(feature: Feature) -> &'static str {
    match feature {
        Feature::LoopBound => "; loops need no bound in the explicit engine, which ends when no state is new",
        _ => "",
    }
}

/// Checks the options against the engines that are to run. There are several if engines are compared
/// (`--cross-check`). An option that changes the question, or bounds the answer, must be supported by all of
/// them, as otherwise their answers could not be compared. An option that changes only how an engine explores
/// must be supported by one of them.
///
/// # Errors
/// The first option that is not supported.
pub fn check(args: &Args, config: &Config, engines: &[Capabilities]) -> Result<(), UnsupportedOption> {
    let bounds = args.symbolic.given();
    // The parts of a row: whether the option was given, its name in the message, and the feature.
    let by_all = [
        (config.races, "--races", Feature::Races),
        (config.clocks == Clocks::Pass, "--clocks pass", Feature::Clocks),
        (config.spurious_wakeups, "--spurious-wakeups", Feature::SpuriousWakeups),
        (args.fix == Some(Goal::Robustness), "--fix", Feature::Robustness),
        (args.fix == Some(Goal::Assertions), "--fix=assertions", Feature::KeepGoing),
        (args.robustness, "--robustness", Feature::Robustness),
        (args.count_classes, "--count-classes", Feature::Classes),
        (args.order.given().is_some(), args.order.given().unwrap_or_default(), Feature::PreemptionOrder),
        (args.unroll.is_some(), "--unroll", Feature::LoopBound),
        (bounds.is_some(), bounds.unwrap_or_default(), Feature::ScheduleBounds),
        (args.keep_going, "--keep-going", Feature::KeepGoing),
        // An option and a property ask for it.
        (config.leaks != Leaks::Ignored, "the search for leaks", Feature::Leaks),
        (args.max_states.is_some(), "--max-states", Feature::StateLimit),
    ];
    let store = args.store.given();
    let by_some = [
        (args.names_reductions(), "--reduce or --no-reduce", Feature::Reductions),
        (args.names_inputs_only(), "--no-reduce inputs", Feature::OpenInputs),
        (args.jobs > 1, "--jobs", Feature::Workers),
        (store.is_some(), store.unwrap_or_default(), Feature::StateStore),
    ];
    let all_have = |feature| engines.iter().all(|engine| engine.has(feature));
    let some_has = |feature| engines.iter().any(|engine| engine.has(feature));
    let unsupported = by_all.into_iter().find(|&(is_given, _, feature)| is_given && !all_have(feature));
    let unsupported =
        unsupported.or_else(|| by_some.into_iter().find(|&(is_given, _, feature)| is_given && !some_has(feature)));
    match unsupported {
        Some((_, option, feature)) => Err(UnsupportedOption { option, feature }),
        None => Ok(()),
    }
}
