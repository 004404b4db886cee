//! A Python class, a service or a pool of threads can hold every public type of the library.

use lookalike::cluster::{KeepPolicy, Stars, UnionFind};
use lookalike::compare::{
    Comparer, Equal, HeldSet, Overlap, Passage, Passages, Set, Subsequence, Uncovered, Verifier,
};
use lookalike::comparison::{Comparison, MinHash, SearchEvidence, Searched, Verdict};
use lookalike::hash::SplitMix64;
use lookalike::quality::{
    Account, Agreement, Bin, DocumentPairs, Histogram, Pair, PairSet, Partition, Recall, Scale,
};
use lookalike::search::{
    BandCandidate, Banding, Buckets, CodePart, ComparedFeatures, Counting, ExactJoin, Families, FamilyJoin,
    GroupedSets, HammingCandidates, HammingIndex, HammingJoin, HammingLayout, HammingPair, Join, KeyShare,
    Match, MinHashIndex, Neighbour, PairCandidates, PairCollector, PairSearch, PairSearchWorker,
    PairVerifier, Prober, Queries, Score, Sequential, SignatureFilter, SketchBuilder, SketchTable,
    SketchView, Sketches, Tally, Task, Visited, WorkBlock, Workspace,
};
use lookalike::simhash::{
    Bits, Codes, DocumentFrequencies, FeatureLevels, Fingerprint, FingerprintParts, FingerprintTable,
    Fingerprinter, SimHash, Tie, Weighting, Weights,
};
use lookalike::sketch::{
    ContentHash, Contents, DocumentGroups, FeatureHash, Group, Scheme, Signature, Sketch, Sketcher,
};
use lookalike::text::{Located, Stretch};
use lookalike::{
    Corpus, FrequenciesError, Incompatible, Level, Measure, Method, Options, Plan, PlanError, PlanId,
    Similarity, Tokens, TooFar,
};

fn send_sync<T: Send + Sync + 'static>() {}

/// Fails to compile if one of these types cannot be sent to another thread, or shared with it.
macro_rules! are_send_and_sync {
    ($($type:ty),* $(,)?) => { $(send_sync::<$type>();)* };
}

#[test]
fn public_types_can_be_sent_to_and_shared_with_other_threads() {
    are_send_and_sync!(Corpus, Plan, PlanId, Options, Method, Measure, Level, Similarity, Tokens);
    are_send_and_sync!(FrequenciesError, Incompatible, PlanError, TooFar);
    are_send_and_sync!(KeepPolicy, Stars, UnionFind, Buckets, KeyShare);
    are_send_and_sync!(Comparer, HeldSet<'static>, Overlap, Set<'static>, Verifier);
    are_send_and_sync!(Equal, Passage, Passages, Subsequence, Uncovered);
    are_send_and_sync!(Comparison, MinHash, SearchEvidence, Searched, Verdict);
    are_send_and_sync!(SplitMix64);
    are_send_and_sync!(
        Account,
        Agreement,
        Bin,
        DocumentPairs,
        Histogram,
        Pair,
        PairSet,
        Partition,
        Recall,
        Scale
    );
    are_send_and_sync!(Banding, BandCandidate, Match, MinHashIndex, Score, Sequential, SignatureFilter);
    are_send_and_sync!(ComparedFeatures, SketchBuilder, SketchTable, SketchView<'static>, Sketches);
    are_send_and_sync!(Join<'static>, PairCandidates<'static>, PairSearch<'static>, PairSearchWorker, Tally);
    are_send_and_sync!(Counting, ExactJoin<'static>, GroupedSets<'static>, Prober, Queries);
    are_send_and_sync!(WorkBlock, Families, FamilyJoin, PairCollector<'static, fn(), fn()>, Visited);
    are_send_and_sync!(
        HammingCandidates,
        PairVerifier<'static, fn()>,
        HammingPair,
        HammingLayout,
        Neighbour,
        CodePart,
        Task
    );
    are_send_and_sync!(HammingIndex<u64>, HammingJoin<'static, u64>, Workspace<u64>);
    are_send_and_sync!(HammingIndex<u128>, HammingJoin<'static, u128>, Workspace<u128>);
    are_send_and_sync!(
        Codes,
        Fingerprint,
        FingerprintParts,
        FingerprintTable,
        Fingerprinter,
        SimHash,
        Bits,
        Tie
    );
    are_send_and_sync!(DocumentFrequencies, FeatureLevels, Weighting, Weights);
    are_send_and_sync!(ContentHash, Contents, DocumentGroups<'static>, Group);
    are_send_and_sync!(FeatureHash, Scheme, Signature, Sketch<'static>, Sketcher);
    are_send_and_sync!(Located<'static>, Stretch);
}
