//! Memory that the system refuses: the run ends with a sentence and exit code 1.
//!
//! No library can go on without memory, and Rust aborts the process without a message that helps. This allocator writes one and ends
//! the process. The next run removes the temporary files, as it does after a kill.
//!
//! In a library, which is not the whole process, the same allocator does what the system's does.
//!
//! **Refusals of the system.** A failed allocation ends the process with a sentence and `_exit` (`refused`). No
//! destructor may run without memory, so the next run removes the remains, as after a kill. A file that may not grow is
//! an error, as on a full disk. Only the code that starts threads therefore tests whether memory can be had.

use crate::exit::Exit;
use crate::platform;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Memory that must be free when the program begins. A part of it is for the stack, whose failure to grow is a crash without a message.
const LEAST: usize = 16 << 20;

/// Whether the process is the program, so that it may be ended.
static IS_PROGRAM: AtomicBool = AtomicBool::new(false);

/// Ends the process at once if there is too little memory to begin. From here on, [`Allocator`] ends it when memory is refused.
pub(crate) fn check_memory() {
    IS_PROGRAM.store(true, Ordering::Relaxed);
    std::hint::black_box(Vec::<u8>::with_capacity(LEAST));
}

/// The system's allocator. While [`run`](crate::run) runs, it ends the process with a message when the system has no memory.
#[derive(Debug)]
pub struct Allocator;

// SAFETY: Every call goes to `System` under the same conditions, and its result is returned. If `System` returns null, the process may end
// without unwinding.
#[expect(unsafe_code, reason = "an allocator of its own is the only way to replace the abort")]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: The caller keeps the conditions of `GlobalAlloc`.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: The caller keeps the conditions of `GlobalAlloc`.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: The caller keeps the conditions of `GlobalAlloc`.
        checked(unsafe { System.realloc(memory, layout, size) }, size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: The caller keeps the conditions of `GlobalAlloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[inline]
fn checked(memory: *mut u8, size: usize) -> *mut u8 {
    if memory.is_null() && IS_PROGRAM.load(Ordering::Relaxed) {
        end(size);
    }
    memory
}

/// Ends the process without an allocation, and without a lock that another thread may hold.
#[cold]
fn end(size: usize) -> ! {
    static ENDS: AtomicBool = AtomicBool::new(false);
    while ENDS.swap(true, Ordering::SeqCst) {
        // Another thread is writing its message, and then ends the process.
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
    platform::end_process(Exit::Failed as i32, &text[..length])
}
