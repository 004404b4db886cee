//! Everything that depends on the operating system: signals, open files, and the end of the process.
//!
//! [`unix`] uses the calls of Unix. [`other`] stands in for it elsewhere: it knows no limits, and changes no signals. This file is the one place that chooses.

#[cfg(any(not(unix), test))]
#[cfg_attr(unix, allow(dead_code, reason = "only the tests call it"))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use other::{end_process, give_memory_back, prepare, raise_open_files};
#[cfg(unix)]
pub(crate) use unix::{end_process, give_memory_back, prepare, raise_open_files};

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn both_platforms_have_the_same_functions() {
        let _: [fn(); 4] = [unix::prepare, other::prepare, unix::give_memory_back, other::give_memory_back];
        let _: [fn(i32, &[u8]) -> !; 2] = [unix::end_process, other::end_process];
        let _: [fn() -> Option<u64>; 2] = [unix::raise_open_files, other::raise_open_files];
    }

    #[test]
    fn the_other_platform_knows_no_limit() {
        assert_eq!(other::raise_open_files(), None);
    }
}
