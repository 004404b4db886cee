//! The head of a Zstandard file: the window of its first frame, and a dictionary before it.
//!
//! Sources: RFC 8878, 3.1.1.1; IIPC, "Zstandard Compression for WARC Files 1.0".

use std::io::{self, BufRead, Read};

use super::ZSTD_MAGIC;

/// Windows up to this size are part of the memory of each thread. Of its usual levels, `zstd` gives the highest this window.
pub(crate) const USUAL_WINDOW: u64 = 8 << 20;

/// The greatest window of a frame that is read without asking for memory: the limit of `zstd` itself.
pub(crate) const DEFAULT_WINDOW: u64 = 128 << 20;

/// The greatest window that the library can read.
const MAX_WINDOW_LOG: u32 = 31;

/// The first bytes of the skippable frame that holds a dictionary.
const DICTIONARY_MAGIC: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// The first bytes of a dictionary.
const DICTIONARY_START: [u8; 4] = [0x37, 0xa4, 0x30, 0xec];

/// A dictionary is shorter than this. `zstd --train` makes dictionaries of 110 KiB.
const MAX_DICTIONARY_BYTES: u64 = 16 << 20;

/// The most bytes of the head of a frame.
const FRAME_HEAD_BYTES: u64 = 18;

/// The window that the first frame needs, in bytes. `None` if there is no frame, or not its whole head.
pub(crate) fn first_window(source: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut head = Vec::new();
    loop {
        head.clear();
        source.by_ref().take(8).read_to_end(&mut head)?;
        let Some(length) = skippable_length(&head) else { break };
        io::copy(&mut source.by_ref().take(length.into()), &mut io::sink())?;
    }
    source.take(FRAME_HEAD_BYTES - head.len() as u64).read_to_end(&mut head)?;
    Ok(window_of(&head))
}

/// The length of the content of a skippable frame, if these bytes start one.
fn skippable_length(head: &[u8]) -> Option<u32> {
    let &[0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d] = head else { return None };
    Some(u32::from_le_bytes([a, b, c, d]))
}

fn window_of(head: &[u8]) -> Option<u64> {
    let (&descriptor, rest) = head.strip_prefix(ZSTD_MAGIC)?.split_first()?;
    let is_single_segment = descriptor & 0x20 != 0;
    if !is_single_segment {
        let window = *rest.first()?;
        let base = 1_u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // The window is the whole content. Its length stands behind the number of the dictionary.
    let rest = rest.get([0, 1, 2, 4][usize::from(descriptor & 3)]..)?;
    let bytes = rest.get(..[1, 2, 4, 8][usize::from(descriptor >> 6)])?;
    let length = bytes.iter().rev().fold(0, |length, &byte| length << 8 | u64::from(byte));
    Some(if bytes.len() == 2 { length + 256 } else { length })
}

/// The base-2 logarithm of the least window of the library that is not below `window`. `None` if it has none.
pub(super) fn window_log(window: u64) -> Option<u32> {
    let log = window.checked_next_power_of_two()?.trailing_zeros();
    (log <= MAX_WINDOW_LOG).then_some(log.max(10))
}

/// A dictionary before the first frame of a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DictionaryFrame {
    /// The skippable frame that holds it.
    pub(crate) frame: Vec<u8>,
    /// The dictionary as it is used. In the frame it may be compressed.
    pub(crate) content: Vec<u8>,
}

/// The dictionary in the first frame of a file. The source is then behind the frame. `Err` has the bytes that were read, if the file starts with
/// something else.
///
/// # Errors
/// [`io::ErrorKind::InvalidData`] for a frame that holds no dictionary.
pub(crate) fn dictionary(source: &mut impl Read) -> io::Result<Result<DictionaryFrame, Vec<u8>>> {
    let mut head = Vec::new();
    source.by_ref().take(8).read_to_end(&mut head)?;
    let (true, Some(length)) = (head.starts_with(&DICTIONARY_MAGIC), skippable_length(&head)) else {
        return Ok(Err(head));
    };
    let bad = |message: &str| Err(io::Error::new(io::ErrorKind::InvalidData, message.to_owned()));
    if u64::from(length) > MAX_DICTIONARY_BYTES {
        return bad("its first frame is too long for a dictionary");
    }
    let mut frame = head;
    source.by_ref().take(length.into()).read_to_end(&mut frame)?;
    let stored = &frame[8..];
    let mut content = Vec::new();
    match stored.starts_with(ZSTD_MAGIC) {
        true => {
            let decoder = zstd::Decoder::with_buffer(stored)?;
            decoder.take(MAX_DICTIONARY_BYTES + 1).read_to_end(&mut content)?;
        }
        false => content.extend_from_slice(stored),
    }
    if content.len() as u64 > MAX_DICTIONARY_BYTES {
        return bad("its dictionary is too long");
    }
    match content.starts_with(&DICTIONARY_START) {
        true => Ok(Ok(DictionaryFrame { frame, content })),
        // Any frame may be skipped, and only the program that wrote it knows its content.
        false => Ok(Err(Vec::new())),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn the_window_of_a_frame_is_that_of_its_encoder() {
        for log in [10, 17, 21, 27, 28, 30] {
            let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
            encoder.window_log(log).unwrap();
            encoder.write_all(b"some words").unwrap();
            let frame = encoder.finish().unwrap();
            let behind = [&b"\x50\x2a\x4d\x18\x03\0\0\0abc"[..], &frame].concat();
            for bytes in [&frame, &behind] {
                assert_eq!(first_window(&mut &bytes[..]).unwrap(), Some(1 << log));
            }
        }
        for length in [0, 1, 255, 256, 300, 70_000] {
            let frame = zstd::bulk::compress(&vec![b'a'; length], 3).unwrap();
            assert_eq!(first_window(&mut &frame[..]).unwrap(), Some(length as u64), "{length}");
        }
        for no_frame in [&b""[..], b"\x28\xb5\x2f\xfd", b"{\"text\":1}"] {
            assert_eq!(first_window(&mut &no_frame[..]).unwrap(), None);
        }
    }

    #[test]
    fn other_first_frames_hold_no_dictionary() {
        let no_dictionary = b"\x5d\x2a\x4d\x18\x03\0\0\0abcbehind";
        assert_eq!(dictionary(&mut &no_dictionary[..]).unwrap(), Err(Vec::new()));
        assert_eq!(dictionary(&mut &b"{\"text\":1}"[..]).unwrap(), Err(b"{\"text\":".to_vec()));
        assert!(dictionary(&mut &b"\x5d\x2a\x4d\x18\xff\xff\xff\xff"[..]).is_err());
    }

    #[test]
    fn a_window_is_rounded_up_to_one_that_the_library_can_set() {
        assert_eq!(window_log(0), Some(10));
        assert_eq!(window_log((1 << 27) + 1), Some(28));
        assert_eq!(window_log(1 << 31), Some(31));
        assert_eq!(window_log((1 << 31) + 1), None);
    }
}
