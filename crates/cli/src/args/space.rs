//! How much memory a run takes, and where it puts what does not fit.

use clap::Args;
use lookalike_batch::Job;
use std::fs;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(next_help_heading = "Run")]
pub(crate) struct SpaceArgs {
    /// Memory that the run may take, such as 2GiB; what does not fit goes to disk [default: 3/4 of the machine's]
    ///
    /// The page cache is not counted. The result is the same. A run that has put something on disk and is stopped, killed or out of disk
    /// goes on where it was when the same command is given again.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<u64>,

    /// Where to put what does not fit into memory [default: beside the output]
    #[arg(long, value_name = "FOLDER")]
    temp_dir: Option<PathBuf>,
}

impl SpaceArgs {
    /// Tells `job`.
    pub(crate) fn limit(self, job: &mut Job) {
        // On a small machine with many threads, more than that rather than nothing.
        let least = (128 << 20) + job.threads as u64 * (16 << 20);
        job.memory = self.memory.or_else(|| Some((machine()? / 4 * 3).max(least)));
        job.temp_dir = self.temp_dir;
    }
}

/// Bytes of memory that this process may use: those of the machine, or of the control group that it is in.
fn machine() -> Option<u64> {
    let read = |path: &str| fs::read_to_string(path).ok();
    let meminfo = read("/proc/meminfo")?;
    let total = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let total = total.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024;
    let group = read("/proc/self/cgroup").unwrap_or_default();
    let group = group.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or_default();
    let own = format!("/sys/fs/cgroup{}/memory.max", group.trim_end_matches('/'));
    let limits = [&own, "/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"];
    let limits = limits.into_iter().filter_map(|path| read(path)?.trim().parse::<u64>().ok());
    Some(limits.fold(total, u64::min))
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
