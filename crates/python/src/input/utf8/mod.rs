//! Code points to UTF-8, beside the encoder of Python: that one takes a branch for each character, and makes an object for each text.

#[cfg(target_arch = "x86_64")]
mod avx512;

use std::ops::Range;
use std::sync::LazyLock;

/// The code points that are encoded together.
const RUN: usize = 16;

/// The most bytes of a run.
const RUN_BYTES: usize = 4 * RUN;

/// The code points that a buffer has room for at once: a long text has fewer bytes than four for each.
const PART: usize = 1 << 16;

/// A code point that is no character: half of a surrogate pair, or a number beyond Unicode.
#[derive(Clone, Copy, Debug)]
pub(super) struct NoCharacter;

/// Texts in UTF-8, one after the other in a buffer.
#[derive(Debug)]
pub(super) struct Utf8Texts<'b> {
    /// Valid UTF-8 up to `end`, and then bytes without meaning.
    buffer: &'b mut Vec<u8>,
    end: usize,
    encode: Encode,
}

/// Encodes all code points, and returns where the text ends. The buffer has room for four bytes for each, and for a run.
type Encode = fn(&[u32], &mut [u8]) -> Result<usize, NoCharacter>;

impl<'b> Utf8Texts<'b> {
    /// No texts. What was in the buffer is overwritten.
    pub(super) fn new(buffer: &'b mut Vec<u8>) -> Self {
        Utf8Texts { buffer, end: 0, encode: *FASTEST }
    }

    /// Appends a text, and returns its place.
    pub(super) fn push(&mut self, points: &[u32]) -> Result<Range<usize>, NoCharacter> {
        let start = self.end;
        for part in points.chunks(PART) {
            let needed = self.end + 4 * part.len() + RUN_BYTES;
            if self.buffer.len() < needed {
                // A buffer that is used again keeps its length, so that it is not cleared again.
                self.buffer.resize(needed.max(self.buffer.len() * 3 / 2), 0);
            }
            self.end += (self.encode)(part, &mut self.buffer[self.end..])?;
        }
        Ok(start..self.end)
    }

    /// All texts.
    pub(super) fn finish(self) -> &'b str {
        let Utf8Texts { buffer, end, .. } = self;
        #[expect(unsafe_code, reason = "a check takes as long as the encoding")]
        // SAFETY: `push` has written these bytes, and moves `end` only behind whole characters.
        unsafe {
            std::str::from_utf8_unchecked(&buffer[..end])
        }
    }
}

/// The fastest version for this machine, or the portable one if `LOOKALIKE_SIMD` is `scalar`. Tests compare the two by it.
static FASTEST: LazyLock<Encode> = LazyLock::new(|| {
    #[cfg(target_arch = "x86_64")]
    if let Some(encode) = avx512::detect()
        && std::env::var_os("LOOKALIKE_SIMD").is_none_or(|name| name != "scalar")
    {
        return encode;
    }
    encode
});

/// Chooses the version. The caller holds the interpreter, so that no program of Python changes the environment while it is read.
pub(super) fn choose() {
    LazyLock::force(&FASTEST);
}

/// The portable version.
fn encode(points: &[u32], to: &mut [u8]) -> Result<usize, NoCharacter> {
    let (mut end, (runs, rest)) = (0, points.as_chunks::<RUN>());
    for run in runs {
        if run.iter().fold(0, |all, point| all | point) < 0x80 {
            to[end..end + RUN].copy_from_slice(&run.map(|point| point as u8));
            end += RUN;
        } else {
            end = encode_each(run, to, end)?;
        }
    }
    encode_each(rest, to, end)
}

/// Encodes one code point after the other, without branches that depend on them.
fn encode_each(points: &[u32], to: &mut [u8], mut end: usize) -> Result<usize, NoCharacter> {
    let mut is_wrong = false;
    for &point in points {
        is_wrong |= point & 0xFFFF_F800 == 0xD800 || point > 0x10_FFFF;
        let (bytes, length) = bytes_of(point);
        to[end..end + 4].copy_from_slice(&bytes.to_le_bytes());
        end += length;
    }
    if is_wrong { Err(NoCharacter) } else { Ok(end) }
}

/// The bytes of a code point, the first one in the lowest bits, and how many they are.
fn bytes_of(point: u32) -> (u32, usize) {
    let six = |shift: u32| point >> shift & 0x3F;
    let length =
        1 + usize::from(point >= 0x80) + usize::from(point >= 0x800) + usize::from(point >= 0x1_0000);
    let bytes = match length {
        1 => point,
        2 => 0x80C0 | point >> 6 | six(0) << 8,
        3 => 0x80_80E0 | point >> 12 | six(6) << 8 | six(0) << 16,
        _ => 0x8080_80F0 | point >> 18 | six(12) << 8 | six(6) << 16 | six(0) << 24,
    };
    (bytes, length)
}
