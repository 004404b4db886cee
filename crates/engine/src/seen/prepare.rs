//! What many threads can do at the same time for texts that are to be added: all but the decision.

use super::changes::{Added, Decided, Known, NewText, OnDuplicate, Step, UndecidedText};
use super::check::{Checked, Query, has_expired};
use super::error::SeenError;
use super::shared::SharedSeen;
use super::sketched::SketchedText;
use super::unfinished::Unfinished;
use lookalike_index::NewDocument;
use lookalike_index::live::Snapshot;

impl SharedSeen {
    /// Sketches `text`, and compares it with the documents of `snapshot`, which are on the disk.
    pub(super) fn prepare(&self, text: NewText, snapshot: &Snapshot, now: u32) -> Result<Step, SeenError> {
        let sketch = self.checker.sketch(&text.text);
        let answered =
            |answer| Ok(Step::Answered(Box::new(Decided { answer, sequence: snapshot.sequence() })));
        // An id that is there has precedence over similar documents.
        let mut looked_up = snapshot.documents();
        if let Some(same_id) = snapshot.find(&text.id)? {
            let (number, is_same) = (same_id.number, same_id.content() == sketch.content);
            match has_expired(same_id.expires(), now) {
                // The sequencer replaces it, or lets it expire later.
                true => looked_up = number,
                false if is_same && text.on_duplicate == OnDuplicate::Touch => looked_up = number,
                false if is_same => return answered(Added::Unchanged { number }),
                false => return answered(Added::OtherText { number }),
            }
        }
        let checked = self.compare(&text, &sketch, snapshot, now)?;
        if let (Some(found), OnDuplicate::Refuse) = (checked.found.first(), text.on_duplicate) {
            return answered(Added::Duplicate { found: found.clone(), stored: None });
        }
        let document = sketch.document(&text.id, &text.text, &text.about);
        let encoded =
            self.encoder.encode(&NewDocument { time: Some(now), expires: text.expires, ..document });
        let known = Known {
            sequence: snapshot.sequence(),
            looked_up,
            compared: snapshot.documents(),
            similar: checked.found,
            is_capped: checked.is_capped,
        };
        Ok(Step::Undecided(Box::new(UndecidedText { new: text, sketch, encoded, known, now })))
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
        let query = Query { text: sketch, first: 0, threshold: 0.0, now };
        let checked = self.checker.check(query, snapshot, &Unfinished::default())?;
        self.meter.compared(&checked);
        Ok(checked)
    }
}
