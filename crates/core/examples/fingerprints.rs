//! Puts SimHash fingerprints into an index and finds those within a Hamming distance of a query.

use lookalike::{Fingerprinter, HammingIndex, Method, Options, Sketcher, Weighting, Weights};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (method, weighting) = (Some(Method::SimHash), Some(Weighting::Tf));
    let plan = Options { method, weighting, shingle: Some(1), ..Options::default() }.plan()?;
    let mut sketcher = Sketcher::new(&plan);
    let mut fingerprinter = Fingerprinter::new(&plan, &Weights::Tf);
    let mut fingerprint = |text| fingerprinter.fingerprint(sketcher.features(text)).value() as u64;

    let mut index = HammingIndex::new(3)?;
    index.insert(fingerprint("It was the best of times, it was the worst of times"), 1);
    index.insert(fingerprint("Call me Ishmael. Some years ago, never mind how long precisely"), 2);
    let near = index.query(fingerprint("It was the worst of times. It was the best of times."), 3)?;
    for neighbour in &near {
        println!("document {} differs in {} bits", neighbour.id, neighbour.distance);
    }
    assert_eq!(near.iter().map(|neighbour| neighbour.id).collect::<Vec<_>>(), [1]);
    Ok(())
}
