//! `lookalike stream`

use super::serve::stopped;
use crate::args::{self, StreamArgs, Usage};
use crate::exit::Exit;
use crate::note::note;
use crate::platform::give_memory_back;
use crate::report;
use lookalike_engine::Error as EngineError;
use lookalike_engine::index::Index;
use lookalike_stream::{
    Canonical, Destination, Duplicates, Fields, KafkaAddress, Letters, Settings, Source, Stream,
};
use std::fs;
use std::path::Path;

pub(crate) fn run(mut arguments: StreamArgs) -> anyhow::Result<Exit> {
    give_memory_back();
    arguments.similarity.sign_for(arguments.plan)?;
    let redis = super::serve::redis_address(&arguments.index)?;
    let settings = settings(&arguments)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let totals = runtime.block_on(async {
        let (stream, documents) = match &redis {
            Some(redis) => {
                let plan = arguments.similarity.plan_if_given()?;
                (Stream::open_redis(redis, plan.as_ref(), settings).await?, None)
            }
            None => {
                let index = open(&arguments)?;
                let documents = index.documents();
                (Stream::open(index, settings).await?, Some(documents))
            }
        };
        let stopped = stopped()?;
        let index = redis.as_ref().map_or_else(|| arguments.index.display().to_string(), ToString::to_string);
        report::streaming(index, documents);
        Ok::<_, anyhow::Error>(stream.run(stopped).await?)
    })?;
    report::streamed(&totals);
    Ok(match (totals.is_cut_short, totals.dead) {
        (true, _) => Exit::Failed,
        (false, 0) => Exit::Done,
        (false, _) => Exit::Skipped,
    })
}

/// Opens the index in a folder, or makes it.
fn open(arguments: &StreamArgs) -> anyhow::Result<Index> {
    let index = match Index::is_whole_at(&arguments.index).map_err(EngineError::from)? {
        true => Index::open_to_add(&arguments.index).map_err(EngineError::from)?,
        false => super::index::create("--index", &arguments.index, &arguments.similarity.plan()?)?,
    };
    args::check_options(&arguments.similarity.options_beside(index.plan())?, &index)?;
    Ok(index)
}

fn settings(arguments: &StreamArgs) -> anyhow::Result<Settings> {
    let format = arguments.format.format().map_err(|name| {
        Usage(format!(
            "--format: {name} needs the schema of each message, which this program does not fetch; send JSON"
        ))
    })?;
    if let Source::File(path) = &arguments.from {
        // Before an index is made for nothing.
        fs::File::open(path).map_err(|error| Usage(format!("--from {}: {error}", path.display())))?;
    }
    refuse_equal_places(arguments)?;
    let is_html = arguments.html_field.is_some();
    let fields = Fields {
        text: arguments.html_field.clone().unwrap_or_else(|| arguments.text_field.clone()),
        is_html,
        id: arguments.id_field.clone(),
        url: arguments.url_field.clone(),
        title: arguments.title_field.clone(),
        priority: arguments.priority_field.clone(),
    };
    Ok(Settings {
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

/// Refuses to write to what is read, and to write two things to one place.
fn refuse_equal_places(arguments: &StreamArgs) -> Result<(), Usage> {
    let file = |path: &Path| {
        format!("file {}", std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display())
    };
    let topic = |brokers: &str, topic: &str| format!("topic {topic} of {brokers}");
    let topics = |address: &KafkaAddress| -> Vec<String> {
        address.topics.iter().map(|name| topic(&address.brokers, name)).collect()
    };
    let from = match &arguments.from {
        Source::Kafka(address) => topics(address),
        Source::File(path) => vec![file(path)],
        Source::Stdin => Vec::new(),
    };
    let to = match &arguments.to {
        Destination::Kafka(address) => topics(address),
        Destination::File(path) if path.is_file() || !path.exists() => vec![file(path)],
        Destination::File(_) | Destination::Search(_) => Vec::new(),
    };
    let name = arguments.duplicates.as_deref().filter(|name| !["canonical", "drop"].contains(name));
    let duplicates = match (&arguments.to, name) {
        (Destination::Kafka(address), Some(name)) => vec![topic(&address.brokers, name)],
        (Destination::File(_), Some(name)) => vec![file(Path::new(name))],
        _ => Vec::new(),
    };
    let letters = match &arguments.dead_letters {
        Some(Letters::Kafka(address)) => topics(address),
        Some(Letters::File(path)) => vec![file(path)],
        None => Vec::new(),
    };
    let all = [("--from", from), ("--to", to), ("--duplicates", duplicates), ("--dead-letters", letters)];
    for (number, (option, places)) in all.iter().enumerate() {
        for (other, others) in &all[..number] {
            if let Some(place) = places.iter().find(|place| others.contains(place)) {
                return Err(Usage(format!("{option}: {other} is the same {place}; name another one")));
            }
        }
    }
    Ok(())
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
        Ok((key.trim().to_owned(), value.trim().to_owned()))
    };
    lines.map(setting).collect()
}
