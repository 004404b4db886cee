//! Writing kept records in the format and order of the input. An output is complete, or it does not appear.

mod outputs;

use std::{
    collections::HashMap,
    fs, io, mem,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use self::outputs::{KeptOutputs, KeptPiece, PieceContent};
use super::{
    check,
    folders::NewFolders,
    layout::OutputLayout,
    output::Output,
    part::RunLocks,
    paths::folder_of,
    publish::{Complete, Completed},
    records::{
        annotation::added_features,
        archive::{ArchiveDictionary, ArchivePacking, archived},
        lines::{elements_of, lines_of, records_of},
        mode::{KeptRows, RecordMode},
        rows::{WrittenBatch, WrittenRows},
    },
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
    outputs: Mutex<KeptOutputs>,
    // The last field, so that the folders are empty when they are removed.
    folders: NewFolders,
}

impl<'a> KeptWriter<'a> {
    /// Starts to write to `out`: a file if its name has a known extension, standard output if it is `-`, and otherwise a folder.
    ///
    /// Several inputs are joined into one file in their order. They must have the same format, and tables must have the same
    /// columns. In a folder, each input has a file of its own, under its relative path. The files of one tar archive may have
    /// another one as their output.
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
        Ok(KeptWriter { inputs, fields, layout, mode, dictionaries, run, outputs: Mutex::default(), folders })
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
            Body::Documents(_) => Some(self.copied_files(loaded, rows)?),
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
        let outputs = mem::take(self.outputs.get_mut().unwrap_or_else(PoisonError::into_inner));
        assert!(outputs.queue.is_empty(), "a chunk was neither written nor skipped");
        let mut complete = self.complete_outputs(outputs)?;
        complete.extend(self.describe()?);
        Ok(Completed::new(complete, self.folders.take()))
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
        let first = if self.layout.is_joined() { self.inputs.against() as u32 } else { file };
        ArchivePacking { compression, dictionary: self.dictionaries.get(&first) }
    }

    fn push(&self, turn: u64, piece: Option<KeptPiece>) -> Result<(), Error> {
        let mut outputs = self.outputs.lock().unwrap_or_else(PoisonError::into_inner);
        outputs.queue.push(turn, piece);
        while let Some(piece) = outputs.queue.pop() {
            if let Some(piece) = piece {
                self.append(&mut outputs, piece)?;
            }
        }
        Ok(())
    }

    /// Copies kept files byte for byte, whether compressed or not, unless they get another text. Members of an archive are copied later, in
    /// their order.
    fn copied_files(&self, loaded: &Loaded<'_>, rows: KeptRows<'_>) -> Result<PieceContent, Error> {
        // Annotating such files is refused when the writer is created.
        let texts = rows.places().into_iter().enumerate().map(|(at, place)| {
            let text = match rows {
                KeptRows::Edited(rows) => rows[at].1.clone(),
                KeptRows::Copied(_) | KeptRows::Annotated(_) => None,
            };
            (loaded.file(place), text)
        });
        if let OutputLayout::Tar { .. } = self.layout {
            return Ok(PieceContent::Texts(texts.collect()));
        }
        let mut complete = Vec::new();
        for (file, text) in texts {
            let input = &self.inputs.files()[file as usize];
            let Some((path, compression)) = self.layout.place_of(input) else { continue };
            let write_error = |source| Error::Write { path: path.clone(), source };
            self.folders.make(folder_of(&path))?;
            let create = |compression| {
                Output::create_among(self.run.as_ref(), &path, compression, self.inputs.waiting())
            };
            let mut output;
            if let Some(text) = text {
                output = create(compression)?;
                output.append(text.as_bytes())?;
            } else {
                output = create(Compression::None)?;
                io::copy(&mut input.open()?.reader(), &mut output).map_err(write_error)?;
            }
            complete.push(output.complete()?);
        }
        Ok(PieceContent::Files(complete))
    }
}
