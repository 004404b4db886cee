//! Would the two be found as a pair, and why?

use crate::measure::Measure;
use crate::similarity::Similarity;
use std::fmt;

/// Whether two texts would be found as a pair, and what that depends on. Shown as a sentence.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// Does a search find them?
    pub found: bool,
    /// Does the left one, the right one hold nothing that counts? Such texts are like no other.
    pub nothing: [bool; 2],
    /// By the measure of the plan; `None` if the distance of fingerprints decides alone.
    pub similarity: Option<Similarity>,
    /// Does it reach the threshold?
    pub reaches: bool,
    /// The measure of the plan.
    pub measure: Measure,
    /// The threshold of the plan.
    pub threshold: f64,
    /// How the search goes, and what it sees.
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
}

impl Search {
    /// Do the two meet, so that they are compared?
    pub fn meets(self) -> bool {
        match self {
            Search::Bands { shared, .. } => shared > 0,
            Search::Distance { distance, within, .. } => distance.is_some_and(|distance| distance <= within),
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
        let Verdict { found, reaches, threshold, search, .. } = self;
        let Some(similarity) = self.similarity else {
            return write!(f, "{}: {search}.", if *found { "Found as a pair" } else { "Not a pair" });
        };
        let measure = match self.measure {
            Measure::Jaccard => "Jaccard similarity",
            Measure::WordJaccard => "Jaccard similarity by words",
            Measure::Cosine => "cosine",
            Measure::Containment => "containment",
        };
        match (found, reaches, search.meets()) {
            (true, ..) => {
                write!(
                    f,
                    "Found as a pair: their {measure} of {similarity} reaches {threshold}, and {search}."
                )
            }
            (false, false, _) => {
                write!(f, "Not a pair: their {measure} of {similarity} is below {threshold}.")
            }
            (false, true, false) => {
                write!(f, "Missed: their {measure} of {similarity} reaches {threshold}, but {search}.")
            }
            (false, true, true) => write!(
                f,
                "Missed: their {measure} of {similarity} reaches {threshold}, and {search}, but the rest of their signatures \
                 looks too little alike for them to be compared."
            ),
        }
    }
}
