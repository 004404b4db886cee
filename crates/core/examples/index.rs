//! Inserts signatures into an index in memory, queries it, and removes one.

use lookalike::{Incompatible, MinHashIndex, Plan, Sketcher};

pub(crate) fn main() -> Result<(), Incompatible> {
    let plan = Plan::default();
    let (mut sketcher, mut index) = (Sketcher::new(&plan), MinHashIndex::new(&plan));
    index.insert(1, sketcher.minhash("It was the best of times, it was the worst of times"))?;
    index.insert(2, sketcher.minhash("Call me Ishmael. Some years ago, never mind how long precisely"))?;

    let query = sketcher.minhash("It was the BEST of times: it was the worst of times!");
    let candidates = index.query(&query)?;
    for candidate in &candidates {
        println!("document {} has an estimated similarity of {}", candidate.id, candidate.estimate);
    }
    assert_eq!(candidates.iter().map(|candidate| candidate.id).collect::<Vec<_>>(), [1]);

    index.remove(1);
    assert!(index.query(&query)?.is_empty());
    println!("{} document is left", index.len());
    assert_eq!(index.len(), 1);
    Ok(())
}
