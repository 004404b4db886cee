//! A text that is assembled from pieces.
//!
//! This file has `unsafe` for one reason: pieces of a text that was validated are not validated again.
#![allow(unsafe_code)]

use wide::u8x16;

use super::unescape::{BLOCK, Unescaper};

/// A text in a buffer that is reused for each line.
#[derive(Debug)]
pub(super) struct Buffer {
    /// Longer than the text. The bytes behind the text have no meaning.
    bytes: Vec<u8>,
    length: usize,
    unescaper: Option<Unescaper>,
}

impl Default for Buffer {
    fn default() -> Self {
        Buffer { bytes: Vec::new(), length: 0, unescaper: Unescaper::detect() }
    }
}

/// The number of bytes that are compared in one step.
const STEP: usize = 16;

/// Whether the byte ends a plain text, or is not allowed in one.
pub(super) fn is_special(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..b' ')
}

impl Buffer {
    /// Empties the text, and makes room for `bytes` bytes.
    pub(super) fn restart(&mut self, bytes: usize) {
        self.length = 0;
        if self.bytes.len() < bytes + BLOCK {
            self.bytes.resize(bytes + BLOCK, 0);
        }
    }

    #[cfg(test)]
    pub(super) fn forgo_vectors(&mut self) {
        self.unescaper = None;
    }

    /// The length of the text in bytes.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Appends a character. There must be room for it.
    pub(super) fn push(&mut self, character: char) {
        self.length += character.encode_utf8(&mut self.bytes[self.length..]).len();
    }

    /// Appends the start of `from` up to the first quotation mark, control character, or escape that is left to the caller.
    /// Returns the number of bytes that were consumed. If `from` has none of these, the text is emptied and the result is
    /// `None`. There must be room for all of `from`.
    pub(super) fn push_text(&mut self, from: &str) -> Option<usize> {
        let from = from.as_bytes();
        let mut read = 0;
        if let Some(unescaper) = self.unescaper {
            let progress = unescaper.unescape(from, &mut self.bytes[self.length..]);
            self.length += progress.written;
            read = progress.read;
        }
        let plain = self.push_plain(&from[read..]);
        if plain.is_none() {
            // Only a part of a character may have been written.
            self.length = 0;
        }
        Some(read + plain?)
    }

    /// Appends the start of `from` up to its first `"`, `\` or control character. Returns the length of that start, or `None`
    /// if there is no such byte.
    ///
    /// Searching and copying in one step takes half the time of `memchr2` and `push_str`, as it needs no call for each of the
    /// short stretches between escapes.
    fn push_plain(&mut self, from: &[u8]) -> Option<usize> {
        let room = &mut self.bytes[self.length..];
        assert!(room.len() >= from.len(), "there is room for all that is appended");
        let (steps, rest) = from.as_chunks::<STEP>();
        let (quote, backslash) = (u8x16::splat(b'"'), u8x16::splat(b'\\'));
        let last_control = u8x16::splat(b' ' - 1);
        let mut plain = 0;
        for (step, to) in steps.iter().zip(room.as_chunks_mut::<STEP>().0) {
            *to = *step;
            let step = u8x16::new(*step);
            let controls = step.min(last_control).simd_eq(step);
            let specials = (step.simd_eq(quote) | step.simd_eq(backslash) | controls).to_bitmask();
            if specials != 0 {
                plain += specials.trailing_zeros() as usize;
                self.length += plain;
                return Some(plain);
            }
            plain += STEP;
        }
        let end = rest.iter().position(|&byte| is_special(byte))?;
        room[plain..plain + end].copy_from_slice(&rest[..end]);
        self.length += plain + end;
        Some(plain + end)
    }

    /// The assembled text.
    pub(super) fn text(&self) -> &str {
        let text = &self.bytes[..self.length];
        debug_assert!(str::from_utf8(text).is_ok(), "parts of a text are a text");
        // SAFETY: The text was set to a text, or characters and parts of texts were appended that end before an ASCII
        // character. Parts that are written in pieces are whole when `push_text` returns. Validating every text again would
        // take as long as reading the file.
        unsafe { str::from_utf8_unchecked(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_special_byte_ends_the_plain_part_at_any_position() {
        let mut buffer = Buffer::default();
        for length in 0..150 {
            for special in [b'"', b'\\', b'\t', 0, 0x1f] {
                // These bytes are neighbours of the special ones in value, so that the test would notice a wrong borrow.
                let mut bytes: Vec<u8> = (0..length).map(|index| b"!#[] \x7f"[index % 6]).collect();
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
