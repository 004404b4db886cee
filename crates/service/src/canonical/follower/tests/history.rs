//! Changes of an index, and what a follower and the model say of each.

use super::model::{Model, ModelDocument};
use super::*;
use lookalike::Plan;
use lookalike_index::About;
use lookalike_index::Index;
use lookalike_seen::{Added, Closer, NewText, OnDuplicate};
use std::time::Instant;
use tempfile::TempDir;

/// The second at which histories begin.
const START: u32 = 1_000_000;

/// The id of the canonical document of a cluster, and that of the one before.
pub(super) type Told = (String, String);

/// What a follower and the model are told, in this order.
#[derive(Debug)]
pub(super) enum Step {
    /// A document was added, and linked to these.
    Added(ModelDocument, Vec<u64>),
    Removed(u64),
    /// A document expires at another second.
    Touched(u64, Option<u32>),
    /// The follower makes its clusters compact.
    Compact,
    /// Time has passed.
    Nothing,
}

pub(super) struct History {
    seen: Seen,
    closer: Closer,
    follower: Follower,
    model: Model,
    /// The second of the next change.
    pub(super) second: u32,
    /// What has happened since the follower looked last.
    steps: Vec<(u32, Step)>,
    /// What the follower and the model have reported at each step before.
    told: Vec<[Vec<Told>; 2]>,
    _folder: TempDir,
}

impl History {
    /// The follower remembers so many clusters, at most.
    pub(super) fn new(policy: Canonical, most: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let index = Index::create(&folder.path().join("seen.index"), &Plan::default()).unwrap();
        let (seen, closer) = Seen::open(index).unwrap();
        let follower = Follower::new(seen.clone(), policy, Arc::new(Events::new()), || START, most);
        let model = Model::new(policy, START);
        let (steps, told) = (Vec::new(), Vec::new());
        History { seen, closer, follower, model, second: START, steps, told, _folder: folder }
    }

    /// So many seconds pass before the next change.
    pub(super) fn wait(&mut self, seconds: u32) {
        self.second += seconds;
        self.step(Step::Nothing);
    }

    pub(super) fn step(&mut self, step: Step) {
        self.steps.push((self.second, step));
    }

    /// Adds a document that lives for so many seconds. It is similar to those at the places beside its own, and to those at its own.
    pub(super) fn add(&mut self, id: &str, place: usize, priority: i32, ttl: Option<u32>) {
        let text: String = (15 * place..15 * place + 200).map(|word| format!("w{word} ")).collect();
        let about = About { priority: Some(f64::from(priority)), ..About::default() };
        let (expires, on_duplicate) = (ttl.map(|ttl| self.second + ttl), OnDuplicate::Store);
        let text = NewText { about, expires, on_duplicate, ..NewText::new(id, text) };
        let (number, to) = match self.seen.add(text, self.second).wait().unwrap().answer {
            Added::New { number, .. } => (number, Vec::new()),
            Added::Duplicate { stored: Some(Linked { number, to }), .. } => (number, to),
            other => panic!("{other:?}"),
        };
        let id = id.to_owned();
        self.step(Step::Added(ModelDocument { number, id, priority, expires, cluster: number }, to));
    }

    pub(super) fn remove(&mut self, id: &str) {
        let number = self.seen.remove(id).wait().unwrap().answer;
        number.into_iter().for_each(|number| self.step(Step::Removed(number)));
    }

    /// Removes a document, and waits until nothing of it is left on the disk.
    pub(super) fn purge(&mut self, id: &str) {
        let Some(number) = self.seen.purge(id).wait().unwrap().answer else { return };
        let start = Instant::now();
        while !matches!(self.seen.snapshot().document(number), Err(IndexError::Gone { .. })) {
            assert!(start.elapsed() < Duration::from_secs(30), "the text of {id} leaves the disk");
            thread::sleep(Duration::from_millis(1));
        }
        self.step(Step::Removed(number));
    }

    pub(super) fn touch(&mut self, id: &str, ttl: u32) {
        let touched = self.seen.touch(id, self.second + ttl, self.second).wait().unwrap().answer;
        touched.into_iter().for_each(|touched| self.step(Step::Touched(touched.number, touched.expires)));
    }

    /// The follower looks at all that has happened.
    pub(super) fn look(&mut self) {
        for (second, step) in std::mem::take(&mut self.steps) {
            let told = self.follow_step(second, &step);
            self.told.push(told);
        }
    }

    /// What the follower and the model report at each step.
    pub(super) fn told(mut self) -> Vec<[Vec<Told>; 2]> {
        self.look();
        self.closer.close().unwrap();
        self.told
    }

    fn follow_step(&mut self, second: u32, step: &Step) -> [Vec<Told>; 2] {
        let (from, follower) = (*self.follower.events.next().borrow(), &mut self.follower);
        follower.expire_until(second);
        // A document that is unknown is an error.
        let _ = match step {
            Step::Added(document, to) if !to.is_empty() => {
                follower.link(&Linked { number: document.number, to: to.clone() })
            }
            Step::Removed(number) => follower.remove(*number),
            Step::Compact => follower.compact(),
            Step::Added(..) | Step::Touched(..) | Step::Nothing => Ok(()),
        };
        let told = follower.events.from(from, usize::MAX).unwrap();
        let event = |event: &Arc<Event>| match &**event {
            Event::Canonical { id, previous } => (id.clone(), previous.clone()),
            other => panic!("{other:?}"),
        };
        let mut expected = self.model.change(|model| model.now = second);
        expected.extend(self.model.change(|model| match step {
            Step::Added(document, to) => model.add(document.clone(), to),
            Step::Removed(number) => drop(model.documents.remove(number)),
            Step::Touched(number, expires) => model.touch(*number, *expires),
            Step::Compact | Step::Nothing => {}
        }));
        let mut both = [told.iter().map(event).collect(), expected];
        both.iter_mut().for_each(|told: &mut Vec<Told>| told.sort());
        both
    }
}
