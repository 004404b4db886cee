//! Merges the signatures of the parts of a collection into the signature of the whole, without its texts.

use lookalike::{Options, Sketcher};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parts = ["the quick brown fox", "jumps over the lazy dog", "near the old river bank"];
    // Features are words. With longer shingles, those across the end of a part would be missing.
    let plan = Options { shingle: Some(1), ..Options::default() }.plan()?;
    let mut sketcher = Sketcher::new(&plan);

    let mut merged = sketcher.minhash(parts[0]);
    for part in &parts[1..] {
        merged.merge(&sketcher.minhash(part))?;
    }
    assert_eq!(merged, sketcher.minhash(&parts.join(" ")));

    // Three of the four words are among the twelve of the collection.
    let query = sketcher.minhash("the quick red fox");
    println!("estimated similarity of the query and the collection: {}", merged.jaccard(&query)?);
    assert!(merged.jaccard(&query)? < sketcher.minhash(parts[0]).jaccard(&query)?);
    Ok(())
}
