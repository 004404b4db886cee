//! Memory that the processor fetches before its turn: the texts of a program lie all over it.
#![allow(unsafe_code)]

/// The most lines that are fetched. After them the processor has seen that memory is read in order, and goes on by itself.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const LINES: usize = 64;

/// The bytes of a line.
#[cfg(all(target_arch = "x86_64", not(miri)))]
const LINE: usize = 64;

/// Fetches the start of memory that is read soon into the cache, at most 4 KiB. Any address is allowed, as nothing is read.
///
/// An implementation of [`Texts`](crate::Texts) that converts texts one after the other may fetch the next one. Does nothing on machines
/// other than x86-64.
pub fn fetch_ahead(start: *const u8, bytes: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    for line in 0..(start.addr() % LINE + bytes).div_ceil(LINE).min(LINES) {
        // SAFETY: The instruction, which every machine of this kind has (SSE), accepts any address.
        unsafe {
            let place = start.wrapping_add(LINE * line);
            std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(place.cast());
        }
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = (start, bytes);
}
