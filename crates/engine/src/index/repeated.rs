//! Is something added that was just added? A command that is run again would otherwise replace its outputs by nothing, as all of its
//! documents are in the index by then.

use super::Index;
use crate::error::Error;
use lookalike_corpus::Inputs;
use xxhash_rust::xxh3::Xxh3;

/// The names and stamps of the inputs that are not compared against only; `None` if one of them can be read only once.
pub(super) fn identity(inputs: &Inputs) -> Option<u64> {
    let mut hasher = Xxh3::new();
    for file in &inputs.files()[inputs.against()..] {
        hasher.update(file.name.as_bytes());
        hasher.update(b"\n");
        file.stamp()?.iter().for_each(|part| hasher.update(&part.to_le_bytes()));
    }
    Some(hasher.digest())
}

impl Index {
    /// Refuses inputs that were the last to be added, and have not changed since.
    pub fn check_new(&self, inputs: &Inputs) -> Result<(), Error> {
        let last = self.manifest.segments.last().and_then(|segment| segment.inputs);
        match last.is_some() && last == identity(inputs) {
            true => Err(Error::AlreadyAdded { folder: self.folder.clone() }),
            false => Ok(()),
        }
    }
}
