//! Random corpora with chains of similar documents.

use lookalike::hash::SplitMix64;

/// `count` lines. Most are windows of a few streams of words, and near windows are similar, so a later line may join two clusters.
/// Others are copies of earlier lines, or have one word or none. One of five lines has no id.
pub(super) fn lines(generator: &mut SplitMix64, count: usize) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    (0..count)
        .map(|number| {
            let text = match generator.next() % 10 {
                0 if number > 0 => texts[generator.next() as usize % number].clone(),
                1 => ["", "word", "!!"][generator.next() as usize % 3].to_owned(),
                _ => {
                    let (stream, from) = (generator.next() % 5, generator.next() % 200);
                    (from..from + 60).map(|word| format!("s{stream}w{word}")).collect::<Vec<_>>().join(" ")
                }
            };
            texts.push(text.clone());
            match generator.next() % 5 {
                0 => serde_json::json!({ "text": text }).to_string() + "\n",
                _ => serde_json::json!({ "id": format!("d{number}"), "text": text }).to_string() + "\n",
            }
        })
        .collect()
}

/// `count` positions at which to cut a list of `length` elements, in ascending order.
pub(super) fn cuts(generator: &mut SplitMix64, length: usize, count: usize) -> Vec<usize> {
    let mut cuts: Vec<usize> = (0..count).map(|_| generator.next() as usize % (length + 1)).collect();
    cuts.sort_unstable();
    cuts
}
