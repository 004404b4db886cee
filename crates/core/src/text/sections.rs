//! Sections: the parts of a text that no shingle leaves.
//!
//! A text that was read from several fields, or from a list, has a section for each value.

use super::Stretch;
use memchr::memmem::Finder;
use std::ops::Range;
use std::sync::LazyLock;

/// Stands between two sections of a text, and belongs to none.
///
/// It is a noncharacter of Unicode, which texts for others do not hold (the Unicode Standard 17.0, section 23.7).
pub const SECTION_SEPARATOR: char = '\u{fdd0}';

static SEPARATOR: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("\u{fdd0}"));

/// The sections of a text, in order. A text without separators is one section.
pub(crate) fn sections(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let (section, behind) = match SEPARATOR.find(text.as_bytes()) {
            Some(at) => (&text[..at], Some(&text[at + SECTION_SEPARATOR.len_utf8()..])),
            None => (text, None),
        };
        rest = behind;
        Some(section)
    })
}

/// The ranges of tokens that make the sections, by the number of tokens before each separator and by that of all.
pub(crate) fn section_ranges(ends: &[usize], tokens: usize) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    ends.iter().copied().chain([tokens]).map(move |end| std::mem::replace(&mut start, end)..end)
}

/// Moves places in a section to its text. It counts the bytes and characters before the section.
#[derive(Default)]
pub(crate) struct SectionStart {
    bytes: usize,
    chars: usize,
}

impl SectionStart {
    pub(crate) fn place_of(&self, place: Stretch) -> Stretch {
        let moved = |range: Range<usize>, by: usize| range.start + by..range.end + by;
        Stretch { bytes: moved(place.bytes, self.bytes), chars: moved(place.chars, self.chars) }
    }

    /// Goes on to the section behind this one.
    pub(crate) fn pass(&mut self, section: &str) {
        self.bytes += section.len() + SECTION_SEPARATOR.len_utf8();
        self.chars += section.chars().count() + 1;
    }
}
