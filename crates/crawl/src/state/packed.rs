//! Values as compressed bytes.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::io;
use zstd::bulk::{Compressor, Decompressor};

/// The level that costs least. Pages take a fifth of their text with it.
const LEVEL: i32 = 1;

/// The most bytes of a value: more than the text and links of the longest page take. A length beyond it is damage.
const MOST_BYTES: usize = 1 << 30;

/// The bytes of the length before compressed bytes.
const LENGTH: usize = 4;

thread_local! {
    // A new context takes longer than to compress a page.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

/// Appends a value to `out`: the length of its encoding, and the encoding, compressed.
pub(super) fn pack(value: &impl Serialize, out: &mut Vec<u8>) -> io::Result<()> {
    let encoded = postcard::to_allocvec(value).map_err(io::Error::other)?;
    let length = length_of(&encoded, MOST_BYTES)?;
    let compressed = COMPRESSOR.with_borrow_mut(|compressor| match compressor {
        Some(compressor) => compressor.compress(&encoded),
        None => compressor.insert(Compressor::new(LEVEL)?).compress(&encoded),
    })?;
    out.extend_from_slice(&length.to_le_bytes());
    out.extend_from_slice(&compressed);
    Ok(())
}

/// The length of an encoding. One that is longer than `most` could be written, and never be read again.
fn length_of(encoded: &[u8], most: usize) -> io::Result<u32> {
    match u32::try_from(encoded.len()) {
        Ok(length) if encoded.len() <= most => Ok(length),
        _ => Err(io::Error::other(format!("it has {} bytes, more than {most}", encoded.len()))),
    }
}

/// The value that [`pack`] wrote.
pub(super) fn unpack<T: DeserializeOwned>(bytes: &[u8]) -> io::Result<T> {
    let (length, compressed) = bytes.split_first_chunk::<LENGTH>().ok_or(io::ErrorKind::UnexpectedEof)?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > MOST_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let encoded = DECOMPRESSOR.with_borrow_mut(|decompressor| match decompressor {
        Some(decompressor) => decompressor.decompress(compressed, length),
        None => decompressor.insert(Decompressor::new()?).decompress(compressed, length),
    })?;
    postcard::from_bytes(&encoded).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_read_is_not_written() {
        assert_eq!(length_of(&[0; 8], 8).unwrap(), 8);
        assert_eq!(length_of(&[0; 9], 8).unwrap_err().to_string(), "it has 9 bytes, more than 8");
    }

    #[test]
    fn a_value_is_read_as_it_was_written_and_no_bytes_make_it_panic() {
        let mut packed = Vec::new();
        pack(&("text".repeat(1000), 7_u32), &mut packed).unwrap();
        assert!(packed.len() < 100);
        assert_eq!(unpack::<(String, u32)>(&packed).unwrap(), ("text".repeat(1000), 7));
        for length in 0..packed.len() {
            assert!(unpack::<(String, u32)>(&packed[..length]).is_err());
        }
        assert!(unpack::<String>(&[255; 20]).is_err());
    }
}
