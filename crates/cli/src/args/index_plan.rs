//! The options of a run that uses an index: they must agree with the plan of the index.

use super::options::{NewIndexArgs, SimilarityArgs, SizeArg, banding_from};
use super::usage::Usage;
use crate::messages::stop_word_of_several_tokens;
use lookalike::frequent::{FrequentCounts, FrequentFeatures};
use lookalike::search::Banding;
use lookalike::simhash::SimHash;
use lookalike::text::{Fold, Folds};
use lookalike::{FeatureHash, Options, Plan, PlanError, Verification};
use lookalike_index::NewIndex;
use lookalike_report::several;

/// Refuses options that differ from the plan of the index with this name.
pub(crate) fn check_options(options: &Options, plan: &Plan, index: &str) -> anyhow::Result<()> {
    let Banding { bands, rows } = plan.banding();
    let refused = |option: &str, given: String, has: String| {
        let given = if given.is_empty() { given } else { format!(" {given}") };
        Usage(format!(
            "{option}{given} differs from the index {index}, which was made with {has}; leave the option out, or make another index \
             with it"
        ))
    };
    let differ = |option: &str, given: Option<String>, has: String| match given {
        Some(given) if given != has => Err(refused(option, given, has)),
        _ => Ok(()),
    };
    let name = |name: &str| name.to_owned();
    differ("--method", options.method.map(|method| name(method.name())), name(plan.method().name()))?;
    differ("--weights", options.weighting.map(|given| name(given.name())), name(plan.weighting().name()))?;
    let has = match plan.verification() {
        Some(Verification::Exact) => "exact comparison",
        Some(Verification::Estimate) => "estimates alone",
        None => "distances alone",
    };
    if let Some(given) = options.verify.filter(|&given| plan.verification() != Some(given)) {
        let option = match given {
            Verification::Exact => "--verify",
            Verification::Estimate => "--verify=estimate",
        };
        return Err(refused(option, String::new(), name(has)).into());
    }
    differ("--threshold", options.threshold.map(|given| given.to_string()), plan.threshold().to_string())?;
    differ("--measure", options.measure.map(|given| name(given.name())), name(plan.measure().name()))?;
    differ("--tokens", options.tokens.map(|given| name(given.name())), name(plan.tokens().name()))?;
    let folds = |folds: Folds| match folds.iter().map(Fold::name).collect::<Vec<_>>() {
        names if names.is_empty() => "none".to_owned(),
        names => names.join(","),
    };
    differ("--fold", options.fold.map(folds), folds(plan.folds()))?;
    differ("--shingle", options.shingle.map(|given| given.to_string()), plan.shingle().to_string())?;
    differ("--seed", options.seed.map(|given| given.to_string()), plan.seed().to_string())?;
    differ("--stop-words", stop_words(options, plan)?, count(plan.stop_words()))?;
    if let Some(lines) = &options.jieba_dict {
        let given = Options {
            tokens: Some(plan.tokens()),
            fold: Some(plan.folds()),
            jieba_dict: Some(lines.clone()),
            ..Options::default()
        };
        if given.plan()?.jieba_words() != plan.jieba_words() {
            let has = match plan.jieba_words() {
                Some(words) => several(words.lines().len() as u64, "other word"),
                None => "none".to_owned(),
            };
            return Err(refused("--jieba-dict", String::new(), has).into());
        }
    }
    if let Some(simhash) = plan.simhash() {
        return Ok(check_fingerprints(options, simhash, plan.feature_hash(), differ)?);
    }
    differ("--num-perm", options.num_perm.map(|given| given.to_string()), plan.num_perm().to_string())?;
    differ("--scheme", options.scheme.map(|given| name(given.name())), name(plan.scheme().name()))?;
    differ("--bands", options.bands.map(|given| given.to_string()), bands.to_string())?;
    differ("--rows", options.rows.map(|given| given.to_string()), rows.to_string())?;
    let banded = |Banding { bands, rows }| format!("{} of {}", several(bands, "band"), several(rows, "row"));
    if let Some(recall) = options.recall {
        let jaccard = plan.measure().least_jaccard(plan.threshold());
        let by_recall = banded(Banding::for_recall(jaccard, plan.num_perm(), recall));
        if by_recall != banded(plan.banding()) {
            return Err(refused("--recall", format!("{recall} ({by_recall})"), banded(plan.banding())).into());
        }
    }
    Ok(())
}

/// Refuses options of `similarity`, and those of a new index, that differ from what the index was `made` with.
pub(crate) fn check_beside(
    similarity: &SimilarityArgs,
    new: NewIndexArgs,
    made: &NewIndex,
    index: &str,
) -> anyhow::Result<()> {
    // The options of similarity have the share of frequent shingles.
    let (NewIndexArgs { similar_from, plan: size, store_texts, frequent: _ }, plan) = (new, &made.plan);
    check_size(size, plan, index)?;
    check_similar_from(similar_from, plan, index)?;
    check_texts(store_texts, made, index)?;
    check_drop_frequent(similarity, plan, index)?;
    check_frequencies(similarity, made, index)?;
    check_levels(similarity, plan, index)?;
    let mut options = similarity.options_beside(plan)?;
    // Bands that are chosen for less than the threshold are no bands of this recall.
    options.recall = options.recall.filter(|_| similar_from.is_none());
    check_options(&options, plan, index)
}

/// Refuses a `--similar-from` that gives other bands than the index has.
fn check_similar_from(similar_from: Option<f64>, plan: &Plan, index: &str) -> Result<(), Usage> {
    let Some(from) = similar_from else { return Ok(()) };
    let Banding { bands, rows } = plan.banding();
    if banding_from(from, plan)? == (Banding { bands, rows }) {
        return Ok(());
    }
    let (bands, rows) = (several(bands, "band"), several(rows, "row"));
    Err(Usage(format!(
        "--similar-from {from} differs from the index {index}, which was made with {bands} of {rows}; leave the option out, or make another \
         index with it"
    )))
}

/// Refuses a `--plan` that is not that of the index. It stands for `--num-perm`.
fn check_size(size: Option<SizeArg>, plan: &Plan, index: &str) -> Result<(), Usage> {
    let Some(size) = size else { return Ok(()) };
    let has = match plan.num_perm() {
        _ if plan.simhash().is_some() => "--method simhash".to_owned(),
        num_perm => match SizeArg::ALL.into_iter().find(|size| size.num_perm() == num_perm) {
            Some(of_index) if of_index == size => return Ok(()),
            Some(of_index) => format!("--plan {}", of_index.name()),
            None => format!("--num-perm {num_perm}"),
        },
    };
    let given = size.name();
    Err(Usage(format!(
        "--plan {given} differs from the index {index}, which was made with {has}; leave the option out, or make another index with it"
    )))
}

/// Refuses a `--drop-frequent` that is not that of the index.
pub(crate) fn check_drop_frequent(
    similarity: &SimilarityArgs,
    plan: &Plan,
    index: &str,
) -> Result<(), Usage> {
    let Some(given) = similarity.drop_frequent() else { return Ok(()) };
    let has = match plan.frequent().map(FrequentFeatures::share) {
        Some(share) if share == given => return Ok(()),
        Some(share) => share.to_string(),
        None => "all shingles".to_owned(),
    };
    Err(Usage(format!(
        "--drop-frequent {given} differs from the index {index}, which was made with {has}; leave the option out, or make another index with it"
    )))
}

/// Refuses a table of `--frequencies` that is not that of the index.
pub(crate) fn check_frequencies(
    similarity: &SimilarityArgs,
    made: &NewIndex,
    index: &str,
) -> anyhow::Result<()> {
    let Some(given) = similarity.frequencies(&made.plan.with_all_features())? else { return Ok(()) };
    let of_given =
        |frequent: &FrequentFeatures| FrequentCounts::of_table(frequent.share(), &given)?.features();
    let has = match &made.frequencies {
        None if let Some(frequent) = made.plan.frequent() => match of_given(frequent)? == *frequent {
            true => return Ok(()),
            false => format!(
                "a table by which {} are frequent",
                several(frequent.features().len() as u64, "other shingle")
            ),
        },
        Some(table) if table.id() == given.id() => return Ok(()),
        Some(table) => format!(
            "a table of {} and {}",
            several(table.documents(), "document"),
            several(table.len() as u64, "feature")
        ),
        None => "no table".to_owned(),
    };
    Err(Usage(format!(
        "--frequencies differs from the index {index}, which was made with {has}; leave the option out, or make another index with it"
    ))
    .into())
}

/// Refuses a table of `--levels` that is not that of the index.
pub(crate) fn check_levels(similarity: &SimilarityArgs, plan: &Plan, index: &str) -> anyhow::Result<()> {
    let Some(given) = similarity.levels_for(plan)? else { return Ok(()) };
    let has = match plan.levels() {
        Some(levels) if **levels == given => return Ok(()),
        Some(levels) => format!("{} of other words or levels", several(levels.len() as u64, "level")),
        None => "no levels".to_owned(),
    };
    Err(Usage(format!(
        "--levels differs from the index {index}, which was made with {has}; leave the option out, or make another index with it"
    ))
    .into())
}

/// Refuses a `--store-texts` that is not that of the index.
fn check_texts(store_texts: Option<bool>, made: &NewIndex, index: &str) -> Result<(), Usage> {
    match store_texts {
        Some(given) if given != made.stores_texts => Err(Usage(format!(
            "--store-texts {given} differs from the index {index}, which was made with {}; leave the option out, or make another index \
             with it",
            made.stores_texts
        ))),
        _ => Ok(()),
    }
}

/// Refuses options of fingerprints that differ from the plan of the index.
fn check_fingerprints(
    options: &Options,
    simhash: SimHash,
    feature_hash: FeatureHash,
    differ: impl Fn(&str, Option<String>, String) -> Result<(), Usage>,
) -> Result<(), Usage> {
    let name = |name: &str| name.to_owned();
    differ("--bits", options.bits.map(|given| given.count().to_string()), simhash.bits.count().to_string())?;
    differ("--hamming", options.hamming.map(|given| given.to_string()), simhash.hamming.to_string())?;
    differ("--tie", options.tie.map(|given| name(given.name())), name(simhash.tie.name()))?;
    let hash = options.feature_hash.map(|given| name(given.name()));
    differ("--feature-hash", hash, name(feature_hash.name()))
}

/// The stop words of the options, in words for a message. `None` if there are none.
///
/// # Errors
/// If a word cannot be one.
fn stop_words(options: &Options, plan: &Plan) -> anyhow::Result<Option<String>> {
    if options.stop_words.is_none() {
        return Ok(None);
    }
    let (tokens, fold) = (Some(plan.tokens()), Some(plan.folds()));
    let jieba_dict = plan.jieba_words().map(|words| words.lines().to_vec());
    let given = Options { tokens, fold, jieba_dict, seed: Some(plan.seed()), ..Options::default() };
    let given = Options { stop_words: options.stop_words.clone(), ..given }.plan().map_err(fixed_tokens)?;
    Ok(Some(match given.stop_words() == plan.stop_words() {
        true => count(plan.stop_words()),
        false if given.stop_words().len() == plan.stop_words().len() => "(other words)".to_owned(),
        false => count(given.stop_words()),
    }))
}

/// The error of a plan whose tokens cannot be chosen: those of an index, or of an audit.
pub(crate) fn fixed_tokens(error: PlanError) -> anyhow::Error {
    match error {
        PlanError::StopWords { word, others } => {
            let tokens = stop_word_of_several_tokens(&word, others);
            Usage(format!("{tokens}; leave it out")).into()
        }
        error => error.into(),
    }
}

fn count(words: &[u64]) -> String {
    match words.len() {
        0 => "none".to_owned(),
        number => format!("({})", several(number, "word")),
    }
}
