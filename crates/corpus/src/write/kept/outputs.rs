//! The outputs of kept records, which are written one after the other, in the order of the inputs.

use super::{
    super::{
        layout::OutputLayout,
        output::Output,
        paths::folder_of,
        publish::Complete,
        queue::Queue,
        records::{
            archive::around,
            rows::{WrittenBatch, WrittenRows},
        },
        sink::RecordSink,
        tar::TarOutput,
    },
    KeptWriter,
};
use crate::{Compression, Error, InputFile};

#[derive(Debug, Default)]
pub(super) struct KeptOutputs {
    pub(super) queue: Queue<Option<KeptPiece>>,
    /// The output that is written now, and the file that it was started for.
    current: Option<(u32, RecordSink)>,
    complete: Vec<Complete>,
    /// The archive that the outputs are members of, if they are.
    tar: Option<TarOutput>,
    /// The file behind the last one that has records.
    next: u32,
}

/// The records of a chunk that are written.
#[derive(Debug)]
pub(super) struct KeptPiece {
    pub(super) file: u32,
    pub(super) content: PieceContent,
}

#[derive(Debug)]
pub(super) enum PieceContent {
    Bytes(Vec<u8>),
    Rows(WrittenRows),
    Batch(WrittenBatch),
    /// Records of an archive, compressed as their output needs them.
    Archived(Vec<u8>),
    /// Samples of a tar archive with their keys, and other members of it.
    Members(Vec<(Option<String>, Vec<u8>)>),
    /// Whole files that are already copied.
    Files(Vec<Complete>),
    /// Whole files, by their indices, that become members of an archive, each with its new text if it gets one.
    Texts(Vec<(u32, Option<String>)>),
}

impl KeptWriter<'_> {
    /// Writes the next records.
    pub(super) fn append(&self, outputs: &mut KeptOutputs, piece: KeptPiece) -> Result<(), Error> {
        let KeptPiece { file, content } = piece;
        let content = match content {
            PieceContent::Files(complete) => {
                outputs.complete.extend(complete);
                return Ok(());
            }
            PieceContent::Texts(files) => {
                return files.into_iter().try_for_each(|(file, text)| self.append_text(outputs, file, text));
            }
            content => content,
        };
        if outputs.current.as_ref().is_some_and(|(current, _)| *current != file && !self.layout.is_joined()) {
            self.end(outputs)?;
        }
        if outputs.current.is_none() {
            if !self.layout.is_joined() {
                self.pass_to(outputs, file)?;
            }
            outputs.next = file + 1;
            let changed = || Error::Changed { path: self.input(file).path.clone() };
            outputs.current = Some((file, self.open(outputs, file)?.ok_or_else(changed)?));
        }
        let Some((_, sink)) = &mut outputs.current else { return Ok(()) };
        match content {
            PieceContent::Bytes(bytes) => sink.append_bytes(&bytes),
            PieceContent::Rows(rows) => sink.append_rows(rows),
            PieceContent::Batch(batch) => sink.append_batch(batch),
            PieceContent::Archived(records) => sink.append_records(&records),
            PieceContent::Members(members) => {
                members.into_iter().try_for_each(|(key, bytes)| sink.append_member(key, &bytes))
            }
            PieceContent::Files(_) | PieceContent::Texts(_) => Ok(()),
        }
    }

    /// Completes all outputs. An input without records gets an output without records.
    pub(super) fn complete_outputs(&self, mut outputs: KeptOutputs) -> Result<Vec<Complete>, Error> {
        self.end(&mut outputs)?;
        if !self.layout.is_joined() || outputs.next == 0 {
            self.pass_to(&mut outputs, self.inputs.files().len() as u32)?;
        }
        // An archive may have no members.
        self.tar(&mut outputs)?;
        if let Some(tar) = outputs.tar {
            outputs.complete.push(tar.complete()?);
        }
        Ok(outputs.complete)
    }

    /// Writes outputs without records for the files before `end` that have none: one for all of them if they are joined.
    fn pass_to(&self, outputs: &mut KeptOutputs, end: u32) -> Result<(), Error> {
        for file in outputs.next.max(self.inputs.against() as u32)..end {
            if self.input(file).format.is_one_document() {
                continue;
            }
            if let Some(sink) = self.open(outputs, file)? {
                outputs.current = Some((file, sink));
                self.end(outputs)?;
                if self.layout.is_joined() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Starts the output for the records of a file.
    fn open(&self, outputs: &mut KeptOutputs, file: u32) -> Result<Option<RecordSink>, Error> {
        let input = self.input(file);
        let output = match self.layout.place_of(input) {
            None => Output::standard()?,
            Some((path, compression)) => {
                let compression = around(input.format, compression);
                match self.tar(outputs)? {
                    Some(tar) => tar.start(compression)?,
                    None => {
                        if let OutputLayout::Folder(_) = self.layout {
                            self.folders.make(folder_of(&path))?;
                        }
                        Output::create_among(self.run.as_ref(), &path, compression, self.inputs.waiting())?
                    }
                }
            }
        };
        RecordSink::open(output, input, self.fields, self.mode, self.packing_of(file))
    }

    /// Completes the output that is written now.
    fn end(&self, outputs: &mut KeptOutputs) -> Result<(), Error> {
        let Some((file, sink)) = outputs.current.take() else { return Ok(()) };
        let complete = sink.complete()?;
        match &mut outputs.tar {
            Some(tar) => tar.append(self.input(file))?,
            None => outputs.complete.push(complete),
        }
        Ok(())
    }

    /// Copies a file into the archive that the outputs are members of, with another text if it gets one.
    fn append_text(&self, outputs: &mut KeptOutputs, file: u32, text: Option<String>) -> Result<(), Error> {
        self.end(outputs)?;
        self.pass_to(outputs, file)?;
        outputs.next = file + 1;
        let input = self.input(file);
        let compression =
            self.layout.place_of(input).map_or(Compression::None, |(_, compression)| compression);
        match (self.tar(outputs)?, text) {
            (Some(tar), Some(text)) => {
                let mut output = tar.start(compression)?;
                output.append(text.as_bytes())?;
                output.complete()?;
                tar.append(input)
            }
            (Some(tar), None) => tar.copy(input),
            (None, _) => Ok(()),
        }
    }

    /// The archive that the outputs are members of. `None` if they are not.
    fn tar<'o>(&self, outputs: &'o mut KeptOutputs) -> Result<Option<&'o mut TarOutput>, Error> {
        if let (OutputLayout::Tar { path, compression }, None) = (&self.layout, &outputs.tar) {
            outputs.tar = Some(TarOutput::create(path, *compression, self.inputs.waiting())?);
        }
        Ok(outputs.tar.as_mut())
    }

    fn input(&self, file: u32) -> &InputFile {
        &self.inputs.files()[file as usize]
    }
}
