//! The buffer of a text's tokens: a copy of its bytes with room around it, and a start and end per token.

/// Bytes before the text that kernels may read, as they load the last eight bytes of a token at once.
pub(crate) const FRONT: usize = 16;
/// Bytes after the text that kernels may read or overwrite: two full vectors.
pub(crate) const BACK: usize = 128;

/// The normalised bytes of a text and the spans of its tokens, reused from text to text.
///
/// `starts[i]..ends[i]` is token `i`, as offsets into `bytes`. Spans ascend and do not overlap. Every offset is at
/// least [`FRONT`] and leaves [`BACK`] bytes behind it.
#[derive(Default)]
pub(crate) struct Spans {
    bytes: Vec<u8>,
    starts: Vec<u32>,
    ends: Vec<u32>,
    /// The number of tokens before each separator of sections.
    section_ends: Vec<usize>,
    /// Whether each token has the offset of its characters in the text, but for [`FRONT`].
    in_place: bool,
}

impl Spans {
    /// Empties the spans, and makes room for a text of at most `length` bytes once normalised.
    pub(crate) fn clear(&mut self, length: usize) {
        assert!(length < u32::MAX as usize - FRONT - BACK, "a text is shorter than 4 GiB");
        if self.bytes.len() < FRONT + length + BACK {
            self.bytes.resize(FRONT + length + BACK, 0);
        }
        self.starts.clear();
        self.ends.clear();
        self.section_ends.clear();
        self.in_place = false;
    }

    /// Says that each token has the offset of its characters in the text.
    pub(crate) fn keep_places(&mut self) {
        self.in_place = true;
    }

    /// Says that the text was another one, such as a normal form.
    pub(crate) fn forget_places(&mut self) {
        self.in_place = false;
    }

    /// The range of each token in the text, in bytes. `None` if tokens were moved.
    pub(crate) fn places(&self) -> Option<impl Iterator<Item = std::ops::Range<usize>>> {
        let ranges = self.starts.iter().zip(&self.ends);
        let place = |(&start, &end): (&u32, &u32)| start as usize - FRONT..end as usize - FRONT;
        self.in_place.then(|| ranges.map(place))
    }

    /// Appends the tokens of another section.
    pub(crate) fn append_section(&mut self, section: &Spans) {
        self.in_place = false;
        self.section_ends.push(self.len());
        let at = self.ends.last().map_or(FRONT, |&end| end as usize);
        let length = section.ends.last().map_or(0, |&end| end as usize - FRONT);
        assert!(at + length < u32::MAX as usize - BACK, "a text is shorter than 4 GiB");
        if self.bytes.len() < at + length + BACK {
            self.bytes.resize(at + length + BACK, 0);
        }
        self.bytes[at..at + length].copy_from_slice(&section.bytes[FRONT..FRONT + length]);
        let moved = |&place: &u32| place - FRONT as u32 + at as u32;
        self.starts.extend(section.starts.iter().map(moved));
        self.ends.extend(section.ends.iter().map(moved));
    }

    /// The number of tokens before each separator of sections, in order.
    pub(crate) fn section_ends(&self) -> &[usize] {
        &self.section_ends
    }

    /// The parts that kernels write: the bytes, the starts and the ends.
    pub(crate) fn parts(&mut self) -> (&mut [u8], &mut Vec<u32>, &mut Vec<u32>) {
        (&mut self.bytes, &mut self.starts, &mut self.ends)
    }

    /// The bytes with their margins, the starts and the ends.
    pub(crate) fn view(&self) -> (&[u8], &[u32], &[u32]) {
        (&self.bytes, &self.starts, &self.ends)
    }

    /// The number of tokens.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Makes `token` the only token.
    pub(crate) fn set_single(&mut self, token: &str) {
        self.clear(token.len());
        self.push(FRONT, token);
    }

    /// Appends `token` and writes its bytes at `at`. Returns the place for the next token.
    pub(crate) fn push(&mut self, at: usize, token: &str) -> usize {
        let end = at + token.len();
        self.bytes[at..end].copy_from_slice(token.as_bytes());
        self.starts.push(at as u32);
        self.ends.push(end as u32);
        end
    }

    /// Whether the last token is `token`.
    pub(crate) fn ends_with(&self, token: &str) -> bool {
        self.tokens().next_back() == Some(token.as_bytes())
    }

    /// The tokens in a range, in order.
    pub(crate) fn range(&self, tokens: std::ops::Range<usize>) -> impl Iterator<Item = &[u8]> {
        let ranges = self.starts[tokens.clone()].iter().zip(&self.ends[tokens]);
        ranges.map(|(&start, &end)| &self.bytes[start as usize..end as usize])
    }

    /// Removes the last token.
    pub(crate) fn pop(&mut self) {
        self.starts.pop();
        self.ends.pop();
    }

    /// The tokens, in order.
    pub(crate) fn tokens(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.starts.iter().zip(&self.ends).map(|(&start, &end)| &self.bytes[start as usize..end as usize])
    }
}
