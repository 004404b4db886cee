//! The memory of the machine, and the limits on that of this process.
//!
//! The amounts come from `/proc` and `/sys`, which Linux has. Elsewhere they are unknown.

use crate::work::limits::MemoryLimit;
use rustix::process::{Resource, getrlimit};
use std::fs;
use std::path::Path;

/// The folder of the control groups.
const GROUPS: &str = "/sys/fs/cgroup";

/// Address space that a thread takes before it works: its stack.
const STACK: u64 = 2 << 20;

/// Bytes of memory of the machine.
pub(crate) fn machine_memory() -> Option<u64> {
    kibibytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// The limits on this process, which will have `threads` threads.
pub(crate) fn limits(threads: usize) -> impl Iterator<Item = MemoryLimit> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let taken = |key| kibibytes(&status, key).unwrap_or(0) + STACK * threads as u64;
    let left = |resource, key, set_by| {
        let bytes = getrlimit(resource).current?.saturating_sub(taken(key));
        Some(MemoryLimit { bytes, set_by })
    };
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let of_group = limit_of_groups(Path::new(GROUPS), &groups);
    let limits = [
        of_group.map(|bytes| MemoryLimit { bytes, set_by: "the container" }),
        left(Resource::As, "VmSize:", "ulimit -v"),
        left(Resource::Data, "VmData:", "ulimit -d"),
    ];
    limits.into_iter().flatten()
}

/// The number after `key` in a file of the system, in bytes.
pub(super) fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// The lowest limit of the control groups of a process and of the groups around them.
///
/// `groups` is the content of `/proc/self/cgroup`: a line for each group.
fn limit_of_groups(root: &Path, groups: &str) -> Option<u64> {
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
            let content = fs::read_to_string(group.join(file)).ok();
            // Without a limit the file says "max", or holds a number near 2^63.
            let bytes = content
                .and_then(|content| content.trim().parse::<u64>().ok())
                .filter(|&bytes| bytes < 1 << 60);
            least = least.into_iter().chain(bytes).min();
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_limit_of_a_control_group_and_the_groups_around_it_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, content: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        };
        write("memory.max", "max\n");
        write("a/memory.max", "3000\n");
        write("a/b/memory.max", "5000\n");
        write("memory/memory.limit_in_bytes", "9223372036854771712\n");
        write("memory/old/memory.limit_in_bytes", "7000\n");
        for (groups, expected) in [
            ("0::/\n", None),
            ("0::/a/b\n", Some(3000)),
            ("0::/a/b/outside/of/the/container\n", Some(3000)),
            ("12:cpu:/old\n4:cpuset,memory:/old\n", Some(7000)),
            ("4:memory:/docker/1234\n", None),
            ("4:memory:/old\n0::/a\n", Some(3000)),
            ("", None),
            ("nothing\n", None),
        ] {
            assert_eq!(limit_of_groups(root.path(), groups), expected, "{groups}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_machine_has_memory() {
        assert!(machine_memory().unwrap() > 1 << 20);
    }
}
