//! The memory that the process uses, and the limit on it if the user set none.
//!
//! Everything is read from Linux's `/proc` and `/sys/fs/cgroup`; a file that cannot be read limits nothing.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::process::{Resource, getrlimit};

/// Resident bytes of the process that are not backed by a file. The store file's pages do not count, because
/// the system can write them back.
pub fn resident() -> u64 {
    let pages = |text: &str| {
        let mut fields = text.split(' ').skip(1).map_while(|field| field.parse::<u64>().ok());
        Some(fields.next()?.saturating_sub(fields.next()?))
    };
    let statm = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages(&statm).unwrap_or(0) * rustix::param::page_size() as u64
}

/// Resident bytes of the process, mapped files included; reports call this memory. 0 if the system does not
/// tell.
pub fn now() -> u64 {
    status("VmRSS:")
}

/// The peak of [`now`].
pub fn peak() -> u64 {
    status("VmHWM:")
}

fn status(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<u64>().ok());
    kib.unwrap_or(0) * 1024
}

/// Three quarters of the memory that the process can still get: from the machine, in each of its control
/// groups, and in its address space. The last quarter is for allocations that the limit does not see in time
/// (a table that grows exists twice for a moment), and for other processes.
pub fn usual_limit() -> Option<u64> {
    let address_space = getrlimit(Resource::As).current.map(|most| most.saturating_sub(address_space_used()));
    let all = [available(), address_space].into_iter().flatten().chain(control_groups());
    all.min().map(|least| least / 4 * 3)
}

/// Bytes that the machine has available, including caches that it can drop.
fn available() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

fn address_space_used() -> u64 {
    let statm = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = statm.split(' ').next().and_then(|pages| pages.parse().ok()).unwrap_or(0);
    pages * rustix::param::page_size() as u64
}

/// The files of a version of control groups.
struct Version {
    /// The prefix of the line of `/proc/self/cgroup`, behind its number.
    line: &'static str,
    root: &'static str,
    limit: &'static str,
    usage: &'static str,
    /// The line of `memory.stat` for the part of the usage that is files, which the system can drop.
    files: &'static str,
}

const VERSIONS: [Version; 2] = [
    Version { line: ":", root: "/sys/fs/cgroup", limit: "memory.max", usage: "memory.current", files: "file" },
    Version {
        line: "memory:",
        root: "/sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        usage: "memory.usage_in_bytes",
        files: "total_cache",
    },
];

/// The bytes left in each control group of the process that has a limit.
fn control_groups() -> Vec<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let of_version = |version: &'static Version| {
        let lines = groups.lines().filter_map(|line| line.split_once(':')?.1.strip_prefix(version.line));
        // In a container, the group's path may be that of the host; then only the root exists here.
        let paths = lines.map(|path| PathBuf::from(format!("{}{path}", version.root))).chain([version.root.into()]);
        let groups = paths.flat_map(|path| path.ancestors().map(Path::to_owned).collect::<Vec<_>>());
        groups.filter_map(|group| left(&group, version)).collect::<Vec<_>>()
    };
    VERSIONS.iter().flat_map(of_version).collect()
}

fn left(group: &Path, version: &Version) -> Option<u64> {
    let number = |name| fs::read_to_string(group.join(name)).ok()?.trim().parse::<u64>().ok();
    let limit = number(version.limit)?;
    let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let files = stat.lines().find_map(|line| line.strip_prefix(version.files)?.trim().parse().ok());
    Some(limit.saturating_sub(number(version.usage)?.saturating_sub(files.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_to_is_resident() {
        let before = resident();
        let block = std::hint::black_box(vec![1_u8; 64 << 20]);
        assert!(resident() >= before + (60 << 20), "{} bytes more", resident() - before);
        drop(block);
    }

    #[test]
    fn the_usual_limit_is_less_than_the_machine_has() {
        let limit = usual_limit().expect("/proc is there");
        assert!(limit > 0 && limit < available().expect("/proc is there"));
    }

    #[test]
    fn groups_leave_what_they_do_not_use_but_for_files() {
        let group = tempfile::tempdir().expect("a directory");
        let files = [("memory.max", "1000\n"), ("memory.current", "700\n"), ("memory.stat", "anon 500\nfile 200\n")];
        for (name, text) in files {
            fs::write(group.path().join(name), text).expect("a file");
        }
        assert_eq!(left(group.path(), &VERSIONS[0]), Some(500));
        fs::write(group.path().join("memory.max"), "max\n").expect("a file");
        assert_eq!(left(group.path(), &VERSIONS[0]), None);
    }
}
