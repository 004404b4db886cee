//! The sketcher: text in, sketch out. It reuses its buffers from text to text.

use crate::hash::{GOLDEN_RATIO, POLYNOMIAL, fmix64};
use crate::plan::{FeatureHash, Measure, Plan, Scheme};
use crate::simd::parameters::Parameters;
use crate::simd::{BucketBuffers, Level, Spans};
use crate::sketch::shingles::{Shingles, WholeHash};
use crate::sketch::{ContentHash, Signature};
use crate::text::{Located, SectionStart, locate, section_ranges, sections, split};
use std::ops::Range;

/// The sketch of a text.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'a> {
    /// The hashes of the shingles, in order and with repetitions.
    pub features: &'a [u64],
    /// `num_perm` MinHash values.
    pub signature: &'a [u32],
    /// One key per band.
    pub keys: &'a [u64],
    /// Equal for identical documents.
    pub content: ContentHash,
}

/// Makes features and sketches of texts. Each thread has its own.
pub struct Sketcher {
    plan: Plan,
    parameters: Parameters,
    level: Level,
    spans: Spans,
    tokens: Vec<u64>,
    /// The number of tokens before each separator of sections in the last text.
    section_ends: Vec<usize>,
    features: Vec<u64>,
    /// The features of one section of several.
    of_section: Vec<u64>,
    buffers: BucketBuffers,
    signature: Vec<u32>,
    keys: Vec<u64>,
    shingles: Shingles,
    /// Whether each shingle of the last text counts, if the plan leaves out frequent ones.
    counts: Vec<bool>,
}

impl Sketcher {
    /// A sketcher for `plan` that uses the fastest instructions of this machine.
    pub fn new(plan: &Plan) -> Self {
        Self::with_level(plan, Level::detect())
    }

    /// A sketcher for `plan` that uses the instructions of `level`. Every level gives the same bits.
    pub fn with_level(plan: &Plan, level: Level) -> Self {
        let num_perm = plan.num_perm();
        Sketcher {
            plan: plan.clone(),
            parameters: Parameters::new(num_perm, plan.seed()),
            level,
            spans: Spans::default(),
            tokens: Vec::new(),
            section_ends: Vec::new(),
            features: Vec::new(),
            of_section: Vec::new(),
            buffers: BucketBuffers::default(),
            signature: vec![0; num_perm],
            keys: vec![0; plan.banding().bands],
            shingles: Shingles::default(),
            counts: Vec::new(),
        }
    }

    /// The plan by which texts are cut and hashed.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The features of `text`: hashes of its shingles by the plan's feature hash, in order and with repetitions.
    ///
    /// A text without tokens has none. The hash function takes the plan's seed. With seed 0, it gives the published
    /// hashes.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn features(&mut self, text: &str) -> &[u64] {
        self.features_and_content(text).0
    }

    /// The same features, and the content hash of `text`.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn features_and_content(&mut self, text: &str) -> (&[u64], ContentHash) {
        let whole = match self.plan.feature_hash() {
            FeatureHash::Xxh3 => {
                let content = self.shingle(text);
                return (&self.features, content);
            }
            FeatureHash::Murmur3 => WholeHash::Murmur3,
            FeatureHash::Fnv1a64 => WholeHash::Fnv1a64,
            FeatureHash::Md5 => WholeHash::Md5,
            FeatureHash::Sha1 => WholeHash::Sha1,
        };
        self.join(text);
        self.shingles.hash(whole, self.plan.seed(), &mut self.features);
        let content = ContentHash::of(&self.features);
        self.drop_frequent();
        (&self.features, content)
    }

    /// The hashes that the plan's measure compares of `text`, in order and with repetitions. [`Measure::WordJaccard`]
    /// compares its tokens, every other measure its features.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn compared(&mut self, text: &str) -> &[u64] {
        match self.plan.measure() {
            Measure::WordJaccard => self.token_hashes(text),
            Measure::Jaccard | Measure::Cosine | Measure::Containment => self.features(text),
        }
    }

    /// The result of [`Sketcher::compared`] for the last text whose features were made.
    pub(crate) fn last_compared(&self) -> &[u64] {
        match self.plan.measure() {
            Measure::WordJaccard => &self.tokens,
            Measure::Jaccard | Measure::Cosine | Measure::Containment => &self.features,
        }
    }

    /// The number of tokens in the last text whose features were made, without stop words.
    pub(crate) fn last_tokens(&self) -> usize {
        self.tokens.len()
    }

    /// The sections of the last text whose features were made, as ranges of its tokens without stop words. Some may be empty.
    pub(crate) fn last_sections(&self) -> impl Iterator<Item = Range<usize>> {
        section_ranges(&self.section_ends, self.tokens.len())
    }

    /// The shingles of `text` that count, in order: the tokens of each, joined by one space. Different shingles are different strings (see
    /// [`FeatureHash`]).
    pub fn shingles(&mut self, text: &str) -> impl Iterator<Item = &str> {
        if self.plan.frequent().is_some() {
            self.features(text);
        }
        self.join(text);
        if self.plan.frequent().is_some() {
            let Sketcher { shingles, counts, .. } = self;
            shingles.retain(|place| counts[place]);
        }
        self.shingles.iter()
    }

    /// The sketch of `text`.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn sketch(&mut self, text: &str) -> Sketch<'_> {
        let content = self.shingle(text);
        let features = std::mem::take(&mut self.features);
        self.signature(&features);
        self.features = features;
        let keys = band_keys(self.plan.banding().rows, &self.signature);
        self.keys.iter_mut().zip(keys).for_each(|(key, of_band)| *key = of_band);
        Sketch { features: &self.features, signature: &self.signature, keys: &self.keys, content }
    }

    /// The MinHash signature of `features`: `num_perm` values, all `u32::MAX` if there are no features.
    ///
    /// Order and repetitions do not matter. Features must be well mixed, as the results of [`Sketcher::features`] are.
    pub fn signature(&mut self, features: &[u64]) -> &[u32] {
        let mut signature = std::mem::take(&mut self.signature);
        self.signature_into(features, &mut signature);
        self.signature = signature;
        &self.signature
    }

    /// Writes the MinHash signature of `features` into `signature`.
    ///
    /// # Panics
    /// If `signature` does not have `num_perm` places.
    pub fn signature_into(&mut self, features: &[u64], signature: &mut [u32]) {
        assert_eq!(signature.len(), self.plan.num_perm(), "a place for each value");
        match self.plan.scheme() {
            Scheme::Bucketed => self.level.bucketed(features, &self.parameters, &mut self.buffers, signature),
            Scheme::Classic => self.level.classic(features, &self.parameters, signature),
        }
    }

    /// The MinHash signature of `text`, with the id of the plan.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn minhash(&mut self, text: &str) -> Signature {
        let values = Box::from(self.sketch(text).signature);
        Signature::new(self.plan.signature_id(), values)
    }

    /// The hashes of `text`'s tokens, in order, without stop words.
    pub fn token_hashes(&mut self, text: &str) -> &[u64] {
        self.split(text);
        self.hash_tokens();
        self.drop_stop_words();
        &self.tokens
    }

    /// The [`FeatureHash::Xxh3`] features of a text of one section whose tokens have the hashes `tokens`. This serves
    /// texts that are not written out, such as edited copies.
    pub fn features_of_tokens(&mut self, tokens: &[u64]) -> &[u64] {
        self.tokens.clear();
        self.tokens.extend_from_slice(tokens);
        self.section_ends.clear();
        self.combine();
        &self.features
    }

    /// The features of the last text with other tokens in the place of its own. `tokens` has as many hashes, without stop
    /// words.
    ///
    /// # Panics
    /// If it has more or fewer.
    pub fn features_of_edited(&mut self, tokens: &[u64]) -> &[u64] {
        self.tokens.copy_from_slice(tokens);
        self.combine();
        &self.features
    }

    /// The tokens of `text` in order, with stop words.
    pub fn tokens(&mut self, text: &str) -> impl Iterator<Item = &str> {
        self.split(text);
        strings(&self.spans)
    }

    /// The bytes of some tokens of the last text, which had one section.
    ///
    /// # Panics
    /// If it has fewer tokens.
    pub fn last_token_bytes(&self, tokens: Range<usize>) -> impl Iterator<Item = &[u8]> {
        self.spans.range(tokens)
    }

    /// The tokens of `text`, with stop words, and their places in the text.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn locate<'t>(&mut self, text: &'t str) -> Located<'t> {
        let (mut hashes, mut places, mut start) = (Vec::new(), Vec::new(), SectionStart::default());
        let Sketcher { plan, level, spans, of_section, .. } = self;
        let (tokens, folds) = (plan.tokens(), plan.folds());
        for section in sections(text) {
            split(tokens, folds, plan.jieba_words(), *level, section, spans);
            level.hash_tokens(spans, plan.seed(), of_section);
            hashes.extend_from_slice(of_section);
            let found = locate(tokens, folds, *level, section, spans);
            places.extend(found.into_iter().map(|place| start.place_of(place)));
            start.pass(section);
        }
        Located::new(text, hashes, places)
    }

    /// Fills `spans` with the tokens of `text`.
    fn split(&mut self, text: &str) {
        let Sketcher { plan, level, spans, .. } = self;
        split(plan.tokens(), plan.folds(), plan.jieba_words(), *level, text, spans);
    }

    /// Fills `shingles` with the shingles of `text`.
    fn join(&mut self, text: &str) {
        self.split(text);
        self.hash_tokens();
        let counts = |hash: &u64| self.plan.stop_words().binary_search(hash).is_err();
        let mut tokens = strings(&self.spans).zip(&self.tokens);
        self.shingles.clear();
        for section in section_ranges(&self.section_ends, self.tokens.len()) {
            let of_section = tokens.by_ref().take(section.len()).filter(|(_, hash)| counts(hash));
            self.shingles.append(of_section.map(|(token, _)| token), self.plan.shingle());
        }
        drop(tokens);
        self.drop_stop_words();
    }

    /// Fills `tokens` with the hashes of the tokens of `spans`.
    fn hash_tokens(&mut self) {
        self.level.hash_tokens(&self.spans, self.plan.seed(), &mut self.tokens);
        self.section_ends.clear();
        self.section_ends.extend_from_slice(self.spans.section_ends());
    }

    /// Removes the stop words from `tokens`.
    fn drop_stop_words(&mut self) {
        let stop_words = self.plan.stop_words();
        if stop_words.is_empty() {
            return;
        }
        let counts = |token: &u64| stop_words.binary_search(token).is_err();
        let (mut start, mut left) = (0, 0);
        for end in &mut self.section_ends {
            left += self.tokens[start..*end].iter().filter(|token| counts(token)).count();
            start = std::mem::replace(end, left);
        }
        self.tokens.retain(counts);
    }

    /// Fills `features` with the polynomials over token hashes.
    fn shingle(&mut self, text: &str) -> ContentHash {
        self.token_hashes(text);
        self.combine()
    }

    /// Fills `features` from `tokens`.
    fn combine(&mut self) -> ContentHash {
        let content = match self.section_ends.is_empty() {
            true => combine(self.level, self.plan.shingle(), &self.tokens, &mut self.features),
            false => self.combine_sections(),
        };
        self.drop_frequent();
        content
    }

    /// Does the work of [`Sketcher::combine`] for several sections.
    fn combine_sections(&mut self) -> ContentHash {
        let (mut content, shingle) = (ContentHash::default(), self.plan.shingle());
        self.features.clear();
        for section in section_ranges(&self.section_ends, self.tokens.len()) {
            let of_section = combine(self.level, shingle, &self.tokens[section], &mut self.of_section);
            content = content.with(of_section);
            self.features.extend_from_slice(&self.of_section);
        }
        content
    }

    /// Leaves out the features that do not count. If none is left, one of their set takes their place: such a text is similar to texts of the
    /// same shingles alone.
    fn drop_frequent(&mut self) {
        let Some(frequent) = self.plan.frequent() else { return };
        self.counts.clear();
        self.counts.extend(self.features.iter().map(|&feature| !frequent.has(feature)));
        if self.features.is_empty() || self.counts.contains(&true) {
            self.features.retain(|&feature| !frequent.has(feature));
            return;
        }
        self.features.sort_unstable();
        self.features.dedup();
        let set = self.features.drain(..).fold(0_u64, |sum, feature| sum.wrapping_add(fmix64(feature)));
        self.features.push(fmix64(set));
    }
}

/// Fills `features` with those of one section.
fn combine(level: Level, shingle: usize, tokens: &[u64], features: &mut Vec<u64>) -> ContentHash {
    if tokens.is_empty() {
        features.clear();
        return ContentHash::default();
    }
    let sums = level.combine(tokens, shingle.min(tokens.len()), features);
    ContentHash::new(sums, features.len())
}

/// The tokens of `spans` as strings.
fn strings(spans: &Spans) -> impl Iterator<Item = &str> {
    spans.tokens().map(|token| std::str::from_utf8(token).expect("tokens end between characters"))
}

/// The keys of a signature's bands, each of `rows` values. Keys of different bands differ.
///
/// # Panics
/// If `rows` is 0.
pub fn band_keys(rows: usize, signature: &[u32]) -> impl Iterator<Item = u64> {
    signature.chunks_exact(rows).enumerate().map(|(band, values)| band_key(band, values))
}

/// The key of a band: a polynomial over its values and its number, finalised.
fn band_key(band: usize, values: &[u32]) -> u64 {
    let polynomial =
        values.iter().fold(0_u64, |sum, &value| sum.wrapping_mul(POLYNOMIAL).wrapping_add(u64::from(value)));
    fmix64(polynomial.wrapping_add((band as u64 + 1).wrapping_mul(GOLDEN_RATIO)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frequent::FrequentFeatures;
    use crate::{Method, Options};

    #[test]
    fn features_of_a_text_follow_from_its_tokens() {
        let plan = Plan::default();
        for text in ["", "one", "one two three four", "one two three four five six seven"] {
            let mut sketcher = Sketcher::new(&plan);
            let tokens = sketcher.token_hashes(text).to_vec();
            let expected = sketcher.features(text).to_vec();
            assert_eq!(sketcher.features_of_tokens(&tokens), expected, "{text:?}");
        }
    }

    #[test]
    fn frequent_features_do_not_count_and_copies_stay_copies() {
        let banner = "one two three four";
        let texts = ["one two three four", "one two three four five", "Two, three", ""];
        for (method, feature_hash) in
            [(Method::MinHash, FeatureHash::Xxh3), (Method::SimHash, FeatureHash::Fnv1a64)]
        {
            let options = Options { shingle: Some(2), ..Options::default() };
            let options = Options { method: Some(method), feature_hash: Some(feature_hash), ..options };
            let plan = options.plan().unwrap();
            let mut whole = Sketcher::new(&plan);
            let features = whole.features(banner).to_vec();
            let without = plan.leaving_out(FrequentFeatures::new(0.5, features.clone()).unwrap()).unwrap();
            assert_ne!(without.id(), plan.id());
            assert_eq!(without.with_all_features(), plan);
            let mut sketcher = Sketcher::new(&without);
            for text in texts {
                let (all, content) = whole.features_and_content(text);
                let mut left = all.to_vec();
                left.retain(|feature| !features.contains(feature));
                let named = if left.is_empty() { vec![] } else { vec!["four five"] };
                let (found, same) = sketcher.features_and_content(text);
                let found = if left.is_empty() && found.len() == 1 { &[] } else { found };
                assert_eq!((found, same), (&left[..], content), "{text:?}");
                assert_eq!(sketcher.shingles(text).collect::<Vec<_>>(), named, "{text:?}");
            }
        }
    }

    #[test]
    fn a_text_of_frequent_features_shares_no_band_with_another_one() {
        let plan = Options { shingle: Some(1), ..Options::default() }.plan().unwrap();
        let features = Sketcher::new(&plan).features("one two three").to_vec();
        let plan = plan.leaving_out(FrequentFeatures::new(0.5, features).unwrap()).unwrap();
        let mut sketcher = Sketcher::new(&plan);
        let keys = |sketcher: &mut Sketcher, text: &str| sketcher.sketch(text).keys.to_vec();
        let of_one = keys(&mut sketcher, "one");
        // Shingles are a set.
        assert_eq!(
            (keys(&mut sketcher, "ONE!"), keys(&mut sketcher, "one one")),
            (of_one.clone(), of_one.clone())
        );
        assert!(keys(&mut sketcher, "two").iter().all(|key| !of_one.contains(key)));
    }
}
