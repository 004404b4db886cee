//! The page that a run writes.

use super::run::check_file;
use crate::args::usage::Usage;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct PageArgs {
    /// Write an HTML report: numbers, charts, and examples with both texts side by side
    ///
    /// It is one file that needs no network and no script. It quotes parts of documents.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl PageArgs {
    /// The path of the page, if one was asked for. It is an error if no file can be written there.
    pub(crate) fn path(self) -> Result<Option<PathBuf>, Usage> {
        if let Some(path) = &self.report {
            check_file("--report", path)?;
            let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
            let is_device = std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
            if extension != "html" && extension != "htm" && !is_device {
                let message = format!(
                    "--report {}: the report is an HTML page; end the name in .html or .htm",
                    path.display()
                );
                return Err(Usage(message));
            }
        }
        Ok(self.report)
    }
}
