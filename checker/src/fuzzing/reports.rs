//! Fuzz target: JSON reports. Each report is read, everything that `--replay` takes from it is computed, and
//! its schedules are run on the program of [`super::programs`], whatever program they are for.

use std::path::PathBuf;

use rmc_runtime::Model;

use super::programs;
use crate::engine::explicit::Explicit;
use crate::engine::stateless::dpor::Dpor;
use crate::engine::{Engine, Limits, Progress, replay};
use crate::outcome::Violation;
use crate::report::json::{Options, Report};
use crate::system::Config;

/// The number of steps of a schedule that are run; steps may allocate, so more could exhaust memory.
const STEPS: usize = 200;

/// Reads bytes as a report, and replays it.
pub fn report(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(report) = Report::parse(text, "report.json") else { return };
    let (_, _, _) = (report.unit(), report.input_paths(), report.stubs());
    let Ok(config) = report.config() else { return };
    let replayed = report.violations.iter().filter_map(|shown| {
        let schedule = shown.schedule.iter().take(STEPS).cloned().collect();
        replay::replay(programs::program(), config, &Violation { fault: shown.fault(), schedule, preemptions: None })
            .ok()
    });
    let _ = report.replayed(&replayed.collect::<Vec<_>>());
}

/// Reports of the program's violations, from both engines.
pub(super) fn seeds() -> Vec<Vec<u8>> {
    let pso = |config: Config| {
        let mut config = config;
        config.rules.model = Model::Pso;
        config
    };
    let engines: [&dyn Engine; 2] = [&Explicit::default(), &Dpor::default()];
    let reports = engines.map(|engine| {
        let config = engine.config(pso(programs::config()));
        let limits = Limits { keep_going: true, ..Limits::default() };
        let program = programs::program();
        let outcome = engine.run(program, config, &limits, &Progress::default()).expect("an outcome");
        assert!(!outcome.violations.is_empty(), "there is something to replay");
        let examples = outcome
            .violations
            .iter()
            .map(|violation| replay::replay(program, config, violation).expect("what was found is found again"));
        let options = Options {
            config,
            engine: engine.capabilities().name.to_owned(),
            inputs: vec![PathBuf::from("program.c")],
            compiler_options: Vec::new(),
            build_directory: None,
            entry: None,
            stubs: Vec::new(),
            limits,
            task: None,
        };
        Report::new(&outcome, &examples.collect::<Vec<_>>(), &options).to_json().into_bytes()
    });
    reports.into()
}
