//! `lookalike stream`

use super::serve::{CanonicalArg, duration};
use crate::args::options::{NewIndexArgs, SimilarityArgs};
use clap::{Args, ValueEnum};
use lookalike_stream::{Destination, Letters, MessageFormat, Source};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

pub(in crate::args) const EXAMPLES: &str = "\
Examples:
  lookalike stream --from kafka://localhost/pages --to elasticsearch://localhost/pages --index seen.index
  lookalike stream --from kafka://localhost/pages --to kafka://localhost/unique --duplicates copies --index seen.index
  lookalike stream --from kafka://localhost/pages --html-field page.body --to opensearch://localhost/pages --index seen.index
  lookalike stream --from kafka://localhost/pages --to elasticsearch://localhost/pages --index redis://localhost
  lookalike stream --from news.jsonl --to unique.jsonl --duplicates duplicates.jsonl --index seen.index

A message is a JSON object. The document goes on as it came. The field duplicates is added to it when the
first duplicate comes: a list of objects with id, url and similarity.

A message without a value removes the document that has its key as the id.

The file of --kafka-config has a setting of librdkafka a line, for example for brokers that ask for TLS and SASL:
  security.protocol=SASL_SSL
  sasl.mechanism=SCRAM-SHA-512
  sasl.username=crawler
  sasl.password=SECRET";

#[derive(Args, Debug)]
pub(crate) struct StreamArgs {
    /// Where messages come from: kafka://HOST[:PORT][,HOST…]/TOPIC[,TOPIC…], a file with a message a line, or - for standard input
    #[arg(long, value_name = "SOURCE")]
    pub(crate) from: Source,

    /// Where new documents go: elasticsearch:// or opensearch://[USER:PASSWORD@]HOST[:PORT]/INDEX, elasticsearch+https:// or
    /// opensearch+https:// with TLS, kafka://HOST[:PORT]/TOPIC, or a file, which grows
    #[arg(long, value_name = "DESTINATION")]
    pub(crate) to: Destination,

    /// The folder of the index, or its address in Redis, such as redis://localhost; it is made if it does not exist
    ///
    /// One process at a time can write to a folder. Several instances can use one index in Redis: redis://[USER:PASSWORD@]HOST[:PORT][/DB][?name=NAME]
    #[arg(long, value_name = "INDEX")]
    pub(crate) index: PathBuf,

    /// What happens to duplicates [default: canonical for a search index, drop for others]
    ///
    /// canonical records each in the search index, on the document that it is similar to. drop drops them. Another name is that of an
    /// index, a topic or a file for them, beside that of --to.
    #[arg(long, value_name = "canonical|drop|NAME")]
    pub(crate) duplicates: Option<String>,

    /// Which of a document and its duplicates the field lookalike_canonical names [default: first, without the field]
    #[arg(long, value_enum, value_name = "POLICY")]
    pub(crate) canonical: Option<CanonicalArg>,

    /// Where messages go that cannot be used: kafka://HOST[:PORT]/TOPIC, or a file, which grows [default: the topic TOPIC-dead-letters for
    /// messages of Kafka; messages of a file are only reported]
    #[arg(long, value_name = "PLACE")]
    pub(crate) dead_letters: Option<Letters>,

    /// The consumer group. Instances with the same group share the partitions of the topics
    #[arg(long, value_name = "NAME", default_value = "lookalike")]
    pub(crate) group: String,

    /// Documents expire after this time, and then leave the index and the search index: 90s, 15m, 12h or 30d [default: never]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) ttl: Option<Duration>,

    /// Stop at the end of the topics, in place of waiting for more messages
    #[arg(long)]
    pub(crate) stop_at_end: bool,

    /// Answer /metrics, /health and /ready at this address, such as 127.0.0.1:9100
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,

    /// The file that has the key for the search engine, as the header Authorization has it, such as ApiKey VGVzdA==
    #[arg(long, value_name = "FILE", help_heading = "Connections")]
    pub(crate) search_key: Option<PathBuf>,

    /// A file with settings of librdkafka, one a line: KEY=VALUE
    #[arg(long, value_name = "FILE", help_heading = "Connections")]
    pub(crate) kafka_config: Option<PathBuf>,

    /// The form of messages. In place of Avro and Protobuf, send JSON
    #[arg(long, value_enum, default_value_t = FormatArg::Json, help_heading = "Messages")]
    pub(crate) format: FormatArg,

    /// The field of the text, perhaps a nested one, such as page.text
    #[arg(long, value_name = "FIELD", default_value = "text", help_heading = "Messages")]
    pub(crate) text_field: String,

    /// The field of the text, if that is HTML. Its visible text is compared
    #[arg(long, value_name = "FIELD", conflicts_with = "text_field", help_heading = "Messages")]
    pub(crate) html_field: Option<String>,

    /// The field of the id. A message without it has its key as the id, or its topic, partition and offset
    #[arg(long, value_name = "FIELD", default_value = "id", help_heading = "Messages")]
    pub(crate) id_field: String,

    /// The field of the URL
    #[arg(long, value_name = "FIELD", default_value = "url", help_heading = "Messages")]
    pub(crate) url_field: String,

    /// The field of the title
    #[arg(long, value_name = "FIELD", default_value = "title", help_heading = "Messages")]
    pub(crate) title_field: String,

    /// The field of the priority as canonical document, a number
    #[arg(long, value_name = "FIELD", default_value = "priority", help_heading = "Messages")]
    pub(crate) priority_field: String,

    /// The field of the time from which on --ttl counts: seconds or milliseconds since 1970, or a text such as 2026-11-26T10:00:00Z
    /// [default: the time at which the message is read]
    #[arg(long, value_name = "FIELD", requires = "ttl", help_heading = "Messages")]
    pub(crate) time_field: Option<String>,

    #[command(flatten)]
    pub(crate) new: NewIndexArgs,

    #[command(flatten)]
    pub(crate) similarity: SimilarityArgs,
}

/// See [`Format`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    /// A JSON object
    Json,
    /// A page. Its key is its id and its URL
    Html,
    /// A text. Its key is its id
    Text,
    #[value(hide = true)]
    Avro,
    #[value(hide = true)]
    Protobuf,
}

impl FormatArg {
    /// The format, or the name of one that cannot be read.
    pub(crate) fn format(self) -> Result<MessageFormat, &'static str> {
        match self {
            FormatArg::Json => Ok(MessageFormat::Json),
            FormatArg::Html => Ok(MessageFormat::Html),
            FormatArg::Text => Ok(MessageFormat::Text),
            FormatArg::Avro => Err("Avro"),
            FormatArg::Protobuf => Err("Protobuf"),
        }
    }
}
