//! How much memory a run takes, and where it puts what does not fit.

use super::limits;
use crate::report;
use clap::Args;
use lookalike_batch::Job;
use lookalike_corpus::MAX_RECORD_BYTES;
use lookalike_engine::work::least_memory;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(next_help_heading = "Run")]
pub(crate) struct SpaceArgs {
    /// Memory that the run may take, such as 2GiB; the rest goes to disk [default: 3/4 of what there is]
    ///
    /// The default counts the memory of the machine, or the limit of a container or of ulimit -v and -d, if that is less.
    ///
    /// The page cache is not counted. The result is the same, except that records of more than 1/32 of this size are skipped and reported, unless
    /// --max-record is given. If a run that uses the disk is stopped or killed, or the disk is full, the same command
    /// continues it.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,

    /// Folder for data that does not fit into memory [default: beside the output]
    #[arg(long, value_name = "FOLDER")]
    temp_dir: Option<PathBuf>,
}

impl SpaceArgs {
    /// Tells `job`.
    pub(crate) fn limit(self, job: &mut Job) {
        let limit = limits::least(job.threads);
        let allowed = limit.map(|limit| limit.bytes).into_iter().chain(limits::machine()).min();
        // With little, that without which nothing can be done: few documents take less.
        let usual = allowed.map(|allowed| (allowed / 4 * 3).max(least_memory(job.threads)));
        job.memory = match (self.memory, limit, usual) {
            (Some(asked), Some(limit), Some(usual)) if asked > limit.bytes.max(usual) => {
                let [asked, left, taken] = [asked, limit.bytes, usual].map(|bytes| bytes as f64 / 1e6);
                report::note(&format!(
                    "--memory: {asked:.1} MB are more than {} leaves, which is {left:.1} MB; the run plans with {taken:.1} MB",
                    limit.by
                ));
                Some(usual)
            }
            (asked, ..) => asked.or(usual),
        };
        job.temp_dir = self.temp_dir;
    }
}

/// The length of the longest record that is read.
pub(super) fn record_size(text: &str) -> Result<u64, String> {
    match size(text)? {
        bytes @ 1..=MAX_RECORD_BYTES => Ok(bytes),
        _ => Err("use a size above 0 and up to 2GiB".to_owned()),
    }
}

/// A number of bytes, in units of 1000 or 1024.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return Err("use a number and MiB, GiB, MB or GB, such as 2GiB".to_owned()),
    };
    let number: f64 =
        number.parse().map_err(|_| "use a number of bytes, such as 2GiB or 500MB".to_owned())?;
    Ok((number * unit as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_are_read_in_the_usual_units() {
        let expected =
            [("200MiB", 200 << 20), ("2G", 2 << 30), ("1.5gib", 3 << 29), ("5 GB", 5_000_000_000), ("7", 7)];
        for (text, bytes) in expected {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "GiB", "2 pounds", "-1", "1..2MB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
