//! Signals and the end of the process, by the calls of Unix.

mod files;
mod memory;

pub(crate) use files::raise_open_files;
pub(crate) use memory::{machine_memory, memory_limit};

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
    if memory::is_address_space_limited() {
        // Otherwise glibc reserves 64 MiB of address space for the heap of each thread.
        // SAFETY: The call sets a number that glibc reads when a thread first allocates, and there is one thread yet.
        #[expect(unsafe_code, reason = "the standard library has no such setting")]
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
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
