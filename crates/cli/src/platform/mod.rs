//! Everything that depends on the operating system: memory limits, signals, the end of the process, and file identity.
//!
//! [`unix`] uses the calls of Unix, and reads the files that Linux has about memory. [`other`] stands in for it elsewhere:
//! it knows no limits, changes no signals, and compares files by their paths. This file is the one place that chooses.

mod limit;
#[cfg(any(not(unix), test))]
#[cfg_attr(unix, allow(dead_code, reason = "only the tests call it"))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use other::{end_process, is_same_file, machine_memory, memory_limit, prepare};
#[cfg(unix)]
pub(crate) use unix::{end_process, is_same_file, machine_memory, memory_limit, prepare};

#[cfg(all(test, unix))]
mod tests {
    use super::limit::MemoryLimit;
    use super::*;
    use std::path::Path;

    #[test]
    fn both_platforms_have_the_same_functions() {
        let _: [fn(); 2] = [unix::prepare, other::prepare];
        let _: [fn(i32, &[u8]) -> !; 2] = [unix::end_process, other::end_process];
        let _: [fn() -> Option<u64>; 2] = [unix::machine_memory, other::machine_memory];
        let _: [fn(usize) -> Option<MemoryLimit>; 2] = [unix::memory_limit, other::memory_limit];
        let _: [fn(&Path, &Path) -> bool; 2] = [unix::is_same_file, other::is_same_file];
    }

    #[test]
    fn a_file_is_the_same_by_any_path() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| root.path().join(name);
        std::fs::create_dir(path("folder")).unwrap();
        std::fs::write(path("a"), "a").unwrap();
        std::fs::write(path("b"), "a").unwrap();
        std::os::unix::fs::symlink("a", path("link")).unwrap();
        for is_same_file in [unix::is_same_file, other::is_same_file] {
            assert!(is_same_file(&path("a"), &path("folder/../a")));
            assert!(is_same_file(&path("a"), &path("link")));
            assert!(!is_same_file(&path("a"), &path("b")), "the content does not count");
            assert!(!is_same_file(&path("none"), &path("none")), "there is no file");
        }
    }

    #[test]
    fn the_other_platform_knows_no_memory() {
        assert_eq!((other::machine_memory(), other::memory_limit(1)), (None, None));
    }
}
