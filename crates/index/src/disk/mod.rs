//! The folder of an index: which files it has, and which of them count.

pub(crate) mod checkpoint;
pub(crate) mod files;
pub(crate) mod lock;
pub(crate) mod manifest;
pub(crate) mod named;
pub(crate) mod new_files;
pub(crate) mod platform;
