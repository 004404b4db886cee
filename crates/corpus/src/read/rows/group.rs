//! The columns of a row group, read side by side as the file has them.

use std::sync::Arc;

use parquet::{
    column::reader::{ColumnReader, get_column_reader},
    errors::Result,
    file::{metadata::RowGroupMetaData, serialized_reader::SerializedPageReader},
    schema::types::ColumnDescPtr,
};

use super::{leaf::Leaf, source::SharedFile};

/// Rows as the file has them: its columns without fields below them, in its order.
#[derive(Debug)]
pub(crate) struct Leaves {
    pub(crate) columns: Vec<Leaf>,
    pub(crate) rows: u32,
    kinds: Vec<ColumnDescPtr>,
}

impl Leaves {
    /// The number of the column of texts that a name leads to. A column of this name comes before a path.
    pub(crate) fn text_column(&self, name: &str) -> Option<usize> {
        let is_text = |column: &usize| {
            let kind = &self.kinds[*column];
            let is_single = kind.max_rep_level() == 0 && matches!(self.columns[*column], Leaf::Bytes(_));
            is_single && kind.path().string() == name
        };
        (0..self.columns.len()).filter(is_text).min_by_key(|&column| self.kinds[column].path().parts().len())
    }
}

/// Some columns of a row group.
pub(super) struct GroupReader {
    columns: Vec<(ColumnDescPtr, ColumnReader)>,
    rows_left: usize,
}

impl GroupReader {
    pub(super) fn open(
        source: &SharedFile,
        group: &RowGroupMetaData,
        columns: impl Iterator<Item = usize>,
    ) -> Result<GroupReader> {
        let rows = group.num_rows().max(0) as usize;
        let source = Arc::new(source.clone());
        let columns = columns.map(|leaf| {
            let column = group.column(leaf);
            let pages = SerializedPageReader::new(Arc::clone(&source), column, rows, None)?;
            let kind = column.column_descr_ptr();
            Ok((Arc::clone(&kind), get_column_reader(kind, Box::new(pages))))
        });
        Ok(GroupReader { columns: columns.collect::<Result<_>>()?, rows_left: rows })
    }

    /// The next rows, at most as many as given; `None` at the end.
    pub(super) fn next(&mut self, most: usize) -> Result<Option<Leaves>> {
        let rows = most.min(self.rows_left);
        if rows == 0 {
            return Ok(None);
        }
        self.rows_left -= rows;
        let columns = self.columns.iter_mut().map(|(kind, reader)| Leaf::read(reader, kind, rows));
        let columns = columns.collect::<Result<_>>()?;
        let kinds = self.columns.iter().map(|(kind, _)| Arc::clone(kind)).collect();
        Ok(Some(Leaves { columns, rows: rows as u32, kinds }))
    }
}
