//! Frequent shingles.

use super::SimilarityArgs;
use clap::Args;

#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct FrequentArgs {
    /// Leave out the shingles that more than this share of the documents have, such as 0.1 [default: none]
    ///
    /// They count neither for the search nor for the similarity. dedup and pairs count them in the inputs first, and index resketch in the
    /// texts of the index, unless --frequencies has a table. Any other new index needs the table. The share is from 0.001 to less than 1.
    #[arg(long, value_name = "SHARE", value_parser = a_share, help_heading = "Similarity")]
    pub(crate) drop_frequent: Option<f64>,
}

/// A number. The plan checks that it is a share.
fn a_share(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "use a number from 0.001 to less than 1, such as 0.1".to_owned())
}

impl FrequentArgs {
    /// Makes it one of these options.
    pub(crate) fn put_into(self, similarity: &mut SimilarityArgs) {
        similarity.leave_out(self.drop_frequent);
    }
}
