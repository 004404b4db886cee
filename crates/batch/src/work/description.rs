//! Which run is it? Everything that what is put on disk depends on.

use crate::error::Error;
use crate::job::Job;
use crate::summary::PlanSummary;
use lookalike_corpus::Inputs;
use lookalike_store::{Record, bytes_of};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// What a run reads, and what it asks.
#[derive(Debug)]
pub(crate) struct Description {
    /// Names and values, as people know them.
    settings: serde_json::Map<String, serde_json::Value>,
    /// The names of all inputs, each with a line feed.
    names: String,
    /// See [`lookalike_corpus::InputFile::stamp`].
    stamps: Vec<[u64; 2]>,
    /// Names the place where the run puts things.
    command: u64,
}

impl Description {
    /// Of a job of this `verb`; `more` are settings beside those of the job.
    pub(crate) fn new(
        verb: &str,
        job: &Job,
        inputs: &Inputs,
        output: Option<&Path>,
        more: &[(&str, String)],
    ) -> Self {
        let plan = serde_json::to_value(PlanSummary::new(&job.plan)).unwrap_or_default();
        let mut settings = plan.as_object().cloned().unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let fields = [("text field", job.text_field.clone()), ("id field", job.id_field.clone())];
        let own = [("version of lookalike", version), ("method chosen", format!("{:?}", job.auto))];
        for (name, value) in fields.iter().chain(&own).chain(more) {
            settings.insert((*name).to_owned(), value.clone().into());
        }
        let mut names = String::new();
        for file in inputs.files() {
            names.extend([&file.name, "\n"]);
        }
        let mut command = Xxh3::new();
        let here = std::env::current_dir().unwrap_or_default();
        for part in [verb.as_bytes(), here.as_os_str().as_encoded_bytes()] {
            command.update(part);
            command.update(b"\n");
        }
        job.inputs.iter().for_each(|input| {
            command.update(input.as_bytes());
            command.update(b"\n");
        });
        command.update(output.map_or(&b""[..], |output| output.as_os_str().as_encoded_bytes()));
        let stamps = inputs.files().iter().map(lookalike_corpus::InputFile::stamp).collect();
        Description { settings, names, stamps, command: command.digest() }
    }

    /// Where the run puts things: in `folder`, or else beside its output.
    pub(crate) fn place(&self, folder: Option<&Path>, output: Option<&Path>) -> Result<PathBuf, Error> {
        let beside = output.filter(|output| *output != Path::new("-")).and_then(Path::parent);
        let beside = beside.filter(|folder| !folder.as_os_str().is_empty() && folder.is_dir());
        let folder = match (folder, beside) {
            (Some(folder), _) if !folder.is_dir() => {
                return Err(Error::NoTempDir { folder: folder.to_owned() });
            }
            (Some(folder), _) | (None, Some(folder)) => folder.to_owned(),
            (None, None) if output.is_some_and(|output| output != Path::new("-")) => PathBuf::from("."),
            (None, None) => std::env::temp_dir(),
        };
        Ok(folder.join(format!(".lookalike-{:016x}", self.command)))
    }

    /// A number for all of it.
    pub(crate) fn owner(&self) -> u64 {
        self.parts().iter().fold(0, |sum, part| xxh3_64(&[bytes_of(&[sum]), part].concat()))
    }

    /// As the parts of a record.
    pub(crate) fn parts(&self) -> [Vec<u8>; 3] {
        let settings = serde_json::to_vec(&self.settings).unwrap_or_default();
        [settings, self.names.clone().into_bytes(), bytes_of(&self.stamps).to_vec()]
    }

    /// What is different from the run that `record` describes, in a sentence's end.
    pub(crate) fn difference(&self, record: Record<'_>) -> Result<String, lookalike_store::Error> {
        let settings: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(record.bytes(0)?).unwrap_or_default();
        for (name, value) in &self.settings {
            let before = settings.get(name).cloned().unwrap_or_default();
            if before != *value {
                return Ok(format!("{name} is {value} and was {before}"));
            }
        }
        let names = String::from_utf8_lossy(record.bytes(1)?).into_owned();
        let stamps: &[[u64; 2]] = record.values(2)?;
        let before: Vec<(&str, &[u64; 2])> = names.lines().zip(stamps).collect();
        let now: Vec<(&str, &[u64; 2])> = self.names.lines().zip(&self.stamps).collect();
        let place = now.iter().zip(&before).position(|(now, before)| now != before);
        Ok(match place {
            Some(place) if now[place].0 == before[place].0 => format!("{} has changed", now[place].0),
            Some(place) => format!("{} is where {} was", now[place].0, before[place].0),
            None => format!("there are {} input files and were {}", now.len(), before.len()),
        })
    }
}
