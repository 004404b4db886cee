//! One long list of values, in memory or in a file.

use bytemuck::{AnyBitPattern, NoUninit};
use std::{
    fs::File,
    io::{BufWriter, Seek, SeekFrom, Write},
    marker::PhantomData,
    ops::{Deref, Range},
    path::{Path, PathBuf},
    sync::Arc,
};
use xxhash_rust::xxh3::Xxh3;

use crate::{
    ContainerKind, Error, Log,
    header::{HEADER_BYTES, header},
    log::{padded, table, table_bytes},
    map::Map,
};

/// Values in a file, which are read when they are accessed.
#[derive(Clone, Debug)]
pub struct MappedColumn<T> {
    map: Arc<Map>,
    bytes: Range<usize>,
    values: PhantomData<T>,
}

impl<T: AnyBitPattern> MappedColumn<T> {
    pub(crate) fn new(map: Arc<Map>, bytes: Range<usize>) -> Self {
        MappedColumn { map, bytes, values: PhantomData }
    }

    /// Opens a column that [`ColumnWriter`] has written, and verifies its checksum.
    ///
    /// # Errors
    /// [`Error`], also if the column was not finished.
    pub fn open(path: &Path, kind: ContainerKind, owner: u64) -> Result<Self, Error> {
        let log = Log::open(path, kind, Some(owner))?;
        if log.len() != 1 {
            return Err(Error::Damaged { path: path.to_owned(), at: 0, what: "a column is one record" });
        }
        log.record(0).column(0)
    }
}

impl<T: AnyBitPattern> Deref for MappedColumn<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.map[self.bytes.clone()])
    }
}

/// Writes a column: a file of one record with one part. The length need not be known in advance.
#[expect(missing_debug_implementations, reason = "there is nothing to see in a checksum half done")]
pub struct ColumnWriter<T> {
    path: PathBuf,
    file: BufWriter<File>,
    sum: Box<Xxh3>,
    length: u64,
    values: PhantomData<T>,
}

impl<T: NoUninit + AnyBitPattern> ColumnWriter<T> {
    /// Creates the file at `path`, and replaces any file there. The file is not a valid column until [`ColumnWriter::finish`].
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn create(path: &Path, kind: ContainerKind, owner: u64) -> Result<Self, Error> {
        let file = File::options().read(true).write(true).create(true).truncate(true).open(path);
        let mut file = BufWriter::with_capacity(1 << 18, file.map_err(Error::write(path))?);
        file.write_all(&header(kind, owner)).map_err(Error::write(path))?;
        file.write_all(&vec![0; table_bytes(1)]).map_err(Error::write(path))?;
        let (path, sum) = (path.to_owned(), Box::new(Xxh3::new()));
        Ok(ColumnWriter { path, file, sum, length: 0, values: PhantomData })
    }

    /// Appends `values`.
    ///
    /// # Errors
    /// [`Error::Write`].
    pub fn extend(&mut self, values: &[T]) -> Result<(), Error> {
        let bytes = bytemuck::cast_slice(values);
        self.sum.update(bytes);
        self.length += bytes.len() as u64;
        self.file.write_all(bytes).map_err(Error::write(&self.path))
    }

    /// Completes the file and opens it. (If the machine stops before all of it is on the disk, the checksum does not match
    /// later.)
    ///
    /// # Errors
    /// [`Error`].
    pub fn finish(mut self) -> Result<MappedColumn<T>, Error> {
        let end = self.length as usize;
        let padding = vec![0; padded(end) - end];
        let (table, _) = table(HEADER_BYTES as u64, &[(self.length, self.sum.digest())]);
        let finish = |file: &mut BufWriter<File>| {
            file.write_all(&padding)?;
            file.flush()?;
            file.seek(SeekFrom::Start(HEADER_BYTES as u64))?;
            file.write_all(&table)?;
            file.flush()
        };
        finish(&mut self.file).map_err(Error::write(&self.path))?;
        let start = HEADER_BYTES + table_bytes(1);
        Ok(MappedColumn::new(Arc::new(Map::new(&self.path)?), start..start + end))
    }
}

/// A list of values, in memory or in a file.
#[derive(Clone, Debug)]
pub enum Column<T> {
    /// In memory.
    Memory(Vec<T>),
    /// In a file.
    Disk(MappedColumn<T>),
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Column::Memory(Vec::new())
    }
}

impl<T: AnyBitPattern> Column<T> {
    /// The values as a list that can grow. Values in a file are copied into memory first.
    pub fn memory(&mut self) -> &mut Vec<T> {
        if let Column::Disk(column) = self {
            *self = Column::Memory(column.to_vec());
        }
        match self {
            Column::Memory(values) => values,
            Column::Disk(_) => unreachable!("it was just put into memory"),
        }
    }
}

impl<T: AnyBitPattern> Deref for Column<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Column::Memory(values) => values,
            Column::Disk(column) => column,
        }
    }
}
