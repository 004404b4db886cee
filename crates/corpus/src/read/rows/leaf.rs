//! Values of a column of Parquet as the file has them: levels and physical values, as the Dremel paper (Melnik et al., 2010)
//! defines them. Nothing is converted, so that nothing is lost.

use parquet::{
    column::{
        reader::{ColumnReader, ColumnReaderImpl},
        writer::{ColumnWriter, ColumnWriterImpl},
    },
    data_type::{ByteArray, DataType, FixedLenByteArray, Int96},
    errors::{ParquetError, Result},
    schema::types::ColumnDescriptor,
};

/// A column without fields below it, for some rows.
#[derive(Debug)]
pub(crate) enum Leaf {
    Bool(Values<bool>),
    Int32(Values<i32>),
    Int64(Values<i64>),
    Int96(Values<Int96>),
    Float(Values<f32>),
    Double(Values<f64>),
    Bytes(Values<ByteArray>),
    FixedBytes(Values<FixedLenByteArray>),
}

/// The levels and values of some rows.
#[derive(Debug)]
pub(crate) struct Values<V> {
    levels: Levels,
    /// The values that are not null.
    values: Vec<V>,
}

/// The levels of some rows. A column that needs none has none.
#[derive(Debug, Default)]
struct Levels {
    /// The level of a value that is not null.
    most: i16,
    definition: Vec<i16>,
    repetition: Vec<i16>,
}

impl Levels {
    /// Whether these are the levels of so many values in so many rows. The decoder does not check it, and a writer of such levels panics.
    fn are_of(&self, column: &ColumnDescriptor, values: usize, rows: usize) -> bool {
        let Levels { most, definition, repetition } = self;
        let known = |levels: &[i16], most: i16| levels.iter().all(|level| (0..=most).contains(level));
        let present = definition.iter().filter(|level| *level == most).count();
        let starts = repetition.iter().filter(|&&level| level == 0).count();
        known(definition, *most)
            && known(repetition, column.max_rep_level())
            && (*most == 0 || present == values)
            && (column.max_rep_level() == 0 || (starts == rows && repetition[0] == 0))
            && (definition.is_empty() || repetition.is_empty() || definition.len() == repetition.len())
    }
}

impl Leaf {
    /// Reads the next rows of a column.
    ///
    /// # Errors
    /// The errors of the decoder, or that fewer rows follow.
    pub(super) fn read(reader: &mut ColumnReader, column: &ColumnDescriptor, rows: usize) -> Result<Leaf> {
        Ok(match reader {
            ColumnReader::BoolColumnReader(reader) => Leaf::Bool(Values::read(reader, column, rows)?),
            ColumnReader::Int32ColumnReader(reader) => Leaf::Int32(Values::read(reader, column, rows)?),
            ColumnReader::Int64ColumnReader(reader) => Leaf::Int64(Values::read(reader, column, rows)?),
            ColumnReader::Int96ColumnReader(reader) => Leaf::Int96(Values::read(reader, column, rows)?),
            ColumnReader::FloatColumnReader(reader) => Leaf::Float(Values::read(reader, column, rows)?),
            ColumnReader::DoubleColumnReader(reader) => Leaf::Double(Values::read(reader, column, rows)?),
            ColumnReader::ByteArrayColumnReader(reader) => Leaf::Bytes(Values::read(reader, column, rows)?),
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                Leaf::FixedBytes(Values::read(reader, column, rows)?)
            }
        })
    }

    /// The values of some of the rows, by their ascending numbers.
    pub(crate) fn take(&self, rows: &[u32]) -> Leaf {
        match self {
            Leaf::Bool(values) => Leaf::Bool(values.take(rows)),
            Leaf::Int32(values) => Leaf::Int32(values.take(rows)),
            Leaf::Int64(values) => Leaf::Int64(values.take(rows)),
            Leaf::Int96(values) => Leaf::Int96(values.take(rows)),
            Leaf::Float(values) => Leaf::Float(values.take(rows)),
            Leaf::Double(values) => Leaf::Double(values.take(rows)),
            Leaf::Bytes(values) => Leaf::Bytes(values.take(rows)),
            Leaf::FixedBytes(values) => Leaf::FixedBytes(values.take(rows)),
        }
    }

    /// Writes all rows to a column of the same type.
    pub(crate) fn write(&self, writer: &mut ColumnWriter<'_>) -> Result<()> {
        match (self, writer) {
            (Leaf::Bool(values), ColumnWriter::BoolColumnWriter(writer)) => values.write(writer),
            (Leaf::Int32(values), ColumnWriter::Int32ColumnWriter(writer)) => values.write(writer),
            (Leaf::Int64(values), ColumnWriter::Int64ColumnWriter(writer)) => values.write(writer),
            (Leaf::Int96(values), ColumnWriter::Int96ColumnWriter(writer)) => values.write(writer),
            (Leaf::Float(values), ColumnWriter::FloatColumnWriter(writer)) => values.write(writer),
            (Leaf::Double(values), ColumnWriter::DoubleColumnWriter(writer)) => values.write(writer),
            (Leaf::Bytes(values), ColumnWriter::ByteArrayColumnWriter(writer)) => values.write(writer),
            (Leaf::FixedBytes(values), ColumnWriter::FixedLenByteArrayColumnWriter(writer)) => {
                values.write(writer)
            }
            _ => Err(ParquetError::General("a column has another type than in the first file".to_owned())),
        }
    }
}

impl<V: Clone> Values<V> {
    /// A column that no group is around, and whose rows have at most one value. It may have nulls if `may_lack`.
    pub(crate) fn of(values: impl Iterator<Item = Option<V>>, may_lack: bool) -> Self {
        let (mut found, mut levels) = (Vec::new(), Levels { most: i16::from(may_lack), ..Levels::default() });
        for value in values {
            if may_lack {
                levels.definition.push(i16::from(value.is_some()));
            }
            found.extend(value);
        }
        Values { levels, values: found }
    }

    fn read<T: DataType<T = V>>(
        reader: &mut ColumnReaderImpl<T>,
        column: &ColumnDescriptor,
        rows: usize,
    ) -> Result<Self> {
        let mut levels = Levels { most: column.max_def_level(), ..Levels::default() };
        let (mut values, mut read) = (Vec::new(), 0);
        while read < rows {
            let definition = (levels.most > 0).then_some(&mut levels.definition);
            let repetition = (column.max_rep_level() > 0).then_some(&mut levels.repetition);
            let (more, _, _) = reader.read_records(rows - read, definition, repetition, &mut values)?;
            if more == 0 {
                let path = column.path().string();
                return Err(ParquetError::EOF(format!("the column {path} ends before its row group")));
            }
            read += more;
        }
        if !levels.are_of(column, values.len(), rows) {
            let path = column.path().string();
            return Err(ParquetError::General(format!(
                "the levels and values of {path} contradict each other"
            )));
        }
        Ok(Values { levels, values })
    }

    fn take(&self, rows: &[u32]) -> Self {
        let mut taken =
            Values { levels: Levels { most: self.levels.most, ..Levels::default() }, values: Vec::new() };
        let Levels { definition, repetition, .. } = &self.levels;
        if repetition.is_empty() && definition.is_empty() {
            taken.values = rows.iter().map(|&row| self.values[row as usize].clone()).collect();
            return taken;
        }
        let (mut level, mut value) = (0, 0);
        let (mut row, mut wanted) = (0, rows.iter().copied().peekable());
        // A row has one level, or all levels up to the next repetition level 0.
        while level < definition.len().max(repetition.len()) {
            let end = match repetition.is_empty() {
                true => level + 1,
                false => repetition[level + 1..]
                    .iter()
                    .position(|&at| at == 0)
                    .map_or(repetition.len(), |at| level + 1 + at),
            };
            let present = match definition.is_empty() {
                true => end - level,
                false => definition[level..end].iter().filter(|&&at| at == self.levels.most).count(),
            };
            if wanted.next_if_eq(&row).is_some() {
                taken.levels.definition.extend_from_slice(definition.get(level..end).unwrap_or_default());
                taken.levels.repetition.extend_from_slice(repetition.get(level..end).unwrap_or_default());
                taken.values.extend_from_slice(&self.values[value..value + present]);
            }
            (level, value, row) = (end, value + present, row + 1);
        }
        taken
    }

    /// For each row the number of its value, or `None` if it is null. The column has one value a row at most.
    fn value_numbers(&self) -> impl Iterator<Item = Option<usize>> {
        let Levels { most, definition, .. } = &self.levels;
        let all = if definition.is_empty() { self.values.len() } else { 0 };
        let mut next = 0;
        let present = definition.iter().map(move |level| {
            (level == most).then(|| {
                next += 1;
                next - 1
            })
        });
        (0..all).map(Some).chain(present)
    }

    fn write<T: DataType<T = V>>(&self, writer: &mut ColumnWriterImpl<'_, T>) -> Result<()> {
        let Levels { definition, repetition, .. } = &self.levels;
        let definition = writer.get_descriptor().max_def_level().gt(&0).then_some(&definition[..]);
        let repetition = writer.get_descriptor().max_rep_level().gt(&0).then_some(&repetition[..]);
        writer.write_batch(&self.values, definition, repetition).map(drop)
    }
}

impl Values<ByteArray> {
    /// The value of each row. The column has one value a row at most.
    pub(crate) fn of_rows(&self) -> impl Iterator<Item = Option<&[u8]>> {
        self.value_numbers().map(|value| value.map(|value| self.values[value].data()))
    }

    /// Puts other values in the place of some. Nulls stay.
    pub(crate) fn replace<'a>(&mut self, values: impl Iterator<Item = Option<&'a str>>) {
        let rows: Vec<Option<usize>> = self.value_numbers().collect();
        for (row, value) in rows.into_iter().zip(values) {
            if let (Some(row), Some(value)) = (row, value) {
                self.values[row] = value.into();
            }
        }
    }
}
