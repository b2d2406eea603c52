//! The environment variables of the native runtime.

use std::env::VarError;
use std::time::{SystemTime, UNIX_EPOCH};

use super::raw::die;
use crate::Model;

/// The configuration of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Config {
    /// `RMC_MODEL`; TSO if unset.
    pub(super) model: Model,
    /// `RMC_SEED`; a different one for each run if unset.
    pub(super) seed: u64,
}

impl Config {
    /// Reads the environment; a bad value ends the process.
    pub(super) fn from_env() -> Config {
        let model = variable("RMC_MODEL").map(|text| parse_model(&text));
        let seed = variable("RMC_SEED").map(|text| parse_seed(&text));
        Config {
            model: model.unwrap_or(Ok(Model::Tso)).unwrap_or_else(|message| die(&message)),
            seed: seed.unwrap_or_else(|| Ok(seed_of_this_run())).unwrap_or_else(|message| die(&message)),
        }
    }
}

fn variable(name: &str) -> Option<String> {
    match std::env::var(name) {
        Ok(text) => Some(text),
        Err(VarError::NotPresent) => None,
        Err(VarError::NotUnicode(_)) => die(&format!("{name} is no text")),
    }
}

fn parse_model(text: &str) -> Result<Model, String> {
    text.parse().map_err(|error| format!("RMC_MODEL: {error}"))
}

fn parse_seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("RMC_SEED: '{text}' is no number from 0 to {}", u64::MAX))
}

fn seed_of_this_run() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    time ^ u64::from(std::process::id()) << 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_values_are_named() {
        assert_eq!(parse_model("pso"), Ok(Model::Pso));
        assert_eq!(
            parse_model("arm"),
            Err("RMC_MODEL: unknown memory model 'arm' (expected sc, tso or pso)".to_owned())
        );
        assert_eq!(parse_seed("12"), Ok(12));
        assert_eq!(parse_seed("-1"), Err("RMC_SEED: '-1' is no number from 0 to 18446744073709551615".to_owned()));
    }
}
