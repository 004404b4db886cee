//! Finding the paths that match a glob, as a shell does. Wildcards do not match a leading dot, nor the underscore of names that are no data.
//! Links are followed.
//!
//! In names that are not UTF-8, U+FFFD stands for the invalid bytes. (The walk of the glob library would skip such names
//! silently.)

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::unread::is_no_data;
use glob::{MatchOptions, Pattern, PatternError};
use walkdir::WalkDir;

/// A path with one of these may be a pattern.
pub const WILDCARDS: [char; 3] = ['*', '?', '['];

/// The rules of matching. Wildcards do not match the dot of a hidden name.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// The paths that match, sorted. Folders that cannot be listed are passed to `skip`.
pub(super) fn matches(
    pattern: &str,
    mut skip: impl FnMut(PathBuf, io::Error),
) -> Result<Vec<PathBuf>, PatternError> {
    Pattern::new(pattern)?;
    let mut found = vec![PathBuf::from(if pattern.starts_with('/') { "/" } else { "" })];
    for part in pattern.split('/').filter(|part| !part.is_empty()) {
        let mut next = Vec::new();
        for path in found {
            match part {
                "**" => folders_below(path, &mut next, &mut skip),
                _ if part.contains(WILDCARDS) => {
                    names_in(path, &Pattern::new(part)?, &mut next, &mut skip);
                }
                _ => next.extend(Some(path.join(part)).filter(|path| fs::symlink_metadata(path).is_ok())),
            }
        }
        // A pattern with two `**` finds some folders twice.
        next.sort();
        next.dedup();
        found = next;
    }
    Ok(found)
}

/// Finds a folder and all folders below it, as `**` matches them.
fn folders_below(folder: PathBuf, found: &mut Vec<PathBuf>, skip: &mut impl FnMut(PathBuf, io::Error)) {
    let walk = WalkDir::new(listed(&folder)).follow_links(true).into_iter();
    for entry in walk.filter_entry(|entry| {
        entry.depth() == 0
            || (entry.file_type().is_dir() && !is_no_data(entry.file_name().as_encoded_bytes()))
    }) {
        match entry {
            Ok(entry) if entry.depth() == 0 => found.push(folder.clone()),
            Ok(entry) => {
                found.push(folder.join(entry.path().strip_prefix(listed(&folder)).unwrap_or(entry.path())))
            }
            // A link to a folder above it leads to paths that are found without it. A broken link is no folder.
            Err(error) if error.loop_ancestor().is_some() || error.path().is_some_and(Path::is_symlink) => {}
            Err(error) => skip(error.path().unwrap_or(&folder).to_owned(), error.into()),
        }
    }
}

/// Finds the paths in a folder whose names match.
fn names_in(
    folder: PathBuf,
    pattern: &Pattern,
    found: &mut Vec<PathBuf>,
    skip: &mut impl FnMut(PathBuf, io::Error),
) {
    let entries = match fs::read_dir(listed(&folder)) {
        Ok(entries) => entries,
        // This is not a folder, or a broken link, so nothing in it matches.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotADirectory | io::ErrorKind::NotFound) => {
            return;
        }
        Err(error) => return skip(folder, error),
    };
    for entry in entries {
        match entry {
            Ok(entry) if matches_name(pattern, &entry.file_name().to_string_lossy()) => {
                found.push(folder.join(entry.file_name()));
            }
            Ok(_) => {}
            Err(error) => return skip(folder, error),
        }
    }
}

/// Whether a name matches a part of a pattern. A wildcard at the start does not match the underscore of what is no data.
fn matches_name(pattern: &Pattern, name: &str) -> bool {
    let is_meant = pattern.as_str().starts_with(['.', '_']) || !is_no_data(name.as_bytes());
    is_meant && pattern.matches_with(name, OPTIONS)
}

/// The path under which a folder is listed. The current folder has an empty path among the found ones.
fn listed(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}
