//! Refuses inputs that were just added to an index. A command that is run again would otherwise replace its outputs by empty ones: all
//! of its documents are in the index by then.

use crate::error::Error;
use lookalike_corpus::Inputs;
use lookalike_index::Index;
use xxhash_rust::xxh3::Xxh3;

/// A hash of the names and stamps of the inputs, without those that are only compared against. `None` if one of them can be read only once.
pub(super) fn identity(inputs: &Inputs) -> Option<u64> {
    let mut hasher = Xxh3::new();
    for file in &inputs.files()[inputs.against()..] {
        hasher.update(file.name.as_bytes());
        hasher.update(b"\n");
        file.stamp()?.iter().for_each(|part| hasher.update(&part.to_le_bytes()));
    }
    Some(hasher.digest())
}

/// Refuses inputs that were added to `index` last, and have not changed since.
///
/// # Errors
/// [`Error::AlreadyAdded`].
pub fn check_new(index: &Index, inputs: &Inputs) -> Result<(), Error> {
    let last = index.last_inputs();
    match last.is_some() && last == identity(inputs) {
        true => Err(Error::AlreadyAdded { folder: index.folder().to_owned() }),
        false => Ok(()),
    }
}
