//! `lookalike pairs`

use crate::args::{self, PairsArgs};
use crate::exit::Exit;
use crate::report;
use lookalike_batch::Pairs;

pub(crate) fn run(arguments: PairsArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    let mut job = args::job(arguments.input.inputs, arguments.input.fields, &arguments.similarity, run)?;
    job.audit = arguments.audit.documents(&job.request.plan)?;
    arguments.space.limit(&mut job);
    job.request.within = arguments.within.within;
    let pairs = Pairs { job, output: arguments.output };
    let monitor = report::monitor(run.quiet);
    let summary = pairs.run(&monitor)?.publish(&monitor)?;
    report::finish(&summary, report::Verb::Pairs, run)
}
