//! The verbs of the command line.

use super::options::RunArgs;
#[cfg(not(all(feature = "audit", feature = "stream")))]
use super::verbs::LeftOutArgs;
use super::verbs::{
    CompareArgs, DedupArgs, EvalArgs, FrequenciesArgs, IndexCommand, PairsArgs, ServeArgs, SimilarArgs,
    SketchArgs, SpansArgs, TuneArgs,
};
#[cfg(feature = "audit")]
use super::verbs::{SiteAuditArgs, audit};
#[cfg(feature = "stream")]
use super::verbs::{StreamArgs, stream};
use super::verbs::{compare, dedup, eval, frequencies, index, pairs, serve, similar, sketch, spans, tune};
use clap::{Parser, Subcommand};

/// Find near-duplicate text, and report how much of it was found.
///
/// Every reported pair was compared exactly, unless you ask for sketches alone. A run reports the share of all pairs that it
/// expects to have found.
#[derive(Debug, Parser)]
#[command(
    name = "lookalike",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Keep one document of each cluster of near-duplicates
    #[command(after_help = dedup::EXAMPLES)]
    Dedup(Box<DedupArgs>),
    /// List every pair of near-duplicates, and how similar they are
    #[command(after_help = pairs::EXAMPLES)]
    Pairs(PairsArgs),
    /// Show how similar two texts are, by every measure, and which passages they share
    ///
    /// A passage is a run of shared tokens: at least as many as a shingle has, and at least three. Passages and the sequence ratio
    /// count stop words, too. Passages do not overlap: text that A has twice and B once is shared once. If A repeats a beginning more
    /// than 16 times, a passage with this beginning may be missed.
    #[command(after_help = compare::EXAMPLES)]
    Compare(CompareArgs),
    /// List the documents of a corpus that are most similar to a text
    ///
    /// Every document is compared exactly, in one pass over the corpus. The shingles are single words unless --shingle is given.
    /// Without --threshold, the list may include any document that shares a word with the text.
    #[command(
        after_help = similar::EXAMPLES,
        mut_arg("threshold", |arg| arg.help("The lowest similarity of a listed document [default: no limit]")),
        mut_arg("shingle", |arg| arg.help("Tokens per shingle [default: 1, single words]"))
    )]
    Similar(SimilarArgs),
    /// Write the MinHash signature or the SimHash fingerprint of every document
    #[command(after_help = sketch::EXAMPLES)]
    Sketch(SketchArgs),
    /// Remove passages that occur earlier in the corpus, and keep their first occurrence
    ///
    /// A passage is a run of tokens, 50 or more, that a document has in common with an earlier one, or with an earlier part of itself. All repeated
    /// passages are found, and each is compared with its source before it is cut out. No word is cut in two.
    #[command(after_help = spans::EXAMPLES, mut_arg("within", |arg| arg.help("A passage is repeated only if a document with the same value in FIELD has it")))]
    Spans(Box<SpansArgs>),
    /// Keep an index of documents, to compare new ones with them without reading them again
    ///
    /// An index is a folder with the sketches, the ids and the texts of documents. To remove near-duplicates of these
    /// documents, run lookalike dedup NEW --against INDEX. The result is the same as if the run read all of them again. With --update
    /// the run also adds the new documents.
    #[command(subcommand)]
    Index(IndexCommand),
    /// Answer over HTTP whether a document was seen before, and add it if it was not
    ///
    /// The index is the folder of lookalike index. It is made if it does not exist, by the options of similarity. For an index that exists
    /// these options must be the same, or left out. A document is on the disk before its answer is sent. Of two
    /// similar documents that are added at the same moment, one is a duplicate of the other. GET /openapi.json describes all requests.
    #[command(after_help = serve::EXAMPLES, mut_args(index::for_index))]
    Serve(ServeArgs),
    /// Recognise duplicates in a stream of messages before they are indexed
    ///
    /// Messages come from Kafka or a file. New documents go to a search engine, a topic or a file, and duplicates are recorded there on the document that they
    /// are similar to. Each message has its effect once, also after a kill: how far the stream has come is on the disk with the documents.
    #[cfg(feature = "stream")]
    #[command(after_help = stream::EXAMPLES, mut_args(index::for_index))]
    Stream(StreamArgs),
    /// Recognise duplicates in a stream of messages before they are indexed; this program was built without it
    #[cfg(not(feature = "stream"))]
    #[command(disable_help_flag = true, after_help = format!("To get it: {}", super::STREAM_REMEDY))]
    Stream(LeftOutArgs),
    /// Find duplicate content on a website
    ///
    /// All pages of the site are crawled, and compared with each other without menus, footers and other templates. The answer says how much of each page
    /// is on other pages too, which pages repeat each other, and which page of a cluster to keep.
    #[cfg(feature = "audit")]
    #[command(after_help = audit::EXAMPLES)]
    Audit(SiteAuditArgs),
    /// Find duplicate content on a website; this program was built without it
    #[cfg(not(feature = "audit"))]
    #[command(disable_help_flag = true, after_help = format!("To get it: {}", super::AUDIT_REMEDY))]
    Audit(LeftOutArgs),
    /// Recommend settings for a corpus, by a sample of its documents
    ///
    /// The sample is compared with all other documents. The answer says how similar the documents are, and what each setting would
    /// find and cost. It recommends one setting with the reason, and prints its command line.
    #[command(after_help = tune::EXAMPLES)]
    Tune(TuneArgs),
    /// Count the documents that have each feature, for weights by TF-IDF, or to leave out frequent shingles
    #[command(after_help = frequencies::EXAMPLES)]
    Frequencies(FrequenciesArgs),
    /// Score pairs or clusters against ground truth: precision, recall, F1, adjusted Rand index
    #[command(after_help = eval::EXAMPLES, long_about = eval::ABOUT)]
    Eval(EvalArgs),
    /// Print a completion script for your shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// The options of the run. `None` for a command that runs over no inputs.
    pub(crate) fn run_mut(&mut self) -> Option<&mut RunArgs> {
        Some(match self {
            Command::Dedup(dedup) => &mut dedup.run,
            Command::Pairs(pairs) => &mut pairs.run,
            Command::Compare(compare) => &mut compare.run,
            Command::Similar(similar) => &mut similar.run,
            Command::Sketch(sketch) => &mut sketch.run,
            Command::Spans(spans) => &mut spans.run,
            Command::Tune(tune) => &mut tune.run,
            Command::Index(IndexCommand::Build(build)) => &mut build.added.run,
            Command::Index(IndexCommand::Add(add)) => &mut add.added.run,
            Command::Frequencies(frequencies) => &mut frequencies.run,
            Command::Eval(eval) => &mut eval.run,
            Command::Index(IndexCommand::Info(_) | IndexCommand::Copy(_) | IndexCommand::Resketch(_))
            | Command::Serve(_)
            | Command::Stream(_)
            | Command::Audit(_)
            | Command::Completions { .. } => {
                return None;
            }
        })
    }
}
