//! Which paths match a glob, as in a shell: a hidden name matches only what begins with a dot. Links are followed.
//!
//! Names that are not UTF-8 are matched with U+FFFD in the place of what is wrong in them. (The library's own walk would pass them over
//! without a word.)

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use glob::{MatchOptions, Pattern, PatternError};
use walkdir::WalkDir;

/// How names match, hidden ones too.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// The paths that match, in their order. What cannot be looked into is told to `skip`.
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
                _ if part.contains(['*', '?', '[']) => {
                    names_in(path, &Pattern::new(part)?, &mut next, &mut skip);
                }
                _ => next.extend(Some(path.join(part)).filter(|path| fs::symlink_metadata(path).is_ok())),
            }
        }
        // Two `**` reach some folders more than once.
        next.sort();
        next.dedup();
        found = next;
    }
    Ok(found)
}

/// A folder and all below it, as `**` matches them.
fn folders_below(folder: PathBuf, found: &mut Vec<PathBuf>, skip: &mut impl FnMut(PathBuf, io::Error)) {
    let is_hidden = |name: &[u8]| name.starts_with(b".");
    let walk = WalkDir::new(listed(&folder)).follow_links(true).into_iter();
    for entry in walk.filter_entry(|entry| {
        entry.depth() == 0 || (entry.file_type().is_dir() && !is_hidden(entry.file_name().as_encoded_bytes()))
    }) {
        match entry {
            Ok(entry) if entry.depth() == 0 => found.push(folder.clone()),
            Ok(entry) => {
                found.push(folder.join(entry.path().strip_prefix(listed(&folder)).unwrap_or(entry.path())))
            }
            // A link to a folder above it leads to what is found without it; one that leads nowhere is no folder.
            Err(error) if error.loop_ancestor().is_some() || error.path().is_some_and(Path::is_symlink) => {}
            Err(error) => skip(error.path().unwrap_or(&folder).to_owned(), error.into()),
        }
    }
}

/// What is in a folder under a name that matches.
fn names_in(
    folder: PathBuf,
    pattern: &Pattern,
    found: &mut Vec<PathBuf>,
    skip: &mut impl FnMut(PathBuf, io::Error),
) {
    let entries = match fs::read_dir(listed(&folder)) {
        Ok(entries) => entries,
        // It is no folder, or a link that leads nowhere: nothing in it matches.
        Err(error) if matches!(error.kind(), io::ErrorKind::NotADirectory | io::ErrorKind::NotFound) => {
            return;
        }
        Err(error) => return skip(folder, error),
    };
    for entry in entries {
        match entry {
            Ok(entry) if pattern.matches_with(&entry.file_name().to_string_lossy(), OPTIONS) => {
                found.push(folder.join(entry.file_name()));
            }
            Ok(_) => {}
            Err(error) => return skip(folder, error),
        }
    }
}

/// The name under which a folder is listed: the current one has none in the paths that are found.
fn listed(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}
