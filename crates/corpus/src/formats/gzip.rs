//! gzip of many members, with zeros behind them.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// The first byte of a member.
const MEMBER_START: u8 = 0x1f;

/// A decoder of all members of a file. Zeros behind a member are padding: programs for tapes and block devices fill their last block with them,
/// and gzip itself passes over them.
pub(super) struct GzipMembers<R: BufRead> {
    /// `None` at the end of the file.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> GzipMembers<R> {
    pub(super) fn new(source: R) -> GzipMembers<R> {
        GzipMembers { member: Some(GzDecoder::new(source)) }
    }
}

impl<R: BufRead> Read for GzipMembers<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let length = member.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            let Some(mut source) = self.member.take().map(GzDecoder::into_inner) else { break };
            if !is_padding(&mut source)? {
                if source.fill_buf()?.first() != Some(&MEMBER_START) {
                    return Err(io::Error::new(
                        io::ErrorKind::InvalidData,
                        "other bytes are behind a gzip member",
                    ));
                }
                self.member = Some(GzDecoder::new(source));
            }
        }
        Ok(0)
    }
}

/// Passes over zeros, and returns whether the file ends behind them.
fn is_padding(source: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = source.fill_buf()?;
        if bytes.is_empty() {
            return Ok(true);
        }
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        let is_all = zeros == bytes.len();
        source.consume(zeros);
        if !is_all {
            return Ok(false);
        }
    }
}
