//! The files that a request names, and how long their records may be.

use crate::error::Error;
use crate::request::Job;
use lookalike_corpus::{DEFAULT_RECORD_BYTES, Inputs};

/// The part of the memory that a record may have. Where it is sketched and compared it takes 11 to 21 times its length (measured with words and
/// with Chinese; 75 times with characters of Latin letters as tokens), and documents want their share too.
const RECORD_SHARE: u64 = 32;

/// Records of so many bytes are read however little memory there is.
const LEAST_RECORD_BYTES: u64 = 1 << 20;

impl Job {
    /// The files that it reads.
    pub(crate) fn resolve(&self) -> Result<Inputs, Error> {
        Ok(self.limit(Inputs::resolve(&self.inputs)?))
    }

    /// The same files, with their longest record.
    pub(crate) fn limit(&self, mut inputs: Inputs) -> Inputs {
        let by_memory = |memory: u64| (memory / RECORD_SHARE).clamp(LEAST_RECORD_BYTES, DEFAULT_RECORD_BYTES);
        let longest = self.max_record.or(self.memory.map(by_memory));
        inputs.skip_longer(longest.unwrap_or(DEFAULT_RECORD_BYTES));
        inputs
    }
}
