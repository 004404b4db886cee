//! The sketch and the features of one text.

#[cfg(feature = "redis")]
use super::error::SeenError;
#[cfg(feature = "redis")]
use super::stored::IndexedDocument;
use lookalike::search::{SketchBuilder, Sketches};
use lookalike::sketch::ContentHash;
use lookalike::{Level, Plan, Weights};
use lookalike_index::About;
use lookalike_index::{NewDocument, Tables};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A text as it is looked up and compared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SketchedText {
    /// The [keys](NewDocument::keys) by which it is found.
    pub(super) keys: Vec<u64>,
    /// The [signature](NewDocument::signature).
    pub(super) signature: Vec<u8>,
    /// The content hash, as the index [holds](Tables::held_content) it.
    pub(super) content: ContentHash,
    /// The distinct features, or none if the plan does not verify.
    pub(super) features: Vec<u64>,
}

impl SketchedText {
    /// The document that has this `text`, and this `about` it. Its time and expiry are left out.
    pub(super) fn document<'d>(&'d self, id: &'d str, text: &'d str, about: &'d About) -> NewDocument<'d> {
        let SketchedText { keys, signature, content, .. } = self;
        about.put_on(NewDocument { keys, signature, content: *content, id, text, ..NewDocument::default() })
    }
}

/// Sketches texts, on any number of threads.
pub(super) struct Sketchers {
    plan: Arc<Plan>,
    weights: Weights,
    tables: Arc<Tables>,
    /// Builders that are not in use: as many as threads have sketched at the same time.
    idle: Mutex<Vec<SketchBuilder>>,
}

impl fmt::Debug for Sketchers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sketchers").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl Sketchers {
    /// Sketches by `plan`, for an index with these `tables` and `weights`.
    pub(super) fn new(plan: Arc<Plan>, tables: Arc<Tables>, weights: Weights) -> Self {
        Sketchers { weights, tables, plan, idle: Mutex::new(Vec::new()) }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<SketchBuilder>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `work` with a builder that no other thread has.
    fn with<T>(&self, work: impl FnOnce(&mut SketchBuilder) -> T) -> T {
        let idle = self.idle().pop();
        let mut builder =
            idle.unwrap_or_else(|| SketchBuilder::new(&self.plan, &self.weights, Level::detect()));
        let done = work(&mut builder);
        self.idle().push(builder);
        done
    }

    /// The weights of features.
    #[cfg(feature = "redis")]
    pub(super) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The sketch of `text`.
    pub(super) fn sketch(&self, text: &str) -> SketchedText {
        self.with(|builder| {
            let mut sketches = Sketches::new(&self.plan);
            let mut features = builder.sketch_into(text, &mut sketches).to_vec();
            let compared = if self.plan.verifies() { builder.prepare(&mut features, &mut []) } else { 0 };
            features.truncate(compared);
            let (keys, signature) = match &sketches {
                Sketches::MinHash(table) => (table.view().keys.to_vec(), table.view().bytes.to_vec()),
                Sketches::SimHash(table) => {
                    let signature = match table.is_silent(0) && !table.content(0).is_empty() {
                        true => self.tables.silent_signature(table.content(0)),
                        false => table.bytes_of(0),
                    };
                    (self.tables.part_keys(&signature), signature)
                }
                Sketches::Exact(_) => unreachable!("an index has sketches"),
            };
            let content = self.tables.held_content(sketches.content(0), &signature);
            SketchedText { keys, signature, content, features }
        })
    }

    /// The sketch of a stored document, and its text. An index without texts has stored the sketch alone, and its text is empty here.
    #[cfg(feature = "redis")]
    pub(super) fn sketch_again(
        &self,
        stored: &impl IndexedDocument,
    ) -> Result<(SketchedText, String), SeenError> {
        if self.tables.stores_texts() {
            let text = stored.text()?;
            return Ok((self.sketch(&text), text));
        }
        let content = stored.content();
        let signature = match content.is_empty() {
            true => vec![0; self.tables.signature_bytes()],
            false => stored.signature().to_vec(),
        };
        let keys = stored.keys(&self.tables);
        Ok((SketchedText { keys, signature, content, features: Vec::new() }, String::new()))
    }

    /// The distinct features of `text`.
    pub(super) fn features(&self, text: &str) -> Vec<u64> {
        self.with(|builder| {
            let mut features = builder.compared(text).to_vec();
            let distinct = builder.prepare(&mut features, &mut []);
            features.truncate(distinct);
            features
        })
    }
}
