//! Adding the files of containers to the inputs: of zip files, and of tar archives that are read as folders.

use std::{
    fs::{File, Metadata},
    path::Path,
    sync::Arc,
};

use super::{
    FileStamp, HeldSource, Identity, InputFile,
    container::{ContainerMember, MemberContent, output_path},
    resolve::InputResolver,
    sniff::{Packing, json_format},
    tar::folder_in_tar,
    zip::archives_in,
};
use crate::{Compression, Error, Format, Quoting, opened::Opened};

/// A file that holds other files.
#[derive(Debug, Clone, Copy)]
struct Container<'a> {
    path: &'a Path,
    /// Its path in an output folder, if it were no container.
    relative: &'a Path,
    stamp: FileStamp,
    identity: &'a Identity,
}

impl InputResolver<'_> {
    /// Adds the web archives in a zip file. Returns `false` if it has none.
    pub(super) fn add_archives(
        &mut self,
        path: &Path,
        relative: &Path,
        metadata: &Metadata,
    ) -> Result<bool, Error> {
        let members = archives_in(path, &self.waiting.interrupt)?;
        let is_empty = members.is_empty();
        let identity = Identity::of(path, metadata);
        let container = Container { path, relative, stamp: FileStamp::of(metadata), identity: &identity };
        self.add_members(members, container)?;
        Ok(!is_empty)
    }

    /// Adds the files of a tar archive that has files of records. Returns `false` for any other archive.
    pub(super) fn add_tar(&mut self, archive: &InputFile, identity: &Identity) -> Result<bool, Error> {
        let InputFile { path, relative, stamp, compression, window, .. } = archive;
        let packing = Packing { compression: *compression, window: *window };
        let (opened, interrupt) = (archive.open()?, &self.waiting.interrupt);
        let Some(folder) = folder_in_tar(path, &opened, stamp.length, packing, interrupt)? else {
            return Ok(false);
        };
        let skipped = folder.skipped.into_iter();
        self.skipped.extend(skipped.map(|(name, problem)| match name.is_empty() {
            true => (path.clone(), problem),
            false => (path.join(name), problem),
        }));
        self.ignored += folder.ignored;
        let members = match (&archive.held, opened) {
            // No path leads to the copy of standard input or a pipe.
            (Some(_), Opened::Local(file)) => {
                folder.members.into_iter().map(|member| in_copy(&file, member)).collect()
            }
            _ => folder.members,
        };
        self.add_members(members, Container { path, relative, stamp: *stamp, identity })?;
        Ok(true)
    }

    /// Adds the files of a container.
    fn add_members(&mut self, members: Vec<ContainerMember>, container: Container<'_>) -> Result<(), Error> {
        let is_only = members.len() == 1;
        for ContainerMember { name, format, content, headers } in members {
            let (bytes, held) = match content {
                MemberContent::Stored(range) => (Some(range), None),
                MemberContent::Held { file, length } => (Some(0..length), Some(HeldSource::Opened(file))),
            };
            let mut file = InputFile {
                path: container.path.to_owned(),
                name: format!("{}/{name}", container.path.display()),
                relative: output_path(container.relative, &name, is_only),
                format,
                compression: Compression::None,
                window: 0,
                stamp: container.stamp,
                columns: None,
                delimiter: None,
                quoting: Quoting::default(),
                bytes,
                headers,
                held,
            };
            let opened = file.open()?;
            let read_error = |source| file.read_error(source);
            let packing = Packing::of_file(&opened).map_err(read_error)?;
            if format.is_compressed_inside() && packing.compression != Compression::None {
                return Err(Error::CompressedInside { path: file.name.into(), format: format.name() });
            }
            if format == Format::Json {
                file.format = json_format(&opened, packing).map_err(|source| file.read_error(source))?;
            }
            (file.compression, file.window) = (packing.compression, packing.window);
            self.files.push(file);
            self.identities.push(Identity::Member(Box::new(container.identity.clone()), name));
        }
        Ok(())
    }
}

/// The member of an archive that is an open file.
fn in_copy(archive: &Arc<File>, member: ContainerMember) -> ContainerMember {
    let content = match member.content {
        MemberContent::Stored(range) => {
            let length = range.end - range.start;
            MemberContent::Held { file: Opened::Range { file: Arc::clone(archive), range }, length }
        }
        held @ MemberContent::Held { .. } => held,
    };
    ContainerMember { content, ..member }
}
