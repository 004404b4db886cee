//! The identity of a run: everything on which its files on disk depend.

use crate::request::Request;
use crate::request::plan_summary::PlanSummary;
use lookalike_corpus::Inputs;
use lookalike_store::{StoredRecord, bytes_of};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The settings and the inputs of a run.
#[derive(Debug)]
pub struct RunDescription {
    /// Names and values of settings, as users know them.
    settings: serde_json::Map<String, serde_json::Value>,
    /// The names of all inputs, each with a line feed.
    names: String,
    /// See [`lookalike_corpus::InputFile::stamp`].
    stamps: Vec<[u64; 2]>,
    /// The path of the run's folder.
    folder: PathBuf,
    /// Whether another run can read the same inputs.
    lasts: bool,
}

/// The settings and the inputs of a run, as its caller knows them.
pub struct RunContext<'a> {
    /// The plan, and how texts are read.
    pub request: &'a Request,
    /// The files.
    pub inputs: &'a Inputs,
    /// The bytes by which a later run of the same work finds the folder of this one.
    pub identity: Vec<u8>,
    /// Whether runs of one identity with different settings have a folder each, because they may run at the same time. Otherwise they are one
    /// run whose settings were changed.
    pub is_apart_by_settings: bool,
    /// The folder in which the run makes its own.
    pub place: PathBuf,
    /// Other settings that the results depend on, by the names that the user knows.
    pub settings: Vec<(&'static str, String)>,
    /// The bytes of memory that the process may take, or `None` for as many as it wants.
    pub memory: Option<u64>,
    /// The number of threads.
    pub threads: usize,
}

impl RunDescription {
    /// The description of a run.
    pub fn new(run_context: &RunContext<'_>) -> Self {
        let RunContext { request, inputs, settings: more, .. } = run_context;
        let plan = serde_json::to_value(PlanSummary::new(&request.plan)).unwrap_or_default();
        let mut settings = plan.as_object().cloned().unwrap_or_default();
        let own = [
            ("version of lookalike", env!("CARGO_PKG_VERSION").to_owned()),
            ("version of sketches", lookalike::SKETCH_VERSION.to_string()),
            ("method chosen", format!("{:?}", request.auto)),
            ("text field", request.text_fields.to_string()),
            ("--join", request.text_fields.between().to_owned()),
            ("fields of groups", request.within.join(",")),
        ];
        for (name, value) in own.iter().chain(more) {
            settings.insert((*name).to_owned(), value.clone().into());
        }
        let mut names = String::with_capacity(inputs.files().iter().map(|file| file.name.len() + 1).sum());
        for file in inputs.files() {
            names.extend([&file.name, "\n"]);
        }
        let mut identity = run_context.identity.clone();
        if run_context.is_apart_by_settings {
            identity.push(b'\n');
            identity.extend(serde_json::to_vec(&settings).unwrap_or_default());
        }
        let stamps = inputs.files().iter().map(lookalike_corpus::InputFile::stamp);
        let lasts = stamps.clone().all(|stamp| stamp.is_some());
        let stamps = stamps.map(Option::unwrap_or_default).collect();
        let folder = run_context.place.join(format!(".lookalike-{:016x}", xxh3_64(&identity)));
        RunDescription { settings, names, stamps, folder, lasts }
    }

    /// The bytes of memory that the names of the inputs take.
    pub fn bytes(&self) -> u64 {
        (self.names.capacity() + size_of::<[u64; 2]>() * self.stamps.len()) as u64
    }

    /// Whether another run can read the same inputs: a pipe can be read only once.
    pub(crate) fn lasts(&self) -> bool {
        self.lasts
    }

    /// The path of the run's folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// A hash of all of it.
    pub fn owner(&self) -> u64 {
        self.parts().iter().fold(0, |sum, part| xxh3_64(&[bytes_of(&[sum]), part].concat()))
    }

    /// All of it, as the parts of a record.
    pub fn parts(&self) -> [Vec<u8>; 3] {
        let settings = serde_json::to_vec(&self.settings).unwrap_or_default();
        [settings, self.names.clone().into_bytes(), bytes_of(&self.stamps).to_vec()]
    }

    /// The first difference to the run that `record` describes, as the end of a sentence.
    pub fn difference(&self, record: StoredRecord<'_>) -> Result<String, lookalike_store::Error> {
        let settings: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(record.bytes(0)?).unwrap_or_default();
        // Versions come first, as they explain other differences. The id of the plan and what follows from it come last, as the settings that they are made of say more.
        let mut keys: Vec<&String> = self.settings.keys().chain(settings.keys()).collect();
        let follows = |key: &str| ["id", "found_from", "method chosen", "recall_at_threshold"].contains(&key);
        keys.sort_by_key(|key| (follows(key), !key.starts_with("version of ")));
        for name in keys {
            let (now, before) = (self.settings.get(name), settings.get(name));
            if now != before {
                let in_words = |value: Option<&serde_json::Value>| {
                    value.map_or_else(|| "not there".to_owned(), ToString::to_string)
                };
                return Ok(format!("{name} is {} and was {}", in_words(now), in_words(before)));
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
