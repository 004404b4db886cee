//! Decides about all changes, one after the other.
//!
//! The order of its decisions is the order of the log. A decision sees all decisions before it, also those that are not on the disk yet.
//! What is decided while the committer writes goes to the disk together next, so that a slow disk makes larger commits and not fewer
//! answers.

use super::changes::{
    Added, Answers, Change, Decided, Linked, NewText, OnDuplicate, SeenError, Step, UndecidedText, refused,
};
use super::check::{Found, Query, has_expired};
use super::committer::{self, Answer, Batch, Committed, answer};
use super::links::UnfinishedLinks;
use super::shared::SharedSeen;
use super::unfinished::{NewestDocument, SameId, Unfinished};
use lookalike_index::Error as IndexError;
use lookalike_index::live::Writer;
use std::collections::VecDeque;
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
    links: UnfinishedLinks,
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
            links: UnfinishedLinks::default(),
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
        let shared = Arc::clone(&self.shared);
        let committer = thread::Builder::new()
            .name("lookalike committer".to_owned())
            .spawn(move || committer::run(&shared, &to_commit, &reports, Message::Committed));
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
                self.links.finish(committed.next_sequence, &self.shared.clusters());
            }
            Err(_) => {
                // What was decided since then rests on what is not there.
                self.writer.roll_back();
                (self.unfinished, self.links) = (Unfinished::default(), UnfinishedLinks::default());
                answer(std::mem::take(&mut self.answers), &committed.written);
            }
        }
    }

    fn set_failure(&self, failure: Option<String>) {
        *self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner) = failure;
    }

    /// Gives what was decided to the committer, if it is idle.
    fn commit(&mut self, batches: &SyncSender<Batch>) {
        if self.is_committing {
            return;
        }
        let answers = std::mem::take(&mut self.answers);
        match self.writer.commit(None) {
            Some(commit) => {
                let links = self.links.take();
                self.is_committing = batches.send(Batch { commit, links, answers }).is_ok();
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

    fn decide(&mut self, change: Change) -> Answer {
        match change {
            Change::Add { texts, then } => {
                let decided: Answers<Added> = texts.into_iter().map(|step| self.decide_text(step)).collect();
                Box::new(move |written| then(if_written(decided, written)))
            }
            Change::Remove { ids, then } => {
                let decided: Answers<Option<u64>> = ids.iter().map(|id| self.remove(id)).collect();
                Box::new(move |written| then(if_written(decided, written)))
            }
        }
    }

    fn decide_text(&mut self, step: Step) -> Result<Decided<Added>, SeenError> {
        let sequence = self.writer.sequence();
        match step {
            Step::Answered(answer) => Ok(*answer),
            Step::Undecided(text) => Ok(Decided { answer: self.add(*text)?, sequence }),
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
            expires: document.expires(),
        }))
    }

    fn add(&mut self, text: UndecidedText) -> Result<Added, SeenError> {
        let (expired, living) = match self.document_with(&text.new.id, text.known.looked_up)? {
            Some(same_id) if has_expired(same_id.expires, text.now) => (Some(same_id.number), None),
            same_id => (None, same_id),
        };
        if let Some(SameId { number, content, .. }) = living {
            let is_same = content == text.sketch.content;
            return Ok(if is_same { Added::Unchanged { number } } else { Added::OtherText { number } });
        }
        let found = self.similar(&text)?;
        if let (Some(best), OnDuplicate::Refuse) = (found.first(), text.new.on_duplicate) {
            return Ok(Added::Duplicate { found: best.clone(), stored: None });
        }
        // So that an id has one document, also for a clock that is behind.
        expired.into_iter().for_each(|number| self.remove_document(number));
        let number = self.store(text);
        let stored = Some(Linked { number, to: self.link(&found, number) });
        Ok(match found.into_iter().next() {
            Some(found) => Added::Duplicate { found, stored },
            None => Added::New { number },
        })
    }

    /// The documents that a text is similar to, the most similar first.
    fn similar(&self, text: &UndecidedText) -> Result<Vec<Found>, SeenError> {
        if text.new.on_duplicate == OnDuplicate::Ignore {
            return Ok(Vec::new());
        }
        let snapshot = self.writer.uncommitted();
        let query = Query { text: &text.sketch, first: text.known.compared, threshold: 0.0, now: text.now };
        let mut found = self.shared.checker.check(query, &snapshot, &self.unfinished)?.found;
        let is_there =
            |found: &&Found| !snapshot.is_removed(found.number) && !self.unfinished.is_removing(found.number);
        found.extend(text.known.similar.iter().filter(is_there).cloned());
        found.sort_by(Found::by_similarity);
        Ok(found)
    }

    /// Links a document to one document of each cluster that it is similar to. Returns these.
    fn link(&mut self, found: &[Found], number: u64) -> Vec<u64> {
        let clusters = self.shared.clusters();
        let (mut linked, mut to) = (Vec::new(), Vec::new());
        for Found { number: other, .. } in found {
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

    fn store(&mut self, text: UndecidedText) -> u64 {
        let number = self.writer.add(&text.encoded, &text.sketch.keys);
        let UndecidedText { new: NewText { id, about, expires, .. }, sketch, .. } = text;
        let (content, features) = (sketch.content, sketch.features);
        self.unfinished.add(number, NewestDocument { id, content, features, about, expires });
        number
    }

    fn remove(&mut self, id: &str) -> Result<Decided<Option<u64>>, SeenError> {
        let sequence = self.writer.sequence();
        let same_id = self.document_with(id, 0)?;
        same_id.iter().for_each(|same_id| self.remove_document(same_id.number));
        Ok(Decided { answer: same_id.map(|same_id| same_id.number), sequence })
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
