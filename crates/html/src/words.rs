//! Text in which runs of white space count once.

/// Collects text. The separator between two pieces is written before the second one.
#[derive(Debug, Default)]
pub(super) struct WordCollector {
    pub(super) text: Vec<u8>,
    gap: Gap,
}

/// The separator between two pieces of text. The greater of two separators is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Gap {
    #[default]
    Nothing,
    Space,
    Tab,
    Line,
}

impl WordCollector {
    /// Appends to `text`.
    pub(super) fn behind(text: Vec<u8>) -> Self {
        WordCollector { text, gap: Gap::Nothing }
    }

    /// Whether no text was written since the last line end.
    pub(super) fn is_at_line_start(&self) -> bool {
        self.gap == Gap::Line || self.text.is_empty()
    }

    pub(super) fn widen(&mut self, gap: Gap) {
        self.gap = self.gap.max(gap);
    }

    /// Appends text with its white space.
    pub(super) fn push_verbatim(&mut self, text: &[u8]) {
        self.push_gap();
        self.text.extend_from_slice(text);
    }

    /// Appends text in which white space only separates.
    pub(super) fn push(&mut self, mut text: &[u8]) {
        while let Some(start) = text.iter().position(|byte| !byte.is_ascii_whitespace()) {
            if start > 0 {
                self.widen(Gap::Space);
            }
            self.push_gap();
            text = &text[start..];
            let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
            self.text.extend_from_slice(&text[..end]);
            text = &text[end..];
        }
        if !text.is_empty() {
            self.widen(Gap::Space);
        }
    }

    /// The text. Nothing is kept.
    pub(super) fn take(&mut self) -> String {
        self.gap = Gap::Nothing;
        // The tokenizer cuts only at ASCII characters. If it ever did not, a character would be lost, and nothing else.
        String::from_utf8(std::mem::take(&mut self.text))
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
    }

    fn push_gap(&mut self) {
        match std::mem::take(&mut self.gap) {
            _ if self.text.is_empty() => {}
            Gap::Nothing => {}
            Gap::Space => self.text.push(b' '),
            Gap::Tab => self.text.push(b'\t'),
            Gap::Line => self.text.push(b'\n'),
        }
    }
}
