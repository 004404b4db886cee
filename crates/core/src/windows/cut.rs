//! Texts without some of their tokens.

use crate::text::Located;
use std::ops::Range;

/// Removes runs of tokens from texts, as a person would: no word and no character is cut in two, and the gaps on either side of a
/// removed run become one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextCutter {
    /// Whether a run shrinks to whole lines.
    pub at_lines: bool,
    /// What stands in place of a removed run, between the gaps on either side of it. Without it, one of the two gaps stays.
    pub mask: Option<String>,
}

/// A part of what stands between two tokens: marks, and the white space on the side of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Gap<'t> {
    marks: &'t str,
    space: &'t str,
}

/// Marks that end a sentence, a quote or a bracket. They belong to the word before them even if no white space follows.
const CLOSING: &str = ".!?…。！？”’»\"')]}」』）";

fn is_space(c: char) -> bool {
    c.is_whitespace()
}

impl<'t> Gap<'t> {
    /// What stays of a gap before a run. Marks that touch the run go. If the run ends its line, marks at the start of this line go too, such as
    /// that of an item.
    fn before(gap: &'t str, is_start: bool, ends_line: bool) -> Self {
        let Some(last) = gap.rfind(is_space) else {
            let closing = gap.len() - gap.trim_start_matches(|c| CLOSING.contains(c)).len();
            return Gap { marks: if is_start { "" } else { &gap[..closing] }, space: "" };
        };
        let mut stays = &gap[..last + gap[last..].chars().next().map_or(0, char::len_utf8)];
        if ends_line {
            match stays.rfind('\n') {
                Some(line_end) => stays = &stays[..=line_end],
                None if is_start => stays = "",
                None => {}
            }
        }
        let marks = stays.trim_end_matches(is_space);
        Gap { marks, space: &stays[marks.len()..] }
    }

    /// What stays of a gap behind a run. Marks that touch the run go.
    fn behind(gap: &'t str) -> Self {
        let stays = gap.find(is_space).map_or("", |first| &gap[first..]);
        let marks = stays.trim_start_matches(is_space);
        Gap { marks, space: &stays[..stays.len() - marks.len()] }
    }

    /// How strongly its white space separates: a blank line, the end of a line, other white space, nothing.
    fn strength(self) -> usize {
        let line_ends = self.space.bytes().filter(|&byte| byte == b'\n').take(2).count();
        2 * line_ends + usize::from(!self.space.is_empty())
    }
}

/// The gap of two tokens between which a run stood, whose gaps were these.
fn joined<'t>(before: &'t str, after: &'t str, is_start: bool, is_end: bool) -> [&'t str; 3] {
    let last = Gap::behind(after);
    let first = Gap::before(before, is_start, is_end || last.space.contains('\n'));
    if is_end {
        return [first.marks, last.space, last.marks];
    }
    if is_start {
        return [first.marks, first.space, last.marks];
    }
    match first.strength().max(last.strength()) {
        // Two words must not become one.
        0 if first.marks.is_empty() => [if before.is_empty() { after } else { before }, "", ""],
        strongest if strongest == first.strength() => [first.marks, first.space, last.marks],
        _ => [first.marks, last.space, last.marks],
    }
}

impl TextCutter {
    /// The runs as they can be cut out: shorter where they would cut a character in two, and, if asked for, whole lines. Some may vanish. Runs
    /// ascend, and a token stands between two of them.
    pub fn fitted(&self, text: &Located<'_>, runs: &[Range<usize>]) -> Vec<Range<usize>> {
        let runs = runs.iter().map(|run| text.of_whole_characters(run.clone()));
        let runs = runs.map(|run| if self.at_lines { of_whole_lines(text, run) } else { run });
        runs.filter(|run| !run.is_empty()).collect()
    }

    /// The text without `runs`, which are [fitted](TextCutter::fitted).
    ///
    /// Marks go with the words that they touch. Of the white space before a run and behind it, the one that separates more strongly stays: a
    /// blank line, the end of a line, other white space. If they are equal, it is the first. The white space at the ends of the text stays. A
    /// text of which no token is left is empty.
    pub fn cut(&self, text: &Located<'_>, runs: &[Range<usize>]) -> String {
        let (places, whole) = (text.places(), text.text());
        let mut left = String::with_capacity(whole.len());
        let mut copied = 0;
        for run in runs {
            let Range { start: from, end: to } = *run;
            let (start, end) = (places[from].bytes.start, places[to - 1].bytes.end);
            if let Some(mask) = &self.mask {
                left.push_str(&whole[copied..start]);
                left.push_str(mask);
                copied = end;
                continue;
            }
            let before = from.checked_sub(1).map_or(0, |token| places[token].bytes.end);
            let after = places.get(to).map_or(whole.len(), |place| place.bytes.start);
            let (gap_before, gap_after) = (&whole[before..start], &whole[end..after]);
            left.push_str(&whole[copied..before]);
            let (is_start, is_end) = (from == 0, to == places.len());
            if is_start && is_end {
                return String::new();
            }
            let gap = joined(gap_before, gap_after, is_start, is_end);
            gap.into_iter().for_each(|part| left.push_str(part));
            copied = after;
        }
        left.push_str(&whole[copied..]);
        left
    }
}

/// The tokens of a run that are in lines of which nothing else is left.
fn of_whole_lines(text: &Located<'_>, Range { start, end }: Range<usize>) -> Range<usize> {
    let (places, whole) = (text.places(), text.text());
    if start == end {
        return start..end;
    }
    let before = if start == 0 { 0 } else { places[start - 1].bytes.end };
    let after = places.get(end).map_or(whole.len(), |place| place.bytes.start);
    let line_end = |at: usize| at + 1;
    let first = match start {
        0 => Some(0),
        _ => whole[before..after].find('\n').map(|at| before + line_end(at)),
    };
    let last = match end == places.len() {
        true => Some(after),
        false => whole[before..after].rfind('\n').map(|at| before + line_end(at)),
    };
    let (Some(first), Some(last)) = (first, last) else { return start..start };
    let here = &places[start..end];
    let from = start + here.partition_point(|place| place.bytes.start < first);
    let to = start + here.partition_point(|place| place.bytes.end <= last);
    from..to.max(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Plan, Sketcher};

    fn cut(text: &str, run: Range<usize>, cutter: &TextCutter) -> String {
        let mut sketcher = Sketcher::new(&Plan::default());
        let located = sketcher.locate(text);
        cutter.cut(&located, &cutter.fitted(&located, &[run]))
    }

    #[test]
    fn marks_go_with_their_words_and_one_of_two_spaces_stays() {
        let plain = TextCutter::default();
        for (text, run, left) in [
            ("one two three four", 1..3, "one four"),
            ("One. Two three. Four.", 1..3, "One. Four."),
            ("one\n\ntwo three four", 1..3, "one\n\nfour"),
            ("one two\nthree.\n\nfour", 1..3, "one\n\nfour"),
            ("One: “two three”\nfour", 1..3, "One:\nfour"),
            ("one (two three) four", 1..3, "one four"),
            ("one two three “four”", 1..3, "one “four”"),
            ("one-two/three four", 1..3, "one four"),
            ("one-two/three-four", 1..3, "one-four"),
            ("one two-three/four", 1..3, "one four"),
            ("一二三四", 1..3, "一四"),
            ("一。二三。四", 1..3, "一。四"),
            ("一。二三。\n四", 1..3, "一。\n四"),
            ("  one, two three.  ", 0..2, "  three.  "),
            ("- “one two” three", 0..2, "- three"),
            ("# one two\n\nthree", 0..2, "three"),
            ("one\n- two three\nfour", 1..3, "one\nfour"),
            ("one\n\n- two three\n\nfour", 1..3, "one\n\nfour"),
            ("one\n- [ ] two three\n- [x] four", 1..3, "one\n- [x] four"),
            ("one\n- two three four", 1..3, "one\n- four"),
            ("one\n```\ntwo three\n```\n\nfour", 1..3, "one\n```\n```\n\nfour"),
            ("one\n---\ntwo three", 1..3, "one\n---"),
            ("one 😀 two three 😀 four", 1..3, "one 😀 😀 four"),
            ("| one two | three |", 0..2, "| | three |"),
            ("“one two” three", 0..2, "three"),
            ("One. Two three.\n", 1..3, "One.\n"),
            ("One. Two three", 1..3, "One."),
            ("  one, two.  ", 0..2, ""),
        ] {
            assert_eq!(cut(text, run, &plain), left, "{text:?}");
        }
    }

    #[test]
    fn several_runs_are_cut_out_of_one_text() {
        let text = "a b, c d\n\ne f g. h";
        let located = Sketcher::new(&Plan::default()).locate(text);
        let cutter = TextCutter::default();
        assert_eq!(cutter.cut(&located, &[1..3, 4..6, 7..8]), "a d\n\ng.");
        let masking = TextCutter { mask: Some("…".to_owned()), ..cutter };
        assert_eq!(masking.cut(&located, &[1..3, 4..6, 7..8]), "a …, … d\n\n… g. …".replace(", …", ""));
    }

    #[test]
    fn a_character_of_two_tokens_stays_if_one_of_them_does() {
        let plain = TextCutter::default();
        assert_eq!(cut("１ ㌔ ２", 0..2, &plain), "㌔ ２");
        assert_eq!(cut("１ ㌔ ２", 2..4, &plain), "１ ㌔");
        assert_eq!(cut("１ ㌔ ２", 1..3, &plain), "１ ２");
        assert_eq!(cut("１ ㌔ ２", 1..2, &plain), "１ ㌔ ２");
    }

    #[test]
    fn runs_shrink_to_whole_lines() {
        let lines = TextCutter { at_lines: true, mask: None };
        for (text, run, left) in [
            ("one two\nthree four\nfive six", 1..5, "one two\nfive six"),
            ("one two\nthree four\nfive six", 0..3, "three four\nfive six"),
            ("one two\nthree four\nfive six", 3..6, "one two\nthree four"),
            ("one two\nthree four\nfive six", 0..6, ""),
            ("one two\nthree four\nfive six", 2..3, "one two\nthree four\nfive six"),
            ("one two\nthree four\nfive six", 2..4, "one two\nfive six"),
            ("one two three", 0..2, "one two three"),
        ] {
            assert_eq!(cut(text, run.clone(), &lines), left, "{text:?} {run:?}");
        }
    }
}
