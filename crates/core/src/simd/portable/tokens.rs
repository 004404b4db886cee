//! The tokenizers, block by block: words of any text, words of a normal form, and what stands between white space.

use crate::characters::unicode::{is_invisible, is_whitespace};
use crate::characters::{
    CharacterRole, Classes, JOINER, SHARP_S, composed, expansion, final_kind, invisible_run, joins_emoji,
    normalise, stays_apart, unit_at,
};
use crate::simd::{FRONT, Spans};

/// One block of ASCII text, as the word and white-space tokenizers see it.
///
/// Both functions copy 64 bytes (`words` in lower case) and return two masks: the bytes that are not ASCII, and the
/// ASCII bytes that belong to tokens.
pub(crate) trait AsciiBlock {
    /// Converts 64 bytes for the word tokenizer.
    fn words(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64);
    /// Converts 64 bytes for the white-space tokenizer.
    fn whitespace(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64);
    /// The non-ASCII bytes, out of `high`, that may belong to white space. If the first byte of a character is not
    /// among them, none of its bytes are.
    #[inline(always)]
    fn may_be_space(_from: &[u8; 64], high: u64) -> u64 {
        high
    }
    /// Appends `base` + the position of each set bit of `mask` to `positions`.
    fn push_positions(mask: u64, base: u32, positions: &mut Vec<u32>);
}

pub(in crate::simd) struct Bytes;

/// For each ASCII byte its lower case, with the top bit set if it belongs to a word.
static WORD_BYTES: [u8; 128] = {
    let mut table = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        let c = byte as u8;
        table[byte] = c.to_ascii_lowercase() | if c.is_ascii_alphanumeric() || c == b'_' { 0x80 } else { 0 };
        byte += 1;
    }
    table
};

impl AsciiBlock for Bytes {
    #[inline(always)]
    fn words(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64) {
        let (mut high, mut mask) = (0, 0);
        for i in 0..64 {
            let entry = WORD_BYTES.get(from[i] as usize).copied().unwrap_or(0);
            to[i] = if from[i].is_ascii() { entry & 0x7f } else { from[i] };
            high |= u64::from(from[i] >> 7) << i;
            mask |= u64::from(entry >> 7) << i;
        }
        (high, mask)
    }

    #[inline(always)]
    fn whitespace(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64) {
        *to = *from;
        let (mut high, mut mask) = (0, 0);
        for (i, byte) in from.iter().enumerate() {
            high |= u64::from(byte >> 7) << i;
            mask |= u64::from(byte.is_ascii() && !matches!(byte, b'\t'..=b'\r' | b' ')) << i;
        }
        (high, mask)
    }

    #[inline(always)]
    fn push_positions(mut mask: u64, base: u32, positions: &mut Vec<u32>) {
        while mask != 0 {
            positions.push(base + mask.trailing_zeros());
            mask &= mask - 1;
        }
    }
}

/// How many times its length a text may have after normalisation. (`ำ` grows from three bytes to six. Some characters grow more.)
const ROOM: usize = 2;

/// The treatment of non-ASCII characters by a tokenizer.
pub(crate) trait Rule {
    /// Converts a block. Returns the bytes to be handled by character, at least the first byte of each such character,
    /// and the bytes that belong to words unless this handling decides otherwise.
    fn fold<B: AsciiBlock>(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64);
    /// The kind of `c` and the character to which it folds ([`SHARP_S`] for "ss"), if neither depends on more than the
    /// marks before it. For `None`, `write` is called.
    ///
    /// `is_after_ascii`: whether the character before it is ASCII.
    fn class(&mut self, c: char, is_after_ascii: bool) -> Option<(CharacterRole, char)>;
    /// Writes `c`, which is at `at` in `text`, together with any characters that belong to it. Returns their length in
    /// `text` in bytes, or `None` if the text must be normalised as a whole.
    fn write(&mut self, _text: &str, _at: usize, c: char, writer: &mut TokenWriter<'_>) -> Option<usize> {
        let (kind, folded) = self.class(c, false).unwrap_or((CharacterRole::Gap, c));
        writer.write(kind, folded);
        Some(c.len_utf8())
    }
    /// Called if the character before the next one is ASCII.
    fn starter(&mut self) {}
}

/// Words of text that is normalised on the way, if all of its characters allow this.
pub(crate) struct WordsRule {
    classes: &'static Classes,
    /// The combining class of the last character that is not hidden.
    combining: u8,
}

impl WordsRule {
    pub(crate) fn new() -> Self {
        WordsRule { classes: Classes::get(), combining: 0 }
    }
}

impl Rule for WordsRule {
    #[inline(always)]
    fn fold<B: AsciiBlock>(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64) {
        B::words(from, to)
    }

    #[inline(always)]
    fn class(&mut self, c: char, is_after_ascii: bool) -> Option<(CharacterRole, char)> {
        let class = self.classes.class(c);
        if class.is_simple() {
            self.combining = 0;
            return Some((class.kind(), class.folded()));
        }
        if is_after_ascii {
            self.combining = 0;
        }
        match class.kind() {
            kind @ (CharacterRole::Mark | CharacterRole::Gap) if class.combining() >= self.combining => {
                self.combining = class.combining();
                Some((kind, c))
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn write(&mut self, text: &str, at: usize, c: char, writer: &mut TokenWriter<'_>) -> Option<usize> {
        let class = self.classes.class(c);
        if class.kind() == CharacterRole::Hidden {
            // The previous character stays the previous one for the next.
            return Some(if is_invisible(c) { skip_invisible(text, at, writer) } else { c.len_utf8() });
        }
        let combining = class.combining();
        let before = std::mem::replace(&mut self.combining, combining);
        let in_order = combining == 0 || combining >= before;
        match class.kind() {
            // After another mark, the character that it composes with is farther away.
            CharacterRole::Complex if before == 0 && stays_apart(self.classes, &text[..at], c) => {
                writer.write(final_kind(c), c);
            }
            CharacterRole::Expands if in_order => {
                expansion(c).for_each(|part| writer.write(final_kind(part), part))
            }
            CharacterRole::Word | CharacterRole::Alone | CharacterRole::Mark | CharacterRole::Gap
                if in_order =>
            {
                writer.write(class.kind(), class.folded());
            }
            _ => {
                let (unit, written) = unit_at(self.classes, text, at, writer.inside)?;
                self.combining = 0;
                if let Some(c) = composed(self.classes, &text[unit.clone()]) {
                    writer.take_back(written);
                    writer.write(final_kind(c), c);
                    return Some(unit.end - at);
                }
                let normal = normalise(&text[unit.clone()]);
                if normal.len() > ROOM * unit.len() {
                    return None;
                }
                writer.take_back(written);
                normal.chars().for_each(|part| writer.write(final_kind(part), part));
                return Some(unit.end - at);
            }
        }
        Some(c.len_utf8())
    }

    #[inline(always)]
    fn starter(&mut self) {
        self.combining = 0;
    }
}

/// Skips the invisible characters at `at` and returns their length in bytes.
#[inline(never)]
fn skip_invisible(text: &str, at: usize, writer: &mut TokenWriter<'_>) -> usize {
    let run = invisible_run(&text[at..]);
    if joins_emoji(&text[..at], run, &text[at + run.len()..]) {
        writer.write(CharacterRole::Gap, JOINER);
    }
    run.len()
}

/// Words of a normal form.
pub(crate) struct NormalisedWords(&'static Classes);

impl NormalisedWords {
    pub(crate) fn new() -> Self {
        NormalisedWords(Classes::get())
    }
}

impl Rule for NormalisedWords {
    #[inline(always)]
    fn fold<B: AsciiBlock>(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64) {
        B::words(from, to)
    }

    #[inline(always)]
    fn class(&mut self, c: char, _is_after_ascii: bool) -> Option<(CharacterRole, char)> {
        let kind = match self.0.class(c).kind() {
            CharacterRole::Expands | CharacterRole::Hidden | CharacterRole::Complex => final_kind(c),
            kind => kind,
        };
        Some((kind, c))
    }
}

/// Words between white space.
pub(crate) struct Whitespace;

impl Rule for Whitespace {
    #[inline(always)]
    fn fold<B: AsciiBlock>(from: &[u8; 64], to: &mut [u8; 64]) -> (u64, u64) {
        match B::whitespace(from, to) {
            (0, words) => (0, words),
            // There are 19 white-space characters outside of ASCII. Nearly all text is therefore split without handling
            // single characters.
            (high, words) => (B::may_be_space(from, high), words | high),
        }
    }

    #[inline(always)]
    fn class(&mut self, c: char, _is_after_ascii: bool) -> Option<(CharacterRole, char)> {
        Some((if is_whitespace(c) { CharacterRole::Gap } else { CharacterRole::Word }, c))
    }
}

/// The output of the tokenizers: bytes, and the starts and ends of tokens.
pub(crate) struct TokenWriter<'a> {
    bytes: &'a mut [u8],
    starts: &'a mut Vec<u32>,
    ends: &'a mut Vec<u32>,
    at: usize,
    /// Whether the last character belongs to a token, and whether the last token is a [`CharacterRole::Alone`] with its marks.
    inside: bool,
    alone: bool,
}

impl TokenWriter<'_> {
    /// Appends one non-ASCII character.
    #[inline(always)]
    fn write(&mut self, kind: CharacterRole, c: char) {
        let joins = match kind {
            CharacterRole::Mark => self.inside,
            CharacterRole::Word => self.inside && !self.alone,
            _ => false,
        };
        if self.inside && !joins {
            self.ends.push(self.at as u32);
        }
        let counts = joins || matches!(kind, CharacterRole::Word | CharacterRole::Alone);
        if counts && !joins {
            self.starts.push(self.at as u32);
            self.alone = kind == CharacterRole::Alone;
        }
        if counts {
            self.at += c.encode_utf8(&mut self.bytes[self.at..self.at + 4]).len();
        }
        self.inside = counts;
    }

    /// Takes back the last `count` bytes, which are one letter with marks.
    #[inline(never)]
    fn take_back(&mut self, count: usize) {
        self.at -= count;
        if count > 0 && self.starts.last() == Some(&(self.at as u32)) {
            self.starts.pop();
            self.inside = false;
        }
    }

    /// Appends the first `count` bytes of the block, which was already converted in place at the writer's position.
    #[inline(always)]
    fn advance<B: AsciiBlock>(&mut self, count: usize, masks: Masks) {
        let valid = u64::MAX >> (64 - count);
        let words = masks.words & valid;
        let before = words << 1 | u64::from(self.inside);
        let (mut starts, mut ends) = (words & !before, !words & before & valid);
        if masks.alone != 0 || self.alone {
            // A token of one character ends where the next one starts, and so does a word behind it.
            let behind_alone = masks.alone << 1 | u64::from(self.alone);
            let cuts = masks.alone_starts | behind_alone & !masks.alone;
            starts |= words & cuts;
            ends |= before & cuts & valid;
            self.alone = masks.alone >> (count - 1) & 1 == 1;
        }
        B::push_positions(starts, self.at as u32, self.starts);
        B::push_positions(ends, self.at as u32, self.ends);
        self.inside = words >> (count - 1) & 1 == 1;
        self.at += count;
    }
}

/// The roles of the bytes in a block.
#[derive(Default)]
struct Masks {
    /// Bytes that belong to tokens.
    words: u64,
    /// Those of tokens that are one character of a script without spaces, with its marks.
    alone: u64,
    /// First bytes of such tokens.
    alone_starts: u64,
}

/// Cuts `text` by `rule`, block by block. Returns false if the rule met a character that it cannot write by itself.
#[inline(always)]
pub(crate) fn split<B: AsciiBlock, R: Rule>(text: &str, mut rule: R, spans: &mut Spans) -> bool {
    spans.clear(text.len() * ROOM);
    let mut in_place = true;
    let (bytes, starts, ends) = spans.parts();
    let mut writer = TokenWriter { bytes, starts, ends, at: FRONT, inside: false, alone: false };
    let source = text.as_bytes();
    let mut from = 0;
    while from < source.len() {
        let block = writer.bytes[writer.at..].first_chunk_mut::<64>().expect("room for a block");
        let mut count = (source.len() - from).min(64);
        let (high, words) = match source[from..].first_chunk::<64>() {
            Some(chunk) => R::fold::<B>(chunk, block),
            None => {
                let mut padded = [b' '; 64];
                padded[..count].copy_from_slice(&source[from..]);
                R::fold::<B>(&padded, block)
            }
        };
        let mut masks = Masks { words, ..Masks::default() };
        let mut special = None;
        match high {
            0 => rule.starter(),
            _ => {
                let before = (writer.inside, writer.alone);
                special = classify(&mut rule, before, &source[from..], high, block, &mut masks, &mut count);
            }
        }
        if count > 0 {
            writer.advance::<B>(count, masks);
            from += count;
        }
        if let Some(c) = special {
            let Some(written) = rule.write(text, from, c, &mut writer) else { return false };
            from += written;
            in_place = false;
        }
    }
    if writer.inside {
        writer.ends.push(writer.at as u32);
    }
    if in_place {
        spans.keep_places();
    }
    true
}

/// Classifies the characters of a block that are not ASCII; `high` has their bytes. Ends the block, by `count`, before a character that
/// it does not hold whole, or that the rule must write itself: that character is returned.
///
/// `before`: whether the character before the block belongs to a token, and to one of a script without spaces.
#[inline(always)]
fn classify<R: Rule>(
    rule: &mut R,
    before: (bool, bool),
    source: &[u8],
    mut high: u64,
    block: &mut [u8; 64],
    masks: &mut Masks,
    count: &mut usize,
) -> Option<char> {
    let mut end = 0;
    while high != 0 {
        let at = high.trailing_zeros() as usize;
        let (c, length) = decode(&source[at..]);
        if at + length > *count {
            // The block ends inside the character, which then starts the next one.
            *count = at;
            break;
        }
        let Some((kind, folded)) = rule.class(c, at > end).filter(|(_, folded)| folded.len_utf8() == length)
        else {
            *count = at;
            return Some(c);
        };
        end = at + length;
        high &= !(((1 << length) - 1) << at);
        if folded != c {
            let to = &mut block[at..at + length];
            match folded {
                SHARP_S => to.copy_from_slice(b"ss"),
                _ => _ = folded.encode_utf8(to),
            }
        }
        masks.set(kind, at, length, before);
    }
    if end < *count {
        rule.starter();
    }
    None
}

impl Masks {
    /// Enters a character of `length` bytes at `at`.
    #[inline(always)]
    fn set(&mut self, kind: CharacterRole, at: usize, length: usize, before: (bool, bool)) {
        let ones = ((1 << length) - 1) << at;
        // Not a `match`, which would be a jump that the processor cannot foresee.
        if kind == CharacterRole::Word {
            self.words |= ones;
        } else if kind == CharacterRole::Alone {
            self.words |= ones;
            self.alone |= ones;
            self.alone_starts |= 1 << at;
        } else if kind == CharacterRole::Mark {
            let (inside, alone) = match at {
                0 => before,
                _ => (self.words >> (at - 1) & 1 == 1, self.alone >> (at - 1) & 1 == 1),
            };
            self.words |= if inside { ones } else { 0 };
            self.alone |= if inside && alone { ones } else { 0 };
        } else {
            self.words &= !ones;
        }
    }
}

/// The first character of valid UTF-8, which must not be ASCII, and its length in bytes.
#[inline(always)]
fn decode(bytes: &[u8]) -> (char, usize) {
    let more = |index: usize| u32::from(bytes[index] & 0x3f);
    let first = u32::from(bytes[0]);
    let (point, length) = match bytes[0] {
        ..0xe0 => ((first & 0x1f) << 6 | more(1), 2),
        0xe0..0xf0 => ((first & 0x0f) << 12 | more(1) << 6 | more(2), 3),
        0xf0.. => ((first & 0x07) << 18 | more(1) << 12 | more(2) << 6 | more(3), 4),
    };
    (char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER), length)
}

pub(in crate::simd) fn split_words(text: &str, spans: &mut Spans) -> bool {
    split::<Bytes, _>(text, WordsRule::new(), spans)
}

pub(in crate::simd) fn split_normalised_words(text: &str, spans: &mut Spans) {
    split::<Bytes, _>(text, NormalisedWords::new(), spans);
}

pub(in crate::simd) fn split_whitespace(text: &str, spans: &mut Spans) {
    split::<Bytes, _>(text, Whitespace, spans);
}
