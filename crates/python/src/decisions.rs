//! The decisions of `dedup`, as rows.

use crate::scores::scores;
use crate::table::{Column, Table};
use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray, UInt64Array};
use arrow_select::take::take;
use lookalike_batch::ReturnedDecisions;
use lookalike_engine::decisions::Cluster;
use lookalike_engine::decisions::reasons::Reason;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::sync::Arc;

/// The decisions of `dedup`. Documents that others were compared against have no rows.
#[pyclass(frozen)]
pub(crate) struct Decisions {
    /// The summary as JSON.
    #[pyo3(get)]
    pub(crate) summary: String,
    pub(crate) decided: ReturnedDecisions,
    /// The ids of all rows, as they were given.
    pub(crate) ids: Option<ArrayRef>,
    /// The column of the similarity of a removed document.
    pub(crate) score: &'static str,
    /// Whether documents may be removed for containment.
    pub(crate) contained: bool,
}

#[pymethods]
impl Decisions {
    fn __len__(&self) -> usize {
        (self.decided.documents - self.decided.first_new) as usize
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
        let ReturnedDecisions { decisions, first_new, documents, .. } = &self.decided;
        let number = |document| decisions.find(document).map(|(cluster, _)| cluster as u64 + 1);
        Column(Arc::new((*first_new..*documents).map(number).collect::<UInt64Array>()))
    }

    /// The removed rows.
    fn removed(&self, py: Python<'_>) -> PyResult<Table> {
        let removed: Vec<Member> = py.detach(|| self.removed_members().collect());
        let numbers = |number: fn(&Member) -> Option<u64>| -> ArrayRef {
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
        columns.push((self.score, scores(reasons.clone().map(|reason| Some(reason?.score)))));
        let share = |share: fn(Reason) -> Option<lookalike::Similarity>| -> ArrayRef {
            let share = |reason: Option<Reason>| reason.and_then(share).map(|share| share.value());
            Arc::new(reasons.clone().map(share).collect::<Float64Array>())
        };
        columns.push(("containment", share(|reason| reason.containment)));
        let uncovered = |member: &Member| {
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
        let is_other = |member: &Member| member.kept.is_some_and(|kept| self.row(kept).is_none());
        let removed: Vec<Member> = py.detach(|| self.removed_members().filter(is_other).collect());
        let rows: UInt64Array = removed.iter().map(|member| self.row(member.document)).collect();
        let named = self.named(&removed, &rows, &rows)?;
        let scores = scores(removed.iter().map(|member| Some(member.reason?.score)));
        let mut columns: Vec<(&str, ArrayRef)> = vec![("row", Arc::new(rows))];
        if let Some((ids, others)) = named {
            columns.extend(self.ids.is_some().then_some(("id", ids)));
            columns.push(("indexed_id", others));
        }
        columns.push((self.score, scores));
        Ok(Table::of_columns(columns))
    }

    /// The members of clusters.
    fn clusters(&self, py: Python<'_>) -> PyResult<Table> {
        let members: Vec<Member> =
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

/// A member of a cluster.
#[derive(Clone, Copy)]
struct Member {
    document: u32,
    /// The number of its cluster, counted from 1.
    cluster: u64,
    /// The document that is kept for it: itself, if it is kept. `None` if its cluster keeps none.
    kept: Option<u32>,
    reason: Option<Reason>,
    /// Its place in the list of all members.
    place: usize,
}

impl Member {
    fn is_kept(&self) -> bool {
        self.kept == Some(self.document)
    }
}

impl Decisions {
    /// The row of a document, if it is one of the data.
    fn row(&self, document: u32) -> Option<u64> {
        document.checked_sub(self.decided.first_new).map(u64::from)
    }

    fn kept_rows(&self) -> Vec<u8> {
        let ReturnedDecisions { decisions, first_new, documents, .. } = &self.decided;
        let mut kept = vec![1; (documents - first_new) as usize];
        for (member, kept_for) in decisions.clusters().flat_map(Cluster::decisions) {
            if let Some(row) = self.row(member).filter(|_| member != kept_for) {
                kept[row as usize] = 0;
            }
        }
        kept
    }

    /// The members of all clusters.
    fn members(&self) -> impl Iterator<Item = Member> {
        let ReturnedDecisions { decisions, reasons, .. } = &self.decided;
        let mut place = 0;
        decisions.clusters().enumerate().flat_map(move |(index, cluster)| {
            let reasons = reasons.of_cluster(decisions, index).map(Some).chain(std::iter::repeat(None));
            let members: Vec<Member> = cluster
                .decisions()
                .zip(reasons)
                .map(|((document, kept), reason)| {
                    place += 1;
                    let kept = Some(kept).filter(|&kept| decisions.keeps(kept));
                    Member { document, cluster: index as u64 + 1, kept, reason, place: place - 1 }
                })
                .collect();
            members
        })
    }

    fn removed_members(&self) -> impl Iterator<Item = Member> {
        self.members().filter(|member| !member.is_kept())
    }

    /// The ids of members, and of the documents that are kept for them, if they have any.
    fn named(
        &self,
        members: &[Member],
        rows: &UInt64Array,
        kept_rows: &UInt64Array,
    ) -> PyResult<Option<(ArrayRef, ArrayRef)>> {
        let failed = |error: arrow_schema::ArrowError| PyValueError::new_err(error.to_string());
        let names = &self.decided.ids;
        let name = |member: &Member| Some(names[member.place].0.as_str());
        let kept_name = |member: &Member| names[member.place].1.as_deref();
        let kept_names = || Arc::new(members.iter().map(kept_name).collect::<StringArray>());
        Ok(match &self.ids {
            // A kept document of another source has no row.
            Some(ids) if !names.is_empty() => Some((take(ids, rows, None).map_err(failed)?, kept_names())),
            Some(ids) => {
                let taken = |rows| take(ids, rows, None).map_err(failed);
                Some((taken(rows)?, taken(kept_rows)?))
            }
            None if names.is_empty() => None,
            None => Some((Arc::new(members.iter().map(name).collect::<StringArray>()), kept_names())),
        })
    }
}
