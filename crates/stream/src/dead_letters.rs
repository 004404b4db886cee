//! Messages that cannot be used, kept with the reason.

use crate::address::{KafkaAddress, Letters, Source};
use crate::batch::Message;
use crate::error::Error;
use crate::health::{Health, HealthPart};
use crate::progress::StreamProgress;
use crate::settings::StreamSettings;
use crate::sink::{LineWriter, TopicRecord, TopicWriter};
use rdkafka::message::{Header, OwnedHeaders};
use serde_json::{Value, json};
use std::sync::Arc;

/// Dead letters that are told of, at most. All are counted.
const MOST_TOLD: u64 = 10;

/// A message that cannot be used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeadLetter<'m> {
    pub(crate) message: Message<'m>,
    /// The reason, for a person.
    pub(crate) reason: &'m str,
}

/// What is read, and so how the place of a message is named.
enum LetterSource {
    Topics,
    /// The file has this name.
    Lines(String),
}

impl LetterSource {
    /// The place of a message, for a person.
    fn place(&self, message: Message<'_>) -> String {
        let Message { partition, offset, .. } = message;
        match self {
            LetterSource::Topics => format!("{}/{}/{offset}", partition.topic, partition.number),
            LetterSource::Lines(name) => format!("{name}:{}", offset + 1),
        }
    }

    /// The fields of a letter that say the place of its message.
    fn fields(&self, message: Message<'_>) -> Vec<(&'static str, Value)> {
        let Message { partition, offset, .. } = message;
        match self {
            LetterSource::Topics => vec![
                ("topic", json!(*partition.topic)),
                ("partition", json!(partition.number)),
                ("offset", json!(offset)),
            ],
            LetterSource::Lines(_) => vec![("place", json!(self.place(message)))],
        }
    }
}

/// Where messages go that cannot be used.
pub(crate) struct DeadLetters {
    from: LetterSource,
    to: DeadLetterSink,
    health: Arc<Health>,
    told: u64,
}

enum DeadLetterSink {
    Topic(TopicWriter, String),
    Lines(LineWriter),
    /// They are only told.
    Nowhere,
}

impl DeadLetters {
    pub(crate) fn open(
        settings: &StreamSettings,
        health: &Arc<Health>,
        progress: &StreamProgress,
    ) -> Result<Self, Error> {
        let topic = |address: &KafkaAddress, topic: String| {
            let writer = TopicWriter::new(address, settings, HealthPart::DeadLetters, Arc::clone(health))?;
            Ok::<_, Error>(DeadLetterSink::Topic(writer, topic))
        };
        let to = match (&settings.dead_letters, &settings.from) {
            (Some(Letters::Kafka(address)), _) => topic(address, address.topics[0].clone())?,
            (Some(Letters::File(path)), _) => DeadLetterSink::Lines(LineWriter::open(
                path,
                HealthPart::DeadLetters,
                Arc::clone(health),
                progress,
            )?),
            (None, Source::Kafka(address)) => topic(address, format!("{}-dead-letters", address.topics[0]))?,
            (None, Source::File(_) | Source::Stdin) => DeadLetterSink::Nowhere,
        };
        let from = match &settings.from {
            Source::Kafka(_) => LetterSource::Topics,
            Source::File(path) => LetterSource::Lines(path.display().to_string()),
            Source::Stdin => LetterSource::Lines("-".to_owned()),
        };
        Ok(DeadLetters { from, to, health: Arc::clone(health), told: 0 })
    }

    /// The length of its file, with all letters that have arrived.
    pub(crate) fn length(&self) -> Option<(String, u64)> {
        match &self.to {
            DeadLetterSink::Lines(writer) => writer.name_and_length(),
            DeadLetterSink::Topic(..) | DeadLetterSink::Nowhere => None,
        }
    }

    /// Keeps letters. Returns when they have arrived.
    pub(crate) async fn write(&mut self, letters: &[DeadLetter<'_>]) {
        for letter in letters.iter().take((MOST_TOLD - self.told) as usize) {
            let place = self.from.place(letter.message);
            self.health.tell(&format!("{place} cannot be used: {}", letter.reason));
            self.told += 1;
            if self.told == MOST_TOLD {
                self.health.tell("further messages that cannot be used are only counted");
            }
        }
        match &mut self.to {
            DeadLetterSink::Nowhere => {}
            DeadLetterSink::Topic(writer, topic) => {
                let refused = writer
                    .write(letters.iter().map(|letter| letter.record(&self.from, topic)).collect())
                    .await;
                // One that is too long for the topic goes there without its value: the message itself is where it was.
                let short = refused
                    .iter()
                    .map(|&(number, _)| letters[number].without_value().record(&self.from, topic));
                for (number, reason) in writer.write(short.collect()).await {
                    let place = self.from.place(letters[refused[number].0].message);
                    self.health.tell(&format!("the dead letter of {place} is not kept: {reason}"));
                }
            }
            DeadLetterSink::Lines(writer) => {
                let mut lines = Vec::new();
                letters.iter().for_each(|letter| writer.push(letter.line(&self.from).as_bytes(), &mut lines));
                writer.write(&lines).await;
            }
        }
    }
}

impl<'m> DeadLetter<'m> {
    fn without_value(self) -> Self {
        DeadLetter { message: Message { value: Some(b""), ..self.message }, ..self }
    }

    fn record<'r>(&self, from: &LetterSource, topic: &'r str) -> TopicRecord<'r>
    where
        'm: 'r,
    {
        let Message { key, value, .. } = self.message;
        let header = |headers: OwnedHeaders, name: &str, value: &str| {
            headers.insert(Header { key: &format!("lookalike.{name}"), value: Some(value) })
        };
        let mut headers = header(OwnedHeaders::new(), "reason", self.reason);
        for (name, value) in from.fields(self.message) {
            headers = header(headers, name, value.as_str().unwrap_or(&value.to_string()));
        }
        TopicRecord { topic, key, value: value.map(Into::into), headers: Some(headers) }
    }

    /// The letter as JSON. Bytes that are not UTF-8 are replaced by U+FFFD.
    fn line(&self, from: &LetterSource) -> String {
        let Message { key, value, .. } = self.message;
        let text = |bytes: Option<&[u8]>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let mut letter = json!({ "reason": self.reason, "key": text(key), "value": text(value) });
        for (name, value) in from.fields(self.message) {
            letter[name] = value;
        }
        letter.to_string()
    }
}
