//! How much memory may this process take? The machine has so much; a container or a limit of the shell may allow less.

use rustix::process::{Resource, getrlimit};
use std::fs;
use std::path::Path;

/// Where the control groups are.
const GROUPS: &str = "/sys/fs/cgroup";

/// What a thread takes of the address space before it works: its stack.
const STACK: u64 = 2 << 20;

/// What the system allows, and by what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) bytes: u64,
    pub(super) by: &'static str,
}

/// Bytes of memory of the machine.
pub(super) fn machine() -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// The least of what limits leave this process, which will have so many threads; `None` if there is no limit.
pub(super) fn least(threads: usize) -> Option<Limit> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let taken = |key| kibibytes(&status, key).unwrap_or(0) + STACK * threads as u64;
    let left = |resource, key, by| {
        let bytes = getrlimit(resource).current?.saturating_sub(taken(key));
        Some(Limit { bytes, by })
    };
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let of_group = of_group(Path::new(GROUPS), &groups);
    let limits = [
        of_group.map(|bytes| Limit { bytes, by: "the container" }),
        left(Resource::As, "VmSize:", "ulimit -v"),
        left(Resource::Data, "VmData:", "ulimit -d"),
    ];
    limits.into_iter().flatten().min_by_key(|limit| limit.bytes)
}

/// The number behind `key` in a file of the system, as bytes.
fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// The least that the control groups allow that a process is in, and those around them: `groups` is what the process is told of them.
fn of_group(root: &Path, groups: &str) -> Option<u64> {
    let mut least = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let (folder, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            old if old.split(',').any(|name| name == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => continue,
        };
        for group in Path::new(path).ancestors() {
            let group = folder.join(group.strip_prefix("/").unwrap_or(group));
            let told = fs::read_to_string(group.join(file)).ok();
            // In words, there is no limit; so large a number says the same.
            let bytes =
                told.and_then(|told| told.trim().parse::<u64>().ok()).filter(|&bytes| bytes < 1 << 60);
            least = least.into_iter().chain(bytes).min();
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_of_a_control_group_and_those_around_it_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, told: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, told).unwrap();
        };
        write("memory.max", "max\n");
        write("a/memory.max", "3000\n");
        write("a/b/memory.max", "5000\n");
        write("memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("memory/old/memory.limit_in_bytes", "7000\n");
        for (groups, expected) in [
            ("0::/\n", None),
            ("0::/a/b\n", Some(3000)),
            ("0::/a/b/that/is/not/seen/here\n", Some(3000)),
            ("12:cpu:/old\n4:cpuset,memory:/old\n", Some(7000)),
            ("4:memory:/docker/1234\n", None),
            ("4:memory:/old\n0::/a\n", Some(3000)),
            ("", None),
            ("nothing\n", None),
        ] {
            assert_eq!(of_group(root.path(), groups), expected, "{groups}");
        }
    }

    #[test]
    fn the_machine_has_memory() {
        assert!(machine().unwrap() > 1 << 20);
    }
}
