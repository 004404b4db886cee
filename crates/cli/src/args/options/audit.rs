//! Whether a run measures its recall.

use super::number::positive;
use crate::args::usage::Usage;
use clap::Args;
use lookalike::Plan;

#[derive(Args, Debug)]
pub(crate) struct AuditArgs {
    /// Compare N random documents with all others exactly, and report the share of their pairs that the run found
    ///
    /// The run reads the inputs twice more. If N is the number of documents, the run measures the recall of the whole corpus.
    #[arg(long, value_name = "N", value_parser = positive::<u64>, help_heading = "Run")]
    audit: Option<u64>,
}

impl AuditArgs {
    /// The number of documents to draw. It is an error if the plan compares no documents exactly.
    pub(crate) fn documents(&self, plan: &Plan) -> Result<u64, Usage> {
        match self.audit {
            Some(_) if plan.estimates() => Err(Usage(
                "--audit compares documents exactly, and with --verify=estimate nothing is compared"
                    .to_owned(),
            )),
            Some(_) if !plan.verifies() => {
                Err(Usage("--audit compares documents by --measure; add --verify".to_owned()))
            }
            audit => Ok(audit.unwrap_or(0)),
        }
    }
}
