//! The decoder of Parquet panics at some broken files: numbers of its metadata and its pages are not all checked against one another.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
};

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Does this thread decode Parquet? A panic is then a fault of the file, which is caught and reported as one. A program may ask this in
/// its panic hook, which is called before the panic is caught.
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// What `decode` gives; in place of a panic, what to say of the file. What was being decoded must not be used again then.
pub(super) fn guarded<T>(decode: impl FnOnce() -> T) -> Result<T, String> {
    DECODING.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(false);
    decoded.map_err(|_| "its parts contradict one another".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_sentence() {
        assert_eq!(guarded(|| 7), Ok(7));
        assert!(
            guarded::<()>(|| panic!("as the decoder does")).is_err_and(|message: String| !message.is_empty())
        );
    }
}
