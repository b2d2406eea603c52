//! The package, and the target of it that is meant.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::args::Args;
use super::error::Error;

/// A target of a package: a program, or tests.
#[derive(Clone)]
pub struct Target {
    /// The name of the package.
    pub package: String,
    /// The directory in which Cargo builds it.
    pub directory: PathBuf,
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: String,
}

/// The kinds of targets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A program.
    Bin,
    /// An example, a program.
    Example,
    /// An integration test.
    Test,
    /// The library's own tests.
    Lib,
}

impl Kind {
    /// All kinds.
    const ALL: [Self; 4] = [Self::Bin, Self::Example, Self::Test, Self::Lib];

    /// The name of the kind in Cargo's description of a package, and as an option.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bin => "bin",
            Self::Example => "example",
            Self::Test => "test",
            Self::Lib => "lib",
        }
    }

    /// True if the target is a set of `#[test]` functions.
    pub const fn has_tests(self) -> bool {
        matches!(self, Self::Test | Self::Lib)
    }
}

impl Target {
    /// The target that the options name.
    ///
    /// # Errors
    /// There is no such package or target, or it is not clear which is meant.
    pub fn find(args: &Args, cargo: &str) -> Result<Self, Error> {
        let manifest = ask(args, cargo, &["locate-project", "--message-format=plain"])?;
        let description = ask(args, cargo, &["metadata", "--no-deps", "--format-version=1"])?;
        let description: Value = serde_json::from_str(&description).map_err(Error::Metadata)?;
        let package = package(args, &description, manifest.trim())?;
        let (kind, name) = target(args, package)?;
        let directory = match &args.target_dir {
            Some(directory) => std::path::absolute(directory).unwrap_or_else(|_| directory.clone()),
            None => PathBuf::from(text(&description["target_directory"])).join("rmc"),
        };
        Ok(Self { package: text(&package["name"]).to_owned(), directory, kind, name })
    }

    /// The options of Cargo for the target.
    pub fn options(&self) -> Vec<String> {
        let package = ["--package".to_owned(), self.package.clone()];
        let target = match self.kind {
            Kind::Lib => ["--lib".to_owned(), "--profile=test".to_owned()],
            kind => [format!("--{}", kind.name()), self.name.clone()],
        };
        [package, target].concat()
    }
}

/// Asks Cargo about the package.
fn ask(args: &Args, cargo: &str, question: &[&str]) -> Result<String, Error> {
    let mut command = Command::new(cargo);
    command.args(question).stderr(Stdio::inherit());
    if let Some(path) = &args.manifest_path {
        command.arg("--manifest-path").arg(path);
    }
    let output = command.output().map_err(|error| no_cargo(cargo, error))?;
    if !output.status.success() {
        return Err(Error::NoPackage);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The error that Cargo is not there.
pub fn no_cargo(cargo: &str, error: std::io::Error) -> Error {
    let advice = "install Rust with rustup (https://rustup.rs) or Debian's package cargo, or name Cargo in RMC_CARGO";
    Error::NoProgram { program: cargo.to_owned(), error, advice: advice.to_owned() }
}

/// The package that the options name, or that of the manifest.
fn package<'d>(args: &Args, description: &'d Value, manifest: &str) -> Result<&'d Value, Error> {
    let packages = list(&description["packages"]);
    let is_meant = |package: &&Value| match &args.package {
        Some(name) => text(&package["name"]) == name,
        None => text(&package["manifest_path"]) == manifest,
    };
    let names = || packages.iter().map(|package| text(&package["name"])).collect::<Vec<_>>().join(", ");
    packages.iter().find(is_meant).ok_or_else(|| Error::WhichPackage { packages: names() })
}

/// The kind and the name of the target that the options name, or of the only program.
fn target(args: &Args, package: &Value) -> Result<(Kind, String), Error> {
    let targets: Vec<_> = list(&package["targets"]).iter().filter_map(target_of).collect();
    let names = [(Kind::Bin, &args.bin), (Kind::Example, &args.example), (Kind::Test, &args.test)];
    let named = names.into_iter().find_map(|(kind, name)| Some((kind, name.as_ref()?)));
    let of_kind = |kind: Kind| targets.iter().filter(move |target| target.0 == kind);
    let found: Vec<_> = match named {
        Some((kind, name)) => of_kind(kind).filter(|(_, other)| other == name).collect(),
        None if args.lib => of_kind(Kind::Lib).collect(),
        None => of_kind(Kind::Bin).collect(),
    };
    if let [(kind, name)] = found.as_slice() {
        return match args.filter.clone().filter(|_| !kind.has_tests()) {
            Some(filter) => Err(Error::FilterOfProgram { filter }),
            None => Ok((*kind, name.clone())),
        };
    }
    let wanted = match named {
        Some((kind, name)) => format!("no {} `{name}`", kind.name()),
        None if args.lib => "no library".to_owned(),
        None if found.is_empty() => "no program".to_owned(),
        None => "several programs".to_owned(),
    };
    let option = |(kind, name): &(Kind, String)| match kind {
        Kind::Lib => "--lib".to_owned(),
        kind => format!("--{} {name}", kind.name()),
    };
    let targets = targets.iter().map(option).collect::<Vec<_>>().join(", ");
    Err(Error::WhichTarget { package: text(&package["name"]).to_owned(), wanted, targets })
}

/// A target in Cargo's description; none if it is of no kind that can be checked.
fn target_of(target: &Value) -> Option<(Kind, String)> {
    let kinds = list(&target["kind"]);
    let is_library = kinds.iter().any(|kind| ["rlib", "dylib", "cdylib", "staticlib"].contains(&text(kind)));
    let named = |wanted: &Kind| kinds.iter().any(|kind| text(kind) == wanted.name());
    let kind = if is_library { Some(Kind::Lib) } else { Kind::ALL.into_iter().find(named) };
    Some((kind?, text(&target["name"]).to_owned()))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
