//! Files behind a network: `s3://`, `gs://`, `https://` and `http://`.
//!
//! The rest of the crate reads and writes them like local files, at any position and in any order. Asynchronous code stays in
//! this folder. It runs in a small runtime, which starts with the first remote name. Without the feature `remote`, the module
//! `absent` returns errors instead.
//!
//! All readers read an `opened` file: a local one, or an object on a server. Requests run in a runtime of two threads
//! inside `remote`, which the first remote name starts, and workers wait for them. Each chunk is a request, so chunks
//! of objects are eight times as long. A stream requests the next part while it decodes one. Each Parquet column has a
//! window. All requests are on condition that the object has not changed. An upload completes with its output and gets
//! its name with the others. If it is dropped, it is taken back. Without the feature, `absent` takes the place of
//! `remote`, so no other module depends on it.

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
use std::{io, path::Path};

use crate::Error;

/// The schemes of remote names.
const SCHEMES: [&str; 4] = ["s3://", "gs://", "https://", "http://"];

/// The objects that an argument names.
#[derive(Debug)]
#[cfg_attr(not(feature = "remote"), expect(dead_code, reason = "nothing is found without the feature"))]
pub(crate) enum Named {
    /// An object, and its first bytes.
    Object { object: Object, head: Vec<u8> },
    /// All objects below a prefix, in order, with their paths below it.
    Folder(Vec<(Object, String)>),
    /// The objects that a glob matches, in order.
    Matches(Vec<Object>),
}

/// Whether this is the name of a remote file.
pub(crate) fn is_remote(path: &Path) -> bool {
    let name = path.as_os_str().as_encoded_bytes();
    SCHEMES.iter().any(|scheme| name.starts_with(scheme.as_bytes()))
}

/// The error for a name of a scheme that is not read or written, such as `az://account/file`.
pub(crate) fn other_scheme(name: &str) -> Option<Error> {
    let (scheme, _) = name.split_once("://")?;
    // A letter alone is a drive.
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    let problem = match scheme {
        "file" => "leave out file://",
        _ => "a name starts with s3://, gs://, https:// or http://, or is a file of this machine",
    };
    (is_scheme && !is_remote(Path::new(name)))
        .then(|| Error::RemoteName { name: name.to_owned(), problem: problem.to_owned() })
}

/// The error for a file that cannot be read.
pub(crate) fn read_error(path: &Path, source: io::Error) -> Error {
    match is_change(&source) {
        true => Error::Changed { path: path.to_owned() },
        false => Error::Read { path: path.to_owned(), source },
    }
}
