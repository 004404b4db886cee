//! What depends on the operating system.

/// Whether this process belongs to root.
pub(crate) fn is_root() -> bool {
    // The owner of the folder that Linux has for it.
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
    }
    #[cfg(not(target_os = "linux"))]
    false
}
