//! Everything that depends on the operating system: memory limits, signals, and the end of the process.
//!
//! [`unix`] uses the calls of Unix, and reads the files that Linux has about memory. [`other`] stands in for it elsewhere:
//! it knows no limits, and changes no signals. This file is the one place that chooses.

mod limit;
#[cfg(any(not(unix), test))]
#[cfg_attr(unix, allow(dead_code, reason = "only the tests call it"))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use other::{
    end_process, give_memory_back, machine_memory, memory_limit, prepare, raise_open_files,
};
#[cfg(unix)]
pub(crate) use unix::{
    end_process, give_memory_back, machine_memory, memory_limit, prepare, raise_open_files,
};

#[cfg(all(test, unix))]
mod tests {
    use super::limit::MemoryLimit;
    use super::*;

    #[test]
    fn both_platforms_have_the_same_functions() {
        let _: [fn(); 4] = [unix::prepare, other::prepare, unix::give_memory_back, other::give_memory_back];
        let _: [fn(i32, &[u8]) -> !; 2] = [unix::end_process, other::end_process];
        let _: [fn() -> Option<u64>; 2] = [unix::machine_memory, other::machine_memory];
        let _: [fn() -> Option<u64>; 2] = [unix::raise_open_files, other::raise_open_files];
        let _: [fn(usize) -> Option<MemoryLimit>; 2] = [unix::memory_limit, other::memory_limit];
    }

    #[test]
    fn the_other_platform_knows_no_memory() {
        assert_eq!((other::machine_memory(), other::memory_limit(1)), (None, None));
        assert_eq!(other::raise_open_files(), None);
    }
}
