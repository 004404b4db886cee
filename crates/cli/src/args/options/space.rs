//! How much memory a run takes, and the folder for data that does not fit.

use crate::note::note;
use clap::Args;
use lookalike_batch::{Job, memory_size};
use lookalike_engine::work::{default_memory, memory_limit};
use std::path::PathBuf;

#[derive(Args, Debug)]
#[command(next_help_heading = "Run")]
pub(crate) struct SpaceArgs {
    /// Memory that the run may take, such as 2GiB; the rest goes to disk [default: 3/4 of the memory of the machine]
    ///
    /// If a container, ulimit -v or ulimit -d allows less, the default is 3/4 of that. The page
    /// cache does not count.
    ///
    /// The memory does not change the result, with one exception: without --max-record, a record of more than 1/32 of this size is
    /// skipped and reported. If a run that uses the disk is stopped or killed, or fills the disk, the same command continues it.
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,

    /// Folder for data that does not fit into memory [default: the folder of the output]
    #[arg(long, value_name = "FOLDER")]
    temp_dir: Option<PathBuf>,
}

impl SpaceArgs {
    /// Sets the memory and the temporary folder of `job`.
    pub(crate) fn limit(self, job: &mut Job) {
        let limit = memory_limit(job.threads);
        let usual = default_memory(job.threads);
        job.memory = match (self.memory, limit, usual) {
            (Some(asked), Some(limit), Some(usual)) if asked > limit.bytes.max(usual) => {
                let [asked, left, taken] = [asked, limit.bytes, usual].map(|bytes| bytes as f64 / 1e6);
                note(&format!(
                    "--memory: {asked:.1} MB are more than {} leaves, which is {left:.1} MB; the run plans with {taken:.1} MB",
                    limit.set_by
                ));
                Some(usual)
            }
            (asked, ..) => asked.or(usual),
        };
        job.temp_dir = self.temp_dir;
    }
}
