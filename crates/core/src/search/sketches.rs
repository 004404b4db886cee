//! A table of sketches for any method, and the builder that fills it from texts.

use crate::compare::measure::Set;
use crate::compare::verify::Comparer;
use crate::error::MissingHash;
use crate::plan::{Method, Plan};
use crate::search::lsh::SketchTable;
use crate::simd::Level;
use crate::simhash::{
    ExplainedFingerprint, FeatureHashes, Fingerprint, FingerprintTable, Fingerprinter, Weights,
};
use crate::sketch::{ContentHash, Contents, Group, Sketch, Sketcher};

/// The sketches of all documents, by which pairs are found.
#[derive(Clone, Debug)]
pub enum Sketches {
    /// Band keys and signatures.
    MinHash(SketchTable),
    /// Fingerprints.
    SimHash(FingerprintTable),
    /// Content hashes only, 24 bytes a document. The exact join uses the features themselves.
    Exact(Contents),
}

impl Sketches {
    /// An empty table for `plan`.
    pub fn new(plan: &Plan) -> Self {
        match plan.method() {
            Method::MinHash => Sketches::MinHash(SketchTable::new(plan.num_perm(), plan.banding())),
            Method::SimHash => {
                Sketches::SimHash(FingerprintTable::new(plan.simhash().unwrap_or_default().bits))
            }
            Method::Exact => Sketches::Exact(Contents::default()),
        }
    }

    /// Appends all documents of `other`.
    ///
    /// # Panics
    /// If `other` was made for another plan.
    pub fn append(&mut self, other: &Sketches) {
        match (self, other) {
            (Sketches::MinHash(table), Sketches::MinHash(more)) => table.append(more),
            (Sketches::SimHash(table), Sketches::SimHash(more)) => table.append(more),
            (Sketches::Exact(contents), Sketches::Exact(more)) => contents.0.extend_from_slice(&more.0),
            _ => panic!("tables of one plan are of one kind"),
        }
    }

    /// Puts the last document into `group`. It is then no copy of a document in another group, and shares no key with
    /// one.
    ///
    /// # Panics
    /// If there is no document.
    pub fn put_last_into(&mut self, group: Group) {
        match self {
            Sketches::MinHash(table) => table.put_last_into(group),
            Sketches::SimHash(table) => table.put_last_into(group),
            Sketches::Exact(contents) => contents.put_last_into(group),
        }
    }

    /// Reserves room for `documents` more.
    pub fn reserve(&mut self, documents: usize) {
        match self {
            Sketches::MinHash(table) => table.reserve(documents),
            Sketches::SimHash(table) => table.reserve(documents),
            Sketches::Exact(contents) => contents.0.reserve_exact(documents),
        }
    }

    /// The size of the table in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Sketches::MinHash(table) => {
                let view = table.view();
                size_of_val(view.keys) + size_of_val(view.bytes) + size_of_val(view.contents)
            }
            Sketches::SimHash(table) => table.bytes(),
            Sketches::Exact(contents) => size_of_val(contents.as_slice()),
        }
    }

    /// The content hash of `document`.
    pub fn content(&self, document: u32) -> ContentHash {
        match self {
            Sketches::MinHash(table) => table.content(document),
            Sketches::SimHash(table) => table.content(document),
            Sketches::Exact(contents) => contents.0[document as usize],
        }
    }

    /// The content hashes of all documents.
    pub fn contents(&self) -> &[ContentHash] {
        match self {
            Sketches::MinHash(table) => table.view().contents,
            Sketches::SimHash(table) => table.contents(),
            Sketches::Exact(contents) => contents.as_slice(),
        }
    }

    /// Replaces each content hash by what `replace` makes of it.
    pub fn replace_contents(&mut self, replace: impl Fn(ContentHash) -> ContentHash) {
        let contents = match self {
            Sketches::MinHash(table) => table.contents_mut(),
            Sketches::SimHash(table) => table.contents_mut(),
            Sketches::Exact(contents) => &mut contents.0,
        };
        contents.iter_mut().for_each(|content| *content = replace(*content));
    }

    /// The original of every document, which is the first document with the same content. A document without features
    /// is its own original.
    pub fn originals(&self) -> Vec<u32> {
        match self {
            Sketches::MinHash(table) => table.originals(),
            Sketches::SimHash(table) => table.originals(),
            Sketches::Exact(contents) => contents.originals(),
        }
    }
}

/// Adds texts to a table of sketches, and prepares their features for comparison. Each thread has its own.
pub struct SketchBuilder {
    plan: Plan,
    sketcher: Sketcher,
    fingerprinter: Fingerprinter,
    comparer: Comparer,
    weighed: Vec<(u64, u32)>,
}

impl SketchBuilder {
    /// A builder for `plan`. The weights must be of the plan's weighting.
    ///
    /// # Panics
    /// If `weights` are of another weighting.
    pub fn new(plan: &Plan, weights: &Weights, level: Level) -> Self {
        SketchBuilder {
            plan: plan.clone(),
            sketcher: Sketcher::with_level(plan, level),
            fingerprinter: Fingerprinter::with_level(plan, weights, level),
            comparer: Comparer::with_level(level),
            weighed: Vec::new(),
        }
    }

    /// Appends the sketch of `text` to `sketches`, a table of the same plan. Returns the features that the plan's
    /// measure compares, in text order and with repetitions.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn sketch_into(&mut self, text: &str, sketches: &mut Sketches) -> &[u64] {
        match sketches {
            Sketches::MinHash(table) => table.push(&self.sketch(text)),
            Sketches::SimHash(table) => {
                let (features, content) = self.sketcher.features_and_content(text);
                table.push(self.fingerprinter.fingerprint(features), content);
            }
            Sketches::Exact(contents) => contents.0.push(self.sketcher.features_and_content(text).1),
        }
        self.sketcher.last_compared()
    }

    /// The number of tokens in the last sketched text, without stop words.
    pub fn last_tokens(&self) -> usize {
        self.sketcher.last_tokens()
    }

    /// The MinHash sketch of `text`.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn sketch(&mut self, text: &str) -> Sketch<'_> {
        self.sketcher.sketch(text)
    }

    /// The fingerprint of `text`, with the plan's bits and tie rule. Plans without SimHash use the defaults.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn fingerprint(&mut self, text: &str) -> Fingerprint {
        self.fingerprinter.fingerprint(self.sketcher.features(text))
    }

    /// The fingerprint of `text`, whose features vote by `hashes`. Without them it is that of
    /// [`SketchBuilder::fingerprint`].
    ///
    /// # Errors
    /// [`MissingHash`] if the table lacks a shingle of the text. It names the first one.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn fingerprint_by(
        &mut self,
        text: &str,
        hashes: Option<&FeatureHashes>,
    ) -> Result<Fingerprint, MissingHash> {
        let Some(hashes) = hashes else { return Ok(self.fingerprint(text)) };
        let fingerprint = self.fingerprinter.fingerprint_by(self.sketcher.features(text), hashes);
        fingerprint.ok_or_else(|| {
            let features = self.sketcher.features(text).to_vec();
            let mut shingles = self.sketcher.shingles(text).zip(features);
            let missing = shingles.find(|&(_, feature)| hashes.hash(feature).is_none());
            MissingHash { shingle: missing.map_or_else(String::new, |(shingle, _)| shingle.to_owned()) }
        })
    }

    /// The fingerprint of `text`, the same as of [`SketchBuilder::fingerprint_by`], with all that it was made of.
    ///
    /// # Errors
    /// [`MissingHash`] as there.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn explain(
        &mut self,
        text: &str,
        hashes: Option<&FeatureHashes>,
    ) -> Result<ExplainedFingerprint, MissingHash> {
        let fingerprint = self.fingerprint_by(text, hashes)?;
        let tokens = self.sketcher.tokens(text).count();
        let features = self.sketcher.features(text).to_vec();
        let stop_words = tokens - self.sketcher.last_tokens();
        let shingles = self.sketcher.shingles(text);
        let hash_of = |feature| hashes.map_or(feature, |hashes| hashes.hash(feature).unwrap_or_default());
        let (features, sums) = self.fingerprinter.explain(shingles, &features, hash_of);
        Ok(ExplainedFingerprint { tokens, stop_words, features, sums, fingerprint })
    }

    /// The features of `text` that the plan's measure compares, in text order and with repetitions.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn compared(&mut self, text: &str) -> &[u64] {
        self.sketcher.compared(text)
    }

    /// The same features, and the content hash of `text`. By the hash, a caller can check that the text has not changed
    /// since it was sketched.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn compared_and_content(&mut self, text: &str) -> (&[u64], ContentHash) {
        let content = self.sketcher.features_and_content(text).1;
        (self.sketcher.last_compared(), content)
    }

    /// Moves the distinct features of `compared` to its front and returns their number.
    ///
    /// If the plan's measure needs weights, the features are sorted and their weights are written to `weights`.
    /// Otherwise the features keep their order of appearance.
    pub fn prepare(&mut self, compared: &mut [u64], weights: &mut [u32]) -> usize {
        if !self.plan.compares_weights() {
            return self.comparer.distinct(compared);
        }
        self.fingerprinter.weigh(compared, &mut self.weighed);
        for (index, &(feature, weight)) in self.weighed.iter().enumerate() {
            (compared[index], weights[index]) = (feature, weight);
        }
        self.weighed.len()
    }
}

/// The features and weights of one document that a measure compares.
#[derive(Clone, Debug, Default)]
pub struct ComparedFeatures {
    features: Vec<u64>,
    weights: Vec<u32>,
}

impl From<Set<'_>> for ComparedFeatures {
    fn from(set: Set<'_>) -> Self {
        ComparedFeatures { features: set.features.to_vec(), weights: set.weights.to_vec() }
    }
}

impl ComparedFeatures {
    /// The features and weights of `text`.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn new(builder: &mut SketchBuilder, text: &str) -> Self {
        let features = builder.compared(text).to_vec();
        Self::prepared(builder, features)
    }

    /// The features and weights of `text`, and its content hash.
    ///
    /// # Panics
    /// If the text takes 2 GiB or more, or 4 GiB once normalised.
    pub fn with_content(builder: &mut SketchBuilder, text: &str) -> (Self, ContentHash) {
        let (features, content) = builder.compared_and_content(text);
        let features = features.to_vec();
        (Self::prepared(builder, features), content)
    }

    /// The features and weights of the text that `builder` has sketched last.
    pub fn of_last(builder: &mut SketchBuilder) -> Self {
        let features = builder.sketcher.last_compared().to_vec();
        Self::prepared(builder, features)
    }

    pub(crate) fn prepared(builder: &mut SketchBuilder, mut features: Vec<u64>) -> Self {
        let mut weights = vec![0; if builder.plan.compares_weights() { features.len() } else { 0 }];
        let distinct = builder.prepare(&mut features, &mut weights);
        features.truncate(distinct);
        weights.truncate(distinct);
        ComparedFeatures { features, weights }
    }

    /// Borrows them as a set.
    pub fn set(&self) -> Set<'_> {
        Set { features: &self.features, weights: &self.weights }
    }
}
