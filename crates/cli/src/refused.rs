//! What the system refuses ends the run with a sentence and exit 1: memory, and files that grow beyond their limit.
//!
//! A library cannot go on without memory, and Rust aborts where it cannot; here it is the process that ends, in words. What the run has
//! begun beside its outputs is removed by the next one, as after a kill. Files that grow beyond `ulimit -f` are errors like a full disk,
//! once the signal is ignored that would end the process.

use crate::exit::Exit;
use rustix::process::{Resource, getrlimit};
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What is left when the program begins, at least: its own stack grows by some of it, and a stack that cannot grow is a crash without words.
const LEAST: usize = 16 << 20;

/// Makes refusals errors. To be called first of all.
pub(crate) fn prepare() {
    // SAFETY: No other thread runs yet, and no handler is replaced but that of the system.
    #[expect(unsafe_code, reason = "the standard library ignores no signal but that of closed pipes")]
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
    #[cfg(target_env = "gnu")]
    if getrlimit(Resource::As).current.is_some() {
        // Each thread would else reserve 64 MiB of the address space for a heap of its own.
        // SAFETY: It sets a number that the allocator looks at when a thread first asks for memory; there is one thread yet.
        #[expect(unsafe_code, reason = "the allocator is that of the system's C library")]
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }
    std::hint::black_box(Vec::<u8>::with_capacity(LEAST));
}

/// The allocator of the system, and an end in words when it has nothing to give.
struct Allocator;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

// SAFETY: Everything is left to `System`, under the same conditions, and what it gives is given on. Where it gives nothing, the process
// ends, and nothing unwinds.
#[expect(unsafe_code, reason = "the only way to do something else than to abort when there is no memory")]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: As the caller promises.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: As the caller promises.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: As the caller promises.
        given(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: As the caller promises.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn given(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() {
        end(size);
    }
    memory
}

/// Ends the process without asking for memory, and without any lock that another thread may hold.
#[cold]
fn end(size: usize) -> ! {
    static ENDS: AtomicBool = AtomicBool::new(false);
    while ENDS.swap(true, Ordering::SeqCst) {
        // Another thread was first.
        std::thread::sleep(Duration::from_secs(1));
    }
    let mut text = [0_u8; 256];
    let mut rest = &mut text[..];
    let _ = writeln!(
        rest,
        "error: the system refuses {:.1} MB of memory; allow the run more (ulimit -v, ulimit -d), or let it take less (--memory, --threads)",
        size as f64 / 1e6
    );
    let length = 256 - rest.len();
    let _ = rustix::io::write(std::io::stderr(), &text[..length]);
    // SAFETY: It has no conditions. Destructors, which may want memory or wait for other threads, do not run.
    #[expect(unsafe_code, reason = "std::process::exit runs destructors")]
    unsafe {
        libc::_exit(Exit::Failed as i32)
    }
}
