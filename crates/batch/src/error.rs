//! Why a job ends without its outputs.

use std::path::PathBuf;

/// Why a job failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The inputs cannot be read or the outputs not written.
    #[error(transparent)]
    Corpus(#[from] lookalike_corpus::Error),
    /// A record is bad, and the job was told to stop at the first.
    #[error("{place}: {problem}")]
    Strict {
        /// File and line.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A file gives no record, for one reason, and no other input does.
    #[error("{file}: {problem}")]
    Unusable {
        /// The file; of several the first.
        file: String,
        /// What is wrong with it, or with its first record.
        problem: lookalike_corpus::Problem,
    },
    /// No record of the inputs can be used: outputs would be empty, and take the place of what was there.
    #[error("no record of the inputs can be used; the first, {place}: {problem}")]
    NoDocument {
        /// The first record.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// No document has a number in the field to choose by.
    #[error("no document has a number in the field {field:?}, to choose the kept one by")]
    NoNumber {
        /// The field.
        field: String,
    },
    /// Two outputs have the same path.
    #[error("{path}: two outputs would have this name")]
    SameOutput {
        /// The path.
        path: PathBuf,
    },
    /// A list would replace an input.
    #[error("{path}: an output would take the place of an input")]
    OutputIsInput {
        /// The path.
        path: PathBuf,
    },
    /// There are more documents than one run in memory can number.
    #[error("{documents} documents are more than the 4,294,967,295 that one run can hold")]
    TooMany {
        /// How many there are.
        documents: u64,
    },
    /// The list of pairs would be longer than anybody could use.
    #[error("the documents make {pairs} pairs or more{}", if *for_memory { ", more than --memory leaves room for" } else { "" })]
    TooManyPairs {
        /// How many pairs at least.
        pairs: u64,
        /// Would they be few enough with more memory?
        for_memory: bool,
    },
    /// The list of differences would be longer than anybody could use.
    #[error("the clusters make {pairs} wrong or missing pairs")]
    TooManyDifferences {
        /// How many pairs.
        pairs: u64,
    },
    /// A file is no list of pairs or clusters.
    #[error("{file}: no list of pairs or clusters; columns seen: {seen}")]
    NoList {
        /// The file.
        file: String,
        /// Its columns, separated by commas.
        seen: String,
    },
    /// The first line of a list without a header seems to be one.
    #[error(
        "{file}:1: {seen}: no other line is like this one; if it names columns, call them a and b, or id and cluster, or id and kept_id; \
         if it is a pair, put a line before it that calls its columns a and b"
    )]
    FirstLine {
        /// The file.
        file: String,
        /// The line.
        seen: String,
    },
    /// The second column of a list without a header seems to hold clusters.
    #[error(
        "{file}: the second column has only {values} values, and none is like an id; put a line before the first one that says what the \
         columns are: id and cluster, or a and b"
    )]
    SecondColumn {
        /// The file.
        file: String,
        /// How many different values it has.
        values: u64,
    },
    /// Two files of one list say it in different columns.
    #[error("{first} and {second} have different columns; a list has the same in all its files")]
    ListsDiffer {
        /// The first file.
        first: String,
        /// The file that differs.
        second: String,
    },
    /// The lists name more documents than there are said to be.
    #[error("--documents {documents}: the lists name {named} documents; give the number of all")]
    FewerDocuments {
        /// How many there are said to be.
        documents: u32,
        /// How many are named.
        named: u32,
    },
    /// There are more pairs than star clusters can be made of.
    #[error("the documents make {pairs} pairs or more, too many to make star clusters of")]
    TooManyForStars {
        /// How many pairs at least.
        pairs: u64,
    },
    /// What a document contains of another is not known without comparison.
    #[error(
        "what is contained in a kept document is known only where documents are compared, not by the distance of fingerprints alone"
    )]
    NoContainment,
    /// What is contained goes by sets, and weights were asked for.
    #[error(
        "what is contained is counted in shingles that all weigh the same, and --weights were given; leave them out"
    )]
    WeighedContainment,
    /// An index is one of several that are compared against, or was not opened.
    #[error(
        "{path} is an index: it is compared against alone, without other indexes, files, folders or globs; add those to it"
    )]
    AgainstIndex {
        /// The folder.
        path: PathBuf,
    },
    /// There is no index.
    #[error("{}: there is no index here; lookalike index build makes one", folder.display())]
    NoIndex {
        /// The folder.
        folder: PathBuf,
    },
    /// There is an index already where a new one is to be made.
    #[error("{}: there is an index already; lookalike index add adds to it", folder.display())]
    IndexExists {
        /// The folder.
        folder: PathBuf,
    },
    /// There is something else where an index is to be made.
    #[error("{}: {name} is in this folder; give one that is empty, or not there yet, for the index", folder.display())]
    FolderNotEmpty {
        /// The folder.
        folder: PathBuf,
        /// What is in it.
        name: String,
    },
    /// Somebody else adds to the index.
    #[error("{}: another process is adding to this index; wait until it is done", folder.display())]
    IndexBusy {
        /// The folder.
        folder: PathBuf,
    },
    /// The same inputs are added twice, one time after the other.
    #[error(
        "{}: these inputs are what was added last, and have not changed since; nothing in them is new, and outputs are left as they are",
        folder.display()
    )]
    AlreadyAdded {
        /// The index.
        folder: PathBuf,
    },
    /// An index is not as it was written.
    #[error("{0}; make the index again from its documents")]
    DamagedIndex(#[source] lookalike_store::Error),
    /// An index is of a program with other files.
    #[error("{0}; build the index again with lookalike index build")]
    IndexOfOtherVersion(#[source] lookalike_store::Error),
    /// The index was made in a way that this program does not know.
    #[error("{}: made by lookalike {version}, which sketches or compares in a way that this one does not know; make the index again", path.display())]
    IndexOfOtherProgram {
        /// Its manifest.
        path: PathBuf,
        /// The version of that program.
        version: String,
    },
    /// The index was made by another plan than the job's.
    #[error("{}: the index was made by another plan than that of this run", folder.display())]
    IndexOfOtherPlan {
        /// The folder.
        folder: PathBuf,
    },
    /// The plan is none that an index can have.
    #[error(
        "an index is searched by MinHash, and compares sets: leave out --method simhash, --method exact and --weights"
    )]
    IndexPlan,
    /// Something that an index does not know enough for.
    #[error("{what} does not go with an index: {why}")]
    NotWithIndex {
        /// What was asked for.
        what: &'static str,
        /// Why that is not known.
        why: &'static str,
    },
    /// What is compared against has more features than can be numbered.
    #[error(
        "--against has {features} features, more than the 4,294,967,295 that can be looked for; compare against it in parts"
    )]
    TooMuchAgainst {
        /// How many there are.
        features: u64,
    },
    /// The exact join would hold more features than it can number.
    #[error(
        "{features} features are more than the 4,294,967,295 that exact search can hold; use --method minhash"
    )]
    TooManyFeatures {
        /// How many there are.
        features: u64,
    },
    /// An audit would have to hold more than anybody needs to measure the recall.
    #[error("the documents of the audit are alike to {partners} others or more; audit fewer documents")]
    TooManyPartners {
        /// How many at least.
        partners: u64,
    },
    /// A record is not what it was when it was first read.
    #[error("{place}: the record changed while the job ran: {problem}")]
    Changed {
        /// File and line.
        place: String,
        /// How it differs.
        problem: String,
    },
    /// The worker threads could not be started.
    #[error("cannot start {threads} threads: {message}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        message: String,
    },
    /// Fingerprints cannot be searched as the plan wants it.
    #[error(transparent)]
    Distance(#[from] lookalike::TooFar),
    /// The table of weights was made for other features.
    #[error(
        "the document frequencies were made with other tokens, shingles, stop words, feature hash or seed; make them again with those of \
         this run"
    )]
    OtherFeatures,
    /// The text to search for has no features.
    #[error(
        "the text to search for holds nothing that counts: no words but stop words, or features of no weight"
    )]
    EmptyQuery,
    /// No document has the id that was asked for.
    #[error("no document is called {id:?}; the first ones are {seen}")]
    NoSuchId {
        /// The id.
        id: String,
        /// The first ids, separated by commas.
        seen: String,
    },
    /// No document has the id that was asked for, but some records could not be read.
    #[error("no document that could be read is called {id:?}; the first ones are {seen}")]
    NoSuchIdRead {
        /// The id.
        id: String,
        /// The first ids, separated by commas.
        seen: String,
        /// Records that were skipped.
        skipped: u64,
        /// The first of these: its place and what is wrong with it.
        first: String,
    },
    /// Several documents have the id that was asked for.
    #[error("{count} documents have the id {id:?}: {places}; name one by its place")]
    RepeatedId {
        /// The id.
        id: String,
        /// How many have it.
        count: usize,
        /// Where the first of them are, separated by commas.
        places: String,
    },
    /// The document that was asked for is a bad record.
    #[error("{place}: {problem}")]
    BadDocument {
        /// File and line.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The search does not go by what is compared, so that a sample of what is alike says nothing of what is found.
    #[error(
        "only what is searched by what is compared can be tuned: not weights, and words only as shingles of one"
    )]
    NotTuned,
    /// Options that do not go together.
    #[error(transparent)]
    Plan(#[from] lookalike::PlanError),
    /// The weighting needs a table that was not given.
    #[error("weights by levels need the levels")]
    NoLevels,
    /// What the run put on disk cannot be written or read.
    #[error(transparent)]
    Store(#[from] lookalike_store::Error),
    /// The memory that the run may take is less than it needs to do anything.
    #[error("--memory: {} are too little; with {threads} threads{} a run needs {} ({}MiB) or more", megabytes(*memory), and_inputs(*inputs), megabytes(*least), least.div_ceil(1 << 20))]
    TooLittleMemory {
        /// What it may take.
        memory: u64,
        /// How many threads there are.
        threads: usize,
        /// What its inputs take before they are read, if they are many.
        inputs: u64,
        /// The least that will do.
        least: u64,
    },
    /// There are more documents than the memory suffices for, even if all that can be is on disk.
    #[error(
        "{documents} documents need {} of memory beside what is on disk, and --memory leaves {} for them; give more", megabytes(*needed), megabytes(*left)
    )]
    TooManyForMemory {
        /// How many there are, or are likely to be.
        documents: u64,
        /// What they need.
        needed: u64,
        /// What there is.
        left: u64,
    },
    /// There are more features than the memory suffices for, where all must be held.
    #[error(
        "{what} holds {}, and --memory leaves {} for that; give more, or --method minhash", megabytes(*needed), megabytes(*left)
    )]
    TooMuchToHold {
        /// What must hold them.
        what: &'static str,
        /// What they need.
        needed: u64,
        /// What there is.
        left: u64,
    },
    /// What is compared against has more features than the memory suffices for, where all must be held.
    #[error(
        "--against-containment holds {}, and --memory leaves {} for that; give more, or compare against it in parts", megabytes(*needed), megabytes(*left)
    )]
    TooMuchContainment {
        /// What it needs.
        needed: u64,
        /// What there is.
        left: u64,
    },
    /// The disk is too small for what must go there.
    #[error("{}: some {} will be needed on this disk, and {} are free; name another folder with --temp-dir", folder.display(), megabytes(*needed), megabytes(*free))]
    DiskTooSmall {
        /// Where things are put.
        folder: PathBuf,
        /// What is needed.
        needed: u64,
        /// What there is.
        free: u64,
    },
    /// The folder for what does not fit into memory does not exist.
    #[error("--temp-dir {}: give a folder that exists", folder.display())]
    NoTempDir {
        /// The folder.
        folder: PathBuf,
    },
    /// Another process does the same.
    #[error("{}: another process works in this folder: the same command is running", folder.display())]
    Busy {
        /// The folder.
        folder: PathBuf,
    },
    /// The user stopped the job.
    #[error("interrupted; no output was written")]
    Interrupted,
}

/// What inputs take before they are read, if they are many, as a part of a sentence.
fn and_inputs(inputs: u64) -> String {
    match inputs {
        0 => String::new(),
        inputs => format!(" and {} for names of inputs", megabytes(inputs)),
    }
}

/// Bytes, for people.
fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
