//! Data sets that Hugging Face's `save_to_disk` has written: a folder of Arrow files, and files that describe them.

use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

/// The file that lists the Arrow files of a data set. Other Arrow files beside it are caches of its transforms.
const STATE: &str = "state.json";

/// The file with the description and the types of a data set.
const INFO: &str = "dataset_info.json";

/// The file that lists the folders of several data sets, such as `train` and `test`.
const DICTIONARY: &str = "dataset_dict.json";

/// A file that describes a data set, and holds no records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DatasetFile {
    State,
    Info,
    Dictionary,
}

/// A folder that is a saved data set, or holds several.
#[derive(Debug, Default)]
pub(super) struct SavedFolder {
    folder: PathBuf,
    /// The Arrow files of the data set; `None` if the folder is none.
    files: Option<HashSet<String>>,
    has_info: bool,
    has_dictionary: bool,
}

/// What a file in a folder is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InSavedFolder {
    Data,
    Describes(DatasetFile),
    /// A cache.
    Nothing,
}

impl SavedFolder {
    pub(super) fn of(folder: &Path) -> SavedFolder {
        let files = list(&folder.join(STATE), "_data_files").map(|files| {
            files.iter().filter_map(|file| Some(file.get("filename")?.as_str()?.to_owned())).collect()
        });
        let splits = list(&folder.join(DICTIONARY), "splits").unwrap_or_default();
        let mut splits = splits.iter().filter_map(Value::as_str);
        let has_dictionary = splits.any(|split| folder.join(split).join(STATE).is_file());
        // The cache of the library has the description alone beside the files.
        let has_info = files.is_some() || has_arrow(folder);
        SavedFolder { folder: folder.to_owned(), files, has_info, has_dictionary }
    }

    pub(super) fn is(&self, folder: &Path) -> bool {
        self.folder == folder
    }

    pub(super) fn kind(&self, name: &str) -> InSavedFolder {
        match (name, &self.files) {
            (STATE, Some(_)) => InSavedFolder::Describes(DatasetFile::State),
            (INFO, _) if self.has_info => InSavedFolder::Describes(DatasetFile::Info),
            (DICTIONARY, _) if self.has_dictionary => InSavedFolder::Describes(DatasetFile::Dictionary),
            (_, Some(files)) if name.ends_with(".arrow") && !files.contains(name) => InSavedFolder::Nothing,
            _ => InSavedFolder::Data,
        }
    }
}

/// The places, among names of objects, of those that describe data sets: their content is not read.
pub(super) fn descriptions_among(names: &[&str]) -> HashSet<usize> {
    let split = |name: &str| {
        name.rsplit_once('/')
            .map_or((String::new(), name.to_owned()), |(folder, name)| (folder.to_owned(), name.to_owned()))
    };
    let is_arrow = |name: &&&str| name.ends_with(".arrow");
    let folders: HashSet<String> = names.iter().filter(is_arrow).map(|name| split(name).0).collect();
    let above: HashSet<String> = folders.iter().map(|folder| split(folder).0).collect();
    let describes = |name: &str| match split(name) {
        (folder, name) if name == STATE || name == INFO => folders.contains(&folder),
        (folder, name) => name == DICTIONARY && above.contains(&folder),
    };
    (0..).zip(names).filter(|(_, name)| describes(name)).map(|(index, _)| index).collect()
}

fn has_arrow(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    folder.join(INFO).is_file()
        && entries.into_iter().any(|entry| entry.file_name().to_string_lossy().ends_with(".arrow"))
}

/// The list of this name in a file of JSON.
fn list(path: &Path, name: &str) -> Option<Vec<Value>> {
    let mut value: Value = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
    match value.get_mut(name)?.take() {
        Value::Array(list) => Some(list),
        _ => None,
    }
}

impl DatasetFile {
    /// The content of the file beside an output, from that beside the input. `added` has the names and types of added columns.
    pub(crate) fn written(self, content: &[u8], added: &[(&str, &str)]) -> Vec<u8> {
        let Ok(mut value) = serde_json::from_slice::<Value>(content) else { return content.to_vec() };
        match self {
            DatasetFile::State => {
                // The library stores results of transforms under this name, and gives a new one to a data set without it.
                value["_fingerprint"] = Value::Null;
            }
            DatasetFile::Info if !added.is_empty() => add_features(&mut value["features"], added),
            DatasetFile::Info | DatasetFile::Dictionary => return content.to_vec(),
        }
        serde_json::to_vec_pretty(&value).unwrap_or_else(|_| content.to_vec())
    }
}

/// Adds columns to the types of a data set.
pub(crate) fn add_features(features: &mut Value, added: &[(&str, &str)]) {
    let Some(features) = features.as_object_mut() else { return };
    for (name, kind) in added {
        features.insert((*name).to_owned(), serde_json::json!({"dtype": kind, "_type": "Value"}));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_files_of_a_saved_data_set_are_data() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, content: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        };
        write("dataset_dict.json", "{\"splits\": [\"train\"]}");
        write("train/state.json", "{\"_data_files\": [{\"filename\": \"data-0.arrow\"}]}");
        let (all, train) = (SavedFolder::of(folder.path()), SavedFolder::of(&folder.path().join("train")));
        assert_eq!(all.kind("dataset_dict.json"), InSavedFolder::Describes(DatasetFile::Dictionary));
        assert_eq!(all.kind("state.json"), InSavedFolder::Data);
        for (name, kind) in [
            ("state.json", InSavedFolder::Describes(DatasetFile::State)),
            ("dataset_info.json", InSavedFolder::Describes(DatasetFile::Info)),
            ("data-0.arrow", InSavedFolder::Data),
            ("cache-7.arrow", InSavedFolder::Nothing),
            ("more.jsonl", InSavedFolder::Data),
        ] {
            assert_eq!(train.kind(name), kind, "{name}");
        }
        let names = [
            "dataset_dict.json",
            "train/state.json",
            "train/dataset_info.json",
            "train/data.arrow",
            "a/state.json",
        ];
        assert_eq!(descriptions_among(&names), HashSet::from([0, 1, 2]));
        write("plain/dataset_info.json", "{}");
        let plain = SavedFolder::of(&folder.path().join("plain"));
        assert_eq!(plain.kind("dataset_info.json"), InSavedFolder::Data);
    }
}
