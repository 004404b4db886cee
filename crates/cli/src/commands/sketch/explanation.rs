//! How fingerprints are made, for readers: for each document a table of its features, a table of its bits, and the
//! fingerprint.

use lookalike::simhash::{ExplainedFeature, ExplainedFingerprint};
use lookalike::{Plan, Tie, Weighting};
use lookalike_engine::SearchSummary;
use lookalike_report::{SketchSummary, count, counted_tokens, several, sketched_by, visible};
use std::fmt::Write;

/// Bits in a row of a table: four hexadecimal digits, and a block of a search for a distance of three in 64 bits.
const ROW: usize = 16;

/// Features that are listed. A document of a few pages has no more.
const FEATURES: usize = 1000;

/// The explanations of the documents in `summary`, as lines of text.
pub(super) fn write(plan: &Plan, summary: &SketchSummary) -> String {
    let mut lines = String::new();
    write_to(&mut lines, plan, summary).expect("to write into a string cannot fail");
    lines
}

fn write_to(lines: &mut String, plan: &Plan, summary: &SketchSummary) -> std::fmt::Result {
    let simhash = plan.simhash().unwrap_or_default();
    let hash = match &summary.plan.search {
        SearchSummary::Fingerprints { hash_table: Some(_), .. } => "by a table",
        _ => plan.feature_hash().name(),
    };
    writeln!(lines, "{} bits {}, hash {hash}.", simhash.bits.count(), sketched_by(&summary.plan))?;
    writeln!(lines, "{}", weight_rule(plan.weighting()))?;
    writeln!(
        lines,
        "The sum of a bit is the weight of all features that have a 1 there, minus the weight of the others."
    )?;
    let above = match simhash.tie {
        Tie::Zero => "above 0",
        Tie::One => "0 or above",
    };
    writeln!(lines, "A bit of the fingerprint is 1 if its sum is {above}.")?;
    let returned = summary.returned.as_deref();
    for (id, explained) in returned.iter().flat_map(|returned| returned.ids.iter().zip(&returned.explained)) {
        let tokens = counted_tokens(plan, explained.tokens);
        let features = several(explained.features.len(), "different feature");
        writeln!(
            lines,
            "\n{}: {tokens}{}, {features}\n",
            visible(&on_one_line(id)),
            stop_words(explained.stop_words)
        )?;
        write_features(lines, explained)?;
        write_sums(lines, explained)?;
    }
    let shown = returned.map_or(0, |returned| returned.explained.len() as u64);
    match summary.read.documents - shown {
        0 => Ok(()),
        others => writeln!(
            lines,
            "\n{} not explained: --explain takes the first {shown}.",
            match others {
                1 => "1 more document is".to_owned(),
                others => format!("{} more documents are", count(others)),
            }
        ),
    }
}

fn weight_rule(weighting: Weighting) -> &'static str {
    match weighting {
        Weighting::Set => "The weight of a feature is 1, however often it occurs.",
        Weighting::Tf => "The weight of a feature is its count.",
        Weighting::LogTf => "The weight of a feature is 128 times 1 + log2(count), rounded down.",
        Weighting::TfIdf => {
            "The weight of a feature is its count times 1048576 ln(N / (df + 1)), rounded: df of N documents have it."
        }
        Weighting::Levels => "The weight of a feature is its count times its level.",
    }
}

fn stop_words(number: usize) -> String {
    match number {
        0 => String::new(),
        number => format!(", with {}", several(number, "stop word")),
    }
}

/// The table of features.
fn write_features(lines: &mut String, explained: &ExplainedFingerprint) -> std::fmt::Result {
    let bits = explained.sums.len();
    let wide = |of: fn(&ExplainedFeature) -> u32, name: &str| {
        let widest = explained.features.iter().map(|feature| of(feature).to_string().len()).max();
        widest.unwrap_or(0).max(name.len())
    };
    let (counts, weights) =
        (wide(|feature| feature.count, "count"), wide(|feature| feature.weight, "weight"));
    let (digits, places) = (bits / 4, bits + bits / ROW - 1);
    if !explained.features.is_empty() {
        let title = format!("bits {} to 0", bits - 1);
        writeln!(
            lines,
            "{:>counts$}  {:>weights$}  {:<digits$}  {title:<places$}  feature",
            "count", "weight", "hash"
        )?;
    }
    for ExplainedFeature { shingle, hash, count, weight } in explained.features.iter().take(FEATURES) {
        let all: Vec<String> = rows(bits).map(|low| binary(*hash, low)).collect();
        let shingle = visible(&on_one_line(shingle));
        writeln!(
            lines,
            "{count:>counts$}  {weight:>weights$}  {hash:0digits$x}  {}  {shingle}",
            all.join(" ")
        )?;
    }
    match explained.features.len().saturating_sub(FEATURES) {
        0 => Ok(()),
        others => writeln!(lines, "{} more features are not listed. They count in the sums.", count(others)),
    }
}

/// The table of bits, and the fingerprint.
fn write_sums(lines: &mut String, explained: &ExplainedFingerprint) -> std::fmt::Result {
    let ExplainedFingerprint { sums, fingerprint, .. } = explained;
    if fingerprint.is_empty() {
        return writeln!(lines, "No feature has a weight, so there is no fingerprint.");
    }
    let width = sums.iter().map(|sum| signed(*sum).len()).max().unwrap_or(0);
    let sums_width = (width + 1) * ROW;
    writeln!(lines, "\n{:<9}{:<sums_width$}  fingerprint", "bits", "sums")?;
    for low in rows(sums.len()) {
        let title = format!("{}-{low}", low + ROW - 1);
        write!(lines, "{title:<8}")?;
        for sum in sums[low..low + ROW].iter().rev() {
            write!(lines, " {:>width$}", signed(*sum))?;
        }
        let value = fingerprint.value();
        writeln!(lines, "   {}  {:04x}", binary(value, low), value >> low & 0xffff)?;
    }
    writeln!(lines, "\nfingerprint {fingerprint}")
}

/// The lowest bit of each row, the highest row first.
fn rows(bits: usize) -> impl Iterator<Item = usize> {
    (0..bits).step_by(ROW).rev()
}

/// Line ends and tabs as spaces, so that an id looks like no other line.
fn on_one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

/// The bits of a row, the highest first.
fn binary(value: u128, low: usize) -> String {
    format!("{:016b}", value >> low & 0xffff)
}

/// A sum with its sign.
fn signed(sum: i128) -> String {
    if sum == 0 { "0".to_owned() } else { format!("{sum:+}") }
}
