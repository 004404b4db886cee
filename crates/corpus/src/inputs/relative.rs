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
        let mut count: HashMap<&Path, u32> = HashMap::with_capacity(files.len());
        for file in files.iter() {
            *count.entry(&file.relative).or_default() += 1;
        }
        let collides = |&index: &usize| count[files[index].relative.as_path()] > 1;
        let colliding: Vec<usize> = (0..files.len()).filter(collides).collect();
        let mut changed = false;
        for index in colliding {
            let file = &mut files[index];
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
