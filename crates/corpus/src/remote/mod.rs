//! Files behind a network: `s3://`, `gs://`, `https://` and `http://`.
//!
//! The rest of the crate reads and writes as if they were here, at any place and in any order; what is asynchronous ends in
//! this folder, in a small runtime that is started with the first name of this kind. Without the feature `remote` there
//! are no such files, and `absent` says so.

#[cfg(not(feature = "remote"))]
mod absent;
#[cfg(feature = "remote")]
mod failure;
#[cfg(feature = "remote")]
mod listing;
pub mod network;
#[cfg(feature = "remote")]
mod object;
#[cfg(feature = "remote")]
mod runtime;
#[cfg(feature = "remote")]
mod sequence;
#[cfg(feature = "remote")]
mod stores;
#[cfg(feature = "remote")]
mod upload;
#[cfg(feature = "remote")]
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "only Parquet is read in windows"))]
mod windows;

#[cfg(not(feature = "remote"))]
pub(crate) use self::absent::{Object, Sequence, Upload, Windows, find, heads, is_change, is_failure, texts};
#[cfg(feature = "remote")]
pub(crate) use self::{
    failure::{is_change, is_failure},
    listing::find,
    object::{Object, heads, texts},
    sequence::Sequence,
    upload::Upload,
    windows::Windows,
};
use std::path::Path;

/// What the names of these files start with.
const SCHEMES: [&str; 4] = ["s3://", "gs://", "https://", "http://"];

/// What an argument names.
#[derive(Debug)]
#[cfg_attr(not(feature = "remote"), expect(dead_code, reason = "nothing is found without the feature"))]
pub(crate) enum Named {
    /// An object, and the first bytes of it.
    Object { object: Object, head: Vec<u8> },
    /// All objects below a prefix, in order, and their names there.
    Folder(Vec<(Object, String)>),
    /// The objects that a glob matches, in order.
    Matches(Vec<Object>),
}

/// Is it the name of a file behind a network?
pub(crate) fn is_remote(path: &Path) -> bool {
    let name = path.as_os_str().as_encoded_bytes();
    SCHEMES.iter().any(|scheme| name.starts_with(scheme.as_bytes()))
}
