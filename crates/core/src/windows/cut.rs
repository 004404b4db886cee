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

/// What stands between two tokens: marks of the first, white space with what is in it, and marks of the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Gap<'t> {
    behind: &'t str,
    space: &'t str,
    before: &'t str,
}

/// Marks that end a sentence, a quote or a bracket. They belong to the word before them even if no white space follows.
const CLOSING: &str = ".!?…。！？”’»\"')]}」』）";

impl<'t> Gap<'t> {
    fn of(gap: &'t str) -> Self {
        let is_space = |c: char| c.is_whitespace();
        let Some(first) = gap.find(is_space) else {
            let behind = gap.len() - gap.trim_start_matches(|c| CLOSING.contains(c)).len();
            return Gap { behind: &gap[..behind], space: "", before: &gap[behind..] };
        };
        let last = gap.len() - gap.rsplit(is_space).next().map_or(0, str::len);
        Gap { behind: &gap[..first], space: &gap[first..last], before: &gap[last..] }
    }

    /// How strongly its white space separates: a blank line, the end of a line, white space, nothing.
    fn strength(self) -> usize {
        let line_ends = self.space.bytes().filter(|&byte| byte == b'\n').take(2).count();
        2 * line_ends + usize::from(!self.space.is_empty())
    }

    /// The gap of two tokens between which a run stood, whose gaps were these.
    fn joined(before: &'t str, after: &'t str) -> [&'t str; 3] {
        let (first, last) = (Gap::of(before), Gap::of(after));
        // Without white space, marks touch the run too.
        let last = if last.space.is_empty() { Gap::default() } else { last };
        match first.strength().max(last.strength()) {
            // Two words must not become one.
            0 => [if before.is_empty() { after } else { before }, "", ""],
            strongest if strongest == first.strength() => [first.behind, first.space, last.before],
            _ => [first.behind, last.space, last.before],
        }
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
            let gap = match (from == 0, to == places.len()) {
                (true, true) => return String::new(),
                (true, false) => {
                    let Gap { behind, space, .. } = Gap::of(gap_before);
                    [if space.is_empty() { "" } else { behind }, space, Gap::of(gap_after).before]
                }
                (false, true) => [Gap::of(gap_before).behind, Gap::of(gap_after).space, ""],
                (false, false) => Gap::joined(gap_before, gap_after),
            };
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
