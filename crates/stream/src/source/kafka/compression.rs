//! Messages whose compression cannot be read.

use rdkafka::error::{KafkaError, RDKafkaErrorCode};

/// The codecs of Kafka, by their numbers.
const CODECS: [&str; 5] = ["none", "gzip", "snappy", "lz4", "zstd"];

/// Why messages of a partition cannot be decompressed, if this is such an error. librdkafka would read them again and again.
pub(super) fn unreadable(error: &KafkaError, reason: &str) -> Option<String> {
    let codec = match error.rdkafka_error_code()? {
        RDKafkaErrorCode::NotImplemented => {
            let number = codec_number(reason)?;
            CODECS.get(number).map_or_else(|| format!("codec {number}"), |codec| (*codec).to_owned())
        }
        // The broker has refused it, and names no codec.
        RDKafkaErrorCode::UnsupportedCompressionType => "a codec".to_owned(),
        RDKafkaErrorCode::BadCompression => return Some(format!("messages are damaged ({reason})")),
        _ => return None,
    };
    Some(format!(
        "messages are compressed by {codec}, which this program cannot read; compress them by gzip, snappy, lz4 or zstd ({reason})"
    ))
}

/// The number of the codec that a sentence of librdkafka names, as `(codec 0x4)`.
fn codec_number(reason: &str) -> Option<usize> {
    let (_, rest) = reason.split_once("codec 0x")?;
    let digits = rest.split(|character: char| !character.is_ascii_hexdigit()).next()?;
    usize::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_codec_that_cannot_be_read_is_named() {
        let shown = |code, reason: &str| unreadable(&KafkaError::Global(code), reason).unwrap_or_default();
        let failed = "Decompression (codec 0x4) of message at 7 of 93 bytes failed: Local: Not implemented";
        assert!(
            shown(RDKafkaErrorCode::NotImplemented, failed).starts_with("messages are compressed by zstd, ")
        );
        let unknown = failed.replace("0x4", "0x5");
        assert!(shown(RDKafkaErrorCode::NotImplemented, &unknown).contains(" by codec 5, "));
        let refused = "Fetch from broker 1 failed: Broker: Unsupported compression type";
        assert!(shown(RDKafkaErrorCode::UnsupportedCompressionType, refused).contains(" by a codec, "));
        assert!(shown(RDKafkaErrorCode::BadCompression, failed).contains("at 7"));
        assert_eq!(shown(RDKafkaErrorCode::AllBrokersDown, "none answers"), "");
        let format = "Unsupported Message(Set) MagicByte 3 at offset 7";
        assert_eq!(shown(RDKafkaErrorCode::NotImplemented, format), "");
    }
}
