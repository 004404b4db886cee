//! `lookalike frequencies`

use crate::args::{self, FrequenciesArgs};
use crate::exit::Exit;
use crate::report;
use lookalike_batch::Frequencies;

pub(crate) fn run(arguments: FrequenciesArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    let frequencies = Frequencies {
        job: args::job(arguments.input.inputs, arguments.input.fields, &arguments.likeness, run)?,
        output: arguments.output,
    };
    let summary = frequencies.run(&report::monitor(run.quiet))?;
    report::finish(&summary, report::Verb::Frequencies, run)
}
