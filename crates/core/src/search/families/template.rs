//! The template of a family: the features that most of its documents have.

use std::collections::HashMap;

/// A set of features, from which the differences of other sets are computed.
#[derive(Debug)]
pub(crate) struct FeatureTemplate {
    features: Vec<u64>,
    /// Slots of features by their high bits, each with one more than the feature's place. 0 marks an empty slot.
    slots: Vec<(u64, u32)>,
    shift: u32,
}

/// Documents from which a template is made. Any template would do, and the majority of this many is close to the
/// majority of all.
const SAMPLE: usize = 512;

/// The number of features after which sampling stops.
const SAMPLED_FEATURES: usize = 1 << 22;

impl FeatureTemplate {
    /// The features of more than half of the documents in a sample.
    pub(crate) fn of<'s>(documents: &[u32], set: impl Fn(u32) -> &'s [u64]) -> Self {
        let mut counts: HashMap<u64, u32> = HashMap::new();
        let (mut sampled, mut features) = (0, 0);
        for index in 0..documents.len().min(SAMPLE) {
            let document = documents[index * documents.len() / documents.len().min(SAMPLE)];
            let set = set(document);
            set.iter().for_each(|&feature| *counts.entry(feature).or_default() += 1);
            (sampled, features) = (sampled + 1, features + set.len());
            if features > SAMPLED_FEATURES {
                break;
            }
        }
        let mut common: Vec<u64> = counts
            .into_iter()
            .filter(|&(_, count)| 2 * count > sampled)
            .map(|(feature, _)| feature)
            .collect();
        common.sort_unstable();
        Self::new(common)
    }

    fn new(features: Vec<u64>) -> Self {
        let bits = (features.len() * 4).next_power_of_two().ilog2().max(2);
        let mut template = FeatureTemplate { slots: vec![(0, 0); 1 << bits], shift: 64 - bits, features };
        for (place, &feature) in (1..).zip(&template.features) {
            let slot = template.slots_of(feature).find(|&slot| template.slots[slot].1 == 0);
            template.slots[slot.expect("three slots of four are empty")] = (feature, place);
        }
        template
    }

    /// The number of its features.
    pub(crate) fn len(&self) -> usize {
        self.features.len()
    }

    /// Fills `difference` with the features that only the template or only `set` has. The features of `set` must be
    /// distinct.
    pub(crate) fn difference(&self, set: &[u64], difference: &mut Difference) {
        difference.features.clear();
        difference.present.clear();
        difference.present.resize(self.features.len().div_ceil(64), 0);
        for &feature in set {
            match self.place(feature) {
                Some(place) => difference.present[place / 64] |= 1 << (place % 64),
                None => difference.features.push(feature),
            }
        }
        for (word, features) in difference.present.iter().zip(self.features.chunks(64)) {
            let mut missing = !word & (u64::MAX >> (64 - features.len()));
            while missing != 0 {
                difference.features.push(features[missing.trailing_zeros() as usize]);
                missing &= missing - 1;
            }
        }
    }

    #[inline]
    fn place(&self, feature: u64) -> Option<usize> {
        for slot in self.slots_of(feature) {
            match self.slots[slot] {
                (_, 0) => return None,
                (other, place) if other == feature => return Some(place as usize - 1),
                _ => {}
            }
        }
        None
    }

    /// The slots that may hold a feature, in the order in which they are filled.
    #[inline]
    fn slots_of(&self, feature: u64) -> impl Iterator<Item = usize> + use<> {
        let (first, mask) = ((feature >> self.shift) as usize, self.slots.len() - 1);
        (0..=mask).map(move |step| (first + step) & mask)
    }
}

/// A reusable buffer for the difference of a set.
#[derive(Debug, Default)]
pub(crate) struct Difference {
    pub(crate) features: Vec<u64>,
    /// A bit for each feature of the template: set if the set has it.
    present: Vec<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::SplitMix64;
    use std::collections::BTreeSet;

    #[test]
    fn the_template_has_the_common_features_and_differences_are_symmetric() {
        let mut generator = SplitMix64(1);
        for common in [0, 1, 63, 64, 65, 300] {
            let template: Vec<u64> = (0..common).map(|_| generator.next()).collect();
            let sets: Vec<Vec<u64>> = (0..90)
                .map(|_| {
                    let kept = template.iter().copied().filter(|_| !generator.next().is_multiple_of(5));
                    let mut set: Vec<u64> = kept.collect();
                    set.extend((0..generator.next() % 40).map(|_| generator.next()));
                    set
                })
                .collect();
            let documents: Vec<u32> = (0..90).collect();
            let found = FeatureTemplate::of(&documents, |document| &sets[document as usize]);
            let expected: BTreeSet<u64> = template.into_iter().collect();
            assert_eq!(found.features.iter().copied().collect::<BTreeSet<_>>(), expected);
            for set in &sets {
                let mut difference = Difference::default();
                found.difference(set, &mut difference);
                let set: BTreeSet<u64> = set.iter().copied().collect();
                let truth: BTreeSet<u64> = set.symmetric_difference(&expected).copied().collect();
                assert_eq!(difference.features.len(), truth.len());
                assert_eq!(difference.features.into_iter().collect::<BTreeSet<_>>(), truth);
            }
        }
    }
}
