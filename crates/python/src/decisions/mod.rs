//! The decisions of `dedup`, as rows.

mod members;
mod reduced;

use crate::column::Column;
use crate::scores::{ScoreColumns, ids_at};
use crate::table::Table;
use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray, UInt64Array};
use lookalike_engine::decisions::Reason;
use lookalike_report::{DedupSummary, ReturnedDecisions};
use members::DecisionMember;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use reduced::{ReducedClusters, ReducedExample};
use std::sync::Arc;

/// The decisions of `dedup`. Documents that others were compared against have no rows.
#[pyclass(frozen)]
pub(crate) struct Decisions {
    pub(crate) summary: Arc<DedupSummary>,
    pub(crate) decided: ReturnedDecisions,
    /// The ids of all rows, as they were given.
    pub(crate) ids: Option<ArrayRef>,
    /// The columns of the similarity of a removed document.
    pub(crate) score: ScoreColumns,
    /// Whether documents may be removed for containment.
    pub(crate) contained: bool,
}

#[pymethods]
impl Decisions {
    /// The summary as JSON.
    #[getter]
    fn summary(&self) -> String {
        serde_json::to_string(&*self.summary).unwrap_or_default()
    }

    fn __len__(&self) -> usize {
        self.decided.rows() as usize
    }

    /// A byte for each row: 1 if it stays.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        PyByteArray::new(py, &py.detach(|| self.kept_rows()))
    }

    /// The rows that stay.
    fn rows<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        let bytes: Vec<u8> = py.detach(|| {
            let kept = self.kept_rows();
            (0_i64..)
                .zip(&kept)
                .filter(|(_, kept)| **kept == 1)
                .flat_map(|(row, _)| row.to_ne_bytes())
                .collect()
        });
        PyByteArray::new(py, &bytes)
    }

    /// The number of the cluster of each row, counted from 1, or null if it is in none.
    fn cluster(&self) -> Column {
        let mut numbers = vec![None; self.__len__()];
        for member in self.members() {
            if let Some(row) = self.row(member.document) {
                numbers[row as usize] = Some(member.cluster);
            }
        }
        Column::new(Arc::new(UInt64Array::from(numbers)))
    }

    /// The removed rows.
    fn removed(&self, py: Python<'_>) -> PyResult<Table> {
        let removed: Vec<DecisionMember> = py.detach(|| self.removed_members().collect());
        let numbers = |number: fn(&DecisionMember) -> Option<u64>| -> ArrayRef {
            Arc::new(removed.iter().map(number).collect::<UInt64Array>())
        };
        let rows: UInt64Array = removed.iter().map(|member| self.row(member.document)).collect();
        let kept_rows: UInt64Array = removed.iter().map(|member| self.row(member.kept?)).collect();
        let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
        if let Some((ids, kept_ids)) = self.named(&removed, &rows, &kept_rows)? {
            columns.extend([("id", ids), ("kept_id", kept_ids)]);
        }
        columns.insert(0, ("row", Arc::new(rows)));
        columns.insert(1, ("kept_row", Arc::new(kept_rows)));
        columns.push(("cluster", numbers(|member| Some(member.cluster))));
        let reasons = removed.iter().map(|member| member.reason);
        columns.extend(self.score.columns(reasons.clone().map(|reason| Some(reason?.score))));
        let share = |share: fn(Reason) -> Option<lookalike::Similarity>| -> ArrayRef {
            let share = |reason: Option<Reason>| reason.and_then(share).map(|share| share.value());
            Arc::new(reasons.clone().map(share).collect::<Float64Array>())
        };
        columns.push(("containment", share(|reason| reason.containment)));
        let uncovered = |member: &DecisionMember| {
            member.reason?.containment?;
            Some(self.decided.uncovered_text.with(member.document).unwrap_or_default())
        };
        let words = removed.iter().map(|member| Some(uncovered(member)?.0));
        columns.push(("uncovered_words", Arc::new(words.collect::<UInt64Array>())));
        let texts = removed.iter().map(|member| Some(uncovered(member)?.1));
        columns.push(("uncovered", Arc::new(texts.collect::<StringArray>())));
        if self.contained {
            columns.push(("against_containment", share(|reason| reason.contained)));
        }
        Ok(Table::of_columns(columns))
    }

    /// The rows that were removed for a document of another source, which has an id: row, (id), indexed_id, the similarity.
    fn removed_for_others(&self, py: Python<'_>) -> PyResult<Table> {
        let is_other = |member: &DecisionMember| member.kept.is_some_and(|kept| self.row(kept).is_none());
        let removed: Vec<DecisionMember> = py.detach(|| self.removed_members().filter(is_other).collect());
        let rows: UInt64Array = removed.iter().map(|member| self.row(member.document)).collect();
        let named = self.named(&removed, &rows, &rows)?;
        let scores = self.score.columns(removed.iter().map(|member| Some(member.reason?.score)));
        let mut columns: Vec<(&str, ArrayRef)> = vec![("row", Arc::new(rows))];
        if let Some((ids, others)) = named {
            columns.extend(self.ids.is_some().then_some(("id", ids)));
            columns.push(("indexed_id", others));
        }
        columns.extend(scores);
        Ok(Table::of_columns(columns))
    }

    /// The decision about every row: cluster, kept, kept_row, (kept_id), the similarity, containment.
    fn annotations(&self, py: Python<'_>) -> PyResult<Table> {
        let rows = self.__len__();
        let members: Vec<DecisionMember> =
            py.detach(|| self.members().filter(|member| self.row(member.document).is_some()).collect());
        let mut of_rows: Vec<Option<usize>> = vec![None; rows];
        for (place, row) in members.iter().map(|member| self.row(member.document)).enumerate() {
            row.into_iter().for_each(|row| of_rows[row as usize] = Some(place));
        }
        let all = || of_rows.iter().map(|place| place.map(|place| members[place]));
        let removed = || all().map(|member| member.filter(|member| !member.is_kept()));
        let kept_rows: UInt64Array =
            removed().map(|member| member.and_then(|member| self.row(member.kept?))).collect();
        let kept: BooleanArray = removed().map(|member| Some(member.is_none())).collect();
        let reasons = removed().map(|member| member.and_then(|member| member.reason));
        let containment = reasons.clone().map(|reason| Some(reason?.containment?.value()));
        let clusters = all().map(|member| Some(member?.cluster));
        let mut columns: Vec<(&str, ArrayRef)> =
            vec![("cluster", Arc::new(clusters.collect::<UInt64Array>())), ("kept", Arc::new(kept))];
        if !self.decided.ids.is_empty() {
            let name = |member: Option<DecisionMember>| self.decided.ids[member?.place].1.as_deref();
            columns.push(("kept_id", Arc::new(removed().map(name).collect::<StringArray>())));
        } else if let Some(ids) = &self.ids {
            columns.push(("kept_id", ids_at(ids, &kept_rows)?));
        }
        columns.insert(2, ("kept_row", Arc::new(kept_rows)));
        columns.push(self.score.column(reasons.clone().map(|reason| Some(reason?.score))));
        columns.push(("containment", Arc::new(containment.collect::<Float64Array>())));
        Ok(Table::of_columns(columns))
    }

    /// The clusters that lose a row: see [`ReducedClusters`].
    fn reduced_clusters(&self, py: Python<'_>, examples: usize) -> (Vec<(u64, u64)>, Vec<ReducedExample>) {
        let ReducedClusters { sizes, examples } = py.detach(|| self.reduced(examples));
        (sizes.into_iter().collect(), examples)
    }

    /// The members of clusters.
    fn clusters(&self, py: Python<'_>) -> PyResult<Table> {
        let members: Vec<DecisionMember> =
            py.detach(|| self.members().filter(|member| self.row(member.document).is_some()).collect());
        let rows: UInt64Array = members.iter().map(|member| self.row(member.document)).collect();
        let numbers: UInt64Array = members.iter().map(|member| Some(member.cluster)).collect();
        let kept: BooleanArray = members.iter().map(|member| Some(member.is_kept())).collect();
        let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
        if let Some((ids, _)) = self.named(&members, &rows, &rows)? {
            columns.push(("id", ids));
        }
        columns.insert(0, ("row", Arc::new(rows)));
        columns.push(("cluster", Arc::new(numbers)));
        columns.push(("kept", Arc::new(kept)));
        Ok(Table::of_columns(columns))
    }
}
