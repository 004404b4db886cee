//! The documents that were seen, and the search among them.

use super::{FoundMatch, HeldDocument, HeldSketch, Id};
use lookalike::compare::Verifier;
use lookalike::{Level, MinHashIndex, Plan, Signature, Similarity};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The documents.
pub(super) struct SeenDocuments {
    index: MinHashIndex,
    /// Compares the features of a text with those of others.
    verifier: Verifier,
    pub(super) documents: Vec<HeldDocument>,
    numbers: HashMap<Id, u32>,
}

impl SeenDocuments {
    pub(super) fn new(plan: &Plan) -> Self {
        SeenDocuments {
            index: MinHashIndex::new(plan),
            verifier: Verifier::new(Level::detect(), plan.measure(), plan.threshold()),
            documents: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// The number of documents.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether a document has this id.
    pub(super) fn contains(&self, id: &Id) -> bool {
        self.numbers.contains_key(id)
    }

    /// Forgets the document with this id, and says whether there was one.
    pub(super) fn remove(&mut self, id: &Id) -> bool {
        let Some(number) = self.numbers.remove(id) else { return false };
        self.index.remove(number);
        self.documents[number as usize] = HeldDocument { id: None, compared: None };
        true
    }

    /// The documents whose signatures are similar enough to be compared, in the order in which they were added, with their estimates.
    fn candidates(&self, plan: &Plan, signature: &Signature) -> Vec<(u32, Similarity)> {
        let values = plan.num_perm() as f64;
        let passes =
            |estimate: Similarity| plan.signature_filter().passes((estimate.value() * values).round() as u32);
        // All signatures are of one plan.
        let found = self.index.query(signature).unwrap_or_default();
        let found = found.into_iter().filter(|candidate| passes(candidate.estimate));
        let mut found: Vec<(u32, Similarity)> =
            found.map(|candidate| (candidate.id, candidate.estimate)).collect();
        found.sort_unstable_by_key(|(number, _)| *number);
        found
    }

    /// Calls `visit` with each document that is similar, until it returns false.
    fn visit(&mut self, plan: &Plan, text: &HeldSketch, mut visit: impl FnMut(FoundMatch) -> bool) {
        let candidates = self.candidates(plan, &text.signature);
        let SeenDocuments { verifier, documents, .. } = self;
        let mut held = text.compared.as_ref().map(|compared| verifier.hold(compared.set()));
        for (number, estimate) in candidates {
            let document = &documents[number as usize];
            let similarity = match (&mut held, &document.compared) {
                (Some(held), Some(compared)) => held.reaches(compared.set()),
                _ => Some(estimate).filter(|estimate| estimate.value() >= plan.threshold()),
            };
            let Some(similarity) = similarity else { continue };
            if !visit((number, document.id.clone(), similarity.value())) {
                break;
            }
        }
    }

    pub(super) fn first(&mut self, plan: &Plan, text: &HeldSketch) -> Option<FoundMatch> {
        let mut first = None;
        self.visit(plan, text, |found| {
            first = Some(found);
            false
        });
        first
    }

    pub(super) fn all(&mut self, plan: &Plan, text: &HeldSketch) -> Vec<FoundMatch> {
        let mut all = Vec::new();
        self.visit(plan, text, |found| {
            all.push(found);
            true
        });
        all
    }

    /// Adds a text, unless it is similar to a document.
    ///
    /// # Errors
    /// The id, if another document has it.
    pub(super) fn add(
        &mut self,
        plan: &Plan,
        text: HeldSketch,
        id: Option<Id>,
    ) -> Result<Option<FoundMatch>, Id> {
        if let Some(found) = self.first(plan, &text) {
            return Ok(Some(found));
        }
        let HeldSketch { signature, compared } = text;
        self.push(signature, HeldDocument { id, compared }).map(|()| None)
    }

    /// Adds a document.
    ///
    /// # Errors
    /// Its id, if another document has it.
    pub(super) fn push(&mut self, signature: Signature, document: HeldDocument) -> Result<(), Id> {
        let number = self.documents.len() as u32;
        if let Some(id) = &document.id {
            match self.numbers.entry(id.clone()) {
                Entry::Occupied(entry) => return Err(entry.key().clone()),
                Entry::Vacant(entry) => entry.insert(number),
            };
        }
        // All signatures are of one plan.
        let _ = self.index.insert(number, signature);
        self.documents.push(document);
        Ok(())
    }

    /// Adds a document that was stored. A removed one has no signature, and keeps its number.
    ///
    /// # Errors
    /// Its id, if another document has it.
    pub(super) fn restore(&mut self, signature: Option<Signature>, document: HeldDocument) -> Result<(), Id> {
        match signature {
            Some(signature) => self.push(signature, document),
            None => {
                self.documents.push(document);
                Ok(())
            }
        }
    }

    /// The signature of a document. A removed one has none.
    pub(super) fn signature(&self, number: u32) -> Option<&Signature> {
        self.index.get(number)
    }
}
