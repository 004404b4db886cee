//! `lookalike pairs`

use crate::args::{self, PairsArgs};
use crate::exit::Exit;
use crate::messages;
use lookalike_batch::{ListOutput, Pairs};
use lookalike_report::pairs_page;

pub(crate) fn run(mut arguments: PairsArgs) -> anyhow::Result<Exit> {
    arguments.frequent.put_into(&mut arguments.similarity);
    let run = &arguments.run;
    let page_path = arguments.page.path()?;
    let mut job = args::job(arguments.input.inputs, arguments.input.fields, &arguments.similarity, run)?;
    job.audit = arguments.audit.documents(&job.request.plan)?;
    arguments.space.limit(&mut job);
    job.request.within = arguments.within.within;
    let pairs =
        Pairs { job, output: ListOutput::file_or_standard(arguments.output), limit: None, report: page_path };
    let monitor = messages::monitor(run.quiet);
    let mut done = pairs.run(&monitor)?;
    if let Some(findings) = &done.result().findings {
        let page = pairs_page(&pairs.job.inputs, done.result(), findings);
        done.write_report(&page, &monitor)?;
    }
    let summary = done.publish(&monitor)?;
    messages::finish(&summary, &summary.read, messages::summary::pairs, run)
}
