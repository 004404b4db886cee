//! What a program that reads and writes behind a network has to say about it: when to stop, and to whom to tell that it
//! takes long. Nothing is told before a name such as `s3://bucket/key` is used. Pipes are waited for in the same way.

use std::{
    path::Path,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

static GIVEN_UP: AtomicBool = AtomicBool::new(false);
static LISTENER: OnceLock<fn(&str)> = OnceLock::new();

/// Is it the name of a file behind a network, such as `s3://bucket/key`?
pub fn is_remote(path: &Path) -> bool {
    super::is_remote(path)
}

/// Ends all waiting for the network and for pipes, now and from now on, with an error; for Ctrl-C.
pub fn give_up() {
    GIVEN_UP.store(true, Ordering::Relaxed);
}

/// Was it given up?
pub fn is_given_up() -> bool {
    GIVEN_UP.load(Ordering::Relaxed)
}

/// Says who is told when a server lets us wait. The first call counts.
pub fn tell(listener: fn(&str)) {
    let _ = LISTENER.set(listener);
}

/// Waits until uploads that were left incomplete are taken back, a few seconds at most; to be called before the program
/// ends.
pub fn settle() {
    #[cfg(feature = "remote")]
    super::upload::settle();
}

#[cfg(feature = "remote")]
pub(super) fn say(message: &str) {
    if let Some(listener) = LISTENER.get() {
        listener(message);
    }
}
