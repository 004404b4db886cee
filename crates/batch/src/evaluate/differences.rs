//! The pairs that only one of two lists has, as a list that can be read again.

use super::form::ListForm;
use super::names::NumberedIds;
use crate::error::Error;
use lookalike::quality::{Account, Scale};
use lookalike_corpus::{Cell, ColumnKind, Completed, TableWriter, Waiting};
use lookalike_engine::progress::Monitor;
use lookalike_engine::work::MOST_PAIRS;
use std::path::Path;

pub(super) struct Differences {
    table: TableWriter,
    /// The kind of the values of the list, if it has any.
    scale: Option<Scale>,
}

impl Differences {
    /// Starts the list at `path`, for pairs of a list of this form; `None` without a path.
    pub(super) fn create(
        path: Option<&Path>,
        form: &ListForm,
        waiting: &Waiting,
    ) -> Result<Option<Self>, Error> {
        let Some(path) = path else { return Ok(None) };
        let mut columns = vec![("a", ColumnKind::Text), ("b", ColumnKind::Text)];
        let scale = form.value().map(|value| {
            let kind = match form.scale() {
                Scale::Similarity => ColumnKind::Number6,
                Scale::Distance => ColumnKind::Integer,
            };
            columns.push((value, kind));
            form.scale()
        });
        Ok(Some(Differences { table: TableWriter::create(path, &columns, waiting)?, scale }))
    }

    /// Writes the pairs that `account` has and `other` has not.
    ///
    /// # Errors
    /// [`Error::TooManyDifferences`] if large clusters would make the list too long to use.
    pub(super) fn write(
        mut self,
        account: &Account,
        other: &Account,
        names: &NumberedIds,
        monitor: &Monitor,
    ) -> Result<Completed, Error> {
        let agreement = account.agreement(other);
        let pairs = agreement.found - agreement.both;
        if pairs >= MOST_PAIRS {
            return Err(Error::TooManyDifferences { pairs });
        }
        monitor.interrupt.check()?;
        account.try_for_each_missing_in(other, |pair| {
            monitor.interrupt.check()?;
            let (a, b) = (Cell::Text(names.name(pair.a)), Cell::Text(names.name(pair.b)));
            let value = pair.value.map(f64::from);
            let written = match self.scale {
                None => self.table.row(&[a, b]),
                Some(scale) => {
                    self.table.row(&[a, b, value.map_or(Cell::Absent, |value| cell(value, scale))])
                }
            };
            Ok::<(), Error>(written?)
        })?;
        Ok(self.table.complete()?)
    }
}

fn cell(value: f64, scale: Scale) -> Cell<'static> {
    match scale {
        // Six decimals, as in the list. A value of 32 bits has wrong digits behind the sixth.
        Scale::Similarity => Cell::Number((value * 1e6).round() / 1e6),
        Scale::Distance if value >= 0.0 && value.fract() == 0.0 => Cell::Integer(value as u64),
        Scale::Distance => Cell::Absent,
    }
}
