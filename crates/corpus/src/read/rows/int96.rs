//! Instants of 96 bits, as Spark and Hive write them. Arrow reads them as nanoseconds, which reach from 1677 to 2262 in 64 bits.

use std::sync::Arc;

use arrow_schema::{DataType, Field, FieldRef, Schema, TimeUnit};
use parquet::{
    arrow::arrow_reader::ArrowReaderMetadata,
    basic::Type as Physical,
    schema::types::{Type, TypePtr},
};

/// The schema with microseconds for such instants, which reach as far as any calendar. `None` if there is none.
pub(super) fn in_microseconds(metadata: &ArrowReaderMetadata) -> Option<Arc<Schema>> {
    let columns = metadata.parquet_schema();
    columns.columns().iter().find(|column| column.physical_type() == Physical::INT96)?;
    let schema = metadata.schema();
    let fields = converted(columns.root_schema().get_fields(), schema.fields());
    Some(Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone())))
}

fn converted(types: &[TypePtr], fields: &[FieldRef]) -> Vec<FieldRef> {
    let field = |(kind, field): (&TypePtr, &FieldRef)| -> FieldRef {
        let data_type = match (&**kind, field.data_type()) {
            (Type::PrimitiveType { physical_type: Physical::INT96, .. }, DataType::Timestamp(_, zone)) => {
                DataType::Timestamp(TimeUnit::Microsecond, zone.clone())
            }
            (Type::GroupType { fields: types, .. }, DataType::Struct(fields))
                if types.len() == fields.len() =>
            {
                DataType::Struct(converted(types, fields).into())
            }
            _ => return Arc::clone(field),
        };
        Arc::new(Field::clone(field).with_data_type(data_type))
    };
    types.iter().zip(fields).map(field).collect()
}
