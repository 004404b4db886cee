//! The output of `tune` for people, in at most 80 columns.

use lookalike_batch::{Experiment, Forecast, SettingForecasts, Tolerance, TuneAnswer, Tuning};
use lookalike_report::{count, several, size};
use std::fmt::{Result, Write};

const WIDTH: usize = 80;

/// The whole answer. `command` is the start and the end of the recommended command line.
pub(crate) fn text(tuning: &Tuning, command: Option<&[String; 2]>) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut text, tuning, command);
    text
}

fn write(text: &mut String, tuning: &Tuning, command: Option<&[String; 2]>) -> Result {
    let corpus = &tuning.corpus;
    writeln!(
        text,
        "corpus     {}, {} different; median length {}",
        several(corpus.documents, "document"),
        count(corpus.different),
        several(corpus.median_tokens, "token")
    )?;
    let sample = match tuning.sample {
        sample if sample == corpus.different => "all of them".to_owned(),
        sample => format!("{} of them", count(sample)),
    };
    writeln!(text, "sample     {sample}, compared exactly with all others")?;
    match &tuning.answer {
        TuneAnswer::Settings(answer) => settings(text, tuning, answer)?,
        TuneAnswer::Tolerance(answer) => tolerance(text, answer)?,
        TuneAnswer::Experiment(answer) => experiment(text, tuning, answer)?,
    }
    if let Some([start, end]) = command {
        writeln!(text, "\n  {start} \\\n    {end}")?;
    }
    Ok(())
}

fn settings(text: &mut String, tuning: &Tuning, answer: &SettingForecasts) -> Result {
    let exact = tuning.sample == tuning.corpus.different;
    writeln!(text, "similar    {}", similar(tuning))?;
    write!(text, "pairs      {}", count(answer.pairs))?;
    let [low, high] = answer.pairs_between.map(count);
    writeln!(text, "{}", if exact { String::new() } else { format!(", or {low} to {high} (95 %)") })?;
    let [low, high] = answer.with_partner_between.map(|share| 100.0 * share);
    write!(text, "partners   {:.1} % of the documents have one", 100.0 * answer.with_partner)?;
    writeln!(text, "{}", if exact { String::new() } else { format!(", or {low:.1} to {high:.1} % (95 %)") })?;

    writeln!(text, "\nPairs by Jaccard similarity; each half bar is a factor of {FACTOR}")?;
    let at = (tuning.threshold * 10.0).min(9.0) as usize;
    for (tenth, &pairs) in answer.pairs_by_tenth.iter().enumerate() {
        let (from, to) = (tenth as f64 / 10.0, (tenth + 1) as f64 / 10.0);
        let mark = if tenth == at && tuning.measure == "jaccard" { "  < threshold" } else { "" };
        writeln!(text, "  {from:.1} to {to:.1}  {:30}{:>15}{mark}", bar(pairs), count(pairs))?;
    }

    shingles(text, answer)?;
    forecasts(text, answer)?;
    advice(text, tuning, answer)
}

/// The pairs that other shingles would find.
fn shingles(text: &mut String, answer: &SettingForecasts) -> Result {
    if let [_, _, ..] = &answer.shingles[..] {
        writeln!(text, "\nShingles, at the same threshold")?;
        writeln!(text, "  tokens{:>16}{:>18}   changes in a median document", "pairs", "with a partner")?;
        for shingle in &answer.shingles {
            let changes = shingle.changes.map_or_else(|| "-".to_owned(), count);
            let partner = format!("{:.1} %", 100.0 * shingle.with_partner);
            writeln!(text, "{:8}{:>16}{partner:>18}{changes:>31}", shingle.shingle, count(shingle.pairs))?;
        }
    }
    Ok(())
}

/// The recall and cost of each setting, and its curve.
fn forecasts(text: &mut String, answer: &SettingForecasts) -> Result {
    writeln!(text, "\nSettings{:26}{:>10}{:>14}{:>11}{:>10}", "", "recall", "candidates", "memory", "time")?;
    for (index, setting) in answer.forecasts.iter().enumerate() {
        let mark = if index == answer.recommended { '*' } else { ' ' };
        let recall = format!("{:.2} %", 100.0 * setting.recall);
        let (memory, time) = (bytes(setting.memory_bytes), format!("{:.2} s", setting.seconds));
        writeln!(
            text,
            "{mark} {:32}{recall:>10}{:>14}{memory:>11}{time:>10}",
            name(setting),
            count(setting.candidates)
        )?;
    }
    writeln!(text, "\nChance to be found, from 0.05 to 1{:>26}{:>9}{:>11}", "at 0.5", "at 0.7", "threshold")?;
    for setting in answer.forecasts.iter().filter(|setting| setting.method != "exact") {
        let curve: String = setting.s_curve.iter().map(|&chance| block(chance)).collect();
        let t = setting.chance_at_threshold;
        let at = |tenth: usize| setting.s_curve[2 * tenth - 1];
        writeln!(text, "  {:30}{curve} {:7.3}{:9.3}{:11.3}", name(setting), at(5), at(7), t)?;
    }
    Ok(())
}

/// The recommended setting, with warnings.
fn advice(text: &mut String, tuning: &Tuning, answer: &SettingForecasts) -> Result {
    let take = &answer.forecasts[answer.recommended];
    paragraph(text, &format!("Use {}. {}", name(take), answer.reason))?;
    let each = 2 * take.candidates / tuning.corpus.different.max(1);
    if each > MANY {
        let note = format!(
            "On average, a document has {} candidates. These texts share a lot, such as a menu on every page. The times \
             are for a comparison of all candidates. dedup skips pairs that are already in one cluster, and needs less \
             time. A higher threshold gives fewer candidates.",
            count(each)
        );
        paragraph(text, &note)?;
    }
    if let Some(0) =
        answer.shingles.iter().find(|other| other.shingle == tuning.shingle).and_then(|it| it.changes)
    {
        let hint = format!(
            "Half of the documents have so few tokens that one changed token takes them below the threshold. \
             lookalike tune --tolerate 5% recommends a shingle shorter than {}.",
            tuning.shingle
        );
        paragraph(text, &hint)?;
    }
    Ok(())
}

fn tolerance(text: &mut String, answer: &Tolerance) -> Result {
    let changed = format!("{} %", (answer.changed * 1e4).round() / 100.0);
    writeln!(text, "similar    documents that differ in up to {changed} of their tokens")?;
    writeln!(text, "measured   on {}", several(answer.copies, "edited document"))?;
    writeln!(text, "\n  shingle   Jaccard   threshold   copies found           pairs   with a partner")?;
    for (index, shingle) in answer.shingles.iter().enumerate() {
        let mark = if index == answer.recommended { '*' } else { ' ' };
        let reached =
            shingle.reached.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
        let partner = format!("{:.1} %", 100.0 * shingle.with_partner);
        writeln!(
            text,
            "{mark} {:7}{:10.3}{:12.2}{reached:>15}{:>16}{partner:>17}",
            shingle.shingle,
            shingle.expected,
            shingle.threshold,
            count(shingle.pairs)
        )?;
    }
    let model = "Jaccard: the expected similarity of a document and a copy in which each token is changed with this probability. \
                 Threshold: this similarity, or the one that 95 % of the edited copies reach, if that is lower. \
                 Copies found: the share of the edited copies at or above the threshold. Pairs: the pairs of the corpus at or above it.";
    paragraph(text, model)?;
    if answer.copies == 0 {
        let none = format!(
            "No copies were made: in every document of the sample, {changed} of the tokens is less than one token."
        );
        paragraph(text, &none)?;
    }
    let take = &answer.shingles[answer.recommended];
    let advice =
        format!("Use shingles of {} and a threshold of {}. {}", take.shingle, take.threshold, answer.reason);
    paragraph(text, &advice)
}

fn experiment(text: &mut String, tuning: &Tuning, answer: &Experiment) -> Result {
    writeln!(text, "similar    {}", similar(tuning))?;
    writeln!(
        text,
        "pairs      {}, {} values per signature\n",
        count(answer.pairs),
        count(answer.num_perm as u64)
    )?;
    let ratio = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"));
    writeln!(text, "  bands  rows  threshold  precision  of candidates  recall     F1    candidates")?;
    for row in &answer.bandings {
        writeln!(
            text,
            "{:7}{:6}{:11.3}{:>11}{:>15}{:>8}{:>7}{:>14}",
            row.bands,
            row.rows,
            row.threshold,
            ratio(row.precision),
            ratio(row.candidate_precision),
            ratio(row.recall),
            ratio(row.f1),
            count(row.candidates)
        )?;
    }
    let note = "Threshold: (1 / bands)^(1 / rows). A pair of this similarity is found with a probability of about 0.64. \
                Precision: the share of true pairs among the reported ones, after every candidate was compared. \
                Of candidates: their share among the candidates, which a search without comparison would report. \
                Copies of a text are not counted.";
    paragraph(text, note)
}

/// The measure and threshold, in words.
fn similar(tuning: &Tuning) -> String {
    let tokens = if tuning.tokens == "chars" { "character" } else { "word" };
    let measure = if tuning.measure == "jaccard" { "Jaccard" } else { tuning.measure };
    format!("{measure} {} or more of {}-{tokens} shingles", tuning.threshold, tuning.shingle)
}

fn name(setting: &Forecast) -> String {
    match (setting.num_perm, setting.bands, setting.rows, setting.hamming) {
        (Some(num_perm), Some(bands), Some(rows), _) => format!("minhash of {num_perm}, {bands} × {rows}"),
        (.., Some(hamming)) => format!("simhash within {hamming}, verified"),
        _ => setting.method.to_owned(),
    }
}

/// The scale of half a character of a bar: 30 characters are enough for all pairs of a billion documents.
const FACTOR: u32 = 2;

/// Candidates of a document from which a warning is printed.
const MANY: u64 = 1_000;

/// A bar on a logarithmic scale: empty for 0, half a character for 1.
fn bar(pairs: u64) -> String {
    let halves = if pairs == 0 { 0 } else { (pairs as f64).log(f64::from(FACTOR)) as usize + 1 };
    "█".repeat(halves / 2) + if halves % 2 == 1 { "▌" } else { "" }
}

/// A share as a block of that height. A share of 0 is blank.
fn block(share: f64) -> char {
    const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    BLOCKS[((share * 8.0).round() as usize).min(8)]
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => size(bytes),
        1_000_000..10_000_000_000 => format!("{} MB", count(bytes / 1_000_000)),
        _ => format!("{} GB", count(bytes / 1_000_000_000)),
    }
}

/// A paragraph after an empty line, in lines of [`WIDTH`].
fn paragraph(text: &mut String, words: &str) -> Result {
    writeln!(text)?;
    let mut room = WIDTH + 1;
    for word in words.split_whitespace() {
        let length = word.chars().count();
        let (between, left) = match room {
            _ if room > WIDTH => ("", WIDTH - length.min(WIDTH)),
            _ if room > length => (" ", room - length - 1),
            _ => ("\n", WIDTH - length.min(WIDTH)),
        };
        write!(text, "{between}{word}")?;
        room = left;
    }
    writeln!(text)
}
