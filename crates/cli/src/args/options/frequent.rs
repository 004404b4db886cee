//! Frequent shingles.

use super::SimilarityArgs;
use super::number::number;
use clap::Args;

#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FrequentArgs {
    /// Leave out the shingles that more than this share of the documents have, such as 0.1 [default: none]
    ///
    /// They count neither for the search nor for the similarity. They are counted in the inputs first, or taken from the table of
    /// --frequencies. A new index needs the table.
    #[arg(long, value_name = "SHARE", value_parser = number, help_heading = "Similarity")]
    pub(crate) drop_frequent: Option<f64>,
}

impl FrequentArgs {
    /// Makes it one of these options.
    pub(crate) fn put_into(self, similarity: &mut SimilarityArgs) {
        similarity.leave_out(self.drop_frequent);
    }
}
