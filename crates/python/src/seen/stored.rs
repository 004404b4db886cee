//! Seen documents as bytes, for files and pickles.
//!
//! They are a stream in the IPC format of Arrow with a row for each document: its id (`text` or `number`), its signature as little-endian
//! numbers of 32 bits, and its features as such numbers of 64 bits. A removed document has no signature. The metadata has the version of
//! the format, the version of sketches, the plan as JSON, and whether documents are compared exactly.

use super::{HeldDocument, Id, SeenTexts};
use crate::table::Table;
use arrow_array::cast::AsArray;
use arrow_array::types::Decimal128Type;
use arrow_array::{Array, ArrayRef, BinaryArray, Decimal128Array, StringArray};
use arrow_schema::DataType;
use lookalike::compare::Set;
use lookalike::search::ComparedFeatures;
use lookalike::{Plan, SKETCH_VERSION, Signature};
use std::collections::HashMap;
use std::sync::Arc;

/// The version of the format.
const VERSION: &str = "1";

/// The type of numbers that are ids: integers of 128 bits.
const NUMBERS: DataType = DataType::Decimal128(38, 0);

/// The keys of the metadata.
const FORMAT: &str = "lookalike.seen";
const SKETCHES: &str = "lookalike.sketches";
const PLAN: &str = "lookalike.plan";
const EXACT: &str = "lookalike.exact";

impl SeenTexts {
    /// The documents as a table.
    pub(super) fn stored(&self) -> Result<Table, String> {
        let documents = self.documents();
        let ids = documents.documents.iter().map(|document| document.id.as_ref());
        let texts = ids.clone().map(|id| if let Some(Id::Text(text)) = id { Some(text) } else { None });
        let numbers = ids.map(|id| if let Some(Id::Number(number)) = id { Some(*number) } else { None });
        let signatures = (0..documents.documents.len() as u32).map(|number| {
            documents
                .signature(number)
                .map(|signature| bytes_of(signature.values().iter().map(|value| value.to_le_bytes())))
        });
        let features = documents.documents.iter().map(|document| {
            document
                .compared
                .as_ref()
                .map(|compared| bytes_of(compared.set().features.iter().map(|feature| feature.to_le_bytes())))
        });
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("text", Arc::new(texts.collect::<StringArray>())),
            ("number", Arc::new(numbers.collect::<Decimal128Array>().with_data_type(NUMBERS))),
            ("signature", Arc::new(signatures.collect::<BinaryArray>())),
            ("features", Arc::new(features.collect::<BinaryArray>())),
        ];
        let plan = serde_json::to_string(&self.plan).map_err(|error| error.to_string())?;
        let metadata = [
            (FORMAT, VERSION),
            (SKETCHES, &SKETCH_VERSION.to_string()),
            (PLAN, &plan),
            (EXACT, &self.exact.to_string()),
        ];
        let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
        Ok(Table::described(columns, HashMap::from(metadata)))
    }

    /// The documents of such a table.
    ///
    /// # Errors
    /// A sentence, if the table is none of this kind or of another version.
    pub(super) fn restored(table: &Table) -> Result<Self, String> {
        let batch = table.batch();
        let schema = batch.schema();
        let value = |key: &str| schema.metadata().get(key).map(String::as_str);
        if value(FORMAT) != Some(VERSION) {
            return Err("these are no documents of Seen that this version reads".to_owned());
        }
        if value(SKETCHES) != Some(SKETCH_VERSION.to_string().as_str()) {
            return Err("another version made these sketches: add the texts again".to_owned());
        }
        let plan: Plan =
            serde_json::from_str(value(PLAN).unwrap_or_default()).map_err(|error| error.to_string())?;
        let seen = SeenTexts::empty(plan, value(EXACT) == Some("true"));
        let column =
            |name: &str| batch.column_by_name(name).ok_or_else(|| format!("the column {name} is missing"));
        let (texts, numbers) = (column("text")?.as_string::<i32>(), column("number")?);
        let numbers = numbers
            .as_primitive_opt::<Decimal128Type>()
            .ok_or_else(|| "the column number has another type".to_owned())?;
        let (signatures, features) =
            (column("signature")?.as_binary::<i32>(), column("features")?.as_binary::<i32>());
        let mut documents = seen.documents();
        for row in 0..batch.num_rows() {
            let id = match (texts.is_valid(row), numbers.is_valid(row)) {
                (true, _) => Some(Id::Text(texts.value(row).to_owned())),
                (_, true) => Some(Id::Number(numbers.value(row))),
                _ => None,
            };
            let values = |bytes: &[u8]| {
                bytes.as_chunks().0.iter().map(|value| u32::from_le_bytes(*value)).collect::<Vec<u32>>()
            };
            let signature = signatures
                .is_valid(row)
                .then(|| Signature::new(seen.plan.signature_id(), values(signatures.value(row))));
            let compared = features.is_valid(row).then(|| {
                let features: Vec<u64> = features
                    .value(row)
                    .as_chunks()
                    .0
                    .iter()
                    .map(|value| u64::from_le_bytes(*value))
                    .collect();
                ComparedFeatures::from(Set { features: &features, weights: &[] })
            });
            let pushed = documents.restore(signature, HeldDocument { id, compared });
            pushed.map_err(|_| "two documents have the same id".to_owned())?;
        }
        drop(documents);
        Ok(seen)
    }
}

fn bytes_of<const N: usize>(values: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    values.flatten().collect()
}
