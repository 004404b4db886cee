//! Decides about all changes, one after the other.
//!
//! The order of its decisions is the order of the log. A decision sees all decisions before it, also those that are not on the disk yet.
//! What is decided while the committer writes goes to the disk together next, so that a slow disk makes larger commits and not fewer
//! answers.

use super::changes::{
    Added, Answers, Change, Decided, Linked, NewText, OnDuplicate, PreparedText, Touched, refused,
};
use super::check::{Checked, DocumentMatch, TextQuery, has_expired};
use super::clusters::UnfinishedLinks;
use super::committer::{self, Committed, DecidedChanges, GiveAnswer, answer};
use super::error::SeenError;
use super::extensions::RecentExtensions;
use super::shared::SharedSeen;
use super::sketched::SketchedText;
use super::unfinished::{NewestDocument, SameId, Unfinished};
use lookalike_index::Error as IndexError;
use lookalike_index::live::IndexWriter;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, PoisonError};
use std::thread;

/// What the sequencer waits for.
pub(super) enum SequencerMessage {
    /// A change to decide.
    Change(Change),
    /// A commit has ended.
    Committed(Committed),
    /// There will be no more changes.
    Close,
}

/// Changes that are decided before the committer is given work.
const DECIDED_AT_ONCE: usize = 256;

pub(super) struct Sequencer {
    shared: Arc<SharedSeen>,
    pub(super) writer: IndexWriter,
    /// What is decided and not on the disk.
    unfinished: Unfinished,
    pub(super) links: UnfinishedLinks,
    extensions: RecentExtensions,
    /// Answers to what was decided since the last commit.
    answers: Vec<GiveAnswer>,
    /// The last note about what was decided since the last commit.
    payload: Option<Vec<u8>>,
    /// Changes that come after those of a full frame.
    backlog: VecDeque<Change>,
    /// Whether the committer is at work.
    is_committing: bool,
}

impl Sequencer {
    pub(super) fn new(shared: Arc<SharedSeen>, writer: IndexWriter) -> Self {
        Sequencer {
            shared,
            writer,
            unfinished: Unfinished::default(),
            links: UnfinishedLinks::default(),
            extensions: RecentExtensions::default(),
            answers: Vec::new(),
            payload: None,
            backlog: VecDeque::new(),
            is_committing: false,
        }
    }

    /// Works until [`SequencerMessage::Close`], and until all changes are on the disk.
    pub(super) fn run(
        mut self,
        messages: &Receiver<SequencerMessage>,
        reports: SyncSender<SequencerMessage>,
    ) -> Result<(), IndexError> {
        let (batches, to_commit) = sync_channel(1);
        let shared = Arc::clone(&self.shared);
        let committer = thread::Builder::new()
            .name("lookalike committer".to_owned())
            .spawn(move || committer::run(&shared, &to_commit, &reports, SequencerMessage::Committed));
        let Ok(committer) = committer else { return self.writer.close() };
        let mut is_closing = false;
        loop {
            let Ok(message) = messages.recv() else { break };
            is_closing |= self.take(message);
            // What came in meanwhile goes to the disk with it. The committer does not wait for all that may still come.
            for message in messages.try_iter().take(DECIDED_AT_ONCE) {
                is_closing |= self.take(message);
            }
            self.decide_backlog();
            self.commit(&batches);
            if is_closing && !self.is_committing && self.backlog.is_empty() {
                break;
            }
        }
        drop(batches);
        let _ = committer.join();
        self.writer.close()
    }

    /// Takes a message. Returns whether there will be no more changes.
    fn take(&mut self, message: SequencerMessage) -> bool {
        match message {
            SequencerMessage::Change(change) => self.backlog.push_back(change),
            SequencerMessage::Committed(committed) => self.committed(&committed),
            SequencerMessage::Close => return true,
        }
        // Decided at once, while more come in.
        self.decide_backlog();
        false
    }

    fn decide_backlog(&mut self) {
        while let Some(change) = self.backlog.pop_front() {
            if !self.writer.has_room(change.len()) || self.writer.is_log_long() {
                self.backlog.push_front(change);
                break;
            }
            self.shared.waiting.remove(&change);
            let answer = self.decide(change);
            self.answers.push(answer);
        }
    }

    fn committed(&mut self, committed: &Committed) {
        self.is_committing = false;
        let failure = committed.written.as_ref().err().map(ToString::to_string);
        let failure = failure.or_else(|| self.shared.reader.failure());
        self.set_failure(failure);
        match &committed.written {
            Ok(()) => {
                self.unfinished.finish(committed.documents, committed.next_sequence);
                self.links.finish(committed.next_sequence, &self.shared.clusters.read());
            }
            Err(_) => {
                // What was decided since then rests on what is not there.
                self.writer.roll_back();
                self.payload = None;
                (self.unfinished, self.links) = (Unfinished::default(), UnfinishedLinks::default());
                answer(std::mem::take(&mut self.answers), &committed.written);
            }
        }
    }

    fn set_failure(&self, failure: Option<String>) {
        *self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
    }

    /// Gives what was decided to the committer, if it is idle.
    fn commit(&mut self, batches: &SyncSender<DecidedChanges>) {
        if self.is_committing {
            return;
        }
        let answers = std::mem::take(&mut self.answers);
        match self.writer.commit(self.payload.take().as_deref()) {
            Some(commit) => {
                let links = self.links.take();
                self.is_committing = batches.send(DecidedChanges { commit, links, answers }).is_ok();
            }
            None => {
                // All that the answers rest on is on the disk.
                answer(answers, &Ok(()));
                if let Err(error) = self.writer.roll_log() {
                    let error = committer::not_written(&error);
                    self.set_failure(Some(error.to_string()));
                    for change in self.backlog.drain(..) {
                        self.shared.waiting.remove(&change);
                        change.refuse(&error);
                    }
                }
                self.decide_backlog();
                if !self.answers.is_empty() {
                    self.commit(batches);
                }
            }
        }
    }

    fn decide(&mut self, change: Change) -> GiveAnswer {
        match change {
            Change::Add { texts, note, then } => {
                let decided: Answers<Added> = texts.into_iter().map(|text| self.decide_text(text)).collect();
                self.payload = note.map(|note| note(&decided)).or(self.payload.take());
                Box::new(move |written| then(if_written(decided, written)))
            }
            Change::Remove { ids, purges, note, then } => {
                let decided: Answers<Option<u64>> = ids.iter().map(|id| self.remove(id, purges)).collect();
                self.payload = note.map(|note| note(&decided)).or(self.payload.take());
                Box::new(move |written| then(if_written(decided, written)))
            }
            Change::Touch { id, expires, now, then } => {
                let decided = vec![self.touch(&id, expires, now)];
                Box::new(move |written| then(if_written(decided, written)))
            }
            Change::Apply { changes, then } => {
                let applied = self.apply(&changes);
                Box::new(move |written| then(applied.and(written)))
            }
        }
    }

    fn decide_text(&mut self, mut text: PreparedText) -> Result<Decided<Added>, SeenError> {
        let sequence = self.writer.sequence();
        match text.answer.take_if(|answer| answer.sequence == sequence) {
            Some(answer) => Ok(answer),
            None => Ok(Decided { answer: self.add(text)?, sequence }),
        }
    }

    /// The document from number `first` on that has this id, also if it has expired.
    fn document_with(&self, id: &str, first: u64) -> Result<Option<SameId>, SeenError> {
        if let Some(found) = self.unfinished.find(id) {
            return Ok(Some(found));
        }
        let snapshot = self.shared.reader.snapshot();
        let document = snapshot.find_from(id, first)?;
        let document = document.filter(|document| !self.unfinished.is_removing(document.number));
        Ok(document.map(|document| SameId {
            number: document.number,
            content: document.content(),
            expires: self.unfinished.expires(document.number, document.expires()),
        }))
    }

    fn add(&mut self, text: PreparedText) -> Result<Added, SeenError> {
        let (expired, living) = match self.document_with(&text.new.id, text.known.looked_up)? {
            Some(same_id) if has_expired(same_id.expires, text.now) => (Some(same_id.number), None),
            same_id => (None, same_id),
        };
        if let Some(SameId { number, content, .. }) = living {
            if content != text.sketch.content {
                return Ok(Added::OtherText { number });
            }
            self.touch_for(&text.new, number)?;
            return Ok(Added::Unchanged { number });
        }
        let (found, is_capped) = self.similar(&text)?;
        if let (Some(best), OnDuplicate::Refuse | OnDuplicate::Touch) = (found.first(), text.new.on_duplicate)
        {
            self.touch_for(&text.new, best.number)?;
            return Ok(Added::Duplicate { found: best.clone(), stored: None });
        }
        // So that an id has one document, also for a clock that is behind.
        expired.into_iter().for_each(|number| self.remove_document(number));
        let number = self.store(text);
        let stored = Some(Linked { number, to: self.link(&found, number) });
        Ok(match found.into_iter().next() {
            Some(found) => Added::Duplicate { found, stored },
            None => Added::New { number, is_capped },
        })
    }

    /// The documents that a text is similar to, the most similar first, and whether there are candidates that it was not compared with.
    fn similar(&self, text: &PreparedText) -> Result<(Vec<DocumentMatch>, bool), SeenError> {
        if text.new.on_duplicate == OnDuplicate::Ignore {
            return Ok((Vec::new(), false));
        }
        let snapshot = self.writer.uncommitted();
        let is_there = |found: &&DocumentMatch| {
            !snapshot.is_removed(found.number) && !self.unfinished.is_removing(found.number)
        };
        // If the most similar document is gone, the next one is not known.
        let lost_best = text.new.on_duplicate != OnDuplicate::Store
            && !text.known.similar.iter().all(|found| is_there(&found));
        let compares_again = lost_best || self.extensions.may_revive(text.known.sequence, text.now);
        let first = if compares_again { 0 } else { text.known.compared };
        let plan = self.shared.checker.plan();
        let query = TextQuery { text: &text.sketch, first, plan, threshold: 0.0, now: text.now };
        let Checked { mut found, is_capped, .. } =
            self.shared.checker.check(query, &snapshot, &self.unfinished)?;
        if compares_again {
            return Ok((found, is_capped));
        }
        found.extend(text.known.similar.iter().filter(is_there).cloned());
        found.sort_by(DocumentMatch::by_nearness);
        Ok((found, is_capped || text.known.is_capped))
    }

    /// Links a document to one document of each cluster that it is similar to. Returns these.
    fn link(&mut self, found: &[DocumentMatch], number: u64) -> Vec<u64> {
        let clusters = self.shared.clusters.read();
        self.links.follow(&clusters);
        let (mut linked, mut to) = (Vec::new(), Vec::new());
        for DocumentMatch { number: other, .. } in found {
            let cluster = self.links.root(clusters.root(*other));
            if !linked.contains(&cluster) {
                linked.push(cluster);
                to.push(*other);
                self.links.push(self.writer.sequence(), [*other, number]);
                self.writer.link(*other, number);
            }
        }
        linked.iter().for_each(|&cluster| self.links.unite(cluster, number));
        to
    }

    fn store(&mut self, text: PreparedText) -> u64 {
        let PreparedText { new, sketch, encoded, now, .. } = text;
        let encoded = encoded.unwrap_or_else(|| self.shared.encode(&new, &sketch, now));
        let number = self.writer.add(&encoded, &sketch.keys);
        let NewText { id, about, expires, .. } = new;
        let SketchedText { content, signature, features, .. } = sketch;
        self.unfinished.add(number, NewestDocument { id, content, signature, features, about, expires });
        number
    }

    fn remove(&mut self, id: &str, purges: bool) -> Result<Decided<Option<u64>>, SeenError> {
        let sequence = self.writer.sequence();
        let number = self.document_with(id, 0)?.map(|same_id| same_id.number);
        match number {
            Some(number) if purges => {
                self.unfinished.remove(number, sequence);
                self.writer.purge(number);
            }
            Some(number) => self.remove_document(number),
            None => {}
        }
        Ok(Decided { answer: number, sequence })
    }

    fn touch(&mut self, id: &str, expires: u32, now: u32) -> Result<Decided<Option<Touched>>, SeenError> {
        let sequence = self.writer.sequence();
        let living = self.document_with(id, 0)?.filter(|same_id| !has_expired(same_id.expires, now));
        let Some(SameId { number, expires: before, .. }) = living else {
            return Ok(Decided { answer: None, sequence });
        };
        let expires = self.extend(number, before, expires)?;
        Ok(Decided { answer: Some(Touched { number, expires }), sequence })
    }

    /// Lets a document expire no sooner than the text for which it is there, if that asks for it.
    fn touch_for(&mut self, new: &NewText, number: u64) -> Result<(), SeenError> {
        if let (OnDuplicate::Touch, Some(expires)) = (new.on_duplicate, new.expires) {
            let own = match self.unfinished.document(number) {
                Some(document) => document.expires,
                None => self.shared.reader.snapshot().document(number)?.expires(),
            };
            self.extend(number, self.unfinished.expires(number, own), expires)?;
        }
        Ok(())
    }

    /// Lets a document that expires at second `before` expire at second `expires`, unless that is sooner. Returns when it expires then.
    fn extend(&mut self, number: u64, before: Option<u32>, expires: u32) -> Result<Option<u32>, SeenError> {
        let Some(before) = before.filter(|&before| before < expires) else { return Ok(before) };
        self.extensions.add(self.writer.sequence(), before);
        self.unfinished.extend(number, expires, self.writer.sequence());
        self.writer.extend_expiry(number, expires)?;
        Ok(Some(expires))
    }

    fn remove_document(&mut self, number: u64) {
        self.unfinished.remove(number, self.writer.sequence());
        self.writer.remove(number);
    }
}

/// The answers, if what they rest on could be written.
fn if_written<T>(answers: Answers<T>, written: Result<(), SeenError>) -> Answers<T> {
    match written {
        Ok(()) => answers,
        Err(error) => refused(answers.len(), &error),
    }
}
