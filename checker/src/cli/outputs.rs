//! The reports and the witness that a run writes.

use std::path::{Path, PathBuf};

use super::args::{Args, is_page};
use super::job::Job;
use super::output::{self, OutputFile, WriteError};
use super::run_error::RunError;
use super::sources;
use crate::property::Property;
use crate::report::entries::{Entries, EntryReport};
use crate::report::json::Report;
use crate::report::{html, witness};

/// The files that a run writes. They are known to be writable before the exploration begins.
pub struct Outputs {
    reports: Vec<(PathBuf, OutputFile)>,
    witness: Option<OutputFile>,
    diff: Option<OutputFile>,
}

impl Outputs {
    /// The files that the options name.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn create(args: &Args, job: &Job) -> Result<Self, WriteError> {
        let read = args.inputs.iter().chain(&job.inputs);
        let written = args.report.iter().chain(&args.witness).chain(&args.fix_diff);
        output::distinct(written, read.chain(&args.store.checkpoint()))?;
        let reports = args.report.iter().map(|path| Ok((path.clone(), OutputFile::create(path)?)));
        let reports = reports.collect::<Result<Vec<_>, WriteError>>()?;
        let [witness, diff] =
            [&args.witness, &args.fix_diff].map(|path| path.as_deref().map(OutputFile::create).transpose());
        Ok(Self { reports, witness: witness?, diff: diff? })
    }

    /// Writes the report of a run with one entry, its witness for a property, and the diff of a repair.
    /// Without a repair no diff is written.
    ///
    /// # Errors
    /// [`RunError`]: a file cannot be written, or an input cannot be read any more.
    pub fn write(self, report: &Report, property: Property) -> Result<(), RunError> {
        let text =
            |path: &Path| if is_page(path) { html::page(report, &sources::read(report)) } else { report.to_json() };
        for (path, file) in self.reports {
            file.write(&text(&path))?;
        }
        if let Some((file, repair)) = self.diff.zip(report.repair.as_ref().filter(|repair| !repair.diff.is_empty())) {
            file.write(repair.diff.strip_suffix('\n').unwrap_or(&repair.diff))?;
        }
        if let Some(file) = self.witness {
            match witness::witness(report, property)? {
                Some(text) => file.write(text.trim_end())?,
                None => eprintln!("rmc-check: no witness is written: the verdict is unknown"),
            }
        }
        Ok(())
    }

    /// Writes the reports of several entries.
    ///
    /// # Errors
    /// [`RunError`]: a file cannot be written.
    pub fn write_entries(self, entries: &[EntryReport]) -> Result<(), RunError> {
        for (_, file) in self.reports {
            file.write(&Entries::new(entries).to_json())?;
        }
        Ok(())
    }
}
