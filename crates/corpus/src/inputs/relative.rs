//! Paths of files inside an output folder.

use std::{
    collections::{HashMap, HashSet},
    path::{Component, Path, PathBuf},
};

use super::{InputFile, resolve::real_path};

/// The path of a file that the user named: its file name.
pub(super) fn file_name(path: &Path) -> PathBuf {
    PathBuf::from(path.file_name().unwrap_or(path.as_os_str()))
}

/// The path of a file that matches a glob: its path from the first wildcard on. It does not depend on the other matches.
pub(super) fn matched(pattern: &Path, path: &Path) -> PathBuf {
    let is_fixed =
        |part: &Component<'_>| !part.as_os_str().as_encoded_bytes().iter().any(|byte| b"*?[".contains(byte));
    let fixed = pattern.components().filter(|part| *part != Component::CurDir).take_while(is_fixed).count();
    let below: Vec<Component<'_>> =
        path.components().filter(|part| *part != Component::CurDir).skip(fixed).collect();
    match !below.is_empty() && below.iter().all(|part| matches!(part, Component::Normal(_))) {
        true => below.iter().collect(),
        // The path must not lead out of the output folder.
        false => file_name(path),
    }
}

/// Makes relative paths unique. A path that is equal to another one, or to a folder of another one, gets more of its parent
/// folders.
pub(super) fn keep_apart(files: &mut [InputFile]) {
    let mut depth = 1;
    loop {
        let mut count: HashMap<&Path, u32> = HashMap::with_capacity(files.len());
        let (mut folders, mut folder) = (HashSet::new(), None);
        for file in files.iter() {
            *count.entry(&file.relative).or_default() += 1;
            // Files of one folder follow one another, so each folder is added once.
            if folder != file.relative.parent() {
                folder = file.relative.parent();
                folders.extend(file.relative.ancestors().skip(1));
            }
        }
        let collides = |&index: &usize| {
            let relative = files[index].relative.as_path();
            count[relative] > 1 || folders.contains(relative)
        };
        let colliding: Vec<usize> = (0..files.len()).filter(collides).collect();
        let mut changed = false;
        for index in colliding {
            let file = &mut files[index];
            let mut place = real_path(file);
            if let Some(member) = file.member() {
                // An archive in a zip file is no file of its own.
                place.push(member);
            }
            let longer = last_components(&place, file.relative.components().count().max(depth) + 1);
            changed |= longer != file.relative;
            file.relative = longer;
        }
        if !changed {
            return;
        }
        depth += 1;
    }
}

fn last_components(path: &Path, count: usize) -> PathBuf {
    let names: Vec<_> = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    names[names.len().saturating_sub(count)..].iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_matches_a_glob_is_kept_from_the_first_wildcard_on() {
        for (pattern, path, expected) in [
            ("*.jsonl", "a.jsonl", "a.jsonl"),
            ("data/*.jsonl", "data/a.jsonl", "a.jsonl"),
            ("./data/2026-*/part.jsonl", "data/2026-11/part.jsonl", "2026-11/part.jsonl"),
            ("/data/**/*.jsonl", "/data/a/b/c.jsonl", "a/b/c.jsonl"),
            ("data/**/*.jsonl", "data/c.jsonl", "c.jsonl"),
            ("../data/*/a.jsonl", "../data/x/a.jsonl", "x/a.jsonl"),
            ("*/../../a.jsonl", "x/../../a.jsonl", "a.jsonl"),
            ("s3://bucket/20??/*/a.jsonl", "s3://bucket/2026/11/a.jsonl", "2026/11/a.jsonl"),
        ] {
            assert_eq!(matched(Path::new(pattern), Path::new(path)), Path::new(expected), "{pattern}");
        }
    }
}
