//! Names inside an output folder.

use std::{
    collections::HashMap,
    path::{Component, Path, PathBuf},
};

use super::{InputFile, resolve::real_path};

/// Lengthens the relative names that collide by the folders above them until they differ.
pub(super) fn keep_apart(files: &mut [InputFile]) {
    let mut depth = 1;
    loop {
        let mut count: HashMap<PathBuf, u32> = HashMap::with_capacity(files.len());
        for file in files.iter() {
            *count.entry(file.relative.clone()).or_default() += 1;
        }
        let mut changed = false;
        for file in files.iter_mut().filter(|file| count[&file.relative] > 1) {
            let longer = last_components(&real_path(file), file.relative.components().count().max(depth) + 1);
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
