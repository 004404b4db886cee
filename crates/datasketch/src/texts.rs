//! The MinHash values of the shingles of texts.

use super::hashing::{element_hash, level};
use lookalike::sketch::{Minima, Permutations};
use lookalike::{Plan, Sketcher};

/// Makes the values of texts. It reuses its buffers from text to text, so each thread has its own.
pub struct TextSketcher {
    sketcher: Sketcher,
    hashes: Vec<u64>,
}

impl TextSketcher {
    /// Cuts texts as `plan` says.
    pub fn new(plan: &Plan) -> Self {
        TextSketcher { sketcher: Sketcher::new(plan), hashes: Vec::new() }
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        self.sketcher.plan()
    }

    /// The shingles of a text, which are the elements of its set.
    pub fn shingles(&mut self, text: &str) -> impl Iterator<Item = &str> {
        self.sketcher.shingles(text)
    }

    /// The values of a text, one for each of `num_perm` permutations.
    pub fn minima(&mut self, text: &str, permutations: &Permutations, num_perm: usize) -> Minima {
        let scheme = permutations.scheme();
        let mut minima = Minima::empty(scheme, num_perm);
        self.hashes.clear();
        let shingles = self.sketcher.shingles(text);
        self.hashes.extend(shingles.map(|shingle| element_hash(scheme, shingle.as_bytes())));
        permutations.lower(level(), &mut self.hashes, &mut minima);
        minima
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PermutedSketch;
    use lookalike::Options;
    use lookalike::sketch::PermutationScheme;

    #[test]
    fn the_values_of_a_text_are_those_of_its_shingles() {
        let plan = Options { shingle: Some(2), ..Options::default() }.plan().unwrap();
        let mut texts = TextSketcher::new(&plan);
        let shingles = ["one two", "two three", "three four"];
        assert!(texts.shingles("One two, three four").eq(shingles));
        for scheme in [PermutationScheme::Affine32, PermutationScheme::Affine64, PermutationScheme::Legacy] {
            let mut sketch = PermutedSketch::empty(scheme, 7, 16);
            let permutations = sketch.permutations().unwrap();
            for shingle in shingles {
                sketch.add(&permutations, &mut [element_hash(scheme, shingle.as_bytes())]);
            }
            // The second text shows that nothing of the first one is left.
            for _ in 0..2 {
                assert_eq!(texts.minima("One two, three four", &permutations, 16), *sketch.values);
            }
            assert!(texts.minima("", &permutations, 16).is_unset());
        }
    }
}
