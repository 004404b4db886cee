//! The type of ids in lists.

use crate::error::Error;
use lookalike_corpus::{Fields, IntegerType, TableWriter};
use lookalike_engine::documents::{DocumentIds, DocumentNames};

/// Gives the ids of lists their type in the inputs, if all are whole numbers there. Then a list can be joined with its input.
pub(super) fn type_ids<'t>(
    tables: impl Iterator<Item = &'t mut TableWriter>,
    fields: &Fields,
    names: &DocumentNames<'_>,
) -> Result<(), Error> {
    let mut typed: Vec<_> = tables.filter(|table| table.has_types()).collect();
    // A document without an id is called by its place, which is no number.
    let are_integers = || names.documents.ids.as_ref().is_some_and(DocumentIds::are_integers);
    if !typed.is_empty()
        && are_integers()
        && let Some(ids) = IntegerType::of_ids(names.inputs, fields)?
    {
        typed.iter_mut().for_each(|table| table.write_ids_as(&ids));
    }
    Ok(())
}
