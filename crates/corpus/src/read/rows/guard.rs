//! Catching panics of the Parquet decoder. It panics on some broken files, because it does not check all numbers of the
//! metadata and the pages against each other.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
};

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread decodes Parquet. A panic is then the fault of the file, and is caught and reported as a bad record. A
/// program may call this in its panic hook, which runs before the panic is caught.
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// Calls `decode`, and turns a panic into a message about the file. After a panic, the values that were being decoded must not
/// be used again.
pub(super) fn guarded<T>(decode: impl FnOnce() -> T) -> Result<T, String> {
    DECODING.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(false);
    decoded.map_err(|_| "its metadata and pages contradict each other".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message() {
        assert_eq!(guarded(|| 7), Ok(7));
        assert!(
            guarded::<()>(|| panic!("as the decoder does")).is_err_and(|message: String| !message.is_empty())
        );
    }
}
