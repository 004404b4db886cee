//! The ends of MD5 and SHA-1, which SimHash libraries take for features.
//!
//! Sources: RFC 1321 and RFC 3174. The functions themselves are those of `md5` and `sha1`.

use sha1::{Digest, Sha1};

/// The last 8 bytes of the MD5 of `bytes`, the first of them the most significant. The published function has no seed. A
/// `seed` other than 0 is hashed before the bytes, its lowest byte first.
pub(crate) fn md5_end(bytes: &[u8], seed: u64) -> u64 {
    let mut hash = md5::Context::new();
    if seed != 0 {
        hash.consume(seed.to_le_bytes());
    }
    hash.consume(bytes);
    end(&hash.finalize().0)
}

/// The last 8 bytes of the SHA-1 of `bytes`, in the same way.
pub(crate) fn sha1_end(bytes: &[u8], seed: u64) -> u64 {
    let mut hash = Sha1::new();
    if seed != 0 {
        hash.update(seed.to_le_bytes());
    }
    hash.update(bytes);
    end(&hash.finalize())
}

fn end(digest: &[u8]) -> u64 {
    let last = digest.last_chunk().expect("a digest has more bytes");
    u64::from_be_bytes(*last)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the appendices of the RFCs.
    #[test]
    fn ends_are_those_of_the_published_digests() {
        assert_eq!(md5_end(b"", 0), 0xe980_0998_ecf8_427e);
        assert_eq!(md5_end(b"message digest", 0), 0x525a_2f31_aaf1_61d0);
        assert_eq!(sha1_end(b"abc", 0), 0x7850_c26c_9cd0_d89d);
    }
}
