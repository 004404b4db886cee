//! The places that a stream reads and writes, before anything is made.

use crate::args::{StreamArgs, Usage};
use lookalike_stream::{Destination, KafkaAddress, Letters, Source};
use std::path::Path;

/// Refuses to write to what is read, and to write two things to one place.
pub(super) fn refuse_equal(arguments: &StreamArgs) -> Result<(), Usage> {
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

/// Refuses files in folders that are not there, before an index is made for nothing.
pub(super) fn refuse_missing_folders(arguments: &StreamArgs) -> Result<(), Usage> {
    let mut files = Vec::new();
    if let Destination::File(path) = &arguments.to {
        files.push(("--to", path.as_path()));
        let name = arguments.duplicates.as_deref().filter(|name| *name != "drop");
        files.extend(name.map(|name| ("--duplicates", Path::new(name))));
    }
    if let Some(Letters::File(path)) = &arguments.dead_letters {
        files.push(("--dead-letters", path));
    }
    for (option, path) in files {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
        if let Some(folder) = folder {
            let problem = format!(
                "{option} {}: there is no folder {}; make it first",
                path.display(),
                folder.display()
            );
            return Err(Usage(problem));
        }
    }
    Ok(())
}
