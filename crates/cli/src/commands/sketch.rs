//! `lookalike sketch`

use crate::args::{self, SketchArgs};
use crate::exit::Exit;
use crate::report;
use lookalike_batch::Sketches;

pub(crate) fn run(arguments: SketchArgs) -> anyhow::Result<Exit> {
    let run = &arguments.run;
    let sketches = Sketches {
        job: args::job(arguments.input.inputs, arguments.input.fields, &arguments.likeness, run)?,
        output: arguments.output,
    };
    let summary = sketches.run(&report::monitor(run.quiet))?;
    report::finish(&summary, report::Verb::Sketch, run)
}
