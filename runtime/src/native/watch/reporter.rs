//! Reports as they are found: each pair of places once, on standard error and in a file; and the exit code.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU8, Ordering};
use std::{fs, process};

use super::files;
use super::place::Place;
use super::report::Report;
use super::settings::Settings;
use crate::native::raw::{self, die};

/// The exit code of the process, or 0 for the program's own.
static EXIT: AtomicU8 = AtomicU8::new(0);

/// The reports so far.
pub(super) struct Reporter {
    settings: Settings,
    places: HashSet<(Place, Place)>,
    reports: Vec<Report>,
}

impl Reporter {
    /// A reporter, and a report file without reports.
    pub fn new(settings: Settings) -> Self {
        let reporter = Self { settings, places: HashSet::new(), reports: Vec::new() };
        reporter.write();
        raw::at_exit(end);
        reporter
    }

    /// Reports, unless the pair of places was reported before or is ignored.
    pub fn report(&mut self, report: Report) {
        let places = (report.load.place.clone(), report.missed.place.clone());
        let is_ignored = [&places.0, &places.1].into_iter().any(|place| self.settings.ignored.has(place));
        if is_ignored || !self.places.insert(places) {
            return;
        }
        eprint!("{report}");
        EXIT.store(self.settings.exit, Ordering::Relaxed);
        if self.settings.report.is_some() {
            self.reports.push(report);
            self.write();
        }
    }

    /// The process was made by `fork`. It has a report file of its own, from its first report on, and an exit
    /// code of its own. What was reported before is not reported again.
    pub fn is_in_new_process(&mut self) {
        self.reports.clear();
        EXIT.store(0, Ordering::Relaxed);
        if let Some((path, _)) = &mut self.settings.report {
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            path.set_extension(format!("{}.{ending}", process::id()));
        }
    }

    fn write(&self) {
        let Some((path, format)) = &self.settings.report else { return };
        if let Err(error) = fs::write(path, files::text(*format, &self.reports)) {
            die(&format!("RMC_MONITOR_REPORT: {}: {error}", path.display()));
        }
    }
}

extern "C" fn end() {
    match EXIT.load(Ordering::Relaxed) {
        0 => {}
        code => raw::exit_now(code.into()),
    }
}
