//! The index in a folder.

use super::{Answer, Changed, DocumentName, IndexFigures, NotReady, SeenIndex, Submitted, Then, decided};
use crate::changes::{Added, NewText, Touched};
use crate::check::{Checked, DocumentMatch};
use crate::error::SeenError;
use crate::sketched::SketchedText;
use crate::stored::StoredDocument;
use crate::{PreparedTexts, Seen};
use lookalike::{Plan, Score, Weights};
use lookalike_index::live::{Document, Snapshot};
use std::future::ready;
use std::pin::Pin;

impl SeenIndex for Seen {
    fn plan(&self) -> &Plan {
        Seen::plan(self)
    }

    fn weights(&self) -> &Weights {
        self.shared.checker.weights()
    }

    fn stores_texts(&self) -> bool {
        self.reader().tables().stores_texts()
    }

    fn folder(&self) -> Option<&Seen> {
        Some(self)
    }

    fn sketch(&self, text: &str) -> SketchedText {
        self.shared.checker.sketch(text)
    }

    fn sketch_of<'a>(&'a self, name: DocumentName<'a>) -> Answer<'a, Option<(StoredDocument, SketchedText)>> {
        let sketch = |document: Document<'_>| {
            Ok((StoredDocument::of(&document), self.shared.checker.sketch_again(&document)?))
        };
        let snapshot = self.snapshot();
        at_once(find(&snapshot, name).and_then(|document| document.map(sketch).transpose()))
    }

    fn check<'a>(&'a self, text: &'a SketchedText, threshold: f64, now: u32) -> Answer<'a, Checked> {
        at_once(self.check_sketch(text, threshold, now))
    }

    fn nearest<'a>(
        &'a self,
        text: &'a SketchedText,
        except: Option<&'a str>,
        now: u32,
    ) -> Answer<'a, Option<DocumentMatch>> {
        at_once(Seen::nearest(self, text, except, now))
    }

    fn find<'a>(
        &'a self,
        name: DocumentName<'a>,
        with_text: bool,
    ) -> Answer<'a, Option<(StoredDocument, Option<String>)>> {
        let with_text = with_text && self.stores_texts();
        let snapshot = self.snapshot();
        let document = find(&snapshot, name);
        let read = |document: Document<'_>| StoredDocument::read(&document, with_text);
        at_once(document.and_then(|document| document.map(read).transpose()))
    }

    fn members(&self, number: u64, now: u32) -> Answer<'_, Vec<StoredDocument>> {
        let snapshot = self.snapshot();
        let members = self.cluster(number).into_iter();
        at_once(members.filter_map(|number| self.member(&snapshot, number, now).transpose()).collect())
    }

    fn scores<'a>(&'a self, to: u64, others: &'a [u64]) -> Answer<'a, Vec<Score>> {
        at_once(Seen::scores(self, &self.snapshot(), to, others))
    }

    fn figures(&self) -> Answer<'_, IndexFigures> {
        let snapshot = self.snapshot();
        let memtables = snapshot.memtables();
        at_once(Ok(IndexFigures {
            documents: snapshot.documents(),
            sequence: snapshot.sequence(),
            runs: snapshot.parts().saturating_sub(memtables),
            memtables,
            merges: self.reader().merges(),
            waiting: self.waiting(),
        }))
    }

    fn durability(&self) -> Answer<'_, Result<String, NotReady>> {
        at_once(Ok(match self.failure() {
            Some(failure) => Err(NotReady::NotWriting(failure)),
            None => Ok("fdatasync".to_owned()),
        }))
    }

    fn prepare(&self, texts: Vec<NewText>, now: u32) -> Result<PreparedTexts, SeenError> {
        Seen::prepare(self, texts, now)
    }

    fn submit(&self, texts: PreparedTexts, then: Then<Added>) -> Submitted<'_, PreparedTexts, Added> {
        Box::pin(ready(Seen::submit(self, texts, then)))
    }

    fn submit_alone(&self, texts: PreparedTexts, then: Then<Added>) -> Submitted<'_, PreparedTexts, Added> {
        Box::pin(ready(Seen::submit_alone(self, texts, then)))
    }

    fn remove(&self, ids: Vec<String>, then: Then<Option<u64>>) -> Submitted<'_, Vec<String>, Option<u64>> {
        Box::pin(ready(self.remove_then(ids, then)))
    }

    fn purge(&self, ids: Vec<String>, then: Then<Option<u64>>) -> Submitted<'_, Vec<String>, Option<u64>> {
        Box::pin(ready(self.purge_then(ids, then)))
    }

    fn touch<'a>(&'a self, id: &'a str, expires: u32, now: u32) -> Changed<'a, Option<Touched>> {
        let touch = move |then| -> Submitted<'_, (), Option<Touched>> {
            Box::pin(ready(self.touch_then(id, expires, now, then).map_err(|then| ((), then))))
        };
        Box::pin(decided(touch))
    }

    fn sweep(&self) -> Option<Pin<Box<dyn Future<Output = ()> + Send>>> {
        // Merging and packing do this.
        None
    }
}

fn at_once<'a, T: Send + 'a>(answer: Result<T, SeenError>) -> Answer<'a, T> {
    Box::pin(ready(answer))
}

/// The newest document that has this name.
fn find<'s>(snapshot: &'s Snapshot, name: DocumentName<'_>) -> Result<Option<Document<'s>>, SeenError> {
    Ok(match name {
        DocumentName::Id(id) => snapshot.find(id)?,
        DocumentName::Url(url) => snapshot.find_url(url)?,
    })
}
