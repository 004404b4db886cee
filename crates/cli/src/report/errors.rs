//! What went wrong, and what to do about it.

use super::words::{count, for_people};
use crate::exit::of_engine;
use lookalike_batch::Error;
use lookalike_corpus::Problem;
use lookalike_engine::Error as EngineError;
use lookalike_engine::index::Error as IndexError;
use std::borrow::Cow;
use std::io::{ErrorKind, Write};

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
    let hint = error.downcast_ref::<Error>().and_then(hint);
    let hint = hint.or_else(|| of_engine(error).and_then(engine_hint));
    if let Some(hint) = hint.or_else(|| limit(error).map(Cow::Borrowed)) {
        text += &format!("  hint: {}\n", for_people(&hint));
    }
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// What to do about a limit of the system.
fn limit(error: &anyhow::Error) -> Option<&'static str> {
    let causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.map(std::io::Error::kind).find_map(|kind| match kind {
        ErrorKind::FileTooLarge => Some("allow longer files (ulimit -f)"),
        ErrorKind::OutOfMemory => Some("allow the run more memory (ulimit -v, ulimit -d)"),
        _ => None,
    })
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
        Error::NoList { .. } => {
            "a list has columns a and b, or id and cluster, or id and kept_id; CSV and TSV without a header have two ids a line, \
             and perhaps a similarity"
        }
        Error::TooManyDifferences { .. } => "leave out --wrong and --missing; they are counted all the same",
        Error::NoSuchId { .. } => "name the field that holds the ids with --id-field; others go by path:line",
        Error::NoNumber { .. } => "check the name of the field; its values must be numbers",
        Error::FewerDocuments { .. } => "--documents is the number of all documents",
        _ => return None,
    };
    Some(Cow::Borrowed(hint))
}

fn engine_hint(error: &EngineError) -> Option<Cow<'static, str>> {
    let hint = match error {
        EngineError::TooLittleMemory { least, .. } => {
            return Some(Cow::Owned(format!("--memory {}MiB is the least", least.div_ceil(1 << 20))));
        }
        EngineError::Unusable { problem, .. } if problem.is_missing_text() => {
            let by_columns = match problem {
                Problem::MissingColumn { field, seen } => delimiter_hint(seen, field),
                _ => None,
            };
            by_columns.unwrap_or("name the field that holds the text with --text-field")
        }
        EngineError::NoDocument { problem, .. } if is_no_line(problem) => ONE_OBJECT_A_LINE,
        EngineError::NoDocument { problem, .. } if problem.starts_with("invalid UTF-8") => {
            "texts must be in UTF-8; iconv converts other encodings"
        }
        EngineError::NoGroup { .. } => "check the name of the field after --within",
        EngineError::NoDocument { problem, .. } | EngineError::Strict { problem, .. }
            if is_too_long(problem) =>
        {
            MAX_RECORD
        }
        EngineError::Unusable { problem: Problem::RecordTooLong { .. }, .. } => MAX_RECORD,
        EngineError::Strict { .. } => "without --strict such records are skipped and counted",
        EngineError::TooManyPairs { for_memory: true, .. } => {
            "give more --memory, or run lookalike dedup first and lookalike pairs on what it keeps"
        }
        EngineError::TooManyPairs { .. } => "run lookalike dedup first, and lookalike pairs on what it keeps",
        EngineError::TooManyForStars { .. } => {
            "use --cluster union, or a higher --threshold; or run lookalike dedup at a high one first"
        }
        EngineError::Index(IndexError::NoIndex { .. }) => "lookalike index build makes one",
        EngineError::Index(IndexError::IndexExists { .. }) => "lookalike index add adds to it",
        EngineError::Index(IndexError::UnsupportedPlan) => {
            "leave out --method simhash, --method exact and --weights"
        }
        EngineError::TooManyFeatures { .. } => "use --method minhash",
        EngineError::TooManyForMemory { .. } => "give more --memory",
        EngineError::TooMuchToHold { .. } => "give more --memory, or use --method minhash",
        EngineError::TooMuchContainment { .. } => {
            "give more --memory, or compare against the files of --against in parts"
        }
        EngineError::DiskTooSmall { .. } => "name a folder on another disk with --temp-dir",
        EngineError::NoTempDir { .. } => "give --temp-dir a folder that exists",
        EngineError::Changed { .. } => "run again when nothing writes to the inputs",
        _ => return None,
    };
    Some(Cow::Borrowed(hint))
}

/// What helps where JSON has another layout.
pub(super) const ONE_OBJECT_A_LINE: &str = "JSON inputs hold one object a line, or a list of objects in a file that ends in .json; \
     jq -c '.[]' FILE makes lines of a list, jq -c . FILE of others";

/// Does a record have this problem that is part of JSON in another layout?
pub(super) fn is_no_line(problem: &str) -> bool {
    problem.starts_with("broken JSON") || problem.starts_with("expected a JSON object")
}

/// What helps where a record is longer than the limit.
pub(super) const MAX_RECORD: &str = "--max-record sets the limit of a record, up to 2GiB";

/// Is the record longer than the limit?
pub(super) fn is_too_long(problem: &str) -> bool {
    problem.starts_with("the record has ") && problem.contains(" bytes, more than the limit of ")
}

/// What to say where the columns of a table are fewer than they would be by another delimiter.
fn delimiter_hint(columns: &str, field: &str) -> Option<&'static str> {
    let is_one = !columns.contains(", ");
    let separates = |delimiter: char| {
        let mut names = columns.split([delimiter, ',']).map(|name| name.trim_matches([' ', '"']));
        columns.contains(delimiter) && (is_one || names.any(|name| name == field))
    };
    let hints = [
        (';', "if semicolons separate the fields, give --delimiter ';'"),
        ('\t', "if tabs separate the fields, give --delimiter tab"),
        ('|', "if bars separate the fields, give --delimiter '|'"),
        (',', "if commas separate the fields, give --delimiter ,"),
    ];
    let found =
        hints.into_iter().find(|&(delimiter, _)| separates(delimiter) && (delimiter != ',' || is_one));
    found.map(|(_, hint)| hint)
}
