//! The files that a job names, how long their records may be, and which run it is.

use crate::error::Error;
use crate::outputs::summary_files::SummaryFiles;
use crate::request::Job;
use lookalike_corpus::{AgainstFields, DEFAULT_RECORD_BYTES, Fields, InputFile, Inputs, TextFields};
use lookalike_engine::features::given_weights;
use lookalike_engine::progress::Monitor;
use lookalike_engine::request::AboutFields;
use lookalike_engine::work::RunContext;
use std::path::{Path, PathBuf};

/// A command, as far as another run can be the same.
pub(crate) struct RunCommand<'a> {
    /// The name of the verb.
    pub(crate) verb: &'static str,
    /// The arguments that name the inputs, and the files of `--against`.
    pub(crate) arguments: Vec<&'a str>,
    /// Its main output.
    pub(crate) output: Option<&'a Path>,
}

impl RunCommand<'_> {
    /// The output, unless it is standard output.
    fn output_file(&self) -> Option<&Path> {
        self.output.filter(|output| *output != Path::new("-"))
    }

    /// The bytes by which a later run of the command finds the folder of this one.
    fn identity(&self) -> Vec<u8> {
        let here = std::env::current_dir().unwrap_or_default();
        let mut parts = vec![self.verb.as_bytes(), here.as_os_str().as_encoded_bytes()];
        parts.extend(self.arguments.iter().map(|argument| argument.as_bytes()));
        parts.extend(self.output_file().map(|output| output.as_os_str().as_encoded_bytes()));
        parts.join(&b'\n')
    }

    /// The folder for temporary files: `temp_dir`, or else the folder of the output.
    fn place(&self, temp_dir: Option<&Path>) -> Result<PathBuf, Error> {
        let beside = self.output_file().and_then(Path::parent);
        let beside = beside.filter(|folder| !folder.as_os_str().is_empty() && folder.is_dir());
        match (temp_dir, beside) {
            (Some(folder), _) if !folder.is_dir() => {
                Err(lookalike_engine::Error::NoTempDir { folder: folder.to_owned() }.into())
            }
            (Some(folder), _) | (None, Some(folder)) => Ok(folder.to_owned()),
            (None, None) if self.output_file().is_some() => Ok(PathBuf::from(".")),
            (None, None) => Ok(std::env::temp_dir()),
        }
    }
}

/// The part of the memory that a record may have. A record that is sketched and compared takes 11 to 21 times its length,
/// measured with words and with Chinese. It takes 75 times its length if Latin letters are tokens. Other documents need memory
/// too.
const RECORD_SHARE: u64 = 32;

/// The part of the memory that record batches of Arrow may have. Each is decoded as a whole, and some writers make one of a whole file.
const BATCH_SHARE: u64 = 4;

/// Records of so many bytes are read even in the least memory.
const LEAST_RECORD_BYTES: u64 = 1 << 20;

/// Notes which of the `named` fields the first record of a file lacks. Each comes with what it is for.
fn check_first_record(file: Option<&InputFile>, named: &[(&String, &str)], monitor: &Monitor) {
    let Some(file) = file.filter(|_| !named.is_empty()) else { return };
    // Other errors are found when the records are read.
    let Ok(columns) = file.columns() else { return };
    for (field, what) in named {
        let first = field.split(['.', '[']).next().unwrap_or_default();
        if !columns.is_empty() && !columns.iter().any(|column| column == *field || column == first) {
            let (file, columns) = (&file.name, columns.join(", "));
            monitor.note(&format!(
                "{file}: the first record has no field {field:?} for {what}; its fields are {columns}"
            ));
        }
    }
}

/// The fields of a text that has several. A record that lacks one of them is a document all the same.
fn of_several(fields: &TextFields) -> impl Iterator<Item = (&String, &'static str)> {
    let names = if fields.names().len() > 1 { fields.names() } else { &[] };
    names.iter().map(|name| (name, "the text"))
}

impl Job {
    /// Starts the files that the run writes about itself.
    pub(crate) fn start_summary(&self, monitor: &Monitor) -> Result<SummaryFiles, Error> {
        SummaryFiles::start(self.summary.as_ref(), self.settings.as_ref(), &monitor.waiting())
    }

    /// The files that it reads.
    pub(crate) fn resolve(&self, monitor: &Monitor) -> Result<Inputs, Error> {
        Ok(self.limit(self.resolve_against(&[], &Inputs::default(), monitor)?))
    }

    /// The files and sources that it reads, behind those that they are compared against.
    pub(crate) fn resolve_against(
        &self,
        against: &[String],
        held: &Inputs,
        monitor: &Monitor,
    ) -> Result<Inputs, Error> {
        let waiting = monitor.waiting();
        let is_held = !self.held.files().is_empty();
        let named = match (against, self.inputs.as_slice()) {
            ([], []) if is_held => Inputs::default(),
            (against, []) if is_held => Inputs::resolve(against, &waiting)?.all_against(),
            (against, inputs) => Inputs::resolve_against(against, inputs, &waiting)?,
        };
        Ok(named.join(held.clone().all_against())?.join(self.held.clone())?)
    }

    /// Notes that the first record lacks a field that the caller named for the id, or for what an index stores. Records with another field are
    /// often all without it.
    pub(crate) fn check_named_fields(&self, inputs: &Inputs, monitor: &Monitor) {
        let (AboutFields { url, title, priority, meta }, usual) =
            (&self.request.about, AboutFields::default());
        let fields = [
            (&self.id_field, "id", "the id"),
            (url, &usual.url, "the URL"),
            (title, &usual.title, "the title"),
            (priority, &usual.priority, "the priority"),
            (meta, &usual.meta, "metadata"),
        ];
        let named = fields.into_iter().filter(|(field, usual, _)| field != usual);
        let named = named.map(|(field, _, what)| (field, what)).chain(of_several(&self.request.text_fields));
        let named: Vec<_> = named.collect();
        let AgainstFields { text, id } = inputs.against_fields();
        let against = id.iter().map(|field| (field, "the id")).chain(text.iter().flat_map(of_several));
        let (against, files) = (against.collect::<Vec<_>>(), inputs.files());
        check_first_record(files[..inputs.against()].first(), &against, monitor);
        check_first_record(files.get(inputs.against()), &named, monitor);
    }

    /// The fields that texts and ids are read from.
    pub(crate) fn fields(&self) -> Fields {
        Fields {
            id: Some(self.id_field.clone()),
            within: self.request.within.clone(),
            ..self.request.fields_of_text()
        }
    }

    /// The inputs and settings that identify the run of `command`. `settings` are settings of the verb.
    ///
    /// # Errors
    /// [`lookalike_engine::Error::NoTempDir`].
    pub(crate) fn run_context<'a>(
        &'a self,
        command: &RunCommand<'_>,
        inputs: &'a Inputs,
        mut settings: Vec<(&'static str, String)>,
    ) -> Result<RunContext<'a>, Error> {
        // Counted frequencies follow from the inputs.
        let table = given_weights(&self.request).ok().and_then(|weights| weights.table());
        // A limit that follows from the memory does not count: the run may continue with more memory.
        let longest = self.max_record.map_or_else(|| "by memory".to_owned(), |bytes| bytes.to_string());
        settings.extend([
            ("id field", self.id_field.clone()),
            ("longest record", longest),
            (
                "delimiter",
                self.delimiter.map_or_else(|| "by format".to_owned(), |delimiter| delimiter.to_string()),
            ),
            ("quoting", self.quoting.to_string()),
            ("--extract", self.extract.to_string()),
            ("--all-records", self.all_records.to_string()),
            ("table of weights", table.map_or_else(|| "none".to_owned(), |id| format!("{id:016x}"))),
        ]);
        Ok(RunContext {
            request: &self.request,
            inputs,
            identity: command.identity(),
            // Commands that write to the same file are one command with other settings. Commands without an output may run at the same time.
            is_apart_by_settings: command.output_file().is_none(),
            place: command.place(self.temp_dir.as_deref())?,
            settings,
            memory: self.memory,
            threads: self.threads,
        })
    }

    /// The same files, with the limits of a record and of record batches, delimiter and quotes of tables, and the part of pages.
    pub(crate) fn limit(&self, mut inputs: Inputs) -> Inputs {
        let by_memory = |memory: u64| (memory / RECORD_SHARE).clamp(LEAST_RECORD_BYTES, DEFAULT_RECORD_BYTES);
        let longest = self.max_record.or(self.memory.map(by_memory));
        if let Some(delimiter) = self.delimiter {
            inputs.separate_fields_by(delimiter);
        }
        inputs.quote_fields(self.quoting);
        inputs.extract(self.extract);
        if self.all_records {
            inputs.read_all_records();
        }
        inputs.skip_longer(longest.unwrap_or(DEFAULT_RECORD_BYTES));
        if let Some(memory) = self.memory {
            inputs.hold_batches(memory / BATCH_SHARE);
        }
        inputs
    }
}
