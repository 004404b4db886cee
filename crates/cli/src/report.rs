//! What people read on standard error: bars, the summary, skipped records, errors with a hint.

mod evaluation;
mod index_info;
pub(crate) mod tuning;

pub(crate) use evaluation::{evaluation, finish_evaluation};
pub(crate) use index_info::index_info;

use crate::args::RunArgs;
use crate::exit::Exit;
use anyhow::Context;
use lookalike_batch::{
    Error, Interrupt, LooseCluster, Monitor, PlanSummary, SearchSummary, Skipped, Summary,
};
use lookalike_corpus::network;
use lookalike_pages::visible;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{ErrorKind, IsTerminal, Write as _};
use std::path::Path;

/// Which command a summary is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    /// `dedup`
    Dedup,
    /// `pairs`
    Pairs,
    /// `compare`
    Compare,
    /// `similar`
    Similar,
    /// `sketch`
    Sketch,
    /// `frequencies`
    Frequencies,
    /// `index build` and `index add`
    Index,
    /// `tune`
    Tune,
}

/// The monitor of this process: bars on a terminal, and Ctrl-C as its switch.
pub(crate) fn monitor(quiet: bool) -> Monitor {
    let interrupt = Interrupt::default();
    let switch = interrupt.clone();
    // Without a handler Ctrl-C ends the process at once; temporary files are then left behind, final names are not.
    let _ = ctrlc::set_handler(move || {
        if lookalike_corpus::is_reading_pipe() {
            // Nobody knows when the other end will write or close, and nothing is begun that would have to be cleaned up.
            error(&Error::Interrupted.into());
            std::process::exit(1);
        }
        if switch.is_set() {
            // The second time: whatever does not look at the switch ends here.
            std::process::exit(1);
        }
        switch.set();
        network::give_up();
    });
    if !quiet {
        network::tell(|message| drop(writeln!(std::io::stderr(), "{message}")));
    }
    let notes = |text: &str| {
        let _ = writeln!(std::io::stderr(), "note: {}", visible(text));
    };
    Monitor { bars: !quiet && std::io::stderr().is_terminal(), interrupt, notes: Some(notes) }
}

/// Prints and writes the summary of a finished job.
pub(crate) fn finish(summary: &Summary, verb: Verb, run: &RunArgs) -> anyhow::Result<Exit> {
    if let Some(path) = &run.summary {
        write_summary(summary, path)?;
    }
    let mut text = skips(summary.skipped, &summary.skipped_examples, summary.documents)?;
    if !run.quiet {
        text += &in_words(summary, verb)?;
    }
    // Nobody left to read it is no reason to fail.
    let _ = std::io::stderr().write_all(text.as_bytes());
    Ok(if summary.skipped > 0 { Exit::Skipped } else { Exit::Done })
}

/// Writes a summary as JSON.
pub(crate) fn write_summary(summary: &impl Serialize, path: &Path) -> anyhow::Result<()> {
    let json = serde_json::to_string_pretty(summary)? + "\n";
    lookalike_corpus::write_whole(path, json.as_bytes())
        .with_context(|| format!("cannot write the summary to {}", path.display()))
}

/// The records that were skipped, beside so many that were read.
fn skips(skipped: u64, examples: &[Skipped], read: u64) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for skipped in examples {
        writeln!(text, "skipped {}", for_people(&format!("{}: {}", skipped.place, skipped.problem)))?;
    }
    let more = skipped - examples.len() as u64;
    if more > 0 {
        writeln!(text, "skipped {}", several(more, "more record"))?;
    }
    let broken = examples.first().is_some_and(|first| first.problem.starts_with("broken JSON"));
    if broken && skipped > read {
        text += "  hint: JSON inputs hold one object a line; jq -c '.[]' FILE makes that of a list, jq -c . FILE of others\n";
    }
    Ok(text)
}

fn in_words(summary: &Summary, verb: Verb) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let seconds = summary.seconds.get("total").copied().unwrap_or_default();
    let megabytes = summary.bytes as f64 / 1e6;
    let beside = match &summary.against {
        Some(against) if against.documents == 0 => String::new(),
        Some(against) if verb == Verb::Index => format!(" beside {} of the index", count(against.documents)),
        Some(against) => format!(" beside {} of --against", count(against.documents)),
        None => String::new(),
    };
    writeln!(
        text,
        "read       {}{beside}, {megabytes:.1} MB in {seconds:.2} s ({:.0} MB/s)",
        several(summary.documents, "document"),
        megabytes / seconds.max(1e-9)
    )?;
    let mut note = |amount: u64, what: &str, more: &str| match amount {
        0 => Ok(()),
        _ => writeln!(text, "           {}{more}", several(amount, what)),
    };
    note(summary.skipped, "record", " skipped")?;
    note(summary.empty, "document", " without features, like no other")?;
    note(summary.ignored_files, "file", " passed over: unknown extension")?;
    note(summary.other_records, "record", " of archives that are no documents")?;
    note(summary.repeated_ids.unwrap_or(0), "id", " that several documents share")?;
    note(summary.without_id.unwrap_or(0), "document", " without an id, called by path or path:line")?;
    if !matches!(verb, Verb::Frequencies | Verb::Compare | Verb::Tune) {
        writeln!(text, "{}", likeness(verb, &summary.plan))?;
    }
    match verb {
        Verb::Pairs => {
            let (pairs, clusters) = (several(summary.pairs, "pair"), several(summary.clusters, "cluster"));
            writeln!(text, "found      {pairs} in {clusters}")?;
        }
        Verb::Dedup | Verb::Index => {
            write!(text, "found      {}", several(summary.clusters, "cluster"))?;
            if summary.clusters > 0 {
                write!(text, ", the largest of {}", several(summary.largest_cluster, "document"))?;
            }
            writeln!(text)?;
            if let Some(loosest) = summary.loosest.first() {
                let of_index = summary.against.as_ref().is_some_and(|against| against.looked_at.is_some());
                // An index has no stars.
                let advice =
                    if verb == Verb::Index || of_index { "" } else { "; --cluster star prevents that" };
                writeln!(text, "{}{advice}", loose(summary.loose_clusters, loosest))?;
            }
        }
        Verb::Similar => writeln!(text, "found      {}", several(summary.pairs, "document"))?,
        Verb::Compare | Verb::Sketch | Verb::Frequencies | Verb::Tune => {}
    }
    if matches!(verb, Verb::Dedup | Verb::Pairs | Verb::Index) {
        write!(text, "searched   {}", several(summary.candidates, "candidate pair"))?;
        if let Some(speed) = summary.monitoring.compared_per_second {
            write!(
                text,
                ", {} of them compared, {} a second",
                count(summary.monitoring.compared),
                count(speed as u64)
            )?;
        }
        if let Some(largest) = summary.monitoring.largest_bucket.filter(|&largest| largest > 0) {
            write!(text, "; the largest bucket holds {}", several(largest, "document"))?;
        }
        writeln!(text)?;
    }
    if summary.large_buckets > 0 {
        writeln!(text, "           {} compared by leaders", several(summary.large_buckets, "large group"))?;
    }
    if let Some(reason) = summary.plan.reason.as_deref().filter(|_| matches!(verb, Verb::Dedup | Verb::Pairs))
    {
        writeln!(text, "method     {}: {reason}", summary.plan.method)?;
    }
    if matches!(verb, Verb::Dedup | Verb::Pairs | Verb::Index) {
        text += &recall(summary)?;
    }
    if verb == Verb::Dedup {
        let share = 100.0 * summary.removed as f64 / (summary.documents as f64).max(1.0);
        write!(text, "removed    {} ({share:.1} %)", several(summary.removed, "document"))?;
        text += &removed_against(summary)?;
        writeln!(text, "kept       {}", several(summary.kept, "document"))?;
        if let (Some(amount), Some(share)) = (summary.kept_for_content, summary.min_containment) {
            let amount = count(amount);
            writeln!(
                text,
                "           {amount} of them for what no other kept one contains (--min-containment {share})"
            )?;
        }
    }
    if let Some(indexed) = summary.indexed {
        let (added, total) = (several(summary.documents, "document"), count(indexed));
        writeln!(text, "added      {added}; the index has {total}")?;
    }
    if let Some(bytes) = summary.peak_memory_bytes {
        let cache = if summary.spilled { ", the page cache aside; the rest was on disk" } else { "" };
        writeln!(text, "memory     {:.0} MB at most{cache}", bytes as f64 / 1e6)?;
    }
    Ok(text)
}

/// How many of the removed documents were removed for one that the inputs were compared against, to the end of the line.
fn removed_against(summary: &Summary) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let Some(against) = &summary.against else {
        text.push('\n');
        return Ok(text);
    };
    writeln!(text, ", {} of them for one of --against", count(against.removed))?;
    if let (Some(contained), Some(share)) = (against.contained, against.share) {
        let contained = count(contained);
        writeln!(
            text,
            "           {contained} of these by containment: {share} or more of the shorter one is in the other"
        )?;
    }
    if let (Some(short @ 1..), Some(least)) = (against.short, against.least_features) {
        let (have, few) = (if short == 1 { "has" } else { "have" }, several(u64::from(least), "shingle"));
        let short = several(short, "document");
        writeln!(
            text,
            "           {short} of --against {have} fewer than {few}: too few to look for (--against-shingles)"
        )?;
    }
    Ok(text)
}

/// What hangs together by chains, and what to do about it.
fn loose(clusters: u64, loosest: &LooseCluster) -> String {
    let are = if clusters == 1 { "is" } else { "are" };
    let far = match (loosest.least_similarity, loosest.greatest_distance) {
        (Some(similarity), _) => format!("is only {similarity:.2} like"),
        (None, distance) => format!("differs in {} bits from", distance.unwrap_or_default()),
    };
    let clusters = several(clusters, "cluster");
    format!("           {clusters} {are} loose: a removed document {far} the kept one")
}

/// How much of what is alike was found.
fn recall(summary: &Summary) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let sure = match (summary.recall_interval, summary.pairs) {
        (Some([low, high]), 1..) if high < 1.0 => {
            format!("{} to {} with 95 % certainty; ", percent(low), percent(high))
        }
        (Some([low, _]), 1..) => format!("{} at least with 95 % certainty; ", percent(low)),
        _ => String::new(),
    };
    // What dedup counts are pairs that met; others are in one cluster by way of these.
    let more = if summary.clustering == Some("union") { " or more" } else { "" };
    match (summary.recall_estimate.map(percent), &summary.plan.search) {
        (Some(_), SearchSummary::Features {}) => {
            writeln!(text, "recall     100 % of such pairs: exact search")?
        }
        (Some(recall), SearchSummary::Bands { bands, rows, .. }) => {
            writeln!(
                text,
                "recall     {recall}{more} of such pairs, estimated ({sure}{bands} × {rows} MinHash bands)"
            )?;
        }
        (Some(recall), SearchSummary::Fingerprints { bits, hamming, .. }) => writeln!(
            text,
            "recall     {recall}{more} of such pairs, estimated ({sure}SimHash of {bits} bits within a distance of {hamming})"
        )?,
        (None, _) if !summary.plan.recall_is_known => writeln!(
            text,
            "recall     unknown: what is compared is searched by other features or weights than the measure's"
        )?,
        (None, _) => {}
    }
    if let Some(audit) = &summary.audit {
        write!(
            text,
            "audited    {} with {}",
            several(audit.documents, "document"),
            several(audit.partners, "partner")
        )?;
        match (audit.recall, audit.recall_interval) {
            (Some(recall), Some([low, high])) => {
                write!(text, ", {} of them found: {}", count(audit.found), percent(recall))?;
                match low < high {
                    true => writeln!(text, " ({} to {} with 95 % certainty)", percent(low), percent(high))?,
                    false => writeln!(text, "; these are all documents")?,
                }
            }
            _ => writeln!(text, ": nothing to measure the recall by")?,
        }
    }
    Ok(text)
}

/// A share in per cent; 100.00 % only if nothing is missing.
pub(crate) fn percent(share: f64) -> String {
    let hundredths = (share * 1e4).round();
    let hundredths = if hundredths == 1e4 && share < 1.0 { 9_999.0 } else { hundredths };
    format!("{:.2} %", hundredths / 100.0)
}

/// What is alike, in words.
pub(crate) fn likeness(verb: Verb, plan: &PlanSummary) -> String {
    let features = match (plan.measure, plan.tokens) {
        (Some("word-jaccard"), _) => "words".to_owned(),
        (_, "chars") => format!("{}-character shingles", plan.shingle),
        _ => format!("{}-word shingles", plan.shingle),
    };
    let counts = plan.measure.is_none_or(|measure| measure == "cosine") || verb == Verb::Sketch;
    let weights = match plan.weights {
        "set" => String::new(),
        _ if !counts => String::new(),
        weights => format!(", weights {weights}"),
    };
    match (&plan.search, plan.measure, plan.threshold) {
        (SearchSummary::Bands { .. }, ..) if verb == Verb::Sketch => {
            format!("sketched   by MinHash of {features}")
        }
        _ if verb == Verb::Sketch => format!("sketched   by SimHash of {features}{weights}"),
        (_, Some(measure), _) if verb == Verb::Similar => {
            format!("compared   by {measure} of {features}{weights}, exactly")
        }
        (_, Some(measure), Some(threshold)) => {
            let measure = match measure {
                "jaccard" | "word-jaccard" => "Jaccard",
                other => other,
            };
            format!("alike      {measure} {threshold} or more of {features}{weights}, verified exactly")
        }
        _ if verb == Verb::Similar => format!("compared   by fingerprints of {features}{weights}"),
        (SearchSummary::Fingerprints { bits, hamming, .. }, ..) => {
            format!(
                "alike      {hamming} or fewer of {bits} SimHash bits differ, of {features}{weights}; not verified"
            )
        }
        _ => String::new(),
    }
}

/// "1 pair", "2 pairs".
fn several(number: u64, what: &str) -> String {
    format!("{} {what}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A number with commas at the thousands.
fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Did the reader of standard output go away? That is how it says that it has enough.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// Says what went wrong, what caused it, and what to do about it.
pub(crate) fn error(error: &anyhow::Error) {
    let mut text = format!("error: {}\n", for_people(&error.to_string()));
    for cause in error.chain().skip(1) {
        // Errors of libraries already name their causes; say each thing once.
        let cause = for_people(&cause.to_string());
        if !text.contains(&cause) {
            text += &format!("  because: {cause}\n");
        }
    }
    if let Some(hint) = error.downcast_ref::<Error>().and_then(hint) {
        text += &format!("  hint: {}\n", for_people(&hint));
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// A message that may hold names from inputs: on one line, with nothing that acts on the terminal, and no name that hides the
/// rest. Paths stay whole, since people copy them.
fn for_people(message: &str) -> String {
    let name = |word: &str| match word.contains(std::path::MAIN_SEPARATOR) {
        true => word.to_owned(),
        false => without_middle(word, LONGEST_NAME),
    };
    let message = visible(&message.replace(['\n', '\r', '\t'], " "));
    without_middle(&message.split(' ').map(name).collect::<Vec<String>>().join(" "), LONGEST_MESSAGE)
}

/// Characters of a name: more than anybody calls a column.
const LONGEST_NAME: usize = 80;

/// Characters of a message: the longest path of most systems fits in some lines of a terminal, and what to do about it stands
/// at the end.
const LONGEST_MESSAGE: usize = 1_000;

/// The start and the end of `text`, if it has more than `most` characters.
fn without_middle(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let (start, end): (String, String) =
        (text.chars().take(most / 2).collect(), text.chars().skip(length - most / 2).collect());
    format!("{start}…{end}")
}

fn hint(error: &Error) -> Option<Cow<'static, str>> {
    if let Error::NoSuchIdRead { skipped, first, .. } = error {
        let were = if *skipped == 1 { "record was" } else { "records were" };
        return Some(Cow::Owned(format!(
            "{} {were} skipped, the first {first}; it may be among these, or --id-field names another field",
            count(*skipped)
        )));
    }
    let hint = match error {
        Error::NoTextField { .. } | Error::Corpus(lookalike_corpus::Error::MissingColumn { .. }) => {
            Some("name the field that holds the text with --text-field")
        }
        Error::NoDocument { .. } => Some(
            "each line must be an object in JSON with a text, in UTF-8: iconv converts encodings, jq -c '.[]' makes lines of a list",
        ),
        Error::Strict { .. } => Some("without --strict such records are skipped and counted"),
        Error::TooManyPairs { for_memory: true, .. } => {
            Some("give more memory; or run lookalike dedup first, and lookalike pairs on what it keeps")
        }
        Error::TooManyPairs { .. } => Some("run lookalike dedup first, and lookalike pairs on what it keeps"),
        Error::NoList { .. } => Some(
            "a list has columns a and b, or id and cluster, or id and kept_id; CSV and TSV without a header have two ids a line, \
             and perhaps a similarity",
        ),
        Error::TooManyDifferences { .. } => {
            Some("leave out --wrong and --missing; they are counted all the same")
        }
        Error::NoSuchId { .. } => {
            Some("name the field that holds the ids with --id-field; others go by path:line")
        }
        Error::TooManyForStars { .. } => {
            Some("use --cluster union, or a higher --threshold; or run lookalike dedup at a high one first")
        }
        Error::NoNumber { .. } => Some("check the name of the field; its values must be numbers"),
        Error::Changed { .. } => Some("run again when nothing writes to the inputs"),
        _ => None,
    };
    hint.map(Cow::Borrowed)
}
