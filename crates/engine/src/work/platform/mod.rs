//! Everything that differs between operating systems. This file is the one place that chooses.

#[cfg(unix)]
mod memory;
#[cfg(any(not(unix), test))]
#[cfg_attr(unix, allow(dead_code, reason = "only the tests call it"))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use other::{
    anonymous_memory, create_private_folder, free_bytes, limits, machine_memory, peak_memory,
};
#[cfg(unix)]
pub(crate) use unix::{
    anonymous_memory, create_private_folder, free_bytes, limits, machine_memory, peak_memory,
};

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io;
    use std::path::Path;

    #[test]
    fn both_platforms_have_the_same_functions() {
        let _: [fn() -> Option<u64>; 2] = [unix::machine_memory, other::machine_memory];
        let _: [fn() -> Option<u64>; 2] = [unix::anonymous_memory, other::anonymous_memory];
        let _: [fn() -> Option<u64>; 2] = [unix::peak_memory, other::peak_memory];
        let _: [fn(&Path) -> Option<u64>; 2] = [unix::free_bytes, other::free_bytes];
        let _: [fn(&Path) -> io::Result<()>; 2] = [unix::create_private_folder, other::create_private_folder];
    }

    #[test]
    fn the_other_platform_knows_no_memory() {
        assert_eq!((other::machine_memory(), other::limits(1).next()), (None, None));
    }
}
