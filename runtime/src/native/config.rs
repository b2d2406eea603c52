//! The environment variables of the native runtime.

use std::env::VarError;
use std::time::{SystemTime, UNIX_EPOCH};

use super::raw::die;
use super::watch::Settings;
use crate::Model;

/// The ways in which the runtime executes stores and loads.
#[derive(Debug)]
pub(super) enum Mode {
    /// It delays stores.
    Delay {
        /// `RMC_MODEL`; TSO if unset.
        model: Model,
        /// `RMC_SEED`; a different one for each run if unset.
        seed: u64,
    },
    /// It delays none and watches the program; `RMC_MONITOR` is set.
    Watch {
        /// The other variables of the monitor.
        settings: Settings,
        /// `RMC_SEED`.
        seed: u64,
    },
}

impl Mode {
    /// Reads the environment; a bad value ends the process.
    pub(super) fn from_env() -> Self {
        Self::read().unwrap_or_else(|message| die(&message))
    }

    fn read() -> Result<Self, String> {
        let settings = Settings::read(variable, std::env::vars_os().map(|(name, _)| name))?;
        let seed = variable("RMC_SEED")?.map(|text| parse_seed(&text));
        let seed = seed.unwrap_or_else(|| Ok(seed_of_this_run()))?;
        if let Some(settings) = settings {
            return Ok(Mode::Watch { settings, seed });
        }
        let model = variable("RMC_MODEL")?.map(|text| parse_model(&text));
        Ok(Mode::Delay { model: model.unwrap_or(Ok(Model::Tso))?, seed })
    }
}

fn variable(name: &str) -> Result<Option<String>, String> {
    match std::env::var(name) {
        Ok(text) => Ok(Some(text)),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => Err(format!("{name} is no text")),
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
