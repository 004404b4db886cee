//! Documents of `--against`.

use lookalike_report::AgainstSummary;
use lookalike_report::{count, several};
use std::fmt::{Result, Write};

/// How many of the removed documents were removed for one of `--against`; ends the line of removed documents.
pub(super) fn removed(text: &mut String, against: Option<&AgainstSummary>) -> Result {
    let Some(against) = against else { return writeln!(text) };
    writeln!(text, ", {} of them for one of --against", count(against.removed))?;
    if let (Some(contained), Some(share)) = (against.contained, against.share) {
        let contained = count(contained);
        writeln!(
            text,
            "           {contained} of these by containment: {share} or more of the shingles of the shorter text are in the longer one"
        )?;
    }
    if let (Some(short @ 1..), Some(least)) = (against.short, against.least_features) {
        let (have, were) = if short == 1 { ("has", "was") } else { ("have", "were") };
        let few = several(u64::from(least), "shingle");
        let short = several(short, "document");
        writeln!(
            text,
            "           {short} of --against {have} fewer than {few}, and {were} not searched for by containment (--against-shingles)"
        )?;
    }
    Ok(())
}
