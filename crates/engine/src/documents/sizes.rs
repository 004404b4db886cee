//! The lengths of texts, in bytes and in tokens.

use super::Documents;
use lookalike_store::Column;

/// The lengths of texts.
///
/// They take four bytes a document: the number of shingles gives the number of tokens, unless a text has only one shingle.
#[derive(Debug, Default)]
pub struct TextLengths {
    /// Bytes of each text.
    bytes: Column<u32>,
    /// Tokens of each text that is one shingle, in order. Such a text may have fewer tokens than a shingle.
    tokens_of_short: Column<u32>,
}

/// The sum of the lengths of some texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextAmount {
    /// Bytes.
    pub bytes: u64,
    /// Tokens, without stop words.
    pub tokens: u64,
}

impl TextLengths {
    /// Lengths by their columns: bytes of each text, and tokens of each text that is one shingle.
    pub(crate) fn of_columns(bytes: Column<u32>, tokens_of_short: Column<u32>) -> Self {
        TextLengths { bytes, tokens_of_short }
    }

    /// These columns: see `of_columns`.
    pub fn columns(&self) -> (&[u32], &[u32]) {
        (&self.bytes, &self.tokens_of_short)
    }

    /// The bytes of memory that they take.
    pub fn memory(&self) -> usize {
        4 * (self.bytes.len() + self.tokens_of_short.len())
    }

    /// Appends the length of the next text, which has so many shingles and tokens.
    pub fn push(&mut self, text: &str, shingles: u64, tokens: usize) {
        // Longer texts are bad records.
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.bytes.memory().push(number(text.len()));
        if shingles == 1 {
            self.tokens_of_short.memory().push(number(tokens));
        }
    }

    /// Appends the lengths of `other`.
    pub fn append(&mut self, other: &TextLengths) {
        self.bytes.memory().extend_from_slice(&other.bytes);
        self.tokens_of_short.memory().extend_from_slice(&other.tokens_of_short);
    }
}

impl Documents {
    /// The bytes of the text of `document`, which is not from an index.
    pub fn text_bytes(&self, document: u32) -> u32 {
        self.sizes.bytes[document as usize - self.indexed.numbers.len()]
    }

    /// The sum of the lengths of the `wanted` texts, without documents of an index. A shingle has `shingle` tokens.
    pub fn amount(&self, shingle: usize, wanted: impl Fn(u32) -> bool) -> TextAmount {
        let (mut amount, mut short) = (TextAmount::default(), self.sizes.tokens_of_short.iter());
        for document in self.indexed.numbers.len() as u32..self.len() as u32 {
            let tokens = match self.sketches.content(document).shingles() {
                0 => 0,
                1 => short.next().copied().unwrap_or_default().into(),
                shingles => shingles + shingle as u64 - 1,
            };
            if wanted(document) {
                amount.bytes += u64::from(self.text_bytes(document));
                amount.tokens += tokens;
            }
        }
        amount
    }
}
