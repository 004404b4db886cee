//! `lookalike stream`

mod places;

use super::serve::stopped;
use crate::args::{self, StreamArgs, Usage};
use crate::exit::Exit;
use crate::messages;
use crate::note::note;
use crate::platform::give_memory_back;
use lookalike_engine::Error as EngineError;
use lookalike_engine::index::Index;
use lookalike_stream::{Canonical, Destination, Duplicates, MessageFields, Source, Stream, StreamSettings};
use std::fs;
use std::path::Path;

pub(crate) fn run(mut arguments: StreamArgs) -> anyhow::Result<Exit> {
    give_memory_back();
    arguments.new.put_into(&mut arguments.similarity)?;
    let redis = super::serve::redis_address(&arguments.index)?;
    let settings = settings(&arguments)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let totals = runtime.block_on(async {
        let (stream, documents) = match &redis {
            Some(redis) => {
                let wanted = super::redis::wanted(redis, &mut arguments.similarity, arguments.new).await?;
                (Stream::open_redis(redis, wanted.as_ref(), settings).await?, None)
            }
            None => {
                let index = open(&mut arguments)?;
                let documents = index.documents();
                (Stream::open(index, settings).await?, Some(documents))
            }
        };
        let stopped = stopped()?;
        let index = redis.as_ref().map_or_else(|| arguments.index.display().to_string(), ToString::to_string);
        messages::streaming(index, documents);
        Ok::<_, anyhow::Error>(stream.run(stopped).await?)
    })?;
    messages::streamed(&totals);
    Ok(match (totals.is_cut_short, totals.dead) {
        (true, _) => Exit::Failed,
        (false, 0) => Exit::Done,
        (false, _) => Exit::Skipped,
    })
}

/// Opens the index in a folder, or makes it.
fn open(arguments: &mut StreamArgs) -> anyhow::Result<Index> {
    let index = match Index::is_whole_at(&arguments.index).map_err(EngineError::from)? {
        true => Index::open_to_add(&arguments.index).map_err(EngineError::from)?,
        false => {
            let new = arguments.new.new_index(&mut arguments.similarity)?;
            super::index::create("--index", &arguments.index, new)?
        }
    };
    let name = arguments.index.display().to_string();
    args::check_beside(&arguments.similarity, arguments.new, &index.made_with(), &name)?;
    Ok(index)
}

fn settings(arguments: &StreamArgs) -> anyhow::Result<StreamSettings> {
    let format = arguments.format.format().map_err(|name| {
        Usage(format!(
            "--format: {name} needs the schema of each message, which this program does not fetch; send JSON"
        ))
    })?;
    if let Source::File(path) = &arguments.from {
        // Before an index is made for nothing.
        fs::File::open(path).map_err(|error| Usage(format!("--from {}: {error}", path.display())))?;
    }
    places::refuse_equal(arguments)?;
    places::refuse_missing_folders(arguments)?;
    let is_html = arguments.html_field.is_some();
    let fields = MessageFields {
        text: arguments.html_field.clone().unwrap_or_else(|| arguments.text_field.clone()),
        is_html,
        id: arguments.id_field.clone(),
        url: arguments.url_field.clone(),
        title: arguments.title_field.clone(),
        priority: arguments.priority_field.clone(),
        time: arguments.time_field.clone(),
    };
    Ok(StreamSettings {
        from: arguments.from.clone(),
        to: arguments.to.clone(),
        group: arguments.group.clone(),
        format,
        fields,
        duplicates: duplicates(arguments)?,
        dead_letters: arguments.dead_letters.clone(),
        kafka: arguments.kafka_config.as_deref().map(kafka_config).transpose()?.unwrap_or_default(),
        authorization: arguments.search_key.as_deref().map(search_key).transpose()?,
        ttl: arguments.ttl,
        ends: arguments.stop_at_end,
        listen: arguments.listen,
        tell: note,
    })
}

fn duplicates(arguments: &StreamArgs) -> anyhow::Result<Duplicates> {
    let is_search = matches!(arguments.to, Destination::Search(_));
    let policy = arguments.canonical.map_or_else(Canonical::default, Canonical::from);
    let duplicates = match arguments.duplicates.as_deref() {
        None if is_search => Duplicates::Canonical(policy),
        None | Some("drop") => Duplicates::Drop,
        Some("canonical") if is_search => Duplicates::Canonical(policy),
        Some("canonical") => {
            let problem = "--duplicates canonical: only a search index can change a document that it has; name a topic or a file for duplicates, or drop them";
            return Err(Usage(problem.to_owned()).into());
        }
        Some(name) => Duplicates::Apart(name.to_owned()),
    };
    match (&duplicates, arguments.canonical) {
        (Duplicates::Apart(_) | Duplicates::Drop, Some(_)) => {
            let problem = "--canonical chooses among a document and the duplicates that are recorded on it; it needs a search index and --duplicates canonical";
            Err(Usage(problem.to_owned()).into())
        }
        _ => Ok(duplicates),
    }
}

fn search_key(path: &Path) -> anyhow::Result<String> {
    let key = fs::read_to_string(path);
    Ok(key
        .map(|key| key.trim().to_owned())
        .map_err(|error| Usage(format!("--search-key {}: {error}", path.display())))?)
}

/// Settings of librdkafka that the stream makes itself, and the option that says them, if there is one.
const OWN_SETTINGS: [(&str, &str); 7] = [
    ("auto.offset.reset", "a group that has read nothing starts at the first message"),
    ("bootstrap.servers", "the brokers are in --from"),
    ("enable.auto.commit", "offsets are committed when messages have arrived"),
    ("enable.auto.offset.store", "offsets are committed when messages have arrived"),
    ("enable.partition.eof", "--stop-at-end needs it"),
    ("group.id", "give --group"),
    ("metadata.broker.list", "the brokers are in --from"),
];

/// The settings of a file. Lines that begin with # are comments.
fn kafka_config(path: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let name = path.display();
    let text = fs::read_to_string(path).map_err(|error| Usage(format!("--kafka-config {name}: {error}")))?;
    let lines =
        text.lines().map(str::trim).zip(1..).filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    let setting = |(line, number): (&str, usize)| {
        let (key, value) = line
            .split_once('=')
            .ok_or_else(|| Usage(format!("--kafka-config {name}: line {number} has no =; give KEY=VALUE")))?;
        let (key, value) = (key.trim(), value.trim());
        if let Some((_, instead)) = OWN_SETTINGS.iter().find(|(own, _)| *own == key) {
            return Err(Usage(format!(
                "--kafka-config {name}: line {number} sets {key}: {instead}; remove it"
            ))
            .into());
        }
        Ok((key.to_owned(), value.to_owned()))
    };
    lines.map(setting).collect()
}
