//! Appending frames to a journal.

use std::{
    fs::File,
    io::{self, ErrorKind, IoSlice, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use super::{
    JournalEnd,
    frame::{FrameHead, HEAD_BYTES},
    start::{self, JournalStart},
};
use crate::{ContainerKind, Error};

/// Appends frames to a journal. A journal has one writer at a time.
#[derive(Debug)]
pub struct JournalWriter {
    path: PathBuf,
    file: File,
    seed: u64,
    end: JournalEnd,
    /// The end of the last frame that is known to be on the disk. Before the first sync this is byte 0.
    durable: JournalEnd,
    /// The reason why the writer refuses all calls, if there is one.
    refusal: Option<&'static str>,
}

impl JournalWriter {
    /// Creates the file at `path`, and replaces any file there. The first frame continues `chain`: 0, or the chain value at the end
    /// of the file before.
    ///
    /// The first [`JournalWriter::sync`] makes the file durable, and the caller syncs its folder. After a power cut before that,
    /// the file may be missing or empty.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn create(path: &Path, kind: ContainerKind, owner: u64, chain: u64) -> Result<Self, Error> {
        let (start, bytes) = JournalStart::new(kind, owner, chain);
        let mut file = File::create(path).map_err(Error::write(path))?;
        file.write_all(&bytes).map_err(Error::write(path))?;
        let (path, end) = (path.to_owned(), start.end());
        let durable = JournalEnd { at: 0, ..end };
        Ok(JournalWriter { path, file, seed: start.seed, end, durable, refusal: None })
    }

    /// Opens the file at `path` to append behind `end`, which [`Journal::recover`](super::Journal::recover) has found. Bytes behind
    /// `end` are cut off. The file is then synced, because a recovered frame may be in the page cache only.
    ///
    /// # Errors
    /// [`Error`] if the file cannot be read or written. A file of another kind, version or owner, or that ends before `end`, is not
    /// changed.
    pub fn resume(path: &Path, kind: ContainerKind, owner: u64, end: JournalEnd) -> Result<Self, Error> {
        let mut file = File::options().read(true).write(true).open(path).map_err(Error::write(path))?;
        let start = JournalStart::check(path, &start::read(path, &file)?, kind, owner)?;
        let length = file.metadata().map_err(Error::read(path))?.len();
        if end.at < start.end().at || end.at > length {
            let what = "the journal cannot end here";
            return Err(Error::Damaged { path: path.to_owned(), at: end.at, what });
        }
        cut(&mut file, end.at).map_err(Error::write(path))?;
        let path = path.to_owned();
        Ok(JournalWriter { path, file, seed: start.seed, end, durable: end, refusal: None })
    }

    /// Appends a frame with one write, and returns the byte at which its payload starts. `sequence` is the number of the first entry
    /// in `payload`. The frame is durable after the next [`JournalWriter::sync`].
    ///
    /// # Errors
    /// [`Error::Write`]. The file then ends before the frame again, and later frames can be appended, once the disk has room. If the
    /// file could not be cut back, or a sync has failed, all later frames are refused. A payload of 4 GiB or more is refused.
    pub fn append(&mut self, sequence: u64, payload: &[u8]) -> Result<u64, Error> {
        self.check_usable()?;
        let too_long = || Error::write(&self.path)(ErrorKind::InvalidInput.into());
        let head = FrameHead::of(self.end, sequence, self.durable.at, payload).ok_or_else(too_long)?;
        let (bytes, chain) = head.encode(self.seed, self.end.at);
        if let Err(error) = write_all(&mut self.file, &mut [IoSlice::new(&bytes), IoSlice::new(payload)]) {
            match cut(&mut self.file, self.end.at) {
                Ok(()) => self.durable = self.end,
                Err(_) => {
                    self.refusal = Some("an earlier frame was written in part, and could not be cut off")
                }
            }
            return Err(Error::write(&self.path)(error));
        }
        let at = self.end.at + HEAD_BYTES as u64;
        self.end = JournalEnd { at: at + payload.len() as u64, chain };
        Ok(at)
    }

    /// Waits until all frames are on the disk (`fdatasync`).
    ///
    /// # Errors
    /// [`Error::Write`]. It is then unknown which frames are on the disk, and a second sync could report success for a frame that is
    /// lost. All later calls are therefore refused. [`Journal::recover`](super::Journal::recover) finds the frames that are left.
    pub fn sync(&mut self) -> Result<(), Error> {
        self.check_usable()?;
        if self.durable.at < self.end.at {
            if let Err(error) = self.file.sync_data() {
                self.refusal = Some("an earlier sync failed, so it is unknown which frames are on the disk");
                // Not a full disk, whatever the system says: of a frame that had no room nothing is there, and of this one all may be.
                let error = io::Error::other(format!("the sync failed: {error}"));
                return Err(Error::write(&self.path)(error));
            }
            self.durable = self.end;
        }
        Ok(())
    }

    /// Cuts off all frames that are not known to be on the disk, after an append or a sync has failed, and waits until the cut is on the disk.
    /// What was cut off does not come back, and the frames before are as they were. All later frames are refused all the same: they go to
    /// another file, which continues the returned end.
    ///
    /// # Errors
    /// [`Error::Write`]. It is then unknown whether the frames are in the file. This can be tried again.
    pub fn cut_back(&mut self) -> Result<JournalEnd, Error> {
        self.refusal = Some("an earlier frame could not be written, and the file ended before it");
        if self.durable.at == 0 {
            return Err(Error::write(&self.path)(io::Error::other("nothing of it is on the disk")));
        }
        cut(&mut self.file, self.durable.at).map_err(Error::write(&self.path))?;
        self.end = self.durable;
        Ok(self.end)
    }

    /// The end of the last frame.
    pub fn end(&self) -> JournalEnd {
        self.end
    }

    /// The number of bytes that are known to be on the disk.
    pub fn durable(&self) -> u64 {
        self.durable.at
    }

    fn check_usable(&self) -> Result<(), Error> {
        match self.refusal {
            Some(reason) => Err(Error::write(&self.path)(io::Error::other(reason))),
            None => Ok(()),
        }
    }
}

/// Cuts the file off at `at`, and continues there. The cut is synced, with all metadata. Otherwise bytes that were cut off could
/// come back after a power cut, in place of later frames that were not written.
fn cut(file: &mut File, at: u64) -> io::Result<()> {
    file.set_len(at)?;
    file.seek(SeekFrom::Start(at))?;
    file.sync_all()
}

/// Writes all slices, with one call if the system takes them in full.
fn write_all(file: &mut File, mut slices: &mut [IoSlice<'_>]) -> io::Result<()> {
    IoSlice::advance_slices(&mut slices, 0);
    while !slices.is_empty() {
        match file.write_vectored(slices) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut slices, written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// A writer to a device, which accepts neither a sync nor a cut.
    fn writer_to(device: &str) -> JournalWriter {
        let end = JournalEnd { at: 48, chain: 0 };
        let file = File::options().write(true).open(device).expect("a device of every Linux");
        JournalWriter { path: device.into(), file, seed: 0, end, durable: end, refusal: None }
    }

    #[test]
    fn all_calls_are_refused_after_a_failed_sync() {
        let mut writer = writer_to("/dev/null");
        writer.append(1, b"written").unwrap();
        let end = writer.end();
        let failed = writer.sync().unwrap_err().to_string();
        assert!(failed.contains("the sync failed") && !failed.contains("earlier"), "{failed}");
        for _ in 0..2 {
            assert!(writer.sync().unwrap_err().to_string().contains("an earlier sync failed"));
            assert!(writer.append(2, b"").unwrap_err().to_string().contains("an earlier sync failed"));
        }
        assert_eq!((writer.end(), writer.durable()), (end, 48));
    }

    #[test]
    fn all_calls_are_refused_if_a_part_of_a_frame_cannot_be_cut_off() {
        let mut writer = writer_to("/dev/full");
        assert!(writer.append(1, b"no room").unwrap_err().to_string().contains("No space left"));
        assert!(writer.append(1, b"").unwrap_err().to_string().contains("could not be cut off"));
        assert!(writer.sync().unwrap_err().to_string().contains("could not be cut off"));
    }

    #[test]
    fn what_was_not_synced_is_cut_off_and_later_frames_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (path, kind) = (folder.path().join("journal"), ContainerKind { tag: *b"test", name: "a test" });
        let mut writer = JournalWriter::create(&path, kind, 7, 0).unwrap();
        assert!(writer.cut_back().is_err(), "nothing is on the disk");
        let mut writer = JournalWriter::create(&path, kind, 7, 0).unwrap();
        writer.append(1, b"kept").unwrap();
        writer.sync().unwrap();
        let end = writer.end();
        writer.append(2, b"lost").unwrap();
        assert_eq!(writer.cut_back().unwrap(), end);
        assert!(writer.append(2, b"").unwrap_err().to_string().contains("could not be written"));
        assert_eq!(std::fs::metadata(&path).unwrap().len(), end.at);
        assert!(writer_to("/dev/null").cut_back().is_err());
    }
}
