//! The files that this process may have open.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the limit on open files as far as the system allows (`ulimit -Hn`). Returns the limit, or `None` if there is none.
///
/// Connections are open files, and 1,024 is the usual limit: programs that call `select` need it to be so low, and this one does not call it.
pub(crate) fn raise_open_files() -> Option<u64> {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
        Ok(()) => maximum,
        // Some systems do not allow their own maximum.
        Err(_) => current,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_the_highest_that_is_allowed() {
        let raised = raise_open_files();
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        assert_eq!(raised, current);
        assert!(!cfg!(target_os = "linux") || current == maximum);
    }
}
