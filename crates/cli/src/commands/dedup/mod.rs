//! `lookalike dedup`

mod page;

use crate::args::{self, ClusterArg, DedupArgs, Usage};
use crate::exit::Exit;
use crate::report;
use lookalike::Plan;
use lookalike_batch::{Against, AgainstContainment, ClusterShape, Dedup};
use lookalike_corpus::write_whole;

pub(crate) fn run(arguments: DedupArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    let written = |path| if arguments.dry_run { None } else { path };
    if let Some(path) = &arguments.report {
        args::check_file("--report", path)?;
    }
    let mut job = args::job(arguments.input.inputs, arguments.input.fields, &arguments.likeness, run)?;
    job.audit = arguments.audit.documents(&job.plan)?;
    arguments.space.limit(&mut job);
    let dedup = Dedup {
        job,
        against: Against {
            inputs: arguments.against,
            containment: arguments
                .against_containment
                .map(|share| AgainstContainment { share, least_features: arguments.against_shingles }),
        },
        keep: arguments.keep,
        clustering: match arguments.cluster {
            ClusterArg::Union => ClusterShape::Union,
            ClusterArg::Star => ClusterShape::Star,
        },
        min_containment: arguments.min_containment,
        output: written(arguments.output),
        annotate: arguments.annotate && !arguments.dry_run,
        removed: written(arguments.removed),
        clusters: written(arguments.clusters),
        report: arguments.report,
    };
    if dedup.min_containment.is_some() && !dedup.job.plan.verifies() {
        let message =
            "--min-containment goes with --verify; without it no document is compared with the kept one";
        return Err(Usage(message.to_owned()).into());
    }
    if dedup.against.containment.is_some() {
        check_containment(&dedup.job.plan)?;
    }
    let summary = dedup.run(&report::monitor(run.quiet))?;
    if let (Some(path), Some(findings)) = (&dedup.report, &summary.findings) {
        let page = page::of(&dedup, &summary, findings, arguments.dry_run);
        write_whole(path, page.to_html().as_bytes())?;
    }
    report::finish(&summary, report::Verb::Dedup, run)
}

/// Refuses `--against-containment` where shingles are not what is compared.
fn check_containment(plan: &Plan) -> Result<(), Usage> {
    let message = match (plan.verifies(), plan.compares_weights()) {
        (false, _) => {
            "--against-containment goes with --verify; without it no document is compared with another"
        }
        (true, true) => {
            "--against-containment counts shingles, which all weigh the same; leave out --weights"
        }
        (true, false) => return Ok(()),
    };
    Err(Usage(message.to_owned()))
}
