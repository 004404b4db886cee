//! Errors and hints, as text.

use super::words::for_people;
use crate::exit::of_engine;
use lookalike::PlanError;
use lookalike_batch::Error;
use lookalike_corpus::{Error as CorpusError, Problem, content_of_other_name};
use lookalike_engine::Error as EngineError;
use lookalike_engine::index::Error as IndexError;
use lookalike_report::{count, several};
use std::borrow::Cow;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Has the reader closed standard output? It then wants no more.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// An error, its causes, and a hint.
pub(crate) fn error(error: &anyhow::Error) {
    let message = plan_error(error).map_or_else(|| error.to_string(), in_flags);
    let mut text = format!("error: {}\n", for_people(&message));
    for cause in error.chain().skip(1) {
        // Errors of libraries often name their causes. Each cause is printed once.
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

/// The error of a plan, if it is one and nothing else is said about it.
fn plan_error(error: &anyhow::Error) -> Option<&PlanError> {
    let plan = error.downcast_ref().or_else(|| match error.downcast_ref() {
        Some(Error::Plan(error) | Error::Engine(EngineError::Plan(error))) => Some(error),
        _ => None,
    });
    plan.filter(|plan| plan.to_string() == error.to_string())
}

/// The error of a plan, in the names of flags.
fn in_flags(error: &PlanError) -> String {
    match error {
        PlanError::OutOfRange { option: "level", .. } => error.to_string(),
        PlanError::OutOfRange { option, value, range } => {
            format!("--{} is {value}; it must be {range}", option.replace('_', "-"))
        }
        PlanError::Banding { bands, rows, .. } => {
            let values = bands * rows;
            match values <= MOST_VALUES {
                true => format!("{error}; raise --num-perm to {values}, or give fewer --bands or --rows"),
                false => format!("{error}; give fewer --bands or --rows"),
            }
        }
        PlanError::FrequentWords => {
            "--drop-frequent has no effect on --measure word-jaccard, which compares words: name them by --stop-words".to_owned()
        }
        PlanError::PrunedFrequencies { minimum, documents } => format!(
            "--frequencies: the table counted {}, and leaves out shingles of fewer than {minimum}, which may have the share of \
             --drop-frequent; count more documents, or take a greater share",
            several(*documents, "document")
        ),
        PlanError::JiebaWords => "--jieba-dict needs --tokens jieba".to_owned(),
        PlanError::JiebaLine { .. } => format!("--jieba-dict: {error}"),
        PlanError::FeatureHash => "--feature-hash needs --method simhash, unless it is xxh3".to_owned(),
        PlanError::ExactWeights => {
            "--method exact compares sets; use --method minhash or simhash for a cosine with --weights"
                .to_owned()
        }
        PlanError::StopWords { word, others } => {
            let tokens = stop_word_of_several_tokens(word, *others);
            format!(
                "{tokens}; leave it out, or use --tokens jieba if it is a Chinese word of that dictionary"
            )
        }
        error => error.to_string(),
    }
}

/// What is wrong with a word of `--stop-words`.
pub(crate) fn stop_word_of_several_tokens(word: &str, others: usize) -> String {
    let like =
        if others == 0 { String::new() } else { format!(", like {},", several(others as u64, "other")) };
    format!("--stop-words: {word}{like} is several tokens, as its script has no spaces")
}

/// The most values of a signature.
const MOST_VALUES: usize = 4096;

/// A hint for a limit of the system.
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
        Error::NoSuchId { .. } => {
            "ids are in the field of --id-field; a document without this field has its place as the id, such as news.jsonl:7"
        }
        Error::NoNumber { .. } => "check the field of --keep; its values must be numbers",
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
        EngineError::LongWindows { least, .. } => {
            let least = least.div_ceil(1 << 20);
            return Some(Cow::Owned(format!(
                "--memory {least}MiB is the least; with fewer --threads, fewer files are read at once"
            )));
        }
        EngineError::Unusable { .. } | EngineError::NoDocument { .. } | EngineError::Strict { .. } => {
            return input_hint(error);
        }
        EngineError::Corpus(CorpusError::Missing { name }) if ["exact", "estimate"].contains(&&**name) => {
            return Some(Cow::Owned(format!("a value of --verify stands behind =, as in --verify={name}")));
        }
        EngineError::NoGroup { .. } => "check the field of --within",
        EngineError::Corpus(
            CorpusError::AnnotatedText { .. }
            | CorpusError::AnnotatedDelimiter { .. }
            | CorpusError::FieldExists { .. },
        ) => "leave out --annotate, and give --clusters FILE",
        EngineError::Corpus(CorpusError::EditedText { .. }) => "leave out -o, and give --removed FILE",
        EngineError::Corpus(CorpusError::EditedFields { .. }) => "give one field to --text-field",
        EngineError::TooManyPairs { for_memory: true, .. } => {
            "give more --memory, or run lookalike dedup first and lookalike pairs on what it keeps"
        }
        EngineError::TooManyPairs { .. } => "run lookalike dedup first, and lookalike pairs on what it keeps",
        EngineError::TooManyForStars { .. } => {
            "use --cluster union or a higher --threshold, or leave out --weights and --verify=estimate"
        }
        EngineError::Index(IndexError::NoIndex { .. }) => "lookalike index build makes one",
        EngineError::Index(IndexError::IndexExists { .. }) => {
            "name another folder, or add to it with lookalike index add"
        }
        EngineError::Index(IndexError::UnsupportedPlan) => "leave out --weights",
        EngineError::TooManyFeatures { .. } => "use --method minhash",
        EngineError::TooManyForMemory { .. } => "give more --memory",
        EngineError::TooMuchToHold { what, .. } if what.starts_with("the table") => "give more --memory",
        EngineError::TooMuchToHold { .. } => "give more --memory, or use --method minhash",
        EngineError::TooMuchContainment { .. } => {
            "give more --memory, or compare against the files of --against in parts"
        }
        EngineError::DiskTooSmall { .. } => {
            "name a folder on another disk with --temp-dir, or give more --memory"
        }
        EngineError::NoTempDir { .. } => "give --temp-dir a folder that exists",
        EngineError::Changed { .. } => "run again when nothing writes to the inputs",
        _ => return None,
    };
    Some(Cow::Borrowed(hint))
}

/// A hint for an input, or a record of it.
fn input_hint(error: &EngineError) -> Option<Cow<'static, str>> {
    let text_field = match error {
        EngineError::Unusable { is_against: true, .. } => "--against-text-field",
        _ => "--text-field",
    };
    let hint = match error {
        EngineError::Unusable { file, .. } if other_name(file).is_some() => {
            return other_name(file).map(Cow::Owned);
        }
        EngineError::NoDocument { place, .. } if other_name(file_of(place)).is_some() => {
            return other_name(file_of(place)).map(Cow::Owned);
        }
        EngineError::Unusable {
            problem: Problem::NoObjectOnPath { field, name, found: "a list" }, ..
        } => {
            let rest = &field[name.len()..];
            return Some(Cow::Owned(format!(
                "name the texts in the list with {text_field} '{name}[]{rest}'"
            )));
        }
        EngineError::Unusable { problem: Problem::ColumnType { field, found }, .. }
            if found.contains("List(") && !field.ends_with("[]") =>
        {
            return Some(Cow::Owned(format!("name the texts in the list, as in {text_field} '{field}[]'")));
        }
        EngineError::Unusable { problem, .. } if problem.is_missing_text() => {
            if let Some(nested) = nested_field(problem) {
                return Some(Cow::Owned(format!("if {nested} holds the text, give {text_field} {nested}")));
            }
            let by_columns = match problem {
                Problem::MissingColumn { field, seen } => delimiter_hint(&seen.join(", "), field),
                _ => None,
            };
            return Some(by_columns.map_or_else(
                || Cow::Owned(format!("name the field that holds the text with {text_field}")),
                Cow::Borrowed,
            ));
        }
        EngineError::Unusable { problem: Problem::StructColumn { texts, .. }, .. } if !texts.is_empty() => {
            return Some(Cow::Owned(format!("name one of these, as in {text_field} {}", texts[0])));
        }
        EngineError::NoDocument { problem, .. } if problem.contains(" is a list, not ") => {
            "name the texts of a list as in --text-field 'paragraphs[]' or 'messages[].content'"
        }
        EngineError::NoDocument { problem, .. } if problem.contains(" is an object, not text") => {
            "name a field of the object with --text-field, such as meta.text"
        }
        EngineError::NoDocument { problem, .. } if is_no_line(problem) => ONE_OBJECT_A_LINE,
        EngineError::NoDocument { problem, .. } if problem.starts_with("invalid UTF-8") => {
            "texts must be in UTF-8; iconv converts other encodings"
        }
        EngineError::Unusable { problem: Problem::OpenHeader, .. } => QUOTES,
        EngineError::NoDocument { problem, .. } | EngineError::Strict { problem, .. }
            if is_about_quotes(problem) =>
        {
            QUOTES
        }
        EngineError::NoDocument { problem, .. } | EngineError::Strict { problem, .. }
            if is_too_long(problem) =>
        {
            MAX_RECORD
        }
        EngineError::Unusable { problem: Problem::RecordTooLong { .. }, .. } => MAX_RECORD,
        EngineError::Strict { .. } => "without --strict the run goes on and counts such records",
        _ => return None,
    };
    Some(Cow::Borrowed(hint))
}

/// A nested field whose last part is the field of the text.
fn nested_field(problem: &Problem) -> Option<&String> {
    let (Problem::MissingField { field, seen } | Problem::MissingColumn { field, seen }) = problem else {
        return None;
    };
    seen.iter().find(|seen| seen.rsplit_once('.').is_some_and(|(_, last)| last == field))
}

/// The file of a place: `path:line`, or a path.
fn file_of(place: &str) -> &str {
    match place.rsplit_once(':') {
        Some((file, line)) if line.bytes().all(|byte| byte.is_ascii_digit()) => file,
        _ => place,
    }
}

/// The hint if the content of a file has another format than its name says.
fn other_name(file: &str) -> Option<String> {
    let (content, extension) = content_of_other_name(Path::new(file))?;
    Some(format!("the content of {file} is {}; end its name in {extension}", content.name()))
}

/// The hint for JSON in another layout.
pub(super) const ONE_OBJECT_A_LINE: &str = "JSON inputs hold one object a line, or a list of objects in a file that ends in .json; \
     jq -c '.[]' FILE makes lines of a list, jq -c . FILE of others";

/// Does a record have this problem that is part of JSON in another layout?
pub(super) fn is_no_line(problem: &str) -> bool {
    let parts = ["an object is not closed", "a list is not closed", "something stands behind"];
    problem.starts_with("expected a JSON object")
        || problem
            .strip_prefix("broken JSON: ")
            .is_some_and(|what| parts.iter().any(|part| what.starts_with(part)))
}

/// The hint for a record that is longer than the limit.
pub(super) const MAX_RECORD: &str = "--max-record sets the limit of a record, up to 2GiB";

/// The hint for a table whose quotes are not written twice.
pub(super) const QUOTES: &str = "give --quote none if fields are never quoted, with --escape '\\' if they have escapes such as \\n; give --escape '\\' alone if a backslash stands before quotes in quoted fields";

/// May the problem come from such a table?
pub(super) fn is_about_quotes(problem: &str) -> bool {
    problem.starts_with("a quote that opens in this record")
        || problem.contains("or a quote that opens in it is never closed")
}

/// Is the record longer than the limit?
pub(super) fn is_too_long(problem: &str) -> bool {
    problem.starts_with("the record has ") && problem.contains(" bytes, more than the limit of ")
}

/// A hint if another delimiter would give a table more columns.
pub(super) fn delimiter_hint(columns: &str, field: &str) -> Option<&'static str> {
    let is_one = !columns.contains(", ");
    let separates = |delimiter: char| {
        let mut names = columns.split([delimiter, ',']).map(|name| name.trim_matches([' ', '"']));
        columns.contains(delimiter) && (is_one || names.any(|name| name == field))
    };
    let hints = [
        (';', "the header has semicolons; try --delimiter ';'"),
        ('\t', "the header has tabs; try --delimiter tab"),
        ('|', "the header has bars; try --delimiter '|'"),
        (',', "the header has commas; try --delimiter ,"),
    ];
    let found =
        hints.into_iter().find(|&(delimiter, _)| separates(delimiter) && (delimiter != ',' || is_one));
    found.map(|(_, hint)| hint)
}
