//! Members of clusters, their rows and their ids.

use super::Decisions;
use crate::scores::ids_at;
use arrow_array::{ArrayRef, StringArray, UInt64Array};
use lookalike_engine::decisions::Cluster;
use lookalike_engine::decisions::Reason;
use lookalike_report::ReturnedDecisions;
use pyo3::prelude::*;
use std::sync::Arc;

/// A member of a cluster.
#[derive(Clone, Copy)]
pub(super) struct DecisionMember {
    pub(super) document: u32,
    /// The number of its cluster, counted from 1.
    pub(super) cluster: u64,
    /// The document that is kept for it: itself, if it is kept. `None` if its cluster keeps none.
    pub(super) kept: Option<u32>,
    pub(super) reason: Option<Reason>,
    /// Its place in the list of all members.
    pub(super) place: usize,
}

impl DecisionMember {
    pub(super) fn is_kept(&self) -> bool {
        self.kept == Some(self.document)
    }
}

impl Decisions {
    /// The row of a document, if it is one of the data.
    pub(super) fn row(&self, document: u32) -> Option<u64> {
        self.decided.row(document)
    }

    pub(super) fn kept_rows(&self) -> Vec<u8> {
        let ReturnedDecisions { decisions, first_new, documents, .. } = &self.decided;
        // A skipped record is not kept.
        let mut kept = vec![0; self.decided.rows() as usize];
        (*first_new..*documents)
            .filter_map(|document| self.row(document))
            .for_each(|row| kept[row as usize] = 1);
        for (member, kept_for) in decisions.clusters().flat_map(Cluster::decisions) {
            if let Some(row) = self.row(member).filter(|_| member != kept_for) {
                kept[row as usize] = 0;
            }
        }
        kept
    }

    /// The members of all clusters.
    pub(super) fn members(&self) -> impl Iterator<Item = DecisionMember> {
        let ReturnedDecisions { decisions, reasons, .. } = &self.decided;
        let mut place = 0;
        decisions.clusters().enumerate().flat_map(move |(index, cluster)| {
            let reasons = reasons.of_cluster(decisions, index).map(Some).chain(std::iter::repeat(None));
            let members: Vec<DecisionMember> = cluster
                .decisions()
                .zip(reasons)
                .map(|((document, kept), reason)| {
                    place += 1;
                    let kept = Some(kept).filter(|&kept| decisions.keeps(kept));
                    DecisionMember { document, cluster: index as u64 + 1, kept, reason, place: place - 1 }
                })
                .collect();
            members
        })
    }

    pub(super) fn removed_members(&self) -> impl Iterator<Item = DecisionMember> {
        self.members().filter(|member| !member.is_kept())
    }

    /// The ids of members, and of the documents that are kept for them, if they have any.
    pub(super) fn named(
        &self,
        members: &[DecisionMember],
        rows: &UInt64Array,
        kept_rows: &UInt64Array,
    ) -> PyResult<Option<(ArrayRef, ArrayRef)>> {
        let names = &self.decided.ids;
        let name = |member: &DecisionMember| Some(names[member.place].0.as_str());
        let kept_name = |member: &DecisionMember| names[member.place].1.as_deref();
        let kept_names = || Arc::new(members.iter().map(kept_name).collect::<StringArray>());
        Ok(match &self.ids {
            // A kept document of another source has no row.
            Some(ids) if !names.is_empty() => Some((ids_at(ids, rows)?, kept_names())),
            Some(ids) => Some((ids_at(ids, rows)?, ids_at(ids, kept_rows)?)),
            None if names.is_empty() => None,
            None => Some((Arc::new(members.iter().map(name).collect::<StringArray>()), kept_names())),
        })
    }
}
