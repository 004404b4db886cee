//! Writing kept records in the format and order of the input. An output is complete, or it does not appear.

use std::{
    collections::{BTreeSet, HashMap},
    fs, io, mem,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use super::{
    check,
    folders::NewFolders,
    layout::OutputLayout,
    output::Output,
    part::RunLocks,
    paths::folder_of,
    publish::{Complete, Completed},
    queue::Queue,
    records::{
        annotation::added_features,
        archive::{ArchiveDictionary, ArchivePacking, archived},
        lines::{elements_of, lines_of, records_of},
        mode::{KeptRows, RecordMode},
        rows::{WrittenBatch, WrittenRows},
    },
    sink::RecordSink,
};
use crate::{Chunk, Compression, Error, Fields, Format, Inputs, Loaded, Scan, read::Body, remote::is_remote};

/// A writer of kept records, which all workers of a scan share.
///
/// Each chunk of the scan must be given to [`KeptWriter::write`] or [`KeptWriter::skip`] once, in any order. The writer holds
/// back chunks that come early. If it is dropped before [`KeptWriter::complete`], no output remains.
#[derive(Debug)]
pub struct KeptWriter<'a> {
    inputs: &'a Inputs,
    fields: &'a Fields,
    layout: OutputLayout,
    mode: RecordMode,
    /// The dictionaries of outputs that are archives, by the index of their first input.
    dictionaries: HashMap<u32, ArchiveDictionary>,
    /// Locks the outputs in a folder. Remote folders have none. A folder that is not writable has none either, and the first
    /// output in it reports the error.
    run: Option<RunLocks>,
    state: Mutex<KeptState>,
    // The last field, so that the folders are empty when they are removed.
    folders: NewFolders,
}

#[derive(Debug, Default)]
struct KeptState {
    queue: Queue<Option<KeptPiece>>,
    /// The output that is written now, and the file that it was started for.
    current: Option<(u32, RecordSink)>,
    complete: Vec<Complete>,
    /// The files for which an output was started.
    seen: BTreeSet<u32>,
}

#[derive(Debug)]
struct KeptPiece {
    file: u32,
    content: PieceContent,
}

#[derive(Debug)]
enum PieceContent {
    Bytes(Vec<u8>),
    Rows(WrittenRows),
    Batch(WrittenBatch),
    /// Records of an archive, compressed as their output needs them.
    Archived(Vec<u8>),
    /// Samples of a tar archive with their keys, and other members of it.
    Members(Vec<(Option<String>, Vec<u8>)>),
    /// Whole files that are already copied.
    Files(Vec<Complete>),
}

impl<'a> KeptWriter<'a> {
    /// Starts to write to `out`: a file if its name has a known extension, standard output if it is `-`, and otherwise a folder.
    ///
    /// Several inputs are joined into one file in their order. They must have the same format, and tables must have the same
    /// columns. In a folder, each input has a file of its own, under its relative path.
    ///
    /// # Errors
    /// [`Error`] if `out` cannot take the records of these inputs, or would take the place of one of them; [`Error::InMemory`] if an input is in
    /// memory: there the caller keeps rows by their numbers.
    pub fn create(
        inputs: &'a Inputs,
        fields: &'a Fields,
        out: &Path,
        mode: RecordMode,
    ) -> Result<KeptWriter<'a>, Error> {
        if let Some((_, file)) = inputs.written().find(|(_, file)| file.format == Format::Memory) {
            return Err(Error::InMemory { name: file.name.clone() });
        }
        let layout = OutputLayout::of(inputs, out)?;
        check::columns(inputs, fields, &layout, mode)?;
        let (mut run, folders) = (None, NewFolders::default());
        layout.try_places(inputs)?;
        if let OutputLayout::Folder(folder) = &layout {
            folders.make(folder)?;
            run = (!is_remote(folder)).then(|| RunLocks::create(folder));
        }
        let dictionaries = layout.dictionaries(inputs)?;
        Ok(KeptWriter { inputs, fields, layout, mode, dictionaries, run, state: Mutex::default(), folders })
    }

    /// The paths of the outputs. There are none for standard output.
    pub fn places(&self) -> Vec<PathBuf> {
        self.layout.places(self.inputs)
    }

    /// The scan that gives the chunks for this writer.
    pub fn scan(&self) -> Scan {
        Scan::RecordsInOrder
    }

    /// Writes records of a chunk.
    ///
    /// # Errors
    /// [`Error::Write`], or [`Error::FieldExists`] if a record already has a field that is to be added.
    pub fn write(&self, loaded: &Loaded<'_>, rows: KeptRows<'_>) -> Result<(), Error> {
        let file = loaded.id().file;
        let input = &self.inputs.files()[file as usize];
        let content = match loaded.body() {
            Body::Lines(_) => {
                Some(PieceContent::Bytes(lines_of(loaded, rows, input, self.fields, self.mode)?))
            }
            Body::Elements(_) => {
                Some(PieceContent::Bytes(elements_of(loaded, rows, input, self.fields, self.mode)?))
            }
            Body::Table(table) => {
                Some(PieceContent::Bytes(records_of(loaded, rows, input, table.columns())?))
            }
            Body::Leaves(leaves) => {
                Some(PieceContent::Rows(WrittenRows::of(leaves, rows, input, self.fields)?))
            }
            Body::Batch(batch) => {
                Some(PieceContent::Batch(WrittenBatch::of(batch, rows, input, self.fields)?))
            }
            Body::Archive(archive) => {
                if matches!(rows, KeptRows::Copied(places) if places.iter().any(|&place| loaded.raw(place).is_none()))
                {
                    return Err(Error::Changed { path: input.path.clone() });
                }
                let records = archived(archive, rows, self.packing_of(file));
                let write_error = |source| Error::Write { path: input.relative.clone(), source };
                Some(PieceContent::Archived(records.map_err(write_error)?))
            }
            Body::Samples(samples) => {
                // Annotating archives is refused when the writer is created.
                let KeptRows::Copied(places) = rows else { return self.push(loaded.turn(), None) };
                if places.iter().any(|&place| loaded.raw(place).is_none()) {
                    return Err(Error::Changed { path: input.path.clone() });
                }
                let members = samples.kept(places).map(|(key, bytes)| (key, bytes.to_vec()));
                Some(PieceContent::Members(members.collect()))
            }
            Body::Texts(_) | Body::Rows(_) => return Err(Error::InMemory { name: input.name.clone() }),
            Body::Documents(_) => Some(PieceContent::Files(self.copy_files(loaded, rows)?)),
            Body::Nothing => match rows {
                rows if rows.is_empty() => None,
                // The text was readable, but another column is not.
                _ if let Some(problem) = loaded.broken() => {
                    return Err(Error::BadText { path: input.path.clone(), problem: problem.clone() });
                }
                _ => return Err(Error::Changed { path: input.path.clone() }),
            },
        };
        self.push(loaded.turn(), content.map(|content| KeptPiece { file, content }))
    }

    /// Skips a chunk, which need not be loaded. A chunk that [holds other records](Chunk::holds_other_records) than documents
    /// must be written instead, even without documents.
    ///
    /// # Errors
    /// [`Error::Write`] if a chunk that waited for this one cannot be written.
    pub fn skip(&self, chunk: &Chunk<'_>) -> Result<(), Error> {
        self.push(chunk.turn(), None)
    }

    /// Writes all chunks that were held back. [`Completed::publish`] then gives the outputs their names.
    ///
    /// # Errors
    /// [`Error::Write`].
    ///
    /// # Panics
    /// If a chunk was neither written nor skipped.
    pub fn complete(mut self) -> Result<Completed, Error> {
        let mut state = mem::take(self.state.get_mut().unwrap_or_else(PoisonError::into_inner));
        assert!(state.queue.is_empty(), "a chunk was neither written nor skipped");
        if let Some((_, sink)) = state.current.take() {
            state.complete.push(sink.complete()?);
        }
        // An input without records gets an output without records.
        let joined = !matches!(self.layout, OutputLayout::Folder(_));
        for (index, input) in self.inputs.written() {
            let seen = if joined { !state.seen.is_empty() } else { state.seen.contains(&(index as u32)) };
            if !seen && !input.format.is_one_document() {
                let Some(sink) = self.open(index as u32)? else { continue };
                state.seen.insert(index as u32);
                state.complete.push(sink.complete()?);
            }
        }
        state.complete.extend(self.describe()?);
        Ok(Completed::new(state.complete, self.folders.take()))
    }

    /// Copies the files that describe data sets of Hugging Face, if the output is a folder.
    fn describe(&self) -> Result<Vec<Complete>, Error> {
        let OutputLayout::Folder(folder) = &self.layout else { return Ok(Vec::new()) };
        let added = match self.mode {
            RecordMode::Copy | RecordMode::Edit => Vec::new(),
            RecordMode::Annotate { score } => added_features(score),
        };
        let files = self.inputs.descriptions().map(|(from, relative, kind)| {
            let path = folder.join(relative);
            let content = fs::read(from).map_err(|source| Error::Read { path: from.to_owned(), source })?;
            self.folders.make(folder_of(&path))?;
            let mut output =
                Output::create_among(self.run.as_ref(), &path, Compression::None, self.inputs.waiting())?;
            output.append(&kind.written(&content, &added))?;
            output.complete()
        });
        files.collect()
    }

    /// How the output for an archive, by its index, is compressed.
    fn packing_of(&self, file: u32) -> ArchivePacking<'_> {
        let input = &self.inputs.files()[file as usize];
        let compression =
            self.layout.place_of(input).map_or(Compression::None, |(_, compression)| compression);
        let first = match self.layout {
            OutputLayout::Folder(_) => file,
            OutputLayout::File { .. } | OutputLayout::Standard => self.inputs.against() as u32,
        };
        ArchivePacking { compression, dictionary: self.dictionaries.get(&first) }
    }

    /// Starts the output for the records of a file, by its index.
    fn open(&self, file: u32) -> Result<Option<RecordSink>, Error> {
        let input = &self.inputs.files()[file as usize];
        if let (OutputLayout::Folder(_), Some((path, _))) = (&self.layout, self.layout.place_of(input)) {
            self.folders.make(folder_of(&path))?;
        }
        RecordSink::open(
            &self.layout,
            self.run.as_ref(),
            input,
            self.fields,
            self.mode,
            self.packing_of(file),
            self.inputs.waiting(),
        )
    }

    fn push(&self, turn: u64, piece: Option<KeptPiece>) -> Result<(), Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.queue.push(turn, piece);
        while let Some(piece) = state.queue.pop() {
            if let Some(KeptPiece { file, content }) = piece {
                self.append(&mut state, file, content)?;
            }
        }
        Ok(())
    }

    fn append(&self, state: &mut KeptState, file: u32, content: PieceContent) -> Result<(), Error> {
        if let PieceContent::Files(complete) = content {
            state.complete.extend(complete);
            return Ok(());
        }
        let another = |current: u32| current != file && matches!(self.layout, OutputLayout::Folder(_));
        if let Some((_, sink)) = state.current.take_if(|(current, _)| another(*current)) {
            state.complete.push(sink.complete()?);
        }
        let sink = match &mut state.current {
            Some((_, sink)) => sink,
            none => {
                state.seen.insert(file);
                let changed = || Error::Changed { path: self.inputs.files()[file as usize].path.clone() };
                let sink = self.open(file)?.ok_or_else(changed)?;
                &mut none.insert((file, sink)).1
            }
        };
        match content {
            PieceContent::Bytes(bytes) => sink.append_bytes(&bytes),
            PieceContent::Rows(rows) => sink.append_rows(rows),
            PieceContent::Batch(batch) => sink.append_batch(batch),
            PieceContent::Archived(records) => sink.append_records(&records),
            PieceContent::Members(members) => {
                members.into_iter().try_for_each(|(key, bytes)| sink.append_member(key, &bytes))
            }
            PieceContent::Files(_) => Ok(()),
        }
    }

    /// Copies kept files byte for byte, whether compressed or not, unless they get another text.
    fn copy_files(&self, loaded: &Loaded<'_>, rows: KeptRows<'_>) -> Result<Vec<Complete>, Error> {
        // Annotating such files is refused when the writer is created.
        let mut complete = Vec::new();
        for (at, place) in rows.places().into_iter().enumerate() {
            let input = &self.inputs.files()[loaded.file(place) as usize];
            let Some((path, compression)) = self.layout.place_of(input) else { continue };
            let write_error = |source| Error::Write { path: path.clone(), source };
            self.folders.make(folder_of(&path))?;
            let create = |compression| {
                Output::create_among(self.run.as_ref(), &path, compression, self.inputs.waiting())
            };
            let mut output;
            if let KeptRows::Edited(rows) = rows
                && let Some(text) = &rows[at].1
            {
                output = create(compression)?;
                output.append(text.as_bytes())?;
            } else {
                output = create(Compression::None)?;
                io::copy(&mut input.open()?.reader(), &mut output).map_err(write_error)?;
            }
            complete.push(output.complete()?);
        }
        Ok(complete)
    }
}
