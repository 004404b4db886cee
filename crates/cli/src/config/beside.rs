//! The settings file of a run, which stands beside its summary.

use super::settings::{BEGINNING, RunSettings, Unwritable};
use super::verb::Verb;
use crate::args::Usage;
use crate::note::note;
use clap::ArgMatches;
use lookalike_batch::SettingsFile;
use lookalike_corpus::FileIdentity;
use lookalike_corpus::network::is_remote;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The settings file to write, if there is a summary to write it beside.
///
/// `given` has all options of the run, and `alone` only the options of the file of `--config`.
pub(super) fn settings_file(
    summary: Option<&Path>,
    config: Option<&Path>,
    verb: &Verb<'_>,
    given: &ArgMatches,
    alone: Option<&ArgMatches>,
) -> Result<Option<SettingsFile>, Usage> {
    let Some(summary) = summary.filter(|summary| is_file_or_new(summary)) else {
        return Ok(None);
    };
    let path = path_beside(summary);
    let settings = match RunSettings::of(verb, given) {
        Ok(settings) => settings,
        Err(why) => {
            note(&format!("{} is not written: {}", path.display(), reason(&why)));
            return Ok(None);
        }
    };
    let refuse = |problem: &str| Err(Usage(format!("{}: {problem}; name another --summary", path.display())));
    let identity = config.and_then(FileIdentity::of_file);
    if identity.is_some() && identity == FileIdentity::of_file(&path) {
        let alone = alone.and_then(|alone| RunSettings::of(verb, alone).ok());
        return match alone.is_some_and(|alone| alone.do_the_same(&settings)) {
            // The file has these settings already, and perhaps comments.
            true => Ok(None),
            false => {
                refuse("the settings of this run would replace the file of --config, and differ from it")
            }
        };
    }
    if is_foreign(&path) {
        return refuse("the settings of this run would replace a file that no run has written");
    }
    Ok(Some(SettingsFile { content: settings.to_toml(verb, &path), path }))
}

/// The path of the settings: `run.toml` beside `run.json`, `run.1.toml` beside `run.1`.
fn path_beside(summary: &Path) -> PathBuf {
    if summary.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json")) {
        return summary.with_extension("toml");
    }
    let mut path = summary.as_os_str().to_owned();
    path.push(".toml");
    PathBuf::from(path)
}

fn reason(why: &Unwritable) -> String {
    match why {
        Unwritable::NotUtf8(key) => format!("{key} is not UTF-8, and TOML holds only UTF-8"),
        Unwritable::Query(key) => format!("{key} is an address with a query, which may hold a password"),
    }
}

/// Is this a file, or a path where nothing is yet? There is no place beside a device or a pipe.
fn is_file_or_new(path: &Path) -> bool {
    path.as_os_str() != "-" && fs::metadata(path).map_or(true, |metadata| metadata.is_file())
}

/// Is there a file that no run has written as its settings? Remote paths are not checked.
fn is_foreign(path: &Path) -> bool {
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    if is_remote(path) || !is_file {
        return false;
    }
    let mut start = String::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING.len() as u64).read_to_string(&mut start));
    read.is_err() || start != BEGINNING
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_beside_the_summary() {
        for (summary, path) in [
            ("run.json", "run.toml"),
            ("a b/run.v1.JSON", "a b/run.v1.toml"),
            ("run.1", "run.1.toml"),
            ("run", "run.toml"),
            ("run.toml", "run.toml.toml"),
            ("s3://bucket/run.json", "s3://bucket/run.toml"),
        ] {
            assert_eq!(path_beside(Path::new(summary)), Path::new(path));
        }
    }
}
