//! What people read on standard error: bars, the summary, skipped records, errors with a hint.

use crate::args::RunArgs;
use crate::exit::Exit;
use anyhow::Context;
use lookalike_batch::{Error, Interrupt, Monitor, Summary};
use std::fmt::Write as _;
use std::fs::Permissions;
use std::io::{ErrorKind, IsTerminal, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Which command a summary is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    /// `dedup`
    Dedup,
    /// `pairs`
    Pairs,
}

/// The monitor of this process: bars on a terminal, and Ctrl-C as its switch.
pub(crate) fn monitor(quiet: bool) -> Monitor {
    let interrupt = Interrupt::default();
    let switch = interrupt.clone();
    // Without a handler Ctrl-C ends the process at once; temporary files are then left behind, final names are not.
    let _ = ctrlc::set_handler(move || {
        if switch.is_set() {
            // The second time: whatever does not look at the switch, such as reading standard input, ends here.
            std::process::exit(1);
        }
        switch.set();
    });
    Monitor { bars: !quiet && std::io::stderr().is_terminal(), interrupt }
}

/// Prints and writes the summary of a finished job.
pub(crate) fn finish(summary: &Summary, verb: Verb, run: &RunArgs) -> anyhow::Result<Exit> {
    if let Some(path) = &run.summary {
        let json = serde_json::to_string_pretty(summary)? + "\n";
        write_whole(path, &json)
            .with_context(|| format!("cannot write the summary to {}", path.display()))?;
    }
    let mut text = String::new();
    for skipped in &summary.skipped_examples {
        writeln!(text, "skipped {}: {}", skipped.place, skipped.problem)?;
    }
    let more = summary.skipped - summary.skipped_examples.len() as u64;
    if more > 0 {
        writeln!(text, "skipped {}", several(more, "more record"))?;
    }
    if !run.quiet {
        text += &in_words(summary, verb)?;
    }
    // Nobody left to read it is no reason to fail.
    let _ = std::io::stderr().write_all(text.as_bytes());
    Ok(if summary.skipped > 0 { Exit::Skipped } else { Exit::Done })
}

/// Writes a file beside its place and renames it.
fn write_whole(path: &Path, content: &str) -> std::io::Result<()> {
    if path.exists() && !path.is_file() {
        // A device or a pipe is not replaced.
        return std::fs::write(path, content);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut beside = tempfile::Builder::new()
        .prefix(".lookalike-")
        .suffix(".part")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    beside.write_all(content.as_bytes())?;
    beside.persist(path)?;
    Ok(())
}

fn in_words(summary: &Summary, verb: Verb) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    let seconds = summary.seconds.get("total").copied().unwrap_or_default();
    let megabytes = summary.bytes as f64 / 1e6;
    writeln!(
        text,
        "read       {}, {megabytes:.1} MB in {seconds:.2} s ({:.0} MB/s)",
        several(summary.documents, "document"),
        megabytes / seconds.max(1e-9)
    )?;
    let mut note = |amount: u64, what: &str, more: &str| match amount {
        0 => Ok(()),
        _ => writeln!(text, "           {}{more}", several(amount, what)),
    };
    note(summary.skipped, "record", " skipped")?;
    note(summary.empty, "document", " without text, like no other")?;
    note(summary.ignored_files, "file", " passed over: unknown extension")?;
    note(summary.repeated_ids.unwrap_or(0), "id", " that several documents share")?;
    let plan = &summary.plan;
    writeln!(
        text,
        "alike      Jaccard {} or more of {}-{} shingles, verified exactly",
        plan.threshold,
        plan.shingle,
        match plan.tokens {
            "chars" => "character",
            _ => "word",
        }
    )?;
    if verb == Verb::Pairs {
        let (pairs, clusters) = (several(summary.pairs, "pair"), several(summary.clusters, "cluster"));
        writeln!(text, "found      {pairs} in {clusters}")?;
    } else {
        writeln!(
            text,
            "found      {}, the largest of {}",
            several(summary.clusters, "cluster"),
            several(summary.largest_cluster, "document")
        )?;
    }
    if summary.large_buckets > 0 {
        writeln!(text, "           {} compared by leaders", several(summary.large_buckets, "large group"))?;
    }
    writeln!(
        text,
        "recall     {:.2} % of such pairs, estimated ({} × {} MinHash bands)",
        100.0 * summary.recall_estimate,
        plan.bands,
        plan.rows
    )?;
    if verb == Verb::Dedup {
        let share = 100.0 * summary.removed as f64 / (summary.documents as f64).max(1.0);
        writeln!(text, "removed    {} ({share:.1} %)", several(summary.removed, "document"))?;
        writeln!(text, "kept       {}", several(summary.kept, "document"))?;
    }
    if let Some(bytes) = summary.peak_memory_bytes {
        writeln!(text, "memory     {:.0} MB at most", bytes as f64 / 1e6)?;
    }
    Ok(text)
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
    let mut text = format!("error: {error}\n");
    for cause in error.chain().skip(1) {
        // Errors of libraries already name their causes; say each thing once.
        if !text.contains(&cause.to_string()) {
            text += &format!("  because: {cause}\n");
        }
    }
    if let Some(hint) = error.downcast_ref::<Error>().and_then(hint) {
        text += &format!("  hint: {hint}\n");
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn hint(error: &Error) -> Option<&'static str> {
    match error {
        Error::NoTextField { .. } | Error::Corpus(lookalike_corpus::Error::MissingColumn { .. }) => {
            Some("name the field that holds the text with --text-field")
        }
        Error::Strict { .. } => Some("without --strict such records are skipped and counted"),
        Error::TooManyPairs { .. } => Some("run lookalike dedup first, and lookalike pairs on what it keeps"),
        Error::NoNumber { .. } => Some("check the name of the field; its values must be numbers"),
        Error::Changed { .. } => Some("run again when nothing writes to the inputs"),
        _ => None,
    }
}
