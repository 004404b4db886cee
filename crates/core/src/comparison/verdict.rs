//! Would the two be found as a pair, by which search, and why?

use crate::plan::{Measure, Method};
use crate::similarity::Similarity;
use std::fmt;

/// Whether two texts would be found as a pair, and what that depends on. Shown as a sentence or two.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The searches that a run may take: one, or two if the method is left open.
    pub searches: Vec<Searched>,
    /// Does the left one, the right one hold nothing that counts? Such texts are similar to no other.
    pub nothing: [bool; 2],
    /// By the measure of the plan; `None` if the distance of fingerprints decides alone.
    pub similarity: Option<Similarity>,
    /// Does it reach the threshold?
    pub reaches: bool,
    /// The measure of the plan.
    pub measure: Measure,
    /// The threshold of the plan.
    pub threshold: f64,
}

/// A search of the two texts, and whether it finds them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// Does it find them?
    pub found: bool,
    /// How it goes, and what it sees.
    pub search: Search,
}

/// What a search goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Bands of MinHash signatures.
    Bands {
        /// Bands in which the two agree.
        shared: usize,
        /// Bands that there are.
        of: usize,
    },
    /// SimHash fingerprints.
    Distance {
        /// Bits in which the two differ; `None` if a text has no fingerprint.
        distance: Option<u32>,
        /// Bits in which they may differ.
        within: u32,
        /// Bits that there are.
        bits: u32,
    },
    /// What is compared itself, of which nothing is missed.
    Exact,
}

impl Verdict {
    /// Does a search that may be taken find them?
    pub fn is_found(&self) -> bool {
        self.searches.iter().any(|searched| searched.found)
    }

    /// The methods that find them.
    pub fn found_by(&self) -> impl Iterator<Item = Method> {
        self.searches.iter().filter(|searched| searched.found).map(|searched| searched.search.method())
    }

    /// The methods that do not find them, though they are similar by the measure.
    pub fn missed_by(&self) -> impl Iterator<Item = Method> {
        let similar = self.similarity.is_some() && self.reaches && self.nothing == [false; 2];
        let missed = self.searches.iter().filter(move |searched| similar && !searched.found);
        missed.map(|searched| searched.search.method())
    }
}

impl Search {
    /// The method that searches in this way.
    pub fn method(self) -> Method {
        match self {
            Search::Bands { .. } => Method::MinHash,
            Search::Distance { .. } => Method::SimHash,
            Search::Exact => Method::Exact,
        }
    }

    /// Do the two meet, so that they are compared?
    pub fn meets(self) -> bool {
        match self {
            Search::Bands { shared, .. } => shared > 0,
            Search::Distance { distance, within, .. } => distance.is_some_and(|distance| distance <= within),
            Search::Exact => true,
        }
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Search::Bands { shared, of } => {
                let shared = if shared == 0 { "none".to_owned() } else { shared.to_string() };
                write!(f, "they share {shared} of {of} band{}", if of == 1 { "" } else { "s" })
            }
            Search::Distance { distance: Some(distance), within, bits } => {
                let near =
                    if within == 0 { "none may".to_owned() } else { format!("up to {within} are near") };
                write!(f, "their fingerprints differ in {distance} of {bits} bits, and {near}")
            }
            Search::Distance { distance: None, .. } => {
                f.write_str("one of them has no features of any weight")
            }
            Search::Exact => f.write_str("exact search misses nothing"),
        }
    }
}

impl Searched {
    /// What the search sees of two texts that are similar; and, if they met and were missed all the same, what made it so.
    fn seen(self) -> String {
        match self.search.meets() && !self.found {
            false => self.search.to_string(),
            true => format!(
                "{}, but the rest of their signatures looks not similar enough to be compared",
                self.search
            ),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nothing {
            [true, true] => return f.write_str("Not a pair: neither holds anything that counts."),
            [true, false] => return f.write_str("Not a pair: A holds nothing that counts."),
            [false, true] => return f.write_str("Not a pair: B holds nothing that counts."),
            [false, false] => {}
        }
        let Some(similarity) = self.similarity else {
            let found = if self.is_found() { "Found as a pair" } else { "Not a pair" };
            let seen: Vec<String> =
                self.searches.iter().map(|searched| searched.search.to_string()).collect();
            return write!(f, "{found}: {}.", seen.join("; "));
        };
        let measure = match self.measure {
            Measure::Jaccard => "Jaccard similarity",
            Measure::WordJaccard => "Jaccard similarity by words",
            Measure::Cosine => "cosine",
            Measure::Containment => "containment",
        };
        let threshold = self.threshold;
        if !self.reaches {
            return write!(f, "Not a pair: their {measure} of {similarity} is below {threshold}.");
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
                    large.seen()
                )
            }
            [searched] if searched.found => write!(f, "Found as a pair: {reaches}, and {}.", searched.search),
            [searched] if searched.search.meets() => write!(f, "Missed: {reaches}, and {}.", searched.seen()),
            [searched] => write!(f, "Missed: {reaches}, but {}.", searched.search),
            _ => write!(f, "A pair: {reaches}."),
        }
    }
}
