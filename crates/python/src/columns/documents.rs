//! All that a search needs of each text, in one pass over it.

use super::BLOCK;
use crate::arrow::Arrays;
use crate::error;
use crate::input::{ColumnNames, ColumnTexts};
use crate::plan::CheckedPlan;
use crate::table::Table;
use crate::wait::Run;
use arrow_array::ArrayRef;
use arrow_array::builder::{BinaryBuilder, Int64Builder, ListBuilder};
use lookalike::search::{ComparedFeatures, SketchBuilder};
use lookalike::sketch::Sketch;
use lookalike::{Level, Method, Plan, Weights};
use lookalike_batch::Error;
use lookalike_corpus::Texts;
use lookalike_engine::progress::Monitor;
use pyo3::prelude::*;
use std::sync::Arc;

/// The content, the signature, the band keys and the features of each text, each as its own function makes it, and the number of its words.
#[pyfunction]
pub(crate) fn table_of_documents(
    py: Python<'_>,
    column: &Bound<'_, PyAny>,
    plan: &CheckedPlan,
    run: &Run,
) -> PyResult<Table> {
    let texts = ColumnTexts::new(vec![Arrays::of(column)?], &ColumnNames::of_text("text"))?;
    let plan = plan.plan(py)?;
    if plan.method() != Method::MinHash || plan.compares_weights() {
        let message = "documents need a plan of method \"minhash\", and a measure without weights";
        return Err(error::plan(py, "method", message));
    }
    let columns = run.wait(py, |monitor| described(&texts, plan, monitor))?;
    Ok(Table::of_columns(
        ["content", "signature", "band_keys", "features", "words"].into_iter().zip(columns).collect(),
    ))
}

fn described(texts: &ColumnTexts, plan: &Plan, monitor: &Monitor) -> Result<[ArrayRef; 5], Error> {
    let mut builder = SketchBuilder::new(plan, &Weights::Set, Level::detect());
    let (mut contents, mut signatures, mut features) =
        (BinaryBuilder::new(), BinaryBuilder::new(), BinaryBuilder::new());
    let (mut keys, mut words) = (ListBuilder::new(Int64Builder::new()), Int64Builder::new());
    for row in 0..texts.rows() {
        if row % BLOCK == 0 {
            monitor.interrupt.check()?;
        }
        let Sketch { content, signature, keys: band_keys, .. } = builder.sketch(texts.text(row));
        if content.is_empty() {
            [&mut contents, &mut signatures, &mut features].into_iter().for_each(BinaryBuilder::append_null);
            keys.append_null();
            words.append_value(0);
            continue;
        }
        let [first, second, _] = content.to_parts();
        contents.append_value([first.to_be_bytes(), second.to_be_bytes()].concat());
        signatures.append_value(signature.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());
        band_keys.iter().for_each(|&key| keys.values().append_value(key as i64));
        keys.append(true);
        words.append_value(builder.last_tokens() as i64);
        let compared = ComparedFeatures::of_last(&mut builder);
        let mut distinct = compared.set().features.to_vec();
        distinct.sort_unstable();
        features.append_value(distinct.iter().flat_map(|feature| feature.to_le_bytes()).collect::<Vec<u8>>());
    }
    Ok([
        Arc::new(contents.finish()),
        Arc::new(signatures.finish()),
        Arc::new(keys.finish()),
        Arc::new(features.finish()),
        Arc::new(words.finish()),
    ])
}
