//! Decides about all changes, one after the other.
//!
//! The order of its decisions is the order of the log. A decision sees all decisions before it, also those that are not on the disk yet.
//! What is decided while the committer writes goes to the disk together next, so that a slow disk makes larger commits and not fewer
//! answers.

use super::changes::{Added, Change, Decided, NewText, OnDuplicate, SeenError, SketchedNew};
use super::check::{Found, Query, has_expired};
use super::committer::{self, Answer, Batch, Committed, answer};
use super::extensions::RecentExtensions;
use super::shared::SharedSeen;
use super::sketched::SketchedText;
use super::unfinished::{NewestDocument, SameId, Unfinished};
use lookalike_index::Error as IndexError;
use lookalike_index::NewDocument;
use lookalike_index::live::Writer;
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, PoisonError};
use std::thread;

/// What the sequencer waits for.
pub(super) enum Message {
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
    writer: Writer,
    /// What is decided and not on the disk.
    unfinished: Unfinished,
    extensions: RecentExtensions,
    /// Answers to what was decided since the last commit.
    answers: Vec<Answer>,
    /// Changes that come after those of a full frame.
    backlog: VecDeque<Change>,
    /// Whether the committer is at work.
    is_committing: bool,
}

impl Sequencer {
    pub(super) fn new(shared: Arc<SharedSeen>, writer: Writer) -> Self {
        Sequencer {
            shared,
            writer,
            unfinished: Unfinished::default(),
            extensions: RecentExtensions::default(),
            answers: Vec::new(),
            backlog: VecDeque::new(),
            is_committing: false,
        }
    }

    /// Works until [`Message::Close`], and until all changes are on the disk.
    pub(super) fn run(
        mut self,
        messages: &Receiver<Message>,
        reports: SyncSender<Message>,
    ) -> Result<(), IndexError> {
        let (batches, to_commit) = sync_channel(1);
        let committer = thread::Builder::new()
            .name("lookalike committer".to_owned())
            .spawn(move || committer::run(&to_commit, &reports, Message::Committed));
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
    fn take(&mut self, message: Message) -> bool {
        match message {
            Message::Change(change) => self.backlog.push_back(change),
            Message::Committed(committed) => self.committed(&committed),
            Message::Close => return true,
        }
        // Decided at once, while more come in.
        self.decide_backlog();
        false
    }

    fn decide_backlog(&mut self) {
        while !self.writer.is_full() && !self.writer.is_log_long() {
            let Some(change) = self.backlog.pop_front() else { break };
            self.shared.waiting.fetch_sub(1, Ordering::Relaxed);
            let answer = self.decide(change);
            self.answers.push(answer);
        }
    }

    fn committed(&mut self, committed: &Committed) {
        self.is_committing = false;
        let failure = committed.written.as_ref().err().map(ToString::to_string);
        let failure = failure.or_else(|| self.writer.failure());
        *self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
        match &committed.written {
            Ok(()) => self.unfinished.finish(committed.documents, committed.next_sequence),
            Err(_) => {
                // What was decided since then rests on what is not there.
                self.writer.roll_back();
                self.unfinished = Unfinished::default();
                answer(std::mem::take(&mut self.answers), &committed.written);
            }
        }
    }

    /// Gives what was decided to the committer, if it is idle.
    fn commit(&mut self, batches: &SyncSender<Batch>) {
        if self.is_committing {
            return;
        }
        let answers = std::mem::take(&mut self.answers);
        match self.writer.commit(None) {
            Some(commit) => {
                self.is_committing = batches.send(Batch { commit, answers }).is_ok();
            }
            None => {
                // All that the answers rest on is on the disk.
                answer(answers, &Ok(()));
                if let Err(error) = self.writer.roll_log() {
                    let error = committer::not_written(&error);
                    self.shared.waiting.fetch_sub(self.backlog.len(), Ordering::Relaxed);
                    self.backlog.drain(..).for_each(|change| change.refuse(error.clone()));
                }
                self.decide_backlog();
                if !self.answers.is_empty() {
                    self.commit(batches);
                }
            }
        }
    }

    fn decide(&mut self, change: Change) -> Answer {
        let sequence = self.writer.sequence();
        match change {
            Change::Add { text, then } => {
                let decided = self.add(*text).map(|answer| Decided { answer, sequence });
                Box::new(move |written| then(written.and(decided)))
            }
            Change::Remove { id, purges, then } => {
                let decided = self.remove(&id, purges).map(|answer| Decided { answer, sequence });
                Box::new(move |written| then(written.and(decided)))
            }
            Change::Touch { id, expires, now, then } => {
                let decided = self.touch(&id, expires, now).map(|answer| Decided { answer, sequence });
                Box::new(move |written| then(written.and(decided)))
            }
        }
    }

    /// The document that has this id, also if it has expired.
    fn document_with(&self, id: &str) -> Result<Option<SameId>, SeenError> {
        if let Some(found) = self.unfinished.find(id) {
            return Ok(Some(found));
        }
        let snapshot = self.shared.reader.snapshot();
        let document = snapshot.find(id)?.filter(|document| !self.unfinished.is_removing(document.number));
        Ok(document.map(|document| SameId {
            number: document.number,
            content: document.content(),
            expires: self.unfinished.expires(document.number, document.expires()),
        }))
    }

    fn add(&mut self, new: SketchedNew) -> Result<Added, SeenError> {
        let SketchedNew { text, sketch, checked, snapshot, now } = new;
        let same_id = self.document_with(&text.id)?;
        let (expired, living) = match same_id {
            Some(same_id) if has_expired(same_id.expires, now) => (Some(same_id.number), None),
            same_id => (None, same_id),
        };
        if let Some(SameId { number, content, .. }) = living {
            let is_same = content == sketch.content;
            return Ok(if is_same { Added::Unchanged { number } } else { Added::OtherText { number } });
        }
        if self.writer.is_behind() {
            return Err(SeenError::Busy);
        }
        let first = if self.extensions.may_revive(snapshot, now) { 0 } else { checked };
        let query = Query { text: &sketch, first, threshold: 0.0, now };
        let found = match text.on_duplicate {
            OnDuplicate::Ignore => Vec::new(),
            OnDuplicate::Refuse | OnDuplicate::Store => {
                self.shared.checker.check(query, &self.writer.uncommitted(), &self.unfinished)?.found
            }
        };
        if let (Some(best), OnDuplicate::Refuse) = (found.first(), text.on_duplicate) {
            return Ok(Added::Duplicate { found: best.clone(), number: None });
        }
        // So that an id has one document, also for a clock that is behind.
        expired.into_iter().for_each(|number| self.remove_document(number));
        let number = self.store(&text, sketch, now);
        found.iter().for_each(|found: &Found| self.writer.link(found.number, number));
        Ok(match found.into_iter().next() {
            Some(found) => Added::Duplicate { found, number: Some(number) },
            None => Added::New { number },
        })
    }

    fn store(&mut self, text: &NewText, sketch: SketchedText, now: u32) -> u64 {
        let number = self.writer.add(&NewDocument {
            keys: &sketch.keys,
            signature: &sketch.signature,
            content: sketch.content,
            id: &text.id,
            text: &text.text,
            time: Some(now),
            expires: text.expires,
            meta: text.meta.as_deref(),
        });
        let (id, meta, expires) = (text.id.clone(), text.meta.clone(), text.expires);
        self.unfinished.add(number, NewestDocument { id, sketch, meta, expires });
        number
    }

    fn remove(&mut self, id: &str, purges: bool) -> Result<bool, SeenError> {
        let same_id = self.document_with(id)?;
        match same_id.as_ref().map(|same_id| same_id.number) {
            Some(number) if purges => {
                self.unfinished.remove(number, self.writer.sequence());
                self.writer.purge(number);
            }
            Some(number) => self.remove_document(number),
            None => {}
        }
        Ok(same_id.is_some())
    }

    fn touch(&mut self, id: &str, expires: u32, now: u32) -> Result<bool, SeenError> {
        let same_id = self.document_with(id)?.filter(|same_id| !has_expired(same_id.expires, now));
        if let Some(SameId { number, expires: Some(before), .. }) = same_id
            && before < expires
        {
            self.extensions.add(self.writer.sequence(), before);
            self.unfinished.extend(number, expires, self.writer.sequence());
            self.writer.extend_expiry(number, expires)?;
        }
        Ok(same_id.is_some())
    }

    fn remove_document(&mut self, number: u64) {
        self.unfinished.remove(number, self.writer.sequence());
        self.writer.remove(number);
    }
}
