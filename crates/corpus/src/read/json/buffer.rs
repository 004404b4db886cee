//! A text that is put together from pieces.

use wide::u8x16;

/// A text in memory that is used again from line to line.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    /// Longer than the text: what is behind it means nothing.
    bytes: Vec<u8>,
    length: usize,
}

/// Bytes that are looked at in one step.
const STEP: usize = 16;

impl Buffer {
    /// Makes it empty, with room for `bytes` without growing.
    pub(super) fn restart(&mut self, bytes: usize) {
        self.length = 0;
        if self.bytes.len() < bytes + STEP {
            self.bytes.resize(bytes + STEP, 0);
        }
    }

    /// Makes it hold `text`.
    pub(super) fn set(&mut self, text: &str) {
        self.restart(text.len());
        self.bytes[..text.len()].copy_from_slice(text.as_bytes());
        self.length = text.len();
    }

    /// Appends a character; there must be room.
    pub(super) fn push(&mut self, character: char) {
        self.length += character.encode_utf8(&mut self.bytes[self.length..]).len();
    }

    /// Appends `from` as far as its first `"` or `\`; returns how much that was, `None` if it has neither. There must be
    /// room for all of it.
    ///
    /// To look and to copy at once, without a call for each of the short stretches between escapes, takes half the time
    /// of `memchr2` and `push_str`.
    pub(super) fn push_plain(&mut self, from: &[u8]) -> Option<usize> {
        let room = &mut self.bytes[self.length..];
        let (steps, rest) = from.as_chunks::<STEP>();
        let (quote, backslash) = (u8x16::splat(b'"'), u8x16::splat(b'\\'));
        let mut plain = 0;
        for (step, to) in steps.iter().zip(room.as_chunks_mut::<STEP>().0) {
            *to = *step;
            let step = u8x16::new(*step);
            let specials = (step.simd_eq(quote) | step.simd_eq(backslash)).to_bitmask();
            if specials != 0 {
                plain += specials.trailing_zeros() as usize;
                self.length += plain;
                return Some(plain);
            }
            plain += STEP;
        }
        let end = rest.iter().position(|&byte| matches!(byte, b'"' | b'\\'))?;
        room[plain..plain + end].copy_from_slice(&rest[..end]);
        self.length += plain + end;
        Some(plain + end)
    }

    /// The text.
    pub(super) fn text(&self) -> &str {
        // Cannot fail: only texts and characters were appended.
        simdutf8::basic::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_quote_or_backslash_ends_the_plain_part_wherever_it_is() {
        let mut buffer = Buffer::default();
        for length in 0..50 {
            for special in [b'"', b'\\'] {
                // Neighbours of both in value, so that a borrow would be seen.
                let mut bytes: Vec<u8> = (0..length).map(|index| b"!#[]"[index % 4]).collect();
                buffer.restart(bytes.len());
                assert_eq!(buffer.push_plain(&bytes), None);
                bytes.push(special);
                bytes.extend_from_slice(b"\"\\xyz");
                buffer.restart(bytes.len());
                assert_eq!(buffer.push_plain(&bytes), Some(length));
                assert_eq!(buffer.text().as_bytes(), &bytes[..length]);
            }
        }
    }
}
