//! An example: two documents with their texts, alone or as a part of their cluster.

use lookalike::Score;
use lookalike::compare::Passages;

/// Two documents side by side, as an example of what a run has found.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// The documents.
    pub texts: [ExampleText; 2],
    /// What the run did with them.
    pub roles: ExampleRoles,
    /// How similar they are.
    pub score: Score,
    /// The share of the second text that the first contains, if it is known.
    pub containment: Option<f64>,
    /// The passages that they share, as far as their texts are held.
    pub passages: Passages,
    /// The number of their cluster, as in the lists, if clusters are numbered.
    pub cluster: Option<u64>,
    /// The whole cluster, if they stand for it.
    pub whole: Option<ExampleCluster>,
}

/// What a run did with the documents of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExampleRoles {
    /// The first was kept, the second removed.
    KeptAndRemoved,
    /// Both were removed, since nothing of their cluster is kept. The second was compared with the first.
    BothRemoved,
    /// They were listed; the columns of the list are called `a` and `b`.
    Listed,
}

/// A document and its text.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExampleText {
    /// Its id or place.
    pub id: String,
    /// The text, or the start of a long one.
    pub text: String,
    /// Characters of the whole text.
    pub characters: u64,
}

/// A cluster that an example stands for.
#[derive(Clone, Debug)]
pub(crate) struct ExampleCluster {
    /// How many documents it has.
    pub documents: u64,
    /// How many of them were removed.
    pub removed: u64,
    /// The mean similarity of the removed documents to the kept one, or the mean distance.
    pub mean: f64,
    /// The first of the removed documents: the id, and how similar it is to the kept one.
    pub members: Vec<(String, Score)>,
}
