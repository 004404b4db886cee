//! Batches with other texts.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, StructArray, builder::LargeStringBuilder, cast::AsArray};
use arrow_cast::cast;
use arrow_schema::DataType;

use super::{
    group::Leaves,
    leaf::Leaf,
    path::{column, find},
    texts::TextColumn,
};
use crate::{Fields, Place};

/// The texts of some rows that are to be written again. `None` stands for one that is null, or not there.
pub(crate) fn texts_of_batch(batch: &RecordBatch, fields: &Fields, rows: &[Place]) -> Vec<Option<String>> {
    let column = fields.text.single().and_then(|name| column(batch, name));
    let texts = column.and_then(|column| TextColumn::of(&column));
    let text = |row: &Place| texts.as_ref()?.get(row.offset as usize).map(str::to_owned);
    rows.iter().map(|row| if row.offset < batch.num_rows() as u32 { text(row) } else { None }).collect()
}

/// The same of a row group. Rows ascend.
pub(crate) fn texts_of_leaves(leaves: &Leaves, fields: &Fields, rows: &[Place]) -> Vec<Option<String>> {
    let column = fields.text.single().and_then(|name| leaves.text_column(name));
    let Some(Leaf::Bytes(values)) = column.map(|column| &leaves.columns[column]) else {
        return vec![None; rows.len()];
    };
    let (mut values, mut passed) = (values.of_rows(), 0);
    let text = |row: &Place| {
        let skipped = (row.offset as usize).checked_sub(passed)?;
        passed = row.offset as usize + 1;
        String::from_utf8(values.nth(skipped)??.to_vec()).ok()
    };
    rows.iter().map(text).collect()
}

/// Whether the column that a name leads to is one of a dictionary.
pub(crate) fn is_dictionary(columns: &arrow_schema::Fields, name: &str) -> bool {
    find(columns, name).is_ok_and(|path| matches!(path.data_type, DataType::Dictionary(..)))
}

/// The batch with other texts in the column that a name leads to. A text that is `None` stays. `None` if there is no such column, or it
/// cannot hold texts.
pub(crate) fn with_texts(batch: &RecordBatch, name: &str, texts: &[Option<&str>]) -> Option<RecordBatch> {
    let schema = batch.schema();
    let path = find(schema.fields(), name).ok()?;
    let (first, inner) = path.names.split_first()?;
    let index = schema.index_of(first).ok()?;
    let mut columns = batch.columns().to_vec();
    columns[index] = edited(&columns[index], inner, texts)?;
    RecordBatch::try_new(Arc::clone(&schema), columns).ok()
}

/// A column, or a column in structs within it, with other texts.
fn edited(column: &ArrayRef, inner: &[&str], texts: &[Option<&str>]) -> Option<ArrayRef> {
    if let Some((first, inner)) = inner.split_first() {
        let (fields, mut columns, nulls) = column.as_struct_opt()?.clone().into_parts();
        let index = fields.iter().position(|field| field.name() == first)?;
        columns[index] = edited(&columns[index], inner, texts)?;
        return Some(Arc::new(StructArray::try_new(fields, columns, nulls).ok()?));
    }
    let before = TextColumn::of(column)?;
    let mut values = LargeStringBuilder::new();
    for (row, text) in texts.iter().enumerate() {
        values.append_option(text.or_else(|| before.get(row)));
    }
    let values: ArrayRef = Arc::new(values.finish());
    cast(&values, column.data_type()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::{Int64Array, StringArray};
    use arrow_schema::Field;

    #[test]
    fn texts_of_every_type_are_replaced_and_nulls_stay() {
        let texts = StringArray::from(vec![Some("a"), None, Some("c"), Some("d")]);
        let dictionary = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        for kind in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View, DataType::Binary, dictionary] {
            let column = cast(&texts, &kind).unwrap();
            let field = Arc::new(Field::new("text", kind.clone(), true));
            let inner = StructArray::from(vec![(field, Arc::clone(&column))]);
            let other: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3, 4]));
            let columns = [("text", column), ("m", Arc::new(inner)), ("id", other)];
            let batch = RecordBatch::try_from_iter(columns).unwrap();
            for name in ["text", "m.text"] {
                let edited = with_texts(&batch, name, &[Some("x"), None, None, Some("y")]).unwrap();
                assert_eq!(edited.schema(), batch.schema());
                let column = super::super::path::column(&edited, name).unwrap();
                let values = TextColumn::of(&column).unwrap();
                let found: Vec<_> = (0..4).map(|row| values.get(row)).collect();
                assert_eq!(found, [Some("x"), None, Some("c"), Some("y")], "{kind} {name}");
            }
            assert!(with_texts(&batch, "more", &[None; 4]).is_none());
        }
    }
}
