//! Reports and witnesses are written to the named files, and no other file is overwritten.

use std::fs;
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use rmc_tests::harness::outside::{check, file, text};
use rmc_tests::harness::process::{command, rmc_check, run};
use serde_json::Value;

const PROGRAM: &str = "int main(void) { return 0; }\n";

/// Writes a report on a program to `path`, under a umask.
#[track_caller]
fn report(umask: &str, path: &Path) {
    let (_directory, program) = file("program.c", PROGRAM);
    let script = format!("umask {umask}; exec \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh"]).arg(rmc_check()).arg("--report").args([path, &program]);
    check(&run(&mut shell), 0, &[]);
}

#[track_caller]
fn is_report(content: impl AsRef<[u8]>) {
    let report: Value = serde_json::from_slice(content.as_ref()).expect("a report");
    assert_eq!(report["verdict"], "holds");
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode() & 0o777
}

#[test]
fn a_pipe_stays_a_pipe() {
    let directory = tempfile::tempdir().expect("a directory");
    let (pipe, link) = (directory.path().join("pipe"), directory.path().join("link"));
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    symlink(&pipe, &link).expect("a link");
    for path in [&pipe, &link] {
        let reader =
            Command::new("timeout").args(["30", "cat"]).arg(&pipe).stdout(Stdio::piped()).spawn().expect("a reader");
        report("022", path);
        is_report(reader.wait_with_output().expect("the reader ends").stdout);
        assert!(fs::metadata(&pipe).expect("the pipe").file_type().is_fifo());
        assert!(link.is_symlink());
    }
}

#[test]
fn links_are_followed() {
    let directory = tempfile::tempdir().expect("a directory");
    let (old, link) = (directory.path().join("old.json"), directory.path().join("link.json"));
    fs::write(&old, "something else, and longer than nothing").expect("a file");
    symlink("old.json", &link).expect("a link");
    report("022", &link);
    assert!(link.is_symlink());
    is_report(fs::read(&old).expect("the file"));
    let (new, dangling) = (directory.path().join("new.json"), directory.path().join("dangling.json"));
    symlink(&new, &dangling).expect("a link");
    report("022", &dangling);
    is_report(fs::read(&new).expect("the file"));
}

#[test]
fn permissions_are_those_of_the_umask_or_of_the_file_before() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("report.json");
    report("027", &path);
    assert_eq!(mode(&path), 0o640);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o604)).expect("other permissions");
    report("022", &path);
    assert_eq!(mode(&path), 0o604);
    is_report(fs::read(&path).expect("the file"));
    assert_eq!(directory.path().read_dir().expect("a directory").count(), 1, "nothing else is left");
}

#[test]
fn what_is_read_is_not_written_over() {
    let (directory, program) = file("program.c", PROGRAM);
    let link = directory.path().join("link.c");
    symlink(&program, &link).expect("a link");
    let same = directory.path().join(".").join("program.c");
    let other = directory.path().join("other.json");
    let of_task = ["--property", "unreach-call", "--witness"];
    for path in [&program, &link, &same] {
        check(&run(&mut command(["--report", text(path), text(&program)])), 2, &["is an input", "name another"]);
        check(&run(command(of_task).args([path, &program])), 2, &["is an input"]);
        check(
            &run(&mut command(["--report", text(&other), "--report", text(path), text(&program)])),
            2,
            &["is an input"],
        );
    }
    check(
        &run(&mut command(["--checkpoint", text(&other), "--report", text(&other), text(&program)])),
        2,
        &["other.json"],
    );
    assert_eq!(fs::read_to_string(&program).expect("the program"), PROGRAM);
    assert!(!other.exists());
}

#[test]
fn one_file_by_two_names_is_one_file() {
    let (directory, program) = file("program.c", PROGRAM);
    let names = [directory.path().join("a.json"), directory.path().join(".").join("a.json")];
    let twice = ["--report", text(&names[0]), "--report", text(&names[1]), text(&program)];
    check(&run(&mut command(twice)), 2, &["twice", "a.json"]);
}
