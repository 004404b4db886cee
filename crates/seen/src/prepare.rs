//! What many threads can do at the same time for texts that are to be added: all but the decision.

use super::changes::{Added, Decided, KnownText, NewText, OnDuplicate, PreparedText};
use super::check::{Checked, TextQuery, has_expired};
use super::error::SeenError;
use super::shared::SharedSeen;
use super::sketched::SketchedText;
use super::unfinished::Unfinished;
use lookalike_index::live::Snapshot;
use lookalike_index::{EncodedDocument, NewDocument};

impl SharedSeen {
    /// Sketches `text`, and compares it with the documents of `snapshot`, which are on the disk.
    pub(super) fn prepare(
        &self,
        text: NewText,
        snapshot: &Snapshot,
        now: u32,
    ) -> Result<PreparedText, SeenError> {
        let sketch = self.checker.sketch(&text.text);
        let mut known = KnownText {
            sequence: snapshot.sequence(),
            looked_up: snapshot.documents(),
            compared: 0,
            similar: Vec::new(),
            is_capped: false,
        };
        // An id that is there has precedence over similar documents.
        let mut answer = None;
        if let Some(same_id) = snapshot.find(&text.id)? {
            let number = same_id.number;
            known.looked_up = number;
            answer = match (has_expired(same_id.expires(), now), same_id.content() == sketch.content) {
                // The sequencer replaces it, or lets it expire later.
                (true, _) => None,
                (false, true) if text.on_duplicate == OnDuplicate::Touch => None,
                (false, true) => Some(Added::Unchanged { number }),
                (false, false) => Some(Added::OtherText { number }),
            };
        }
        if answer.is_none() {
            let checked = self.compare(&text, &sketch, snapshot, now)?;
            (known.compared, known.is_capped) = (snapshot.documents(), checked.is_capped);
            known.similar = checked.found;
            if text.on_duplicate != OnDuplicate::Store {
                known.similar.truncate(1);
            }
            if let (Some(best), OnDuplicate::Refuse) = (known.similar.first(), text.on_duplicate) {
                answer = Some(Added::Duplicate { found: best.clone(), stored: None });
            }
        }
        let encoded = answer.is_none().then(|| self.encode(&text, &sketch, now));
        let answer = answer.map(|answer| Decided { answer, sequence: known.sequence });
        Ok(PreparedText { new: text, sketch, encoded, known, answer, now })
    }

    /// The bytes of a text in the log.
    pub(super) fn encode(&self, text: &NewText, sketch: &SketchedText, now: u32) -> EncodedDocument {
        let document = sketch.document(&text.id, &text.text, &text.about);
        self.encoder.encode(&NewDocument { time: Some(now), expires: text.expires, ..document })
    }

    /// Compares a text with the documents of `snapshot`.
    fn compare(
        &self,
        text: &NewText,
        sketch: &SketchedText,
        snapshot: &Snapshot,
        now: u32,
    ) -> Result<Checked, SeenError> {
        if text.on_duplicate == OnDuplicate::Ignore {
            return Ok(Checked::default());
        }
        let plan = self.checker.plan();
        let query = TextQuery { text: sketch, first: 0, plan, threshold: 0.0, now };
        let checked = self.checker.check(query, snapshot, &Unfinished::default())?;
        self.meter.compared(&checked);
        Ok(checked)
    }
}
