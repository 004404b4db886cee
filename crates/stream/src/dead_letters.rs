//! Messages that cannot be used, kept with the reason.

use crate::address::{KafkaAddress, Letters, Source};
use crate::batch::Message;
use crate::error::Error;
use crate::health::{Health, HealthPart};
use crate::progress::StreamProgress;
use crate::settings::StreamSettings;
use crate::sink::{LineWriter, TopicRecord, TopicWriter};
use rdkafka::message::{Header, OwnedHeaders};
use serde_json::json;
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

/// Where messages go that cannot be used.
pub(crate) struct DeadLetters {
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
        Ok(DeadLetters { to, health: Arc::clone(health), told: 0 })
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
            let Message { partition, offset, .. } = letter.message;
            // The key of a line is its file, its number, and a hash of it.
            let line = letter
                .message
                .key
                .filter(|_| matches!(self.to, DeadLetterSink::Nowhere))
                .map(String::from_utf8_lossy);
            let place = match line.as_deref().and_then(|key| key.rsplit_once(':')) {
                Some((line, _)) => line.to_owned(),
                None => format!("{}/{}/{offset}", partition.topic, partition.number),
            };
            self.health.tell(&format!("{place} cannot be used: {}", letter.reason));
            self.told += 1;
            if self.told == MOST_TOLD {
                self.health.tell("further messages that cannot be used are only counted");
            }
        }
        match &mut self.to {
            DeadLetterSink::Nowhere => {}
            DeadLetterSink::Topic(writer, topic) => {
                let refused = writer.write(letters.iter().map(|letter| letter.record(topic)).collect()).await;
                // One that is too long for the topic goes there without its value: the message itself is where it was.
                let short = refused.iter().map(|&(number, _)| letters[number].without_value().record(topic));
                for (number, reason) in writer.write(short.collect()).await {
                    let Message { partition, offset, .. } = letters[refused[number].0].message;
                    let place = format!("{}/{}/{offset}", partition.topic, partition.number);
                    self.health.tell(&format!("the dead letter of {place} is not kept: {reason}"));
                }
            }
            DeadLetterSink::Lines(writer) => {
                let mut lines = Vec::new();
                letters.iter().for_each(|letter| writer.push(letter.line().as_bytes(), &mut lines));
                writer.write(&lines).await;
            }
        }
    }
}

impl<'m> DeadLetter<'m> {
    fn without_value(self) -> Self {
        DeadLetter { message: Message { value: Some(b""), ..self.message }, ..self }
    }

    fn record<'r>(&self, topic: &'r str) -> TopicRecord<'r>
    where
        'm: 'r,
    {
        let Message { partition, offset, key, value, .. } = self.message;
        let (number, offset) = (partition.number.to_string(), offset.to_string());
        let headers = [
            ("lookalike.reason", self.reason),
            ("lookalike.topic", &partition.topic),
            ("lookalike.partition", &number),
            ("lookalike.offset", &offset),
        ];
        let headers = headers.into_iter().fold(OwnedHeaders::new(), |headers, (key, value)| {
            headers.insert(Header { key, value: Some(value) })
        });
        TopicRecord { topic, key, value: value.map(Into::into), headers: Some(headers) }
    }

    /// The letter as JSON. Bytes that are not UTF-8 are replaced by U+FFFD.
    fn line(&self) -> String {
        let Message { partition, offset, key, value, .. } = self.message;
        let text = |bytes: Option<&[u8]>| bytes.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let letter = json!({
            "reason": self.reason,
            "topic": &*partition.topic,
            "partition": partition.number,
            "offset": offset,
            "key": text(key),
            "value": text(value),
        });
        letter.to_string()
    }
}
