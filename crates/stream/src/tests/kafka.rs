//! Streams from the Kafka that librdkafka has for tests. It keeps records as they are sent.

use super::*;
use rdkafka::ClientConfig;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::{Headers, Message as _, OwnedMessage};
use rdkafka::mocking::MockCluster;
use rdkafka::producer::{BaseProducer, BaseRecord, DefaultProducerContext, Producer};
use std::io::{Read, Write};
use std::net::TcpStream;
use tokio::time::timeout;

/// A stream that runs for longer has failed its test.
const PATIENCE: Duration = Duration::from_secs(60);

/// Messages of a topic, in one batch.
const MESSAGES: usize = 20;

/// Bits of the attributes of a batch of records: a marker of a transaction.
const MARKER: i16 = 0x30;

type Kafka = MockCluster<'static, DefaultProducerContext>;

pub(super) fn kafka(topics: &[&str]) -> Kafka {
    let kafka = MockCluster::new(1).unwrap();
    topics.iter().for_each(|topic| kafka.create_topic(topic, 1, 1).unwrap());
    kafka
}

fn settings(place: &Place, kafka: &Kafka, topics: &[&str]) -> StreamSettings {
    let from = crate::Source::Kafka(crate::KafkaAddress {
        brokers: kafka.bootstrap_servers(),
        topics: topics.iter().map(|&topic| topic.to_owned()).collect(),
    });
    let to = crate::Destination::File(place.path("unique.jsonl"));
    // Figures and ends of topics come with the statistics. The group does not wait long for a member that has left.
    let kafka = [("statistics.interval.ms", "100"), ("session.timeout.ms", "6000")];
    let kafka = kafka.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    StreamSettings { from, to, kafka, duplicates: Duplicates::Drop, ..place.settings() }
}

/// Sends pages of which no two are similar, in any topic.
fn send_pages(kafka: &Kafka, topic: &str, codec: &str) {
    let mut config = ClientConfig::new();
    config
        .set("bootstrap.servers", kafka.bootstrap_servers())
        .set("compression.type", codec)
        .set("linger.ms", "50");
    let producer: BaseProducer = config.create().unwrap();
    let first = topic.bytes().fold(0, |hash, byte| 7 * hash + usize::from(byte)) * 1_000_000;
    for number in 0..MESSAGES {
        let page = page(&format!("{topic}{number}"), first + 1000 * number).unwrap();
        producer.send(BaseRecord::<str, str>::to(topic).payload(&page)).unwrap();
    }
    producer.flush(PATIENCE).unwrap();
}

/// The first records of a topic.
pub(super) fn records(kafka: &Kafka, topic: &str, count: usize) -> Vec<OwnedMessage> {
    let mut config = ClientConfig::new();
    config
        .set("bootstrap.servers", kafka.bootstrap_servers())
        .set("group.id", "reader")
        .set("auto.offset.reset", "earliest");
    let consumer: BaseConsumer = config.create().unwrap();
    consumer.subscribe(&[topic]).unwrap();
    // Between records, it has nothing while it joins its group.
    let polled = std::iter::repeat_with(|| consumer.poll(Duration::from_secs(1)));
    polled
        .take(PATIENCE.as_secs() as usize)
        .flatten()
        .map(|record| record.unwrap().detach())
        .take(count)
        .collect()
}

/// Sends a batch with the bytes of one record, by the protocol of Kafka.
fn send_records(kafka: &Kafka, topic: &str, attributes: i16, record: &[u8]) {
    // Behind the length: the epoch of the leader, the format, the checksum, which nobody checks.
    let mut batch = [&[0; 4][..], &[2], &[0; 4], &attributes.to_be_bytes()].concat();
    // The last offset, two times, the producer, its epoch, the first sequence number, and the number of records.
    batch.extend(
        [&[0; 4][..], &[0; 16], &[0xff; 8], &[0xff; 2], &[0xff; 4], &1_u32.to_be_bytes(), record].concat(),
    );
    let batch = [&[0; 8][..], &(batch.len() as u32).to_be_bytes(), &batch].concat();
    let topic = [&(topic.len() as u16).to_be_bytes(), topic.as_bytes()].concat();
    // Produce, version 3, a number and no name; no transaction, acks, the time, a topic, a partition.
    let mut request = [&[0, 0, 0, 3, 0, 0, 0, 1, 0xff, 0xff][..], &[0xff, 0xff, 0, 1, 0, 0, 4, 0]].concat();
    request.extend([&1_u32.to_be_bytes()[..], &topic, &[0, 0, 0, 1, 0, 0, 0, 0]].concat());
    request.extend([&(batch.len() as u32).to_be_bytes()[..], &batch].concat());
    let mut stream = TcpStream::connect(kafka.bootstrap_servers()).unwrap();
    stream.write_all(&[&(request.len() as u32).to_be_bytes()[..], &request].concat()).unwrap();
    let mut answer = vec![0; 4 + 4 + 4 + topic.len() + 4 + 4 + 2];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(answer[answer.len() - 2..], [0, 0], "it is stored");
}

/// Ends a transaction. The marker takes an offset.
fn send_commit(kafka: &Kafka, topic: &str) {
    // The key says that it is a commit, and the value has an epoch.
    let record = [&[2 * 16, 0, 0, 0, 2 * 4, 0, 0, 0, 1, 2 * 6][..], &[0; 6], &[0]].concat();
    send_records(kafka, topic, MARKER, &record);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn messages_of_every_codec_are_read() {
    let codecs = ["gzip", "snappy", "lz4", "zstd"];
    let (place, kafka) = (Place::new().await, kafka(&codecs));
    codecs.into_iter().for_each(|codec| send_pages(&kafka, codec, codec));
    let run = place.run_from_source(settings(&place, &kafka, &codecs));
    let totals = timeout(PATIENCE, run).await.unwrap().unwrap();
    assert_eq!((totals.new, totals.is_cut_short), (4 * MESSAGES as u64, false));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_codec_that_is_unknown_ends_the_stream_and_is_named() {
    let kafka = kafka(&["pages"]);
    send_pages(&kafka, "pages", "none");
    send_records(&kafka, "pages", 5, b"compressed");
    for ends in [true, false] {
        let place = Place::new().await;
        let group = format!("ends {ends}");
        let run =
            place.run_from_source(StreamSettings { ends, group, ..settings(&place, &kafka, &["pages"]) });
        let error = timeout(PATIENCE, run).await.unwrap().unwrap_err().to_string();
        assert!(
            error.contains("messages are compressed by codec 5, which this program cannot read"),
            "{error}"
        );
        // What came before has arrived.
        let lines = std::fs::read_to_string(place.path("unique.jsonl")).unwrap();
        assert_eq!(lines.lines().count(), MESSAGES);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn topics_that_end_with_a_marker_of_a_transaction_have_an_end_and_no_lag() {
    let topics = ["pages", "news"];
    let (place, kafka) = (Place::new().await, kafka(&topics));
    for topic in topics {
        send_pages(&kafka, topic, "none");
        send_commit(&kafka, topic);
    }
    // The second one begins where the first has ended.
    for round in 0..2 {
        let stream =
            place.open(StreamSettings { ends: false, ..settings(&place, &kafka, &topics) }).await.unwrap();
        let shared = Arc::clone(&stream.shared);
        let has_no_lag = async |topic: &str| {
            let line = format!("lookalike_lag_messages{{topic=\"{topic}\",partition=\"0\"}} 0\n");
            shared.metrics_text().await.contains(&line)
        };
        let arrived = async {
            while !has_no_lag("pages").await || !has_no_lag("news").await {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let ran = timeout(PATIENCE, stream.run(arrived)).await;
        assert!(ran.is_ok_and(|ran| ran.is_ok()), "round {round}: {}", shared.metrics_text().await);
    }
    let run = place.run_from_source(settings(&place, &kafka, &topics));
    timeout(PATIENCE, run).await.unwrap().unwrap();
    let lines = std::fs::read_to_string(place.path("unique.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 2 * MESSAGES);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dead_letter_of_a_file_names_the_line_in_a_topic_too() {
    let (place, kafka) = (Place::new().await, kafka(&["dead"]));
    let path = place.path("pages.jsonl");
    std::fs::write(&path, format!("{}\n{{\"id\": \"c\"}}\n", page("a", 0).unwrap())).unwrap();
    let dead_letters = Some(Letters::Kafka(crate::KafkaAddress {
        brokers: kafka.bootstrap_servers(),
        topics: vec!["dead".to_owned()],
    }));
    let from = crate::Source::File(path.clone());
    let run = place.run_from_source(StreamSettings { from, dead_letters, ..settings(&place, &kafka, &[]) });
    assert_eq!(timeout(PATIENCE, run).await.unwrap().unwrap().dead, 1);
    let letter = tokio::task::block_in_place(|| records(&kafka, "dead", 1)).remove(0);
    let headers = letter.headers().unwrap().iter();
    let headers: Vec<(&str, &str)> =
        headers.map(|header| (header.key, std::str::from_utf8(header.value.unwrap()).unwrap())).collect();
    let reason = "it has no field text; it has the fields id";
    assert_eq!(
        headers,
        [("lookalike.reason", reason), ("lookalike.place", &format!("{}:2", path.display()))]
    );
    assert_eq!(letter.payload(), Some(&b"{\"id\": \"c\"}"[..]));
}
