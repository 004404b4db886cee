//! `lookalike pairs`

use super::page;
use crate::args::{self, PairsArgs};
use crate::exit::Exit;
use crate::report;
use lookalike_batch::{ListOutput, Pairs};

pub(crate) fn run(arguments: PairsArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    let page_path = arguments.page.path()?;
    let mut job = args::job(arguments.input.inputs, arguments.input.fields, &arguments.similarity, run)?;
    job.audit = arguments.audit.documents(&job.request.plan)?;
    arguments.space.limit(&mut job);
    job.request.within = arguments.within.within;
    let pairs =
        Pairs { job, output: ListOutput::file_or_standard(arguments.output), limit: None, report: page_path };
    let monitor = report::monitor(run.quiet);
    let mut done = pairs.run(&monitor)?;
    if let Some(findings) = &done.result().findings {
        let page = page::pairs::page(&pairs, done.result(), findings).to_html();
        done.write_report(&page, &monitor)?;
    }
    let summary = done.publish(&monitor)?;
    report::finish(&summary, &summary.read, report::summary::pairs, run)
}
