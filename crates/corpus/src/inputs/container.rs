//! Files in containers: in zip files, and in tar archives.

use std::{
    num::NonZeroU32,
    ops::Range,
    path::{Path, PathBuf},
};

use crate::{Format, opened::Opened};

/// What is decompressed may be longer than its stored bytes by this factor. Archives of text reach 20.
pub(super) const MAX_RATIO: u64 = 1000;

/// A file in a container.
#[derive(Debug)]
pub(super) struct ContainerMember {
    /// The path in the container.
    pub(super) name: String,
    pub(super) format: Format,
    pub(super) content: MemberContent,
    /// The length of the headers before it, in a tar archive.
    pub(super) headers: Option<NonZeroU32>,
}

#[derive(Debug)]
pub(super) enum MemberContent {
    /// The bytes of the container that are the member.
    Stored(Range<u64>),
    /// The bytes of an unlinked temporary file.
    Held { file: Opened, length: u64 },
}

/// The path of the output for a member: a file beside where the container would be. `is_only` says that it has no other.
pub(super) fn output_path(container: &Path, member: &str, is_only: bool) -> PathBuf {
    let file = member.rsplit(['/', '\\']).next().unwrap_or(member);
    let stem = container.file_stem().unwrap_or_default().to_string_lossy();
    // A compressed archive has two extensions.
    let stem = stem.strip_suffix(".tar").unwrap_or(&stem);
    let name = match (is_only, file.split_once('.')) {
        (true, Some((_, extension))) => format!("{stem}.{extension}"),
        _ => format!("{stem}-{file}"),
    };
    container.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_has_the_name_of_its_container_and_the_extension_of_its_member() {
        let path = |member: &str, is_only| output_path(Path::new("a/x.wacz"), member, is_only);
        assert_eq!(path("archive/data.warc.gz", true), Path::new("a/x.warc.gz"));
        assert_eq!(path("archive/data-0.warc.gz", false), Path::new("a/x-data-0.warc.gz"));
    }
}
