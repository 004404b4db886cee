//! Decoding the body of an HTTP response.

use std::{
    borrow::Cow,
    io::{self, Read},
};

use memchr::memchr;

use super::{brotli::BrotliDecoder, headers::Head};
use crate::{Problem, formats::is_zstd};

/// The maximum number of encodings of a body. No real server uses more, and a hostile file could nest many.
const MAX_CODINGS: usize = 3;

/// Removes the transfer and content encodings of a body. A body of at most `limit` bytes is returned if it was encoded.
///
/// Connections break, and crawlers cut off long bodies. Of a body without its end, the part that can be decoded is returned, as
/// browsers show it. Some crawlers decode bodies, but store the original headers. A body that does not have the encoding of its
/// header is therefore returned unchanged.
pub(super) fn decoded<'a>(head: &Head<'_>, body: &'a [u8], limit: usize) -> Result<Cow<'a, [u8]>, Problem> {
    let codings = head.list("Transfer-Encoding");
    let body = match codings.split(',').any(|coding| coding.trim().eq_ignore_ascii_case("chunked")) {
        true => unchunked(body)?,
        false => Cow::Borrowed(body),
    };
    let unpacked = match decoded_body(&head.list("Content-Encoding"), &body, true, limit)? {
        Cow::Owned(unpacked) => Some(unpacked),
        Cow::Borrowed(_) => None,
    };
    Ok(unpacked.map_or(body, Cow::Owned))
}

/// Removes the content encodings of the body of an HTTP response. `codings` is its header `Content-Encoding`.
///
/// gzip, deflate, Brotli and zstd are known. A body of at most `limit` bytes is returned if it was encoded, and no more bytes are decoded. A
/// body that does not have the encoding of its header is returned unchanged. `cut` says that the end of the body may be missing; the part that can
/// be decoded is then returned.
///
/// # Errors
/// [`Problem::UnknownCoding`], [`Problem::BrokenBody`] and [`Problem::DecodedTooLong`].
pub fn decoded_body<'a>(
    codings: &str,
    body: &'a [u8],
    cut: bool,
    limit: usize,
) -> Result<Cow<'a, [u8]>, Problem> {
    let codings = codings.to_ascii_lowercase();
    let mut body = Cow::Borrowed(body);
    let known =
        codings.split(',').map(str::trim).filter(|coding| !matches!(*coding, "" | "identity" | "none"));
    let known: Vec<&str> = known.collect();
    if known.len() > MAX_CODINGS {
        return Err(Problem::UnknownCoding { coding: codings });
    }
    for coding in known.into_iter().rev() {
        if let Some(decoded) = decode(&body, coding, cut, limit)? {
            body = Cow::Owned(decoded);
        }
    }
    Ok(body)
}

/// Removes one encoding; `None` if the body does not have it.
fn decode(body: &[u8], coding: &str, cut: bool, limit: usize) -> Result<Option<Vec<u8>>, Problem> {
    let is_page = body.trim_ascii_start().starts_with(b"<");
    let mut decoder: Box<dyn Read + '_> = match coding {
        "gzip" | "x-gzip" if !body.starts_with(&[0x1f, 0x8b]) => return Ok(None),
        "gzip" | "x-gzip" => Box::new(flate2::bufread::GzDecoder::new(body)),
        // The name means zlib, but some servers send a deflate stream without the zlib header.
        "deflate" if is_zlib(body) => Box::new(flate2::bufread::ZlibDecoder::new(body)),
        "deflate" => Box::new(flate2::bufread::DeflateDecoder::new(body)),
        "zstd" if !is_zstd(body) => return Ok(None),
        "zstd" => Box::new(zstd::Decoder::with_buffer(body).map_err(|error| broken(coding, &error))?),
        "br" => Box::new(BrotliDecoder::new(body)),
        _ if is_page => return Ok(None),
        _ => return Err(Problem::UnknownCoding { coding: coding.to_owned() }),
    };
    let mut decoded = Vec::new();
    let result = decoder.by_ref().take(limit as u64 + 1).read_to_end(&mut decoded);
    match result {
        _ if decoded.len() > limit => Err(Problem::DecodedTooLong { limit }),
        Ok(_) => Ok(Some(decoded)),
        Err(_) if is_page => Ok(None),
        Err(error) if cut && error.kind() == io::ErrorKind::UnexpectedEof => Ok(Some(decoded)),
        Err(error) => Err(broken(coding, &error)),
    }
}

/// Whether these bytes start with a zlib header: its method is 8, and 31 divides its first two bytes.
fn is_zlib(body: &[u8]) -> bool {
    matches!(body, [first, second, ..] if first & 0x0f == 8 && (u32::from(*first) << 8 | u32::from(*second)) % 31 == 0)
}

/// Joins the chunks of a body, which may end early.
fn unchunked(body: &[u8]) -> Result<Cow<'_, [u8]>, Problem> {
    let mut decoded = Vec::new();
    let mut rest = body;
    loop {
        let Some((length, content)) = chunk_length(rest) else {
            let message = "a chunk has no length".to_owned();
            return match rest.len() == body.len() {
                true => Ok(Cow::Borrowed(body)),
                false if memchr(b'\n', rest).is_none() => Ok(Cow::Owned(decoded)),
                false => Err(Problem::BrokenBody { coding: "chunked".to_owned(), message }),
            };
        };
        match content.split_at_checked(length) {
            Some((chunk, behind)) => {
                decoded.extend_from_slice(chunk);
                rest = behind.strip_prefix(b"\r").unwrap_or(behind);
                rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            }
            None => {
                decoded.extend_from_slice(content);
                return Ok(Cow::Owned(decoded));
            }
        }
        if length == 0 {
            return Ok(Cow::Owned(decoded));
        }
    }
}

/// The length of a chunk, and the bytes behind the line with the length.
fn chunk_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let line = &bytes[..memchr(b'\n', bytes)?];
    let length = line.split(|&byte| byte == b';').next()?.trim_ascii();
    let length = usize::from_str_radix(str::from_utf8(length).ok()?, 16).ok()?;
    Some((length, &bytes[line.len() + 1..]))
}

fn broken(coding: &str, error: &io::Error) -> Problem {
    Problem::BrokenBody { coding: coding.to_owned(), message: error.to_string() }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::problem::MAX_DECODED_BYTES;

    const PAGE: &[u8] = b"<p>some page, some page, some page</p>";

    /// [`PAGE`], encoded in Brotli by another encoder.
    const BROTLI: &[u8] = b"\x1b\x25\x00\xf8\x1d\x09\x36\x4e\x74\x6f\x24\x76\xd4\x3c\x61\x70\x73\x1a\x84\xe5\xac\x4d\x96\xf9\xbc\
        \x95\x20\x4b\x55\x00\xcf\x44\xea\x47\x46\x48\x00";

    fn head(fields: &str) -> String {
        format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n")
    }

    fn body(fields: &str, body: &[u8]) -> Result<Vec<u8>, Problem> {
        let head = head(fields);
        decoded(&Head::new(head.as_bytes()), body, MAX_DECODED_BYTES).map(Cow::into_owned)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn every_coding_is_decoded_and_a_page_without_its_coding_is_returned_unchanged() {
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(PAGE).unwrap();
        let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        deflate.write_all(PAGE).unwrap();
        for (coding, encoded) in [
            ("gzip", gzip(PAGE)),
            ("X-GZIP", gzip(PAGE)),
            ("deflate", zlib.finish().unwrap()),
            ("deflate", deflate.finish().unwrap()),
            ("zstd", zstd::encode_all(PAGE, 1).unwrap()),
            ("br", BROTLI.to_vec()),
            ("identity", PAGE.to_owned()),
            ("gzip, gzip", gzip(&gzip(PAGE))),
            ("gzip\r\nX: y\r\ncontent-encoding: X-gzip", gzip(&gzip(PAGE))),
            ("br\r\nContent-Encoding:\r\nContent-Encoding: zstd", zstd::encode_all(BROTLI, 1).unwrap()),
        ] {
            let fields = format!("Content-Encoding: {coding}");
            assert_eq!(body(&fields, &encoded).as_deref(), Ok(PAGE), "{coding}");
            assert_eq!(body(&fields, PAGE).as_deref(), Ok(PAGE), "{coding}");
        }
    }

    #[test]
    fn a_body_that_cannot_be_decoded_is_reported_with_the_reason() {
        let mut damaged = gzip(PAGE);
        damaged[12] ^= 0xff;
        assert!(matches!(body("Content-Encoding: gzip", &damaged), Err(Problem::BrokenBody { .. })));
        assert_eq!(
            body("Content-Encoding: x", b"\0"),
            Err(Problem::UnknownCoding { coding: "x".to_owned() })
        );
        assert!(matches!(
            body("Content-Encoding: gzip,gzip,gzip,gzip", b""),
            Err(Problem::UnknownCoding { .. })
        ));
        assert!(matches!(body("Content-Encoding: br", b"\xff\xff\xff"), Err(Problem::BrokenBody { .. })));
    }

    #[test]
    fn a_body_without_its_end_gives_what_can_be_decoded() {
        let page: Vec<u8> =
            (0..2000).flat_map(|word| format!("w{} ", word * word % 7919).into_bytes()).collect();
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(&page).unwrap();
        for (coding, encoded, whole) in [
            ("gzip", gzip(&page), &page[..]),
            ("deflate", zlib.finish().unwrap(), &page),
            ("zstd", zstd::encode_all(&page[..], 1).unwrap(), &page),
            ("br", BROTLI.to_vec(), PAGE),
        ] {
            let mut most = 0;
            for end in (2..encoded.len()).step_by(13) {
                let cut = body(&format!("Content-Encoding: {coding}"), &encoded[..end]);
                let cut = cut.unwrap_or_else(|problem| panic!("{coding} {end}: {problem}"));
                assert!(whole.starts_with(&cut) || end < 4, "{coding} {end}");
                most = most.max(cut.len());
            }
            assert!(most > whole.len() / 2 || matches!(coding, "br" | "zstd"), "{coding} {most}");
            // A body that came over the network as a whole should have its end.
            let sent = &encoded[..encoded.len() - 9];
            let sent = decoded_body(coding, sent, false, MAX_DECODED_BYTES);
            assert!(matches!(sent, Err(Problem::BrokenBody { .. })), "{coding}");
        }
        let chunked = b"3\r\nabc\r\nfff\r\nx";
        for (end, expected) in
            [(14, "abcx"), (13, "abc"), (12, "abc"), (9, "abc"), (8, "abc"), (5, "ab"), (2, "3\r")]
        {
            let cut = body("Transfer-Encoding: chunked", &chunked[..end]).unwrap();
            assert_eq!(str::from_utf8(&cut), Ok(expected), "{end}");
        }
        assert_eq!(body("Transfer-Encoding: chunked", b"ffffffffffffffff\r\nx").unwrap(), b"x");
    }

    #[test]
    fn a_body_that_decodes_to_too_many_bytes_is_refused() {
        let zeros = vec![0; MAX_DECODED_BYTES];
        assert_eq!(
            body("Content-Encoding: gzip", &gzip(&zeros)).map(|body| body.len()),
            Ok(MAX_DECODED_BYTES)
        );
        let bomb = gzip(&[&zeros[..], b"0"].concat());
        assert_eq!(
            body("Content-Encoding: gzip", &bomb),
            Err(Problem::DecodedTooLong { limit: MAX_DECODED_BYTES })
        );
    }

    #[test]
    fn chunks_are_joined() {
        let fields = "Transfer-Encoding: chunked";
        assert_eq!(body(fields, b"3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n").unwrap(), b"abc0123456789");
        assert_eq!(body(fields, b"3\nabc\n0\n").unwrap(), b"abc");
        assert_eq!(body(fields, PAGE).unwrap(), PAGE);
        let fields = "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked";
        assert_eq!(body(fields, b"3\nabc\n0\n").unwrap(), b"abc");
        assert!(matches!(body(fields, b"3\r\nabc\r\nxyz\r\nx\r\n"), Err(Problem::BrokenBody { .. })));
    }
}
