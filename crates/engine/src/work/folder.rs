//! The folder of a run: columns and logs in checked files.

use crate::error::Error;
use crate::progress::Monitor;
use crate::work::RunDescription;
use crate::work::memory::MemoryWatch;
use crate::work::platform::create_private_folder;
use bytemuck::{AnyBitPattern, NoUninit};
use lookalike_store::{Column, ColumnWriter, ContainerKind, Log, LogWriter, MappedColumn, StoredRecord};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The description of a run.
const RUN: ContainerKind = ContainerKind { tag: *b"run ", name: "the description of a run" };

/// A column of values.
const COLUMN: ContainerKind = ContainerKind { tag: *b"colu", name: "a column of a run" };

/// A log of parts of the work.
const LOG: ContainerKind = ContainerKind { tag: *b"part", name: "a log of a run" };

/// A folder that this process alone works in.
pub struct Folder {
    path: PathBuf,
    owner: u64,
    /// Locked as long as the process lives.
    _lock: File,
    watch: MemoryWatch,
}

impl Folder {
    /// Makes the folder.
    pub fn create(description: &RunDescription) -> Result<Self, Error> {
        let path = description.folder();
        let write = |source| lookalike_store::Error::Write { path: path.to_owned(), source };
        // It holds parts of the user's texts.
        create_private_folder(path).map_err(write)?;
        let folder = Folder {
            path: path.to_owned(),
            owner: description.owner(),
            _lock: lock(path)?,
            watch: MemoryWatch::start(),
        };
        let parts = description.parts();
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let unfinished = folder.file("run.part");
        LogWriter::create(&unfinished, RUN, folder.owner)?.append(&parts)?;
        folder.rename("run.part", "run")?;
        Ok(folder)
    }

    /// The folder that an earlier run left, if that run had the same description and this run can read the same inputs. Any other
    /// folder is removed.
    pub fn find(description: &RunDescription, monitor: &Monitor) -> Result<Option<Self>, Error> {
        let path = description.folder();
        if !path.is_dir() {
            return Ok(None);
        }
        let folder = Folder {
            path: path.to_owned(),
            owner: description.owner(),
            _lock: lock(path)?,
            watch: MemoryWatch::start(),
        };
        let whole = |log: Log| {
            log.records().try_for_each(StoredRecord::verify)?;
            Ok(log)
        };
        let difference = match Log::open(&folder.file("run"), RUN, None).and_then(whole) {
            // Nothing shows whether a pipe has the same content as the earlier one.
            Ok(log) if log.owner() == folder.owner && !description.lasts() => {
                Ok("an input that is not a file may have changed".to_owned())
            }
            Ok(log) if log.owner() == folder.owner => {
                monitor.note(&format!("going on from {}", path.display()));
                return Ok(Some(folder));
            }
            Ok(log) if log.len() == 1 => description.difference(log.record(0)),
            Ok(_) => Ok("it is empty".to_owned()),
            Err(error) => Err(error),
        };
        let difference = difference.unwrap_or_else(|error| error.to_string());
        monitor.note(&format!("cannot go on from {}, starting over: {difference}", path.display()));
        folder.remove();
        Ok(None)
    }

    /// The most memory that the process has held since the folder was made, without the page cache.
    pub fn peak_memory(&self) -> Option<u64> {
        self.watch.peak()
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), Error> {
        let write = |source| lookalike_store::Error::Write { path: self.file(to), source };
        Ok(fs::rename(self.file(from), self.file(to)).map_err(write)?)
    }

    /// Starts the column `name`, from its beginning.
    pub(crate) fn start_column<T: NoUninit + AnyBitPattern>(
        &self,
        name: &str,
    ) -> Result<ColumnWriter<T>, Error> {
        Ok(ColumnWriter::create(&self.file(&format!("{name}.part")), COLUMN, self.owner)?)
    }

    /// Completes the column `name`. Only a complete column is found by a later run.
    pub(crate) fn finish_column<T: NoUninit + AnyBitPattern>(
        &self,
        name: &str,
        column: ColumnWriter<T>,
    ) -> Result<MappedColumn<T>, Error> {
        let column = column.finish()?;
        self.rename(&format!("{name}.part"), name)?;
        reached(name, 1);
        Ok(column)
    }

    /// Writes the column `name`.
    pub(crate) fn write_column<T: NoUninit + AnyBitPattern>(
        &self,
        name: &str,
        values: &[T],
    ) -> Result<MappedColumn<T>, Error> {
        let mut column = self.start_column(name)?;
        column.extend(values)?;
        self.finish_column(name, column)
    }

    /// The column `name`, if it is complete. A damaged one is reported, and must be made again.
    pub fn column<T: AnyBitPattern>(
        &self,
        name: &str,
        monitor: &Monitor,
    ) -> Result<Option<MappedColumn<T>>, Error> {
        let path = self.file(name);
        match MappedColumn::open(&path, COLUMN, self.owner) {
            Ok(column) => Ok(Some(column)),
            Err(lookalike_store::Error::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Ok(None)
            }
            Err(error @ lookalike_store::Error::Read { .. }) => Err(error.into()),
            Err(error) => {
                monitor.note(&format!("{error}; this part is done again"));
                Ok(None)
            }
        }
    }

    /// The log `name` as an earlier run left it, and a writer that continues it. Damage is reported.
    pub fn log(&self, name: &'static str, monitor: &Monitor) -> Result<(Log, RunLog), Error> {
        let path = self.file(name);
        let (writer, log, damage) = match LogWriter::resume(&path, LOG, self.owner) {
            Err(error) if error.is_damage() => {
                monitor.note(&format!("{error}; this part is done again"));
                self.forget(name);
                LogWriter::resume(&path, LOG, self.owner)?
            }
            resumed => resumed?,
        };
        if let Some(damage) = damage {
            monitor.note(&format!("{damage}; what comes behind it is done again"));
        }
        Ok((log, RunLog { name, writer, appended: 0 }))
    }

    /// The log `name`, as it is now.
    pub(crate) fn read_log(&self, name: &str) -> Result<Log, Error> {
        Ok(Log::open(&self.file(name), LOG, Some(self.owner))?)
    }

    /// Removes a file that is no longer needed.
    pub(crate) fn forget(&self, name: &str) {
        // A file that cannot be removed now is removed with the folder.
        let _ = fs::remove_file(self.file(name));
    }

    /// Removes the folder.
    pub fn remove(self) {
        // If it cannot be removed, it is left: the outputs are complete without that.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// A log that is being written.
pub struct RunLog {
    name: &'static str,
    writer: LogWriter,
    appended: u64,
}

impl RunLog {
    /// Appends a record of these parts.
    pub fn append(&mut self, parts: &[&[u8]]) -> Result<(), Error> {
        self.writer.append(parts)?;
        self.appended += 1;
        reached(self.name, self.appended);
        Ok(())
    }
}

/// Aborts the process when `name` is written for the `times`th time, if the environment asks for that. So tests can stop it anywhere.
/// Release builds do not.
fn reached(name: &str, times: u64) {
    if cfg!(debug_assertions)
        && std::env::var("LOOKALIKE_ABORT_AT").is_ok_and(|at| at == format!("{name}#{times}"))
    {
        std::process::abort();
    }
}

/// Locks a folder for this process.
fn lock(folder: &Path) -> Result<File, Error> {
    let path = folder.join("lock");
    let write = |source| lookalike_store::Error::Write { path: path.clone(), source };
    let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(write)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Error::Busy { folder: folder.to_owned() }),
        Err(TryLockError::Error(source)) => Err(write(source).into()),
    }
}

/// A column of `front` and then `held`: on disk if `held` was there.
pub fn behind<T: AnyBitPattern + NoUninit>(
    front: &[T],
    held: &Column<T>,
    name: &str,
    folder: Option<&Folder>,
) -> Result<Column<T>, Error> {
    match (held, folder) {
        (Column::Disk(held), Some(folder)) => {
            let mut column = folder.start_column(name)?;
            column.extend(front)?;
            column.extend(held)?;
            Ok(Column::Disk(folder.finish_column(name, column)?))
        }
        _ => Ok(Column::Memory([front, held].concat())),
    }
}
