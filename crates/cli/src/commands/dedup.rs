//! `lookalike dedup`

use crate::args::{self, DedupArgs};
use crate::exit::Exit;
use crate::report;
use lookalike_batch::Dedup;

pub(crate) fn run(arguments: DedupArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    let dedup = Dedup {
        job: args::job(arguments.input, &arguments.likeness, run)?,
        keep: arguments.keep,
        output: arguments.output,
        annotate: arguments.annotate,
        removed: arguments.removed,
        clusters: arguments.clusters,
    };
    let summary = dedup.run(&report::monitor(run.quiet))?;
    report::finish(&summary, report::Verb::Dedup, run)
}
