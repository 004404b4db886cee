//! `lookalike dedup`

use crate::args::{self, DedupArgs};
use crate::exit::Exit;
use crate::report;
use lookalike_batch::Dedup;

pub(crate) fn run(arguments: DedupArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    let written = |path| if arguments.dry_run { None } else { path };
    let mut job = args::job(arguments.input.inputs, arguments.input.fields, &arguments.likeness, run)?;
    job.audit = arguments.audit.documents(&job.plan)?;
    let dedup = Dedup {
        job,
        keep: arguments.keep,
        output: written(arguments.output),
        annotate: arguments.annotate && !arguments.dry_run,
        removed: written(arguments.removed),
        clusters: written(arguments.clusters),
    };
    let summary = dedup.run(&report::monitor(run.quiet))?;
    report::finish(&summary, report::Verb::Dedup, run)
}
