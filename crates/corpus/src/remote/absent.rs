//! Stand-ins for a build without remote files. Their values cannot be created. Only [`find`] and [`Upload::create`] are ever
//! called with a remote name, and their errors name the missing feature.

use std::{
    convert::Infallible,
    io::{self, Read, Write},
    ops::Range,
    path::Path,
};

use super::Named;
use crate::{Error, Waiting};

#[derive(Debug, Clone)]
pub(crate) struct Object(Infallible);

#[derive(Debug)]
pub(crate) struct Sequence(Infallible);

#[derive(Debug, Clone)]
pub(crate) struct Windows(Infallible);

#[derive(Debug)]
pub(crate) struct Upload(Infallible);

pub(crate) fn find(name: &str, _: &Waiting) -> Result<Named, Error> {
    Err(Error::WithoutRemote { name: name.to_owned() })
}

pub(crate) fn heads(_: &[Object]) -> Result<Vec<Vec<u8>>, Error> {
    Ok(Vec::new())
}

pub(crate) fn texts(_: &[&Object]) -> Result<Vec<Vec<u8>>, Error> {
    Ok(Vec::new())
}

pub(crate) fn is_failure(_: &io::Error) -> bool {
    false
}

pub(crate) fn is_change(_: &io::Error) -> bool {
    false
}

impl Object {
    pub(crate) fn name(&self) -> &str {
        match self.0 {}
    }

    pub(crate) fn length(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn version(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn is_in_bucket(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
        match self.0 {}
    }
}

impl Sequence {
    pub(crate) fn at(object: &Object, _: u64) -> Sequence {
        match object.0 {}
    }
}

impl Read for Sequence {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }
}

#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "only Parquet is read in windows"))]
impl Windows {
    pub(crate) fn of(object: &Object, _: Vec<Range<u64>>) -> Windows {
        match object.0 {}
    }

    pub(crate) fn read(&self, _: u64, _: usize) -> io::Result<bytes::Bytes> {
        match self.0 {}
    }

    pub(crate) fn take_failure(&self) -> Option<io::Error> {
        match self.0 {}
    }
}

impl Upload {
    pub(crate) fn create(path: &Path, _: &Waiting) -> Result<Upload, Error> {
        Err(Error::WithoutRemote { name: path.to_string_lossy().into_owned() })
    }

    pub(crate) fn length(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn complete(&mut self) -> io::Result<()> {
        match self.0 {}
    }

    pub(crate) fn publish(uploads: Vec<Upload>) -> Result<(), Error> {
        match uploads.into_iter().next() {
            Some(upload) => match upload.0 {},
            None => Ok(()),
        }
    }
}

impl Write for Upload {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}
