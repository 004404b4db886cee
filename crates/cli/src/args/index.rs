use super::{InputArgs, ReportFormat, RunArgs, SimilarityArgs, SpaceArgs, Usage};
use clap::{Args, Subcommand};
use lookalike::search::Banding;
use lookalike::{Options, Plan, Weighting};
use lookalike_engine::index::Index;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  lookalike index build archive/ -o archive.index --threshold 0.7
  lookalike index add archive.index today.jsonl
  lookalike index info archive.index --verify
  lookalike dedup today.jsonl -o new.jsonl --against archive.index --update

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some records were skipped.";

#[derive(Debug, Subcommand)]
pub(crate) enum IndexCommand {
    /// Make an index of documents
    ///
    /// The index has all documents, also those that dedup would remove, as later ones may be similar to these. It is searched by MinHash, and takes some 600
    /// bytes for each document and 8 for each of its different shingles.
    #[command(after_help = EXAMPLES)]
    Build(BuildArgs),
    /// Add documents to an index, as dedup --against INDEX --update does, without outputs
    ///
    /// If the run is stopped or killed, the index is as it was before.
    #[command(after_help = EXAMPLES)]
    Add(AddArgs),
    /// Show what is in an index
    #[command(after_help = EXAMPLES)]
    Info(InfoArgs),
}

#[derive(Args, Debug)]
pub(crate) struct BuildArgs {
    /// The folder of the index: a new or an empty one
    #[arg(short, long, value_name = "INDEX", help_heading = "Output")]
    pub(crate) output: PathBuf,

    #[command(flatten)]
    pub(crate) added: AddedArgs,
}

#[derive(Args, Debug)]
pub(crate) struct AddArgs {
    /// The folder of the index
    #[arg(value_name = "INDEX")]
    pub(crate) index: PathBuf,

    #[command(flatten)]
    pub(crate) added: AddedArgs,
}

/// What is added.
#[derive(Args, Debug)]
pub(crate) struct AddedArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,

    #[command(flatten)]
    pub(crate) space: SpaceArgs,

    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args, Debug)]
pub(crate) struct InfoArgs {
    /// The folder of the index
    #[arg(value_name = "INDEX")]
    pub(crate) index: PathBuf,

    /// Read every byte, and check it against the checksums
    #[arg(long)]
    pub(crate) verify: bool,

    /// Format of the report on standard output
    #[arg(long, default_value = "text")]
    pub(crate) format: ReportFormat,
}

/// Refuses options that say something else than the index was made by.
pub(super) fn check_options(options: &Options, index: &Index) -> Result<(), Usage> {
    let plan = index.plan();
    let Banding { bands, rows } = plan.banding();
    let differ = |option: &str, given: Option<String>, has: String| match given {
        Some(given) if given != has => {
            let index = index.folder().display();
            let message = format!(
                "{option} {given}: the index {index} was made with {has}; leave the option out, or make another index with it"
            );
            Err(Usage(message))
        }
        _ => Ok(()),
    };
    let name = |name: &str| name.to_owned();
    differ("--method", options.method.map(|method| name(method.name())), name(plan.method().name()))?;
    differ("--weights", options.weighting.map(|given| name(given.name())), name(Weighting::Set.name()))?;
    differ("--threshold", options.threshold.map(|given| given.to_string()), plan.threshold().to_string())?;
    differ("--measure", options.measure.map(|given| name(given.name())), name(plan.measure().name()))?;
    differ("--tokens", options.tokens.map(|given| name(given.name())), name(plan.tokens().name()))?;
    differ("--shingle", options.shingle.map(|given| given.to_string()), plan.shingle().to_string())?;
    differ("--seed", options.seed.map(|given| given.to_string()), plan.seed().to_string())?;
    differ("--num-perm", options.num_perm.map(|given| given.to_string()), plan.num_perm().to_string())?;
    differ("--scheme", options.scheme.map(|given| name(given.name())), name(plan.scheme().name()))?;
    differ("--bands", options.bands.map(|given| given.to_string()), bands.to_string())?;
    differ("--rows", options.rows.map(|given| given.to_string()), rows.to_string())?;
    let banded = |Banding { bands, rows }| format!("{bands} bands of {rows} rows");
    let by_recall = |recall: f64| {
        let jaccard = plan.measure().least_jaccard(plan.threshold());
        Banding::for_recall(jaccard, plan.num_perm(), recall)
    };
    if let Some(recall) = options.recall {
        let meant = banded(by_recall(recall));
        differ(&format!("--recall {recall}, which means"), Some(meant), banded(plan.banding()))?;
    }
    differ("--stop-words", stop_words(options, plan), count(plan.stop_words()))
}

/// What the stop words are that were given, if any were.
fn stop_words(options: &Options, plan: &Plan) -> Option<String> {
    options.stop_words.as_ref()?;
    let given = Options { tokens: Some(plan.tokens()), seed: Some(plan.seed()), ..Options::default() };
    let given = Options { stop_words: options.stop_words.clone(), ..given }.plan().ok()?;
    Some(match given.stop_words() == plan.stop_words() {
        true => count(plan.stop_words()),
        false if given.stop_words().len() == plan.stop_words().len() => "(other words)".to_owned(),
        false => count(given.stop_words()),
    })
}

fn count(words: &[u64]) -> String {
    match words.len() {
        0 => "none".to_owned(),
        number => format!("({number} words)"),
    }
}
