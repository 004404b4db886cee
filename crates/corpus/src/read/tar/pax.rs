//! The additions to a header by pax.
//!
//! Source: POSIX.1-2024, pax, *pax Extended Header*.

/// A record of a pax header.
pub(crate) struct PaxRecord<'h> {
    /// All its bytes.
    pub(crate) bytes: &'h [u8],
    pub(crate) key: &'h [u8],
    pub(super) value: &'h [u8],
}

/// The records of a pax header, up to bytes that are none. Each is its length, a space, the key, `=`, the value and a line feed. A value may
/// have line feeds too, so records are found by their lengths.
pub(crate) fn pax_records(mut rest: &[u8]) -> impl Iterator<Item = PaxRecord<'_>> {
    std::iter::from_fn(move || {
        let space = rest.iter().position(|&byte| byte == b' ')?;
        let length: usize = std::str::from_utf8(&rest[..space]).ok()?.parse().ok()?;
        let (bytes, behind) = rest.split_at_checked(length)?;
        let pair = bytes.get(space + 1..)?.strip_suffix(b"\n")?;
        let (key, value) = pair.split_at(pair.iter().position(|&byte| byte == b'=')?);
        rest = behind;
        Some(PaxRecord { bytes, key, value: &value[1..] })
    })
}
