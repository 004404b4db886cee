//! A comparison for people: the measures, then the passages. Marks show the parts that only one text has.

use anstyle::{AnsiColor, Style};
use lookalike::compare::Passage;
use lookalike_report::{ComparisonPage, count, counted_tokens, figures, visible};
use std::fmt::Write;

const BOLD: Style = Style::new().bold();
const ONLY_A: Style = AnsiColor::Red.on_default();
const ONLY_B: Style = AnsiColor::Green.on_default();

/// Characters that are shown at the start and at the end of a stretch. The middle of a longer one is left out.
const SHOWN: usize = 160;

/// Parts that are shown at the start and at the end of a passage: a few screens. The other formats have the rest.
const PARTS: (usize, usize) = (60, 20);

/// The comparison as lines of text, with colours.
pub(super) fn write(page: &ComparisonPage<'_>) -> String {
    let mut lines = String::new();
    write_to(&mut lines, page).expect("to write into a string cannot fail");
    lines
}

fn write_to(lines: &mut String, page: &ComparisonPage<'_>) -> std::fmt::Result {
    for (letter, index) in [("A", 0), ("B", 1)] {
        let name = on_one_line(page.names[index]);
        writeln!(
            lines,
            "{BOLD}{letter}{BOLD:#}  {name}  ({})",
            counted_tokens(page.plan, page.tokens[index])
        )?;
    }
    writeln!(lines, "\n{BOLD}{}{BOLD:#}\n", page.comparison.verdict)?;
    let figures = figures(page);
    let width = figures.iter().map(|figure| figure.value.chars().count()).max().unwrap_or(0);
    for figure in figures {
        writeln!(lines, "{:<17} {:<width$}  {}", figure.name, figure.value, figure.note)?;
    }
    for (number, passage) in (1..).zip(&page.passages.passages) {
        let (left, right) = (&passage.left.chars, &passage.right.chars);
        writeln!(
            lines,
            "\n{BOLD}Passage {number}{BOLD:#}: {}, characters {}-{} of A, {}-{} of B",
            counted_tokens(page.plan, passage.tokens()),
            count(left.start),
            count(left.end),
            count(right.start),
            count(right.end)
        )?;
        writeln!(lines, "  {}", marked(page, passage))?;
    }
    Ok(())
}

/// Equal parts as A writes them, and others as `[-only in A-]` and `{+only in B+}`.
fn marked(page: &ComparisonPage<'_>, passage: &Passage) -> String {
    let [left, right] = page.texts;
    let (mut left_at, mut right_at) = (passage.left.bytes.start, passage.right.bytes.start);
    let mut parts = Vec::new();
    for equal in &passage.equal {
        let between = [&left[left_at..equal.left.bytes.start], &right[right_at..equal.right.bytes.start]];
        let [only_left, only_right] = between.map(on_one_line);
        // If only punctuation differs, the tokens are equal.
        if only_left != only_right {
            let marks = [(ONLY_A, "[-", only_left, "-]"), (ONLY_B, "{+", only_right, "+}")];
            let marks = marks.into_iter().filter(|(_, _, text, _)| !text.is_empty());
            parts.extend(
                marks.map(|(style, open, text, close)| format!("{style}{open}{text}{close}{style:#}")),
            );
        }
        parts.push(shortened(&on_one_line(&left[equal.left.bytes.clone()])));
        (left_at, right_at) = (equal.left.bytes.end, equal.right.bytes.end);
    }
    let (start, end) = PARTS;
    if parts.len() > start + end {
        let left_out = parts.len() - start - end;
        parts.splice(
            start..start + left_out,
            [format!("(… {} parts; --format html shows them …)", count(left_out))],
        );
    }
    parts.join(" ")
}

/// `text` with single spaces, without control characters.
fn on_one_line(text: &str) -> String {
    visible(&text.split_whitespace().collect::<Vec<&str>>().join(" "))
}

fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= 2 * SHOWN + SHOWN / 2 {
        return text.to_owned();
    }
    let (start, end): (String, String) =
        (text.chars().take(SHOWN).collect(), text.chars().skip(length - SHOWN).collect());
    format!("{} (… {} characters …) {}", start.trim_end(), count(length - 2 * SHOWN), end.trim_start())
}
