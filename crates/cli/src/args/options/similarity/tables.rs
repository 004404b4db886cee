//! The files that options name: stop words, document frequencies, levels and feature hashes.

use crate::args::usage::Usage;
use crate::note::note;
use anyhow::Context;
use lookalike::text::{self, stop_word_languages};
use lookalike::{
    DocumentFrequencies, FeatureHashes, FeatureLevels, Options, Plan, SKETCH_VERSION, Sketcher, Tokens,
};
use lookalike_report::several;
use std::path::Path;

/// The table of document frequencies in a file.
pub(super) fn frequencies(path: &Path, plan: &Plan) -> anyhow::Result<DocumentFrequencies> {
    let bytes = std::fs::read(path)
        .with_context(|| format!("--frequencies {}: cannot read the file", path.display()))?;
    let table = DocumentFrequencies::from_bytes(&bytes).with_context(|| {
        format!("cannot use {} as --frequencies; make a table with lookalike frequencies", path.display())
    })?;
    if let Some(version) = plan.older_version(table.plan()) {
        let message = format!(
            "{}: the table has features of version {version}, and this program makes version {SKETCH_VERSION}, in which the same texts \
                 have other tokens; make it again with lookalike frequencies",
            path.display()
        );
        return Err(Usage(message).into());
    }
    if table.plan() != plan.feature_id() {
        let message = format!(
            "{}: made with other --tokens, --fold, --shingle, --stop-words, --feature-hash or --seed; give the same ones, or \
                 make it again",
            path.display()
        );
        return Err(Usage(message).into());
    }
    Ok(table)
}

/// Words that a note names, at most.
const MOST_NAMED: usize = 5;

/// The table of levels in a file. Words that the tokens cut have no level, and a note names them. If they cut all, the table is for other tokens.
pub(super) fn levels(path: &Path, plan: &Plan) -> anyhow::Result<FeatureLevels> {
    let content = std::fs::read_to_string(path)
        .with_context(|| format!("--levels {}: cannot read the file", path.display()))?;
    let mut levels = FeatureLevels::new(1)?;
    let (mut given, mut cut) = (0, Vec::new());
    let mut sketcher = Sketcher::new(plan);
    for (index, line) in content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = || format!("{}:{}", path.display(), index + 1);
        let level = line.rsplit_once('\t').and_then(|(word, level)| Some((word, level.trim().parse().ok()?)));
        let Some((word, level)) = level else {
            let message = format!("{}: write a word, a tab and a level from 1 to 5", at());
            return Err(Usage(message).into());
        };
        let tokens = sketcher.token_hashes(word).len();
        let (true, &[feature]) = (tokens == plan.shingle(), sketcher.features(word)) else {
            cut.push((word, tokens, at()));
            continue;
        };
        levels.insert(feature, level).with_context(at)?;
        given += 1;
    }
    match cut.first() {
        Some((word, tokens, at)) if given == 0 => {
            let message = format!(
                "{at}: \"{word}\" is not one shingle: it is {}, and a shingle has {}; --shingle {} makes it one",
                several(*tokens as u64, "token"),
                plan.shingle(),
                tokens.max(&1)
            );
            return Err(Usage(message).into());
        }
        Some(_) => {
            let words = several(cut.len() as u64, "word");
            let named: Vec<&str> = cut.iter().take(MOST_NAMED).map(|&(word, ..)| word).collect();
            let more = if cut.len() > named.len() { ", …" } else { "" };
            let named = named.join(", ");
            note(&format!(
                "{}: {words} of {} have no level, as the tokens cut them: {named}{more}",
                path.display(),
                given + cut.len()
            ));
        }
        None => {}
    }
    Ok(levels)
}

/// The lines of a user dictionary of jieba. Words that are not Chinese alone have no effect, and a note names them.
pub(super) fn jieba_dict(path: &Path) -> anyhow::Result<Vec<String>> {
    let content = std::fs::read_to_string(path)
        .with_context(|| format!("--jieba-dict {}: cannot read the file", path.display()))?;
    let lines: Vec<String> =
        content.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    let words_of = |lines: &[String]| {
        let (tokens, jieba_dict) = (Tokens::named("jieba"), Some(lines.to_vec()));
        let plan = Options { tokens, jieba_dict, ..Options::default() }.plan();
        plan.map(|plan| plan.jieba_words().map_or(0, |words| words.lines().len()))
    };
    if words_of(&lines).is_ok_and(|words| words == lines.len()) {
        return Ok(lines);
    }
    let mut others = Vec::new();
    for (index, line) in content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let words = words_of(&[line.to_owned()]);
        let words = words.map_err(|error| Usage(format!("{}:{}: {error}", path.display(), index + 1)))?;
        if words == 0 {
            others.extend(line.split_whitespace().next());
        }
    }
    if !others.is_empty() {
        let words = several(others.len() as u64, "word");
        let more = if others.len() > MOST_NAMED { ", …" } else { "" };
        let named = others.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
        note(&format!(
            "{}: {words} of {} left out, as they are not Chinese alone: {named}{more}",
            path.display(),
            lines.len()
        ));
    }
    Ok(lines)
}

/// The table of feature hashes in a file.
pub(super) fn feature_hashes(path: &Path, plan: &Plan) -> anyhow::Result<FeatureHashes> {
    let content = std::fs::read_to_string(path)
        .with_context(|| format!("--feature-hash-table {}: cannot read the file", path.display()))?;
    let (mut hashes, mut sketcher) = (FeatureHashes::default(), Sketcher::new(plan));
    for (index, line) in content.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |what: &str| Usage(format!("{}:{}: {what}", path.display(), index + 1));
        let hash = line.rsplit_once('\t').and_then(|(shingle, hash)| Some((shingle, hash_of(hash.trim())?)));
        let Some((shingle, hash)) = hash else {
            return Err(wrong("write a word or a shingle, a tab and a hash of 16 hexadecimal digits").into());
        };
        let tokens = sketcher.token_hashes(shingle).len();
        // A text of fewer tokens than a shingle has one feature.
        let &[feature] = sketcher.features(shingle) else {
            let message = format!(
                "\"{shingle}\" is not one shingle: it is {}, and a shingle has {}",
                several(tokens as u64, "token"),
                plan.shingle(),
            );
            return Err(wrong(&message).into());
        };
        if hashes.insert(feature, hash).is_some_and(|other| other != hash) {
            let message = format!("\"{shingle}\" has another hash in an earlier line; leave one of them out");
            return Err(wrong(&message).into());
        }
    }
    Ok(hashes)
}

/// The number of 16 hexadecimal digits.
fn hash_of(digits: &str) -> Option<u64> {
    let is_hash = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_hash.then(|| u64::from_str_radix(digits, 16).ok()).flatten()
}

/// The stop words of a language or of a file.
pub(in crate::args) fn stop_words(list: &str) -> anyhow::Result<Vec<String>> {
    if let Some(words) = text::stop_words(list) {
        return Ok(words.map(str::to_owned).collect());
    }
    if !Path::new(list).is_file() {
        let languages = stop_word_languages().collect::<Vec<_>>().join(" ");
        let message =
            format!("--stop-words {list}: there is no such file, and the languages are {languages}");
        return Err(Usage(message).into());
    }
    let content = std::fs::read_to_string(list)
        .with_context(|| format!("--stop-words {list}: cannot read the file"))?;
    Ok(content.split_whitespace().map(str::to_owned).collect())
}

/// Is this a language with stop words, and not a file?
pub(super) fn is_language(list: &str) -> bool {
    text::stop_words(list).is_some()
}
