//! Cutting repeated passages, compared with the definition.

use crate::against::rows;
use lookalike::windows::{KeptOccurrence, TextCutter};
use lookalike::{Plan, Sketcher};
use lookalike_batch::{Against, CutSpans, Job};
use lookalike_engine::progress::Monitor;
use lookalike_engine::spans::SpanSettings;
use lookalike_reference::spans::{KeptWindows, removed_tokens};
use lookalike_report::SpansSummary;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::fmt::Write;
use std::path::Path;

/// Texts and their groups. The first `against` of them are only compared against.
#[derive(Clone, Debug)]
struct Corpus {
    texts: Vec<Vec<String>>,
    groups: Vec<usize>,
    against: usize,
}

#[derive(Clone, Copy, Debug)]
struct Asked {
    length: usize,
    keep: KeptWindows,
    whole: bool,
    within: bool,
}

/// Words of one or more tokens: `٣` and `é` take more bytes than characters, and `㌔` is one character of two tokens.
const WORDS: [&str; 6] = ["a", "b", "Éa", "c-d", "日本", "㌔"];

fn corpora() -> impl Strategy<Value = Corpus> {
    let words = |most| prop::collection::vec(prop::sample::select(&WORDS[..]), 1..most);
    let part = prop_oneof![
        words(20).prop_map(|words| (words, 1)),
        (words(5), 1_usize..12).prop_map(|(words, times)| (words, times))
    ];
    let copied = (any::<prop::sample::Index>(), 0_usize..20, 1_usize..30);
    let text = prop::collection::vec((part, prop::option::of(copied)), 0..5);
    (prop::collection::vec((text, 0_usize..2), 1..9), any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(made, against, is_against)| {
            let mut texts: Vec<Vec<String>> = Vec::new();
            for (parts, _) in &made {
                let mut text = Vec::new();
                for ((words, times), copied) in parts {
                    (0..*times).for_each(|_| text.extend(words.iter().map(|&word| word.to_owned())));
                    if let (Some((other, from, count)), false) = (copied, texts.is_empty()) {
                        text.extend(other.get(&texts).iter().skip(*from).take(*count).cloned());
                    }
                }
                texts.push(text);
            }
            let against = if is_against { against.index(texts.len()) } else { 0 };
            Corpus { groups: made.iter().map(|(_, group)| *group).collect(), texts, against }
        },
    )
}

fn asked() -> impl Strategy<Value = Asked> {
    (1_usize..12, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(length, none, whole, within)| {
        Asked { length, keep: if none { KeptWindows::None } else { KeptWindows::First }, whole, within }
    })
}

/// Writes some of the texts, with a line for each.
fn write(path: &Path, corpus: &Corpus, documents: std::ops::Range<usize>) -> String {
    let mut lines = String::new();
    for document in documents {
        let (text, group) = (corpus.texts[document].join(" "), corpus.groups[document]);
        writeln!(lines, "{{\"id\": {document}, \"group\": {group}, \"text\": \"{text}\", \"x\": null}}")
            .unwrap();
    }
    std::fs::write(path, lines).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The run, which writes `out.jsonl` and `removed.tsv`.
fn run(folder: &Path, corpus: &Corpus, asked: Asked, threads: usize) -> SpansSummary {
    let path = |name: &str| folder.join(name);
    let inputs = vec![write(&path("in.jsonl"), corpus, corpus.against..corpus.texts.len())];
    let mut job = Job { threads, ..Job::new(inputs, Plan::default()) };
    if asked.within {
        job.request.within = vec!["group".to_owned()];
    }
    let against = match corpus.against {
        0 => Vec::new(),
        against => vec![write(&path("against.jsonl"), corpus, 0..against)],
    };
    let spans = CutSpans {
        job,
        against: Against { inputs: against, ..Against::default() },
        settings: SpanSettings {
            length: asked.length,
            keep: match asked.keep {
                KeptWindows::First => KeptOccurrence::First,
                KeptWindows::None => KeptOccurrence::None,
            },
            whole: asked.whole,
        },
        cutter: TextCutter { at_lines: false, mask: Some("|".to_owned()) },
        min_left: 0,
        output: Some(path("out.jsonl")),
        removed: Some(path("removed.tsv")),
    };
    spans.run(&Monitor::default()).unwrap().publish(&Monitor::default()).unwrap()
}

/// What each text should be: a mark stands for each maximal run of removed tokens, but for the characters that have a kept token.
fn expected(corpus: &Corpus, asked: Asked) -> Vec<String> {
    let mut sketcher = Sketcher::new(&Plan::default());
    let texts: Vec<String> = corpus.texts.iter().map(|text| text.join(" ")).collect();
    let tokens: Vec<Vec<String>> =
        texts.iter().map(|text| sketcher.tokens(text).map(str::to_owned).collect()).collect();
    let groups = if asked.within { corpus.groups.clone() } else { vec![0; texts.len()] };
    let removed = removed_tokens(&tokens, &groups, corpus.against, asked.length, asked.keep, asked.whole);
    let cut = texts.iter().zip(removed).skip(corpus.against).map(|(text, removed)| {
        let located = sketcher.locate(text);
        let places = located.places();
        // A character goes only if all of its tokens go.
        let goes = |at: usize| (0..places.len()).all(|other| places[other] != places[at] || removed[other]);
        let mut left = String::new();
        let (mut copied, mut at) = (0, 0);
        while at < places.len() {
            let end = (at..places.len()).find(|&token| !goes(token)).unwrap_or(places.len());
            if end > at {
                left.push_str(&text[copied..places[at].bytes.start]);
                left.push('|');
                copied = places[end - 1].bytes.end;
            }
            at = end + 1;
        }
        left + &text[copied..]
    });
    cut.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, rng_seed: RngSeed::Fixed(46), ..ProptestConfig::default() })]
    #[test]
    fn texts_lose_what_the_definition_says(corpus in corpora(), asked in asked(), threads in 1_usize..4) {
        let is_against = corpus.against > 0;
        let asked = match is_against {
            true => Asked { keep: KeptWindows::First, whole: false, ..asked },
            false => asked,
        };
        let folder = tempfile::tempdir().unwrap();
        let summary = run(folder.path(), &corpus, asked, threads);
        let expected = expected(&corpus, asked);
        let written = std::fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
        let mut lines = String::new();
        for (document, text) in (corpus.against..).zip(&expected) {
            let group = corpus.groups[document];
            writeln!(lines, "{{\"id\": {document}, \"group\": {group}, \"text\": \"{text}\", \"x\": null}}").unwrap();
        }
        prop_assert_eq!(written, lines);
        // Each row of the list is a part of its text, and of its source.
        let texts: Vec<Vec<char>> = corpus.texts.iter().map(|text| text.join(" ").chars().collect()).collect();
        let mut sketcher = Sketcher::new(&Plan::default());
        let mut tokens = |text: &str| sketcher.tokens(text).map(str::to_owned).collect::<Vec<_>>();
        let list = rows(&folder.path().join("removed.tsv"));
        for row in &list {
            let number = |column: usize| row[column].parse::<usize>().unwrap();
            let part: String = texts[number(0)][number(1)..number(2)].iter().collect();
            prop_assert_eq!(&part, &row[8]);
            let whole = corpus.texts[number(0)].join(" ");
            prop_assert_eq!(&whole[number(3)..number(4)], &row[8]);
            let source: String = texts[number(6)][number(7)..].iter().collect();
            let part = tokens(&part);
            prop_assert_eq!(part.len(), number(5));
            // The source may begin with the second token of a character.
            let source = tokens(&source);
            prop_assert!(source.starts_with(&part) || source[1..].starts_with(&part));
        }
        let marks = expected.iter().map(|text| text.matches('|').count() as u64).sum::<u64>();
        prop_assert_eq!(summary.cut.passages, marks);
    }
}
