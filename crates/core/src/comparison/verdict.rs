//! The verdict on two texts: whether a search would find them as a pair, and why.

use crate::plan::{Measure, Method};
use crate::similarity::{Estimate, Similarity};
use std::fmt;

/// Whether two texts would be found as a pair, and the reasons. Printed as one or two sentences.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The possible searches: one, or two if no method was chosen.
    pub searches: Vec<Searched>,
    /// Whether the left and the right text have no features. Such texts are similar to no other.
    pub nothing: [bool; 2],
    /// The similarity by the plan's measure. `None` if sketches decide alone.
    pub similarity: Option<Similarity>,
    /// Whether the similarity reaches the threshold.
    pub reaches: bool,
    /// The measure of the plan.
    pub measure: Measure,
    /// The threshold of the plan.
    pub threshold: f64,
}

/// A search for the pair, with its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// Whether the search finds the pair.
    pub found: bool,
    /// The kind of search and its evidence.
    pub search: SearchEvidence,
}

/// A kind of search, with its evidence on two texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEvidence {
    /// Bands of MinHash signatures.
    Bands {
        /// Bands in which the two agree.
        shared: usize,
        /// All bands of a signature.
        of: usize,
    },
    /// Bands of MinHash signatures, and then the estimate of these.
    Estimate {
        /// Bands in which the two agree.
        shared: usize,
        /// All bands of a signature.
        of: usize,
        /// The estimated similarity.
        estimate: Estimate,
        /// Whether it reaches the threshold.
        reaches: bool,
    },
    /// SimHash fingerprints.
    Distance {
        /// Bits in which the two differ. `None` if a text has no fingerprint.
        distance: Option<u32>,
        /// Bits in which they may differ.
        within: u32,
        /// All bits of a fingerprint.
        bits: u32,
    },
    /// The exact join of features, which misses no pair.
    Exact,
}

impl Verdict {
    /// Whether any of the possible searches finds the pair.
    pub fn is_found(&self) -> bool {
        self.searches.iter().any(|searched| searched.found)
    }

    /// The estimate, if it decides alone.
    pub fn estimate(&self) -> Option<Estimate> {
        self.searches.iter().find_map(|searched| match searched.search {
            SearchEvidence::Estimate { estimate, .. } => Some(estimate),
            _ => None,
        })
    }

    /// The methods that find the pair.
    pub fn found_by(&self) -> impl Iterator<Item = Method> {
        self.searches.iter().filter(|searched| searched.found).map(|searched| searched.search.method())
    }

    /// The methods that miss the pair, though the texts are similar by the measure.
    pub fn missed_by(&self) -> impl Iterator<Item = Method> {
        let similar = self.similarity.is_some() && self.reaches && self.nothing == [false; 2];
        let missed = self.searches.iter().filter(move |searched| similar && !searched.found);
        missed.map(|searched| searched.search.method())
    }
}

impl SearchEvidence {
    /// The method of this search.
    pub fn method(self) -> Method {
        match self {
            SearchEvidence::Bands { .. } | SearchEvidence::Estimate { .. } => Method::MinHash,
            SearchEvidence::Distance { .. } => Method::SimHash,
            SearchEvidence::Exact => Method::Exact,
        }
    }

    /// Whether the search makes the two texts candidates.
    pub fn meets(self) -> bool {
        match self {
            SearchEvidence::Bands { shared, .. } | SearchEvidence::Estimate { shared, .. } => shared > 0,
            SearchEvidence::Distance { distance, within, .. } => {
                distance.is_some_and(|distance| distance <= within)
            }
            SearchEvidence::Exact => true,
        }
    }
}

impl fmt::Display for SearchEvidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SearchEvidence::Bands { shared, of } => {
                let shared = if shared == 0 { "none".to_owned() } else { shared.to_string() };
                write!(f, "they share {shared} of {of} band{}", if of == 1 { "" } else { "s" })
            }
            SearchEvidence::Estimate { shared, of, estimate, reaches } => {
                let [low, high] = estimate.interval();
                let reaches = if reaches { "reaches" } else { "does not reach" };
                let bands = SearchEvidence::Bands { shared, of };
                write!(
                    f,
                    "{bands}, and the similarity that their signatures estimate, {estimate} ({low} to {high}), {reaches} the threshold"
                )
            }
            SearchEvidence::Distance { distance: Some(distance), within, bits } => {
                let near =
                    if within == 0 { "none may".to_owned() } else { format!("up to {within} are near") };
                write!(f, "their fingerprints differ in {distance} of {bits} bits, and {near}")
            }
            SearchEvidence::Distance { distance: None, .. } => {
                f.write_str("one of them has no features of any weight")
            }
            SearchEvidence::Exact => f.write_str("exact search misses nothing"),
        }
    }
}

impl Searched {
    /// The evidence of the search on two similar texts. If they were candidates and were still missed, the text says
    /// why.
    fn evidence(self) -> String {
        match self.search.meets() && !self.found {
            false => self.search.to_string(),
            true => format!("{}, but too few values of their signatures agree for a comparison", self.search),
        }
    }
}

/// Clusters are chains of pairs.
const CHAIN: &str = " A chain of other documents may still put both into one cluster.";

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nothing {
            [true, true] => return f.write_str("Not a pair: neither text has features."),
            [true, false] => return f.write_str("Not a pair: A has no features."),
            [false, true] => return f.write_str("Not a pair: B has no features."),
            [false, false] => {}
        }
        let Some(similarity) = self.similarity else {
            let (found, chain) =
                if self.is_found() { ("Found as a pair", "") } else { ("Not a pair", CHAIN) };
            let seen: Vec<String> =
                self.searches.iter().map(|searched| searched.search.to_string()).collect();
            return write!(f, "{found}: {}.{chain}", seen.join("; "));
        };
        let measure = match self.measure {
            Measure::Jaccard => "Jaccard similarity",
            Measure::WordJaccard => "Jaccard similarity by words",
            Measure::Cosine => "cosine",
            Measure::Containment => "containment",
        };
        let threshold = self.threshold;
        if !self.reaches {
            return write!(f, "Not a pair: their {measure} of {similarity} is below {threshold}.{CHAIN}");
        }
        let reaches = format!("their {measure} of {similarity} reaches {threshold}");
        match self.searches[..] {
            [small, large] => {
                let finds = |searched: Searched| if searched.found { "finds" } else { "misses" };
                write!(
                    f,
                    "{}: {reaches}. Exact search, taken for small corpora, {} it; MinHash, taken for large ones, {} it{}: {}.",
                    if small.found && large.found { "Found as a pair" } else { "A pair" },
                    finds(small),
                    finds(large),
                    if small.found == large.found { " too" } else { "" },
                    large.evidence()
                )
            }
            [searched] if searched.found => write!(f, "Found as a pair: {reaches}, and {}.", searched.search),
            [searched] if searched.search.meets() => {
                write!(f, "Missed: {reaches}, and {}.", searched.evidence())
            }
            [searched] => write!(f, "Missed: {reaches}, but {}.", searched.search),
            _ => write!(f, "A pair: {reaches}."),
        }
    }
}
