//! Texts in memory, which the processor fetches before their turn: the texts of a list lie all over it.
#![allow(unsafe_code)]

/// The lines of the cache that are fetched: about as many as a core waits for at once. After them, the processor has seen that memory is read in
/// order, and goes on by itself.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const LINES: usize = 16;

/// The bytes of a line.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const LINE: usize = 64;

/// Fetches the start of a text that is read soon. Does nothing on machines without such an instruction.
pub(super) fn fetch(text: &str) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for line in 0..text.len().div_ceil(LINE).min(LINES) {
        // SAFETY: The instruction, which every machine of this kind has (SSE), accepts any address.
        unsafe {
            let place = text.as_ptr().wrapping_add(LINE * line);
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(place.cast());
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = text;
}
