//! Signals and the end of the process, by the calls of Unix.

mod files;

pub(crate) use files::raise_open_files;

#[cfg(target_env = "gnu")]
use rustix::process::{Resource, getrlimit};

/// Makes the process ready for limits of the system. Call it first, before any thread starts.
///
/// A file that grows beyond `ulimit -f` is then an error, as a full disk is, and no signal that ends the process.
pub(crate) fn prepare() {
    // SAFETY: No other thread runs yet, and the handler that it replaces is the default one.
    #[expect(unsafe_code, reason = "the standard library cannot ignore this signal")]
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
    #[cfg(target_env = "gnu")]
    if getrlimit(Resource::As).current.is_some() {
        // Otherwise glibc reserves 64 MiB of address space for the heap of each thread.
        // SAFETY: The call sets a number that glibc reads when a thread first allocates, and there is one thread yet.
        #[expect(unsafe_code, reason = "the standard library has no such setting")]
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }
}

/// Makes freed memory go back to the system soon, for a process that runs for long. Call it before any other thread starts.
///
/// glibc keeps freed blocks of up to 32 MiB for later ones, once it has seen one of that size freed. A service that makes its clusters small, or drops
/// a full memtable, would seem to grow by what it frees.
pub(crate) fn give_memory_back() {
    #[cfg(target_env = "gnu")]
    for (setting, bytes) in [(libc::M_MMAP_THRESHOLD, 1 << 20), (libc::M_TRIM_THRESHOLD, 8 << 20)] {
        // SAFETY: The call sets a number that glibc reads when it allocates and frees, and there is one thread yet.
        #[expect(unsafe_code, reason = "the standard library has no such setting")]
        unsafe {
            libc::mallopt(setting, bytes);
        }
    }
}

/// Writes `message` to standard error and ends the process. It allocates nothing, takes no lock, and runs no destructor.
pub(crate) fn end_process(code: i32, message: &[u8]) -> ! {
    let _ = rustix::io::write(std::io::stderr(), message);
    // SAFETY: The call has no conditions.
    #[expect(unsafe_code, reason = "std::process::exit runs the exit handlers of the C library")]
    unsafe {
        libc::_exit(code)
    }
}
