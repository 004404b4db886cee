//! The identity of a run: everything on which its files on disk depend.

use crate::error::Error;
use crate::plan_summary::PlanSummary;
use crate::request::Request;
use lookalike_corpus::Inputs;
use lookalike_store::{Record, bytes_of};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The settings and the inputs of a run.
#[derive(Debug)]
pub struct Description {
    /// Names and values of settings, as users know them.
    settings: serde_json::Map<String, serde_json::Value>,
    /// The names of all inputs, each with a line feed.
    names: String,
    /// See [`lookalike_corpus::InputFile::stamp`].
    stamps: Vec<[u64; 2]>,
    /// A hash that names the folder of the run.
    command: u64,
    /// Whether another run can read the same inputs.
    lasts: bool,
}

/// The settings and the inputs of a run, as its verb knows them.
pub struct RunContext<'a> {
    /// The name of the verb.
    pub verb: &'static str,
    /// The plan, and how texts are read.
    pub request: &'a Request,
    /// The arguments that name the inputs, and the files of `--against`.
    pub arguments: Vec<&'a str>,
    /// The files.
    pub inputs: &'a Inputs,
    /// Its main output.
    pub output: Option<&'a Path>,
    /// Other settings, with their names as users know them.
    pub more: Vec<(&'static str, String)>,
    /// The bytes of memory that the process may take, or `None` for as many as it wants.
    pub memory: Option<u64>,
    /// The number of threads.
    pub threads: usize,
    /// The folder for temporary files, or `None` for the folder of the output.
    pub temp_dir: Option<&'a Path>,
}

impl Description {
    /// The description of a run.
    pub fn new(run_context: &RunContext<'_>) -> Self {
        let RunContext { verb, request, arguments, inputs, output, more, .. } = run_context;
        let plan = serde_json::to_value(PlanSummary::new(&request.plan)).unwrap_or_default();
        let mut settings = plan.as_object().cloned().unwrap_or_default();
        let own = [
            ("version of lookalike", env!("CARGO_PKG_VERSION").to_owned()),
            ("version of sketches", lookalike::SKETCH_VERSION.to_string()),
            ("method chosen", format!("{:?}", request.auto)),
            ("text field", request.text_field.clone()),
            ("--within", request.within.join(",")),
        ];
        for (name, value) in own.iter().chain(more) {
            settings.insert((*name).to_owned(), value.clone().into());
        }
        let mut names = String::with_capacity(inputs.files().iter().map(|file| file.name.len() + 1).sum());
        for file in inputs.files() {
            names.extend([&file.name, "\n"]);
        }
        let here = std::env::current_dir().unwrap_or_default();
        let to_file = output.filter(|output| *output != Path::new("-"));
        let mut command = vec![verb.as_bytes(), here.as_os_str().as_encoded_bytes()];
        command.extend(arguments.iter().map(|argument| argument.as_bytes()));
        command.extend(to_file.map(|output| output.as_os_str().as_encoded_bytes()));
        // Commands that write to the same file are one command with other settings. Commands without an output may run at the same time, and
        // differ by their settings.
        let settings_json = serde_json::to_vec(&settings).unwrap_or_default();
        command.extend(to_file.is_none().then_some(&settings_json[..]));
        let stamps = inputs.files().iter().map(lookalike_corpus::InputFile::stamp);
        let lasts = stamps.clone().all(|stamp| stamp.is_some());
        let stamps = stamps.map(Option::unwrap_or_default).collect();
        let command = xxh3_64(&command.join(&b'\n'));
        Description { settings, names, stamps, command, lasts }
    }

    /// The bytes of memory that the names of the inputs take.
    pub fn bytes(&self) -> u64 {
        (self.names.capacity() + size_of::<[u64; 2]>() * self.stamps.len()) as u64
    }

    /// Whether another run can read the same inputs: a pipe can be read only once.
    pub fn lasts(&self) -> bool {
        self.lasts
    }

    /// The path of the run's folder: in `folder`, or else beside its output.
    pub fn place(&self, folder: Option<&Path>, output: Option<&Path>) -> Result<PathBuf, Error> {
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
    pub fn difference(&self, record: Record<'_>) -> Result<String, lookalike_store::Error> {
        let settings: serde_json::Map<String, serde_json::Value> =
            serde_json::from_slice(record.bytes(0)?).unwrap_or_default();
        // Versions come first, as they explain other differences. The id of the plan comes last, as the settings that it is made of say more.
        let mut keys: Vec<&String> = self.settings.keys().chain(settings.keys()).collect();
        keys.sort_by_key(|key| (*key == "id", !key.starts_with("version of ")));
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
